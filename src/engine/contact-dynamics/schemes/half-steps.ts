/**
 * Positions by half steps, Solfec, basics (5)–(7): q_* = q_½, at the time t_½ that loads belong to as well
 * (`HalfStep`, `BodyMotion`).
 */
import type { SpatialBody } from '../../spatial/bodies/body';
import { multiplyMatrix } from '../../spatial/matrix3';
import { PseudoRigidBody } from '../../spatial/bodies/pseudo-rigid';
import { normaliseQuaternion, quaternionRate, squaredNorm, turn } from '../../spatial/quaternion';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import { RotationStep } from '../../spatial/bodies/rotation-step';
import type { SpatialStatus } from '../../spatial/status';
import type { SpatialSystem } from '../../spatial/system';
import type { Reactions, Revision, StepScheme } from './scheme';

/*
 * Bodies in the scheme by half steps. The gyroscopic term of rigid ones is treated as `RotationStep` says;
 * implicit means θ = ½ here, so that it keeps the order. Loads are evaluated at (t_½, q_½) and a velocity:
 *
 *     start       u, as Solfec, local dynamics (u2) has it; of order 1 for loads that depend on velocities
 *     predicted   u + ½h M⁻¹ (f(t_½, q_½, u) − Ω×I Ω + r/h), r the impulses of joints; of order 2 but for
 *                 what contacts do
 *
 * The conserving treatment turns bodies by the exponential, since its conservation of momentum rests on
 * R_½ = R exp(½h Ω). Impulses between the half steps are added to it as to the others, by the constant M:
 * they change π by R_½ of their moment up to O(h) of it, as in every scheme in which u⁺ is linear in R. Of
 * joints, whose impulses are there in each step, that would make the motion one of order 1: the angular
 * velocities that the gyroscopic term is evaluated with would lack half of what the joints do. Who knows
 * nearly what they do, as from the step before, says so by `reactions`: the term is evaluated with them, and
 * u is what it is without.
 *
 * Elastic forces of pseudo-rigid bodies are explicit, as loads are: the step must be short enough
 * (`critical-step.ts`).
 */

/*
 * Positions from velocities over a time h, x ← x + h V and for the orientation one of
 *
 *     rate          Q + h T_q(Q) Ω, on the tangent: |Q| grows by √(1 + ¼ h²|Ω|²) each time
 *     normalised    the same, divided by its norm; this is the Cayley transform of h Ω, a turn by 2 atan(½
 *                   h|Ω|)
 *     exponential   Q ∘ Exp(h Ω), exact for a constant Ω
 *
 * Siconos developer's notes §10.0.17 says of q̇ = T v that it keeps |Q| = 1. That holds of the differential
 * equation only, as the first line shows; the rate alone is kept for comparison. The others are on the sphere
 * to rounding, which neither removes: rounding of |Q| adds up as in a random walk, 10⁻¹⁶ √n after n steps, so
 * that the exponential is followed by a normalisation as well.
 *
 * What does not turn keeps its quaternion to the last bit: a normalisation may exchange two neighbouring ones
 * for ever.
 */

type OrientationUpdate = 'rate' | 'normalised' | 'exponential';

export class PositionUpdate {
  readonly #work = new Float64Array(4);

  constructor(readonly orientation: OrientationUpdate) {}

  /**
   * q ← q moved by v for h seconds.
   * @param qAt first of the body's seven positions
   * @param vAt first of its six velocities
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

export type BodyMotionSettings = {
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

/** What a kind of body does in a step. */
interface BodyStep {
  /** q ← q ⊕ time · u. @returns false when the result is not finite */
  advance(q: Float64Array, u: Float64Array, time: number): boolean;
  /** u ← u + M⁻¹ h f @param reactions see `BodyMotion`; null for none */
  addFreeVelocity(
    q: Float64Array,
    u: Float64Array,
    force: Float64Array,
    reactions: Float64Array | null,
    h: number,
  ): SpatialStatus;
}

class RigidBodyStep implements BodyStep {
  readonly #moment = new Float64Array(3);

  constructor(
    private readonly body: RigidBody,
    private readonly qAt: number,
    private readonly vAt: number,
    private readonly update: PositionUpdate,
    private readonly rotation: RotationStep,
  ) {}

