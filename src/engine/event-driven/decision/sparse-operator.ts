/**
 * W = C M⁻¹ B among rows without its zeros, of rows for which it is symmetric: contacts and joints without
 * friction. Two rows have an entry only where a system takes part in both, so that along a chain of bodies
 * each row has two neighbours, and what is decided about a thousand contacts costs a thousand rows and not
 * their square.
 */
import { EnvelopeCholesky } from '../../linalg/cholesky';
import type { EventRelations } from '../rows/relation-rows';
import type { RowLaws } from '../rows/row-laws';

/** Rows up to which a full matrix costs less than knowing where its zeros are. */
export const MOST_FULL = 32;

/** Whether W among the rows is symmetric whatever their modes are. */
export const isSymmetric = ({ kind, sign }: RowLaws): boolean =>
  kind.every((one) => one === 'contact' || one === 'joint') && sign.every((one) => one === 1);

export class SparseOperator {
  /** entries that all rows together have at most */
  readonly entries: number;
  /** first neighbour of each row; the rows that share a system with it, itself among them, ascending */
  readonly #starts: Int32Array;
  readonly #near: Int32Array;
  /** place in the list by row; −1 of rows that are not in it */
  readonly #places: Int32Array;
  /** C of one row and responses of another, by coordinate; zero in between */
  readonly #gradient: Float64Array;
  readonly #response: Float64Array;

  constructor(
    private readonly rows: EventRelations,
    coordinates: number,
  ) {
    const near = rows.neighbours();
    this.#starts = new Int32Array(near.length + 1);
    near.forEach((others, row) => (this.#starts[row + 1] = this.#starts[row] + others.length));
    this.entries = this.#starts[near.length];
    this.#near = new Int32Array(this.entries);
    near.forEach((others, row) => this.#near.set(others, this.#starts[row]));
    this.#places = new Int32Array(near.length).fill(-1);
    this.#gradient = new Float64Array(coordinates);
    this.#response = new Float64Array(coordinates);
  }

  /** Entries are asked for row by row from here on; to be followed by `end`. */
  begin(list: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) this.#places[list[i]] = i;
  }

  end(list: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) this.#places[list[i]] = -1;
  }

  /**
   * Row i of W among the list, with the same value for (i, j) and (j, i) to the last bit: that of C of the
   * later one and the response of the earlier one.
   * @param isLower whether only columns up to i are asked for
   * @param columns, values receive the entries from `at` on
   * @returns end of the entries
   */
  row(
    list: Int32Array,
    i: number,
    isLower: boolean,
    columns: Int32Array,
    values: Float64Array,
    at: number,
  ): number {
    const row = list[i];
    const { rowStart, dofs, C, response } = this.rows;
    const gradient = this.#gradient;
    let end = at;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) gradient[dofs[k]] = C[k];
    for (let n = this.#starts[row]; n < this.#starts[row + 1]; n++) {
      const other = this.#near[n];
      const j = this.#places[other];
      if (j < 0 || (isLower && j > i)) continue;
      let sum = 0;
      if (j <= i) {
        for (let k = rowStart[other]; k < rowStart[other + 1]; k++) sum += gradient[dofs[k]] * response[k];
      } else sum = this.#mirrored(row, other);
      if (sum === 0 && j !== i) continue;
      columns[end] = j;
      values[end++] = sum;
    }
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) gradient[dofs[k]] = 0;
    return end;
  }

  /** C of the other row times the response of this one, summed up as in the row of the other one. */
  #mirrored(row: number, other: number): number {
    const { rowStart, dofs, C, response } = this.rows;
    const work = this.#response;
    for (let k = rowStart[other]; k < rowStart[other + 1]; k++) work[dofs[k]] = C[k];
    let sum = 0;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) sum += work[dofs[k]] * response[k];
    for (let k = rowStart[other]; k < rowStart[other + 1]; k++) work[dofs[k]] = 0;
    return sum;
  }
}

/** Factors of W among the ACTIVE rows. */
export class SparseFactor {
  readonly #cholesky: EnvelopeCholesky;
  readonly #x: Float64Array;
  /** entries of one row */
  readonly #columns: Int32Array;
  readonly #values: Float64Array;

  /** @param capacity number of rows */
  constructor(
    capacity: number,
    private readonly operator: SparseOperator,
  ) {
    this.#cholesky = new EnvelopeCholesky(capacity);
    this.#x = new Float64Array(capacity);
    this.#columns = new Int32Array(capacity);
    this.#values = new Float64Array(capacity);
  }

  /** @returns false where rows depend on each other to rounding: which of them push is not decided here */
  factor(list: Int32Array, count: number): boolean {
    const cholesky = this.#cholesky;
    const columns = this.#columns;
    this.operator.begin(list, count);
    cholesky.begin(count);
    for (let i = 0; i < count; i++) {
      const end = this.operator.row(list, i, true, columns, this.#values, 0);
      let first = i;
      for (let k = 0; k < end; k++) first = Math.min(first, columns[k]);
      cholesky.beginRow(i, first);
      for (let k = 0; k < end; k++) cholesky.set(i, columns[k], this.#values[k]);
    }
    this.operator.end(list, count);
    return cholesky.factor();
  }

  /** values[list[i]] ← (W⁻¹ values)[i] */
  solve(list: Int32Array, count: number, values: Float64Array): void {
    const x = this.#x;
    for (let i = 0; i < count; i++) x[i] = values[list[i]];
    this.#cholesky.solve(x);
    for (let i = 0; i < count; i++) values[list[i]] = x[i];
  }
}
