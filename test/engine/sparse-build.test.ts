/** Sparse matrices made from entries and dense ones, against plain sums. */
import { describe, expect, it } from 'vitest';
import { expandInto, type MatrixEntry, sparseFromDense, sparseFromEntries } from '@engine/linalg/sparse';
import { seeded } from './support/random';

describe('a matrix of random entries', () => {
  it.each([1, 2, 3, 4, 5])('holds the sum of each place once, columns ascending (seed %i)', (seed) => {
    const next = seeded(seed);
    const [rows, columns] = [next.integer(1, 12), next.integer(1, 12)];
    const dense = new Float64Array(rows * columns);
    const entries = Array.from({ length: next.integer(0, 200) }, (): MatrixEntry => {
      const [i, j, value] = [next.integer(0, rows - 1), next.integer(0, columns - 1), next.uniform(-1, 1)];
      dense[i * columns + j] += value;
      return [i, j, value];
    });
    const sparse = sparseFromEntries(rows, entries);
    const expanded = new Float64Array(rows * columns).fill(7);
    expandInto(sparse, columns, expanded);
    // Entries of one place are added in their order, so that the sums agree to the last bit.
    expect(expanded).toEqual(dense);
    for (let i = 0; i < rows; i++) {
      const row = sparse.columns.subarray(sparse.rowStart[i], sparse.rowStart[i + 1]);
      expect([...row]).toEqual([...new Set(row)].sort((a, b) => a - b));
    }
    const again = new Float64Array(rows * columns);
    expandInto(sparseFromDense(dense, rows, columns), columns, again);
    expect(again).toEqual(dense);
  });
});
