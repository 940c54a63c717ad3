/**
 * What a plant ẋ = A x + B u does in a period with u held, once more and otherwise than the blocks have it:
 * Taylor sums over a short time, which is doubled until it is the period,
 *
 *     Φ(2 s) = Φ(s) Φ(s),     Ψ(2 s) = Ψ(s) + Φ(s) Ψ(s).
 */

export interface HeldModel {
  /** Φ, n × n, and Ψ, n × columns */
  readonly phi: Float64Array;
  readonly psi: Float64Array;
  /** what roundings of one and the other may come to, in each entry */
  readonly phiError: number;
  readonly psiError: number;
}

/** Largest ‖A s‖ of the Taylor sums, and their terms: what is left out is below rounding. */
const SHORT = 0.25;
const TERMS = 13;

export const times = (
  M: Float64Array,
  N: Float64Array,
  rows: number,
  inner: number,
  columns: number,
): Float64Array =>
  Float64Array.from({ length: rows * columns }, (_, at) => {
    const i = Math.floor(at / columns);
    let sum = 0;
    for (let k = 0; k < inner; k++) sum += M[i * inner + k] * N[k * columns + (at % columns)];
    return sum;
  });

const plus = (M: Float64Array, N: Float64Array): Float64Array => M.map((value, k) => value + N[k]);

/** Largest sum of magnitudes of a row. */
export function normOf(M: Float64Array, columns: number): number {
  let most = 0;
  for (let at = 0; at < M.length; at += columns)
    most = Math.max(
      most,
      M.subarray(at, at + columns).reduce((sum, value) => sum + Math.abs(value), 0),
    );
  return most;
}

export const identity = (n: number): Float64Array =>
  Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0));

/** @param A n × n @param B n × columns @param period s */
export function heldModel(
  A: Float64Array,
  B: Float64Array,
  n: number,
  columns: number,
  period: number,
): HeldModel {
  const size = normOf(A, n) * period;
  const doublings = size > SHORT ? Math.ceil(Math.log2(size / SHORT)) : 0;
  const s = period / 2 ** doublings;
  // Aᵏ sᵏ/k! and Aᵏ sᵏ⁺¹/(k+1)!
  let power: Float64Array = identity(n);
  let phi: Float64Array = power;
  let integral: Float64Array = power.map((value) => value * s);
  for (let k = 1; k <= TERMS; k++) {
    power = times(A, power, n, n, n).map((value) => (value * s) / k);
    phi = plus(phi, power);
    integral = plus(
      integral,
      power.map((value) => (value * s) / (k + 1)),
    );
  }
  let psi: Float64Array = columns === 0 ? new Float64Array(0) : times(integral, B, n, n, columns);
  let [phiNorm, psiNorm] = [normOf(phi, n), normOf(psi, columns)];
  for (let k = 0; k < doublings; k++) {
    if (columns > 0) psi = plus(psi, times(phi, psi, n, n, columns));
    phi = times(phi, phi, n, n, n);
    phiNorm = Math.max(phiNorm, normOf(phi, n));
    psiNorm = Math.max(psiNorm, normOf(psi, columns));
  }
  const rounding = 64 * n * 2 ** doublings * Number.EPSILON;
  return { phi, psi, phiError: rounding * phiNorm, psiError: rounding * psiNorm };
}

/** An inverse, and ‖M‖ ‖M⁻¹‖. */
interface Inverse {
  readonly inverse: Float64Array;
  readonly condition: number;
}

/** By elimination with the largest pivots; NaN where there is none. @param M n × n */
export function invert(M: Float64Array, n: number): Inverse {
  const left = M.slice();
  const inverse = identity(n);
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k; i < n; i++) if (Math.abs(left[i * n + k]) > Math.abs(left[p * n + k])) p = i;
    for (const matrix of [left, inverse])
      for (let j = 0; j < n; j++)
        [matrix[k * n + j], matrix[p * n + j]] = [matrix[p * n + j], matrix[k * n + j]];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = left[i * n + k] / left[k * n + k];
      for (const matrix of [left, inverse])
        for (let j = 0; j < n; j++) matrix[i * n + j] -= factor * matrix[k * n + j];
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) inverse[i * n + j] /= left[i * n + i];
  return { inverse, condition: normOf(M, n) * normOf(inverse, n) };
}
