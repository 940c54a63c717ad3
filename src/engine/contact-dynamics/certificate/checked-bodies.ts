/**
 * What the bodies of contacts do at their points, and what impulses there do to them, as the certificate
 * finds it: from velocities of points, and vectors of the world (below). Kinematic bodies that move have
 * their velocity, and feel nothing.
 */
import { addCross, dot, invertMatrix, lengthOf, multiplyMatrix, solveMatrix } from '../../spatial/matrix3';
import { PseudoRigidBody } from '../../spatial/bodies/pseudo-rigid';
import { rotate, rotateBack } from '../../spatial/quaternion';
import { POSITIONS, RigidBody, VELOCITIES } from '../../spatial/bodies/rigid-body';
import type { SpatialSystem } from '../../spatial/system';
import type { ContactDynamics } from '../contact-dynamics';
import { FRAME_NUMBERS } from '../contacts/contact-frames';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import { type KinematicMotion, kinematicBodyOf } from '../contacts/kinematic-bodies';
import { larger } from '../../linalg/nan-safe';

const DIMENSION = 3;

/*
 * What the certificate asks of a body at q_*: how fast a point of it moves, what an impulse at a point is in
 * balances of its own, what mass that point feels, and how far the balances are off. One class for each kind
 * of body; nothing of H is used.
 *
 * Every body has its mass centre first in q and u, so that m ΔV − Σ ±R − joints is the same for all of them;
 * the rest is the kind's.
 */

export abstract class CheckedBody {
  /** of the point P, relative to the mass centre: P − x, or what the kind makes of it */
  protected readonly point = new Float64Array(3);

  /** @param qAt, vAt where the body stands in q and u of all bodies */
  constructor(
    private readonly mass: number,
    protected readonly qAt: number,
    protected readonly vAt: number,
  ) {}

  /** angular velocity that a unit moment gives, the mean over all axes, 1/(kg m²) */
  abstract get turnMobility(): number;
  /** Adds sign · angular velocity, world's frame. */
  abstract addSpin(q: Float64Array, u: Float64Array, sign: number, out: Float64Array): void;
  /** Adds sign · moment, world's frame, to the sums of the balances. */
  abstract turn(q: Float64Array, moment: Float64Array, sign: number, sums: Float64Array): void;

  /** Brings P − x to the form in which the kind knows it. */
  protected abstract place(q: Float64Array): void;
  /** The parts of the methods below that are not those of the mass centre. */
  protected abstract addOwnVelocity(
    q: Float64Array,
    u: Float64Array,
    sign: number,
    out: Float64Array,
    outAt: number,
  ): void;
  protected abstract pushOwn(impulse: Float64Array, sign: number, sums: Float64Array): void;
  protected abstract ownMobility(q: Float64Array, points: Float64Array, normalAt: number): number;
  protected abstract impelOwn(q: Float64Array, sums: Float64Array, change: Float64Array): void;
  protected abstract ownDefect(
    q: Float64Array,
    change: Float64Array,
    sums: Float64Array,
    ofJoints: Float64Array,
  ): number;

