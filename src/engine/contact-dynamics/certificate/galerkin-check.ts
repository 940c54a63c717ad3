/**
 * Galerkin steps of 3D bodies, from the equations of `schemes/galerkin-steps.ts` and the loads of the model:
 * positions from velocities, velocities from loads and forces of contacts and joints, and the laws of these
 * forces. The last problem of a step, that of its impact, is judged as that of any other scheme.
 *
 * Impulses are taken from the step, as vectors of the world; what they do to bodies, velocities of points,
 * turns, the gyroscopic term and which contacts have forces is found here. With f the loads and g the
 * gyroscopic term, both at the ends of the step,
 *
 *     M (u_* − u_k) = h (f + g)_k + p⁺,              p⁺ at q_k ⊕ h u_k
 *     q_{k+1} = q_k ⊕ ½h (u_k + u_*)
 *     M (u⁻ − u_k) = ½h ((f + g)_k + (f + g)_{k+1}) + ½p⁺ + p⁻,     p⁺ at q_k, p⁻ at q_{k+1}
 *     G u_* = G u⁻ = ω,     the law of a contact with R⁺ and U_*, and with R⁻ and U⁻, e = 0 in both
 *
 * From accelerations p⁺ acts at q_k, and in place of these velocities stand h (H a_k + γ) along normals and
 * u_* carried on by h γ across them, ½h (H a_{k+1} + γ) and u⁻, with γ of `drift-check.ts`; joints have
 * G a = γ of their own. What a contact has pushed with may keep it where it parts.
 *
 * A contact has forces where it is closed at q_k and does not approach there; what noise of a solver may have
 * decided is left to the step. Contacts at q_k are those of the end of the last step, as they were judged
 * there; which of them a contact is at another place is said by the lists, and is beyond doubt where its
 * point has moved over one of its bodies no farther than these may. An open one has no force. A gap grows by
 * no less than h times the smaller of U_kN and U_*N, up to the half of what the velocity of its point changes
 * in a step and by what its point moves over both bodies; one that closes is no deeper than its point moves
 * and bodies have overlapped.
 */
import { type ContactLaw, CheckedContact } from '../../model/contact-laws/contact-law';
import { larger } from '../../linalg/nan-safe';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import { addCross, dot, lengthOf, multiplyMatrix } from '../../spatial/matrix3';
import type { StateArchive } from '../../state-archive';
import type { ContactDynamics } from '../contact-dynamics';
import { FRAME_NUMBERS } from '../contacts/contact-frames';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import type { SpatialGalerkinSteps } from '../schemes/galerkin-steps';
import type { StageProblem } from '../schemes/stage-problem';
import { ROUNDINGS } from '../rounding';
import type { CheckedBodies } from './checked-bodies';
import { PositionCheck } from './free-motion-check';
import { DriftCheck } from './drift-check';
import { driveSpeedsOf } from './joint-check';
import { type Moment, NormalTurn, PointVelocities } from './point-velocities';
import { StageContactsCheck } from './stage-contacts-check';
import { StageRowsCheck } from './stage-rows-check';

const DIMENSION = 3;
const SIGNS = [-1, 1] as const;

/** What laws of an end speak of where u is what accelerations add to velocities; times in s. */
interface Accelerated {
  readonly time: number;
  readonly ahead: number;
  readonly base: Float64Array;
  /** velocities that γ belongs to, and γ of contacts, 3 each */
  readonly speeds: Float64Array;
  readonly gamma: Float64Array;
}

/** Places of `GalerkinCheck.found`. */
const [CONE, LAW, JOINTS, GAPS] = [0, 1, 2, 3];

