/**
 * How far the second point is from the first along an axis of the first: h = a·d − c with d = P₂ − P₁ (a dot-2 constraint in the words of
 * E. J. Haug, 1989, chapter 9). Prismatic, cylindrical and planar joints demand that it be zero; it is also what they measure.
 *
 *     ∇h = a by P₂, −a by P₁, d by a;     γ = −(a·d̈ + 2 ȧ·ḋ + ä·d) of what is not accelerations.
 */
import type { Space, SpatialMarker } from '../marker';
import { dot } from '../matrix3';
import type { SpatialRowLabel, SpatialRows } from './rows';

export class AxisOffset implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  readonly #between = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  readonly #centripetal = new Float64Array(3);

  /** @param axis 0, 1 or 2, of the first marker @param offset c, m */
  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    readonly axis: 0 | 1 | 2,
    name: string,
    readonly offset = 0,
  ) {
    this.labels = [{ row: name, unit: 'm' }];
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.#place(q);
    out[row] = dot(this.first.axes, 3 * this.axis, this.#between, 0) - this.offset;
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, second, axis } = this;
    this.#place(q);
    const at = row * width;
    first.addPointGradient(first.axes, 3 * axis, -1, out, at, space);
    second.addPointGradient(first.axes, 3 * axis, 1, out, at, space);
    first.addAxisGradient(axis, this.#between, 0, 1, out, at, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second, axis } = this;
    first.move(q, v);
    second.move(q, v);
    for (let i = 0; i < 3; i++) {
      this.#between[i] = second.point[i] - first.point[i];
      this.#rate[i] = second.velocity[i] - first.velocity[i];
      this.#centripetal[i] = second.centripetal[i] - first.centripetal[i];
    }
    out[row] =
      -dot(first.axes, 3 * axis, this.#centripetal, 0) -
      2 * dot(first.axisRates, 3 * axis, this.#rate, 0) -
      dot(first.axisCentripetal, 3 * axis, this.#between, 0);
  }

  #place(q: Float64Array): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    for (let i = 0; i < 3; i++) this.#between[i] = second.point[i] - first.point[i];
  }
}
