/**
 * Dense LU factorisation with partial pivoting, in place in a flat array, for the small blocks of single
 * systems and of block factors.
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
    for (let j = n - 1; j >= 0; j--) {
      const pivot = pivots[pivotOffset + j];
      if (pivot === j) continue;
      const value = b[row + j];
      b[row + j] = b[row + pivot];
      b[row + pivot] = value;
    }
  }
}
