/**
 * Walk along a polynomial piece of an event function, which hands its sweep the places that matter: all
 * extrema near zero, and ends. An interval is done with
 *
 * - where all Bernstein coefficients are on one side of zero: no zero there, whatever the extrema;
 * - where their differences, the coefficients of the derivative, do not change sign: monotone;
 * - where they change sign once: one extremum, located as the simple zero of the derivative that it is;
 * - where they vary by no more than rounding.
 *
 * Otherwise it is halved. A pair of zeros, however close, costs no more than others, because it is found
 * through the simple zero of the derivative between them; only near-triple zeros are subdivided to rounding.
 */
import { chebyshevToBernstein, evaluateBernstein, subdivide } from './bernstein';
import { type ScalarFunction, refineRoot } from './bracketing';
import type { SignSweep } from './sign-sweep';

/** Degrees of pieces go up to this. */
const MAX_PIECE_DEGREE = 8;
const ROW = MAX_PIECE_DEGREE + 1;
/** Halvings after which an interval is of the size of rounding. */
const MAX_DEPTH = 52;
/** Extrema need not be known better: the value changes by the square of this. */
const EXTREMUM_RESOLUTION = 1e-12;

/** The derivative of the topmost interval, up to a factor. */
class Slope implements ScalarFunction {
  readonly place = new Float64Array(1);
  readonly result = new Float64Array(1);
  readonly differences = new Float64Array(MAX_PIECE_DEGREE);
  readonly #work = new Float64Array(MAX_PIECE_DEGREE);
  degree = 0;

  evaluate(): void {
    evaluateBernstein(this.differences, 0, this.degree, this.place, this.result, this.#work);
  }
}

export class PieceWalk {
  /**
   * coefficients of the intervals that wait, the leftmost on top; those of a new piece go into the first
   * m + 1
   */
  readonly coefficients = new Float64Array((MAX_DEPTH + 1) * ROW);
  /** [0], [1] places of the ends of a new piece */
  readonly ends = new Float64Array(2);
  /** [0] variation of the function that is only rounding */
  readonly noise = new Float64Array(1);
  readonly #lefts = new Float64Array(MAX_DEPTH + 1);
  readonly #rights = new Float64Array(MAX_DEPTH + 1);
  readonly #slope = new Slope();
  readonly #work = new Float64Array(ROW);
  readonly #half = Float64Array.of(0.5);
  readonly #bracket = new Float64Array(2);
  readonly #resolution = Float64Array.of(EXTREMUM_RESOLUTION);

  /**
   * Walks along the piece of the given degree; its left end has been taken already.
   * @returns whether the sweep has found a root
   */
  walk(degree: number, sweep: SignSweep): boolean {
    const b = this.coefficients;
    const { point, zero } = sweep;
    this.#lefts[0] = this.ends[0];
    this.#rights[0] = this.ends[1];
    let top = 0;
    while (top >= 0) {
      const at = top * ROW;
      let least = b[at];
      let most = b[at];
      for (let i = 1; i <= degree; i++) {
        least = Math.min(least, b[at + i]);
        most = Math.max(most, b[at + i]);
      }
      const isClear = least > zero[0] || most < -zero[0];
      const changes = isClear ? 0 : this.#signChanges(at, degree);
      if (changes > 1 && top < MAX_DEPTH) {
        this.#halve(top, degree);
        top++;
        continue;
      }
      if (changes === 1) {
        this.#findExtremum(top, degree, point, zero);
        if (sweep.take()) return true;
      }
      point[0] = this.#rights[top];
      point[1] = b[at + degree];
      top--;
      if (sweep.take()) return true;
    }
    return false;
  }

  /**
   * Sign changes of the derivative's coefficients: 0, 1, or 2 for more or for what one bracket cannot tell.
   */
  #signChanges(at: number, degree: number): number {
    const b = this.coefficients;
    const { differences } = this.#slope;
    let variation = 0;
    let changes = 0;
    let last = 0;
    for (let i = 0; i < degree; i++) {
      const d = b[at + i + 1] - b[at + i];
      differences[i] = d;
      variation += Math.abs(d);
      if (d === 0) continue;
      if (last !== 0 && d > 0 !== last > 0) changes++;
      last = d > 0 ? 1 : -1;
    }
    if (variation <= this.noise[0]) return 0;
    if (changes === 1 && (differences[0] === 0 || differences[degree - 1] === 0)) return 2;
    return Math.min(changes, 2);
  }

