/**
 * Positions by half steps, velocities by whole ones: the scheme of Solfec, basics (5)–(7),
 *
 *     q_½ = q ⊕ ½h u,     u⁺ = u + M⁻¹ h f(t_½, q_½) + M⁻¹ ᵗH R,     q⁺ = q_½ ⊕ ½h u⁺,
 *
 * in which R are impulses over the step (in Solfec, local dynamics they are forces, and W has the factor h), and H = H(q_½). What happens between the half steps
 * is the caller's: `begin` leaves q_½ and the free velocity u + M⁻¹ h f, so that B = H u, and `finish` takes the impulses
 * that follow from B + W R, W = H M⁻¹ᵗH.
 *
 * The scheme is symmetric and of order 2 where f depends on positions and time only. It is the leapfrog that starts with half a drift:
 * exact for constant forces, exact in momentum, and in moment of momentum where forces are central; the energy of
 * conservative systems oscillates by O(h²). For f that depends on velocities see `BodyMotion`.
 */
import type { SpatialStatus } from './status';

/** What the scheme needs of a system. */
export interface HalfStepSystem {
  readonly positions: number;
  readonly velocities: number;
  /** q ← q ⊕ time · u. @returns false when the result is not finite */
  advance(q: Float64Array, u: Float64Array, time: number): boolean;
  /** u ← u + M⁻¹ h f. @param clock [0] t_½ @param q q_½ @param h of the whole step, s */
  addFreeVelocity(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus;
  /** x ← M⁻¹ x */
  applyInverseMass(x: Float64Array): void;
}

export class HalfStep {
  readonly #middle = new Float64Array(1);
  readonly #impulse: Float64Array;

  constructor(readonly system: HalfStepSystem) {
    this.#impulse = new Float64Array(system.velocities);
  }

  /** q ← q_½ and u ← the free velocity. @param clock [0] the time at the start of the step, s; it stays */
  begin(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus {
    if (!this.system.advance(q, u, 0.5 * h)) return 'notFinite';
    this.#middle[0] = clock[0] + 0.5 * h;
    return this.system.addFreeVelocity(this.#middle, q, u, h);
  }

  /** u ← u⁺ and q ← q⁺. @param impulse ᵗH R, all velocities' entries, or null for none */
  finish(q: Float64Array, u: Float64Array, h: number, impulse: Float64Array | null): SpatialStatus {
    if (impulse !== null) {
      const jump = this.#impulse;
      jump.set(impulse);
      this.system.applyInverseMass(jump);
      for (let i = 0; i < jump.length; i++) u[i] += jump[i];
    }
    return this.system.advance(q, u, 0.5 * h) ? 'ok' : 'notFinite';
  }
}
