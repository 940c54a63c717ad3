/**
 * Determinant, inverse and linear equations of a 3 × 3 matrix, row-major from an index on, by its cofactors:
 * all that a deformation gradient needs.
 */
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

/* Vector products and 3 × 3 matrices in flat arrays, each from an index on. */

/** out ← out + factor · a×b; `out` must be neither */
export function addCross(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
  factor: number,
  out: Float64Array,
  at: number,
): void {
  out[at] += factor * (a[aAt + 1] * b[bAt + 2] - a[aAt + 2] * b[bAt + 1]);
  out[at + 1] += factor * (a[aAt + 2] * b[bAt] - a[aAt] * b[bAt + 2]);
  out[at + 2] += factor * (a[aAt] * b[bAt + 1] - a[aAt + 1] * b[bAt]);
}

/** out ← a×b; `out` must be neither */
export function cross(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
  out: Float64Array,
  at: number,
): void {
  out[at] = 0;
  out[at + 1] = 0;
  out[at + 2] = 0;
  addCross(a, aAt, b, bAt, 1, out, at);
}

/** a·b */
export function dot(a: Float64Array, aAt: number, b: Float64Array, bAt: number): number {
  return a[aAt] * b[bAt] + a[aAt + 1] * b[bAt + 1] + a[aAt + 2] * b[bAt + 2];
}

/** |a|; not Math.hypot, which is a call ten times as long. */
export function lengthOf(a: Float64Array, at: number): number {
  return Math.sqrt(a[at] * a[at] + a[at + 1] * a[at + 1] + a[at + 2] * a[at + 2]);
}

/** out ← m x with m 3 × 3, row-major; `out` may be `x` */
export function multiplyMatrix(
  m: Float64Array,
  x: Float64Array,
  xAt: number,
  out: Float64Array,
  at: number,
): void {
  const a = x[xAt];
  const b = x[xAt + 1];
  const c = x[xAt + 2];
  out[at] = m[0] * a + m[1] * b + m[2] * c;
  out[at + 1] = m[3] * a + m[4] * b + m[5] * c;
  out[at + 2] = m[6] * a + m[7] * b + m[8] * c;
}

/** m ← m + factor · skew(a), where skew(a) x = a×x. @param m 3 × 3, row-major */
export function addSkew(a: Float64Array, aAt: number, factor: number, m: Float64Array): void {
  const x = factor * a[aAt];
  const y = factor * a[aAt + 1];
  const z = factor * a[aAt + 2];
  m[1] -= z;
  m[2] += y;
  m[3] += z;
  m[5] -= x;
  m[6] -= y;
  m[7] += x;
}

/** m ← m + factor · skew(a) b. @param b,m 3 × 3, row-major, not the same */
export function addSkewProduct(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  factor: number,
  m: Float64Array,
): void {
  const x = factor * a[aAt];
  const y = factor * a[aAt + 1];
  const z = factor * a[aAt + 2];
  for (let j = 0; j < 3; j++) {
    m[j] += y * b[6 + j] - z * b[3 + j];
    m[3 + j] += z * b[j] - x * b[6 + j];
    m[6 + j] += x * b[3 + j] - y * b[j];
  }
}
