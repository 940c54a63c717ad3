/**
 * Rigid bodies with joints and loads, compiled: q = (x, Q) of each body one after the other, seven numbers each, v = (V, Ω), six each,
 *
 *     M v̇ = f(t, q, v) + ᵗH λ,   q̇ = T(q) v,   h(q) = 0,   limits ≥ 0,
 *
 * with M = diag(m 1, I) of each body, constant. The multipliers λ have the sign of the conventions of models: what pushes h to grow is positive.
 */
import type { JointMotor, SpatialJoint } from './joint';
import type { SpatialLoad } from './load';
import { POSITIONS, type RigidBody, VELOCITIES } from './rigid-body';
import { RowSet } from './rows/row-set';

/** Whether a motor prescribes its speed. */
export const isDrive = ({ limit }: JointMotor): boolean => limit === Number.POSITIVE_INFINITY;

/** State of a body at the start. */
export interface InitialBodyState {
  position: readonly number[];
  orientation: readonly number[];
  velocity: readonly number[];
  spin: readonly number[];
}

export class SpatialSystem {
  /** numbers of all positions and of all velocities */
  readonly positions: number;
  readonly velocities: number;
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

  constructor(
    readonly bodies: readonly RigidBody[],
    readonly initial: readonly InitialBodyState[],
    readonly joints: readonly SpatialJoint[],
    readonly loads: readonly SpatialLoad[],
    /** whether all bodies move in one plane z = const (`plane-of-motion.ts`) */
    readonly isPlanar = false,
  ) {
    this.positions = POSITIONS * bodies.length;
    this.velocities = VELOCITIES * bodies.length;
    this.equations = new RowSet(joints.flatMap(({ rows }) => [...rows]));
    this.limits = new RowSet(joints.flatMap(({ limits }) => [...limits]));
    this.coordinates = new RowSet(joints.flatMap(({ coordinates }) => [...coordinates]));
    const drives = joints.flatMap(({ motors }) => motors.filter(isDrive));
    this.drives = new RowSet(drives.map(({ coordinate }) => coordinate));
    this.driveSpeeds = Float64Array.from(drives, ({ speed }) => speed);
  }

  /** q at the start */
  initialPositions(): Float64Array {
    return Float64Array.from(
      this.initial.flatMap(({ position, orientation }) => [...position, ...orientation]),
    );
  }

  /** v at the start */
  initialVelocities(): Float64Array {
    return Float64Array.from(this.initial.flatMap(({ velocity, spin }) => [...velocity, ...spin]));
  }

  /** M, row-major */
  mass(out: Float64Array): void {
    const { velocities: n } = this;
    out.fill(0);
    for (let k = 0; k < this.bodies.length; k++) {
      const { mass, inertia } = this.bodies[k];
      const at = VELOCITIES * k;
      for (let i = 0; i < 3; i++) {
        out[(at + i) * (n + 1)] = mass;
        for (let j = 0; j < 3; j++) out[(at + 3 + i) * n + at + 3 + j] = inertia[3 * i + j];
      }
    }
  }

  /** x ← M⁻¹ x. @param at entry of `x` where the vector of all bodies begins */
  applyInverseMass(x: Float64Array, at = 0): void {
    for (let k = 0; k < this.bodies.length; k++) this.bodies[k].applyInverseMass(x, at + VELOCITIES * k);
  }

  /** out ← (F, M) of the loads, without the gyroscopic term */
  force(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let k = 0; k < this.loads.length; k++) this.loads[k].addForce(clock, q, v, out);
  }

  /** Adds −Ω×I Ω of all bodies. */
  addGyroscopic(v: Float64Array, out: Float64Array): void {
    for (let k = 0; k < this.bodies.length; k++) {
      const at = VELOCITIES * k + 3;
      this.bodies[k].addGyroscopic(v, at, 1, out, at);
    }
  }

  /** J */
  kineticEnergy(v: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < this.bodies.length; k++) sum += this.bodies[k].kineticEnergy(v, VELOCITIES * k);
    return sum;
  }

  /** Potential energy of the loads that have one, J. */
  potentialEnergy(clock: Float64Array, q: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < this.loads.length; k++) sum += this.loads[k].potential?.(clock, q) ?? 0;
    return sum;
  }
}
