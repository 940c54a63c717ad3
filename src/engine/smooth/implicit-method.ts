/**
 * Radau IIA of order 5 for stiff systems, with its collocation polynomial as continuous extension and the
 * control of Hairer and Wanner 1996 §IV.8: Newton's effort enters the step length, and Gustafsson's
 * predictive controller follows errors that grow from step to step.
 *
 * The error estimate is of order 3, and so is the extension inside the step; the end of the step is of order
 * 5. The estimate is used as it is, without the exponent 2/3 by which the code RADAU5 loosens it, so that
 * outputs and events between the ends are as exact as was asked for, and the ends more exact.
 *
 * In stiff components that estimate tends to zero like 1/(hλ), and says nothing of the extension: a cubic
 * through the solution at 0, c₁, c₂ and 1, which leaves h⁴ x⁗/24 · θ(θ − c₁)(θ − c₂)(θ − 1). So the fourth
 * derivative, as the divided difference of the third derivatives −6F₃/h³ of this step's cubic and the last
 * one's, joins the estimate.
 */
import {
  type DenseOutput,
  END,
  LENGTH,
  NEXT,
  START,
  type StepData,
  type StepMethod,
  TimeRounding,
} from './step-method';
import { ERROR_WEIGHTS, MOST_ITERATIONS, NODES, RadauNewton, Jacobian } from './radau-newton';
import type { Attempt } from './ode-system';

const SAFETY = 0.9;
const LARGEST_GROWTH = 8;
const LARGEST_CUT = 1 / 5;
/** A Jacobian with which Newton's method converges this fast is kept. */
const KEEP_JACOBIAN = 1e-3;
/** Largest |θ(θ − c₁)(θ − c₂)(θ − 1)| on the step. */
const LARGEST_REMAINDER = 0.0182;
/** Changes of the step length within this are not worth new factors. */
const KEEP_LENGTH = 1.2;
const SMALLEST_ERROR = 1e-2;
const CUT_NOT_FINITE = 0.25;

/** Below this |hλ| the explicit pair is stable with the same step, and cheaper. */
const EASY = 3;
/** Steps in a row that are easy before the equation counts as no longer stiff. */
const EASY_STEPS = 6;

export class ImplicitMethod implements StepMethod {
  readonly estimateOrder = 3;
  readonly #jacobian: Jacobian;
  readonly #newton: RadauNewton;
  readonly #rounding: TimeRounding;
  readonly #filtered: Float64Array;
  readonly #argument: Float64Array;
  readonly #clock = new Float64Array(1);
  /** F₁, F₂, F₃ of the last accepted step's extension */
  readonly #extension: readonly Float64Array[];
  /**
   * [0] error of this attempt, [1] of the last accepted step, [2] length of that step, [3] time of what was
   * not finite
   */
  readonly #control = new Float64Array(4);
  #hasJacobian = false;
  #isFresh = false;
  #isFirst = true;
  #isRepeated = false;
  #easySteps = 0;
  /** steps in a row that must be easy; doubles with every return, so that the methods do not alternate */
  #patience = EASY_STEPS;
  #bad = -1;

  constructor(
    private readonly data: StepData,
    private readonly judgesStiffness: boolean,
  ) {
    const n = data.system.size;
    this.#jacobian = new Jacobian(data);
    this.#newton = new RadauNewton(data, this.#jacobian);
    this.#rounding = new TimeRounding(data);
    this.#filtered = new Float64Array(n);
    this.#argument = new Float64Array(n);
    this.#extension = [0, 1, 2].map(() => new Float64Array(n));
  }

  reset(): void {
    this.#easySteps = 0;
    this.#patience = EASY_STEPS;
    this.begin();
  }

  begin(): void {
    this.#hasJacobian = false;
    this.#isFresh = false;
    this.#isFirst = true;
    this.#isRepeated = false;
    this.#newton.forget();
  }

