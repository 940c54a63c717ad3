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
