/**
 * LU factors, with partial pivoting, of μ I − J for real and for complex μ. Matrices stand column by column. In a stiff
 * system the entries of J span many decades and μ = O(1/h) may be far below all of them, so that no pivot is called
 * too small relative to others: only zero ends a factorisation. Whether the factors are good enough shows in the
 * convergence of Newton's method.
 */

/** Factors of re I − J. */
export class RealShifted {
  readonly #a: Float64Array;
  readonly #pivots: Int32Array;

  constructor(private readonly n: number) {
    this.#a = new Float64Array(n * n);
    this.#pivots = new Int32Array(n);
  }

  /** @param shift [0] μ @returns whether the matrix is regular */
  factor(jacobian: Float64Array, shift: Float64Array): boolean {
    const { n } = this;
    const a = this.#a;
    for (let k = 0; k < n * n; k++) a[k] = -jacobian[k];
    for (let i = 0; i < n; i++) a[i * n + i] += shift[0];
    for (let k = 0; k < n; k++) {
      const column = k * n;
      let pivot = k;
      for (let i = k + 1; i < n; i++) if (Math.abs(a[column + i]) > Math.abs(a[column + pivot])) pivot = i;
      this.#pivots[k] = pivot;
      const diagonal = a[column + pivot];
      if (!(Math.abs(diagonal) > 0)) return false;
      if (pivot !== k) for (let j = 0; j < n; j++) exchange(a, j * n + k, j * n + pivot);
      for (let i = k + 1; i < n; i++) a[column + i] /= diagonal;
      for (let j = k + 1; j < n; j++) {
        const factor = a[j * n + k];
        if (factor === 0) continue;
        for (let i = k + 1; i < n; i++) a[j * n + i] -= a[column + i] * factor;
      }
    }
    return true;
  }

  /** Solves in place. */
  solve(x: Float64Array): void {
    const { n } = this;
    const a = this.#a;
    // Exchanges have been applied to the columns of L too, so that they all come first.
    for (let k = 0; k < n; k++) exchange(x, k, this.#pivots[k]);
    for (let k = 0; k < n; k++) {
      const value = x[k];
      for (let i = k + 1; i < n; i++) x[i] -= a[k * n + i] * value;
    }
    for (let k = n - 1; k >= 0; k--) {
      const value = x[k] / a[k * n + k];
      x[k] = value;
      for (let i = 0; i < k; i++) x[i] -= a[k * n + i] * value;
    }
  }
}

/** Factors of (re + i im) I − J, real and imaginary parts in arrays of their own. */
export class ComplexShifted {
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #pivots: Int32Array;

  constructor(private readonly n: number) {
    this.#re = new Float64Array(n * n);
    this.#im = new Float64Array(n * n);
    this.#pivots = new Int32Array(n);
  }

  /** @param shift [0] real, [1] imaginary part of μ @returns whether the matrix is regular */
  factor(jacobian: Float64Array, shift: Float64Array): boolean {
    const { n } = this;
    const re = this.#re;
    const im = this.#im;
    im.fill(0);
    for (let k = 0; k < n * n; k++) re[k] = -jacobian[k];
    for (let i = 0; i < n; i++) {
      re[i * n + i] += shift[0];
      im[i * n + i] = shift[1];
    }
    for (let k = 0; k < n; k++) {
      const column = k * n;
      let pivot = k;
      let largest = -1;
      for (let i = k; i < n; i++) {
        const size = Math.abs(re[column + i]) + Math.abs(im[column + i]);
        if (size > largest) {
          largest = size;
          pivot = i;
        }
      }
      this.#pivots[k] = pivot;
      if (!(largest > 0)) return false;
      if (pivot !== k) {
        for (let j = 0; j < n; j++) {
          exchange(re, j * n + k, j * n + pivot);
          exchange(im, j * n + k, j * n + pivot);
        }
      }
      this.#eliminate(k);
    }
    return true;
  }

  #eliminate(k: number): void {
    const { n } = this;
    const re = this.#re;
    const im = this.#im;
    const column = k * n;
    const dr = re[column + k];
    const di = im[column + k];
    const square = dr * dr + di * di;
    for (let i = k + 1; i < n; i++) {
      const x = re[column + i];
      const y = im[column + i];
      re[column + i] = (x * dr + y * di) / square;
      im[column + i] = (y * dr - x * di) / square;
    }
    for (let j = k + 1; j < n; j++) {
      const x = re[j * n + k];
      const y = im[j * n + k];
      for (let i = k + 1; i < n; i++) {
        const a = re[column + i];
        const b = im[column + i];
        re[j * n + i] -= a * x - b * y;
        im[j * n + i] -= a * y + b * x;
      }
    }
  }

  /** Solves in place; x and y are real and imaginary part. */
  solve(x: Float64Array, y: Float64Array): void {
    const { n } = this;
    const re = this.#re;
    const im = this.#im;
    for (let k = 0; k < n; k++) {
      exchange(x, k, this.#pivots[k]);
      exchange(y, k, this.#pivots[k]);
    }
    for (let k = 0; k < n; k++) this.#subtract(x, y, k, k + 1, n);
    for (let k = n - 1; k >= 0; k--) {
      const dr = re[k * n + k];
      const di = im[k * n + k];
      const square = dr * dr + di * di;
      const a = x[k];
      const b = y[k];
      x[k] = (a * dr + b * di) / square;
      y[k] = (b * dr - a * di) / square;
      this.#subtract(x, y, k, 0, k);
    }
  }

  /** Entries `from` … `to` − 1 minus column k times entry k. */
  #subtract(x: Float64Array, y: Float64Array, k: number, from: number, to: number): void {
    const column = k * this.n;
    const a = x[k];
    const b = y[k];
    for (let i = from; i < to; i++) {
      const p = this.#re[column + i];
      const q = this.#im[column + i];
      x[i] -= p * a - q * b;
      y[i] -= p * b + q * a;
    }
  }
}

function exchange(x: Float64Array, i: number, j: number): void {
  const value = x[i];
  x[i] = x[j];
  x[j] = value;
}
