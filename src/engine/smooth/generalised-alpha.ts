/**
 * The generalised-α method of Chung and Hulbert 1993 for q̈ = f(t, q, q̇), in the form of Arnold and Brüls
 * 2007: the equation of motion holds at the ends of the step, and an algorithmic acceleration a beside it
 * carries what q̈ has been,
 *
 *     (1 − α_m) a₁ + α_m a₀ = (1 − α_f) q̈₁ + α_f q̈₀,     q̈₁ = f(t₁, q₁, v₁),
 *     q₁ = q₀ + h v₀ + h² ((½ − β) a₀ + β a₁),
 *     v₁ = v₀ + h ((1 − γ) a₀ + γ a₁).
 *
 * With the spectral radius ρ at infinite frequency
 *
 *     α_m = (2ρ − 1)/(ρ + 1),   α_f = ρ/(ρ + 1),   γ = ½ + α_f − α_m,   β = ¼ (γ + ½)²,
 *
 * it is of order 2 and unconditionally stable for linear systems; ρ = 1 is the average acceleration, which
 * damps nothing, ρ = 0 annihilates what a step does not resolve in one of them. A state of first order, ẋ =
 * f(t, x), has the companion method of Jansen, Whiting and Hulbert 2000: the line of v alone, with
 * α_m = (3ρ − 1)/(2ρ + 2).
 *
 * A step is as long as it is asked to be; there is no estimate of its error. a follows q̈ at a distance of
 * (α_m − α_f) h in time, so that its offset a − q̈ is what is kept: after an event it is zero; after a
 * correction of the state, as onto joints, it stays; into a step of another length it is taken in proportion
 * (Brüls and Arnold 2008), but not more than doubled: in what a step does not resolve it is as large as q̈
 * itself.
 *
 * Newton's method has q̈₁ for unknowns and the matrix I − κ (h γ ∂f/∂v + h² β ∂f/∂q) with κ =
 * (1 − α_f)/(1 − α_m). It goes on to rounding, because no tolerance says what else would be enough.
 *
 * Between the ends the state is the cubic of Hermite with the states and rates there, whose error of order 4
 * is below that of the step.
 */
import { factorDense, solveDense } from '../linalg/lu';
import { type DenseOutput, END, LENGTH, NEXT, START, type StepData, type StepMethod } from './step-method';
import type { Attempt } from './ode-system';

/** Weights of the method for a state of second or first order. */
interface AlphaWeights {
  readonly alphaM: number;
  readonly alphaF: number;
  readonly gamma: number;
  /** 0 of first order */
  readonly beta: number;
}

/** @param rho spectral radius at infinite frequency, 0 … 1 */
function alphaWeights(rho: number, order: 1 | 2): AlphaWeights {
  const alphaF = rho / (rho + 1);
  const alphaM = order === 2 ? (2 * rho - 1) / (rho + 1) : (3 * rho - 1) / (2 * rho + 2);
  const gamma = 0.5 + alphaF - alphaM;
  return { alphaM, alphaF, gamma, beta: order === 2 ? 0.25 * (gamma + 0.5) ** 2 : 0 };
}

/** Which components of the state are velocities of which others. */
interface AlphaPlaces {
  /** place in x of each velocity or state of first order */
  readonly velocity: Int32Array;
  /** place in x of what it is the velocity of; of a state of first order, its own */
  readonly position: Int32Array;
}

interface AlphaSettings {
  readonly places: AlphaPlaces;
  readonly spectralRadius: number;
  /**
   * ∂f/∂x at [i + n j], where it is known in closed form.
   * @returns false where it is not, in the present modes; differences take its place
   */
  readonly jacobian?: (clock: Float64Array, x: Float64Array, out: Float64Array) => boolean;
}

/** Of the offset from a short step to a long one. */
const LARGEST_GROWTH = 2;
const MOST_ITERATIONS = 25;
/** Corrections of velocities, relative to them, that end the iteration. */
const ROUNDING = 4 * Number.EPSILON;
/** Units of what rounding of the state leaves in a rate, which no iteration can go below. */
const NOISE = 8 * Number.EPSILON;
/**
 * With a new matrix for each of them, corrections shrink by ever more. Those that do not, and are as small as
 * this, are rounding of forces that a step multiplies, as of stiff springs; likewise where what is left of
 * the equations is as small beside the largest force as the second number says, as where a contact holds one.
 */
