/**
 * The angle between two axes, β = atan2(|a×b|, a·b) in [0, π]. With n = a×b/|a×b| and r² = |a×b|² + (a·b)²,
 *
 *     ∂β/∂a = ((a·b) b×n − |a×b| b)/r²,     ∂β/∂b = ((a·b) n×a − |a×b| a)/r²,
 *     β̈ = −(c̈ + c β̇²)/s of c = cos β, s = sin β at |Q| = 1.
 *
 * Parallel axes have no n: there β has a kink, and its gradient is given as zero.
 */
import type { Space, SpatialMarker } from '../marker';
import { cross, dot } from '../matrix3';
import type { SpatialRowLabel, SpatialRows } from '../rows/rows';

type Axis = 0 | 1 | 2;

export class BendAngle implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  readonly #normal = new Float64Array(3);
  readonly #gradient = new Float64Array(3);

  /** @param axis of both markers */
  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    readonly axis: Axis,
    name: string,
  ) {
    this.labels = [{ row: name, unit: 'rad' }];
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.first.place(q);
    this.second.place(q);
    out[row] = Math.atan2(this.#sine(), this.#cosine());
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, second, axis } = this;
    first.place(q);
    second.place(q);
    const sine = this.#sine();
    const cosine = this.#cosine();
    const square = sine * sine + cosine * cosine;
    if (sine === 0) return;
    const normal = this.#normal;
    const gradient = this.#gradient;
    const at = row * width;
    const across = cosine / (square * sine);
    const along = -sine / square;
    cross(second.axes, 3 * axis, normal, 0, gradient, 0);
    for (let i = 0; i < 3; i++) gradient[i] = across * gradient[i] + along * second.axes[3 * axis + i];
    first.addAxisGradient(axis, gradient, 0, 1, out, at, space);
    cross(normal, 0, first.axes, 3 * axis, gradient, 0);
    for (let i = 0; i < 3; i++) gradient[i] = across * gradient[i] + along * first.axes[3 * axis + i];
    second.addAxisGradient(axis, gradient, 0, 1, out, at, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    const sine = this.#sine();
    const at = 3 * this.axis;
    if (sine === 0) {
      out[row] = 0;
      return;
    }
    const rate =
      -(dot(first.axisRates, at, second.axes, at) + dot(first.axes, at, second.axisRates, at)) / sine;
    const curvature =
      dot(first.axisCentripetal, at, second.axes, at) +
      2 * dot(first.axisRates, at, second.axisRates, at) +
      dot(first.axes, at, second.axisCentripetal, at);
    out[row] = (curvature + this.#cosine() * rate * rate) / sine;
  }

  /** |a×b|, and a×b in `#normal` */
  #sine(): number {
    const at = 3 * this.axis;
    cross(this.first.axes, at, this.second.axes, at, this.#normal, 0);
    return Math.sqrt(dot(this.#normal, 0, this.#normal, 0));
  }

  #cosine(): number {
    return dot(this.first.axes, 3 * this.axis, this.second.axes, 3 * this.axis);
  }
}
