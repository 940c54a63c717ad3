/** Basins as a canvas that a chart draws, and what they are called. */
import type { FoundBasins } from '@contract/analyses';
import { basinPixels, type BasinWords } from '@figures/basins';
import type { PlotTheme } from '@figures/palette';
import { text } from '../i18n';
import { canvasOf } from './canvas-of';

/** A picture is made once for each theme: it has a million pixels, and charts are drawn anew at every movement. */
const made = new WeakMap<FoundBasins, Map<PlotTheme, HTMLCanvasElement>>();

export function pictureOfBasins(found: FoundBasins, theme: PlotTheme): HTMLCanvasElement {
  const known = made.get(found) ?? new Map<PlotTheme, HTMLCanvasElement>();
  made.set(found, known);
  const canvas = known.get(theme) ?? canvasOf(basinPixels(found, theme));
  known.set(theme, canvas);
  return canvas;
}

export const basinWords = (): BasinWords => ({
  attractor: (number) => text('analysis.attractor', { number }),
  undecided: text('analysis.basinLegend.undecided'),
  notSimulated: text('analysis.basinLegend.notSimulated'),
});
