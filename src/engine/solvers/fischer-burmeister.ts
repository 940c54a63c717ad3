/**
 * The problem as equations Φ = 0. With the Fischer–Burmeister function
 *
 *     φ(a, b) = a + b − √(a² + b²),   φ = 0 ⟺ a ≥ 0, b ≥ 0, a b = 0,
 *
 * a row with both bounds reads φ(z − l, −φ(u − z, −w)) = 0, one with a lower bound φ(z − l, w) = 0, one with an upper
 * bound −φ(u − z, −w) = 0, a free one w = 0 and a fixed one z − l = 0 (S. C. Billups, 1995). Each row has derivatives
 * a ≥ 0 by z and b ≥ 0 by w, so that the Jacobian is diag(a) + diag(b) W. Everything is in the units of `Scaling`.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import type { Scaling } from './scaling';

/** Derivative at the kink (0, 0): the element of the generalised Jacobian in the direction (1, 1). */
const AT_KINK = 1 - Math.SQRT1_2;

export class FischerBurmeister {
  /** Φ */
  values = new Float64Array(0);
  /** ∂Φ_i/∂z_i and ∂Φ_i/∂w_i */
  a = new Float64Array(0);
  b = new Float64Array(0);
  /** [0]: ½ Σ Φ² */
  readonly merit = new Float64Array(1);
  /** value and derivatives of φ at the last point */
  readonly #phi = new Float64Array(3);

  prepare(n: number): void {
    if (this.values.length >= n) return;
    this.values = new Float64Array(n);
    this.a = new Float64Array(n);
    this.b = new Float64Array(n);
  }

  /** Evaluates at `problem.z` and `problem.w`. */
  evaluate(problem: AffineVariationalInequality, scaling: Scaling): void {
    const { size: n } = problem;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      this.#evaluateRow(problem, scaling.values, i);
      sum += this.values[i] * this.values[i];
    }
    this.merit[0] = 0.5 * sum;
  }

  #evaluateRow(problem: AffineVariationalInequality, s: Float64Array, i: number): void {
    const { z, w, lower, upper } = problem;
    const hasLower = lower[i] !== Number.NEGATIVE_INFINITY;
    const hasUpper = upper[i] !== Number.POSITIVE_INFINITY;
    let value = s[i] * w[i];
    let a = 0;
    let b = 1;
    if (lower[i] === upper[i]) {
      value = (z[i] - lower[i]) / s[i];
      a = 1;
      b = 0;
    } else {
      if (hasUpper) {
        this.#evaluatePhi((upper[i] - z[i]) / s[i], -value);
        value = -this.#phi[0];
        a = this.#phi[1];
        b = this.#phi[2];
      }
      if (hasLower) {
        this.#evaluatePhi((z[i] - lower[i]) / s[i], value);
        value = this.#phi[0];
        a = this.#phi[1] + this.#phi[2] * a;
        b = this.#phi[2] * b;
      }
    }
    this.values[i] = value;
    this.a[i] = a;
    this.b[i] = b;
  }

  #evaluatePhi(a: number, b: number): void {
    const r = Math.hypot(a, b);
    const phi = this.#phi;
    if (r === 0) {
      phi[0] = 0;
      phi[1] = AT_KINK;
      phi[2] = AT_KINK;
      return;
    }
    // For a + b > 0 the difference cancels; 2 a b / (a + b + r) is the same number.
    phi[0] = a + b > 0 ? (2 * a * b) / (a + b + r) : a + b - r;
    phi[1] = 1 - a / r;
    phi[2] = 1 - b / r;
  }
}
