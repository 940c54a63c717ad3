/**
 * Bodies with joints and loads, compiled: q has the positions of each body one after the other and v their
 * velocities, as many as the body has (`SpatialBody`): of a rigid one q = (x, Q), seven numbers, and v = (V,
 * Ω), six; of a pseudo-rigid one q = (x̄, F) and v = q̇, twelve each,
 *
 *     M v̇ = f(t, q, v) + ᵗH λ,   q̇ = T(q) v,   h(q) = 0,   limits ≥ 0,
 *
 * with the M of each body, constant but for rigid ones whose inertia is a function of time. f are loads and
 * what holds pseudo-rigid bodies together. The multipliers λ have the sign of the conventions of models: what
 * pushes h to grow is positive.
 */
import { EngineError } from '../errors';
import type { BodyPlaces, SpatialBody, SpatialLoad } from './bodies/body';
import type { JointMotor, SpatialJoint } from './joints/joint';
import { DEFORMATION, PseudoRigidBody } from './bodies/pseudo-rigid';
import { RigidBody } from './bodies/rigid-body';
import { addCross } from './matrix3';
import { RowSet } from './rows';
import { SPATIAL_STATUS_HELP } from './status';

/** Whether a motor prescribes its speed. */
export const isDrive = ({ limit }: JointMotor): boolean => limit === Number.POSITIVE_INFINITY;

/** State of a body at the start: its positions and its velocities. */
export interface InitialBodyState {
  positions: readonly number[];
  velocities: readonly number[];
}

/** A body of one kind, and where its numbers stand among those of all. */
export interface PlacedBody<Body extends SpatialBody> {
  readonly body: Body;
  readonly qAt: number;
  readonly vAt: number;
}

export class SpatialSystem implements BodyPlaces {
  readonly bodies: readonly SpatialBody[];
  /** numbers of all positions and of all velocities */
  readonly positions: number;
  readonly velocities: number;
  /** where the positions and the velocities of each body begin */
  readonly positionsAt: Int32Array;
  readonly velocitiesAt: Int32Array;
  readonly rigid: readonly PlacedBody<RigidBody>[];
  /** those of them whose inertia is a function of time */
  readonly changing: readonly PlacedBody<RigidBody>[];
  readonly pseudoRigid: readonly PlacedBody<PseudoRigidBody>[];
  /** equations of the joints, h = 0 */
  readonly equations: RowSet;
  /** their stops, h ≥ 0 */
  readonly limits: RowSet;
  /** their coordinates */
  readonly coordinates: RowSet;
  /** coordinates whose speed motors without a limit prescribe, joint by joint */
  readonly drives: RowSet;
  /** their speeds, m/s or rad/s */
  readonly driveSpeeds: Float64Array;
  /** from a joint's point to the mass centre of a body */
  readonly #arm = new Float64Array(3);

  constructor(
    places: BodyPlaces,
    readonly initial: readonly InitialBodyState[],
    readonly joints: readonly SpatialJoint[],
    readonly loads: readonly SpatialLoad[],
    /** whether all bodies move in one plane z = const (`plane-of-motion.ts`) */
    readonly isPlanar = false,
  ) {
    this.bodies = places.bodies;
    this.positionsAt = places.positionsAt;
    this.velocitiesAt = places.velocitiesAt;
    this.positions = places.positions;
    this.velocities = places.velocities;
    this.rigid = this.#placed(RigidBody);
    this.changing = this.rigid.filter(({ body }) => body.law !== null);
    this.pseudoRigid = this.#placed(PseudoRigidBody);
    this.equations = new RowSet(joints.flatMap(({ rows }) => [...rows]));
    this.limits = new RowSet(joints.flatMap(({ limits }) => [...limits]));
    this.coordinates = new RowSet(joints.flatMap(({ coordinates }) => [...coordinates]));
    const drives = joints.flatMap(({ motors }) => motors.filter(isDrive));
    this.drives = new RowSet(drives.map(({ coordinate }) => coordinate));
    this.driveSpeeds = Float64Array.from(drives, ({ speed }) => speed);
  }

