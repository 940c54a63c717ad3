/**
 * Cholesky factorisation of a symmetric positive semidefinite matrix with full pivoting, ᵗΠ A Π = L ᵗL, that stops at its rank: the
 * rows that are left depend on those before. A system A x = b that has solutions is solved by one of them, in which what
 * corresponds to dependent rows is zero. N. J. Higham, "Analysis of the Cholesky decomposition of a semi-definite matrix", 1990.
 */
export class SemidefiniteCholesky {
  rank = 0;
  readonly #order: Int32Array;
  readonly #factor: Float64Array;
  readonly #work: Float64Array;
  #size = 0;

  /** @param capacity largest number of rows */
  constructor(capacity: number) {
    this.#order = new Int32Array(capacity);
    this.#factor = new Float64Array(capacity * capacity);
    this.#work = new Float64Array(capacity);
  }

  /** @param a n × n, row-major; its lower triangle is read */
  factor(a: Float64Array, n: number): void {
    const order = this.#order;
    const l = this.#factor;
    this.#size = n;
    let largest = 0;
    for (let i = 0; i < n; i++) {
      order[i] = i;
      for (let j = 0; j <= i; j++) l[i * n + j] = l[j * n + i] = a[i * n + j];
      largest = Math.max(largest, a[i * n + i]);
    }
    const tolerance = n * Number.EPSILON * largest;
    for (this.rank = 0; this.rank < n; this.rank++) {
      const k = this.rank;
      let pivot = k;
      for (let i = k + 1; i < n; i++) if (l[i * n + i] > l[pivot * n + pivot]) pivot = i;
      if (!(l[pivot * n + pivot] > tolerance)) return;
      this.#exchange(k, pivot);
      const diagonal = Math.sqrt(l[k * n + k]);
      l[k * n + k] = diagonal;
      for (let i = k + 1; i < n; i++) l[i * n + k] /= diagonal;
      for (let i = k + 1; i < n; i++)
        for (let j = k + 1; j <= i; j++) {
          l[i * n + j] -= l[i * n + k] * l[j * n + k];
          l[j * n + i] = l[i * n + j];
        }
    }
  }

  /** ᵗΠ L, so that A is this times its transposed one. @param out `rank` columns of n entries, one after the other */
  root(out: Float64Array): void {
    const n = this.#size;
    for (let k = 0; k < this.rank; k++)
      for (let i = 0; i < n; i++) out[n * k + this.#order[i]] = i < k ? 0 : this.#factor[n * i + k];
  }

  /** Rows and columns i and k, of what is left and of what has been factorised. */
  #exchange(i: number, k: number): void {
    if (i === k) return;
    const n = this.#size;
    const l = this.#factor;
    const order = this.#order;
    const number = order[i];
    order[i] = order[k];
    order[k] = number;
    for (let j = 0; j < n; j++) {
      const entry = l[i * n + j];
      l[i * n + j] = l[k * n + j];
      l[k * n + j] = entry;
    }
    for (let j = i; j < n; j++) {
      const entry = l[j * n + i];
      l[j * n + i] = l[j * n + k];
      l[j * n + k] = entry;
    }
  }

  /** b ← x from `at` on; b must be in the range of A. */
  solve(b: Float64Array, at = 0): void {
    const n = this.#size;
    const l = this.#factor;
    const order = this.#order;
    const work = this.#work;
    const { rank } = this;
    for (let i = 0; i < rank; i++) {
      let sum = b[at + order[i]];
      for (let j = 0; j < i; j++) sum -= l[i * n + j] * work[j];
      work[i] = sum / l[i * n + i];
    }
    for (let i = rank - 1; i >= 0; i--) {
      let sum = work[i];
      for (let j = i + 1; j < rank; j++) sum -= l[j * n + i] * work[j];
      work[i] = sum / l[i * n + i];
    }
    for (let i = 0; i < n; i++) b[at + order[i]] = i < rank ? work[i] : 0;
  }
}
