/** Determinant, inverse and linear equations of a 3 × 3 matrix, row-major from an index on, by its cofactors: all that a deformation gradient needs. */

export function determinant(m: Float64Array, at: number): number {
  return (
    m[at] * (m[at + 4] * m[at + 8] - m[at + 5] * m[at + 7]) -
    m[at + 1] * (m[at + 3] * m[at + 8] - m[at + 5] * m[at + 6]) +
    m[at + 2] * (m[at + 3] * m[at + 7] - m[at + 4] * m[at + 6])
  );
}

/** x ← m⁻¹ x, by Cramer's rule; not finite where the matrix is singular. */
export function solveMatrix(m: Float64Array, at: number, x: Float64Array): void {
  const a = m[at];
  const b = m[at + 1];
  const c = m[at + 2];
  const d = m[at + 3];
  const e = m[at + 4];
  const f = m[at + 5];
  const g = m[at + 6];
  const h = m[at + 7];
  const i = m[at + 8];
  const scale = 1 / determinant(m, at);
  const r = x[0];
  const s = x[1];
  const t = x[2];
  x[0] = scale * ((e * i - f * h) * r + (c * h - b * i) * s + (b * f - c * e) * t);
  x[1] = scale * ((f * g - d * i) * r + (a * i - c * g) * s + (c * d - a * f) * t);
  x[2] = scale * ((d * h - e * g) * r + (b * g - a * h) * s + (a * e - b * d) * t);
}

/** out ← m⁻¹, row-major; not finite where the matrix is singular. */
export function invertMatrix(m: Float64Array, at: number, out: Float64Array): void {
  const scale = 1 / determinant(m, at);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      // Cofactors of the transposed matrix.
      const a = at + 3 * ((j + 1) % 3);
      const b = at + 3 * ((j + 2) % 3);
      const c = (i + 1) % 3;
      const d = (i + 2) % 3;
      out[3 * i + j] = scale * (m[a + c] * m[b + d] - m[a + d] * m[b + c]);
    }
}
