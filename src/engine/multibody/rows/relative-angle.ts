/** Two angles in a prescribed relation: Φ = φ₂ − ρ φ₁ − f(t) = 0, Φ_t = −ḟ, γ = f̈. */
import type { ConstraintRows, Motion } from '../constraint';
import type { Marker } from '../marker';

export class RelativeAngle implements ConstraintRows {
  readonly labels = [{ row: 'angle', unit: 'rad' }] as const;
  readonly #prescribed = new Float64Array(3);

  /** @param ratio ρ @param motion f, rad */
  constructor(
    readonly first: Marker,
    readonly second: Marker,
    readonly ratio: number,
    readonly motion: Motion,
  ) {}

  position(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    this.motion(clock, this.#prescribed);
    out[row] = this.second.angle(q) - this.ratio * this.first.angle(q) - this.#prescribed[0];
  }

  jacobian(_: Float64Array, __: Float64Array, out: Float64Array, row: number, width: number): void {
    this.first.addAngleGradient(-this.ratio, out, row * width);
    this.second.addAngleGradient(1, out, row * width);
  }

  timeDerivative(clock: Float64Array, _: Float64Array, out: Float64Array, row: number): void {
    this.motion(clock, this.#prescribed);
    out[row] = -this.#prescribed[1];
  }

  gamma(clock: Float64Array, _: Float64Array, __: Float64Array, out: Float64Array, row: number): void {
    this.motion(clock, this.#prescribed);
    out[row] = this.#prescribed[2];
  }
}
