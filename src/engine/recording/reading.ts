/**
 * Reading a recorded run: windows decimated to the pixel, portraits, rows.
 *
 * A window is divided into buckets of equal row counts; of each the minimum and the maximum are kept in time
 * order, so that no spike is lost, and both ends of a jump, so that it stands upright. For the wide windows
 * of long runs a pyramid of block extents is built on first use, and answers without touching the rows again.
 */
import type { ChunkSource } from './chunks';
import { BLOCK, Extent, Pyramid } from './pyramid';
import type { PlaneBounds } from './scatter';

/* Jumps in a density image: the straight lines that the image of points alone would not show. */

/**
 * First and last of the steps of a side that lie between 0 and `cells`, one more on each side for rounding.
 */
function stepsInside(from: number, to: number, steps: number, cells: number): [number, number] {
  if (from === to) return from >= 0 && from < cells ? [1, steps - 1] : [1, 0];
  const [a, b] = [(-1 - from) / (to - from), (cells - from) / (to - from)].map((part) => part * steps);
  return [Math.max(1, Math.floor(Math.min(a, b))), Math.min(steps - 1, Math.ceil(Math.max(a, b)))];
}

/**
 * Counts the cells between two, ends left out, once each, along the straight line from centre to centre (one
 * cell for each step of the longer side, as in Bresenham's algorithm). Either may lie outside; what is
 * outside is not gone through.
 * @param counts cells, row-major, lines of `width`; changed
 */
function countSegment(
  counts: Uint32Array,
  width: number,
  fromColumn: number,
  fromLine: number,
  toColumn: number,
  toLine: number,
): void {
  const height = counts.length / width;
  const steps = Math.max(Math.abs(toColumn - fromColumn), Math.abs(toLine - fromLine));
  if (!Number.isFinite(steps)) return;
  const [firstOfX, lastOfX] = stepsInside(fromColumn, toColumn, steps, width);
  const [firstOfY, lastOfY] = stepsInside(fromLine, toLine, steps, height);
  const last = Math.min(lastOfX, lastOfY);
  for (let k = Math.max(firstOfX, firstOfY); k <= last; k++) {
    const column = Math.round(fromColumn + ((toColumn - fromColumn) * k) / steps);
    const line = Math.round(fromLine + ((toLine - fromLine) * k) / steps);
    if (column >= 0 && column < width && line >= 0 && line < height) counts[line * width + column]++;
  }
}

export interface Series {
  t: Float64Array;
  y: Float64Array;
}

export interface WindowResult {
  /** rows in the window */
  rows: number;
  /** rows that one bucket stands for; 1 when every row is there */
  rowsPerBucket: number;
  /** extent of what has been recorded so far, s */
  recordedFrom: number;
  recordedTo: number;
  series: Series[];
}

export type Portrait =
  | { kind: 'points'; rows: number; x: Float64Array; y: Float64Array }
  | {
      kind: 'density';
      rows: number;
      width: number;
      height: number;
      /** part of the plane that the cells cover */
      xMin: number;
      xMax: number;
      yMin: number;
      yMax: number;
      /** of all rows */
      bounds: PlaneBounds;
      /** visits of each cell, row-major from the lower left; a jump visits the cells between its sides */
      counts: Uint32Array;
    };

/** Rows [first, end) of a window. */
export interface WindowRows {
  readonly first: number;
  readonly end: number;
  /** of the whole recording */
  readonly rows: number;
  /** extent of what has been recorded so far, s */
  readonly recordedFrom: number;
  readonly recordedTo: number;
}

export class TrajectoryReader {
  readonly #pyramids = new Map<number, Pyramid>();

  constructor(private readonly source: ChunkSource) {}

