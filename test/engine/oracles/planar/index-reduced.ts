/**
 * Index-reduced equations of motion: the constraints are differentiated twice, and with M q̈ + ᵗΦ_q λ = Q
 * they give
 *
 *     [ M   ᵗΦ_q ] [q̈]   [Q]
 *     [ Φ_q  0   ] [λ] = [γ].
 *
 * The DAE lecture notes, “Forward Dynamics”. What holds of Φ at the start then holds for all times, but only
 * in exact arithmetic: Φ̈ = 0 has the solutions Φ = a + b t, so that errors of integration grow linearly, as
 * a polynomial. Nothing in these equations is stiff (docs/theory/errata.md); only large gains of
 * stabilisation make them so.
 *
 * Baumgarte's stabilisation asks for Φ̈ + 2α Φ̇ + β² Φ = 0 instead, Φ_q q̈ = γ − 2α Φ̇ − β² Φ, whose
 * solutions decay; with α = β as fast as they can without oscillating. Baumgarte 1972.
 */
import {
  type Accelerations,
  type ConstrainedSystem,
  type MotionStatus,
  MotionTerms,
  addConstraintRate,
  allFinite,
} from '@engine/multibody/constrained-system';
import { SaddlePoint } from '@engine/multibody/consistency';

/** Gains of Baumgarte's stabilisation, 1/s; both zero for none. */
export interface Stabilisation {
  alpha: number;
  beta: number;
}

export class IndexReduced implements Accelerations {
  readonly #terms: MotionTerms;
  readonly #saddle: SaddlePoint;
  readonly #position: Float64Array;
  readonly #rate: Float64Array;

  constructor(
    readonly system: ConstrainedSystem,
    readonly stabilisation: Stabilisation = { alpha: 0, beta: 0 },
  ) {
    this.#terms = new MotionTerms(system);
    this.#saddle = new SaddlePoint(system.size, system.rows);
    this.#position = new Float64Array(system.rows);
    this.#rate = new Float64Array(system.rows);
  }

  solve(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    acceleration: Float64Array,
    multipliers: Float64Array,
  ): MotionStatus {
    const terms = this.#terms;
    terms.evaluate(clock, q, v);
    if (!allFinite(terms.force) || !allFinite(terms.gamma) || !allFinite(terms.jacobian)) return 'notFinite';
    this.#stabilise(clock, q, v);
    if (!this.#saddle.factor(terms.mass, terms.jacobian)) return 'singularConstraints';
    this.#saddle.solve(terms.force, terms.gamma, acceleration, multipliers);
    return allFinite(acceleration) ? 'ok' : 'notFinite';
  }

  /** γ ← γ − 2α Φ̇ − β² Φ */
  #stabilise(clock: Float64Array, q: Float64Array, v: Float64Array): void {
    const { alpha, beta } = this.stabilisation;
    if (alpha === 0 && beta === 0) return;
    const { system } = this;
    const { jacobian, gamma } = this.#terms;
    system.position(clock, q, this.#position);
    system.timeDerivative(clock, q, this.#rate);
    addConstraintRate(jacobian, v, system.rows, system.size, this.#rate);
    for (let r = 0; r < system.rows; r++)
      gamma[r] -= 2 * alpha * this.#rate[r] + beta * beta * this.#position[r];
  }
}