  #placed<Body extends SpatialBody>(kind: abstract new (...given: never[]) => Body): PlacedBody<Body>[] {
    return this.bodies.flatMap((body, k) =>
      body instanceof kind ? { body, qAt: this.positionsAt[k], vAt: this.velocitiesAt[k] } : [],
    );
  }

  /** q at the start */
  initialPositions(): Float64Array {
    return Float64Array.from(this.initial.flatMap(({ positions }) => [...positions]));
  }

  /** v at the start */
  initialVelocities(): Float64Array {
    return Float64Array.from(this.initial.flatMap(({ velocities }) => [...velocities]));
  }

  /** M, row-major */
  mass(out: Float64Array): void {
    const { velocities: n } = this;
    out.fill(0);
    for (let k = 0; k < this.bodies.length; k++) this.bodies[k].writeMass(out, n, this.velocitiesAt[k]);
  }

  /** x ← M⁻¹ x. @param at entry of `x` where the vector of all bodies begins */
  applyInverseMass(x: Float64Array, at = 0): void {
    for (let k = 0; k < this.bodies.length; k++)
      this.bodies[k].applyInverseMass(x, at + this.velocitiesAt[k]);
  }

  /** out ← f: loads, elasticity and its damping, without the gyroscopic term */
  force(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let k = 0; k < this.loads.length; k++) this.loads[k].addForce(clock, q, v, out);
    this.addElasticForce(q, out);
    this.addDamping(q, v, out);
  }

  /** Adds the forces of all loads that have a potential, and those of elasticity. */
  addPotentialForce(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void {
    for (let k = 0; k < this.loads.length; k++)
      if (this.loads[k].potential !== undefined) this.loads[k].addForce(clock, q, v, out);
    this.addElasticForce(q, out);
  }

  /** Adds what holds pseudo-rigid bodies together. */
  addElasticForce(q: Float64Array, out: Float64Array): void {
    const { pseudoRigid } = this;
    for (let k = 0; k < pseudoRigid.length; k++) {
      const { body, qAt, vAt } = pseudoRigid[k];
      body.elasticity.addForce(q, qAt + DEFORMATION, out, vAt + DEFORMATION);
    }
  }

  /** Adds what damps their deformation. */
  addDamping(q: Float64Array, v: Float64Array, out: Float64Array): void {
    const { pseudoRigid } = this;
    for (let k = 0; k < pseudoRigid.length; k++) {
      const { body, qAt, vAt } = pseudoRigid[k];
      body.elasticity.addDamping(q, qAt + DEFORMATION, v, vAt + DEFORMATION, out, vAt + DEFORMATION);
    }
  }

  /** Adds −Ω×I Ω of all rigid bodies. */
  addGyroscopic(v: Float64Array, out: Float64Array): void {
    const { rigid } = this;
    for (let k = 0; k < rigid.length; k++) {
      const at = rigid[k].vAt + 3;
      rigid[k].body.addGyroscopic(v, at, 1, out, at);
    }
  }

  /** Adds −(I⁺ − I⁻) Ω times a factor of all rigid bodies. */
  addInertiaChange(v: Float64Array, factor: number, out: Float64Array): void {
    const { changing } = this;
    for (let k = 0; k < changing.length; k++) {
      const at = changing[k].vAt + 3;
      changing[k].body.addInertiaChange(v, at, factor, out, at);
    }
  }

  /**
   * Takes the inertia of bodies at the start and the end of a step.
   * @param start [0] t⁻ @param end [0] t⁺, s @returns the first body whose inertia none can have; null when
   *   all is well
   */
  takeInertia(start: Float64Array, end: Float64Array): RigidBody | null {
    const { changing } = this;
    for (let k = 0; k < changing.length; k++) {
      const { body } = changing[k];
      if (!body.takeInertia(start, end) || (this.isPlanar && !staysInPlane(body))) return body;
    }
    return null;
  }

  /** The body whose share of a joint's forces `jointWrench` takes: the second, or the first at the ground. */
  reactingBody(joint: number): number {
    const { first, second } = this.joints[joint];
    return second.body >= 0 ? second.body : first.body;
  }

  /**
   * Force and moment of a joint on its second body, about its point there, in the world's frame.
   * @param force what the joint does to `reactingBody`, by velocities of that body from entry `at` on
   * @param factor of what is given: 1, or 1/h of an impulse whose mean over a step is asked for
   * @param out six numbers: force, N, and moment, N m
   */
  jointWrench(
    joint: number,
    q: Float64Array,
    force: Float64Array,
    at: number,
    factor: number,
    out: Float64Array,
  ): void {
    const { second } = this.joints[joint];
    const body = this.reactingBody(joint);
    const qAt = this.positionsAt[body];
    // What a joint does to the ground is the opposite of what it does to the body.
    const scale = second.body >= 0 ? factor : -factor;
    const arm = this.#arm;
    this.bodies[body].wrench(q, qAt, force, at, out);
    second.place(q);
    for (let i = 0; i < 3; i++) arm[i] = q[qAt + i] - second.point[i];
    for (let i = 0; i < 6; i++) out[i] *= scale;
    addCross(arm, 0, out, 0, 1, out, 3);
  }

  /** J */
  kineticEnergy(v: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < this.bodies.length; k++) sum += this.bodies[k].kineticEnergy(v, this.velocitiesAt[k]);
    return sum;
  }

  /** Potential energy of the loads that have one, and of elasticity, J. */
  potentialEnergy(clock: Float64Array, q: Float64Array): number {
    return this.loadEnergy(clock, q) + this.strainEnergy(q);
  }

  /** Potential energy of the loads that have one, J. */
  loadEnergy(clock: Float64Array, q: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < this.loads.length; k++) sum += this.loads[k].potential?.(clock, q) ?? 0;
    return sum;
  }

  /** Elastic energy of all pseudo-rigid bodies, J. */
  strainEnergy(q: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < this.pseudoRigid.length; k++) {
      const { body, qAt } = this.pseudoRigid[k];
      sum += body.elasticity.energy(q, qAt + DEFORMATION);
    }
    return sum;
  }
}

