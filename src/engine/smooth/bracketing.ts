/**
 * A zero between two places where a function has opposite signs, by T. R. Chandrupatla's method (Adv. Eng. Softw. 28 (1997)
 * 145–149): inverse quadratic interpolation where the three last points admit it, bisection otherwise. The bracket never
 * opens.
 */
export interface ScalarFunction {
  /** [0] place, to be set before `evaluate` */
  readonly place: Float64Array;
  /** [0] value */
  readonly result: Float64Array;
  evaluate(): void;
}

/** Bisection alone would halve any bracket of doubles to neighbours in fewer. */
const MOST_ITERATIONS = 100;

/**
 * @param bracket [0], [1] the two places; on return [0] is the zero, the place of the smaller |value| of the last bracket
 * @param resolution [0] distance of places that need not be told apart
 * @returns whether the signs were opposite (a zero at an end counts); otherwise [0] is the end with the smaller |value|
 */
export function refineRoot(f: ScalarFunction, bracket: Float64Array, resolution: Float64Array): boolean {
  const { place, result } = f;
  let a = bracket[0];
  let b = bracket[1];
  place[0] = a;
  f.evaluate();
  let fa = result[0];
  if (fa === 0) return true;
  place[0] = b;
  f.evaluate();
  let fb = result[0];
  if (fb === 0) {
    bracket[0] = b;
    return true;
  }
  if (fa > 0 === fb > 0) {
    if (Math.abs(fb) < Math.abs(fa)) bracket[0] = b;
    return false;
  }
  let c = a;
  let fc = fa;
  let part = fa / (fa - fb);
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const width = Math.abs(b - a);
    const smallest = resolution[0] / width;
    if (smallest > 0.5) break;
    part = Math.max(smallest, Math.min(1 - smallest, part));
    const x = a + part * (b - a);
    place[0] = x;
    f.evaluate();
    const fx = result[0];
    if (fx > 0 === fa > 0) {
      c = a;
      fc = fa;
    } else {
      c = b;
      fc = fb;
      b = a;
      fb = fa;
    }
    a = x;
    fa = fx;
    if (fx === 0) break;
    const xi = (a - b) / (c - b);
    const phi = (fa - fb) / (fc - fb);
    if (phi * phi < xi && (1 - phi) ** 2 < 1 - xi) {
      part = (fa / (fb - fa)) * (fc / (fb - fc)) + ((c - a) / (b - a)) * (fa / (fc - fa)) * (fb / (fc - fb));
    } else {
      part = 0.5;
    }
  }
  bracket[0] = Math.abs(fb) < Math.abs(fa) ? b : a;
  return true;
}