export class GalerkinCheck {
  /** see `FreeMotionCheck.defects`: positions, velocities, and their bodies */
  readonly defects = new Float64Array(4);
  /**
   * [0] distances from the cone and [1] from the law, N s, [2] |G u − ω|, m/s, [3] overlaps, m
   */
  readonly found = new Float64Array(4);
  /** law of contact, or row of G, of each */
  readonly places = new Int32Array(4);
  /** [0] Euclidean norm of the impulses of both ends, N s */
  readonly norm = new Float64Array(1);
  readonly rows: StageRowsCheck;
  /** u of the end of the step with its loads alone */
  readonly loaded: Float64Array;
  readonly contacts: StageContactsCheck;
  /** [0] what solvers may have left of velocities in the last step, m/s */
  readonly #noise = new Float64Array(1);
  readonly #judged = new CheckedContact();
  readonly #velocities: PointVelocities;
  readonly #turn = new NormalTurn();
  /** γ at both ends; null where forces are found from velocities */
  readonly #drifts: readonly [DriftCheck, DriftCheck] | null;
  readonly #added: Float64Array;
  readonly #base: Float64Array;
  readonly #positions: PositionCheck;
  readonly #clock = new Float64Array(1);
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  readonly #sums: Float64Array;
  readonly #change: Float64Array;
  readonly #loads: Float64Array;
  readonly #mean: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #world = new Float64Array(DIMENSION);
  readonly #velocity = new Float64Array(DIMENSION);
  readonly #other = new Float64Array(DIMENSION);
  readonly #momentum = new Float64Array(DIMENSION);
  #normal = 0;
  readonly #targets: Float64Array;
  readonly #driveSpeeds: Float64Array;
  /** whether forces are left out of u⁻, as the settings may say that they are where a contact closes */
  #drops = false;
  readonly #mayDrop: boolean;
  /** whether a contact has a row of the stage that is judged */
  #hasRow = new Uint8Array(0);

