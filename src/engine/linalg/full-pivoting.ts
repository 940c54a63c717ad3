/**
 * Gaussian elimination with full pivoting of a wide or square matrix, A x = b, to a unit upper triangle. Of a
 * constraint Jacobian with fewer rows than columns it says which coordinates can follow the others: those of
 * the first columns of the shuffled order are dependent, the rest independent. The DAE lecture notes,
 * “Gaussian Elimination with Full Pivoting” and `gefp`.
 *
 * The last row is searched, too (docs/theory/errata.md). Only normalised, on a wide matrix it
 * makes the last dependent coordinate whichever column happens to stand there, however small its entry; on a
 * square one there is nothing to choose. Of the web cutter's 8 × 9 Jacobian this leaves coordinate 2
 * independent and a dependent block of condition 379.7, where a search along the last row as well leaves
 * coordinate 4 and 34.2.
 */

/** What happens at the last row: `asPrinted` only normalises it, `full` looks for its largest entry first. */
export type LastRow = 'asPrinted' | 'full';

/** A pivot below this fraction of the largest entry of A is what cancellation leaves of zero. */
const SINGULAR = 1e-13;

export type EliminationStatus =
  | 'ok'
  /** a pivot is zero to rounding: `rank` rows have been eliminated */
  | 'singular'
  /** the matrix holds a number that is not finite */
  | 'notFinite';

export class FullPivoting {
  /** the unit upper triangle, rows × columns, row-major */
  readonly a: Float64Array;
  /** right side that belongs to it */
  readonly b: Float64Array;
  /** column of A, from 0, that stands in each column of `a` */
  readonly columnOrder: Int32Array;
  /** row of A, from 0, that stands in each row of `a` */
  readonly rowOrder: Int32Array;
  /** rows that have a pivot */
  rank = 0;
  readonly #pivot = new Int32Array(2);

  /** @param columns at least as many as rows */
  constructor(
    readonly rows: number,
    readonly columns: number,
  ) {
    this.a = new Float64Array(rows * columns);
    this.b = new Float64Array(rows);
    this.columnOrder = new Int32Array(columns);
    this.rowOrder = new Int32Array(rows);
  }

  /**
   * @param matrix rows × columns, row-major; is kept
   * @param right right side, or null for zero
   */
  eliminate(matrix: Float64Array, right: Float64Array | null, lastRow: LastRow): EliminationStatus {
    const { a, b, rows, columns, columnOrder, rowOrder } = this;
    for (let j = 0; j < columns; j++) columnOrder[j] = j;
    for (let i = 0; i < rows; i++) {
      rowOrder[i] = i;
      b[i] = right === null ? 0 : right[i];
    }
    this.rank = 0;
    let largest = 0;
    for (let k = 0; k < rows * columns; k++) {
      const value = matrix[k];
      if (!Number.isFinite(value)) return 'notFinite';
      a[k] = value;
      largest = Math.max(largest, Math.abs(value));
    }
    for (let k = 0; k < rows; k++) {
      if (k < rows - 1 || lastRow === 'full') this.#search(k);
      else this.#pivot.fill(k);
      const row = this.#pivot[0];
      const column = this.#pivot[1];
      if (!(Math.abs(a[row * columns + column]) > SINGULAR * largest)) return 'singular';
      this.#exchangeColumns(k, column);
      this.#exchangeRows(k, row);
      this.#eliminateBelow(k);
      this.rank++;
    }
    return 'ok';
  }

  /**
   * Largest entry below and to the right of the pivot; of equals the one in the first column, there in the
   * first row.
   */
  #search(k: number): void {
    const { a, rows, columns } = this;
    let largest = -1;
    for (let j = k; j < columns; j++) {
      for (let i = k; i < rows; i++) {
        const value = Math.abs(a[i * columns + j]);
        if (value > largest) {
          largest = value;
          this.#pivot[0] = i;
          this.#pivot[1] = j;
        }
      }
    }
  }

  #exchangeColumns(k: number, other: number): void {
    if (k === other) return;
    const { a, rows, columns, columnOrder } = this;
    for (let i = 0; i < rows; i++) {
      const value = a[i * columns + k];
      a[i * columns + k] = a[i * columns + other];
      a[i * columns + other] = value;
    }
    const index = columnOrder[k];
    columnOrder[k] = columnOrder[other];
    columnOrder[other] = index;
  }

  /** Left of the pivot both rows are zero. */
  #exchangeRows(k: number, other: number): void {
    if (k === other) return;
    const { a, b, columns, rowOrder } = this;
    for (let j = k; j < columns; j++) {
      const value = a[k * columns + j];
      a[k * columns + j] = a[other * columns + j];
      a[other * columns + j] = value;
    }
    const right = b[k];
    b[k] = b[other];
    b[other] = right;
    const index = rowOrder[k];
    rowOrder[k] = rowOrder[other];
    rowOrder[other] = index;
  }

  /** Normalises row k and subtracts its multiples from the rows below. */
  #eliminateBelow(k: number): void {
    const { a, b, rows, columns } = this;
    const pivotRow = k * columns;
    const pivot = a[pivotRow + k];
    for (let j = k; j < columns; j++) a[pivotRow + j] /= pivot;
    b[k] /= pivot;
    for (let i = k + 1; i < rows; i++) {
      const row = i * columns;
      const factor = a[row + k];
      if (factor === 0) continue;
      for (let j = k; j < columns; j++) a[row + j] -= factor * a[pivotRow + j];
      b[i] -= factor * b[k];
    }
  }

  /**
   * Back-substitution: the unknowns of the pivot columns from those of the others, which `x` holds on entry.
   * Of a square matrix these are all. Needs an elimination that ended with `ok`.
   * @param x by column of A
   */
  backSubstitute(x: Float64Array): void {
    const { a, b, rows, columns, columnOrder } = this;
    for (let i = rows - 1; i >= 0; i--) {
      let sum = b[i];
      for (let j = i + 1; j < columns; j++) sum -= a[i * columns + j] * x[columnOrder[j]];
      x[columnOrder[i]] = sum;
    }
  }
}
