/**
 * The non-linear equations of a step of Radau IIA: Z = h (A ⊗ I) F(x₀ + Z) for the stages z₁, z₂, z₃, each of
 * the size of the state. With W = (T⁻¹ ⊗ I) Z simplified Newton iterations are
 *
 *     (γ/h − J) Δw₁ = (T⁻¹F)₁ − (γ/h) w₁
 *     ((α + iβ)/h − J) (Δw₂ + iΔw₃) = (T⁻¹F)₂ + i (T⁻¹F)₃ − ((α + iβ)/h)(w₂ + iw₃)
 *
 * with J at the start of the step or of an earlier one. They stop when the rate of convergence ϑ promises an
 * error of ϑ/(1 − ϑ) |ΔW| below a small part of the tolerance (Hairer and Wanner 1996 §IV.8).
 */
import { END, LENGTH, START, type StepData, firstNotFinite } from './step-method';

/* ∂f/∂x at the start of a step: given by the system or by differences, and its spectral radius. */

/**
 * Products with J that estimate ρ; those of the first half only turn the vector into the dominant directions.
 */
const PRODUCTS = 20;

export class Jacobian {
  /** ∂f_i/∂x_j at [i + n j] */
  readonly values: Float64Array;
  /** [0] estimate of the largest |eigenvalue| */
  readonly radius = new Float64Array(1);
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  readonly #clock = new Float64Array(1);
  /** column with an entry that is not finite, −1 if all are */
  bad = -1;

  constructor(private readonly data: StepData) {
    const n = data.system.size;
    this.values = new Float64Array(n * n);
    this.#x = new Float64Array(n);
    this.#rate = new Float64Array(n);
  }

  /** @returns whether it is finite */
  evaluate(): boolean {
    const { system, counters, span, x0 } = this.data;
    this.#clock[0] = span[START];
    counters.jacobians++;
    if (system.jacobian) system.jacobian(this.#clock, x0, this.values);
    else this.#difference();
    const bad = firstNotFinite(this.values);
    this.bad = bad < 0 ? -1 : Math.floor(bad / system.size);
    return bad < 0;
  }

  /**
   * Forward differences. The increment, √ε times the size of the component, balances truncation against
   * rounding; a size is at least that at which the relative tolerance takes over from the absolute one.
   */
  #difference(): void {
    const { system, counters, tolerances, x0, rate0 } = this.data;
    const n = system.size;
    this.#x.set(x0);
    for (let j = 0; j < n; j++) {
      const size = Math.max(Math.abs(x0[j]), tolerances.absolute[j] / tolerances.relative);
      this.#x[j] = x0[j] + Math.sqrt(Number.EPSILON) * size;
      const increment = this.#x[j] - x0[j];
      system.rate(this.#clock, this.#x, this.#rate);
      for (let i = 0; i < n; i++) this.values[i + n * j] = (this.#rate[i] - rate0[i]) / increment;
      this.#x[j] = x0[j];
    }
    counters.rates += n;
  }

  /**
   * Power iteration: the geometric mean of the growth over an even number of products, which a complex pair
   * or ±λ only makes oscillate about |λ|.
   */
  estimateRadius(): void {
    const x = this.#x;
    const y = this.#rate;
    const n = x.length;
    // A start that no symmetry of a model makes orthogonal to the dominant direction.
    for (let i = 0; i < n; i++) x[i] = 1 + 0.5 * Math.sin(12.9898 * (i + 1));
    let logarithm = 0;
    for (let product = 0; product < PRODUCTS; product++) {
      let square = 0;
      y.fill(0);
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < n; i++) y[i] += this.values[i + n * j] * x[j];
      }
      for (let i = 0; i < n; i++) square += y[i] * y[i];
      const norm = Math.sqrt(square);
      if (!(norm > 0 && norm < Infinity)) {
        this.radius[0] = norm > 0 ? Infinity : 0;
        return;
      }
      for (let i = 0; i < n; i++) x[i] = y[i] / norm;
      if (product >= PRODUCTS / 2) logarithm += Math.log(norm);
    }
    this.radius[0] = Math.exp((2 * logarithm) / PRODUCTS);
  }
}

