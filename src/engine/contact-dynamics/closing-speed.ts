/** How fast bodies come together at a contact whose frame has not been formed: U_N = n·(V₂ + ω₂×s₂ − V₁ − ω₁×s₁). */
import { rotate } from '../spatial/quaternion';
import { POSITIONS, VELOCITIES } from '../spatial/rigid-body';
import { addCross, dot } from '../spatial/vector-product';
import { type ContactList, GEOMETRY } from './contact-list';

export class ClosingSpeed {
  readonly #arm = new Float64Array(3);
  readonly #spin = new Float64Array(3);
  readonly #velocity = new Float64Array(3);

  /** U_N, m/s. @param q positions and @param u velocities of all bodies */
  of({ bodies, geometry }: ContactList, c: number, q: Float64Array, u: Float64Array): number {
    const velocity = this.#velocity.fill(0);
    const at = GEOMETRY * c;
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * c + side];
      if (body < 0) continue;
      const sign = side === 0 ? -1 : 1;
      for (let i = 0; i < 3; i++) {
        this.#arm[i] = geometry[at + i] - q[POSITIONS * body + i];
        velocity[i] += sign * u[VELOCITIES * body + i];
      }
      rotate(q, POSITIONS * body + 3, u, VELOCITIES * body + 3, this.#spin, 0);
      addCross(this.#spin, 0, this.#arm, 0, sign, velocity, 0);
    }
    return dot(geometry, at + 3, velocity, 0);
  }
}
