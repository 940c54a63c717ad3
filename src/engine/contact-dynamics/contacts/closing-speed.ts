/** How fast bodies come together at a contact whose frame has not been formed: U_N = n·(Ṗ₂ − Ṗ₁). */
import { VELOCITIES } from '../../spatial/bodies/rigid-body';
import { dot } from '../../spatial/matrix3';
import type { SpatialSystem } from '../../spatial/system';
import { type ContactList, GEOMETRY } from './contact-list';
import type { KinematicBodies } from './kinematic-bodies';

export class ClosingSpeed {
  readonly #velocity = new Float64Array(3);

  constructor(
    private readonly system: SpatialSystem,
    private readonly kinematicBodies: KinematicBodies | null,
  ) {}

  /**
   * U_N, m/s.
   * @param q positions and
   * @param u velocities of all bodies
   * @param isAfter whether kinematic bodies are as at the end of the step
   */
  of(contacts: ContactList, c: number, q: Float64Array, u: Float64Array, isAfter: boolean): number {
    const { geometry } = contacts;
    const at = GEOMETRY * c + 3;
    const own = dot(geometry, at, this.#own(contacts, c, q, u), 0);
    if (this.kinematicBodies === null) return own;
    return own + dot(geometry, at, this.#prescribed(this.kinematicBodies, contacts, c, isAfter), 0);
  }

  /** Adds Ṗ₂ − Ṗ₁ in the world, with kinematic bodies as they are placed, m/s. */
  addVelocity(contacts: ContactList, c: number, q: Float64Array, u: Float64Array, out: Float64Array): void {
    const own = this.#own(contacts, c, q, u);
    for (let i = 0; i < 3; i++) out[i] += own[i];
    if (this.kinematicBodies === null) return;
    const prescribed = this.#prescribed(this.kinematicBodies, contacts, c, true);
    for (let i = 0; i < 3; i++) out[i] += prescribed[i];
  }

  #prescribed(
    kinematicBodies: KinematicBodies,
    { bodies, geometry }: ContactList,
    c: number,
    isAfter: boolean,
  ): Float64Array {
    const which = isAfter ? kinematicBodies.after : kinematicBodies.before;
    return kinematicBodies.relative(which, bodies, c, geometry, GEOMETRY * c);
  }

  #own({ bodies, geometry }: ContactList, c: number, q: Float64Array, u: Float64Array): Float64Array {
    const { system } = this;
    const velocity = this.#velocity.fill(0);
    const at = GEOMETRY * c;
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * c + side];
      if (body < 0) continue;
      const sign = side === 0 ? -1 : 1;
      const [qAt, uAt] = [system.positionsAt[body], system.velocitiesAt[body]];
      system.bodies[body].addPointVelocity(q, qAt, u, uAt, geometry, at, sign, velocity);
    }
    return velocity;
  }

  /**
   * A bound of |U_N|, m/s: twice the largest speed of a point of a body.
   * @param radii how far shapes reach from the origins of bodies, kinematic ones behind the others, m
   * @param u velocities of all bodies
   */
  largest(radii: Float64Array, u: Float64Array): number {
    const { bodies, velocitiesAt } = this.system;
    let most = 0;
    for (let k = 0; k < bodies.length && k < radii.length; k++)
      most = Math.max(most, fastestPoint(u, velocitiesAt[k], bodies[k].velocities, radii[k]));
    const motions = this.kinematicBodies?.before ?? NO_MOTION;
    for (let k = 0; VELOCITIES * k < motions.length && bodies.length + k < radii.length; k++)
      most = Math.max(most, fastestPoint(motions, VELOCITIES * k, VELOCITIES, radii[bodies.length + k]));
    return 2 * most;
  }
}

/** |V| + |Ω| r of a rigid body, |ẋ| + |Ḟ| r of one that deforms. */
function fastestPoint(u: Float64Array, at: number, count: number, radius: number): number {
  let [way, turn] = [0, 0];
  for (let i = 0; i < 3; i++) way += u[at + i] ** 2;
  for (let i = 3; i < count; i++) turn += u[at + i] ** 2;
  // A plane that does not turn has no radius that would count.
  return Math.sqrt(way) + (turn === 0 ? 0 : Math.sqrt(turn) * radius);
}

const NO_MOTION = new Float64Array(0);
