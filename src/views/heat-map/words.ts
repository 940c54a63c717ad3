/** The texts of the view. */
export const heatMapWords = {
  title: 'Heat map',
  label: '{quantity} over {x} and {y}. Arrow keys pan, plus and minus zoom, 0 shows all.',
  noHeatMap: 'The model has no sweep over a grid of two parameters. Add one under Analyses.',
  noQuantity: 'This sweep has neither measures nor a section: add one of them under Analyses.',
  noValue: 'none',
  noPeriod: 'Blank: the motion does not repeat within half of the recorded points.',
  colourIs: 'Colour: {name}',
  direction: 'Direction',
} as const;
