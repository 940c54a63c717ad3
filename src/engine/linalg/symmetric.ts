/** Whether a square matrix equals its transpose, exactly: data given as symmetric are so to the last bit. */
import type { SparseRows } from './csr';

/** @param a square, columns of a row ascending; null stands for the zero matrix */
export function isSparseSymmetric(a: SparseRows | null): boolean {
  if (a === null) return true;
  const entry = (i: number, j: number): number => {
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) if (a.columns[k] === j) return a.values[k];
    return 0;
  };
  for (let i = 0; i < a.rows; i++) {
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++)
      if (a.values[k] !== entry(a.columns[k], i)) return false;
  }
  return true;
}
