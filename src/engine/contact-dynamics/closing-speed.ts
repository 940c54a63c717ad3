/** How fast bodies come together at a contact whose frame has not been formed: U_N = n·(Ṗ₂ − Ṗ₁). */
import type { SpatialSystem } from '../spatial/system';
import { dot } from '../spatial/vector-product';
import { type ContactList, GEOMETRY } from './contact-list';
import type { Obstacles } from './obstacles';

export class ClosingSpeed {
  readonly #velocity = new Float64Array(3);

  constructor(
    private readonly system: SpatialSystem,
    private readonly obstacles: Obstacles | null,
  ) {}

  /** U_N, m/s. @param q positions and @param u velocities of all bodies @param isAfter whether obstacles are as at the end of the step */
  of(
    { bodies, geometry }: ContactList,
    c: number,
    q: Float64Array,
    u: Float64Array,
    isAfter: boolean,
  ): number {
    const { obstacles, system } = this;
    const velocity = this.#velocity.fill(0);
    const at = GEOMETRY * c;
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * c + side];
      if (body < 0) continue;
      const sign = side === 0 ? -1 : 1;
      const [qAt, uAt] = [system.positionsAt[body], system.velocitiesAt[body]];
      system.bodies[body].addPointVelocity(q, qAt, u, uAt, geometry, at, sign, velocity);
    }
    const own = dot(geometry, at + 3, velocity, 0);
    if (obstacles === null) return own;
    const which = isAfter ? obstacles.after : obstacles.before;
    return own + dot(geometry, at + 3, obstacles.relative(which, bodies, c, geometry, at), 0);
  }
}
