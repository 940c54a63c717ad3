/**
 * Walk along a linear form on an arc, which hands its sweep the places between which the form is monotone or
 * clear of zero: ends, and extrema near zero. As the sweep sees the signs there, no pair of zeros is missed,
 * however close.
 *
 * Three stages, each for what the one before leaves open:
 *
 * 1. up to degree 2 the one extremum is −g_1/(2 g_2);
 * 2. the terms up to degree 8 in Bernstein form, with R = Σ_{k>8} |g_k| h^k for the others: if b_i − R > 0
 *   for all i, or
 *    b_i + R < 0, there is no zero; if 8 (b_{i+1} − b_i) exceeds R' = Σ_{k>8} k |g_k| h^k in one direction
 *    for all i, the form is monotone. That decides most arcs;
 * 3. all terms in Bernstein form, halved until each interval is clear of zero, monotone, flat to rounding, or
 *   has one
 *    extremum (Descartes' rule for the coefficients of the derivative), which is located as the simple zero
 *    that it is.
 */
import { subdivide } from '../smooth/bernstein';
import { refineRoot } from '../smooth/bracketing';
import type { SignSweep } from '../smooth/sign-sweep';
import type { FormPolynomial } from './form-polynomial';
import { MAX_ORDER, ROW } from './linear-system';

/*
 * Powers in Bernstein form on [0, h]: τ^k = h^k Σ_{i≥k} C(i, k)/C(m, k) B_i of degree m. The weights are
 * between 0 and 1: the conversion multiplies no rounding, at any degree. (Farin 2002 §6.)
 */

/** C(i, k)/C(m, k) at [ROW i + k], for each degree m. */
const WEIGHTS: readonly Float64Array[] = Array.from({ length: MAX_ORDER + 1 }, (_, m) => {
  const table = new Float64Array(ROW * ROW);
  for (let i = 0; i <= m; i++) {
    table[ROW * i] = 1;
    for (let k = 1; k <= i; k++) table[ROW * i + k] = (table[ROW * i + k - 1] * (i - k + 1)) / (m - k + 1);
  }
  return table;
});

/**
 * @param g coefficients of 1, τ, τ², …, to the given degree; further ones are left out
 * @param length [0] h
 * @param scratch degree + 1 entries
 * @param b Bernstein coefficients
 */
function bernsteinFromPowers(
  g: Float64Array,
  degree: number,
  length: Float64Array,
  scratch: Float64Array,
  b: Float64Array,
): void {
  const table = WEIGHTS[degree];
  const h = length[0];
  let power = 1;
  for (let k = 0; k <= degree; k++) {
    scratch[k] = g[k] * power;
    power *= h;
  }
  for (let i = 0; i <= degree; i++) {
    let sum = scratch[0];
    for (let k = 1; k <= i; k++) sum += table[ROW * i + k] * scratch[k];
    b[i] = sum;
  }
}

const LOW_DEGREE = 8;
/** Halvings after which an interval is of the size of rounding. */
const MAX_DEPTH = 52;
/** Extrema need not be known better, relative to their interval: the value changes by the square of this. */
const EXTREMUM_RESOLUTION = 1e-12;

export class ArcWalk {
  /** the intervals that wait, the leftmost on top */
  readonly #b = new Float64Array((MAX_DEPTH + 1) * ROW);
  readonly #lefts = new Float64Array(MAX_DEPTH + 1);
  readonly #rights = new Float64Array(MAX_DEPTH + 1);
  readonly #scratch = new Float64Array(ROW);
  readonly #half = Float64Array.of(0.5);
  readonly #bracket = new Float64Array(2);
  readonly #resolution = new Float64Array(1);
  /** [0] noise at a place */
  readonly #noise = new Float64Array(1);
  /** [0] noise from which on values count as zero, whatever rounding says */
  readonly #band = new Float64Array(1);

