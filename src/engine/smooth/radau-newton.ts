/**
 * The non-linear equations of a step of Radau IIA: Z = h (A ⊗ I) F(x₀ + Z) for the stages z₁, z₂, z₃, each of the size of
 * the state. With W = (T⁻¹ ⊗ I) Z simplified Newton iterations are
 *
 *     (γ/h − J) Δw₁ = (T⁻¹F)₁ − (γ/h) w₁
 *     ((α + iβ)/h − J) (Δw₂ + iΔw₃) = (T⁻¹F)₂ + i (T⁻¹F)₃ − ((α + iβ)/h)(w₂ + iw₃)
 *
 * with J at the start of the step or of an earlier one. They stop when the rate of convergence ϑ promises an error of
 * ϑ/(1 − ϑ) |ΔW| below a small part of the tolerance (Hairer, Wanner II, §IV.8).
 */
import type { Jacobian } from './jacobian';
import { ALPHA, BACK, BETA, GAMMA, NODES, TRANSFORM } from './radau-constants';
import { ComplexShifted, RealShifted } from './shifted-lu';
import { END, LENGTH, START, type StepData } from './step-data';

export const MOST_ITERATIONS = 7;
/** Part by which a length may differ from that of the factors: one that is kept differs by the rounding of times. Newton's method does not notice. */
const SAME_LENGTH = 2 ** -20;

export type NewtonOutcome = 'converged' | 'slow' | 'diverged' | 'rateNotFinite';

export class RadauNewton {
  /** stages as increments over x₀, and transformed */
  readonly z: readonly Float64Array[];
  readonly #w: readonly Float64Array[];
  readonly #f: readonly Float64Array[];
  readonly #argument: Float64Array;
  readonly #clock = new Float64Array(1);
  /** h the factors are of; 0 when there are none */
  readonly #factored = new Float64Array(1);
  readonly #shift = new Float64Array(2);
  readonly #complex: ComplexShifted;
  readonly real: RealShifted;
  /** 1/(absolute + relative |x₀|) */
  readonly scale: Float64Array;
  /** [0] ϑ, [1] ϑ/(1 − ϑ), [2] factor for h when convergence is slow, [3] time of a rate that is not finite, [4] size of the last correction */
  readonly rates = new Float64Array(5);
  readonly #tolerance: number;
  iterations = 0;
  /** component that was not finite */
  bad = -1;

  constructor(
    private readonly data: StepData,
    private readonly jacobian: Jacobian,
  ) {
    const n = data.system.size;
    const three = (): Float64Array[] => [0, 1, 2].map(() => new Float64Array(n));
    this.z = three();
    this.#w = three();
    this.#f = three();
    this.#argument = new Float64Array(n);
    this.scale = new Float64Array(n);
    this.#complex = new ComplexShifted(n);
    this.real = new RealShifted(n);
    const { relative } = data.tolerances;
    // Not below what rounding leaves, not above what the error estimate can bear.
    this.#tolerance = Math.max((10 * Number.EPSILON) / relative, Math.min(0.03, Math.sqrt(relative)));
    this.forget();
  }

  /** The Jacobian has changed. */
  forgetFactors(): void {
    this.#factored[0] = 0;
  }

  /** The rate of convergence of earlier steps says nothing any more. */
  forget(): void {
    this.forgetFactors();
    this.rates[0] = 1;
    this.rates[1] = 1;
  }