/**
 * Radau IIA with three stages, order 5 (Hairer and Wanner 1996 §IV.5 and §IV.8).
 *
 * The nodes c are the zeros of the derivative of θ²(θ − 1)³, once more differentiated: (4 ∓ √6)/10 and 1. A
 * holds the integrals of the Lagrange polynomials from 0 to c_i.
 *
 * Eigenvalues of A⁻¹. The denominator of the stability function is 1 − 3z/5 + 3z²/20 − z³/60, and its zeros
 * are the eigenvalues: z³ − 9z² + 36z − 60 = 0, with z = 3 + w: w³ + 9w − 6 = 0. Cardano: w = u + v with u
 * v = −3 and u³ + v³ = 6, so u³ = 9 and v³ = −3, hence
 *
 *     γ = 3 + ∛9 − ∛3,    α ± iβ = 3 − (∛9 − ∛3)/2 ± i (√3/2)(∛9 + ∛3).
 *
 * With an eigenvector v of γ and a + ib of α + iβ, the columns v, a, −b of T give T⁻¹A⁻¹T = [γ 0 0; 0 α −β; 0
 * β α]: one real system of the size of the state and one complex one, instead of one three times as large.
 */
const ROOT6 = Math.sqrt(6);
const U = Math.cbrt(9);
const V = Math.cbrt(3);

export const NODES: readonly [number, number, number] = [(4 - ROOT6) / 10, (4 + ROOT6) / 10, 1];

