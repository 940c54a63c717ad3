/** The velocity of an obstacle at a contact, as the certificate finds it: V + ω×s, and how the surface slides along both tangents. */
import { rotate } from '../spatial/quaternion';
import { POSITIONS, VELOCITIES } from '../spatial/rigid-body';
import { addCross, dot } from '../spatial/vector-product';
import type { Obstacles } from './obstacles';

export class JudgedObstacle {
  readonly #arm = new Float64Array(3);
  readonly #surface = new Float64Array(3);

  constructor(private readonly obstacles: Obstacles) {}

  /**
   * @param k number of the obstacle @param isAfter whether at the end of the step, and not at its start
   * @param axes, place the frame of the contact: point, normal, tangents @param sign of the side
   */
  addVelocity(
    k: number,
    isAfter: boolean,
    axes: Float64Array,
    place: number,
    sign: number,
    out: Float64Array,
    outAt: number,
  ): void {
    const { after, before, poses, motions } = this.obstacles;
    const given = isAfter ? after : before;
    const at = VELOCITIES * k;
    for (let i = 0; i < 3; i++) {
      this.#arm[i] = axes[place + i] - poses[POSITIONS * k + i];
      out[outAt + i] += sign * given[at + i];
    }
    addCross(given, at + 3, this.#arm, 0, sign, out, outAt);
    rotate(poses, POSITIONS * k + 3, motions[k].surface, 0, this.#surface, 0);
    for (let tangent = place + 6; tangent < place + 12; tangent += 3) {
      const speed = dot(axes, tangent, this.#surface, 0);
      for (let i = 0; i < 3; i++) out[outAt + i] += sign * speed * axes[tangent + i];
    }
  }

  /** Adds sign · ω at the end of the step. */
  addSpin(k: number, sign: number, out: Float64Array): void {
    for (let i = 0; i < 3; i++) out[i] += sign * this.obstacles.after[VELOCITIES * k + 3 + i];
  }
}
