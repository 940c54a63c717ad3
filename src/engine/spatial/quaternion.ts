/**
 * Unit quaternions Q = (q₀, q₁, q₂, q₃) = (q₀, u) for the orientation of bodies: they map the body's frame to
 * the world's,
 *
 *     (0, R(Q) s) = Q ∘ (0, s) ∘ Q*,     Q̇ = ½ Q ∘ (0, Ω) = T_q Ω,
 *     Ω the angular velocity in the body's frame.
 *
 *                 [ −q₁ −q₂ −q₃ ]
 *     T_q = ½ ·   [  q₀ −q₃  q₂ ]        ᵗT_q Q = 0,   ᵗT_q T_q = ¼ |Q|² 1.
 *                 [  q₃  q₀ −q₁ ]
 *                 [ −q₂  q₁  q₀ ]
 *
 * Siconos developer's notes §9.0.15 with docs/theory/errata.md: with the other sign of q₁ in the last row ᵗQ
 * Q̇ = −q₁ q₃ Ω₂, and Q leaves the sphere.
 *
 * R(Q) is taken as the quadratic form (q₀² − |u|²) s + 2 (u·s) u + 2 q₀ u×s, which is a rotation times |Q|².
 * Nothing is normalised on the way, so that derivatives by Q are those of polynomials and dR/dt = R skew(Ω)
 * holds off the sphere as well.
 *
 * Quaternions, vectors and matrices stand in arrays, each from an index on. Functions allocate nothing;
 * unless said otherwise, `out` may be what goes in.
 */

/** out ← a ∘ b, 4 numbers each */
export function multiplyQuaternions(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
  out: Float64Array,
  at: number,
): void {
  const a0 = a[aAt];
  const a1 = a[aAt + 1];
  const a2 = a[aAt + 2];
  const a3 = a[aAt + 3];
  const b0 = b[bAt];
  const b1 = b[bAt + 1];
  const b2 = b[bAt + 2];
  const b3 = b[bAt + 3];
  out[at] = a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3;
  out[at + 1] = a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2;
  out[at + 2] = a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1;
  out[at + 3] = a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0;
}

/** |Q|² */
export function squaredNorm(q: Float64Array, at: number): number {
  return q[at] * q[at] + q[at + 1] * q[at + 1] + q[at + 2] * q[at + 2] + q[at + 3] * q[at + 3];
}

/** Q ← Q/|Q|. @returns false when Q is zero or not finite, and is left alone */
export function normaliseQuaternion(q: Float64Array, at: number): boolean {
  const norm = Math.sqrt(squaredNorm(q, at));
  if (!(norm > 0 && norm < Number.POSITIVE_INFINITY)) return false;
  for (let i = 0; i < 4; i++) q[at + i] /= norm;
  return true;
}

/** out ← R(Q) s: from the body's frame to the world's */
export function rotate(
  q: Float64Array,
  qAt: number,
  s: Float64Array,
  sAt: number,
  out: Float64Array,
  at: number,
): void {
  rotateWith(q[qAt], q, qAt, s, sAt, out, at);
}

/** out ← ᵗR(Q) s: from the world's frame to the body's */
export function rotateBack(
  q: Float64Array,
  qAt: number,
  s: Float64Array,
  sAt: number,
  out: Float64Array,
  at: number,
): void {
  // Q* = (q₀, −u), which is (−q₀, u) but for the sign, and the form is quadratic.
  rotateWith(-q[qAt], q, qAt, s, sAt, out, at);
}

function rotateWith(
  q0: number,
  q: Float64Array,
  qAt: number,
  s: Float64Array,
  sAt: number,
  out: Float64Array,
  at: number,
): void {
  const u1 = q[qAt + 1];
  const u2 = q[qAt + 2];
  const u3 = q[qAt + 3];
  const x = s[sAt];
  const y = s[sAt + 1];
  const z = s[sAt + 2];
  const first = q0 * q0 - u1 * u1 - u2 * u2 - u3 * u3;
  const second = 2 * (u1 * x + u2 * y + u3 * z);
  const third = 2 * q0;
  out[at] = first * x + second * u1 + third * (u2 * z - u3 * y);
  out[at + 1] = first * y + second * u2 + third * (u3 * x - u1 * z);
  out[at + 2] = first * z + second * u3 + third * (u1 * y - u2 * x);
}

