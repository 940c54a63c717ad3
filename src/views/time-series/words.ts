/** The texts of the view. */
export const timeSeriesWords = {
  title: 'Time series',
  label: 'Time series of {signals}. Arrow keys pan, plus and minus zoom, 0 shows all.',
  changes: 'Parameters changed during the run',
} as const;
