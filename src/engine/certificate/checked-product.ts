/**
 * Products of constant matrices with vectors as the certificate forms them, with the magnitudes of their
 * terms: these tell what rounding may leave. Matrices of chains and of point masses have their entries on
 * three diagonals, which are run through without indices. Nothing of the integrators' products is used.
 */
import type { SparseRows } from '../linalg/sparse';

export class CheckedProduct {
  /** whether the matrix has no entry */
  readonly isZero: boolean;
  readonly #matrix: SparseRows;
  /** largest |i − j| of an entry */
  readonly width: number;
  // Entries (i, i − 1), (i, i) and (i, i + 1) where there are no others.
  readonly #before: Float64Array;
  readonly #own: Float64Array;
  readonly #after: Float64Array;

  /** @param matrix square */
  constructor(matrix: SparseRows) {
    this.#matrix = matrix;
    this.isZero = matrix.columns.length === 0;
    const distances = Array.from({ length: matrix.rows }, (_, i) =>
      this.row(i).map(([, column]) => Math.abs(column - i)),
    ).flat();
    this.width = distances.reduce((widest, distance) => Math.max(widest, distance), 0);
    const onDiagonal = (shift: number): Float64Array =>
      Float64Array.from({ length: this.width > 1 ? 0 : matrix.rows }, (_, i) =>
        this.row(i).reduce((sum, [value, column]) => (column === i + shift ? sum + value : sum), 0),
      );
    this.#before = onDiagonal(-1);
    this.#own = onDiagonal(0);
    this.#after = onDiagonal(1);
  }

  /** Entries (i, i − 1), (i, i) and (i, i + 1), where `width` is at most 1. */
  get diagonals(): Record<'before' | 'own' | 'after', Float64Array> {
    return { before: this.#before, own: this.#own, after: this.#after };
  }

  /** Entries of row i with their columns, ascending. */
  row(i: number): (readonly [value: number, column: number])[] {
    const { rowStart, columns, values } = this.#matrix;
    return Array.from({ length: rowStart[i + 1] - rowStart[i] }, (_, k) => [
      values[rowStart[i] + k],
      columns[rowStart[i] + k],
    ]);
  }

  /** out[i] ← Σ_j a_ij x_j and size[i] ← Σ_j |a_ij x_j| for from ≤ i < to. */
  multiply(x: Float64Array, out: Float64Array, size: Float64Array, from: number, to: number): void {
    if (this.width === 0) this.#multiplyDiagonal(x, out, size, from, to);
    else if (this.width === 1) this.#multiplyChain(x, out, size, from, to);
    else this.#multiplyRows(x, out, size, from, to);
  }

  #multiplyDiagonal(x: Float64Array, out: Float64Array, size: Float64Array, from: number, to: number): void {
    const own = this.#own;
    for (let i = from; i < to; i++) {
      const term = own[i] * x[i];
      out[i] = term;
      size[i] = Math.abs(term);
    }
  }

  #multiplyChain(x: Float64Array, out: Float64Array, size: Float64Array, from: number, to: number): void {
    const before = this.#before;
    const own = this.#own;
    const after = this.#after;
    const last = own.length - 1;
    for (let i = from; i < to; i++) {
      const first = i > 0 ? before[i] * x[i - 1] : 0;
      const middle = own[i] * x[i];
      const third = i < last ? after[i] * x[i + 1] : 0;
      out[i] = first + middle + third;
      size[i] = Math.abs(first) + Math.abs(middle) + Math.abs(third);
    }
  }

  #multiplyRows(x: Float64Array, out: Float64Array, size: Float64Array, from: number, to: number): void {
    const { rowStart, columns, values } = this.#matrix;
    for (let i = from; i < to; i++) {
      let sum = 0;
      let terms = 0;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const term = values[k] * x[columns[k]];
        sum += term;
        terms += Math.abs(term);
      }
      out[i] = sum;
      size[i] = terms;
    }
  }
}

/** Σ a_i b_i over from … to − 1. */
export function productOver(a: Float64Array, b: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += a[i] * b[i];
  return sum;
}
