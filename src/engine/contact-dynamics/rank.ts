/**
 * Rank of a W that is symmetric and positive semidefinite: the number of impulses that are determined by velocities. Where it is
 * below the number of rows, contacts are redundant, as four on one face of a rigid body are, and impulses are not unique
 * although velocities are.
 *
 * By Cholesky's factorisation with full pivoting, in which the largest diagonal entry that is left bounds all others (N. J. Higham,
 * "Analysis of the Cholesky decomposition of a semi-definite matrix", 1990).
 */
import type { BlockRows } from '../linalg/block-rows';

export function rankOf({ rows, rowStart, columns, values, size: d }: BlockRows): number {
  const n = d * rows;
  const a = new Float64Array(n * n);
  for (let i = 0; i < rows; i++)
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
      for (let r = 0; r < d; r++)
        for (let c = 0; c < d; c++) a[(d * i + r) * n + d * columns[k] + c] = values[(k * d + r) * d + c];
  const isDone = new Uint8Array(n);
  let tolerance = 0;
  for (let i = 0; i < n; i++) tolerance = Math.max(tolerance, n * Number.EPSILON * a[i * n + i]);
  for (let rank = 0; ; rank++) {
    let pivot = -1;
    for (let i = 0; i < n; i++)
      if (isDone[i] === 0 && (pivot < 0 || a[i * n + i] > a[pivot * n + pivot])) pivot = i;
    if (pivot < 0 || !(a[pivot * n + pivot] > tolerance)) return rank;
    isDone[pivot] = 1;
    for (let i = 0; i < n; i++) {
      if (isDone[i] === 1) continue;
      const factor = a[i * n + pivot] / a[pivot * n + pivot];
      for (let j = 0; j < n; j++) if (isDone[j] === 0) a[i * n + j] -= factor * a[pivot * n + j];
    }
  }
}
