/**
 * The θ-method of Moreau and Jean for 3D bodies (Jean 1999), rows formed where it would end if nothing
 * happened,
 *
 *     M (u⁺ − u⁻) = h ((1−θ) F(t⁻, q⁻, u⁻) + θ F(t⁺, q⁺, u⁺)) + g + ᵗG λ + ᵗH R,     q_* = q⁻ ⊕ h u⁻,
 *     q⁺ = q⁻ ⊕ h u_θ,     u_θ = θ u⁺ + (1−θ) u⁻,
 *
 * bodies being turned by the exponential of h Ω_θ; F has the elasticity of pseudo-rigid bodies, which have no
 * g. The moment of the impulse g of the gyroscopic term is, by its treatment,
 *
 *     explicit     −h Ω⁻×I Ω⁻
 *     implicit     −h ((1−θ) Ω⁻×I Ω⁻ + θ Ω⁺×I Ω⁺), as a load; it is what Siconos does
 *     conserving   (exp(−h Ω_θ) − 1) I⁻ Ω⁻, and exp(−h Ω_θ) M⁻ in place of the moment M⁻ at the start: since
 *                  R⁺ = R⁻ exp(h Ω_θ), R⁺ I Ω⁺ = R⁻ I Ω⁻ + h ((1−θ) R⁻ M⁻ + θ R⁺ M⁺), and without loads the
 *                  moment of momentum stays
 *
 * Where the inertia is a function of time, M is that of the end, and −(I⁺ − I⁻) Ω⁻ belongs to g.
 *
 * Loads and g depend on u⁺, and u⁺ on them. So the law of contact is solved with those of the last u⁺ until
 * they are those of the next one. M stays the mass: the iteration contracts by hθ |M⁻¹∂F/∂u| + h²θ²
 * |M⁻¹∂F/∂q|, and what it ends at is the answer of the equations above, whatever the matrix. Constant loads
 * of bodies that do not spin are right at once.
 *
 * Smooth motion is of order 2 for θ = ½ and of order 1 else. With joints and with contacts that last it is of
 * order 1 for every θ: the directions of their impulses are those of q_*, not of the middle. G(q⁺) u⁺ is of
 * the order h² there, as q⁺ − q_* is.
 *
 * Gaps are those at the start, which the law of activation of the method speaks of, taken back from q_* by
 * their velocity. So bodies that come fast are known where they will touch.
 */
import type { RigidBody } from '../../spatial/bodies/rigid-body';
import type { GyroscopicTerm } from '../../spatial/bodies/rotation-step';
import { rotateByVector } from '../../spatial/quaternion';
import type { SpatialStatus } from '../../spatial/status';
import type { SpatialSystem } from '../../spatial/system';
import { multiplyMatrix } from '../../spatial/matrix3';
import { larger } from '../../linalg/nan-safe';
import { Repetitions } from '../../linalg/repetitions';
import type { Revision, StepScheme } from './scheme';

export interface MoreauJeanSettings {
  /** θ, 0 … 1 */
  readonly theta: number;
  /** γ, 0 … 2: a contact takes part when gap + γ h U_N⁻ ≤ 0 at the start */
  readonly forecast: number;
  readonly gyroscopic: GyroscopicTerm;
}

const MAX_ITERATIONS = 50;

export class SpatialMoreauJean implements StepScheme {
  readonly part = 1;
  readonly aim = 0;
  readonly lag = 1;
  readonly forecast: number;
  readonly newPart: number;
  readonly oldPart: number;
  readonly force: Float64Array;
  /** q⁻, u⁻ and F(t⁻, q⁻, u⁻) */
  readonly #q: Float64Array;
  readonly #u: Float64Array;
  readonly #first: Float64Array;
  /** q⁺ */
  readonly #end: Float64Array;
  /** p, and the next one */
  readonly #impulse: Float64Array;
  readonly #next: Float64Array;
  /** M⁻¹ of the next one */
  readonly #moved: Float64Array;
  /** [0] t⁻, and [0] t⁺ */
  readonly #startTime = new Float64Array(1);
  readonly #endTime = new Float64Array(1);
  readonly #length = new Float64Array(1);
  /** u_θ of one body */
  readonly #mean: Float64Array;
  readonly #momentum = new Float64Array(3);
  readonly #turned = new Float64Array(3);
  readonly #repetitions = new Repetitions(MAX_ITERATIONS);

