/**
 * Rigid bodies in the scheme by half steps. The gyroscopic term is treated as `RotationStep` says; implicit means θ = ½ here, so that it keeps the
 * order. Loads are evaluated at (t_½, q_½) and a velocity:
 *
 *     start       u, as S3 (u2) has it; of order 1 for loads that depend on velocities
 *     predicted   u + ½h M⁻¹ (f(t_½, q_½, u) − Ω×I Ω); of order 2
 *
 * The conserving treatment turns bodies by the exponential, since its conservation of momentum rests on R_½ = R exp(½h Ω). Impulses
 * between the half steps are added to it as to the others, by the constant M: they change π by R_½ of their moment up to
 * O(h) of it, as in every scheme in which u⁺ is linear in R. Of joints, whose impulses are there in each step, that would make the motion one of
 * order 1: the angular velocities that the gyroscopic term is evaluated with would lack half of what the joints do. Who knows nearly what they
 * do, as from the step before, says so by `reactions`: the term is evaluated with them, and u is what it is without.
 */
import type { HalfStepSystem } from './half-step';
import { type OrientationUpdate, PositionUpdate } from './position-update';
import { POSITIONS, VELOCITIES } from './rigid-body';
import { RotationStep } from './rotation-step';
import type { SpatialStatus } from './status';
import type { SpatialSystem } from './system';
import { multiplyMatrix } from './vector-product';

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
  /** (F, M) of the loads that the last free velocity has been computed with */
  readonly force: Float64Array;
  /** Adds impulses over the step, at q_½, which the gyroscopic term should know of. */
  reactions: ((q: Float64Array, out: Float64Array) => void) | null = null;
  readonly #reactions: Float64Array;
  readonly #moment = new Float64Array(3);
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
    this.force = new Float64Array(system.velocities);
    this.#predicted = new Float64Array(system.velocities);
    this.#reactions = new Float64Array(system.velocities);
  }

  advance(q: Float64Array, u: Float64Array, time: number): boolean {
    for (let k = 0; k < this.system.bodies.length; k++)
      if (!this.#update.advance(q, POSITIONS * k, u, VELOCITIES * k, time)) return false;
    return true;
  }

  addFreeVelocity(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus {
    const { bodies } = this.system;
    const force = this.force;
    this.system.force(clock, q, u, force);
    if (this.#isPredicted) this.#predict(clock, q, u, h);
    const reactions = this.#reactions;
    if (this.reactions !== null) {
      reactions.fill(0);
      this.reactions(q, reactions);
    }
    for (let k = 0; k < bodies.length; k++) {
      const at = VELOCITIES * k;
      for (let i = at; i < at + 3; i++) u[i] += (h * force[i]) / bodies[k].mass;
      const status = this.#turn(k, u, h);
      if (status !== 'ok') return status;
    }
    return 'ok';
  }

  /** Ω of a body, with the moments of loads and reactions and then without those of the reactions. */
  #turn(k: number, u: Float64Array, h: number): SpatialStatus {
    const body = this.system.bodies[k];
    const at = VELOCITIES * k + 3;
    const moment = this.#moment;
    const reactions = this.#reactions;
    for (let i = 0; i < 3; i++) moment[i] = this.force[at + i] + reactions[at + i] / h;
    const status = this.#rotation.advance(body, u, at, moment, 0, h);
    if (status !== 'ok' || this.reactions === null) return status;
    multiplyMatrix(body.inverseInertia, reactions, at, moment, 0);
    for (let i = 0; i < 3; i++) u[at + i] -= moment[i];
    return 'ok';
  }

  applyInverseMass(x: Float64Array): void {
    this.system.applyInverseMass(x);
  }

  /** Loads at the predicted velocity, from those at u. */
  #predict(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): void {
    const force = this.force;
    const predicted = this.#predicted;
    predicted.set(force);
    this.system.addGyroscopic(u, predicted);
    this.system.applyInverseMass(predicted);
    for (let i = 0; i < predicted.length; i++) predicted[i] = u[i] + 0.5 * h * predicted[i];
    this.system.force(clock, q, predicted, force);
  }
}
