/**
 * A point of a pseudo-rigid body, with ξ its place in the reference configuration:
 *
 *     P = x̄ + F ξ,   Ṗ = x̄˙ + Ḟ ξ,   P̈ = x̄¨ + F̈ ξ,     gradient of a function of P with the gradient g: (g, g⊗ξ).
 *
 * All is linear in q and in v: there is no centripetal term, and gradients by q and by v are the same. Axes of such a body do not stay unit vectors;
 * joints that need some are refused (`compile.ts`).
 */
import { type Space, SpatialMarker } from './marker';
import { DEFORMATION } from './pseudo-rigid';

export class AffineMarker extends SpatialMarker {
  readonly #reference: Float64Array;

  /** @param point ξ, m; for the rest see `SpatialMarker` */
  constructor(
    body: number,
    positions: number,
    velocities: number,
    point: readonly number[],
    axes: ArrayLike<number>,
  ) {
    super(body, positions, velocities, point, axes);
    this.#reference = Float64Array.from(point);
  }

  override place(q: Float64Array): void {
    this.#map(q, this.positions, this.point);
  }

  override move(q: Float64Array, v: Float64Array): void {
    this.place(q);
    this.#map(v, this.velocities, this.velocity);
  }

  override addPointGradient(
    g: Float64Array,
    gAt: number,
    factor: number,
    out: Float64Array,
    at: number,
    space: Space,
  ): void {
    const first = at + (space === 'velocity' ? this.velocities : this.positions);
    const reference = this.#reference;
    for (let i = 0; i < 3; i++) {
      const along = factor * g[gAt + i];
      out[first + i] += along;
      for (let j = 0; j < 3; j++) out[first + DEFORMATION + 3 * i + j] += along * reference[j];
    }
  }

  /** x̄ + F ξ of numbers from `at` on. */
  #map(x: Float64Array, at: number, out: Float64Array): void {
    const reference = this.#reference;
    for (let i = 0; i < 3; i++) {
      const row = at + DEFORMATION + 3 * i;
      out[i] = x[at + i] + x[row] * reference[0] + x[row + 1] * reference[1] + x[row + 2] * reference[2];
    }
  }
}