  advance(q: Float64Array, u: Float64Array, time: number): boolean {
    return this.update.advance(q, this.qAt, u, this.vAt, time);
  }

  addFreeVelocity(
    _: Float64Array,
    u: Float64Array,
    force: Float64Array,
    reactions: Float64Array | null,
    h: number,
  ): SpatialStatus {
    const { vAt, body } = this;
    for (let i = vAt; i < vAt + 3; i++) u[i] += (h * force[i]) / body.mass;
    const at = vAt + 3;
    const moment = this.#moment;
    // Ω with the moments of loads and reactions, and then without those of the reactions.
    for (let i = 0; i < 3; i++) moment[i] = force[at + i] + (reactions === null ? 0 : reactions[at + i] / h);
    const status = this.rotation.advance(body, u, at, moment, 0, h);
    if (status !== 'ok' || reactions === null) return status;
    multiplyMatrix(body.inverseInertia, reactions, at, moment, 0);
    for (let i = 0; i < 3; i++) u[at + i] -= moment[i];
    return 'ok';
  }
}

class PseudoRigidBodyStep implements BodyStep {
  readonly #change: Float64Array;

  constructor(
    private readonly body: PseudoRigidBody,
    private readonly qAt: number,
    private readonly vAt: number,
  ) {
    this.#change = new Float64Array(body.velocities);
  }

  advance(q: Float64Array, u: Float64Array, time: number): boolean {
    const { body, qAt, vAt } = this;
    let sum = 0;
    for (let i = 0; i < body.positions; i++) {
      q[qAt + i] += time * u[vAt + i];
      sum += q[qAt + i];
    }
    return Number.isFinite(sum);
  }

  addFreeVelocity(
    q: Float64Array,
    u: Float64Array,
    force: Float64Array,
    _: Float64Array | null,
    h: number,
  ): SpatialStatus {
    const { body, qAt, vAt } = this;
    const change = this.#change;
    for (let i = 0; i < change.length; i++) change[i] = h * force[vAt + i];
    body.applyInverseMass(change, 0);
    let sum = 0;
    for (let i = 0; i < change.length; i++) {
      u[vAt + i] += change[i];
      sum += u[vAt + i];
    }
    if (!Number.isFinite(sum)) return 'notFinite';
    return body.volumeRatio(q, qAt) > 0 ? 'ok' : 'inverted';
  }
}

export class BodyMotion implements HalfStepSystem {
  readonly positions: number;
  readonly velocities: number;
  readonly #steps: readonly BodyStep[];
  readonly #isPredicted: boolean;
  /** f that the last free velocity has been computed with: loads, elasticity and damping */
  readonly force: Float64Array;
  /** velocity that it has been evaluated at */
  readonly loadVelocity: Float64Array;
  /** Adds impulses over the step, at q_½, which the gyroscopic term should know of. */
  reactions: ((q: Float64Array, out: Float64Array) => void) | null = null;
  readonly #reactions: Float64Array;

  constructor(
    readonly system: SpatialSystem,
    settings: BodyMotionSettings,
  ) {
    this.positions = system.positions;
    this.velocities = system.velocities;
    const orientation =
      settings.gyroscopic === 'conserving' ? 'exponential' : (settings.orientation ?? 'exponential');
    const update = new PositionUpdate(orientation);
    const rotation = new RotationStep(settings.gyroscopic, 0.5);
    this.#steps = system.bodies.map((body, k) =>
      stepOf(body, system.positionsAt[k], system.velocitiesAt[k], update, rotation),
    );
    this.#isPredicted = settings.loads === 'predicted';
    this.force = new Float64Array(system.velocities);
    this.loadVelocity = new Float64Array(system.velocities);
    this.#reactions = new Float64Array(system.velocities);
  }