  #place(q: Float64Array, points: Float64Array, at: number): void {
    for (let i = 0; i < 3; i++) this.point[i] = points[at + i] - q[this.qAt + i];
    this.place(q);
  }

  /** Adds sign · velocity of the point P, which stands at `at` of `points`. @param outAt where in `out` */
  addVelocity(
    q: Float64Array,
    u: Float64Array,
    points: Float64Array,
    at: number,
    sign: number,
    out: Float64Array,
    outAt: number,
  ): void {
    this.#place(q, points, at);
    for (let i = 0; i < 3; i++) out[outAt + i] += sign * u[this.vAt + i];
    this.addOwnVelocity(q, u, sign, out, outAt);
  }

  /** Adds sign · impulse at P to the sums of the body's balances, which stand where its velocities do. */
  push(
    q: Float64Array,
    points: Float64Array,
    at: number,
    impulse: Float64Array,
    sign: number,
    sums: Float64Array,
  ): void {
    this.#place(q, points, at);
    for (let i = 0; i < 3; i++) sums[this.vAt + i] += sign * impulse[i];
    this.pushOwn(impulse, sign, sums);
  }

  /** Velocity of P along a unit normal that a unit impulse along it gives, 1/kg. */
  mobility(q: Float64Array, points: Float64Array, at: number, normalAt: number): number {
    this.#place(q, points, at);
    return 1 / this.mass + this.ownMobility(q, points, normalAt);
  }

  /** Adds the changes of velocities that sums of the balances make of a free body. */
  impel(q: Float64Array, sums: Float64Array, change: Float64Array): void {
    for (let i = this.vAt; i < this.vAt + 3; i++) change[i] += sums[i] / this.mass;
    this.impelOwn(q, sums, change);
  }

  /**
   * Largest defect of the balances.
   * @param change of the velocities of all bodies by impulses @param ofJoints impulses of joints by
   *   velocities of all bodies
   */
  defect(q: Float64Array, change: Float64Array, sums: Float64Array, ofJoints: Float64Array): number {
    let defect = this.ownDefect(q, change, sums, ofJoints);
    for (let i = this.vAt; i < this.vAt + 3; i++)
      defect = larger(defect, Math.abs(this.mass * change[i] - sums[i] - ofJoints[i]));
    return defect;
  }
}

const checkedBodies = ({ bodies, positionsAt, velocitiesAt }: SpatialSystem): CheckedBody[] =>
  bodies.map((body, k) => {
    if (body instanceof RigidBody) return new CheckedRigidBody(body, positionsAt[k], velocitiesAt[k]);
    if (body instanceof PseudoRigidBody)
      return new CheckedPseudoRigidBody(body, positionsAt[k], velocitiesAt[k]);
    throw new Error(`no balances for the kind of “${body.id}”`);
  });

/** R I ΔΩ − Σ s×(±R) − joints in the world's frame, with s = P − x. */
class CheckedRigidBody extends CheckedBody {
  readonly #work = new Float64Array(3);

  constructor(
    private readonly body: RigidBody,
    qAt: number,
    vAt: number,
  ) {
    super(body.mass, qAt, vAt);
  }

  get turnMobility(): number {
    const { inverseInertia } = this.body;
    return (inverseInertia[0] + inverseInertia[4] + inverseInertia[8]) / 3;
  }

