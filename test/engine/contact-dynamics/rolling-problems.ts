/**
 * Contacts with rolling friction as problems of five rows each, (N, T, rolling), and the same in blocks of
 * three. What solves the first is known by its own natural map: r = P_K(r − û), K = {|r_T| ≤ μ r_N, |m| ≤ ν
 * r_N}, û_N = u_N + μ |u_T| + ν |ω|.
 */
import { FREEDOMS, FrictionContactProblem } from '@engine/problems/friction-contact';
import { seeded } from '../support/random';

const ROWS = 5;

export interface RollingProblem {
  readonly count: number;
  /** (5 count)², row by row */
  readonly W: Float64Array;
  readonly q: Float64Array;
  /** by contact */
  readonly mu: Float64Array;
  readonly rolling: Float64Array;
  /** W = h ᵗh, rows of `columns` entries */
  readonly h: Float64Array;
  readonly columns: number;
}

/**
 * W of `bodies` random directions of motion a contact, at least five for a regular one, and contacts that
 * mostly close.
 */
export function randomRolling(seed: number, count: number, bodies: number): RollingProblem {
  const { uniform } = seeded(seed);
  const centred = (): number => uniform(-1, 1);
  const n = ROWS * count;
  const columns = bodies * count;
  const h = Float64Array.from({ length: n * columns }, centred);
  const W = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      for (let k = 0; k < columns; k++) W[n * i + j] += (h[columns * i + k] * h[columns * j + k]) / bodies;
  return {
    count,
    W,
    q: Float64Array.from({ length: n }, (_, i) => (i % ROWS === 0 ? centred() - 0.7 : centred())),
    mu: Float64Array.from({ length: count }, () => uniform(0, 0.6)),
    rolling: Float64Array.from({ length: count }, () => uniform(0, 0.3)),
    h: h.map((x) => x / Math.sqrt(bodies)),
    columns,
  };
}

/** Contacts first, their moments behind, with the bound from the row of their contact. */
export function inBlocks({ count, W, q, mu, rolling }: RollingProblem): FrictionContactProblem {
  const n = ROWS * count;
  const problem = new FrictionContactProblem(3, 2 * count, 4 * count * count);
  const blocks = problem.W;
  problem.count = blocks.rows = 2 * count;
  problem.isSymmetric = false;
  /** row of the full problem, −1 for the normal of a moment */
  const source = (row: number, a: number): number => {
    if (row < count) return ROWS * row + a;
    return a === 0 ? -1 : ROWS * (row - count) + 2 + a;
  };
  let block = 0;
  for (let row = 0; row < 2 * count; row++) {
    blocks.rowStart[row] = block;
    for (let column = 0; column < 2 * count; column++, block++) {
      blocks.columns[block] = column;
      if (row === column) blocks.diagonal[row] = block;
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) {
          const [i, j] = [source(row, a), source(column, b)];
          blocks.values[9 * block + 3 * a + b] = i < 0 || j < 0 ? 0 : W[n * i + j];
        }
      if (row < count) continue;
      const w = W[(n + 1) * (ROWS * (row - count) + 3)];
      if (row === column) blocks.values[9 * block] = w;
      if (column === row - count) blocks.values[9 * block] = -w;
    }
    for (let a = 0; a < 3; a++) problem.q[3 * row + a] = source(row, a) < 0 ? 0 : q[source(row, a)];
    problem.mu[row] = row < count ? mu[row] : rolling[row - count];
  }
  blocks.rowStart[2 * count] = block;
  return problem;
}

/** The same with what W is made of, in blocks of six columns that all rows have. */
export function inBlocksOfBodies(full: RollingProblem): FrictionContactProblem {
  const { count, h, columns } = full;
  const problem = inBlocks(full);
  const blocks = Math.ceil(columns / FREEDOMS);
  const rows = 2 * count;
  const values = new Float64Array(rows * blocks * 3 * FREEDOMS);
  for (let row = 0; row < rows; row++)
    for (let a = row < count ? 0 : 1; a < 3; a++) {
      const from = row < count ? ROWS * row + a : ROWS * (row - count) + 2 + a;
      for (let k = 0; k < columns; k++) {
        const block = row * blocks + Math.floor(k / FREEDOMS);
        values[FREEDOMS * (3 * block + a) + (k % FREEDOMS)] = h[columns * from + k];
      }
    }
  problem.factors = {
    columns: blocks,
    rowStart: Int32Array.from({ length: rows + 1 }, (_, row) => row * blocks),
    blockColumns: Int32Array.from({ length: rows * blocks }, (_, k) => k % blocks),
    values,
    diagonal: new Float64Array(3 * rows),
    pressedBy: Int32Array.from({ length: rows }, (_, row) => row - (row < count ? row + 1 : count)),
    scale: 1,
    form: () => true,
  };
  return problem;
}

/** r of five rows from that of blocks. */
export const fromBlocks = ({ r }: FrictionContactProblem, count: number): Float64Array =>
  Float64Array.from({ length: ROWS * count }, (_, i) => {
    const [contact, a] = [Math.floor(i / ROWS), i % ROWS];
    return a < 3 ? r[3 * contact + a] : r[3 * (count + contact) + a - 2];
  });

export function velocity({ W, q }: RollingProblem, r: Float64Array): Float64Array {
  return q.map((value, i) => r.reduce((sum, x, j) => sum + W[q.length * i + j] * x, value));
}

/** Largest entry of r − P_K(r − û). */
export function rollingDefect(problem: RollingProblem, r: Float64Array): number {
  const u = velocity(problem, r);
  let defect = 0;
  for (let c = 0; c < problem.count; c++) {
    const at = ROWS * c;
    const [mu, nu] = [problem.mu[c], problem.rolling[c]];
    const z = [0, 1, 2, 3, 4].map((k) => r[at + k] - u[at + k]);
    z[0] -= mu * Math.hypot(u[at + 1], u[at + 2]) + nu * Math.hypot(u[at + 3], u[at + 4]);
    const projected = project(z, mu, nu);
    for (let k = 0; k < ROWS; k++) defect = Math.max(defect, Math.abs(r[at + k] - projected[k]));
  }
  return defect;
}

/**
 * The nearest point of K: its normal part n is the root of the derivative of the squared distance, which
 * rises.
 */
function project(z: readonly number[], mu: number, nu: number): number[] {
  const slip = Math.hypot(z[1], z[2]);
  const roll = Math.hypot(z[3], z[4]);
  const slope = (n: number): number =>
    n - z[0] - mu * Math.max(0, slip - mu * n) - nu * Math.max(0, roll - nu * n);
  let [low, high] = [0, Math.abs(z[0]) + slip + roll];
  if (slope(0) >= 0) return [0, 0, 0, 0, 0];
  for (let k = 0; k < 200; k++) {
    const middle = 0.5 * (low + high);
    if (slope(middle) > 0) high = middle;
    else low = middle;
  }
  const first = Math.min(1, (mu * low) / slip);
  const second = Math.min(1, (nu * low) / roll);
  return [low, first * z[1], first * z[2], second * z[3], second * z[4]];
}
