/**
 * Rank of a W that is symmetric and positive semidefinite: the number of impulses that are determined by velocities. Where it is
 * below the number of rows, contacts are redundant, as four on one face of a rigid body are, and impulses are not unique
 * although velocities are.
 */
import type { BlockRows } from '../linalg/block-rows';
import { SemidefiniteCholesky } from '../linalg/semidefinite-cholesky';

export function rankOf({ rows, rowStart, columns, values, size: d }: BlockRows): number {
  const n = d * rows;
  const dense = new Float64Array(n * n);
  for (let i = 0; i < rows; i++)
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
      for (let r = 0; r < d; r++)
        for (let c = 0; c < d; c++) dense[(d * i + r) * n + d * columns[k] + c] = values[(k * d + r) * d + c];
  const cholesky = new SemidefiniteCholesky(n);
  cholesky.factor(dense, n);
  return cholesky.rank;
}