  addSpin(q: Float64Array, u: Float64Array, sign: number, out: Float64Array): void {
    rotate(q, this.qAt + 3, u, this.vAt + 3, this.#work, 0);
    for (let i = 0; i < 3; i++) out[i] += sign * this.#work[i];
  }

  turn(_: Float64Array, moment: Float64Array, sign: number, sums: Float64Array): void {
    for (let i = 0; i < 3; i++) sums[this.vAt + 3 + i] += sign * moment[i];
  }

  /** As it is: s. */
  protected place(): void {
    // nothing to be done
  }

  /** ω×s */
  protected addOwnVelocity(
    q: Float64Array,
    u: Float64Array,
    sign: number,
    out: Float64Array,
    outAt: number,
  ): void {
    rotate(q, this.qAt + 3, u, this.vAt + 3, this.#work, 0);
    addCross(this.#work, 0, this.point, 0, sign, out, outAt);
  }

  protected pushOwn(impulse: Float64Array, sign: number, sums: Float64Array): void {
    addCross(this.point, 0, impulse, 0, sign, sums, this.vAt + 3);
  }

  /** (s×n)·I⁻¹ (s×n) */
  protected ownMobility(q: Float64Array, points: Float64Array, normalAt: number): number {
    const work = this.#work.fill(0);
    addCross(this.point, 0, points, normalAt, 1, work, 0);
    rotateBack(q, this.qAt + 3, work, 0, work, 0);
    return quadratic(this.body.inverseInertia, work);
  }

  protected impelOwn(q: Float64Array, sums: Float64Array, change: Float64Array): void {
    const work = this.#work;
    rotateBack(q, this.qAt + 3, sums, this.vAt + 3, work, 0);
    multiplyMatrix(this.body.inverseInertia, work, 0, work, 0);
    for (let i = 0; i < 3; i++) change[this.vAt + 3 + i] += work[i];
  }

  protected ownDefect(
    q: Float64Array,
    change: Float64Array,
    sums: Float64Array,
    ofJoints: Float64Array,
  ): number {
    const at = this.vAt + 3;
    const work = this.#work;
    multiplyMatrix(this.body.inertia, change, at, work, 0);
    for (let i = 0; i < 3; i++) work[i] -= ofJoints[at + i];
    rotate(q, this.qAt + 3, work, 0, work, 0);
    let defect = 0;
    for (let i = 0; i < 3; i++) defect = larger(defect, Math.abs(work[i] - sums[at + i]));
    // A moment counts by the force at the radius of gyration.
    return defect * Math.sqrt(this.body.mass * this.turnMobility);
  }
}

/**
 * ΔḞ E − Σ ±R⊗ξ − joints with the point ξ = F⁻¹ (P − x̄) of the reference configuration. The angular velocity
 * is the skew part of Ḟ F⁻¹, and a moment M a pair of forces with f⊗ξ = ½ skew(M) F⁻ᵀ.
 */
class CheckedPseudoRigidBody extends CheckedBody {
  readonly #row = new Float64Array(3);
  readonly #matrix = new Float64Array(9);

  constructor(
    private readonly body: PseudoRigidBody,
    qAt: number,
    vAt: number,
  ) {
    super(body.mass, qAt, vAt);
  }

  /** ⅙ tr E⁻¹ */
  get turnMobility(): number {
    const inverse = this.#matrix;
    invertMatrix(this.body.euler, 0, inverse);
    return (inverse[0] + inverse[4] + inverse[8]) / 6;
  }

  addSpin(q: Float64Array, u: Float64Array, sign: number, out: Float64Array): void {
    const inverse = this.#matrix;
    invertMatrix(q, this.qAt + 3, inverse);
    const gradient = (i: number, j: number): number => {
      const row = this.vAt + 3 + 3 * i;
      return u[row] * inverse[j] + u[row + 1] * inverse[3 + j] + u[row + 2] * inverse[6 + j];
    };
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      out[i] += 0.5 * sign * (gradient(k, j) - gradient(j, k));
    }
  }

  turn(q: Float64Array, moment: Float64Array, sign: number, sums: Float64Array): void {
    const inverse = this.#matrix;
    invertMatrix(q, this.qAt + 3, inverse);
    for (let i = 0; i < 3; i++) {
      const [a, b] = [(i + 1) % 3, (i + 2) % 3];
      // Row i of skew(M): M_a at b, −M_b at a with the sign of (a, b, i).
      for (let l = 0; l < 3; l++)
        sums[this.vAt + 3 + 3 * i + l] +=
          0.5 * sign * (moment[a] * inverse[3 * l + b] - moment[b] * inverse[3 * l + a]);
    }
  }

  /** ξ */
  protected place(q: Float64Array): void {
    solveMatrix(q, this.qAt + 3, this.point);
  }

  /** Ḟ ξ */
  protected addOwnVelocity(
    _: Float64Array,
    u: Float64Array,
    sign: number,
    out: Float64Array,
    outAt: number,
  ): void {
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) out[outAt + i] += sign * u[this.vAt + 3 + 3 * i + j] * this.point[j];
  }

  protected pushOwn(impulse: Float64Array, sign: number, sums: Float64Array): void {
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) sums[this.vAt + 3 + 3 * i + j] += sign * impulse[i] * this.point[j];
  }

  /** ξ·E⁻¹ ξ, whatever the normal */
  protected ownMobility(): number {
    const moved = this.#row;
    moved.set(this.point);
    solveMatrix(this.body.euler, 0, moved);
    return dot(moved, 0, this.point, 0);
  }

