/** What stands in the legend of a bifurcation diagram. */
import type { DiagramWords } from '@views/bifurcation/drawing';
import { text } from '../i18n';

export const diagramWords = (): DiagramWords => ({
  up: text('analysis.diagram.up'),
  down: text('analysis.diagram.down'),
  initial: text('analysis.diagram.initial'),
  stable: text('analysis.diagram.stable'),
  unstable: text('analysis.diagram.unstable'),
  fold: text('analysis.diagram.fold'),
  periodDoubling: text('analysis.diagram.periodDoubling'),
  torus: text('analysis.diagram.torus'),
  grazing: text('analysis.diagram.grazing'),
  uncertified: text('analysis.notCertified'),
});
