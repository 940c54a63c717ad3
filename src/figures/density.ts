/** Counts of cells as a picture in a chart: pure. */
import type { CustomSeriesOption, CustomSeriesRenderItemAPI } from 'echarts';
import type { PlotTheme } from './palette';

/** A picture: RGBA, top row first. */
export interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** Part of the plane that a picture covers. */
export interface DensityRectangle {
  xMin: number;
  xMax: number;
  yMin: number;
  yMax: number;
}

/**
 * With no more cells visited than these, and no larger a part of all, they are separate points, as of a
 * periodic orbit: drawn as large as such.
 */
const FEW_CELLS = 500;
const SMALL_PART = 0.01;

/**
 * Pixels of a density image, RGBA, top row first. Logarithmic: an orbit visited a thousand times must not
 * hide the transient that leads to it. Where a point covers more than its cell, the cell visited most often
 * is seen.
 */
export function densityPixels(
  counts: Uint32Array,
  width: number,
  height: number,
  colors: PlotTheme['density'],
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * width * height);
  let most = 1;
  let visited = 0;
  for (const count of counts) {
    if (count > 0) visited++;
    if (count > most) most = count;
  }
  const isSparse = visited <= Math.min(FEW_CELLS, SMALL_PART * counts.length);
  const shown = isSparse ? spread(counts, width, height) : counts;
  const scale = (colors.length - 1) / Math.log1p(most);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const count = shown[row * width + column] ?? 0;
      if (count === 0) continue;
      const position = Math.log1p(count) * scale;
      const index = Math.min(Math.floor(position), colors.length - 2);
      const low = colors[index] ?? [0, 0, 0];
      const high = colors[index + 1] ?? low;
      const at = 4 * ((height - 1 - row) * width + column);
      for (let c = 0; c < 3; c++) {
        const from = low[c] ?? 0;
        pixels[at + c] = from + ((high[c] ?? 0) - from) * (position - index);
      }
      pixels[at + 3] = 255;
    }
  }
  return pixels;
}

/** Each count also in the eight cells around its own. */
function spread(counts: Uint32Array, width: number, height: number): Uint32Array {
  const wide = new Uint32Array(counts.length);
  counts.forEach((count, cell) => {
    if (count === 0) return;
    const row = Math.floor(cell / width);
    const column = cell % width;
    for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x++) {
        const at = y * width + x;
        wide[at] = Math.max(wide[at] ?? 0, count);
      }
  });
  return wide;
}

/** The picture in its place. @param image that the renderer of the chart draws */
export function densitySeries(
  { xMin, xMax, yMin, yMax }: DensityRectangle,
  image: unknown,
): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    clip: true,
    animation: false,
    data: [[xMin, yMin, xMax, yMax]],
    encode: { x: [0, 2], y: [1, 3] },
    renderItem: (_params: unknown, api: CustomSeriesRenderItemAPI) => {
      const [left, top] = api.coord([xMin, yMax]);
      const [right, bottom] = api.coord([xMax, yMin]);
      const x = left ?? 0;
      const y = top ?? 0;
      return {
        type: 'image',
        style: { image: image as HTMLImageElement, x, y, width: (right ?? 0) - x, height: (bottom ?? 0) - y },
      };
    },
  };
}