  protected impelOwn(_: Float64Array, sums: Float64Array, change: Float64Array): void {
    const row = this.#row;
    for (let at = this.vAt + 3; at < this.vAt + 12; at += 3) {
      for (let j = 0; j < 3; j++) row[j] = sums[at + j];
      solveMatrix(this.body.euler, 0, row);
      for (let j = 0; j < 3; j++) change[at + j] += row[j];
    }
  }

  protected ownDefect(
    _: Float64Array,
    change: Float64Array,
    sums: Float64Array,
    ofJoints: Float64Array,
  ): number {
    const { euler } = this.body;
    let defect = 0;
    for (let at = this.vAt + 3; at < this.vAt + 12; at += 3)
      for (let j = 0; j < 3; j++) {
        let rate = -sums[at + j] - ofJoints[at + j];
        for (let k = 0; k < 3; k++) rate += change[at + k] * euler[3 * k + j];
        defect = larger(defect, Math.abs(rate));
      }
    return defect;
  }
}

/** x·A x */
function quadratic(a: Float64Array, x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) sum += x[i] * a[3 * i + j] * x[j];
  return sum;
}

/*
 * The velocity of a kinematic body at a contact, as the certificate finds it from its motion: V + ω×s, and
 * how the surface slides along both tangents.
 */

/** V and ω of motions at one time, and how their surfaces slide. */
class MotionAt {
  readonly velocities: Float64Array;
  readonly slides: Float64Array;
  readonly #time = new Float64Array(1);

  constructor(private readonly motions: readonly KinematicMotion[]) {
    this.velocities = new Float64Array(VELOCITIES * motions.length);
    this.slides = new Float64Array(DIMENSION * motions.length);
  }

