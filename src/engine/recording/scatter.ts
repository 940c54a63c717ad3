/**
 * Points of a section in the plane of two signals: every one of them while they are few, else how many fall
 * into each cell of the view. They are never thinned: a set of a million points has its structure in all of
 * them.
 */
import type { ChunkSource } from './chunks';

/** Part of the plane. */
export interface PlaneBounds {
  readonly xMin: number;
  readonly xMax: number;
  readonly yMin: number;
  readonly yMax: number;
}

export type Scatter = {
  /** points of the section */
  rows: number;
  /** of all of them; null where there is none that is finite */
  bounds: PlaneBounds | null;
  /** points inside the view */
  inView: number;
} & (
  | { kind: 'points'; x: Float64Array; y: Float64Array }
  | {
      kind: 'density';
      view: PlaneBounds;
      width: number;
      height: number;
      /** points in each cell, row-major from the lower left */
      counts: Uint32Array;
    }
);

/** Row of a point and its signals. */
export interface NearestPoint {
  readonly row: number;
  readonly values: Float64Array;
}

/** A span of time, both ends in it, s. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Column of the time. */
const TIME = 0;

type Visit = (x: Float64Array, y: Float64Array, count: number, row: number) => void;

/** @param span points outside of it are passed over; absent: all points */
function visitChunks(
  source: ChunkSource,
  rows: number,
  x: number,
  y: number,
  visit: Visit,
  span?: TimeSpan,
): void {
  const { rowsPerChunk } = source.layout;
  const xs = new Float64Array(rowsPerChunk);
  for (let row = 0, chunk = 0; row < rows; row += rowsPerChunk, chunk++) {
    const count = Math.min(rowsPerChunk, rows - row);
    let [first, end] = [0, count];
    if (span !== undefined) {
      // Times ascend.
      const times = source.column(chunk, TIME);
      while (first < count && times[first] < span.from) first++;
      for (end = first; end < count && times[end] <= span.to;) end++;
      if (first === end) continue;
    }
    // A source may hand out the same array again.
    xs.set(source.column(chunk, x));
    const ys = source.column(chunk, y);
    if (first === 0) visit(xs, ys, end, row);
    else visit(xs.subarray(first), ys.subarray(first), end - first, row + first);
  }
}

function boundsOf(
  source: ChunkSource,
  rows: number,
  x: number,
  y: number,
  span: TimeSpan | undefined,
): PlaneBounds | null {
  let [xMin, xMax, yMin, yMax] = [Infinity, -Infinity, Infinity, -Infinity];
  const take: Visit = (xs, ys, count) => {
    for (let i = 0; i < count; i++) {
      const a = xs[i];
      const b = ys[i];
      if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
      if (a < xMin) xMin = a;
      if (a > xMax) xMax = a;
      if (b < yMin) yMin = b;
      if (b > yMax) yMax = b;
    }
  };
  visitChunks(source, rows, x, y, take, span);
  return xMin <= xMax ? { xMin, xMax, yMin, yMax } : null;
}

/**
 * @param x column of the horizontal axis @param y of the vertical one
 * @param view part that is looked at; null: all
 * @param maxPoints more points than that in the view come as counts of `width` × `height` cells
 * @param span of time whose points are taken; absent: all of them
 */
export function scatter(
  source: ChunkSource,
  x: number,
  y: number,
  view: PlaneBounds | null,
  maxPoints: number,
  width: number,
  height: number,
  span?: TimeSpan,
): Scatter {
  const rows = source.rows();
  const bounds = boundsOf(source, rows, x, y, span);
  const seen = view ?? bounds;
  const none = new Float64Array(0);
  if (seen === null) return { kind: 'points', rows, bounds, inView: 0, x: none, y: none };
  const { xMin, xMax, yMin, yMax } = seen;
  const found = { x: new Float64Array(maxPoints), y: new Float64Array(maxPoints) };
  let inView = 0;
  const take: Visit = (xs, ys, count) => {
    for (let i = 0; i < count; i++) {
      const a = xs[i];
      const b = ys[i];
      if (!(a >= xMin && a <= xMax && b >= yMin && b <= yMax)) continue;
      if (inView < maxPoints) {
        found.x[inView] = a;
        found.y[inView] = b;
      }
      inView++;
    }
  };
  visitChunks(source, rows, x, y, take, span);
  if (inView <= maxPoints)
    return { kind: 'points', rows, bounds, inView, x: found.x.slice(0, inView), y: found.y.slice(0, inView) };
  const counts = new Uint32Array(width * height);
  const xScale = xMax > xMin ? width / (xMax - xMin) : 0;
  const yScale = yMax > yMin ? height / (yMax - yMin) : 0;
  const count: Visit = (xs, ys, points) => {
    for (let i = 0; i < points; i++) {
      const a = xs[i];
      const b = ys[i];
      if (!(a >= xMin && a <= xMax && b >= yMin && b <= yMax)) continue;
      const column = Math.min(width - 1, Math.floor((a - xMin) * xScale));
      const line = Math.min(height - 1, Math.floor((b - yMin) * yScale));
      counts[line * width + column]++;
    }
  };
  visitChunks(source, rows, x, y, count, span);
  return { kind: 'density', rows, bounds, inView, view: seen, width, height, counts };
}

/**
 * The point nearest to a place.
 * @param scale lengths of the two axes that count as equal
 * @returns null where there is none
 */
export function nearestPoint(
  source: ChunkSource,
  x: number,
  y: number,
  at: readonly [number, number],
  scale: readonly [number, number],
): NearestPoint | null {
  let best = -1;
  let least = Infinity;
  visitChunks(source, source.rows(), x, y, (xs, ys, count, row) => {
    for (let i = 0; i < count; i++) {
      const dx = (xs[i] - at[0]) / scale[0];
      const dy = (ys[i] - at[1]) / scale[1];
      const distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        best = row + i;
      }
    }
  });
  return best < 0 ? null : { row: best, values: pointAt(source, best) };
}

/** All signals of a point. @param row of those that there are */
function pointAt(source: ChunkSource, row: number): Float64Array {
  const { columns, rowsPerChunk } = source.layout;
  const chunk = Math.floor(row / rowsPerChunk);
  return Float64Array.from({ length: columns }, (_, c) => source.column(chunk, c)[row % rowsPerChunk]);
}
