/** Balls on a line, ball 0 on the left: contact i is between balls i and i + 1, ẏ_i = v_{i+1} − v_i. */
import { ImpactRows } from '@engine/impacts/impact-rows';

export function chain(masses: readonly number[]): ImpactRows {
  const n = masses.length;
  const rows = new ImpactRows(n - 1, n);
  for (let i = 0; i < n - 1; i++) {
    rows.H[i * n + i] = -1;
    rows.H[i * n + i + 1] = 1;
  }
  rows.update((x) => {
    for (let i = 0; i < n; i++) x[i] /= masses[i];
  });
  return rows;
}

export const equalBalls = (count: number): ImpactRows => chain(new Array<number>(count).fill(1));

/** The first ball meets the others, which touch and rest. */
export function firstMoves(count: number): Float64Array {
  const v = new Float64Array(count);
  v[0] = 1;
  return v;
}

export const momentum = (masses: readonly number[], v: Float64Array): number =>
  masses.reduce((sum, mass, i) => sum + mass * v[i], 0);

export const kineticEnergy = (masses: readonly number[], v: Float64Array): number =>
  masses.reduce((sum, mass, i) => sum + 0.5 * mass * v[i] ** 2, 0);

/**
 * A cube of 1 kg on the ground: velocity of its centre upwards, m/s, and angular velocities about two edges
 * by half of an edge, four corners.
 */
export function boxCorners(): ImpactRows {
  const rows = new ImpactRows(4, 3);
  [
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
  ].forEach((entries, i) => rows.H.set(entries, 3 * i));
  rows.update((x) => {
    // I = m a²/6, in units of m (a/2)².
    x[1] *= 3 / 2;
    x[2] *= 3 / 2;
  });
  return rows;
}