const FLOOR = 1e-7;
const LARGEST_NOISE = 64 * Number.EPSILON;
const STAGNATION = 0.25;
/** Beyond this rate of convergence a new matrix is worth its rates. */
const SLOW = 0.01;
/** A component counts as no smaller than this part of the largest of the state. */
const LEAST_SIZE = 1e-10;
/** Part by which a length may differ from that of the factors: one that is kept differs by rounding. */
const SAME_LENGTH = 2 ** -20;

export class GeneralisedAlpha implements StepMethod {
  readonly estimateOrder = 2;
  /** [0] length of the last step, 0 where there is none, followed by a − q̈ at its end by coordinate */
  readonly memory: Float64Array;
  readonly #second: AlphaWeights;
  readonly #first: AlphaWeights;
  readonly #count: number;
  /** a₀ and the unknowns q̈₁ by coordinate */
  readonly #a0: Float64Array;
  readonly #rate: Float64Array;
  readonly #correction: Float64Array;
  readonly #sizes: Float64Array;
  readonly #values: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #matrix: Float64Array;
  readonly #pivots: Int32Array;
  readonly #moved: Float64Array;
  readonly #clock = new Float64Array(1);
  /** h that the factors are of; 0 where there are none */
  readonly #factored = new Float64Array(1);
  /** [0] size of this correction, [1] of the one before, [2] what was left of the equations */
  readonly #size = new Float64Array(3);
  #bad = -1;

  constructor(
    private readonly data: StepData,
    private readonly settings: AlphaSettings,
  ) {
    const n = data.system.size;
    const count = settings.places.velocity.length;
    this.#second = alphaWeights(settings.spectralRadius, 2);
    this.#first = alphaWeights(settings.spectralRadius, 1);
    this.#count = count;
    this.memory = new Float64Array(count + 1);
    this.#a0 = new Float64Array(count);
    this.#rate = new Float64Array(count);
    this.#correction = new Float64Array(count);
    this.#sizes = new Float64Array(count);
    this.#values = new Float64Array(n);
    this.#jacobian = new Float64Array(n * n);
    this.#matrix = new Float64Array(count * count);
    this.#pivots = new Int32Array(count);
    this.#moved = new Float64Array(n);
  }

  reset(): void {
    this.begin();
  }

  begin(): void {
    this.memory.fill(0);
    this.#factored[0] = 0;
  }

  /** Goes on from a corrected state, with the offset of the algorithmic acceleration. */
  correct(): void {
    this.#factored[0] = 0;
  }