  attempt(): Attempt {
    if (!this.#hasJacobian && !this.#renewJacobian()) return 'jacobianNotFinite';
    if (!this.#newton.factor()) return this.#repeat(0.5);
    this.#predict();
    const outcome = this.#newton.solve();
    if (outcome === 'rateNotFinite') {
      this.#bad = this.#newton.bad;
      this.#control[3] = this.#newton.rates[3];
      this.#repeat(CUT_NOT_FINITE);
      return 'rateNotFinite';
    }
    if (outcome === 'diverged') return this.#repeat(0.5);
    if (outcome === 'slow') return this.#repeat(this.#newton.rates[2]);
    if (!this.#finish()) {
      this.#repeat(CUT_NOT_FINITE);
      return 'rateNotFinite';
    }
    return this.#judge();
  }

  #renewJacobian(): boolean {
    if (!this.#jacobian.evaluate()) {
      this.#bad = this.#jacobian.bad;
      this.#control[3] = this.data.span[START];
      return false;
    }
    if (this.judgesStiffness) this.#jacobian.estimateRadius();
    this.#newton.forgetFactors();
    this.#hasJacobian = true;
    this.#isFresh = true;
    return true;
  }

  /** Another attempt with a part of the length, and with the Jacobian of this very state. */
  #repeat(part: number): Attempt {
    const { span } = this.data;
    span[NEXT] = part * span[LENGTH];
    this.#isRepeated = true;
    if (!this.#isFresh) this.#hasJacobian = false;
    return 'rejected';
  }

  /** Starting values: the last step's collocation polynomial beyond its end. */
  #predict(): void {
    const { z } = this.#newton;
    if (this.#isFirst) {
      for (const stage of z) stage.fill(0);
      return;
    }
    const f1 = this.#extension[0];
    const f2 = this.#extension[1];
    const f3 = this.#extension[2];
    const ratio = this.data.span[LENGTH] / this.#control[2];
    for (let stage = 0; stage < 3; stage++) {
      const over = NODES[stage] * ratio;
      const theta = 1 + over;
      // x(θ) − x(1) = (θ − 1) F₁ + θ (1 − θ)(F₂ + θ F₃)
      for (let i = 0; i < f1.length; i++) {
        z[stage][i] = over * (f1[i] - theta * (f2[i] + theta * f3[i]));
      }
    }
  }

