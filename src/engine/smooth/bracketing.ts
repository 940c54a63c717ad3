/**
 * A zero between two places where a function has opposite signs, by Chandrupatla's method (Chandrupatla
 * 1997): inverse quadratic interpolation where the three last points admit it, bisection otherwise. The
 * bracket never opens.
 */
export interface ScalarFunction {
  /** [0] place, to be set before `evaluate` */
  readonly place: Float64Array;
  /** [0] value */
  readonly result: Float64Array;
  evaluate(): void;
}

/** A value at a zero that exceeds rounding by this factor may be that of a jump across zero. */
const JUMP = 1024;
/**
 * A jump is looked at from this many resolutions away: what changes as much in between as in one of them is
 * smooth.
 */
const AWAY = 1024;
/** Bisection alone would halve any bracket of doubles to neighbours in fewer. */
const MOST_ITERATIONS = 100;

/**
 * @param bracket [0], [1] the two places; on return [0] is the zero, the place of the smaller |value| of the
 *   last bracket, and [1] its other end
 * @param resolution [0] distance of places that need not be told apart
 * @returns whether the signs were opposite (a zero at an end counts); otherwise [0] is the end with the
 *   smaller |value|
 */
export function refineRoot(f: ScalarFunction, bracket: Float64Array, resolution: Float64Array): boolean {
  const { place, result } = f;
  let a = bracket[0];
  let b = bracket[1];
  place[0] = a;
  f.evaluate();
  let fa = result[0];
  if (fa === 0) {
    bracket[1] = a;
    return true;
  }
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
  const isOther = Math.abs(fb) < Math.abs(fa);
  bracket[0] = isOther ? b : a;
  bracket[1] = isOther ? a : b;
  return true;
}

function valueAt(f: ScalarFunction, place: number): number {
  f.place[0] = place;
  f.evaluate();
  return f.result[0];
}

/**
 * The same for a function that may jump across zero, as a force does with a prescribed acceleration, or the
 * output of a relay with a sawtooth. There it has no zero; its root is the first place at which it has the
 * sign behind the jump, because at the last one before it nothing has happened yet. A steep function may be
 * taken to its far place, too, which is as good a zero.
 * @param zero [0] magnitude of values that count as zero
 * @param end last place at which the function may be evaluated; the first one is 0
 * @returns whether the function jumps: by half of what it changes by over a thousand times the distance, or
 *   more
 */
export function refineCrossing(
  f: ScalarFunction,
  bracket: Float64Array,
  resolution: Float64Array,
  zero: Float64Array,
  end: number,
): boolean {
  if (!refineRoot(f, bracket, resolution) || bracket[1] === bracket[0]) return false;
  const near = valueAt(f, bracket[0]);
  // A zero that was hit exactly is none of a jump, and leaves the bracket as wide as it was then.
  if (near === 0) return false;
  const change = Math.abs(valueAt(f, bracket[1]) - near);
  const left = Math.min(bracket[0], bracket[1]);
  const right = Math.max(bracket[0], bracket[1]);
  if (bracket[1] > bracket[0] && Math.abs(near) > JUMP * zero[0]) bracket[0] = bracket[1];
  if (!(change > JUMP * zero[0])) return false;
  const before = valueAt(f, Math.max(0, left - AWAY * resolution[0]));
  const behind = valueAt(f, Math.min(end, right + AWAY * resolution[0]));
  return change > 0.5 * Math.abs(behind - before);
}
