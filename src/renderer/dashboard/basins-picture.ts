/** Basins as a canvas that a chart draws, and what they are called. */
import type { FoundBasins } from '@contract/analyses';
import { basinPixels, type BasinWords } from '@figures/basins';
import type { PlotTheme } from '@figures/palette';
import { text } from '../i18n';

/** A picture is made once for each theme: it has a million pixels, and charts are drawn anew at every movement. */
const made = new WeakMap<FoundBasins, Map<PlotTheme, HTMLCanvasElement>>();

export function pictureOfBasins(found: FoundBasins, theme: PlotTheme): HTMLCanvasElement {
  const known = made.get(found) ?? new Map<PlotTheme, HTMLCanvasElement>();
  made.set(found, known);
  const canvas = known.get(theme) ?? draw(found, theme);
  known.set(theme, canvas);
  return canvas;
}

function draw(found: FoundBasins, theme: PlotTheme): HTMLCanvasElement {
  const { data, width, height } = basinPixels(found, theme);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0);
  return canvas;
}

export const basinWords = (): BasinWords => ({
  attractor: (number) => text('analysis.attractor', { number }),
  undecided: text('analysis.basinLegend.undecided'),
  notSimulated: text('analysis.basinLegend.notSimulated'),
});