  advance(q: Float64Array, u: Float64Array, time: number): boolean {
    for (let k = 0; k < this.#steps.length; k++) if (!this.#steps[k].advance(q, u, time)) return false;
    return true;
  }

  addFreeVelocity(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus {
    const { force, loadVelocity } = this;
    loadVelocity.set(u);
    this.system.force(clock, q, u, force);
    let reactions: Float64Array | null = null;
    if (this.reactions !== null) {
      reactions = this.#reactions;
      reactions.fill(0);
      this.reactions(q, reactions);
    }
    if (this.#isPredicted) this.#predict(clock, q, u, reactions, h);
    for (let k = 0; k < this.#steps.length; k++) {
      const status = this.#steps[k].addFreeVelocity(q, u, force, reactions, h);
      if (status !== 'ok') return status;
    }
    return 'ok';
  }

  applyInverseMass(x: Float64Array): void {
    this.system.applyInverseMass(x);
  }

  /**
   * f at the predicted velocity, from that at u.
   * @param reactions impulses over the step that are known beforehand; null for none
   */
  #predict(
    clock: Float64Array,
    q: Float64Array,
    u: Float64Array,
    reactions: Float64Array | null,
    h: number,
  ): void {
    const { force, loadVelocity: predicted } = this;
    predicted.set(force);
    this.system.addGyroscopic(u, predicted);
    this.system.addInertiaChange(u, 1 / h, predicted);
    if (reactions !== null) for (let i = 0; i < predicted.length; i++) predicted[i] += reactions[i] / h;
    this.system.applyInverseMass(predicted);
    for (let i = 0; i < predicted.length; i++) predicted[i] = u[i] + 0.5 * h * predicted[i];
    this.system.force(clock, q, predicted, force);
  }
}

function stepOf(
  body: SpatialBody,
  qAt: number,
  vAt: number,
  update: PositionUpdate,
  rotation: RotationStep,
): BodyStep {
  if (body instanceof RigidBody) return new RigidBodyStep(body, qAt, vAt, update, rotation);
  if (body instanceof PseudoRigidBody) return new PseudoRigidBodyStep(body, qAt, vAt);
  throw new Error(`no step for the kind of “${body.id}”`);
}

/*
 * Positions by half steps, velocities by whole ones: the scheme of Solfec, basics (5)–(7),
 *
 *     q_½ = q ⊕ ½h u,     u⁺ = u + M⁻¹ h f(t_½, q_½) + M⁻¹ ᵗH R,     q⁺ = q_½ ⊕ ½h u⁺,
 *
 * in which R are impulses over the step (in Solfec, local dynamics they are forces, and W has the factor h),
 * and H = H(q_½). What happens between the half steps is the caller's: `begin` leaves q_½ and the free
 * velocity u + M⁻¹ h f, so that B = H u, and `finish` takes the impulses that follow from B + W R, W = H
 * M⁻¹ᵗH.
 *
 * The scheme is symmetric and of order 2 where f depends on positions and time only. It is the leapfrog that
 * starts with half a drift: exact for constant forces, exact in momentum, and in moment of momentum where
 * forces are central; the energy of conservative systems oscillates by O(h²). For f that depends on
 * velocities see `BodyMotion`.
 */

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

export class SpatialHalfSteps implements StepScheme {
  readonly part = 0.5;
  readonly aim = 0.5;
  readonly lag = 0;
  readonly forecast = 0;
  readonly newPart = 0.5;
  readonly oldPart = 0;
  readonly #motion: BodyMotion;
  readonly #step: HalfStep;
  /** [0] t_½; and [0] h */
  readonly #halfway = new Float64Array(1);
  readonly #length = new Float64Array(1);
  readonly #middle: Float64Array;

  constructor(
    private readonly system: SpatialSystem,
    settings: BodyMotionSettings,
  ) {
    this.#motion = new BodyMotion(system, settings);
    this.#step = new HalfStep(this.#motion);
    this.#middle = new Float64Array(system.positions);
  }

  get force(): Float64Array {
    return this.#motion.force;
  }

  expectReactions(reactions: Reactions): void {
    this.#motion.reactions = reactions;
  }

  begin(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus {
    this.#halfway[0] = clock[0] + 0.5 * h;
    this.#length[0] = h;
    const status = this.#step.begin(clock, q, u, h);
    this.#middle.set(q);
    return status;
  }

  /** Loads are those of the middle. */
  revise(): Revision {
    return 'ok';
  }

  addConservative(mean: Float64Array, _: Float64Array, out: Float64Array): void {
    this.system.addPotentialForce(this.#halfway, this.#middle, mean, out);
  }

  addDamping(_: Float64Array, out: Float64Array): void {
    this.system.addDamping(this.#middle, this.#motion.loadVelocity, out);
  }

  finish(q: Float64Array, u: Float64Array): SpatialStatus {
    return this.#step.finish(q, u, this.#length[0], null);
  }
}
