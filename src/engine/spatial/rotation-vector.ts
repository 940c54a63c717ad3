/**
 * Finite rotations by a rotation vector ϑ, of angle θ = |ϑ| about its direction:
 *
 *     exp(skew ϑ) s = cos θ s + (sin θ/θ) ϑ×s + ((1 − cos θ)/θ²) (ϑ·s) ϑ        (Euler and Rodrigues),
 *     Exp(ϑ) = (cos ½θ, ½ (sin ½θ/½θ) ϑ),   R(Exp ϑ) = exp(skew ϑ).
 *
 * Siconos prints the last factor of the first line as cos θ − 1, which is no rotation. 1 − cos θ = 2 sin² ½θ keeps its digits for
 * small angles.
 */
import { multiplyQuaternions } from './quaternion';

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
