/**
 * LU factorisation with partial pivoting of banded matrices whose size and band change from one to the next,
 * in O(n · band²). Row exchanges widen the upper band by the lower one. Golub and Van Loan 2013 §4.3.5.
 */

/**
 * Pivots below this fraction of the largest entry are zero to rounding. The caller scales rows and columns.
 */
const SINGULAR = 1e-13;

export class BandLU {
  #n = 0;
  #lower = 0;
  /** diagonals above the main one, those that pivoting adds included */
  #reach = 0;
  #width = 0;
  /** entry (i, j) stands at i · width + (j − i + lower) */
  #values = new Float64Array(0);
  #pivots = new Int32Array(0);

  /**
   * Begins a matrix of zeros; grows the workspace if need be.
   * @param lower diagonals below the main one
   * @param upper diagonals above it
   */
  begin(n: number, lower: number, upper: number): void {
    this.#n = n;
    this.#lower = lower;
    this.#reach = lower + upper;
    this.#width = lower + this.#reach + 1;
    if (this.#pivots.length < n) this.#pivots = new Int32Array(n);
    if (this.#values.length < n * this.#width) this.#values = new Float64Array(n * this.#width);
    else this.#values.fill(0, 0, n * this.#width);
  }

  /** Sets entry (i, j) within the band. */
  set(i: number, j: number, value: number): void {
    this.#values[i * this.#width + j - i + this.#lower] = value;
  }

  /** Replaces the matrix by its factors. @returns false when it is singular to rounding */
  factor(): boolean {
    const a = this.#values;
    const n = this.#n;
    const lower = this.#lower;
    const width = this.#width;
    let scale = 0;
    for (let e = 0; e < n * width; e++) scale = Math.max(scale, Math.abs(a[e]));
    for (let k = 0; k < n; k++) {
      const lastRow = Math.min(n - 1, k + lower);
      const lastColumn = Math.min(n - 1, k + this.#reach);
      let pivot = k;
      for (let i = k + 1; i <= lastRow; i++) {
        if (Math.abs(a[i * width + k - i + lower]) > Math.abs(a[pivot * width + k - pivot + lower]))
          pivot = i;
      }
      this.#pivots[k] = pivot;
      const value = a[pivot * width + k - pivot + lower];
      if (!(Math.abs(value) > SINGULAR * scale)) return false;
      const top = k * width - k + lower;
      if (pivot !== k) {
        const other = pivot * width - pivot + lower;
        for (let j = k; j <= lastColumn; j++) {
          const x = a[top + j];
          a[top + j] = a[other + j];
          a[other + j] = x;
        }
      }
      for (let i = k + 1; i <= lastRow; i++) {
        const row = i * width - i + lower;
        const factor = a[row + k] / value;
        a[row + k] = factor;
        if (factor === 0) continue;
        for (let j = k + 1; j <= lastColumn; j++) a[row + j] -= factor * a[top + j];
      }
    }
    return true;
  }

  /** Solves with the factors, in place in x[0 … n−1]. */
  solve(x: Float64Array): void {
    const a = this.#values;
    const n = this.#n;
    const lower = this.#lower;
    const width = this.#width;
    for (let k = 0; k < n; k++) {
      const pivot = this.#pivots[k];
      const value = x[pivot];
      x[pivot] = x[k];
      x[k] = value;
      const last = Math.min(n - 1, k + lower);
      for (let i = k + 1; i <= last; i++) x[i] -= a[i * width + k - i + lower] * value;
    }
    for (let k = n - 1; k >= 0; k--) {
      const row = k * width - k + lower;
      const last = Math.min(n - 1, k + this.#reach);
      let sum = x[k];
      for (let j = k + 1; j <= last; j++) sum -= a[row + j] * x[j];
      x[k] = sum / a[row + k];
    }
  }
}