  constructor(
    private readonly system: SpatialSystem,
    private readonly settings: MoreauJeanSettings,
  ) {
    const { theta, forecast } = settings;
    this.forecast = forecast;
    this.newPart = theta;
    this.oldPart = 1 - theta;
    const { positions, velocities } = system;
    this.#mean = new Float64Array(largest(system));
    this.force = new Float64Array(velocities);
    this.#q = new Float64Array(positions);
    this.#end = new Float64Array(positions);
    this.#u = new Float64Array(velocities);
    this.#first = new Float64Array(velocities);
    this.#impulse = new Float64Array(velocities);
    this.#next = new Float64Array(velocities);
    this.#moved = new Float64Array(velocities);
  }

  begin(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus {
    this.#q.set(q);
    this.#u.set(u);
    this.#startTime[0] = clock[0];
    this.#endTime[0] = clock[0] + h;
    this.#length[0] = h;
    this.#repetitions.begin();
    this.system.force(clock, q, u, this.#first);
    const status = this.#compute(u);
    if (status !== 'ok') return status;
    const { bodies, positionsAt, velocitiesAt } = this.system;
    for (let k = 0; k < bodies.length; k++)
      if (!this.#advance(k, q, positionsAt[k], this.#u, velocitiesAt[k])) return 'notFinite';
    this.#free(u);
    return this.#isInverted(q) ? 'inverted' : 'ok';
  }

  reopen(): void {
    this.#repetitions.begin();
  }

  revise(u: Float64Array): Revision {
    const status = this.#compute(u);
    if (status !== 'ok') return status;
    const change = this.#measure(u);
    if (!Number.isFinite(change)) return 'notFinite';
    const next = this.#repetitions.next(change);
    if (next !== 'again') return next === 'done' ? 'ok' : 'loadsNotConverged';
    this.#free(u);
    return 'again';
  }

  addConservative(_: Float64Array, u: Float64Array, out: Float64Array): void {
    const { theta } = this.settings;
    this.#place(u);
    this.#addConservative(this.#startTime, this.#q, this.#u, 1 - theta, out);
    this.#addConservative(this.#endTime, this.#end, u, theta, out);
  }

  addDamping(u: Float64Array, out: Float64Array): void {
    const { theta } = this.settings;
    if (this.system.pseudoRigid.length === 0) return;
    this.#place(u);
    this.#addDamping(this.#q, this.#u, 1 - theta, out);
    this.#addDamping(this.#end, u, theta, out);
  }

  finish(q: Float64Array, u: Float64Array): SpatialStatus {
    if (!this.#place(u)) return 'notFinite';
    q.set(this.#end);
    return 'ok';
  }

  /** q ← q ⊕ h u of a body. @returns false when it has no direction */
  #advance(k: number, q: Float64Array, qAt: number, u: Float64Array, uAt: number): boolean {
    const body = this.system.bodies[k];
    return !body.displace(q, qAt, u, uAt, this.#length[0]) || body.normalise(q, qAt);
  }

  #isInverted(q: Float64Array): boolean {
    const { pseudoRigid } = this.system;
    for (let k = 0; k < pseudoRigid.length; k++)
      if (!(pseudoRigid[k].body.volumeRatio(q, pseudoRigid[k].qAt) > 0)) return true;
    return false;
  }

  /** q⁺ of u⁺ = u. */
  #place(u: Float64Array): boolean {
    const { theta } = this.settings;
    const mean = this.#mean;
    this.#end.set(this.#q);
    const { bodies, positionsAt, velocitiesAt } = this.system;
    for (let k = 0; k < bodies.length; k++) {
      const at = velocitiesAt[k];
      for (let i = 0; i < bodies[k].velocities; i++)
        mean[i] = theta * u[at + i] + (1 - theta) * this.#u[at + i];
      if (!this.#advance(k, this.#end, positionsAt[k], mean, 0)) return false;
    }
    return true;
  }

  /** Mean force and p of u⁺ = u, into `#next`. */
  #compute(u: Float64Array): SpatialStatus {
    const { theta, gyroscopic } = this.settings;
    const { force, system } = this;
    if (theta === 0) force.set(this.#first);
    else {
      if (!this.#place(u)) return 'notFinite';
      system.force(this.#endTime, this.#end, u, force);
    }
    const { rigid, pseudoRigid } = system;
    for (let k = 0; k < rigid.length; k++) {
      const { body, vAt } = rigid[k];
      if (gyroscopic === 'conserving') this.#conserve(body, vAt + 3, u);
      else {
        this.#average(vAt, body.velocities, this.#first, vAt);
        this.#addGyroscopic(body, vAt + 3, u);
      }
      body.addInertiaChange(this.#u, vAt + 3, 1, this.#next, vAt + 3);
    }
    for (let k = 0; k < pseudoRigid.length; k++) {
      const { body, vAt } = pseudoRigid[k];
      this.#average(vAt, body.velocities, this.#first, vAt);
    }
    return 'ok';
  }

  /**
   * Mean of entries of the force, which is that of the end, with those of the start, and h times it.
   * @param first at `from`
   */
  #average(at: number, count: number, first: Float64Array, from: number): void {
    const { theta } = this.settings;
    const { force } = this;
    for (let i = 0; i < count; i++) {
      // Equal ones stay as they are to the last bit.
      if (force[at + i] !== first[from + i])
        force[at + i] = theta * force[at + i] + (1 - theta) * first[from + i];
      this.#next[at + i] = this.#length[0] * force[at + i];
    }
  }

  /** Adds g of a body. @param at of its Ω */
  #addGyroscopic(body: RigidBody, at: number, u: Float64Array): void {
    const { theta, gyroscopic } = this.settings;
    const [h] = this.#length;
    const weight = gyroscopic === 'implicit' ? theta : 0;
    body.addGyroscopic(this.#u, at, h * (1 - weight), this.#next, at);
    if (weight > 0) body.addGyroscopic(u, at, h * weight, this.#next, at);
  }

  /** Mean force and p of a body with the conserving treatment. @param at of its Ω */
  #conserve(body: RigidBody, at: number, u: Float64Array): void {
    const { theta } = this.settings;
    const [h] = this.#length;
    const mean = this.#mean;
    const momentum = this.#momentum;
    const turned = this.#turned;
    for (let i = 0; i < 3; i++) mean[i] = theta * u[at + i] + (1 - theta) * this.#u[at + i];
    rotateByVector(mean, 0, -h, this.#first, at, turned, 0);
    this.#average(at - 3, 3, this.#first, at - 3);
    this.#average(at, 3, turned, 0);
    multiplyMatrix(body.formerInertia, this.#u, at, momentum, 0);
    rotateByVector(mean, 0, -h, momentum, 0, turned, 0);
    for (let i = 0; i < 3; i++) this.#next[at + i] += turned[i] - momentum[i];
  }

  /** u ← u⁻ + M⁻¹ p with the p that has been computed last. */
  #free(u: Float64Array): void {
    this.#impulse.set(this.#next);
    u.set(this.#impulse);
    this.system.applyInverseMass(u);
    for (let i = 0; i < u.length; i++) u[i] += this.#u[i];
  }

  /**
   * How far p is from the last one: the largest change of a body's velocities relative to the largest speed
   * there is, both as √(u·M u/m), in m/s.
   */
  #measure(u: Float64Array): number {
    const { bodies, velocitiesAt } = this.system;
    const change = this.#impulse;
    const moved = this.#moved;
    for (let i = 0; i < change.length; i++) change[i] = this.#next[i] - change[i];
    moved.set(this.#next);
    this.system.applyInverseMass(change);
    this.system.applyInverseMass(moved);
    let step = 0;
    let speed = 0;
    for (let k = 0; k < bodies.length; k++) {
      const at = velocitiesAt[k];
      const { mass } = bodies[k];
      step = larger(step, bodies[k].kineticEnergy(change, at) / mass);
      speed = larger(speed, bodies[k].kineticEnergy(u, at) / mass);
      speed = larger(speed, bodies[k].kineticEnergy(this.#u, at) / mass);
      speed = larger(speed, bodies[k].kineticEnergy(moved, at) / mass);
    }
    // What has gone altogether is a change of its own size.
    return step === 0 ? 0 : Math.sqrt(step / larger(speed, step));
  }

  #addConservative(
    time: Float64Array,
    q: Float64Array,
    u: Float64Array,
    part: number,
    out: Float64Array,
  ): void {
    const work = this.#next.fill(0);
    this.system.addPotentialForce(time, q, u, work);
    for (let i = 0; i < out.length; i++) out[i] += part * work[i];
  }

  #addDamping(q: Float64Array, u: Float64Array, part: number, out: Float64Array): void {
    const work = this.#next.fill(0);
    this.system.addDamping(q, u, work);
    for (let i = 0; i < out.length; i++) out[i] += part * work[i];
  }
}

/** Velocities of the body that has the most. */
const largest = ({ bodies }: SpatialSystem): number =>
  bodies.reduce((most, { velocities }) => Math.max(most, velocities), 0);
