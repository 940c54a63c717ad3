/** A picture of counts, as a canvas that a chart draws. */
import { densityPixels } from '@figures/density';
import type { PlotTheme } from '@figures/palette';
import { canvasOf } from './canvas-of';

export function pictureOfCounts(
  { counts, width, height }: { counts: Uint32Array; width: number; height: number },
  colors: PlotTheme['density'],
): HTMLCanvasElement {
  return canvasOf({ data: densityPixels(counts, width, height, colors), width, height });
}
