/** Blocks of a row-major matrix by lists of rows and columns, and the transposed solve of their factors. */

/** out ← a[rows, columns]. @param width columns of `a` @param rows null for 0 … rowCount − 1 */
export function gatherBlock(
  a: Float64Array,
  width: number,
  rows: Int32Array | null,
  rowCount: number,
  columns: Int32Array,
  out: Float64Array,
): void {
  const count = columns.length;
  for (let i = 0; i < rowCount; i++) {
    const at = (rows === null ? i : rows[i]) * width;
    for (let j = 0; j < count; j++) out[i * count + j] = a[at + columns[j]];
  }
}

/**
 * Solves Aᵗ x = b in place with the factors P A = L U of `factorLU` at the start of `a`: Uᵗ y = b, Lᵗ P x = y.
 * @param a n × n, row-major
 */
export function solveTransposedLU(a: Float64Array, n: number, pivots: Int32Array, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = x[i];
    for (let j = 0; j < i; j++) sum -= a[j * n + i] * x[j];
    x[i] = sum / a[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i];
    for (let j = i + 1; j < n; j++) sum -= a[j * n + i] * x[j];
    x[i] = sum;
  }
  for (let i = n - 1; i >= 0; i--) {
    const pivot = pivots[i];
    if (pivot === i) continue;
    const value = x[i];
    x[i] = x[pivot];
    x[pivot] = value;
  }
}
