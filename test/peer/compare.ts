/** Differences of two trajectories, and how they reach the table at the end of the run. */
import type { Trajectory } from './trajectory';

/** One line of the table. */
export interface Comparison {
  model: string;
  steps: number;
  /** largest absolute difference over all rows and entries: position (m), velocity (m/s), impulse (N·s) */
  q: number;
  v: number;
  p: number;
  /** largest value either program gave, for the scale of the differences */
  scale: { q: number; v: number; p: number };
  /** entries of p that are not zero: a comparison without contact would compare free flight */
  contacts: number;
}

declare module '@vitest/runner' {
  interface TaskMeta {
    comparison?: Comparison;
  }
}

function extremes(ours: number[][], theirs: number[][]): { difference: number; scale: number } {
  let difference = 0;
  let scale = 0;
  ours.forEach((row, k) => {
    if (row.length !== theirs[k].length)
      throw new Error(`row ${k} has ${row.length} and ${theirs[k].length} entries`);
    row.forEach((value, i) => {
      const other = theirs[k][i];
      // Math.max drops no NaN: a state that is not a number makes the difference one.
      difference = Math.max(difference, Math.abs(value - other));
      scale = Math.max(scale, Math.abs(value), Math.abs(other));
    });
  });
  return { difference, scale };
}

/**
 * Compares state by state.
 * @throws when the two have not the same number of rows
 */
export function compare(model: string, ours: Trajectory, theirs: Trajectory): Comparison {
  if (ours.t.length !== theirs.t.length) {
    throw new Error(`${ours.t.length} rows here and ${theirs.t.length} rows there`);
  }
  const q = extremes(ours.q, theirs.q);
  const v = extremes(ours.v, theirs.v);
  const p = extremes(ours.p, theirs.p);
  return {
    model,
    steps: ours.t.length,
    q: q.difference,
    v: v.difference,
    p: p.difference,
    scale: { q: q.scale, v: v.scale, p: p.scale },
    contacts: theirs.p.reduce((sum, row) => sum + row.filter((multiplier) => multiplier !== 0).length, 0),
  };
}

/**
 * Velocities of a column at rest are rounding errors; they are measured by what its beads reach when they
 * fall, m/s.
 */
const LEAST_VELOCITY_SCALE = 1;

/** A quantity that is zero throughout, or not compared, differs by nothing. */
const relative = (difference: number, scale: number): number => (difference === 0 ? 0 : difference / scale);

/** Largest difference of the three, each relative to the scale of its quantity. */
export function relativeDifference({ q, v, p, scale }: Comparison): number {
  return Math.max(
    relative(q, scale.q),
    relative(v, Math.max(scale.v, LEAST_VELOCITY_SCALE)),
    relative(p, scale.p),
  );
}
