/** Laying out the sparse rows of relations once, before a run. */
import { type SparseRows, sparseFromPattern } from '../linalg/csr';
import type { RelationForm } from '../model/forms';

/** Rows being gathered. */
export interface SparseLists {
  readonly columns: number[][];
  readonly values: number[];
}

export function fromLists({ columns, values }: SparseLists): SparseRows {
  const rows = sparseFromPattern(columns);
  for (let k = 0; k < values.length; k++) rows.values[k] = values[k];
  return rows;
}

/** Appends the rows of C, the columns of B and the rows of D; what is not constant gets a full pattern. */
export function appendRows(
  { order, size, columns, C, B, D, hasFeedthrough }: RelationForm,
  dofs: readonly number[],
  first: number,
  output: SparseLists,
  input: SparseLists,
  feedthrough: SparseLists,
): void {
  const append = (
    lists: SparseLists,
    count: number,
    valueAt: ((k: number) => number) | null,
    name: (k: number) => number,
  ): void => {
    const used: number[] = [];
    for (let k = 0; k < count; k++) {
      const value = valueAt === null ? 0 : valueAt(k);
      if (valueAt !== null && value === 0) continue;
      used.push(name(k));
      lists.values.push(value);
    }
    lists.columns.push(used);
  };
  const coordinate = (k: number): number => dofs[k];
  for (let r = 0; r < size; r++) {
    const rowOfC = C === null ? null : (k: number): number => C[r * columns + k];
    const columnOfB = B === null ? null : (k: number): number => B[k * size + r];
    append(output, columns, rowOfC, coordinate);
    append(input, columns, order === 2 ? rowOfC : columnOfB, coordinate);
    const rowOfD = D === null ? null : (k: number): number => D[r * size + k];
    append(feedthrough, hasFeedthrough ? size : 0, rowOfD, (k) => first + k);
  }
}
