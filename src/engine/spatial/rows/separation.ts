/**
 * Two points at a distance L: h = ½ (d·d/L − L) with d = P₂ − P₁, which is |d| − L to first order: h is in metres and the multiplier the
 * thrust of the rod in newtons, but h is polynomial in the positions.
 *
 *     ∇h = d/L by P₂;     γ = −(ḋ·ḋ + d·d̈)/L of what is not accelerations.
 */
import type { Space, SpatialMarker } from '../marker';
import { dot } from '../matrix3';
import type { SpatialRows } from './rows';

export class Separation implements SpatialRows {
  readonly labels = [{ row: 'length', unit: 'm' }] as const;
  readonly #between = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  readonly #centripetal = new Float64Array(3);

  /** @param length L, m, positive */
  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    readonly length: number,
  ) {}

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.#place(q);
    out[row] = 0.5 * (dot(this.#between, 0, this.#between, 0) / this.length - this.length);
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    this.#place(q);
    this.first.addPointGradient(this.#between, 0, -1 / this.length, out, row * width, space);
    this.second.addPointGradient(this.#between, 0, 1 / this.length, out, row * width, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    for (let i = 0; i < 3; i++) {
      this.#between[i] = second.point[i] - first.point[i];
      this.#rate[i] = second.velocity[i] - first.velocity[i];
      this.#centripetal[i] = second.centripetal[i] - first.centripetal[i];
    }
    out[row] =
      -(dot(this.#rate, 0, this.#rate, 0) + dot(this.#between, 0, this.#centripetal, 0)) / this.length;
  }

  #place(q: Float64Array): void {
    const { first, second } = this;
    first.place(q);
    second.place(q);
    for (let i = 0; i < 3; i++) this.#between[i] = second.point[i] - first.point[i];
  }
}