/** out ← R(Q), 3 × 3, row-major; `out` must not be `q` */
export function rotationMatrix(q: Float64Array, qAt: number, out: Float64Array, at: number): void {
  const q0 = q[qAt];
  const q1 = q[qAt + 1];
  const q2 = q[qAt + 2];
  const q3 = q[qAt + 3];
  out[at] = q0 * q0 + q1 * q1 - q2 * q2 - q3 * q3;
  out[at + 1] = 2 * (q1 * q2 - q0 * q3);
  out[at + 2] = 2 * (q1 * q3 + q0 * q2);
  out[at + 3] = 2 * (q1 * q2 + q0 * q3);
  out[at + 4] = q0 * q0 - q1 * q1 + q2 * q2 - q3 * q3;
  out[at + 5] = 2 * (q2 * q3 - q0 * q1);
  out[at + 6] = 2 * (q1 * q3 - q0 * q2);
  out[at + 7] = 2 * (q2 * q3 + q0 * q1);
  out[at + 8] = q0 * q0 - q1 * q1 - q2 * q2 + q3 * q3;
}

/** out ← T_q Ω, 4 numbers. @param omega Ω, rad/s; `out` must be neither */
export function quaternionRate(
  q: Float64Array,
  qAt: number,
  omega: Float64Array,
  omegaAt: number,
  out: Float64Array,
  at: number,
): void {
  const q0 = q[qAt];
  const q1 = q[qAt + 1];
  const q2 = q[qAt + 2];
  const q3 = q[qAt + 3];
  const x = 0.5 * omega[omegaAt];
  const y = 0.5 * omega[omegaAt + 1];
  const z = 0.5 * omega[omegaAt + 2];
  out[at] = -q1 * x - q2 * y - q3 * z;
  out[at + 1] = q0 * x - q3 * y + q2 * z;
  out[at + 2] = q3 * x + q0 * y - q1 * z;
  out[at + 3] = -q2 * x + q1 * y + q0 * z;
}

/** out ← ᵗT_q g, 3 numbers, of a derivative g by Q. `out` must not be `q` */
export function transposedRate(
  q: Float64Array,
  qAt: number,
  g: Float64Array,
  gAt: number,
  out: Float64Array,
  at: number,
): void {
  const g0 = 0.5 * g[gAt];
  const g1 = 0.5 * g[gAt + 1];
  const g2 = 0.5 * g[gAt + 2];
  const g3 = 0.5 * g[gAt + 3];
  const q0 = q[qAt];
  const q1 = q[qAt + 1];
  const q2 = q[qAt + 2];
  const q3 = q[qAt + 3];
  out[at] = -q1 * g0 + q0 * g1 + q3 * g2 - q2 * g3;
  out[at + 1] = -q2 * g0 - q3 * g1 + q0 * g2 + q1 * g3;
  out[at + 2] = -q3 * g0 + q2 * g1 - q1 * g2 + q0 * g3;
}

/**
 * Adds the gradient of g·R(Q) s by Q, times a factor, to `out`, 4 numbers: from the quadratic form,
 *
 *     ∂/∂q₀ = 2 g·(q₀ s + u×s),   ∂/∂u = 2 ((u·g) s + (u·s) g − (s·g) u + q₀ s×g).
 */
export function addRotationGradient(
  q: Float64Array,
  qAt: number,
  s: Float64Array,
  sAt: number,
  g: Float64Array,
  gAt: number,
  factor: number,
  out: Float64Array,
  at: number,
): void {
  const q0 = q[qAt];
  const u1 = q[qAt + 1];
  const u2 = q[qAt + 2];
  const u3 = q[qAt + 3];
  const x = s[sAt];
  const y = s[sAt + 1];
  const z = s[sAt + 2];
  const gx = 2 * factor * g[gAt];
  const gy = 2 * factor * g[gAt + 1];
  const gz = 2 * factor * g[gAt + 2];
  const ug = u1 * gx + u2 * gy + u3 * gz;
  const us = u1 * x + u2 * y + u3 * z;
  const sg = x * gx + y * gy + z * gz;
  out[at] += q0 * sg + gx * (u2 * z - u3 * y) + gy * (u3 * x - u1 * z) + gz * (u1 * y - u2 * x);
  out[at + 1] += ug * x + us * gx - sg * u1 + q0 * (y * gz - z * gy);
  out[at + 2] += ug * y + us * gy - sg * u2 + q0 * (z * gx - x * gz);
  out[at + 3] += ug * z + us * gz - sg * u3 + q0 * (x * gy - y * gx);
}

