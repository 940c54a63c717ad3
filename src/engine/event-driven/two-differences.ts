/**
 * Derivatives of functions of time of which only values are known.
 *
 * From two central differences, D₁ over 2δ and D₂ over 4δ: D₁ + (D₁ − D₂)/3, of order 4, where they agree. Where they do not, δ is too long for
 * the function, or a jump of the derivative lies between. With shorter δ they come to agree in the first case; in the second, extrapolation
 * would overshoot, and D₁ lies between the values on the two sides.
 *
 * Next to a time at which the function itself may jump, from five places on this side of it: the derivative of the polynomial through them.
 */

/** D₁ and D₂ differ by less where the function is smooth, by far, and by more when its derivative jumps in between. */
const AGREEMENT = 1e-3;
/** Differences that agree so well leave less than 1e-11 once they are extrapolated. */
const EXACT = 1e-6;
/** Rounding of a difference, in units of the rounding of a value over δ. */
const ROUNDING = 64 * Number.EPSILON;

/** @param near D₁, @param far D₂ */
export function extrapolated(near: number, far: number): number {
  const change = near - far;
  const isSmooth = Math.abs(change) <= AGREEMENT * Math.max(Math.abs(near), Math.abs(far));
  return isSmooth ? near + change / 3 : near;
}

/** Whether no shorter δ would do better. @param value magnitude of the function, @param delta δ, s */
export function isExact(near: number, far: number, value: number, delta: number): boolean {
  const change = Math.abs(near - far);
  return change <= EXACT * Math.max(Math.abs(near), Math.abs(far)) || change <= (ROUNDING * value) / delta;
}

/** Places of a difference on one side. */
export const PLACES_OF_SIDE = 5;

/**
 * Weights of the values at 0, 1, … 4 in the derivative at s of the polynomial of degree 4 through them (J. L. Lagrange's form).
 * @param out 5 entries
 */
export function sideWeights(s: number, out: Float64Array): void {
  for (let k = 0; k < PLACES_OF_SIDE; k++) {
    let sum = 0;
    for (let j = 0; j < PLACES_OF_SIDE; j++) {
      if (j === k) continue;
      let term = 1 / (k - j);
      for (let m = 0; m < PLACES_OF_SIDE; m++) if (m !== j && m !== k) term *= (s - m) / (k - m);
      sum += term;
    }
    out[k] = sum;
  }
}

/** Between jumps at known times: [0] last one, s, [1] next one, s; infinite where there is none. */
export const createWindow = (): Float64Array => Float64Array.of(-Infinity, Infinity);
