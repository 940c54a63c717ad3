/** The affine variational inequality on a box by enumeration of faces: w = W z + q, −w ∈ N_[l,u](z). */
import type { Matrix } from '../../support/dense';

export interface BoxProblem {
  W: Matrix;
  q: number[];
  lower: number[];
  upper: number[];
}

/** A condition that is missed by less than this fraction of the data is missed by rounding. */
const ROUNDING = 1e-9;
const SINGULAR = 1e-13;

/** Gaussian elimination with partial pivoting; null when the matrix is singular to rounding. */
export function eliminate(rows: number[][]): number[] | null {
  const n = rows.length;
  const scale = Math.max(0, ...rows.flatMap((row) => row.slice(0, n).map(Math.abs)));
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    if (Math.abs(rows[k][k]) <= SINGULAR * scale) return null;
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let k = n - 1; k >= 0; k--) {
    let sum = rows[k][n];
    for (let j = k + 1; j < n; j++) sum -= rows[k][j] * x[j];
    x[k] = sum / rows[k][k];
  }
  return x;
}

/**
 * How far z and w are from satisfying every row, relative to the data. Shares nothing with the engine's
 * measure.
 */
export function violation({ W, q, lower, upper }: BoxProblem, z: readonly number[]): number {
  const w = W.map((row, i) => row.reduce((sum, x, j) => sum + x * z[j], q[i]));
  const mobility = W.map((row, i) => (row[i] > 0 ? row[i] : 1));
  const finite = [...lower, ...upper]
    .map((x, i) => Math.abs(x * mobility[i % q.length]))
    .filter(Number.isFinite);
  const scale = Math.max(0, ...q.map(Math.abs), ...finite);
  const worst = z.map((x, i) => {
    const outside = Math.max(lower[i] - x, x - upper[i], 0) * mobility[i];
    if (lower[i] === upper[i]) return outside;
    // What is left of w when it may do what the distance of z to its bounds allows.
    const push =
      w[i] > 0 ? Math.min(w[i], (x - lower[i]) * mobility[i]) : Math.min(-w[i], (upper[i] - x) * mobility[i]);
    return Math.max(outside, push);
  });
  const most = worst.reduce((a, b) => (b <= a ? a : b), 0);
  return scale > 0 ? most / scale : most;
}

/** Solutions on regular faces, each once, at most `limit` of them. */
export function enumerateBox(problem: BoxProblem, limit = Number.POSITIVE_INFINITY): number[][] {
  const { W, q, lower, upper } = problem;
  const n = q.length;
  const states = q.map((_, i) => {
    const choices: (number | null)[] = [];
    if (Number.isFinite(lower[i])) choices.push(lower[i]);
    if (Number.isFinite(upper[i]) && lower[i] !== upper[i]) choices.push(upper[i]);
    if (lower[i] !== upper[i]) choices.push(null);
    return choices;
  });
  const found: number[][] = [];
  const total = states.reduce((product, choices) => product * choices.length, 1);
  for (let code = 0; code < total && found.length < limit; code++) {
    let rest = code;
    const z = states.map((choices) => {
      const choice = choices[rest % choices.length];
      rest = Math.floor(rest / choices.length);
      return choice;
    });
    const free = [...z.keys()].filter((i) => z[i] === null);
    const fixed = z.map((x) => x ?? 0);
    const x = eliminate(
      free.map((i) => [
        ...free.map((j) => W[i][j]),
        -W[i].reduce((sum, value, j) => sum + value * fixed[j], q[i]),
      ]),
    );
    if (x === null) continue;
    free.forEach((i, k) => (fixed[i] = x[k]));
    if (n > 0 && !(violation(problem, fixed) <= ROUNDING)) continue;
    const size = Math.max(...fixed.map(Math.abs), 1e-300);
    if (!found.some((other) => other.every((y, i) => Math.abs(y - fixed[i]) <= 1e-9 * size)))
      found.push(fixed);
  }
  return found;
}
