/** A picture of counts, as a canvas that a chart draws. */
import { densityPixels } from '@figures/density';
import type { PlotTheme } from '@figures/palette';

export function pictureOfCounts(
  { counts, width, height }: { counts: Uint32Array; width: number; height: number },
  colors: PlotTheme['density'],
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pixels = densityPixels(counts, width, height, colors);
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}