/** Row by row. */
export const COEFFICIENTS: readonly number[] = [
  ...[(88 - 7 * ROOT6) / 360, (296 - 169 * ROOT6) / 1800, (-2 + 3 * ROOT6) / 225],
  ...[(296 + 169 * ROOT6) / 1800, (88 + 7 * ROOT6) / 360, (-2 - 3 * ROOT6) / 225],
  ...[(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1 / 9],
];

export const GAMMA = 3 + U - V;
export const ALPHA = 3 - (U - V) / 2;
export const BETA = (Math.sqrt(3) / 2) * (U + V);

/** Inverse of a 3 × 3 matrix from its cofactors. */
function invert(m: readonly number[]): number[] {
  const minor = (i: number, j: number): number => {
    const [r, s] = [(i + 1) % 3, (i + 2) % 3];
    const [p, q] = [(j + 1) % 3, (j + 2) % 3];
    return m[3 * r + p] * m[3 * s + q] - m[3 * r + q] * m[3 * s + p];
  };
  const determinant = m[0] * minor(0, 0) + m[1] * minor(0, 1) + m[2] * minor(0, 2);
  return m.map((_, k) => minor(k % 3, Math.floor(k / 3)) / determinant);
}

/** Real and imaginary part of the eigenvector of m for the eigenvalue re + i im, its last entry 1. */
function eigenvector(m: readonly number[], re: number, im: number): [number[], number[]] {
  // The first two rows of m − μ leave one direction free: x₁, x₂ from x₃ = 1 by Cramer's rule, in complex
  // numbers.
  const a = [m[0] - re, -im];
  const d = [m[4] - re, -im];
  const times = (x: number[], y: number[]): number[] => [
    x[0] * y[0] - x[1] * y[1],
    x[0] * y[1] + x[1] * y[0],
  ];
  const over = (x: number[], y: number[]): number[] => {
    const square = y[0] ** 2 + y[1] ** 2;
    return [(x[0] * y[0] + x[1] * y[1]) / square, (x[1] * y[0] - x[0] * y[1]) / square];
  };
  const product = times(a, d);
  const determinant = [product[0] - m[1] * m[3], product[1]];
  const first = over([m[1] * m[5] - m[2] * d[0], -m[2] * d[1]], determinant);
  const second = over([m[2] * m[3] - m[5] * a[0], -m[5] * a[1]], determinant);
  return [
    [first[0], second[0], 1],
    [first[1], second[1], 0],
  ];
}

/** A⁻¹, row by row. */
export const INVERSE: readonly number[] = invert(COEFFICIENTS);

function transformation(): number[] {
  const [v] = eigenvector(INVERSE, GAMMA, 0);
  const [a, b] = eigenvector(INVERSE, ALPHA, BETA);
  return [0, 1, 2].flatMap((i) => [v[i], a[i], 0 - b[i]]);
}

/** T, row by row; its last row is (1, 1, 0). */
export const TRANSFORM: readonly number[] = transformation();
/** T⁻¹, row by row. */
export const BACK: readonly number[] = invert(TRANSFORM);

/**
 * Error estimate. A formula of order 3 with the same stages and the rate f₀ at the start, of weight 1/γ, has
 * weights b + δ with Σ δ_i c_i^k = −1/γ for k = 0 and 0 for k = 1, 2. With z_i = x_i − x₀ = h Σ a_ij f_j it
 * differs from the method by h f₀/γ + Σ e_i z_i, e = ᵗA⁻¹δ; here γ e_i.
 */
export const ERROR_WEIGHTS: readonly [number, number, number] = [
  (-13 - 7 * ROOT6) / 3,
  (-13 + 7 * ROOT6) / 3,
  -1 / 3,
];

/*
 * LU factors, with partial pivoting, of μ I − J for real and for complex μ. Matrices stand column by column.
 * In a stiff system the entries of J span many decades and μ = O(1/h) may be far below all of them, so that
 * no pivot is called too small relative to others: only zero ends a factorisation. Whether the factors are
 * good enough shows in the convergence of Newton's method.
 */

/** Factors of re I − J. */
export class RealShifted {
  readonly #a: Float64Array;
  readonly #pivots: Int32Array;

  constructor(private readonly n: number) {
    this.#a = new Float64Array(n * n);
    this.#pivots = new Int32Array(n);
  }

  /** @param shift [0] μ @returns whether the matrix is regular */
  factor(jacobian: Float64Array, shift: Float64Array): boolean {
    const { n } = this;
    const a = this.#a;
    for (let k = 0; k < n * n; k++) a[k] = -jacobian[k];
    for (let i = 0; i < n; i++) a[i * n + i] += shift[0];
    for (let k = 0; k < n; k++) {
      const column = k * n;
      let pivot = k;
      for (let i = k + 1; i < n; i++) if (Math.abs(a[column + i]) > Math.abs(a[column + pivot])) pivot = i;
      this.#pivots[k] = pivot;
      const diagonal = a[column + pivot];
      if (!(Math.abs(diagonal) > 0)) return false;
      if (pivot !== k) for (let j = 0; j < n; j++) exchange(a, j * n + k, j * n + pivot);
      for (let i = k + 1; i < n; i++) a[column + i] /= diagonal;
      for (let j = k + 1; j < n; j++) {
        const factor = a[j * n + k];
        if (factor === 0) continue;
        for (let i = k + 1; i < n; i++) a[j * n + i] -= a[column + i] * factor;
      }
    }
    return true;
  }

  /** Solves in place. */
  solve(x: Float64Array): void {
    const { n } = this;
    const a = this.#a;
    // Exchanges have been applied to the columns of L too, so that they all come first.
    for (let k = 0; k < n; k++) exchange(x, k, this.#pivots[k]);
    for (let k = 0; k < n; k++) {
      const value = x[k];
      for (let i = k + 1; i < n; i++) x[i] -= a[k * n + i] * value;
    }
    for (let k = n - 1; k >= 0; k--) {
      const value = x[k] / a[k * n + k];
      x[k] = value;
      for (let i = 0; i < k; i++) x[i] -= a[k * n + i] * value;
    }
  }
}

/** Factors of (re + i im) I − J, real and imaginary parts in arrays of their own. */
export class ComplexShifted {
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #pivots: Int32Array;

  constructor(private readonly n: number) {
    this.#re = new Float64Array(n * n);
    this.#im = new Float64Array(n * n);
    this.#pivots = new Int32Array(n);
  }

  /** @param shift [0] real, [1] imaginary part of μ @returns whether the matrix is regular */
  factor(jacobian: Float64Array, shift: Float64Array): boolean {
    const { n } = this;
    const re = this.#re;
    const im = this.#im;
    im.fill(0);
    for (let k = 0; k < n * n; k++) re[k] = -jacobian[k];
    for (let i = 0; i < n; i++) {
      re[i * n + i] += shift[0];
      im[i * n + i] = shift[1];
    }
    for (let k = 0; k < n; k++) {
      const column = k * n;
      let pivot = k;
      let largest = -1;
      for (let i = k; i < n; i++) {
        const size = Math.abs(re[column + i]) + Math.abs(im[column + i]);
        if (size > largest) {
          largest = size;
          pivot = i;
        }
      }
      this.#pivots[k] = pivot;
      if (!(largest > 0)) return false;
      if (pivot !== k) {
        for (let j = 0; j < n; j++) {
          exchange(re, j * n + k, j * n + pivot);
          exchange(im, j * n + k, j * n + pivot);
        }
      }
      this.#eliminate(k);
    }
    return true;
  }

  #eliminate(k: number): void {
    const { n } = this;
    const re = this.#re;
    const im = this.#im;
    const column = k * n;
    const dr = re[column + k];
    const di = im[column + k];
    const square = dr * dr + di * di;
    for (let i = k + 1; i < n; i++) {
      const x = re[column + i];
      const y = im[column + i];
      re[column + i] = (x * dr + y * di) / square;
      im[column + i] = (y * dr - x * di) / square;
    }
    for (let j = k + 1; j < n; j++) {
      const x = re[j * n + k];
      const y = im[j * n + k];
      for (let i = k + 1; i < n; i++) {
        const a = re[column + i];
        const b = im[column + i];
        re[j * n + i] -= a * x - b * y;
        im[j * n + i] -= a * y + b * x;
      }
    }
  }

  /** Solves in place; x and y are real and imaginary part. */
  solve(x: Float64Array, y: Float64Array): void {
    const { n } = this;
    const re = this.#re;
    const im = this.#im;
    for (let k = 0; k < n; k++) {
      exchange(x, k, this.#pivots[k]);
      exchange(y, k, this.#pivots[k]);
    }
    for (let k = 0; k < n; k++) this.#subtract(x, y, k, k + 1, n);
    for (let k = n - 1; k >= 0; k--) {
      const dr = re[k * n + k];
      const di = im[k * n + k];
      const square = dr * dr + di * di;
      const a = x[k];
      const b = y[k];
      x[k] = (a * dr + b * di) / square;
      y[k] = (b * dr - a * di) / square;
      this.#subtract(x, y, k, 0, k);
    }
  }

  /** Entries `from` … `to` − 1 minus column k times entry k. */
  #subtract(x: Float64Array, y: Float64Array, k: number, from: number, to: number): void {
    const column = k * this.n;
    const a = x[k];
    const b = y[k];
    for (let i = from; i < to; i++) {
      const p = this.#re[column + i];
      const q = this.#im[column + i];
      x[i] -= p * a - q * b;
      y[i] -= p * b + q * a;
    }
  }
}

function exchange(x: Float64Array, i: number, j: number): void {
  const value = x[i];
  x[i] = x[j];
  x[j] = value;
}

export const MOST_ITERATIONS = 7;
/**
 * Part by which a length may differ from that of the factors: one that is kept differs by the rounding of
 * times. Newton's method does not notice.
 */
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
  /**
   * [0] ϑ, [1] ϑ/(1 − ϑ), [2] factor for h when convergence is slow, [3] time of a rate that is not finite,
   * [4] size of the last correction
   */
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
