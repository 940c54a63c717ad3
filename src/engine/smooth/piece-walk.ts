/**
 * Walk along a polynomial piece of an event function, which hands its sweep the places that matter: all extrema near zero,
 * and ends. An interval is done with
 *
 * - where all Bernstein coefficients are on one side of zero: no zero there, whatever the extrema;
 * - where their differences, the coefficients of the derivative, do not change sign: monotone;
 * - where they change sign once: one extremum, located as the simple zero of the derivative that it is;
 * - where they vary by no more than rounding.
 *
 * Otherwise it is halved. A pair of zeros, however close, costs no more than others, because it is found through the
 * simple zero of the derivative between them; only near-triple zeros are subdivided to rounding.
 */
import { evaluateBernstein, subdivide } from './bernstein';
import { refineRoot, type ScalarFunction } from './bracketing';
import type { SignSweep } from './sign-sweep';

/** Degrees of pieces go up to this. */
export const MAX_PIECE_DEGREE = 8;
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
  /** coefficients of the intervals that wait, the leftmost on top; those of a new piece go into the first m + 1 */
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

  /** Sign changes of the derivative's coefficients: 0, 1, or 2 for more or for what one bracket cannot tell. */
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
   * Place and value of the one extremum of the topmost interval. A maximum that is above zero where the control polygon
   * expects it is above zero, and so is all between that place and itself; it need not be located.
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
