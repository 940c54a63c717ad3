/** How fast bodies come together at a contact whose frame has not been formed: U_N = n·(Ṗ₂ − Ṗ₁). */
import type { SpatialSystem } from '../spatial/system';
import { dot } from '../spatial/vector-product';
import { type ContactList, GEOMETRY } from './contact-list';

export class ClosingSpeed {
  readonly #velocity = new Float64Array(3);

  constructor(private readonly system: SpatialSystem) {}

  /** U_N, m/s. @param q positions and @param u velocities of all bodies */
  of({ bodies, geometry }: ContactList, c: number, q: Float64Array, u: Float64Array): number {
    const velocity = this.#velocity.fill(0);
    const at = GEOMETRY * c;
    const system = this.system;
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * c + side];
      if (body < 0) continue;
      const sign = side === 0 ? -1 : 1;
      const qAt = system.positionsAt[body];
      system.bodies[body].addPointVelocity(
        q,
        qAt,
        u,
        system.velocitiesAt[body],
        geometry,
        at,
        sign,
        velocity,
      );
    }
    return dot(geometry, at + 3, velocity, 0);
  }
}