/*
 * Finite rotations by a rotation vector ϑ, of angle θ = |ϑ| about its direction:
 *
 *     exp(skew ϑ) s = cos θ s + (sin θ/θ) ϑ×s + ((1 − cos θ)/θ²) (ϑ·s) ϑ        (Euler and Rodrigues),
 *     Exp(ϑ) = (cos ½θ, ½ (sin ½θ/½θ) ϑ),   R(Exp ϑ) = exp(skew ϑ).
 *
 * The last factor of the first line is 1 − cos θ (docs/theory/errata.md), formed as 2 sin² ½θ, which
 * keeps its digits for small angles.
 */

/** Below this x² the next term of the series of sin x/x, x⁴/120, is less than rounding. */
const SMALL_SQUARE = 1e-7;

/** sin x/x from x² */
function sineQuotient(square: number): number {
  if (square < SMALL_SQUARE) return 1 - square / 6;
  const x = Math.sqrt(square);
  return Math.sin(x) / x;
}

const squareOf = (x: Float64Array, at: number): number =>
  x[at] * x[at] + x[at + 1] * x[at + 1] + x[at + 2] * x[at + 2];

/** out ← Exp(factor · ϑ), 4 numbers. `out` must not be `vector` */
export function exponential(
  vector: Float64Array,
  vectorAt: number,
  factor: number,
  out: Float64Array,
  at: number,
): void {
  const half = 0.5 * factor;
  const square = half * half * squareOf(vector, vectorAt);
  const sine = half * sineQuotient(square);
  out[at] = Math.cos(Math.sqrt(square));
  out[at + 1] = sine * vector[vectorAt];
  out[at + 2] = sine * vector[vectorAt + 1];
  out[at + 3] = sine * vector[vectorAt + 2];
}

/** out ← Log(Q) = ϑ of the shorter way, |ϑ| ≤ π; of −Q it is the same. Q need not be normalised. */
export function logarithm(q: Float64Array, qAt: number, out: Float64Array, at: number): void {
  const sign = q[qAt] < 0 ? -1 : 1;
  const cosine = sign * q[qAt];
  const square = squareOf(q, qAt + 1);
  const sine = Math.sqrt(square);
  // θ/sin ½θ; atan2(s, c)/s has the limit 1/c.
  const factor =
    square < SMALL_SQUARE * cosine * cosine
      ? (2 * (1 - square / (3 * cosine * cosine))) / cosine
      : (2 * Math.atan2(sine, cosine)) / sine;
  for (let i = 0; i < 3; i++) out[at + i] = sign * factor * q[qAt + 1 + i];
}

/** Q ← Q ∘ Exp(factor · ϑ): a turn by a vector of the body's frame. @param work 4 numbers */
export function turn(
  q: Float64Array,
  qAt: number,
  vector: Float64Array,
  vectorAt: number,
  factor: number,
  work: Float64Array,
): void {
  exponential(vector, vectorAt, factor, work, 0);
  multiplyQuaternions(q, qAt, work, 0, q, qAt);
}

/** out ← exp(factor · skew ϑ) s. `out` may be `s` */
export function rotateByVector(
  vector: Float64Array,
  vectorAt: number,
  factor: number,
  s: Float64Array,
  sAt: number,
  out: Float64Array,
  at: number,
): void {
  const square = factor * factor * squareOf(vector, vectorAt);
  const half = sineQuotient(0.25 * square);
  const first = Math.cos(Math.sqrt(square));
  const second = sineQuotient(square);
  // (1 − cos θ)/θ²
  const third = 0.5 * half * half;
  const tx = factor * vector[vectorAt];
  const ty = factor * vector[vectorAt + 1];
  const tz = factor * vector[vectorAt + 2];
  const x = s[sAt];
  const y = s[sAt + 1];
  const z = s[sAt + 2];
  const along = third * (tx * x + ty * y + tz * z);
  out[at] = first * x + second * (ty * z - tz * y) + along * tx;
  out[at + 1] = first * y + second * (tz * x - tx * z) + along * ty;
  out[at + 2] = first * z + second * (tx * y - ty * x) + along * tz;
}
