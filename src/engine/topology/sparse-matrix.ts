/** Sparse matrices put together from blocks, given either way by the model. */
import type { SparseRows } from '../linalg/csr';
import { type MatrixEntry, sparseFromEntries } from '../linalg/sparse-build';

/** Collects entries in any order; those in the same place add up. */
export class SparseBuilder {
  readonly #entries: MatrixEntry[] = [];

  constructor(private readonly rows: number) {}

  add(row: number, column: number, value: number): void {
    if (value !== 0) this.#entries.push([row, column, value]);
  }

  /** Columns increase within each row. */
  build(): SparseRows {
    return sparseFromEntries(this.rows, this.#entries);
  }
}

/**
 * Entries below this fraction of the largest of their row and of the largest of their column are what rounding left where
 * the model meant zero, as in 0.1 + 0.2 − 0.3. Leaving them out changes no product by more than its own rounding.
 */
const ROUNDING = 16 * Number.EPSILON;

/** Largest entries of the rows and columns of a matrix that is made of several parts, each given with its place. */
export class EntryScales {
  readonly #row: Float64Array;
  readonly #column: Float64Array;

  constructor(size: number) {
    this.#row = new Float64Array(size);
    this.#column = new Float64Array(size);
  }

  include(part: SparseRows, row: number, column: number): void {
    forEachEntry(part, 0, (i, j, value) => {
      this.#row[row + i] = Math.max(this.#row[row + i], Math.abs(value));
      this.#column[column + j] = Math.max(this.#column[column + j], Math.abs(value));
    });
  }

  /** The part without entries that are nothing but rounding. */
  withoutRounding(part: SparseRows, row: number, column: number): SparseRows {
    const kept = new SparseBuilder(part.rows);
    forEachEntry(part, 0, (i, j, value) => {
      const largest = Math.min(this.#row[row + i], this.#column[column + j]);
      if (Math.abs(value) > ROUNDING * largest) kept.add(i, j, value);
    });
    return kept.build();
  }
}

/**
 * Visits the non-zero entries of a matrix.
 * @param columns number of its columns; of no matter where it is sparse
 */
export function forEachEntry(
  matrix: Float64Array | SparseRows,
  columns: number,
  visit: (row: number, column: number, value: number) => void,
): void {
  if (matrix instanceof Float64Array) {
    matrix.forEach((value, k) => {
      if (value !== 0) visit(Math.floor(k / columns), k % columns, value);
    });
    return;
  }
  for (let row = 0; row < matrix.rows; row++)
    for (let k = matrix.rowStart[row]; k < matrix.rowStart[row + 1]; k++)
      if (matrix.values[k] !== 0) visit(row, matrix.columns[k], matrix.values[k]);
}
