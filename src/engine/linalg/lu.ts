/**
 * LU factorisations with partial pivoting. Dense ones are made in place in a flat array: row by row for the
 * small blocks of single systems and of block factors (`factorLU`), column by column for the solvers
 * (`factorDense`). Banded matrices have storage of their own (`BandLU`).
 */

/**
 * Pivots below this fraction of the largest entry of the block mean that the block is singular to rounding.
 */
const SINGULAR = 1e-14;

/**
 * Factorises the n × n row-major block of `a` that starts at `offset`: P A = L U, L with unit diagonal.
 * @param pivots row exchanged with row i at step i, stored at `pivotOffset + i`
 * @param singular pivots not above this fraction of the largest entry are refused; 0 for blocks whose
 *   eigenvalues span all magnitudes, as those of barrier functions do
 * @returns false when the block is singular to that measure, or not finite
 */
export function factorLU(
  a: Float64Array,
  offset: number,
  n: number,
  pivots: Int32Array,
  pivotOffset: number,
  singular = SINGULAR,
): boolean {
  let scale = 0;
  for (let i = 0; i < n * n; i++) scale = Math.max(scale, Math.abs(a[offset + i]));
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) {
      if (Math.abs(a[offset + i * n + k]) > Math.abs(a[offset + pivot * n + k])) pivot = i;
    }
    pivots[pivotOffset + k] = pivot;
    if (pivot !== k) {
      for (let j = 0; j < n; j++) {
        const x = a[offset + k * n + j];
        a[offset + k * n + j] = a[offset + pivot * n + j];
        a[offset + pivot * n + j] = x;
      }
    }
    const diagonal = a[offset + k * n + k];
    if (!(Math.abs(diagonal) > singular * scale)) return false;
    for (let i = k + 1; i < n; i++) {
      const factor = a[offset + i * n + k] / diagonal;
      a[offset + i * n + k] = factor;
      if (factor === 0) continue;
      for (let j = k + 1; j < n; j++) a[offset + i * n + j] -= factor * a[offset + k * n + j];
    }
  }
  return true;
}

/**
 * Solves A x = b with the factors of `factorLU`; b stands in `x` from `xOffset` and is replaced by the
 * solution.
 */
export function solveLU(
  a: Float64Array,
  offset: number,
  n: number,
  pivots: Int32Array,
  pivotOffset: number,
  x: Float64Array,
  xOffset: number,
): void {
  for (let i = 0; i < n; i++) {
    const pivot = pivots[pivotOffset + i];
    if (pivot !== i) {
      const value = x[xOffset + i];
      x[xOffset + i] = x[xOffset + pivot];
      x[xOffset + pivot] = value;
    }
  }
  for (let i = 1; i < n; i++) {
    let sum = x[xOffset + i];
    for (let j = 0; j < i; j++) sum -= a[offset + i * n + j] * x[xOffset + j];
    x[xOffset + i] = sum;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[xOffset + i];
    for (let j = i + 1; j < n; j++) sum -= a[offset + i * n + j] * x[xOffset + j];
    x[xOffset + i] = sum / a[offset + i * n + i];
  }
}

/**
 * B ← B A⁻¹ with the factors of `factorLU`, for an n × n block B that stands row-major in `b` from `bOffset`.
 */
export function divideLU(
  a: Float64Array,
  offset: number,
  n: number,
  pivots: Int32Array,
  pivotOffset: number,
  b: Float64Array,
  bOffset: number,
): void {
  if (n === 6) {
    divideSix(a, offset, pivots, pivotOffset, b, bOffset);
    return;
  }
  for (let row = bOffset; row < bOffset + n * n; row += n) {
    for (let j = 0; j < n; j++) {
      let sum = b[row + j];
      for (let k = 0; k < j; k++) sum -= b[row + k] * a[offset + k * n + j];
      b[row + j] = sum / a[offset + j * n + j];
    }
    for (let j = n - 2; j >= 0; j--) {
      let sum = b[row + j];
      for (let k = j + 1; k < n; k++) sum -= b[row + k] * a[offset + k * n + j];
      b[row + j] = sum;
    }
    exchangeBack(pivots, pivotOffset, n, b, row);
  }
}

/** The same of six rows, written out, with the same roundings: the blocks of bodies. */
function divideSix(
  a: Float64Array,
  at: number,
  pivots: Int32Array,
  pivotOffset: number,
  b: Float64Array,
  bOffset: number,
): void {
  for (let row = bOffset; row < bOffset + 36; row += 6) {
    let x0 = b[row];
    let x1 = b[row + 1];
    let x2 = b[row + 2];
    let x3 = b[row + 3];
    let x4 = b[row + 4];
    let x5 = b[row + 5];
    x0 /= a[at];
    x1 = (x1 - x0 * a[at + 1]) / a[at + 7];
    x2 = (x2 - x0 * a[at + 2] - x1 * a[at + 8]) / a[at + 14];
    x3 = (x3 - x0 * a[at + 3] - x1 * a[at + 9] - x2 * a[at + 15]) / a[at + 21];
    x4 = (x4 - x0 * a[at + 4] - x1 * a[at + 10] - x2 * a[at + 16] - x3 * a[at + 22]) / a[at + 28];
    x5 =
      (x5 - x0 * a[at + 5] - x1 * a[at + 11] - x2 * a[at + 17] - x3 * a[at + 23] - x4 * a[at + 29]) /
      a[at + 35];
    x4 -= x5 * a[at + 34];
    x3 = x3 - x4 * a[at + 27] - x5 * a[at + 33];
    x2 = x2 - x3 * a[at + 20] - x4 * a[at + 26] - x5 * a[at + 32];
    x1 = x1 - x2 * a[at + 13] - x3 * a[at + 19] - x4 * a[at + 25] - x5 * a[at + 31];
    x0 = x0 - x1 * a[at + 6] - x2 * a[at + 12] - x3 * a[at + 18] - x4 * a[at + 24] - x5 * a[at + 30];
    b[row] = x0;
    b[row + 1] = x1;
    b[row + 2] = x2;
    b[row + 3] = x3;
    b[row + 4] = x4;
    b[row + 5] = x5;
    exchangeBack(pivots, pivotOffset, 6, b, row);
  }
}

