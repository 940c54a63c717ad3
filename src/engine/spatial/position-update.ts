/**
 * Positions from velocities over a time h, x ← x + h V and for the orientation one of
 *
 *     rate          Q + h T_q(Q) Ω, on the tangent: |Q| grows by √(1 + ¼ h²|Ω|²) each time
 *     normalised    the same, divided by its norm; this is the Cayley transform of h Ω, a turn by 2 atan(½ h|Ω|)
 *     exponential   Q ∘ Exp(h Ω), exact for a constant Ω
 *
 * Siconos developer's notes §10.0.17 says of q̇ = T v that it keeps |Q| = 1. That holds of the differential equation only, as the first line shows; the rate
 * alone is kept for comparison. The others are on the sphere to rounding, which neither removes: rounding of |Q| adds up as in
 * a random walk, 10⁻¹⁶ √n after n steps, so that the exponential is followed by a normalisation as well.
 *
 * What does not turn keeps its quaternion to the last bit: a normalisation may exchange two neighbouring ones for ever.
 */
import { normaliseQuaternion, quaternionRate, squaredNorm } from './quaternion';
import { turn } from './rotation-vector';

export type OrientationUpdate = 'rate' | 'normalised' | 'exponential';

export class PositionUpdate {
  readonly #work = new Float64Array(4);

  constructor(readonly orientation: OrientationUpdate) {}

  /**
   * q ← q moved by v for h seconds.
   * @param qAt first of the body's seven positions @param vAt first of its six velocities
   * @returns false when the quaternion has no direction, or is not finite
   */
  advance(q: Float64Array, qAt: number, v: Float64Array, vAt: number, h: number): boolean {
    for (let i = 0; i < 3; i++) q[qAt + i] += h * v[vAt + i];
    if (v[vAt + 3] === 0 && v[vAt + 4] === 0 && v[vAt + 5] === 0) {
      const norm = squaredNorm(q, qAt + 3);
      return norm > 0 && norm < Number.POSITIVE_INFINITY;
    }
    const work = this.#work;
    if (this.orientation === 'exponential') turn(q, qAt + 3, v, vAt + 3, h, work);
    else {
      quaternionRate(q, qAt + 3, v, vAt + 3, work, 0);
      for (let i = 0; i < 4; i++) q[qAt + 3 + i] += h * work[i];
      if (this.orientation === 'rate') return Number.isFinite(q[qAt + 3]);
    }
    return normaliseQuaternion(q, qAt + 3);
  }
}
