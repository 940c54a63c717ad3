/**
 * Pivot blocks whose eigenvalues span many magnitudes without being singular, as those of barrier functions do. An explicit inverse has errors of the size of its
 * largest entries, which meet the largest entries of other blocks when it is multiplied by them; triangular factors with exchanges do not mix the two
 * (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, §14).
 */

/**
 * P A = L U in place, L with unit diagonal. @param a row-major from entry `at` @param order receives `size` numbers from `place`: row exchanged with row k at step k
 * @returns false where a pivot is zero or not a number
 */
export function factorGraded(
  size: number,
  a: Float64Array,
  at: number,
  order: Int32Array,
  place: number,
): boolean {
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let i = k + 1; i < size; i++)
      if (Math.abs(a[at + size * i + k]) > Math.abs(a[at + size * pivot + k])) pivot = i;
    order[place + k] = pivot;
    if (pivot !== k)
      for (let j = 0; j < size; j++) {
        const x = a[at + size * k + j];
        a[at + size * k + j] = a[at + size * pivot + j];
        a[at + size * pivot + j] = x;
      }
    const diagonal = a[at + size * k + k];
    if (!(Math.abs(diagonal) > 0) || !Number.isFinite(diagonal)) return false;
    for (let i = k + 1; i < size; i++) {
      const factor = a[at + size * i + k] / diagonal;
      a[at + size * i + k] = factor;
      for (let j = k + 1; j < size; j++) a[at + size * i + j] -= factor * a[at + size * k + j];
    }
  }
  return true;
}

/** x ← A⁻¹ x with the factors of `factorGraded`. */
export function solveGraded(
  size: number,
  a: Float64Array,
  at: number,
  order: Int32Array,
  place: number,
  x: Float64Array,
  from: number,
): void {
  for (let i = 0; i < size; i++) {
    const pivot = order[place + i];
    if (pivot === i) continue;
    const y = x[from + i];
    x[from + i] = x[from + pivot];
    x[from + pivot] = y;
  }
  for (let i = 1; i < size; i++) {
    let sum = x[from + i];
    for (let j = 0; j < i; j++) sum -= a[at + size * i + j] * x[from + j];
    x[from + i] = sum;
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = x[from + i];
    for (let j = i + 1; j < size; j++) sum -= a[at + size * i + j] * x[from + j];
    x[from + i] = sum / a[at + size * i + i];
  }
}

/** B ← B A⁻¹ for a block B of `size` rows, row by row. */
export function divideByGraded(
  size: number,
  a: Float64Array,
  at: number,
  order: Int32Array,
  place: number,
  b: Float64Array,
  from: number,
): void {
  for (let row = from; row < from + size * size; row += size) {
    for (let j = 0; j < size; j++) {
      let sum = b[row + j];
      for (let k = 0; k < j; k++) sum -= b[row + k] * a[at + size * k + j];
      b[row + j] = sum / a[at + size * j + j];
    }
    for (let j = size - 2; j >= 0; j--) {
      let sum = b[row + j];
      for (let k = j + 1; k < size; k++) sum -= b[row + k] * a[at + size * k + j];
      b[row + j] = sum;
    }
    for (let j = size - 1; j >= 0; j--) {
      const pivot = order[place + j];
      if (pivot === j) continue;
      const y = b[row + j];
      b[row + j] = b[row + pivot];
      b[row + pivot] = y;
    }
  }
}
