/**
 * A = ∂f/∂x of the flow in its present modes, at a state.
 *
 * In free flight with constant masses it is put together from the Jacobians of the forms,
 *
 *     A = [0 I; M⁻¹ ∂F/∂q  M⁻¹ ∂F/∂v],     M⁻¹ ∂f/∂x (first order),
 *
 * which are given or derived from the source of scripts. Where multipliers answer to the state, or masses
 * depend on it, each column is a central difference of the flow itself,
 *
 *     (8 (f(x + δe) − f(x − δe)) − (f(x + 2δe) − f(x − 2δe))) / 12δ,
 *
 * of order 4. With δ = ε^(1/5) of the component's size its truncation, δ⁴/30 of the fifth derivative, and
 * rounding, ε f/δ, are both below 1e-12 of the rates of a motion that changes over lengths of the order of x.
 */
import type { FirstOrderForm } from '../../model/forms';
import type { ObservedParts } from '../flow/flight-observer';

/** δ as a part of the size of a component. */
export const DISPLACEMENT = Number.EPSILON ** 0.2;

/** Displaced places and weights of the difference, in units of δ and 1/12δ. */
export const PLACES = Float64Array.of(-2, -1, 1, 2);
export const WEIGHTS = Float64Array.of(1, -8, 8, -1);

/**
 * Largest magnitudes of the components so far: what a displacement is small against, also where a coordinate
 * passes zero.
 */
export class StateSizes {
  readonly values: Float64Array;

  constructor(n: number) {
    this.values = new Float64Array(n);
  }

  note(x: Float64Array): void {
    const { values } = this;
    for (let i = 0; i < values.length; i++) values[i] = Math.max(values[i], Math.abs(x[i]));
  }

  /** δ of a component; of one that has always been zero as if it were of size 1 */
  displacement(i: number): number {
    const size = this.values[i];
    return DISPLACEMENT * (size > 0 ? size : 1);
  }
}

export class FlowJacobian {
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  /** where the model is one system ẋ = f(t, x) and nothing else: its form, and room for ∂f/∂x by rows */
  readonly #single: FirstOrderForm | null;
  readonly #rows: Float64Array;

  constructor(
    private readonly parts: ObservedParts,
    private readonly sizes: StateSizes,
  ) {
    const { size } = parts.flow;
    this.#single = parts.laws.count === 0 ? parts.motion.single : null;
    this.#rows = new Float64Array(this.#single === null ? 0 : size * size);
    this.#x = new Float64Array(size);
    this.#rate = new Float64Array(size);
  }

  /** @param out A, entry [i, j] at [i + n j] */
  evaluate(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    const { flow, rows, motion } = this.parts;
    if (this.#single !== null) {
      const byRows = this.#rows;
      const n = x.length;
      this.#single.rateJacobian(clock, x, byRows);
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[i + n * j] = byRows[n * i + j];
    } else if (flow.activeCount === 0 && motion.hasJacobian && rows.isConstant)
      motion.rateJacobian(clock, x, out);
    else this.#difference(clock, x, out);
  }

  #difference(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    const { flow } = this.parts;
    const n = x.length;
    const moved = this.#x;
    const rate = this.#rate;
    moved.set(x);
    out.fill(0);
    for (let j = 0; j < n; j++) {
      // A power of two, so that displaced places are exact where x has room for them.
      const delta = 2 ** Math.round(Math.log2(this.sizes.displacement(j)));
      for (let k = 0; k < PLACES.length; k++) {
        moved[j] = x[j] + PLACES[k] * delta;
        flow.rate(clock, moved, rate);
        const weight = WEIGHTS[k] / (12 * delta);
        for (let i = 0; i < n; i++) out[i + n * j] += weight * rate[i];
      }
      moved[j] = x[j];
    }
  }
}
