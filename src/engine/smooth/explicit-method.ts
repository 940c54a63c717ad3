/**
 * The explicit pair of order 8(5,3) with its extension of order 7. At relative tolerances of 1e-10 … 1e-13 a
 * pair of order 5 with an extension of order 4 needs steps (1e-10)^(1/5 − 1/8) ≈ 1/6 as long, which outweighs
 * its six stages against twelve (fifteen with the extension), and each of its steps has to be searched for
 * roots.
 *
 * Control (Hairer, Nørsett and Wanner 1993 §II.4 and §IV.2): h⁺ = h · SAFETY · err^−a · err₋^b with err₋ of
 * the last accepted step.
 *
 * Stiffness. Stage 12 and the new point have the same time, so that
 *
 *     ρ = |f(t + h, x₁) − k₁₂| / |x₁ − argument of k₁₂|
 *
 * estimates the largest eigenvalue of the Jacobian: the difference of the two points lies mostly in its
 * direction. Steps near the border of stability again and again are governed by it, not by accuracy (Hairer
 * and Wanner 1996 §IV.2).
 */
import { type DenseOutput, LENGTH, NEXT, type StepData, type StepMethod, TimeRounding } from './step-method';
import { Dop853Extension, Dop853Stages, measureError } from './dop853';
import type { Attempt } from './ode-system';

const SAFETY = 0.9;
/**
 * Share of the last error in the control: damps oscillations of the step length at the border of stability.
 */
const PROPORTIONAL = 0.02;
/** The error of a step is of order 8. */
const INTEGRAL = 1 / 8 - 0.2 * PROPORTIONAL;
const LARGEST_GROWTH = 6;
const LARGEST_CUT = 1 / 3;
/** A step with a rate that is not finite leads out of where it is defined; nothing is known of how far. */
const CUT_NOT_FINITE = 0.25;
/**
 * The extension is one polynomial, and what event functions cannot tell from zero on it is rounding of the
 * largest value on the step. A component may change by its tolerance over this many units of rounding, or
 * else by TENFOLD itself: what is lost to events is then below the tolerance.
 */
const ROUNDING = 4 * Number.EPSILON;
const TENFOLD = 10;
/*
 * The estimate is one number, which may vanish by accident on a step that is three times too long. The end of
 * such a step is exact all the same, by two orders more than the estimate; the extension between its ends, of
 * one order less, is not, and events would be found on it. The last term of the extension tells, whose
 * largest factor is that of θ⁴σ³: on steps as long as they should be it is 20 to 600 tolerances, and its size
 * goes by h⁷.
 */
const LAST_FACTOR = (4 ** 4 * 3 ** 3) / 7 ** 7;
const LARGEST_LAST_TERM = 5000;
/** Errors below this say nothing about the next step. */
const SMALLEST_ERROR = 1e-4;

/**
 * |hλ| from which a step counts as one at the border. The border itself is at 6.4; at tight tolerances the
 * control settles near 5, where the method hardly damps any more and the estimate of order 5 sees it.
 */
const STABILITY_BORDER = 4;
/** Steps at the border before the equation counts as stiff, and steps off it that clear the record. */
const STIFF_STEPS = 15;
const CLEARING_STEPS = 6;

export class ExplicitMethod implements StepMethod {
  readonly estimateOrder = 8;
  readonly #stages: Dop853Stages;
  readonly #extension: Dop853Extension;
  readonly #rounding: TimeRounding;
  /** [0] error of this attempt, [1] of the last accepted step */
  readonly #errors = new Float64Array(2);
  #isRepeated = false;
  #atBorder = 0;
  #offBorder = 0;

  constructor(private readonly data: StepData) {
    this.#stages = new Dop853Stages(data);
    this.#extension = new Dop853Extension(this.#stages);
    this.#rounding = new TimeRounding(data);
    this.reset();
  }

  reset(): void {
    this.#atBorder = 0;
    this.#offBorder = 0;
    this.begin();
  }

  begin(): void {
    this.#errors[1] = SMALLEST_ERROR;
    this.#isRepeated = false;
  }

  attempt(): Attempt {
    const { span, rate1, tolerances } = this.data;
    const errors = this.#errors;
    this.#stages.advance();
    measureError(this.#stages, tolerances.absolute, errors);
    let isFinite = errors[0] < Infinity;
    for (let i = 0; i < rate1.length && isFinite; i++) isFinite = Number.isFinite(rate1[i]);
    const h = span[LENGTH];
    if (!isFinite) {
      span[NEXT] = CUT_NOT_FINITE * h;
      this.#isRepeated = true;
      return 'rateNotFinite';
    }
    if (errors[0] > 1 && this.#rounding.measure())
      measureError(this.#stages, this.#rounding.absolute, errors);
    const error = errors[0];
    if (error <= 1 && !this.#isExactWithin()) {
      span[NEXT] = LARGEST_CUT * h;
      this.#isRepeated = true;
      return 'rejected';
    }
    const integral = error > 0 ? error ** -INTEGRAL : LARGEST_GROWTH / SAFETY;
    if (error > 1) {
      span[NEXT] = h * Math.max(LARGEST_CUT, SAFETY * integral);
      this.#isRepeated = true;
      return 'rejected';
    }
    const factor = Math.max(LARGEST_CUT, SAFETY * integral * errors[1] ** PROPORTIONAL);
    span[NEXT] = h * Math.min(this.#isRepeated ? 1 : LARGEST_GROWTH, factor);
    errors[1] = Math.max(error, SMALLEST_ERROR);
    this.#isRepeated = false;
    return 'accepted';
  }

  #isExactWithin(): boolean {
    const { x0, x1, tolerances } = this.data;
    const { relative, absolute } = tolerances;
    for (let i = 0; i < x0.length; i++) {
      const change = Math.abs(x1[i] - x0[i]);
      const size = Math.abs(x0[i]);
      if (change > TENFOLD * size && ROUNDING * change > absolute[i] + relative * size) return false;
    }
    return true;
  }

  interpolate(dense: DenseOutput): void {
    this.#extension.interpolate(dense);
  }

  isExtended({ coefficients, size }: DenseOutput): boolean {
    const { x0, tolerances } = this.data;
    const { relative, absolute } = tolerances;
    for (let i = 0; i < size; i++) {
      const last = LAST_FACTOR * Math.abs(coefficients[7 * size + i]);
      if (last > LARGEST_LAST_TERM * (absolute[i] + relative * Math.abs(x0[i]))) return false;
    }
    return true;
  }

  isMisplaced(): boolean {
    const { span, x1 } = this.data;
    const { k12, k13, lastArgument } = this.#stages;
    let rates = 0;
    let points = 0;
    for (let i = 0; i < x1.length; i++) {
      rates += (k13[i] - k12[i]) ** 2;
      points += (x1[i] - lastArgument[i]) ** 2;
    }
    const h = span[LENGTH];
    if (h * h * rates > STABILITY_BORDER ** 2 * points && points > 0) {
      this.#offBorder = 0;
      this.#atBorder++;
    } else if (this.#atBorder > 0 && ++this.#offBorder === CLEARING_STEPS) {
      this.#atBorder = 0;
      this.#offBorder = 0;
    }
    if (this.#atBorder < STIFF_STEPS) return false;
    this.#atBorder = 0;
    return true;
  }

  blame(clock: Float64Array): number {
    return this.#stages.firstNotFinite(clock);
  }
}