  /** Factors for the present h, unless there are. @returns whether both matrices are regular */
  factor(): boolean {
    const h = this.data.span[LENGTH];
    if (Math.abs(this.#factored[0] - h) <= SAME_LENGTH * h) return true;
    this.data.counters.factorisations++;
    this.#shift[0] = GAMMA / h;
    let isRegular = this.real.factor(this.jacobian.values, this.#shift);
    this.#shift[0] = ALPHA / h;
    this.#shift[1] = BETA / h;
    isRegular &&= this.#complex.factor(this.jacobian.values, this.#shift);
    this.#factored[0] = isRegular ? h : 0;
    return isRegular;
  }

  /** Errors count by these absolute tolerances from here on. */
  rescale(absolute: Float64Array): void {
    const { x0, tolerances } = this.data;
    for (let i = 0; i < x0.length; i++)
      this.scale[i] = 1 / (absolute[i] + tolerances.relative * Math.abs(x0[i]));
  }

  /** Solves for the stages, from the values that stand in z. */
  solve(): NewtonOutcome {
    const { counters, tolerances } = this.data;
    const { rates } = this;
    this.rescale(tolerances.absolute);
    multiply(BACK, this.z, this.#w);
    rates[1] = Math.max(rates[1], Number.EPSILON) ** 0.8;
    let last = 0;
    let lastRatio = 0;
    for (let iteration = 1; iteration <= MOST_ITERATIONS; iteration++) {
      this.iterations = iteration;
      counters.newtonIterations++;
      if (!this.#evaluate()) return 'rateNotFinite';
      this.#correct();
      const size = rates[4];
      if (!(size < Infinity)) return 'diverged';
      if (iteration > 1 && iteration < MOST_ITERATIONS) {
        const ratio = last > 0 ? size / last : 0;
        rates[0] = iteration === 2 ? ratio : Math.sqrt(ratio * lastRatio);
        lastRatio = ratio;
        if (rates[0] >= 0.99) return 'diverged';
        rates[1] = rates[0] / (1 - rates[0]);
        const left = MOST_ITERATIONS - 1 - iteration;
        const excess = (rates[1] * size * rates[0] ** left) / this.#tolerance;
        if (excess >= 1) {
          rates[2] = 0.8 * Math.max(1e-4, Math.min(20, excess)) ** (-1 / (4 + left));
          return 'slow';
        }
      }
      last = Math.max(size, Number.EPSILON);
      multiply(TRANSFORM, this.#w, this.z);
      if (rates[1] * size <= this.#tolerance) return 'converged';
    }
    return 'diverged';
  }

  /** F(x₀ + Z). @returns whether it is finite */
  #evaluate(): boolean {
    const { system, counters, span, x0 } = this.data;
    const x = this.#argument;
    counters.rates += 3;
    for (let stage = 0; stage < 3; stage++) {
      const z = this.z[stage];
      const f = this.#f[stage];
      for (let i = 0; i < x.length; i++) x[i] = x0[i] + z[i];
      this.#clock[0] = stage === 2 ? span[END] : span[START] + NODES[stage] * span[LENGTH];
      system.rate(this.#clock, x, f);
      for (let i = 0; i < f.length; i++) {
        if (Number.isFinite(f[i])) continue;
        this.bad = i;
        this.rates[3] = this.#clock[0];
        return false;
      }
    }
    return true;
  }

  /** One correction of W, and its size relative to the tolerances. */
  #correct(): void {
    const h = this.data.span[LENGTH];
    const w1 = this.#w[0];
    const w2 = this.#w[1];
    const w3 = this.#w[2];
    const r1 = this.#f[0];
    const r2 = this.#f[1];
    const r3 = this.#f[2];
    const { scale } = this;
    multiply(BACK, this.#f, this.#f);
    const g = GAMMA / h;
    const a = ALPHA / h;
    const b = BETA / h;
    for (let i = 0; i < w1.length; i++) {
      r1[i] -= g * w1[i];
      r2[i] -= a * w2[i] - b * w3[i];
      r3[i] -= a * w3[i] + b * w2[i];
    }
    this.real.solve(r1);
    this.#complex.solve(r2, r3);
    let sum = 0;
    for (let i = 0; i < w1.length; i++) {
      sum += (r1[i] * r1[i] + r2[i] * r2[i] + r3[i] * r3[i]) * scale[i] * scale[i];
      w1[i] += r1[i];
      w2[i] += r2[i];
      w3[i] += r3[i];
    }
    this.rates[4] = Math.sqrt(sum / (3 * w1.length));
  }
}

/** (m ⊗ I) x into y, which may be x. */
function multiply(m: readonly number[], x: readonly Float64Array[], y: readonly Float64Array[]): void {
  const n = x[0].length;
  for (let i = 0; i < n; i++) {
    const a = x[0][i];
    const b = x[1][i];
    const c = x[2][i];
    y[0][i] = m[0] * a + m[1] * b + m[2] * c;
    y[1][i] = m[3] * a + m[4] * b + m[5] * c;
    y[2][i] = m[6] * a + m[7] * b + m[8] * c;
  }
}
