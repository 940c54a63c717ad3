/** A coordinate of a point in a prescribed place: Φ = P_x − f(t) = 0 or P_y − f(t) = 0, γ = f̈ + φ̇² s_x or s_y. */
import type { ConstraintRows, Motion } from '../constraint';
import type { Marker } from '../marker';

export class PointCoordinate implements ConstraintRows {
  readonly labels: ConstraintRows['labels'];
  readonly #prescribed = new Float64Array(3);

  /** @param axis 0 for x, 1 for y @param motion f, m */
  constructor(
    readonly marker: Marker,
    readonly axis: 0 | 1,
    readonly motion: Motion,
  ) {
    this.labels = [{ row: axis === 0 ? 'x' : 'y', unit: 'm' }];
  }

  position(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void {
    this.marker.place(q);
    this.motion(clock, this.#prescribed);
    out[row] = this.marker.point[this.axis] - this.#prescribed[0];
  }

  jacobian(_: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void {
    this.marker.place(q);
    this.marker.addGradient(1 - this.axis, this.axis, out, row * width);
  }

  timeDerivative(clock: Float64Array, _: Float64Array, out: Float64Array, row: number): void {
    this.motion(clock, this.#prescribed);
    out[row] = -this.#prescribed[1];
  }

  gamma(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    this.marker.move(q, v);
    this.motion(clock, this.#prescribed);
    out[row] = this.#prescribed[2] - this.marker.centripetal[this.axis];
  }
}
