/** Reverse Cuthill–McKee ordering: numbers neighbours close together, so that an envelope factorisation stays thin. */
import type { SparseRows } from './csr';

/**
 * @param pattern square and structurally symmetric
 * @returns order[k] = row that comes k-th. E. Cuthill and J. McKee, 1969, doi:10.1145/800195.805928
 */
export function reverseCuthillMcKee(pattern: SparseRows): Int32Array {
  const n = pattern.rows;
  const order = new Int32Array(n);
  const placed = new Uint8Array(n);
  const degree = (i: number): number => pattern.rowStart[i + 1] - pattern.rowStart[i];
  // Starting each component at a row of least degree is the cheap stand-in for a peripheral node.
  const starts = Array.from({ length: n }, (_, i) => i).sort((a, b) => degree(a) - degree(b) || a - b);
  let count = 0;
  for (const start of starts) {
    if (placed[start] === 1) continue;
    placed[start] = 1;
    order[count++] = start;
    for (let head = count - 1; head < count; head++) {
      const row = order[head];
      const next: number[] = [];
      for (let k = pattern.rowStart[row]; k < pattern.rowStart[row + 1]; k++) {
        const neighbour = pattern.columns[k];
        if (placed[neighbour] === 1) continue;
        placed[neighbour] = 1;
        next.push(neighbour);
      }
      next.sort((a, b) => degree(a) - degree(b) || a - b);
      for (const neighbour of next) order[count++] = neighbour;
    }
  }
  return order.reverse();
}
