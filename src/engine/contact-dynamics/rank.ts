/**
 * Rank of a W that is symmetric and positive semidefinite: the number of impulses that are determined by velocities. Where it is
 * below the number of rows, contacts are redundant, as four on one face of a rigid body are, and impulses are not unique
 * although velocities are.
 */
import type { BlockRows } from '../linalg/block-rows';
import { SemidefiniteCholesky } from '../linalg/cholesky';

/** @param kept rows, and columns, that count, ascending and counted one by one; all of them when left out */
export function rankOf(W: BlockRows, kept: readonly number[] = allRows(W)): number {
  const n = kept.length;
  const cholesky = new SemidefiniteCholesky(n);
  cholesky.factor(dense(W, kept), n);
  return cholesky.rank;
}

const allRows = ({ rows, size }: BlockRows): number[] => [...Array(size * rows).keys()];

function dense(
  { rows, rowStart, columns, values, size: d }: BlockRows,
  kept: readonly number[],
): Float64Array {
  const n = kept.length;
  const out = new Float64Array(n * n);
  const placeOf = new Int32Array(d * rows).fill(-1);
  kept.forEach((row, place) => (placeOf[row] = place));
  kept.forEach((row, place) => {
    const block = Math.floor(row / d);
    for (let k = rowStart[block]; k < rowStart[block + 1]; k++)
      for (let c = 0; c < d; c++) {
        const column = placeOf[d * columns[k] + c];
        if (column >= 0) out[place * n + column] = values[(k * d + (row % d)) * d + c];
      }
  });
  return out;
}
