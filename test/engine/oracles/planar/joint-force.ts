/**
 * Joint forces from multipliers. In M q̈ + ᵗΦ_q λ = Q the constraint acts on the body with −ᵗΦ_q λ: with the
 * columns of the body, F = −ᵗΦ_r λ is the force, and −ᵗΦ_φ λ the moment about the mass centre; about the
 * joint's point it is less by s × F. The DAE lecture notes, “multipliers”; Haug 1989 §6.6.
 */
import { EngineError } from '@engine/errors';
import type { Marker } from '@engine/multibody/marker';
import type { MultibodySystem } from './system';

/** Places of the results of `jointForce`. */
export const JOINT_FORCE = { x: 0, y: 1, moment: 2, bodyX: 3, bodyY: 4 } as const;

export class JointForces {
  readonly #jacobian: Float64Array;

  constructor(readonly system: MultibodySystem) {
    this.#jacobian = new Float64Array(system.rows * system.size);
  }

  /** Brings Φ_q to a state; `force` then answers for it. */
  place(clock: Float64Array, q: Float64Array): void {
    this.system.jacobian(clock, q, this.#jacobian);
  }

  /**
   * Force and moment that a constraint exerts on its first or second body at the point where it takes hold of
   * it.
   * @param constraint its place in the model
   * @param out F_x, F_y (world frame, N), moment about the point (N m), F_x, F_y in the frame of the body
   * @throws {EngineError} where that side is the ground: its reaction is the opposite of the other side's
   */
  force(
    constraint: number,
    side: 'first' | 'second',
    q: Float64Array,
    multipliers: Float64Array,
    out: Float64Array,
  ): void {
    const { system } = this;
    const { id, [side]: marker } = system.constraints[constraint];
    const { offset } = marker;
    if (offset < 0)
      throw new EngineError({
        code: 'joint-force-on-ground',
        where: id,
        message: `The ${side} side of “${id}” is the ground.`,
        remedy: 'Ask for the force on the other side; that on the ground is its opposite.',
      });
    out.fill(0);
    for (let r = system.rowOffsets[constraint]; r < system.rowOffsets[constraint + 1]; r++) {
      const at = r * system.size + offset;
      for (let k = 0; k < 3; k++) out[k] -= this.#jacobian[at + k] * multipliers[r];
    }
    shift(marker, q, out);
  }
}

/** From the mass centre to the marker's point, and into the frame of the body. */
function shift(marker: Marker, q: Float64Array, out: Float64Array): void {
  marker.place(q);
  const { x, y, moment, bodyX, bodyY } = JOINT_FORCE;
  out[moment] -= marker.arm[0] * out[y] - marker.arm[1] * out[x];
  const cosine = Math.cos(marker.angle(q));
  const sine = Math.sin(marker.angle(q));
  out[bodyX] = cosine * out[x] + sine * out[y];
  out[bodyY] = cosine * out[y] - sine * out[x];
}
