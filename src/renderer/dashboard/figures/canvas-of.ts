/** Pixels as a canvas that a chart draws. */
import type { Pixels } from '@figures/density';

export function canvasOf({ data, width, height }: Pixels): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0);
  return canvas;
}

const made = new WeakMap<object, Map<string, HTMLCanvasElement>>();

/**
 * The same, made once for each source and key: pictures have a million pixels, and charts are drawn again at
 * every movement.
 */
export function picture(source: object, key: string, pixels: () => Pixels): HTMLCanvasElement {
  const known = made.get(source) ?? new Map<string, HTMLCanvasElement>();
  made.set(source, known);
  const canvas = known.get(key) ?? canvasOf(pixels());
  known.set(key, canvas);
  return canvas;
}