  /** The left half on top of the right one. */
  #halve(top: number, degree: number): void {
    const b = this.coefficients;
    const at = top * ROW;
    for (let i = 0; i <= degree; i++) b[at + ROW + i] = b[at + i];
    subdivide(b, at + ROW, degree, this.#half, at);
    const middle = 0.5 * (this.#lefts[top] + this.#rights[top]);
    this.#lefts[top + 1] = this.#lefts[top];
    this.#rights[top + 1] = middle;
    this.#lefts[top] = middle;
  }

  /**
   * Place and value of the one extremum of the topmost interval. A maximum that is above zero where the
   * control polygon expects it is above zero, and so is all between that place and itself; it need not be
   * located.
   */
  #findExtremum(top: number, degree: number, point: Float64Array, zero: Float64Array): void {
    const { differences } = this.#slope;
    const bracket = this.#bracket;
    const isMaximum = differences[0] > 0;
    let i = 0;
    while (differences[i + 1] === 0 || differences[i + 1] > 0 === isMaximum) i++;
    bracket[0] = (i + differences[i] / (differences[i] - differences[i + 1])) / (degree - 1);
    this.#evaluate(top, degree, point);
    if (isMaximum ? point[1] > zero[0] : point[1] < -zero[0]) return;
    this.#slope.degree = degree - 1;
    bracket[0] = 0;
    bracket[1] = 1;
    refineRoot(this.#slope, bracket, this.#resolution);
    this.#evaluate(top, degree, point);
  }

  /** The topmost interval's value at u = `bracket[0]`, as a point of the piece. */
  #evaluate(top: number, degree: number, point: Float64Array): void {
    const bracket = this.#bracket;
    const { result } = this.#slope;
    evaluateBernstein(this.coefficients, top * ROW, degree, bracket, result, this.#work);
    point[0] = this.#lefts[top] + bracket[0] * (this.#rights[top] - this.#lefts[top]);
    point[1] = result[0];
  }

  /** Leaves only what lies beyond u = `place[0]` of the new piece. */
  cut(degree: number, place: Float64Array): void {
    const b = this.coefficients;
    subdivide(b, 0, degree, place, ROW);
    for (let i = 0; i <= degree; i++) b[i] = b[ROW + i];
  }
}

/*
 * Interpolation of a function on an interval by a polynomial of degree 8 in Chebyshev's points, and an
 * estimate of what it leaves out. With coefficients c_k of T_k that fall like q^k the remainder is about
 * |c_9| + |c_10| + …; q² is read off the last three pairs. For a function that is analytic on an ellipse
 * about the interval this is asymptotically a bound (Trefethen 2013, ch. 8); for an arbitrary one, nine
 * values prove nothing, and two more values, where an oscillation between the nine would be largest, are all
 * that stands against it. At a kink the estimate is of the right order, but may be up to ten times too small.
 *
 * Why degree 8 and halving, and not one high degree: T_k has Bernstein coefficients up to about 2^k/√k in
 * magnitude, 184 for k = 8 and 3·10⁹ for k = 32, by which conversion multiplies rounding.
 */

export const PIECE_DEGREE = 8;
const COUNT = PIECE_DEGREE + 1;
const TO_BERNSTEIN = chebyshevToBernstein(PIECE_DEGREE);

/** Sampling points in [0, 1], ascending. */
export const SAMPLE_PLACES = Float64Array.from(
  { length: COUNT },
  (_, i) => (1 - Math.cos((Math.PI * i) / PIECE_DEGREE)) / 2,
);
/** Control points, about half-way between sampling points near the middle and near an end. */
export const CONTROL_PLACES = Float64Array.of(0.4, 0.91);

const at = (k: number, u: number): number => Math.cos(k * Math.acos(2 * u - 1));

/** c_k = (2/8) Σ″ T_k(x_i) v_i, first and last terms halved, and so are c_0 and c_8; entry [k 9 + i]. */
const TRANSFORM = Float64Array.from({ length: COUNT * COUNT }, (_, entry) => {
  const k = Math.floor(entry / COUNT);
  const i = entry % COUNT;
  const isEnd = (j: number): number => (j === 0 || j === PIECE_DEGREE ? 0.5 : 1);
  return (
    (2 / PIECE_DEGREE) * isEnd(k) * isEnd(i) * Math.cos((k * (PIECE_DEGREE - i) * Math.PI) / PIECE_DEGREE)
  );
});
const CONTROL = [...CONTROL_PLACES].map((u) => Float64Array.from({ length: COUNT }, (_, k) => at(k, u)));

/** Largest q² taken for a decay: with a slower one the remainder is many times the last coefficients. */
const SLOWEST_DECAY = 0.8;
/** Rounding of nine values and their transformation. */
const ROUNDING = 4 * Number.EPSILON;

export class ChebyshevPiece {
  /** the nine values, then the two control values */
  readonly values = new Float64Array(COUNT + 2);
  /** [0] estimate of the largest difference to the function, [1] largest value */
  readonly measure = new Float64Array(2);
  readonly #c = new Float64Array(COUNT);

  /** Coefficients of the interpolant in Bernstein form, and its measure. */
  convert(b: Float64Array): void {
    const { values, measure } = this;
    const c = this.#c;
    let size = 0;
    for (let i = 0; i < COUNT; i++) size = Math.max(size, Math.abs(values[i]));
    for (let k = 0; k < COUNT; k++) {
      let sum = 0;
      for (let i = 0; i < COUNT; i++) sum += TRANSFORM[k * COUNT + i] * values[i];
      c[k] = sum;
    }
    let control = 0;
    for (let p = 0; p < 2; p++) {
      let sum = 0;
      for (let k = 0; k < COUNT; k++) sum += CONTROL[p][k] * c[k];
      control = Math.max(control, Math.abs(sum - values[COUNT + p]));
    }
    const earlier = Math.abs(c[3]) + Math.abs(c[4]);
    const before = Math.abs(c[5]) + Math.abs(c[6]);
    let last = Math.abs(c[7]) + Math.abs(c[8]);
    let decay = last < SLOWEST_DECAY * before ? last / before : SLOWEST_DECAY;
    // Where the last two are small by accident, as they may be at a kink, the pairs before them tell.
    if (earlier > 0) {
      const decayBefore = Math.min(SLOWEST_DECAY, before / earlier);
      decay = Math.max(decay, decayBefore);
      last = Math.max(last, decayBefore * before);
    }
    measure[0] = Math.max((last * decay) / (1 - decay), 2 * control) + ROUNDING * size;
    measure[1] = size;
    for (let i = 0; i < COUNT; i++) {
      let sum = 0;
      for (let k = 0; k < COUNT; k++) sum += TO_BERNSTEIN[k * COUNT + i] * c[k];
      b[i] = sum;
    }
  }
}