  read(time: number): void {
    this.#time[0] = time;
    for (let k = 0; k < this.motions.length; k++) {
      this.motions[k].velocity(this.#time, this.velocities, VELOCITIES * k);
      this.motions[k].slide(this.#time, this.slides, DIMENSION * k);
    }
  }
}

export class CheckedKinematicBody {
  readonly #start: MotionAt;
  readonly #end: MotionAt;
  readonly #poses: Float64Array;
  readonly #time = new Float64Array(1);
  readonly #arm = new Float64Array(3);
  readonly #surface = new Float64Array(3);

  constructor(private readonly motions: readonly KinematicMotion[]) {
    this.#start = new MotionAt(motions);
    this.#end = new MotionAt(motions);
    this.#poses = new Float64Array(POSITIONS * motions.length);
  }

  /** @param from, to times of the step @param at where contacts are looked for, s */
  read(from: number, to: number, at: number): void {
    this.#start.read(from);
    this.#end.read(to);
    this.#time[0] = at;
    for (let k = 0; k < this.motions.length; k++)
      this.motions[k].pose(this.#time, this.#poses, POSITIONS * k);
  }

  /**
   * @param k number of the kinematic body @param isAfter whether at the end of the step, and not at its start
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
    const { velocities, slides } = isAfter ? this.#end : this.#start;
    const at = VELOCITIES * k;
    for (let i = 0; i < 3; i++) {
      this.#arm[i] = axes[place + i] - this.#poses[POSITIONS * k + i];
      out[outAt + i] += sign * velocities[at + i];
    }
    addCross(velocities, at + 3, this.#arm, 0, sign, out, outAt);
    rotate(this.#poses, POSITIONS * k + 3, slides, 3 * k, this.#surface, 0);
    for (let tangent = place + 6; tangent < place + 12; tangent += 3) {
      const speed = dot(axes, tangent, this.#surface, 0);
      for (let i = 0; i < 3; i++) out[outAt + i] += sign * speed * axes[tangent + i];
    }
  }

  /** Adds sign · ω at the end of the step. */
  addSpin(k: number, sign: number, out: Float64Array): void {
    for (let i = 0; i < 3; i++) out[i] += sign * this.#end.velocities[VELOCITIES * k + 3 + i];
  }
}

/** Whether kinematic bodies have the velocities of the start or of the end of the step, or none. */
export type KinematicVelocities = 'start' | 'end' | 'none';

export class CheckedBodies {
  /** in the order of the system */
  readonly list: readonly CheckedBody[];
  /**
   * Ṗ₂ − Ṗ₁ at the start, or before the impact, and at the end of the step that has been read, 3 by row, m/s
   */
  approaches = new Float64Array(0);
  ends = new Float64Array(0);
  readonly #frame = new Float64Array(FRAME_NUMBERS);
  readonly #velocity = new Float64Array(DIMENSION);
  /** null where none moves */
  readonly #kinematicBody: CheckedKinematicBody | null;

  constructor(private readonly dynamics: ContactDynamics) {
    const { kinematicBodies = [] } = dynamics.settings;
    this.list = checkedBodies(dynamics.system);
    this.#kinematicBody = kinematicBodies.length === 0 ? null : new CheckedKinematicBody(kinematicBodies);
  }

  /** Reads the velocities of a step. */
  read(): void {
    const { activeCount, approach, u, begun, h, scheme } = this.dynamics;
    // An impact takes no time.
    const from = this.dynamics.stages === null ? begun[0] : begun[0] + h;
    this.#kinematicBody?.read(from, begun[0] + h, begun[0] + scheme.part * h);
    if (this.approaches.length < 3 * activeCount) {
      this.approaches = new Float64Array(6 * activeCount);
      this.ends = new Float64Array(6 * activeCount);
    }
    for (let row = 0; row < activeCount; row++) {
      this.measure(row, approach, 'start', this.approaches, 3 * row);
      this.measure(row, u, 'end', this.ends, 3 * row);
    }
  }

  /** out ← Ṗ₂ − Ṗ₁ of the contact of a row, m/s. @param u velocities of all bodies */
  measure(
    row: number,
    u: Float64Array,
    kinematicBodies: KinematicVelocities,
    out: Float64Array,
    at = 0,
  ): void {
    const { frames, active } = this.dynamics;
    this.#measure(active[row], frames.axes, FRAME_NUMBERS * row, u, kinematicBodies, out, at);
  }

  /** n·(Ṗ₂ − Ṗ₁) of a contact that may have no row, m/s. @param u velocities of all bodies */
  normalSpeed(c: number, u: Float64Array, kinematicBodies: KinematicVelocities): number {
    const frame = this.#frameOf(c);
    this.#measure(c, frame, 0, u, kinematicBodies, this.#velocity, 0);
    return dot(frame, DIMENSION, this.#velocity, 0);
  }

  #measure(
    c: number,
    points: Float64Array,
    place: number,
    u: Float64Array,
    kinematicBodies: KinematicVelocities,
    out: Float64Array,
    at: number,
  ): void {
    const { middle } = this.dynamics;
    for (let i = at; i < at + 3; i++) out[i] = 0;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyAt(c, side);
      const sign = signOf(side);
      if (body >= 0) this.list[body].addVelocity(middle, u, points, place, sign, out, at);
      else if (kinematicBodyOf(body) >= 0 && kinematicBodies !== 'none')
        this.#kinematicBody?.addVelocity(
          kinematicBodyOf(body),
          kinematicBodies === 'end',
          points,
          place,
          sign,
          out,
          at,
        );
    }
  }

  /** Point and normal of a contact, without tangents; overwritten by the next one. */
  #frameOf(c: number): Float64Array {
    const { contacts } = this.dynamics;
    if (contacts !== null)
      for (let i = 0; i < 2 * DIMENSION; i++) this.#frame[i] = contacts.geometry[GEOMETRY * c + i];
    return this.#frame;
  }

