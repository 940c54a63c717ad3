/**
 * The trajectory of three signals in space. Of many rows those are kept that a picture needs: space is cut
 * into cells finer than a pixel, and a row is kept where the curve enters a cell that it has not been in,
 * with the row before it. Every cell that the curve has been in is drawn, so that nothing that could be seen
 * is lost, however long the run is.
 */
import type { ChunkSource } from './chunks';
import { TrajectoryReader } from './reading';

/** Cells along each axis, halved until few enough rows are kept. */
const FINEST = 512;
const COARSEST = 32;

export interface SpaceCurve {
  /** rows in the window */
  readonly rows: number;
  /** cells along each axis; 0 where every row is there */
  readonly cells: number;
  /** time and signals of the rows that are kept; a row of NaN stands where the curve goes on elsewhere */
  readonly t: Float64Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
}

/** Columns of three signals. */
export type Columns = readonly [number, number, number];

const EMPTY = new Float64Array(0);

/** @param most rows that come back, about */
export function spaceCurve(
  source: ChunkSource,
  columns: Columns,
  from: number | undefined,
  to: number | undefined,
  most: number,
): SpaceCurve {
  const reader = new TrajectoryReader(source);
  const extent = reader.extent(from, to);
  if (extent === null) return { rows: 0, cells: 0, t: EMPTY, x: EMPTY, y: EMPTY, z: EMPTY };
  const { first, end } = extent;
  const rows = end - first;
  if (rows <= most) {
    const [t, x, y, z] = reader.rows([0, ...columns], first, rows).columns;
    return { rows, cells: 0, t, x, y, z };
  }
  const parts = { source, columns, first, end };
  const ranges = rangesOf(parts);
  for (let cells = FINEST; ; cells /= 2) {
    const kept = visited(parts, ranges, cells, cells <= COARSEST ? Infinity : most);
    if (kept === null) continue;
    const some = kept.filter((row) => row >= 0);
    const take = (column: number): Float64Array => {
      const values = reader.valuesAt(column, some);
      let i = 0;
      return Float64Array.from(kept, (row) => (row < 0 ? NaN : values[i++]));
    };
    const [x, y, z] = columns.map(take);
    return { rows, cells, t: take(0), x, y, z };
  }
}

/** Rows of three columns. */
interface Part {
  readonly source: ChunkSource;
  readonly columns: Columns;
  readonly first: number;
  readonly end: number;
}

interface AxisRange {
  low: number;
  width: number;
}

/** Goes through the rows chunk by chunk. @param visit returns false to stop */
function eachChunk(
  { source, columns, first, end }: Part,
  visit: (values: readonly Float64Array[], row: number) => boolean,
): void {
  const { rowsPerChunk } = source.layout;
  for (let row = first; row < end;) {
    const chunk = Math.floor(row / rowsPerChunk);
    const start = row % rowsPerChunk;
    const stop = Math.min(rowsPerChunk, start + end - row);
    // Columns of a chunk are needed together, and a source may hand out the same array again.
    if (
      !visit(
        columns.map((column) => source.column(chunk, column).slice(start, stop)),
        row,
      )
    )
      return;
    row += stop - start;
  }
}

function rangesOf(part: Part): AxisRange[] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  eachChunk(part, (values) => {
    for (let k = 0; k < 3; k++)
      for (const value of values[k]) {
        if (value < low[k]) low[k] = value;
        if (value > high[k]) high[k] = value;
      }
    return true;
  });
  return low.map((least, k) => ({ low: least, width: high[k] > least ? high[k] - least : 1 }));
}

/** Rows that enter cells for the first time, −1 between pieces; null where they are more than `most`. */
function visited(part: Part, ranges: readonly AxisRange[], cells: number, most: number): Int32Array | null {
  const seen = new Uint32Array(Math.ceil(cells ** 3 / 32));
  const kept: number[] = [];
  let before = -1;
  /** last row that was kept */
  let last = -1;
  eachChunk(part, (values, firstRow) => {
    const count = values[0].length;
    for (let i = 0; i < count; i++) {
      let cell = 0;
      for (let k = 0; k < 3; k++) {
        const share = (values[k][i] - ranges[k].low) / ranges[k].width;
        // Outside of numbers there is no place.
        if (!(share >= 0)) cell = NaN;
        cell = cell * cells + Math.min(cells - 1, Math.floor(share * cells));
      }
      if (cell === before || Number.isNaN(cell)) continue;
      before = cell;
      const bit = 1 << (cell & 31);
      if ((seen[cell >>> 5] & bit) !== 0) continue;
      seen[cell >>> 5] |= bit;
      const row = firstRow + i;
      // The line into the cell begins in the row before it.
      if (row > part.first && last < row - 1) {
        if (last >= 0) kept.push(-1);
        kept.push(row - 1);
      }
      kept.push(row);
      last = row;
    }
    return kept.length <= most;
  });
  if (kept.length > most) return null;
  // The end is where the run stands.
  if (last !== part.end - 1) kept.push(-1, part.end - 1);
  return Int32Array.from(kept);
}
