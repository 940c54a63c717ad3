/** Fewer points of a series: those that straight lines between the others miss by most are kept. */
import type { CsvSeries } from './series';

/** Most points of a series in a script: it stays text that can be read and is searched quickly. */
export const MOST_TABLE_POINTS = 2000;

export interface ThinnedSeries extends CsvSeries {
  /** largest distance of a left out point from the straight line, relative to the range of its column */
  readonly deviation: number;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  /** the point missed by most, and by how much */
  readonly worst: number;
  readonly miss: number;
}

export function thin({ t, values }: CsvSeries, most: number = MOST_TABLE_POINTS): ThinnedSeries {
  if (t.length <= most) return { t, values, deviation: 0 };
  const scales = values.map((column) => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of column) [low, high] = [Math.min(low, value), Math.max(high, value)];
    return high > low ? high - low : 1;
  });
  const piece = (from: number, to: number): Piece => {
    let [worst, miss] = [from, 0];
    for (let i = from + 1; i < to; i++) {
      const part = (t[i] - t[from]) / (t[to] - t[from]);
      values.forEach((column, k) => {
        const off = Math.abs(column[i] - column[from] - part * (column[to] - column[from])) / scales[k];
        if (off > miss) [worst, miss] = [i, off];
      });
    }
    return { from, to, worst, miss };
  };
  const pieces = [piece(0, t.length - 1)];
  const kept = [0, t.length - 1];
  const worstOf = (): number =>
    pieces.reduce((place, one, i) => (one.miss > pieces[place].miss ? i : place), 0);
  while (kept.length < most) {
    const place = worstOf();
    const { from, to, worst, miss } = pieces[place];
    if (miss === 0) break;
    pieces.splice(place, 1, piece(from, worst), piece(worst, to));
    kept.push(worst);
  }
  const rows = kept.sort((a, b) => a - b);
  return {
    t: Float64Array.from(rows, (row) => t[row]),
    values: values.map((column) => Float64Array.from(rows, (row) => column[row])),
    deviation: pieces[worstOf()].miss,
  };
}
