/** Linear combinations of sparse matrices on a pattern that is laid out once. */
import { type SparseRows, sparseFromPattern } from './csr';

export class SparseSum {
  /** the combination; its values are those of the last `combine` */
  readonly result: SparseRows;
  /** place of each entry of each term in the result */
  readonly #places: Int32Array[];

  /** @param terms square matrices of one size; null stands for zero. The diagonal is always part of the pattern. */
  constructor(
    n: number,
    private readonly terms: readonly (SparseRows | null)[],
  ) {
    const pattern = Array.from({ length: n }, (_, i) => new Set([i]));
    for (const term of terms) {
      if (term === null) continue;
      for (let i = 0; i < n; i++)
        for (let k = term.rowStart[i]; k < term.rowStart[i + 1]; k++) pattern[i].add(term.columns[k]);
    }
    this.result = sparseFromPattern(pattern.map((set) => [...set].sort((a, b) => a - b)));
    this.#places = terms.map((term) => (term === null ? new Int32Array(0) : this.#placesOf(term)));
  }

  #placesOf(term: SparseRows): Int32Array {
    const { rowStart, columns } = this.result;
    const places = new Int32Array(term.columns.length);
    for (let i = 0; i < term.rows; i++) {
      for (let k = term.rowStart[i]; k < term.rowStart[i + 1]; k++)
        places[k] = columns.subarray(rowStart[i], rowStart[i + 1]).indexOf(term.columns[k]) + rowStart[i];
    }
    return places;
  }

  /** result ← Σ weights[j] · terms[j] */
  combine(weights: Float64Array): void {
    const { values } = this.result;
    values.fill(0);
    for (let j = 0; j < this.terms.length; j++) {
      const term = this.terms[j];
      if (term === null) continue;
      const places = this.#places[j];
      const weight = weights[j];
      for (let k = 0; k < places.length; k++) values[places[k]] += weight * term.values[k];
    }
  }
}