  /**
   * Walks along the whole arc, whose start has been taken already.
   * @param band [0] values up to this count as zero
   * @returns whether the sweep has found a root
   */
  walk(form: FormPolynomial, band: Float64Array, sweep: SignSweep): boolean {
    this.#band[0] = band[0];
    if (form.degree <= 2) return this.#walkQuadratic(form, sweep);
    if (form.degree > LOW_DEGREE && this.#isSimple(form)) return this.#take(form, form.length, sweep);
    return this.#walkAll(form, sweep);
  }

  #walkQuadratic(form: FormPolynomial, sweep: SignSweep): boolean {
    const bracket = this.#bracket;
    if (form.degree === 2) {
      bracket[0] = (-0.5 * form.coefficients[1]) / form.coefficients[2];
      const isInside = bracket[0] > 0 && bracket[0] < form.length[0];
      if (isInside && this.#take(form, bracket, sweep)) return true;
    }
    return this.#take(form, form.length, sweep);
  }

  /** Whether the terms of low degree show that the form is clear of zero or monotone. */
  #isSimple(form: FormPolynomial): boolean {
    const { coefficients: g, length, degree } = form;
    const b = this.#b;
    let remainder = 0;
    let slopeRemainder = 0;
    let power = length[0] ** (LOW_DEGREE + 1);
    for (let k = LOW_DEGREE + 1; k <= degree; k++) {
      const size = Math.abs(g[k]) * power;
      remainder += size;
      slopeRemainder += k * size;
      power *= length[0];
    }
    form.noise(length, this.#noise);
    remainder += Math.max(this.#noise[0], this.#band[0]);
    slopeRemainder = (slopeRemainder + degree * this.#noise[0]) / LOW_DEGREE;
    bernsteinFromPowers(g, LOW_DEGREE, length, this.#scratch, b);
    let least = b[0];
    let most = b[0];
    let leastRise = Infinity;
    let mostRise = -Infinity;
    for (let i = 1; i <= LOW_DEGREE; i++) {
      least = Math.min(least, b[i]);
      most = Math.max(most, b[i]);
      leastRise = Math.min(leastRise, b[i] - b[i - 1]);
      mostRise = Math.max(mostRise, b[i] - b[i - 1]);
    }
    const isClear = least > remainder || most < -remainder;
    return isClear || leastRise > slopeRemainder || mostRise < -slopeRemainder;
  }

  #walkAll(form: FormPolynomial, sweep: SignSweep): boolean {
    const b = this.#b;
    const { degree, length } = form;
    bernsteinFromPowers(form.coefficients, degree, length, this.#scratch, b);
    this.#lefts[0] = 0;
    this.#rights[0] = length[0];
    let top = 0;
    while (top >= 0) {
      const at = top * ROW;
      let least = b[at];
      let most = b[at];
      for (let i = 1; i <= degree; i++) {
        least = Math.min(least, b[at + i]);
        most = Math.max(most, b[at + i]);
      }
      this.#bracket[0] = this.#rights[top];
      form.noise(this.#bracket, this.#noise);
      const zero = Math.max(this.#noise[0], this.#band[0]);
      const isClear = least > zero || most < -zero;
      const changes = isClear || most - least <= this.#noise[0] ? 0 : this.#slopeChanges(at, degree);
      if (changes > 1 && top < MAX_DEPTH) {
        this.#halve(top++, degree);
        continue;
      }
      if (changes === 1 && this.#takeExtremum(top, form, sweep)) return true;
      this.#bracket[0] = this.#rights[top];
      if (this.#take(form, this.#bracket, sweep)) return true;
      top--;
    }
    return false;
  }

  /** Sign changes of the derivative's coefficients: 0, 1, or 2 for more or for an extremum at an end. */
  #slopeChanges(at: number, degree: number): number {
    const b = this.#b;
    let changes = 0;
    let last = 0;
    for (let i = 0; i < degree; i++) {
      const d = b[at + i + 1] - b[at + i];
      if (d === 0) continue;
      const sign = d > 0 ? 1 : -1;
      if (last === -sign) changes++;
      last = sign;
    }
    const hasFlatEnd = b[at + 1] === b[at] || b[at + degree] === b[at + degree - 1];
    return changes === 1 && hasFlatEnd ? 2 : Math.min(changes, 2);
  }

  /** The left half on top of the right one. */
  #halve(top: number, degree: number): void {
    const b = this.#b;
    const at = top * ROW;
    for (let i = 0; i <= degree; i++) b[at + ROW + i] = b[at + i];
    subdivide(b, at + ROW, degree, this.#half, at);
    const middle = 0.5 * (this.#lefts[top] + this.#rights[top]);
    this.#lefts[top + 1] = this.#lefts[top];
    this.#rights[top + 1] = middle;
    this.#lefts[top] = middle;
  }

  /**
   * The one extremum of the topmost interval. A maximum that is above zero where the control polygon expects
   * it is above zero, and so is all between that place and itself; it need not be located. The same holds for
   * a minimum below.
   */
  #takeExtremum(top: number, form: FormPolynomial, sweep: SignSweep): boolean {
    const b = this.#b;
    const bracket = this.#bracket;
    const left = this.#lefts[top];
    const right = this.#rights[top];
    const at = top * ROW;
    const isMaximum = b[at + 1] > b[at];
    let i = 0;
    while (i < form.degree - 1 && b[at + i + 2] > b[at + i + 1] === isMaximum) i++;
    bracket[0] = left + ((i + 1) / form.degree) * (right - left);
    form.place[0] = bracket[0];
    form.evaluate();
    form.noise(bracket, this.#noise);
    const zero = Math.max(this.#noise[0], this.#band[0]);
    const value = form.result[0];
    if (isMaximum ? value <= zero : value >= -zero) {
      bracket[0] = left;
      bracket[1] = right;
      this.#resolution[0] = EXTREMUM_RESOLUTION * (right - left);
      refineRoot(form.slope, bracket, this.#resolution);
    }
    return this.#take(form, bracket, sweep);
  }

  /** Hands the sweep the form at `place[0]`. @returns whether a root is complete with it */
  #take(form: FormPolynomial, place: Float64Array, sweep: SignSweep): boolean {
    form.place[0] = place[0];
    form.evaluate();
    form.noise(place, this.#noise);
    sweep.point[0] = place[0];
    sweep.point[1] = form.result[0];
    sweep.zero[0] = Math.max(this.#noise[0], this.#band[0]);
    return sweep.take();
  }
}
