/**
 * The distance of two points, ρ = |d| with d = P₂ − P₁ and n = d/ρ:
 *
 *     ρ̇ = n·ḋ,   ρ̈ = n·d̈ + (ḋ·ḋ − ρ̇²)/ρ.
 *
 * Points in one place have no direction; the gradient is zero there.
 */
import type { Space, SpatialMarker } from '../marker';
import { dot } from '../matrix3';
import type { SpatialRowLabel, SpatialRows } from '../rows/rows';

export class PointDistance implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  readonly #direction = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  readonly #centripetal = new Float64Array(3);

  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    name: string,
  ) {
    this.labels = [{ row: name, unit: 'm' }];
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.first.place(q);
    this.second.place(q);
    out[row] = this.#measure();
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    this.first.place(q);
    this.second.place(q);
    this.#measure();
    this.first.addPointGradient(this.#direction, 0, -1, out, row * width, space);
    this.second.addPointGradient(this.#direction, 0, 1, out, row * width, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    const distance = this.#measure();
    for (let i = 0; i < 3; i++) {
      this.#rate[i] = second.velocity[i] - first.velocity[i];
      this.#centripetal[i] = second.centripetal[i] - first.centripetal[i];
    }
    const rate = dot(this.#direction, 0, this.#rate, 0);
    out[row] = -dot(this.#direction, 0, this.#centripetal, 0);
    if (distance > 0) out[row] -= (dot(this.#rate, 0, this.#rate, 0) - rate * rate) / distance;
  }

  /** Direction and distance of markers that have been placed. @returns ρ */
  #measure(): number {
    const direction = this.#direction;
    for (let i = 0; i < 3; i++) direction[i] = this.second.point[i] - this.first.point[i];
    const distance = Math.sqrt(dot(direction, 0, direction, 0));
    for (let i = 0; i < 3; i++) direction[i] = distance === 0 ? 0 : direction[i] / distance;
    return distance;
  }
}
