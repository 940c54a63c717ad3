/** Whether a square matrix equals its transpose, exactly: data given as symmetric are so to the last bit. */

/** @param a n × n, row-major; null stands for the zero matrix */
export function isSymmetric(a: Float64Array | null, n: number): boolean {
  if (a === null) return true;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) if (a[i * n + j] !== a[j * n + i]) return false;
  }
  return true;
}
