/** Basins as a canvas that a chart draws, and what they are called. */
import type { FoundBasins } from '@contract/analyses';
import { basinPixels, type BasinWords } from '@figures/basins';
import type { PlotTheme } from '@figures/palette';
import { text } from '../i18n';

export function pictureOfBasins(found: FoundBasins, theme: PlotTheme): HTMLCanvasElement {
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
