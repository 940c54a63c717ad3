/**
 * Rigid bodies in the scheme by half steps. The gyroscopic term is treated as `RotationStep` says; implicit means θ = ½ here, so that it keeps the
 * order. Loads are evaluated at (t_½, q_½) and a velocity:
 *
 *     start       u, as S3 (u2) has it; of order 1 for loads that depend on velocities
 *     predicted   u + ½h M⁻¹ (f(t_½, q_½, u) − Ω×I Ω); of order 2
 *
 * The conserving treatment turns bodies by the exponential, since its conservation of momentum rests on R_½ = R exp(½h Ω). Impulses
 * between the half steps are added to it as to the others, by the constant M: they change π by R_½ of their moment up to
 * O(h) of it, as in every scheme in which u⁺ is linear in R.
 */
import type { HalfStepSystem } from './half-step';
import { type OrientationUpdate, PositionUpdate } from './position-update';
import { POSITIONS, VELOCITIES } from './rigid-body';
import { RotationStep } from './rotation-step';
import type { SpatialStatus } from './status';
import type { SpatialSystem } from './system';

export type RigidBodyMotionSettings = {
  /** velocity that loads are evaluated at; `start` when left out */
  loads?: 'start' | 'predicted';
} & (
  | { gyroscopic: 'conserving' }
  | {
      gyroscopic: 'explicit' | 'implicit';
      /** `exponential` when left out */
      orientation?: OrientationUpdate;
    }
);

export class RigidBodyMotion implements HalfStepSystem {
  readonly positions: number;
  readonly velocities: number;
  readonly #update: PositionUpdate;
  readonly #rotation: RotationStep;
  readonly #isPredicted: boolean;
  readonly #force: Float64Array;
  readonly #predicted: Float64Array;

  constructor(
    readonly system: SpatialSystem,
    settings: RigidBodyMotionSettings,
  ) {
    this.positions = system.positions;
    this.velocities = system.velocities;
    const orientation =
      settings.gyroscopic === 'conserving' ? 'exponential' : (settings.orientation ?? 'exponential');
    this.#update = new PositionUpdate(orientation);
    this.#rotation = new RotationStep(settings.gyroscopic, 0.5);
    this.#isPredicted = settings.loads === 'predicted';
    this.#force = new Float64Array(system.velocities);
    this.#predicted = new Float64Array(system.velocities);
  }

  advance(q: Float64Array, u: Float64Array, time: number): boolean {
    for (let k = 0; k < this.system.bodies.length; k++)
      if (!this.#update.advance(q, POSITIONS * k, u, VELOCITIES * k, time)) return false;
    return true;
  }

  addFreeVelocity(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus {
    const { bodies } = this.system;
    const force = this.#force;
    this.system.force(clock, q, u, force);
    if (this.#isPredicted) this.#predict(clock, q, u, h);
    for (let k = 0; k < bodies.length; k++) {
      const at = VELOCITIES * k;
      for (let i = at; i < at + 3; i++) u[i] += (h * force[i]) / bodies[k].mass;
      const status = this.#rotation.advance(bodies[k], u, at + 3, force, at + 3, h);
      if (status !== 'ok') return status;
    }
    return 'ok';
  }

  applyInverseMass(x: Float64Array): void {
    this.system.applyInverseMass(x);
  }

  /** Loads at the predicted velocity, from those at u. */
  #predict(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): void {
    const force = this.#force;
    const predicted = this.#predicted;
    predicted.set(force);
    this.system.addGyroscopic(u, predicted);
    this.system.applyInverseMass(predicted);
    for (let i = 0; i < predicted.length; i++) predicted[i] = u[i] + 0.5 * h * predicted[i];
    this.system.force(clock, q, predicted, force);
  }
}
