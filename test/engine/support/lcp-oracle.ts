/** The linear complementarity problem by enumeration: w = W z + q, 0 ≤ w ⊥ z ≥ 0. */
import type { Matrix } from './dense';

/** A sign that is wrong by less than this fraction of the data is rounding. */
const SIGN_ROUNDING = 1e-11;

/**
 * z of the choice of basic variables in `bits`, by Gaussian elimination with partial pivoting; null when
 * singular.
 */
function basicSolution(W: Matrix, q: readonly number[], bits: number): number[] | null {
  const basic: number[] = [];
  for (let i = 0; i < q.length; i++) if (((bits >> i) & 1) === 1) basic.push(i);
  const m = basic.length;
  const rows = basic.map((i) => [...basic.map((j) => W[i][j]), -q[i]]);
  const scale = Math.max(0, ...rows.flatMap((row) => row.slice(0, m).map(Math.abs)));
  for (let k = 0; k < m; k++) {
    let pivot = k;
    for (let i = k + 1; i < m; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    if (Math.abs(rows[k][k]) <= 1e-13 * scale) return null;
    for (let i = k + 1; i < m; i++) {
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= m; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const z = new Array<number>(q.length).fill(0);
  for (let k = m - 1; k >= 0; k--) {
    let sum = rows[k][m];
    for (let j = k + 1; j < m; j++) sum -= rows[k][j] * z[basic[j]];
    z[basic[k]] = sum / rows[k][k];
  }
  return z;
}

function isSolution(W: Matrix, q: readonly number[], z: readonly number[], scale: number): boolean {
  for (let i = 0; i < q.length; i++) {
    let w = q[i];
    let mobility = 0;
    for (let j = 0; j < q.length; j++) {
      w += W[i][j] * z[j];
      mobility = Math.max(mobility, Math.abs(W[j][i]));
    }
    // z counts by the velocity it makes somewhere; the diagonal alone may be zero.
    if (z[i] * mobility < -SIGN_ROUNDING * scale || w < -SIGN_ROUNDING * scale) return false;
  }
  return true;
}

/**
 * Solutions over the 2ⁿ choices of the basic z, at most `limit` of them; choices with a singular block are
 * skipped.
 */
export function enumerateLcp(W: Matrix, q: readonly number[], limit = Number.POSITIVE_INFINITY): number[][] {
  const scale = Math.max(0, ...q.map(Math.abs));
  const solutions: number[][] = [];
  for (let bits = 0; bits < 2 ** q.length && solutions.length < limit; bits++) {
    const z = basicSolution(W, q, bits);
    if (z !== null && isSolution(W, q, z, scale)) solutions.push(z);
  }
  return solutions;
}
