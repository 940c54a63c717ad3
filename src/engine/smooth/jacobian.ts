/** ∂f/∂x at the start of a step: given by the system or by differences, and its spectral radius. */
import { firstNotFinite, START, type StepData } from './step-method';

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
