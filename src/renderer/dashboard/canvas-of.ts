/** Pixels as a canvas that a chart draws. */
import type { Pixels } from '@figures/density';

export function canvasOf({ data, width, height }: Pixels): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0);
  return canvas;
}