  /**
   * How fast the bodies of a contact move there at most, each by itself and whatever the direction of its
   * spin, m/s.
   * @param u velocities of all bodies
   */
  extent(row: number, u: Float64Array): number {
    const { frames, middle, system } = this.dynamics;
    const place = FRAME_NUMBERS * row;
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body < 0) continue;
      const [at, from] = [system.velocitiesAt[body], system.positionsAt[body]];
      let [speed, spin, arm] = [0, 0, 0];
      for (let i = 0; i < 3; i++) {
        speed += u[at + i] ** 2;
        spin += u[at + 3 + i] ** 2;
        arm += (frames.axes[place + i] - middle[from + i]) ** 2;
      }
      sum += Math.sqrt(speed) + Math.sqrt(spin * arm);
    }
    return sum;
  }

  /**
   * What points of the bodies at the ends of a gap move besides the way along the velocity at its middle, m:
   * an end is half the gap away, and turns about its body by ω t on the way.
   * @param first, second velocities of all bodies, of which the faster turns count @param time s
   */
  bend(
    { bodies, geometry }: ContactList,
    c: number,
    q: Float64Array,
    first: Float64Array,
    second: Float64Array,
    time: number,
  ): number {
    const { system } = this.dynamics;
    const at = GEOMETRY * c;
    const gap = Math.abs(geometry[at + GEOMETRY - 1]);
    let sum = 0;
    for (let side = 2 * c; side < 2 * c + 2; side++) {
      const body = bodies[side];
      if (body < 0) continue;
      let arm = 0;
      for (let i = 0; i < 3; i++) arm += (geometry[at + i] - q[system.positionsAt[body] + i]) ** 2;
      const spin = system.velocitiesAt[body] + 3;
      const turn = time * larger(lengthOf(first, spin), lengthOf(second, spin));
      sum += 0.5 * turn * (gap + turn * Math.sqrt(arm));
    }
    return sum;
  }

  /** out ← ω₂ − ω₁ at the end of the step, world's frame. */
  measureSpin(row: number, out: Float64Array): void {
    const { middle, u } = this.dynamics;
    out.fill(0);
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body >= 0) this.list[body].addSpin(middle, u, signOf(side), out);
      else if (kinematicBodyOf(body) >= 0)
        this.#kinematicBody?.addSpin(kinematicBodyOf(body), signOf(side), out);
    }
  }

  /** The mass that the contact of a row feels along its normal where no joints are, kg. */
  mass(row: number): number {
    return this.#mass(this.dynamics.active[row], this.dynamics.frames.axes, FRAME_NUMBERS * row);
  }

  /** The same of a contact that may have no row. */
  massOf(c: number): number {
    return this.#mass(c, this.#frameOf(c), 0);
  }

  #mass(c: number, points: Float64Array, place: number): number {
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyAt(c, side);
      if (body >= 0) sum += this.list[body].mobility(this.dynamics.middle, points, place, place + DIMENSION);
    }
    return 1 / sum;
  }

  /** What turns relative angular velocities into moments, the mean over all axes, kg m². */
  inertia(row: number): number {
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body >= 0) sum += this.list[body].turnMobility;
    }
    return 1 / sum;
  }

  /** Adds ±R to the sums of the balances. @param impulse in the world's frame, N s */
  push(row: number, impulse: Float64Array, sums: Float64Array): void {
    const { frames, middle } = this.dynamics;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body >= 0)
        this.list[body].push(middle, frames.axes, FRAME_NUMBERS * row, impulse, signOf(side), sums);
    }
  }

  /** Adds ±M to the sums of the balances. @param moment in the world's frame, N m s */
  turn(row: number, moment: Float64Array, sums: Float64Array): void {
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body >= 0) this.list[body].turn(this.dynamics.middle, moment, signOf(side), sums);
    }
  }

  /** Number of a body of a contact, negative for what does not move or moves as prescribed. */
  #bodyOf(row: number, side: number): number {
    return this.#bodyAt(this.dynamics.active[row], side);
  }

  #bodyAt(c: number, side: number): number {
    const { contacts } = this.dynamics;
    return contacts === null ? -1 : contacts.bodies[2 * c + side];
  }
}

/** Of the first and of the second body. */
const signOf = (side: number): number => (side === 0 ? -1 : 1);