  attempt(): Attempt {
    const { span, rate0 } = this.data;
    const { velocity } = this.settings.places;
    span[NEXT] = span[LENGTH];
    this.#resume();
    for (let k = 0; k < this.#count; k++) this.#rate[k] = rate0[velocity[k]];
    const outcome = this.#solve();
    if (outcome !== 'accepted') return outcome;
    // The rates at the end are those of the state that is kept.
    this.#place();
    if (!this.#evaluate()) return 'rateNotFinite';
    this.data.rate1.set(this.#values);
    this.#keep();
    return 'accepted';
  }

  /** a₀ from the rates at the start and the offset that is kept. */
  #resume(): void {
    const { span, rate0 } = this.data;
    const { memory } = this;
    const { velocity } = this.settings.places;
    const share = memory[0] > 0 ? Math.min(LARGEST_GROWTH, span[LENGTH] / memory[0]) : 0;
    for (let k = 0; k < this.#count; k++) this.#a0[k] = rate0[velocity[k]] + share * memory[k + 1];
  }

  #isSecond(k: number): boolean {
    const { velocity, position } = this.settings.places;
    return position[k] !== velocity[k];
  }

  /** a₁ of a coordinate from the rates at both ends. */
  #algorithmic(k: number): number {
    const { alphaM, alphaF } = this.#isSecond(k) ? this.#second : this.#first;
    const before = this.data.rate0[this.settings.places.velocity[k]];
    return ((1 - alphaF) * this.#rate[k] + alphaF * before - alphaM * this.#a0[k]) / (1 - alphaM);
  }

  /** The state at the end that goes with the unknowns. */
  #place(): void {
    const { span, x0, x1 } = this.data;
    const { velocity, position } = this.settings.places;
    const h = span[LENGTH];
    x1.set(x0);
    for (let k = 0; k < this.#count; k++) {
      const isSecond = this.#isSecond(k);
      const { gamma, beta } = isSecond ? this.#second : this.#first;
      const a0 = this.#a0[k];
      const a1 = this.#algorithmic(k);
      const v = velocity[k];
      x1[v] = x0[v] + h * ((1 - gamma) * a0 + gamma * a1);
      if (!isSecond) continue;
      const q = position[k];
      x1[q] = x0[q] + h * (x0[v] + h * ((0.5 - beta) * a0 + beta * a1));
    }
  }

  /** f at the end. @returns whether it is finite */
  #evaluate(): boolean {
    const { span, system, counters, x1 } = this.data;
    this.#clock[0] = span[END];
    system.rate(this.#clock, x1, this.#values);
    counters.rates++;
    for (let i = 0; i < this.#values.length; i++) {
      if (Number.isFinite(this.#values[i])) continue;
      this.#bad = i;
      return false;
    }
    return true;
  }

  #solve(): Attempt {
    const { counters } = this.data;
    const { velocity } = this.settings.places;
    const size = this.#size;
    let isSlow = false;
    for (let iteration = 1; iteration <= MOST_ITERATIONS; iteration++) {
      this.#place();
      if (!this.#evaluate()) return 'rateNotFinite';
      counters.newtonIterations++;
      const isNew = isSlow || Math.abs(this.#factored[0] - this.#length) > SAME_LENGTH * this.#length;
      if (isNew && !this.#differentiate()) return 'jacobianNotFinite';
      if (isNew && !this.#factor()) return 'notSolved';
      const correction = this.#correction;
      for (let k = 0; k < this.#count; k++) correction[k] = this.#values[velocity[k]] - this.#rate[k];
      const isNoise = this.#isNoise();
      solveDense(this.#matrix, 0, this.#count, this.#pivots, 0, correction);
      for (let k = 0; k < this.#count; k++) this.#rate[k] += correction[k];
      this.#measure();
      if (!(size[0] < Infinity)) return 'notSolved';
      if (isNoise || size[0] <= ROUNDING) return 'accepted';
      if (iteration > 1) {
        const ratio = size[0] / size[1];
        if (ratio < SLOW && ratio * size[0] <= ROUNDING) return 'accepted';
        // An old matrix may be to blame; a new one leaves only rounding.
        const isSmall = size[0] < FLOOR || size[2] < LARGEST_NOISE;
        if (isNew && isSmall && ratio > STAGNATION) return 'accepted';
        isSlow = ratio > SLOW;
      }
      size[1] = size[0];
    }
    return 'notSolved';
  }

  /**
   * Whether what is left of each equation is rounding of what its rate is a sum of, as of springs that hold
   * each other: Σ |∂f/∂x| |x|.
   */
  #isNoise(): boolean {
    const { x1 } = this.data;
    const { velocity } = this.settings.places;
    const n = x1.length;
    let isNoise = true;
    let most = 0;
    let largest = 0;
    for (let k = 0; k < this.#count; k++) {
      const row = velocity[k];
      let terms = Math.abs(this.#values[row]);
      for (let j = 0; j < n; j++) terms += Math.abs(this.#jacobian[row + n * j] * x1[j]);
      const left = Math.abs(this.#correction[k]);
      if (!(left <= NOISE * terms)) isNoise = false;
      most = Math.max(most, left);
      largest = Math.max(largest, terms);
    }
    this.#size[2] = largest > 0 ? most / largest : 0;
    return isNoise;
  }

  get #length(): number {
    return this.data.span[LENGTH];
  }

  /** Largest correction of a velocity, relative to it; the component that it is of. */
  #measure(): void {
    const { x0, x1, rate0 } = this.data;
    const { velocity } = this.settings.places;
    const h = this.#length;
    let largest = 0;
    for (let k = 0; k < this.#count; k++) {
      const v = velocity[k];
      const rates = Math.abs(rate0[v]) + Math.abs(this.#rate[k]);
      this.#sizes[k] = Math.abs(x0[v]) + Math.abs(x1[v]) + h * rates;
      largest = Math.max(largest, this.#sizes[k]);
    }
    let worst = 0;
    for (let k = 0; k < this.#count; k++) {
      const { alphaM, alphaF, gamma } = this.#isSecond(k) ? this.#second : this.#first;
      const change = ((h * gamma * (1 - alphaF)) / (1 - alphaM)) * Math.abs(this.#correction[k]);
      const relative = change === 0 ? 0 : change / Math.max(this.#sizes[k], LEAST_SIZE * largest);
      if (relative <= worst) continue;
      worst = relative;
      this.#bad = velocity[k];
    }
    this.#size[0] = worst;
  }

  /** ∂f/∂x at the end. @returns whether it is finite */
  #differentiate(): boolean {
    const { system, counters, tolerances, x1 } = this.data;
    const { jacobian: known } = this.settings;
    const jacobian = this.#jacobian;
    const n = system.size;
    counters.jacobians++;
    if (known?.(this.#clock, x1, jacobian) !== true) {
      // Forward differences, as of the stiff method.
      const rate = this.#moved;
      for (let j = 0; j < n; j++) {
        const before = x1[j];
        const size = Math.max(Math.abs(before), tolerances.absolute[j] / tolerances.relative);
        x1[j] = before + Math.sqrt(Number.EPSILON) * size;
        const increment = x1[j] - before;
        system.rate(this.#clock, x1, rate);
        for (let i = 0; i < n; i++) jacobian[i + n * j] = (rate[i] - this.#values[i]) / increment;
        x1[j] = before;
      }
      counters.rates += n;
    }
    for (let at = 0; at < jacobian.length; at++) {
      if (Number.isFinite(jacobian[at])) continue;
      this.#bad = Math.floor(at / n);
      return false;
    }
    return true;
  }

  /** Factors of I − κ (h γ ∂f/∂v + h² β ∂f/∂q). @returns whether it is regular */
  #factor(): boolean {
    const { counters, system } = this.data;
    const { velocity, position } = this.settings.places;
    const h = this.#length;
    const n = system.size;
    const count = this.#count;
    const matrix = this.#matrix;
    for (let l = 0; l < count; l++) {
      const isSecond = this.#isSecond(l);
      const { alphaM, alphaF, gamma, beta } = isSecond ? this.#second : this.#first;
      const kappa = (1 - alphaF) / (1 - alphaM);
      const byVelocity = -kappa * h * gamma;
      const byPosition = -kappa * h * h * beta;
      for (let k = 0; k < count; k++) {
        let entry = byVelocity * this.#jacobian[velocity[k] + n * velocity[l]];
        if (isSecond) entry += byPosition * this.#jacobian[velocity[k] + n * position[l]];
        matrix[k + count * l] = k === l ? 1 + entry : entry;
      }
    }
    counters.factorisations++;
    const isRegular = factorDense(matrix, 0, count, this.#pivots, 0) < 0;
    this.#factored[0] = isRegular ? h : 0;
    return isRegular;
  }

  #keep(): void {
    const { memory } = this;
    const { rate1 } = this.data;
    const { velocity } = this.settings.places;
    memory[0] = this.#length;
    for (let k = 0; k < this.#count; k++) memory[k + 1] = this.#algorithmic(k) - rate1[velocity[k]];
  }

  isExtended(): boolean {
    return true;
  }

  interpolate(dense: DenseOutput): void {
    const { x0, x1, rate0, rate1 } = this.data;
    const { coefficients: f } = dense;
    const n = x0.length;
    const h = this.#length;
    dense.degree = 3;
    for (let i = 0; i < n; i++) {
      const change = x1[i] - x0[i];
      f[i] = x0[i];
      f[n + i] = change;
      f[2 * n + i] = h * rate0[i] - change;
      f[3 * n + i] = 2 * change - h * (rate0[i] + rate1[i]);
    }
  }

  isMisplaced(): boolean {
    return false;
  }

  blame(clock: Float64Array): number {
    clock[0] = this.data.span[this.#bad < 0 ? START : END];
    return this.#bad;
  }
}
