/** What stands in the legend of a diagram. */
import type { DiagramWords } from './drawing';

export const diagramWords: DiagramWords = {
  up: 'upwards',
  down: 'downwards',
  initial: 'from the initial state',
  stable: 'stable orbits',
  unstable: 'unstable orbits',
  fold: 'fold',
  periodDoubling: 'period doubling',
  torus: 'torus',
  grazing: 'grazing',
  uncertified: 'not certified',
};

/** Its texts in the window. */
export const bifurcationTexts = {
  title: 'Bifurcation diagram',
  label: 'Bifurcation diagram of {y} over {parameter}. Arrow keys pan, plus and minus zoom, 0 shows all.',
  noAnalyses: 'The model has no sweep or branch. Add one under Analyses.',
  noAnalysisChosen: 'Choose an analysis in the menu of this plot.',
} as const;
