/** Points in a netlist: tables of time, and curves of straight pieces. */
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

/** Slope of a vertical piece, by which a curve of a netlist goes up. */
const STEEP = 1e6;

/**
 * A curve of straight pieces through points whose abscissae do not fall, as a formula of x; its ends go on
 * straight.
 */
export function curveFormula(x: string, points: readonly (readonly [x: number, y: number])[]): string {
  const slopes = points.slice(1).map(([x1, y1], k) => {
    const [x0, y0] = points[k];
    return x1 === x0 ? STEEP : (y1 - y0) / (x1 - x0);
  });
  const [[first, value]] = points;
  const bends = slopes.slice(1).map((slope, k) => {
    const bend = slope - slopes[k];
    return bend === 0 ? '' : ` + (${bend})*max(${x} - (${points[k + 1][0]}), 0)`;
  });
  return `${value} + (${slopes[0] ?? 0})*(${x} - (${first}))${bends.join('')}`;
}

/** Flux and current of a saturating inductor: its knees on both sides, and a point beyond each end. */
export function fluxPoints(
  inductances: readonly number[],
  knees: readonly number[],
): readonly (readonly [flux: number, current: number])[] {
  const upper: [number, number][] = [];
  let [flux, from] = [0, 0];
  [...knees, (knees[knees.length - 1] ?? 0) + 1].forEach((current, k) => {
    flux += (inductances[k] ?? 1) * (current - from);
    from = current;
    upper.push([flux, current]);
  });
  return [...upper.map(([phi, i]): [number, number] => [-phi, -i]).reverse(), ...upper];
}

/** Flux at a current. */
export function fluxOf(
  points: readonly (readonly [flux: number, current: number])[],
  current: number,
): number {
  const found = points.findIndex(([, i]) => i > current);
  const k = Math.min(Math.max(1, found < 0 ? points.length - 1 : found), points.length - 1);
  const [[f0, i0], [f1, i1]] = [points[k - 1], points[k]];
  return f0 + ((current - i0) / (i1 - i0)) * (f1 - f0);
}