  /** Value of one column in one row. */
  #value(row: number, column: number): number {
    const { rowsPerChunk } = this.source.layout;
    return this.source.column(Math.floor(row / rowsPerChunk), column)[row % rowsPerChunk];
  }

  /** First row whose time is ≥ t (or > t when `after`), among `rows`. */
  #rowAt(t: number, rows: number, after: boolean): number {
    let low = 0;
    let high = rows;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const time = this.#value(middle, 0);
      if (time < t || (after && time === t)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Rows of a time window, widened as they are for curves, and what there is besides; null while there are
   * none.
   */
  extent(from: number | undefined, to: number | undefined): WindowRows | null {
    const rows = this.source.rows();
    if (rows === 0) return null;
    const range = this.#range(from, to, rows);
    return { ...range, recordedFrom: this.#value(0, 0), recordedTo: this.#value(rows - 1, 0), rows };
  }

  /** Rows [first, end) whose times lie in [from, to]. */
  inside(from: number | undefined, to: number | undefined): { first: number; end: number } {
    const rows = this.source.rows();
    const first = from === undefined ? 0 : this.#rowAt(from, rows, false);
    return { first, end: to === undefined ? rows : Math.max(first, this.#rowAt(to, rows, true)) };
  }

  /**
   * Rows [first, end) of a time window, widened by one row on each side so that lines reach the edges of the
   * plot.
   */
  #range(from: number | undefined, to: number | undefined, rows: number): { first: number; end: number } {
    const first = from === undefined ? 0 : Math.max(0, this.#rowAt(from, rows, false) - 1);
    const end = to === undefined ? rows : Math.min(rows, this.#rowAt(to, rows, true) + 1);
    return { first, end: Math.max(first, end) };
  }

  #pyramid(column: number, rows: number): Pyramid {
    let pyramid = this.#pyramids.get(column);
    if (pyramid === undefined) {
      pyramid = new Pyramid();
      this.#pyramids.set(column, pyramid);
    }
    const { rowsPerChunk } = this.source.layout;
    if (rowsPerChunk < BLOCK) return pyramid;
    const complete = Math.floor(rows / BLOCK);
    while (pyramid.blocks < complete) {
      const row = pyramid.blocks * BLOCK;
      const chunk = Math.floor(row / rowsPerChunk);
      const values = this.source.column(chunk, column);
      const last = Math.min(rowsPerChunk, rows - chunk * rowsPerChunk);
      for (let offset = row % rowsPerChunk; offset + BLOCK <= last; offset += BLOCK) {
        pyramid.push(values, offset, chunk * rowsPerChunk + offset);
      }
    }
    return pyramid;
  }

  /** Calls `visit` with consecutive pieces of a column. */
  #scan(
    column: number,
    first: number,
    end: number,
    visit: (values: Float64Array, from: number, to: number, row: number) => void,
  ): void {
    const { rowsPerChunk } = this.source.layout;
    for (let row = first; row < end;) {
      const chunk = Math.floor(row / rowsPerChunk);
      const from = row % rowsPerChunk;
      const to = Math.min(rowsPerChunk, from + end - row);
      visit(this.source.column(chunk, column), from, to, row);
      row += to - from;
    }
  }

  /** Copies rows [first, end) of a column. */
  #copy(column: number, first: number, end: number): Float64Array {
    const result = new Float64Array(end - first);
    this.#scan(column, first, end, (values, from, to, row) => {
      result.set(values.subarray(from, to), row - first);
    });
    return result;
  }

  /**
   * Decimated window of several signals.
   * @param buckets at most 4·buckets + 2 points come back for each signal: two a bucket and two more where it
   *   has a jump, and the ends
   */
  window(
    columns: readonly number[],
    from: number | undefined,
    to: number | undefined,
    buckets: number,
  ): WindowResult {
    const rows = this.source.rows();
    if (rows === 0) {
      const series = columns.map(() => ({ t: new Float64Array(0), y: new Float64Array(0) }));
      return { rows: 0, rowsPerBucket: 1, recordedFrom: 0, recordedTo: 0, series };
    }
    const { first, end } = this.#range(from, to, rows);
    const count = end - first;
    const recordedFrom = this.#value(0, 0);
    const recordedTo = this.#value(rows - 1, 0);
    if (count <= 2 * buckets) {
      const t = this.#copy(0, first, end);
      const series = columns.map((column) => ({ t: t.slice(), y: this.#copy(column, first, end) }));
      return { rows: count, rowsPerBucket: 1, recordedFrom, recordedTo, series };
    }
    const rowsPerBucket = count / buckets;
    const series = columns.map((column) => this.#decimate(column, first, end, buckets, rows));
    return { rows: count, rowsPerBucket, recordedFrom, recordedTo, series };
  }

  #decimate(column: number, first: number, end: number, buckets: number, rows: number): Series {
    const rowNumbers = new Int32Array(4 * buckets + 2);
    const y = new Float64Array(4 * buckets + 2);
    const count = end - first;
    const { rowsPerChunk } = this.source.layout;
    // With at least four blocks in a bucket, moving its border to a block border shifts it by less than a
    // pixel.
    const coarse = count / buckets >= 4 * BLOCK && rowsPerChunk >= BLOCK;
    const pyramid = coarse ? this.#pyramid(column, rows) : null;
    let points = 0;
    const emit = (row: number, value: number): void => {
      // The row before a bucket, where a jump leads into it, may have been drawn with the bucket before.
      if (points > 0 && rowNumbers[points - 1] >= row) return;
      rowNumbers[points] = row;
      y[points++] = value;
    };
    // A curve reaches the ends of its window, whatever the extrema of the first and last pixel are.
    emit(first, this.#value(first, column));
    for (let b = 0; b < buckets; b++) {
      let begin = first + Math.floor((b * count) / buckets);
      let stop = first + Math.floor(((b + 1) * count) / buckets);
      if (pyramid !== null) {
        if (b > 0) begin = Math.floor(begin / BLOCK) * BLOCK;
        if (b < buckets - 1) stop = Math.floor(stop / BLOCK) * BLOCK;
      }
      if (stop <= begin) continue;
      this.#measure(column, begin, stop, pyramid);
      this.#extent.draw(emit);
    }
    emit(end - 1, this.#value(end - 1, column));
    const t = this.valuesAt(0, rowNumbers.subarray(0, points));
    return { t, y: y.slice(0, points) };
  }

  readonly #extent = new Extent();

  /** Extent of rows [begin, stop), whole blocks from the pyramid when there is one. */
  #measure(column: number, begin: number, stop: number, pyramid: Pyramid | null): void {
    this.#extent.clear();
    if (pyramid === null) {
      this.#scanExtent(column, begin, stop);
      return;
    }
    const firstBlock = Math.ceil(begin / BLOCK);
    const lastBlock = Math.min(Math.floor(stop / BLOCK), pyramid.blocks);
    if (firstBlock >= lastBlock) {
      this.#scanExtent(column, begin, stop);
      return;
    }
    this.#scanExtent(column, begin, firstBlock * BLOCK);
    for (let k = firstBlock; k < lastBlock; k++) pyramid.addTo(this.#extent, k);
    this.#scanExtent(column, lastBlock * BLOCK, stop);
  }

  #scanExtent(column: number, begin: number, stop: number): void {
    if (begin >= stop) return;
    let previous = begin === 0 ? NaN : this.#value(begin - 1, column);
    this.#scan(column, begin, stop, (values, from, to, row) => {
      this.#extent.scan(values, from, to, row, previous);
      previous = values[to - 1];
    });
  }

  /** Values of a column in some rows, ascending. */
  valuesAt(column: number, rows: Int32Array): Float64Array {
    const found = new Float64Array(rows.length);
    const { rowsPerChunk } = this.source.layout;
    let chunk = -1;
    let values: Float64Array = found;
    for (let i = 0; i < rows.length; i++) {
      const wanted = Math.floor(rows[i] / rowsPerChunk);
      // Sources may recycle the array of one column when another is asked for, but here only one is.
      if (wanted !== chunk) values = this.source.column(wanted, column);
      chunk = wanted;
      found[i] = values[rows[i] % rowsPerChunk];
    }
    return found;
  }

  /**
   * Trajectory in the plane of two signals: every point, or beyond `maxPoints` a density image.
   * @param view part that the image covers; all where it is left out
   */
  portrait(
    x: number,
    y: number,
    from: number | undefined,
    to: number | undefined,
    maxPoints: number,
    width: number,
    height: number,
    view?: PlaneBounds,
  ): Portrait {
    const rows = this.source.rows();
    const { first, end } = rows === 0 ? { first: 0, end: 0 } : this.#range(from, to, rows);
    const count = end - first;
    if (count <= maxPoints) {
      return { kind: 'points', rows: count, x: this.#copy(x, first, end), y: this.#copy(y, first, end) };
    }
    const [left, right] = this.#bounds(x, first, end, rows);
    const [low, high] = this.#bounds(y, first, end, rows);
    const bounds: PlaneBounds = { xMin: left, xMax: right, yMin: low, yMax: high };
    const { xMin, xMax, yMin, yMax } = view ?? bounds;
    const counts = new Uint32Array(width * height);
    const xScale = xMax > xMin ? width / (xMax - xMin) : 0;
    const yScale = yMax > yMin ? height / (yMax - yMin) : 0;
    const { rowsPerChunk } = this.source.layout;
    const times = new Float64Array(rowsPerChunk);
    const xs = new Float64Array(rowsPerChunk);
    let lastTime = NaN;
    let lastColumn = 0;
    let lastLine = 0;
    for (let row = first; row < end;) {
      const chunk = Math.floor(row / rowsPerChunk);
      const start = row % rowsPerChunk;
      const stop = Math.min(rowsPerChunk, start + end - row);
      // Columns of a chunk are needed together, and a source may hand out the same array again.
      times.set(this.source.column(chunk, 0));
      xs.set(this.source.column(chunk, x));
      const ys = this.source.column(chunk, y);
      for (let i = start; i < stop; i++) {
        const isInside = xs[i] >= xMin && xs[i] <= xMax && ys[i] >= yMin && ys[i] <= yMax;
        let column = Math.floor((xs[i] - xMin) * xScale);
        let line = Math.floor((ys[i] - yMin) * yScale);
        if (isInside) {
          column = Math.min(width - 1, column);
          line = Math.min(height - 1, line);
          counts[line * width + column]++;
        }
        // Two rows of one time are the sides of an event.
        if (times[i] === lastTime) countSegment(counts, width, lastColumn, lastLine, column, line);
        lastTime = times[i];
        lastColumn = column;
        lastLine = line;
      }
      row += stop - start;
    }
    return { kind: 'density', rows: count, width, height, xMin, xMax, yMin, yMax, bounds, counts };
  }

  #bounds(column: number, first: number, end: number, rows: number): [number, number] {
    const pyramid = this.source.layout.rowsPerChunk >= BLOCK ? this.#pyramid(column, rows) : null;
    this.#measure(column, first, end, pyramid);
    return [this.#extent.low, this.#extent.high];
  }

  /**
   * Times and values of a signal in a window: every row, or beyond `most` the means of as many rows each as
   * that takes.
   * @returns `mean` rows of which each is the mean; the last ones that fill no group are left out
   */
  means(
    column: number,
    from: number | undefined,
    to: number | undefined,
    most: number,
  ): { t: Float64Array; y: Float64Array; mean: number } {
    const rows = this.source.rows();
    const { first, end } = rows === 0 ? { first: 0, end: 0 } : this.#range(from, to, rows);
    const mean = Math.max(1, Math.ceil((end - first) / most));
    if (mean === 1) return { t: this.#copy(0, first, end), y: this.#copy(column, first, end), mean };
    const averaged = (of: number): Float64Array => {
      const out = new Float64Array(Math.floor((end - first) / mean));
      this.#scan(of, first, first + out.length * mean, (values, start, stop, row) => {
        for (let i = start; i < stop; i++)
          out[Math.floor((row - first + i - start) / mean)] += values[i] / mean;
      });
      return out;
    };
    return { t: averaged(0), y: averaged(column), mean };
  }

  /** Copies each `every`-th of the rows [first, end) of a column. */
  #copyEvery(column: number, first: number, end: number, every: number): Float64Array {
    if (every === 1) return this.#copy(column, first, end);
    const { rowsPerChunk } = this.source.layout;
    const result = new Float64Array(Math.ceil((end - first) / every));
    let chunk = -1;
    let values: Float64Array = result;
    for (let i = 0, row = first; row < end; i++, row += every) {
      const at = Math.floor(row / rowsPerChunk);
      if (at !== chunk) values = this.source.column((chunk = at), column);
      result[i] = values[row % rowsPerChunk];
    }
    return result;
  }

  /** Plain rows of several signals: of the `count` rows from `firstRow` on, each `every`-th. */
  rows(
    columns: readonly number[],
    firstRow: number,
    count: number,
    every = 1,
  ): { firstRow: number; columns: Float64Array[] } {
    const rows = this.source.rows();
    const first = Math.min(firstRow, rows);
    const end = Math.min(rows, first + count);
    return { firstRow: first, columns: columns.map((column) => this.#copyEvery(column, first, end, every)) };
  }
}