/** Takes the exchanges of a factorisation back in a row. */
function exchangeBack(
  pivots: Int32Array,
  pivotOffset: number,
  n: number,
  b: Float64Array,
  row: number,
): void {
  for (let j = n - 1; j >= 0; j--) {
    const pivot = pivots[pivotOffset + j];
    if (pivot === j) continue;
    const value = b[row + j];
    b[row + j] = b[row + pivot];
    b[row + pivot] = value;
  }
}

/*
 * For the solvers: the column that failed is named. Matrices are column-major, because a left-looking
 * elimination then runs along memory: column k takes all earlier columns at once and is written once. Golub
 * and Van Loan 2013 §3.4.
 */

/**
 * A pivot below this fraction of its column's largest original entry is what cancellation leaves of zero. The
 * caller scales rows and columns, so that the entries of a column are comparable.
 */
const DEPENDENT = 1e-13;

/**
 * Factorises the n × n column-major block of `a` at `offset` in place: P A = L U, L with unit diagonal, the
 * reciprocals of U's diagonal in its place.
 * @param pivots `pivots[pivotOffset + k]` becomes the row exchanged with row k
 * @returns −1, or the first column that depends on those before it to rounding
 */
export function factorDense(
  a: Float64Array,
  offset: number,
  n: number,
  pivots: Int32Array,
  pivotOffset: number,
): number {
  for (let k = 0; k < n; k++) {
    const column = offset + k * n;
    let scale = 0;
    for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(a[column + i]));
    exchange(a, column, pivots, pivotOffset, k);
    eliminate(a, offset, n, k);
    let pivot = k;
    let largest = Math.abs(a[column + k]);
    for (let i = k + 1; i < n; i++) {
      const value = Math.abs(a[column + i]);
      if (value > largest) {
        largest = value;
        pivot = i;
      }
    }
    pivots[pivotOffset + k] = pivot;
    if (!(largest > DEPENDENT * scale)) return k;
    if (pivot !== k) {
      for (let j = 0; j <= k; j++) {
        const line = offset + j * n;
        const value = a[line + k];
        a[line + k] = a[line + pivot];
        a[line + pivot] = value;
      }
    }
    const inverse = 1 / a[column + k];
    a[column + k] = inverse;
    for (let i = k + 1; i < n; i++) a[column + i] *= inverse;
  }
  return -1;
}

/** Applies the exchanges of the first `count` steps to the entries x[at …]. */
function exchange(x: Float64Array, at: number, pivots: Int32Array, pivotOffset: number, count: number): void {
  for (let i = 0; i < count; i++) {
    const pivot = pivots[pivotOffset + i];
    if (pivot === i) continue;
    const value = x[at + i];
    x[at + i] = x[at + pivot];
    x[at + pivot] = value;
  }
}

/** Column k minus what the columns before it contribute, two of them at a time to halve the traffic. */
function eliminate(a: Float64Array, offset: number, n: number, k: number): void {
  const column = offset + k * n;
  let i = 0;
  for (; i + 1 < k; i += 2) {
    const first = offset + i * n;
    const second = first + n;
    const x = a[column + i];
    const y = a[column + i + 1] - a[first + i + 1] * x;
    a[column + i + 1] = y;
    if (x === 0 && y === 0) continue;
    for (let r = i + 2; r < n; r++) a[column + r] -= a[first + r] * x + a[second + r] * y;
  }
  if (i < k) {
    const first = offset + i * n;
    const x = a[column + i];
    if (x !== 0) for (let r = i + 1; r < n; r++) a[column + r] -= a[first + r] * x;
  }
}

/** Solves A x = b with the factors of `factorDense`, in place in x[0 … n−1]. */
export function solveDense(
  a: Float64Array,
  offset: number,
  n: number,
  pivots: Int32Array,
  pivotOffset: number,
  x: Float64Array,
): void {
  exchange(x, 0, pivots, pivotOffset, n);
  for (let k = 0; k < n; k++) {
    const value = x[k];
    if (value === 0) continue;
    const column = offset + k * n;
    for (let i = k + 1; i < n; i++) x[i] -= a[column + i] * value;
  }
  for (let k = n - 1; k >= 0; k--) {
    const column = offset + k * n;
    const value = x[k] * a[column + k];
    x[k] = value;
    if (value === 0) continue;
    for (let i = 0; i < k; i++) x[i] -= a[column + i] * value;
  }
}

/*
 * Banded matrices, whose size and band change from one to the next, in O(n · band²). Row exchanges widen the
 * upper band by the lower one. Golub and Van Loan 2013 §4.3.5.
 */

/**
 * Pivots below this fraction of the largest entry are zero to rounding. The caller scales rows and columns.
 */
const SINGULAR_BAND = 1e-13;

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
      if (!(Math.abs(value) > SINGULAR_BAND * scale)) return false;
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