  /** New point, its rate and the error of the step. @returns whether the rate is finite */
  #finish(): boolean {
    const { system, counters, span, x0, x1, rate0, rate1 } = this.data;
    const z1 = this.#newton.z[0];
    const z2 = this.#newton.z[1];
    const z3 = this.#newton.z[2];
    const e1 = ERROR_WEIGHTS[0];
    const e2 = ERROR_WEIGHTS[1];
    const e3 = ERROR_WEIGHTS[2];
    const h = span[LENGTH];
    const error = this.#filtered;
    for (let i = 0; i < x0.length; i++) {
      x1[i] = x0[i] + z3[i];
      error[i] = rate0[i] + (e1 * z1[i] + e2 * z2[i] + e3 * z3[i]) / h;
    }
    // Multiplied by γ/h (γ/h − J)⁻¹ h/γ the estimate stays bounded for hλ → ∞.
    this.#newton.real.solve(error);
    this.#measure();
    if (this.#control[0] >= 1 && (this.#isFirst || this.#isRepeated)) {
      // Once more, which makes it vanish for hλ → ∞ as the method does.
      for (let i = 0; i < x0.length; i++) this.#argument[i] = x0[i] + error[i];
      this.#clock[0] = span[START];
      system.rate(this.#clock, this.#argument, error);
      counters.rates++;
      for (let i = 0; i < x0.length; i++) error[i] += (e1 * z1[i] + e2 * z2[i] + e3 * z3[i]) / h;
      this.#newton.real.solve(error);
      this.#measure();
    }
    if (!this.#isFirst) this.#measureExtension();
    if (this.#control[0] >= 1 && this.#rounding.measure()) {
      this.#newton.rescale(this.#rounding.absolute);
      this.#measure();
      if (!this.#isFirst) this.#measureExtension();
    }
    this.#clock[0] = span[END];
    system.rate(this.#clock, x1, rate1);
    counters.rates++;
    for (let i = 0; i < rate1.length; i++) {
      if (Number.isFinite(rate1[i])) continue;
      this.#bad = i;
      this.#control[3] = this.#clock[0];
      return false;
    }
    return true;
  }

  #measure(): void {
    const error = this.#filtered;
    const { scale } = this.#newton;
    let sum = 0;
    for (let i = 0; i < error.length; i++) sum += (error[i] * scale[i]) ** 2;
    this.#control[0] = Math.max(Math.sqrt(sum / error.length), 1e-10);
  }

  /** Error within the step; the larger one counts. */
  #measureExtension(): void {
    const h = this.data.span[LENGTH];
    const z1 = this.#newton.z[0];
    const z2 = this.#newton.z[1];
    const z3 = this.#newton.z[2];
    const { scale } = this.#newton;
    const f3 = this.#extension[2];
    const control = this.#control;
    const before = control[2];
    const c1 = NODES[0];
    const c2 = NODES[1];
    const factor = (LARGEST_REMAINDER * h ** 4) / (2 * (h + before));
    let sum = 0;
    for (let i = 0; i < z1.length; i++) {
      const s1 = (z1[i] / c1 - z3[i]) / (1 - c1);
      const s2 = (z2[i] / c2 - z3[i]) / (1 - c2);
      const third = (s2 - s1) / (c2 - c1) / h ** 3 - f3[i] / before ** 3;
      sum += (factor * third * scale[i]) ** 2;
    }
    control[0] = Math.max(control[0], Math.sqrt(sum / z1.length));
  }

  #judge(): Attempt {
    const { span } = this.data;
    const h = span[LENGTH];
    const control = this.#control;
    const error = control[0];
    if (!(error < Infinity)) return this.#repeat(LARGEST_CUT);
    const effort = (1 + 2 * MOST_ITERATIONS) / (this.#newton.iterations + 2 * MOST_ITERATIONS);
    let factor = SAFETY * Math.min(1, effort) * error ** -0.25;
    factor = Math.max(LARGEST_CUT, Math.min(LARGEST_GROWTH, factor));
    if (error >= 1) return this.#repeat(this.#isFirst ? Math.min(0.1, factor) : factor);
    if (!this.#isFirst) {
      const predicted = (SAFETY * h) / control[2] / (error ** 2 / control[1]) ** 0.25;
      factor = Math.min(factor, Math.max(LARGEST_CUT, Math.min(LARGEST_GROWTH, predicted)));
    }
    control[1] = Math.max(SMALLEST_ERROR, error);
    control[2] = h;
    if (this.#isRepeated) factor = Math.min(1, factor);
    const isFast = this.#newton.rates[0] <= KEEP_JACOBIAN;
    if (isFast && factor >= 1 && factor <= KEEP_LENGTH) factor = 1;
    else if (!isFast) this.#hasJacobian = false;
    span[NEXT] = factor * h;
    this.#isFresh = false;
    this.#isFirst = false;
    this.#isRepeated = false;
    this.#keepExtension();
    return 'accepted';
  }

  /** F₂ and F₃ from z_i = c_i (F₁ + (1 − c_i)(F₂ + c_i F₃)), i = 1, 2. */
  #keepExtension(): void {
    const z1 = this.#newton.z[0];
    const z2 = this.#newton.z[1];
    const z3 = this.#newton.z[2];
    const f1 = this.#extension[0];
    const f2 = this.#extension[1];
    const f3 = this.#extension[2];
    const c1 = NODES[0];
    const c2 = NODES[1];
    for (let i = 0; i < z1.length; i++) {
      const s1 = (z1[i] / c1 - z3[i]) / (1 - c1);
      const s2 = (z2[i] / c2 - z3[i]) / (1 - c2);
      const slope = (s2 - s1) / (c2 - c1);
      f1[i] = z3[i];
      f2[i] = s1 - c1 * slope;
      f3[i] = slope;
    }
  }

  isExtended(): boolean {
    return true;
  }

  interpolate(dense: DenseOutput): void {
    const { x0 } = this.data;
    dense.degree = 3;
    const n = x0.length;
    const f1 = this.#extension[0];
    const f2 = this.#extension[1];
    const f3 = this.#extension[2];
    for (let i = 0; i < n; i++) {
      dense.coefficients[i] = x0[i];
      dense.coefficients[n + i] = f1[i];
      dense.coefficients[2 * n + i] = f2[i];
      dense.coefficients[3 * n + i] = f3[i];
    }
  }

  isMisplaced(): boolean {
    if (this.data.span[LENGTH] * this.#jacobian.radius[0] > EASY) {
      this.#easySteps = 0;
      return false;
    }
    this.#easySteps++;
    if (this.#easySteps < this.#patience) return false;
    this.#patience *= 2;
    this.#easySteps = 0;
    return true;
  }

  blame(clock: Float64Array): number {
    clock[0] = this.#control[3];
    return this.#bad;
  }
}