/** Whether a turn about z has no moment of momentum about other axes. */
const staysInPlane = ({ inertia, formerInertia }: RigidBody): boolean =>
  inertia[2] === 0 && inertia[5] === 0 && formerInertia[2] === 0 && formerInertia[5] === 0;

/**
 * Takes the inertia of all bodies at the start.
 * @param clock [0] the time, s
 * @throws {EngineError} `inertia-not-positive`
 */
export function requireInertia(system: SpatialSystem, clock: Float64Array): void {
  const unfit = system.takeInertia(clock, clock);
  if (unfit === null) return;
  const { message, remedy } = SPATIAL_STATUS_HELP.inertiaNotPositive;
  throw new EngineError({
    code: 'inertia-not-positive',
    where: unfit.id,
    message: `Of “${unfit.id}” ${message}, at t = ${clock[0]} s.`,
    time: clock[0],
    remedy,
  });
}

/*
 * Natural units of rows of joints. A tolerance in metres and radians would mean something else in
 * millimetres. So a row of lengths is measured in ℓ, the larger radius of gyration of the bodies of its
 * joint, or a row of angles as the arc ℓ φ. ℓ is a power of two: it changes no digit.
 */

/** ℓ by joint, m. */
export function lengthsOf({ joints, bodies }: Pick<SpatialSystem, 'joints' | 'bodies'>): Float64Array {
  return Float64Array.from(joints, ({ first, second, others = [] }) => {
    let radius = 0;
    for (const { body } of [first, second, ...others.map((other) => ({ body: other }))]) {
      if (body < 0) continue;
      const { mass, turnMobility } = bodies[body];
      const own = Math.sqrt(1 / (mass * turnMobility));
      if (Number.isFinite(own)) radius = Math.max(radius, own);
    }
    return radius > 0 ? 2 ** Math.round(Math.log2(radius)) : 1;
  });
}

/** What is one, by row of `system.equations`: ℓ of a length, 1 of an angle or a number. */
export function unitsOfEquations(system: Pick<SpatialSystem, 'joints' | 'bodies'>): Float64Array {
  const lengths = lengthsOf(system);
  return Float64Array.from(
    system.joints.flatMap(({ rows }, j) =>
      rows.flatMap(({ labels }) => labels.map(({ unit }) => (unit === 'm' ? lengths[j] : 1))),
    ),
  );
}

/** The same by row of `system.limits`. */
export function unitsOfLimits(system: Pick<SpatialSystem, 'joints' | 'bodies'>): Float64Array {
  const lengths = lengthsOf(system);
  return Float64Array.from(
    system.joints.flatMap(({ limits }, j) =>
      limits.flatMap(({ labels }) => labels.map(({ unit }) => (unit === 'm' ? lengths[j] : 1))),
    ),
  );
}
