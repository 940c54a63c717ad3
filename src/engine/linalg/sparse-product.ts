/**
 * Products of a constant sparse matrix with vectors. Diagonal and tridiagonal matrices, of point masses and of chains,
 * are kept by diagonals and run through without indices; others by rows. Terms are added by ascending column.
 */
import type { SparseRows } from './csr';

export class SparseProduct {
  readonly #shape: 'diagonal' | 'tridiagonal' | 'general';
  readonly #matrix: SparseRows;
  // Entries (i, i − 1), (i, i) and (i, i + 1).
  readonly #lower: Float64Array;
  readonly #main: Float64Array;
  readonly #upper: Float64Array;

  /** @param matrix square; its values are copied */
  constructor(matrix: SparseRows) {
    const { rows: n, rowStart, columns, values } = matrix;
    let width = 0;
    for (let i = 0; i < n; i++)
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) width = Math.max(width, Math.abs(columns[k] - i));
    this.#shape = width === 0 ? 'diagonal' : width === 1 ? 'tridiagonal' : 'general';
    this.#matrix = { ...matrix, values: values.slice() };
    const stored = width <= 1 ? n : 0;
    this.#main = new Float64Array(stored);
    this.#lower = new Float64Array(width === 1 ? n : 0);
    this.#upper = new Float64Array(width === 1 ? n : 0);
    if (width > 1) return;
    for (let i = 0; i < n; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const diagonal = columns[k] < i ? this.#lower : columns[k] > i ? this.#upper : this.#main;
        diagonal[i] += values[k];
      }
    }
  }

  /** out[i] ← Σ_j a_ij x_j for from ≤ i < to. @param from rows whose columns all stand in x */
  multiply(x: Float64Array, out: Float64Array, from: number, to: number): void {
    const main = this.#main;
    if (this.#shape === 'diagonal') {
      for (let i = from; i < to; i++) out[i] = main[i] * x[i];
      return;
    }
    if (this.#shape === 'general') {
      const { rowStart, columns, values } = this.#matrix;
      for (let i = from; i < to; i++) {
        let sum = 0;
        for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += values[k] * x[columns[k]];
        out[i] = sum;
      }
      return;
    }
    const lower = this.#lower;
    const upper = this.#upper;
    const last = main.length - 1;
    for (let i = from; i < to; i++) {
      let sum = i > 0 ? lower[i] * x[i - 1] : 0;
      sum += main[i] * x[i];
      if (i < last) sum += upper[i] * x[i + 1];
      out[i] = sum;
    }
  }
}
