/** Tables of documents as points of time in a netlist. */
import { type Table, tableValue } from '../document/tables';

/** Points of one table that are written, with all repetitions. */
const MOST_POINTS = 10_000;
/** Part of the span that a jump takes, which ngspice has not. */
const EDGE = 1e-9;

export type TablePoint = readonly [t: number, y: number];

/** Points from the start of a run to its end. @returns null where they are too many */
export function tablePoints(table: Table, start: number, end: number): readonly TablePoint[] | null {
  const { x, y, period } = table;
  const [from, to] = [start, end].map((t) => (period === 0 ? 0 : Math.floor((t - x[0]) / period)));
  if ((to - from + 1) * x.length > MOST_POINTS) return null;
  const points: TablePoint[] = [[start, tableValue(table, start)]];
  for (let turn = from; turn <= to; turn++)
    x.forEach((one, k) => {
      const t = one + turn * period;
      if (t > start && t <= end) points.push([t, y[k]]);
    });
  return points.length > 1 ? points : [...points, [end, points[0][1]]];
}

/** Pairs of time and value; a jump takes the time of an edge, 0 where there is none. */
export function pointWords(points: readonly TablePoint[], factor: number): { words: string; edge: number } {
  const jumps = points.map(([t], k) => k > 0 && t <= points[k - 1][0]);
  const edge = jumps.includes(true) ? (points[points.length - 1][0] - points[0][0]) * EDGE : 0;
  return { words: points.map(([t, y], k) => `${jumps[k] ? t + edge : t} ${factor * y}`).join(' '), edge };
}