  /** @param ways what turns the rate of a row of joints into m/s */
  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly stages: SpatialGalerkinSteps,
    private readonly bodies: CheckedBodies,
    private readonly laws: readonly ContactLaw[],
    private readonly ways: Float64Array,
  ) {
    const { system } = dynamics;
    const vector = (): Float64Array => new Float64Array(system.velocities);
    this.#velocities = new PointVelocities(dynamics, bodies);
    const drift = (): DriftCheck => new DriftCheck(this.#velocities);
    this.contacts = new StageContactsCheck(
      ...([dynamics, stages, bodies, this.#velocities, this.#noise] as const),
    );
    const { isOfVelocities } = this.contacts;
    this.#drifts = isOfVelocities ? null : [drift(), drift()];
    this.#added = vector();
    this.#base = vector();
    const { motion } = dynamics.settings;
    this.#mayDrop = 'closedGap' in motion && motion.besideImpacts === 'dropped';
    this.rows = new StageRowsCheck(dynamics, this.#noise, isOfVelocities);
    this.loaded = vector();
    this.#positions = new PositionCheck(system, this.defects);
    this.#driveSpeeds = driveSpeedsOf(system);
    this.#first = vector();
    this.#second = vector();
    this.#sums = vector();
    this.#change = vector();
    this.#loads = vector();
    this.#mean = vector();
    this.#targets = new Float64Array(system.equations.count + system.drives.count);
    this.#jacobian = new Float64Array((system.equations.count + system.drives.count) * system.velocities);
  }

  exchange(archive: StateArchive): void {
    archive.fixed(this.#positions.scales);
    this.contacts.exchange(archive);
    this.rows.exchange(archive);
    archive.fixed(this.#noise);
  }

  judge(): void {
    const { start, before, uncorrected, h, clock } = this.dynamics;
    const { reached, predicted, left, right, contacts } = this.stages;
    this.contacts.begin();
    this.#drops = this.#mayDrop && (this.contacts.closes() || this.rows.closes(this.stages.hasImpact));
    const mean = this.#mean;
    this.defects.fill(0);
    this.found.fill(0);
    this.rows.clear();
    this.norm[0] = Math.sqrt(squares(left) + (this.#drops ? 0 : squares(right)));
    for (let i = 0; i < mean.length; i++) mean[i] = 0.5 * (before[i] + reached[i]);
    if (this.#drifts === null) this.#positions.judge(start, before, h, predicted);
    this.#positions.judge(start, mean, h, uncorrected);
    this.#clock[0] = clock[0] - h;
    this.#force(this.#clock, start, before, this.#first);
    this.#force(clock, uncorrected, reached, this.#second);
    this.#judgeStart();
    this.#judgeEnd();
    if (this.#drifts === null) this.#judgeVelocities();
    else this.#judgeAccelerations(this.#drifts);
    for (let c = 0; c < contacts.count; c++)
      this.#raise(GAPS, this.contacts.excess(c), contacts.materials[c]);
  }

  #judgeVelocities(): void {
    const { uncorrected } = this.dynamics;
    const { reached, predicted, leftLimit, left, right, contacts } = this.stages;
    this.#judgeLaws(left, left.contacts, predicted, reached, true, this.contacts.to, null);
    if (!this.#drops) this.#judgeLaws(right, contacts, uncorrected, leftLimit, false, this.contacts.to, null);
    this.#judgeJoints(predicted, reached, null);
    this.rows.judge(left, predicted, reached, 1, null);
    if (this.#drops) return;
    this.rows.judge(right, uncorrected, leftLimit, 0.5, null);
    this.#judgeJoints(uncorrected, leftLimit, null);
  }

  #judgeAccelerations([first, second]: readonly [DriftCheck, DriftCheck]): void {
    const { start, before, uncorrected, h, clock } = this.dynamics;
    const { reached, leftLimit, left, right, contacts, drifts } = this.stages;
    if (drifts === null) throw new Error('steps by accelerations have γ');
    const [added, base] = [this.#added, this.#base];
    for (let i = 0; i < added.length; i++) added[i] = reached[i] - before[i];
    first.form(drifts[0], left.contacts, start, before, clock[0] - h, h);
    const begun = { time: h, ahead: h, base: before, speeds: before, gamma: first.values };
    this.#judgeLaws(left, left.contacts, start, added, true, this.contacts.from, begun);
    this.rows.judge(left, start, added, 1, begun);
    this.#judgeJoints(start, added, begun);
    if (this.#drops) return;
    for (let i = 0; i < added.length; i++) {
      added[i] = leftLimit[i] - 0.5 * (before[i] + reached[i]);
      base[i] = leftLimit[i] - added[i];
    }
    second.form(drifts[1], contacts, uncorrected, reached, clock[0], -h);
    const ended = { time: 0.5 * h, ahead: 0, base, speeds: reached, gamma: second.values };
    this.#judgeLaws(right, contacts, uncorrected, added, false, this.contacts.to, ended);
    this.rows.judge(right, uncorrected, added, 0.5, ended);
    this.#judgeJoints(uncorrected, added, ended);
  }

  /** Behind all that is judged of the step: what the next one begins with. */
  end(): void {
    this.contacts.end(this.#drops);
    this.rows.end(this.#drops);
    this.#noise[0] = this.#noiseOf(this.stages.contacts);
  }

  /**
   * What solvers may leave of velocities that should be zero: the tolerance of what their problems consist
   * of, rates of all rows without impulses and with them, restitution included, and the impulses.
   */
  #noiseOf({ count, bodies, geometry }: ContactList): number {
    const { system, settings, u, impulses, activeCount, uncorrected, reactions } = this.dynamics;
    let arm = this.rows.longest;
    for (let side = 0; side < 2 * count; side++) {
      const body = bodies[side];
      if (body < 0) continue;
      const [at, from] = [GEOMETRY * (side >> 1), system.positionsAt[body]];
      for (let i = 0; i < DIMENSION; i++) this.#world[i] = geometry[at + i] - uncorrected[from + i];
      arm = larger(arm, lengthOf(this.#world, 0));
    }
    const ofForces = larger(this.#fastestOf(this.loaded, arm), this.#fastestOf(this.stages.leftLimit, arm));
    const fastest = larger(ofForces, this.#fastestOf(u, arm));
    let pushed = this.norm[0] ** 2;
    for (let k = 0; k < DIMENSION * activeCount; k++) pushed += impulses[k] ** 2;
    for (let k = 0; k < reactions.rowImpulses.length; k++) pushed += reactions.rowImpulses[k] ** 2;
    const rates = 4 * fastest * Math.sqrt(DIMENSION * (count + this.rows.count));
    return larger(settings.tolerance, ROUNDINGS) * larger(rates, Math.sqrt(pushed));
  }

  /** Of all bodies |V| + |Ω| arm, of those that deform |V| + |Ḟ| arm. */
  #fastestOf(u: Float64Array, arm: number): number {
    const { bodies, velocitiesAt } = this.dynamics.system;
    let fastest = 0;
    for (let k = 0; k < bodies.length; k++) {
      let turn = 0;
      for (let i = DIMENSION; i < bodies[k].velocities; i++) turn += u[velocitiesAt[k] + i] ** 2;
      fastest = larger(fastest, lengthOf(u, velocitiesAt[k]) + arm * Math.sqrt(turn));
    }
    return fastest;
  }

  /** Loads and the gyroscopic term. */
  #force(clock: Float64Array, q: Float64Array, u: Float64Array, out: Float64Array): void {
    const { system } = this.dynamics;
    system.force(clock, q, u, out);
    const momentum = this.#momentum;
    for (let k = 0; k < system.bodies.length; k++) {
      const body = system.bodies[k];
      if (!(body instanceof RigidBody)) continue;
      const at = system.velocitiesAt[k] + 3;
      multiplyMatrix(body.inertia, u, at, momentum, 0);
      addCross(momentum, 0, u, at, 1, out, at);
    }
  }

  /** M (u_* − u_k) = h (f + g)_k + p⁺ */
  #judgeStart(): void {
    const { before, h, start } = this.dynamics;
    const { left, reached, predicted } = this.stages;
    const place = this.#drifts === null ? predicted : start;
    const [loads, change] = [this.#loads, this.#change];
    for (let i = 0; i < change.length; i++) {
      change[i] = reached[i] - before[i];
      loads[i] = h * this.#first[i];
    }
    this.#sums.fill(0);
    this.#push(left, left.frames.axes, left.impulses, place, this.#sums);
    this.#addJoints(place, left.joints, 1, loads);
    this.rows.add(place, left, 1, loads);
    this.#balance(place);
  }

  /** M (u⁻ − u_k) = ½h (…) + ½p⁺ + p⁻, where no forces are dropped. */
  #judgeEnd(): void {
    const { before, h, start, uncorrected, settings } = this.dynamics;
    const { left, right, leftLimit, predicted } = this.stages;
    const [loads, change, sums] = [this.#loads, this.#change, this.#sums];
    for (let i = 0; i < change.length; i++) {
      change[i] = leftLimit[i] - before[i];
      loads[i] = 0.5 * h * (this.#first[i] + this.#second[i]);
    }
    this.loaded.set(loads);
    this.dynamics.system.applyInverseMass(this.loaded);
    for (let i = 0; i < change.length; i++) this.loaded[i] += before[i];
    if (!this.#drops) {
      const { motion } = settings;
      const isAhead = 'closedGap' in motion && motion.direction === 'predicted' && this.#drifts === null;
      const place = isAhead ? predicted : start;
      // What p⁺ does at its place: bodies are turned otherwise there than at the end.
      sums.fill(0);
      if (isAhead || this.#drifts !== null) this.#push(left, left.frames.axes, left.impulses, place, sums);
      else this.#pushTurned(sums);
      for (let i = 0; i < sums.length; i++) sums[i] *= -0.5;
      for (let k = 0; k < this.bodies.list.length; k++) this.bodies.list[k].impel(place, sums, change);
      this.#addJoints(place, left.joints, 0.5, loads);
      this.rows.add(place, left, 0.5, loads);
      this.rows.add(uncorrected, right, 1, loads);
      this.#addJoints(uncorrected, right.joints, 1, loads);
    }
    sums.fill(0);
    if (!this.#drops) this.#push(right, right.frames.axes, right.impulses, uncorrected, sums);
    this.#balance(uncorrected);
  }

  #balance(q: Float64Array): void {
    const { list } = this.bodies;
    for (let k = 0; k < list.length; k++) {
      const defect = list[k].defect(q, this.#change, this.#sums, this.#loads);
      if (defect <= this.defects[1]) continue;
      this.defects[1] = larger(defect, this.defects[1]);
      this.defects[3] = k;
    }
  }

  /** Adds p⁺ to the balances where contacts are at q_k: an impulse turns with its normal. */
  #pushTurned(sums: Float64Array): void {
    const { left } = this.stages;
    const { axes } = left.frames;
    const { begun } = this.contacts;
    const [impulse, turned] = [this.#world, this.#other];
    for (let row = 0; row < left.active.contactCount; row++) {
      const c = left.active.contacts[row];
      const known = begun.at(left.contacts.places[c]);
      // That it has a force at all is found with its law.
      if (known < 0) continue;
      const at = GEOMETRY * known;
      left.frames.toWorld(row, left.impulses, DIMENSION * row, impulse, 0);
      this.#turn.turn(
        ...([impulse, axes, FRAME_NUMBERS * row + DIMENSION] as const),
        ...([begun.geometry, at + DIMENSION, turned] as const),
      );
      this.#pushAt(left.contacts, c, begun.geometry, at, turned, this.dynamics.start, sums);
    }
  }

  /** Adds impulses at the points of frames to the balances. @param r 3 by row */
  #push(
    { active, contacts }: StageProblem,
    axes: Float64Array,
    r: Float64Array,
    q: Float64Array,
    sums: Float64Array,
  ): void {
    for (let row = 0; row < active.contactCount; row++) {
      const place = FRAME_NUMBERS * row;
      const c = active.contacts[row];
      for (let i = 0; i < DIMENSION; i++) {
        let sum = 0;
        for (let a = 0; a < DIMENSION; a++)
          sum += axes[place + DIMENSION * (a + 1) + i] * r[DIMENSION * row + a];
        this.#world[i] = sum;
      }
      this.#pushAt(contacts, c, axes, place, this.#world, q, sums);
    }
  }

  /** @param points the point of the contact from `at` on */
  #pushAt(
    { bodies }: ContactList,
    c: number,
    points: Float64Array,
    at: number,
    impulse: Float64Array,
    q: Float64Array,
    sums: Float64Array,
  ): void {
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * c + side];
      if (body >= 0) this.bodies.list[body].push(q, points, at, impulse, SIGNS[side], sums);
    }
  }

  /** out += part ᵗG λ */
  #addJoints(q: Float64Array, lambda: Float64Array, part: number, out: Float64Array): void {
    this.#formRows(q);
    for (let r = 0; r < lambda.length; r++)
      for (let c = 0; c < out.length; c++) out[c] += part * this.#jacobian[r * out.length + c] * lambda[r];
  }

  #formRows(q: Float64Array): void {
    const { equations, drives, velocities } = this.dynamics.system;
    equations.jacobian(q, this.#jacobian, velocities, 'velocity');
    drives.jacobian(q, this.#jacobian, velocities, 'velocity', equations.count);
  }

  /** G u = ω, or G u = time γ of what accelerations add. */
  #judgeJoints(q: Float64Array, u: Float64Array, of: Accelerated | null): void {
    const { equations, drives } = this.dynamics.system;
    this.#formRows(q);
    const targets = this.#targets;
    if (of !== null) {
      equations.gamma(q, of.speeds, targets);
      drives.gamma(q, of.speeds, targets, equations.count);
    }
    for (let r = 0; r < equations.count + drives.count; r++) {
      const speed = r < equations.count ? 0 : this.#driveSpeeds[r - equations.count];
      let sum = of === null ? -speed : -of.time * targets[r];
      for (let c = 0; c < u.length; c++) sum += this.#jacobian[r * u.length + c] * u[c];
      this.#raise(JOINTS, this.ways[r] * Math.abs(sum), r);
    }
  }

  /** Laws of contacts that have forces, and that the others have none. @param moment at which these act */
  #judgeLaws(
    { active, impulses, frames }: StageProblem,
    contacts: ContactList,
    q: Float64Array,
    u: Float64Array,
    isStart: boolean,
    moment: Moment,
    of: Accelerated | null,
  ): void {
    if (this.#hasRow.length < contacts.count) this.#hasRow = new Uint8Array(2 * contacts.count);
    this.#hasRow.fill(0, 0, contacts.count);
    for (let row = 0; row < active.contactCount; row++) {
      const c = active.contacts[row];
      this.#hasRow[c] = 1;
      for (let a = 0; a < DIMENSION; a++) this.#world[a] = impulses[DIMENSION * row + a];
      if (!this.contacts.mayHaveForce(contacts, c, isStart))
        this.#raise(LAW, lengthOf(this.#world, 0), contacts.materials[c]);
      this.#raise(GAPS, frameDefect(frames.axes, FRAME_NUMBERS * row, contacts, c), contacts.materials[c]);
      this.#measure(contacts, c, frames.axes, FRAME_NUMBERS * row, q, u, moment, of);
      this.#judgeLaw(contacts, c, frames.axes, FRAME_NUMBERS * row, q);
    }
    for (let c = 0; c < contacts.count; c++)
      if (this.#hasRow[c] === 0 && this.contacts.mustHaveForce(contacts, c, q, isStart)) {
        this.#measure(contacts, c, contacts.geometry, GEOMETRY * c, q, u, moment, of);
        this.#judgeOpen(contacts, c, q);
      }
  }

  /**
   * Leaves U of the law in `#velocity`, and along the normal in `#normal`. @param points see `#velocityAt`
   */
  #measure(
    contacts: ContactList,
    c: number,
    points: Float64Array,
    at: number,
    q: Float64Array,
    u: Float64Array,
    moment: Moment,
    of: Accelerated | null,
  ): void {
    const [velocity, other] = [this.#velocity, this.#other];
    this.#velocities.read(contacts, c, points, at, q, u, of === null ? moment : null, velocity);
    this.#normal = dot(points, at + DIMENSION, velocity, 0);
    if (of === null) return;
    const from = DIMENSION * c;
    this.#normal += of.time * dot(points, at + DIMENSION, of.gamma, from);
    this.#velocities.read(contacts, c, points, at, q, of.base, moment, other);
    for (let i = 0; i < DIMENSION; i++) velocity[i] += other[i] + of.ahead * of.gamma[from + i];
  }

  /** @param axes point, normal and tangents from `at` on; the impulse stands in `#world`, by axis */
  #judgeLaw(contacts: ContactList, c: number, axes: Float64Array, at: number, q: Float64Array): void {
    const judged = this.#judged;
    for (let a = 0; a < DIMENSION; a++) {
      judged.impulse[a] = this.#world[a];
      judged.velocity[a] = a === 0 ? this.#normal : dot(axes, at + DIMENSION * (a + 1), this.#velocity, 0);
      judged.earlier[a] = 0;
    }
    judged.numbers.fill(0);
    judged.numbers[CheckedContact.MASS] = this.contacts.mass(contacts, c, axes, at, q);
    judged.numbers[CheckedContact.STEP] = this.dynamics.h;
    const law = contacts.materials[c];
    this.laws[law].judge(judged);
    this.#raise(CONE, judged.defects[0], law);
    this.#raise(LAW, judged.defects[1], law);
  }

  /** One without a force does not approach. */
  #judgeOpen(contacts: ContactList, c: number, q: Float64Array): void {
    const speed = this.#normal;
    const mass = this.contacts.mass(contacts, c, contacts.geometry, GEOMETRY * c, q);
    if (speed < 0) this.#raise(LAW, -speed * mass, contacts.materials[c]);
  }

  #raise(which: number, value: number, place: number): void {
    if (value <= this.found[which]) return;
    this.found[which] = larger(value, this.found[which]);
    this.places[which] = place;
  }
}

/**
 * How far the frame of a row is from what the list has of its contact: point and normal are those of the
 * list, and its axes are at right angles, of length 1.
 */
export function frameDefect(axes: Float64Array, place: number, { geometry }: ContactList, c: number): number {
  let defect = 0;
  for (let i = 0; i < 2 * DIMENSION; i++)
    defect = larger(defect, Math.abs(axes[place + i] - geometry[GEOMETRY * c + i]));
  for (let a = DIMENSION; a <= 3 * DIMENSION; a += DIMENSION)
    for (let b = DIMENSION; b <= a; b += DIMENSION) {
      const off = Math.abs(dot(axes, place + a, axes, place + b) - (a === b ? 1 : 0));
      if (off > ROUNDINGS) defect = larger(defect, off);
    }
  return defect;
}

function squares({ active, impulses }: StageProblem): number {
  let sum = 0;
  for (let k = 0; k < DIMENSION * active.contactCount; k++) sum += impulses[k] * impulses[k];
  return sum;
}
