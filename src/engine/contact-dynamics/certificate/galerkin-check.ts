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
 * A contact has forces where it is closed at q_k and does not approach there; what noise of a solver may have
 * decided is left to the step. Contacts at q_k are those of the end of the last step, as they were judged
 * there; which of them a contact is at another place is said by the lists, and is beyond doubt where its
 * point has moved over one of its bodies no farther than these may. An open one has no force. A gap grows by
 * ½h (U_k + U_*)_N, up to the half of what the velocity of its point changes in a step; one that closes is no
 * deeper than its point moves.
 */
import { type ContactLaw, CheckedContact } from '../../model/contact-laws/contact-law';
import { larger } from '../../linalg/nan-safe';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import { addCross, dot, lengthOf, multiplyMatrix } from '../../spatial/matrix3';
import { rotateBack } from '../../spatial/quaternion';
import type { StateArchive } from '../../state-archive';
import type { ContactDynamics } from '../contact-dynamics';
import { FRAME_NUMBERS } from '../contacts/contact-frames';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import type { SpatialGalerkinSteps } from '../schemes/galerkin-steps';
import { ContactCopy, type StageProblem } from '../schemes/stage-problem';
import { areEqual } from '../step-aims';
import { ROUNDINGS } from '../rounding';
import type { CheckedBodies } from './checked-bodies';
import { PositionCheck } from './free-motion-check';
import { driveSpeedsOf } from './joint-check';
import { StageRowsCheck } from './stage-rows-check';

const DIMENSION = 3;
const GAP = GEOMETRY - 1;
const SIGNS = [-1, 1] as const;

/** Cosine of the angle between normals of one contact, at least. */
const NEARLY = 0.9;

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
  /** contacts at q_k */
  readonly begun = new ContactCopy();
  /** whether those are the step's own, and not the ones that the last step has ended with */
  areFound = true;
  /** q_{k+1} of the last step, whose contacts are known */
  readonly #known: Float64Array;
  /** [0] what solvers may have left of velocities in the last step, m/s */
  readonly #noise = new Float64Array(1);
  readonly #judged = new CheckedContact();
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
  readonly #atStart = new Float64Array(4);
  readonly #driveSpeeds: Float64Array;
  /** whether forces are left out of u⁻ */
  #drops = false;
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
    this.rows = new StageRowsCheck(dynamics, this.#noise);
    this.loaded = vector();
    this.#known = new Float64Array(system.positions).fill(Number.NaN);
    this.#positions = new PositionCheck(system, this.defects);
    this.#driveSpeeds = driveSpeedsOf(system);
    this.#first = vector();
    this.#second = vector();
    this.#sums = vector();
    this.#change = vector();
    this.#loads = vector();
    this.#mean = vector();
    this.#jacobian = new Float64Array((system.equations.count + system.drives.count) * system.velocities);
  }

  exchange(archive: StateArchive): void {
    archive.fixed(this.#positions.scales);
    this.begun.exchange(archive);
    archive.fixed(this.#known);
    archive.fixed(this.#noise);
  }

  judge(): void {
    const { start, before, uncorrected, h, clock } = this.dynamics;
    const { reached, predicted, leftLimit, left, right, contacts } = this.stages;
    this.areFound = !areEqual(start, this.#known);
    if (this.areFound) this.begun.take(this.stages.begun);
    this.#drops = this.#areDropped();
    const mean = this.#mean;
    this.defects.fill(0);
    this.found.fill(0);
    this.rows.clear();
    this.norm[0] = Math.sqrt(squares(left) + (this.#drops ? 0 : squares(right)));
    for (let i = 0; i < mean.length; i++) mean[i] = 0.5 * (before[i] + reached[i]);
    this.#positions.judge(start, before, h, predicted);
    this.#positions.judge(start, mean, h, uncorrected);
    this.#clock[0] = clock[0] - h;
    this.#force(this.#clock, start, before, this.#first);
    this.#force(clock, uncorrected, reached, this.#second);
    this.#judgeStart();
    this.#judgeEnd();
    this.#judgeLaws(left, left.contacts, predicted, reached, true);
    if (!this.#drops) this.#judgeLaws(right, contacts, uncorrected, leftLimit, false);
    this.#judgeJoints(predicted, reached);
    this.rows.judge(left, predicted, reached, 1);
    if (!this.#drops) this.rows.judge(right, uncorrected, leftLimit, 0.5);
    if (!this.#drops) this.#judgeJoints(uncorrected, leftLimit);
    for (let c = 0; c < contacts.count; c++) this.#judgeGap(c);
  }

  /** Behind all that is judged of the step: what the next one begins with. */
  end(): void {
    const { contacts } = this.stages;
    this.begun.take(contacts);
    this.#known.set(this.dynamics.uncorrected);
    this.#noise[0] = this.#noiseOf(contacts);
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

  /**
   * Whether forces are left out of u⁻, as the settings say that they are where a contact closes: the scheme
   * says so too, as far as gaps do not contradict it.
   */
  #areDropped(): boolean {
    const { motion } = this.dynamics.settings;
    if (!('closedGap' in motion) || motion.besideImpacts !== 'dropped') return false;
    const { contacts, hasImpact } = this.stages;
    const { uncorrected } = this.dynamics;
    for (let c = 0; c < contacts.count; c++) {
      const at = GEOMETRY * c;
      const extent = lengthOf(contacts.geometry, at) + lengthOf(uncorrected, 0);
      const slack = (hasImpact ? 1 : -1) * ROUNDINGS * extent;
      if (contacts.geometry[at + GAP] > this.#closedGap + slack) continue;
      const stays = hasImpact
        ? this.#mustHaveForce(contacts, c, uncorrected, true)
        : this.#mayHaveForce(contacts, c, true);
      if (!stays) return true;
    }
    return this.rows.closes(hasImpact);
  }

  /** M (u_* − u_k) = h (f + g)_k + p⁺ */
  #judgeStart(): void {
    const { before, h } = this.dynamics;
    const { left, reached, predicted } = this.stages;
    const [loads, change] = [this.#loads, this.#change];
    for (let i = 0; i < change.length; i++) {
      change[i] = reached[i] - before[i];
      loads[i] = h * this.#first[i];
    }
    this.#sums.fill(0);
    this.#push(left, left.frames.axes, left.impulses, predicted, this.#sums);
    this.#addJoints(predicted, left.joints, 1, loads);
    this.rows.add(predicted, left, 1, loads);
    this.#balance(predicted);
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
      const isAhead = 'closedGap' in motion && motion.direction === 'predicted';
      const place = isAhead ? predicted : start;
      // What p⁺ does at its place: bodies are turned otherwise there than at the end.
      sums.fill(0);
      if (isAhead) this.#push(left, left.frames.axes, left.impulses, place, sums);
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

  /**
   * Adds p⁺ to the balances where contacts are at q_k: an impulse turns with its normal, by the shortest way,
   * from n to n'. It keeps its part along the axis w = n×n', and those along n and w×n become parts along n'
   * and w×n'.
   */
  #pushTurned(sums: Float64Array): void {
    const { left } = this.stages;
    const { axes } = left.frames;
    const { begun } = this;
    const [impulse, turned, axis, across] = [this.#world, this.#other, this.#velocity, this.#momentum];
    for (let row = 0; row < left.active.contactCount; row++) {
      const c = left.active.contacts[row];
      const known = begun.at(left.contacts.places[c]);
      // That it has a force at all is found with its law.
      if (known < 0) continue;
      const normal = FRAME_NUMBERS * row + DIMENSION;
      const at = GEOMETRY * known + DIMENSION;
      left.frames.toWorld(row, left.impulses, DIMENSION * row, impulse, 0);
      addCross(axes, normal, begun.geometry, at, 1, axis.fill(0), 0);
      const sine = lengthOf(axis, 0);
      turned.set(impulse);
      if (sine > 0) {
        for (let i = 0; i < DIMENSION; i++) axis[i] /= sine;
        addCross(axis, 0, axes, normal, 1, across.fill(0), 0);
        const [along, beside, held] = [
          dot(axes, normal, impulse, 0),
          dot(across, 0, impulse, 0),
          dot(axis, 0, impulse, 0),
        ];
        addCross(axis, 0, begun.geometry, at, 1, across.fill(0), 0);
        for (let i = 0; i < DIMENSION; i++)
          turned[i] = held * axis[i] + along * begun.geometry[at + i] + beside * across[i];
      }
      this.#pushAt(left.contacts, c, begun.geometry, GEOMETRY * known, turned, this.dynamics.start, sums);
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

  #judgeJoints(q: Float64Array, u: Float64Array): void {
    const { equations, drives } = this.dynamics.system;
    this.#formRows(q);
    for (let r = 0; r < equations.count + drives.count; r++) {
      let sum = r < equations.count ? 0 : -this.#driveSpeeds[r - equations.count];
      for (let c = 0; c < u.length; c++) sum += this.#jacobian[r * u.length + c] * u[c];
      this.#raise(JOINTS, this.ways[r] * Math.abs(sum), r);
    }
  }

  /** Laws of contacts that have forces, and that the others have none. */
  #judgeLaws(
    { active, impulses, frames }: StageProblem,
    contacts: ContactList,
    q: Float64Array,
    u: Float64Array,
    isStart: boolean,
  ): void {
    if (this.#hasRow.length < contacts.count) this.#hasRow = new Uint8Array(2 * contacts.count);
    this.#hasRow.fill(0, 0, contacts.count);
    for (let row = 0; row < active.contactCount; row++) {
      const c = active.contacts[row];
      this.#hasRow[c] = 1;
      for (let a = 0; a < DIMENSION; a++) this.#world[a] = impulses[DIMENSION * row + a];
      if (!this.#mayHaveForce(contacts, c, isStart))
        this.#raise(LAW, lengthOf(this.#world, 0), contacts.materials[c]);
      this.#raise(GAPS, frameDefect(frames.axes, FRAME_NUMBERS * row, contacts, c), contacts.materials[c]);
      this.#judgeLaw(contacts, c, frames.axes, FRAME_NUMBERS * row, q, u);
    }
    for (let c = 0; c < contacts.count; c++)
      if (this.#hasRow[c] === 0 && this.#mustHaveForce(contacts, c, q, isStart))
        this.#judgeOpen(contacts, c, q, u);
  }

  /** @param axes point, normal and tangents from `at` on; the impulse stands in `#world`, by axis */
  #judgeLaw(
    contacts: ContactList,
    c: number,
    axes: Float64Array,
    at: number,
    q: Float64Array,
    u: Float64Array,
  ): void {
    const judged = this.#judged;
    const velocity = this.#velocity;
    this.#velocityAt(contacts, c, axes, at, q, u, velocity);
    for (let a = 0; a < DIMENSION; a++) {
      judged.impulse[a] = this.#world[a];
      judged.velocity[a] = dot(axes, at + DIMENSION * (a + 1), velocity, 0);
      judged.earlier[a] = 0;
    }
    judged.numbers.fill(0);
    judged.numbers[CheckedContact.MASS] = this.#mass(contacts, c, axes, at, q);
    judged.numbers[CheckedContact.STEP] = this.dynamics.h;
    const law = contacts.materials[c];
    this.laws[law].judge(judged);
    this.#raise(CONE, judged.defects[0], law);
    this.#raise(LAW, judged.defects[1], law);
  }

  /** One without a force does not approach. */
  #judgeOpen(contacts: ContactList, c: number, q: Float64Array, u: Float64Array): void {
    const { geometry, materials } = contacts;
    const at = GEOMETRY * c;
    this.#velocityAt(contacts, c, geometry, at, q, u, this.#velocity);
    const speed = dot(geometry, at + DIMENSION, this.#velocity, 0);
    const mass = this.#mass(contacts, c, geometry, at, q);
    if (speed < 0) this.#raise(LAW, -speed * mass, materials[c]);
  }

  /** Whether a contact was closed at the start and did not approach, at its end being closed still. */
  #mayHaveForce(contacts: ContactList, c: number, isStart: boolean): boolean {
    const known = this.#partnerOf(contacts, c);
    if (known < 0) return false;
    const [gap, approach, slack, rounding] = this.#readStart(known);
    const closes = isStart || contacts.geometry[GEOMETRY * c + GAP] <= this.#closedGap + slack;
    return closes && gap <= this.#closedGap + slack && approach <= this.#rate + this.#noise[0] + rounding;
  }

  /** The same beyond doubt: noise lets a contact stay, and never keeps it from that. @param q where it is */
  #mustHaveForce(contacts: ContactList, c: number, q: Float64Array, isStart: boolean): boolean {
    const known = this.#partnerOf(contacts, c);
    if (known < 0 || !this.#isSame(contacts, c, known, q)) return false;
    const [gap, approach, slack, rounding] = this.#readStart(known);
    const closes = isStart || contacts.geometry[GEOMETRY * c + GAP] <= this.#closedGap - slack;
    return closes && gap <= this.#closedGap - slack && approach <= this.#rate - rounding;
  }

  /** The contact at q_k that has the place of another list, and its bodies and law; −1 for none. */
  #partnerOf({ places, bodies, materials }: ContactList, c: number): number {
    const { begun } = this;
    const known = begun.at(places[c]);
    if (known < 0 || materials[c] !== begun.materials[known]) return -1;
    const isOfThem =
      bodies[2 * c] === begun.bodies[2 * known] && bodies[2 * c + 1] === begun.bodies[2 * known + 1];
    return isOfThem ? known : -1;
  }

  /**
   * Whether it is that contact beyond doubt: it is no farther on one of its bodies than these may move, has
   * nearly its normal, and has been so in the course of the step too.
   */
  #isSame(contacts: ContactList, c: number, known: number, q: Float64Array): boolean {
    const { bodies, geometry, places } = contacts;
    const { left, predicted } = this.stages;
    if (contacts !== left.contacts) {
      const between = left.contacts.at(places[c]);
      if (between < 0 || !this.#isSame(left.contacts, between, known, predicted)) return false;
    }
    const { system, start, before, h } = this.dynamics;
    const at = GEOMETRY * c;
    const [here, there] = [this.#velocity, this.#other];
    const from = GEOMETRY * known;
    if (dot(geometry, at + DIMENSION, this.begun.geometry, from + DIMENSION) < NEARLY) return false;
    let way = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let side = 2 * c; side < 2 * c + 2; side++) {
      const body = bodies[side];
      if (body >= 0 && !(system.bodies[body] instanceof RigidBody)) continue;
      for (let i = 0; i < DIMENSION; i++) {
        here[i] = geometry[at + i];
        there[i] = this.begun.geometry[from + i];
      }
      if (body >= 0) {
        const [place, v] = [system.positionsAt[body], system.velocitiesAt[body]];
        for (let i = 0; i < DIMENSION; i++) {
          here[i] -= q[place + i];
          there[i] -= start[place + i];
        }
        way += h * this.#fastest(before, v, lengthOf(there, 0));
        way += h * this.#fastest(this.stages.reached, v, lengthOf(there, 0));
        rotateBack(q, place + 3, here, 0, here, 0);
        rotateBack(start, place + 3, there, 0, there, 0);
      }
      let square = 0;
      for (let i = 0; i < DIMENSION; i++) square += (here[i] - there[i]) ** 2;
      least = Math.min(least, Math.sqrt(square));
    }
    return least <= way + ROUNDINGS * (lengthOf(geometry, at) + lengthOf(start, 0));
  }

  /** |V| + |Ω| arm */
  #fastest(u: Float64Array, v: number, arm: number): number {
    return lengthOf(u, v) + arm * lengthOf(u, v + DIMENSION);
  }

  get #closedGap(): number {
    const { motion } = this.dynamics.settings;
    return 'closedGap' in motion ? motion.closedGap : 0;
  }

  get #rate(): number {
    const { motion } = this.dynamics.settings;
    return 'closedGap' in motion ? motion.restingRate : 0;
  }

  /** @returns gap, rate of approach, and what rounding may have left of both; overwritten */
  #readStart(known: number): Float64Array {
    const { start, before, system } = this.dynamics;
    const { begun } = this;
    const at = GEOMETRY * known;
    this.#velocityAt(begun, known, begun.geometry, at, start, before, this.#other);
    const out = this.#atStart;
    out[0] = begun.geometry[at + GAP];
    out[1] = -dot(begun.geometry, at + DIMENSION, this.#other, 0);
    out[2] = ROUNDINGS * (lengthOf(begun.geometry, at) + lengthOf(start, 0));
    out[3] = ROUNDINGS * lengthOf(this.#other, 0);
    for (let side = 2 * known; side < 2 * known + 2; side++) {
      const body = begun.bodies[side];
      if (body < 0) continue;
      const from = system.positionsAt[body];
      for (let i = 0; i < DIMENSION; i++) this.#other[i] = begun.geometry[at + i] - start[from + i];
      out[3] += ROUNDINGS * this.#fastest(before, system.velocitiesAt[body], lengthOf(this.#other, 0));
    }
    return out;
  }

  /** Overlap beyond what the step explains. */
  #judgeGap(c: number): void {
    const { start, before, uncorrected, h } = this.dynamics;
    const { contacts, reached } = this.stages;
    const { begun } = this;
    const at = GEOMETRY * c;
    const gap = contacts.geometry[at + GAP];
    const rounding = ROUNDINGS * (lengthOf(contacts.geometry, at) + lengthOf(uncorrected, 0));
    const slack = rounding + this.#closedGap + this.bodies.bend(contacts, c, uncorrected, before, reached, h);
    if (gap >= -slack) return;
    const known = this.#partnerOf(contacts, c);
    const isSame = known >= 0 && this.#isSame(contacts, c, known, uncorrected);
    const after = this.#velocity;
    const former = this.#other;
    this.#velocityAt(contacts, c, contacts.geometry, at, uncorrected, reached, after);
    if (!isSame) {
      this.#velocityAt(contacts, c, contacts.geometry, at, uncorrected, before, former);
      this.#raise(GAPS, -gap - h * (lengthOf(after, 0) + lengthOf(former, 0)) - slack, contacts.materials[c]);
      return;
    }
    const from = GEOMETRY * known;
    this.#velocityAt(begun, known, begun.geometry, from, start, before, former);
    const way =
      dot(contacts.geometry, at + DIMENSION, after, 0) + dot(begun.geometry, from + DIMENSION, former, 0);
    let change = 0;
    for (let i = 0; i < DIMENSION; i++) change += (after[i] - former[i]) ** 2;
    // Normals turn too, by no more than what the point moves over the bodies.
    const bound = begun.geometry[from + GAP] + 0.5 * h * (way - Math.sqrt(change)) - slack;
    this.#raise(GAPS, bound - gap, contacts.materials[c]);
  }

  #velocityAt(
    { bodies }: ContactList,
    c: number,
    points: Float64Array,
    at: number,
    q: Float64Array,
    u: Float64Array,
    out: Float64Array,
  ): void {
    out.fill(0);
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * c + side];
      if (body >= 0) this.bodies.list[body].addVelocity(q, u, points, at, SIGNS[side], out, 0);
    }
  }

  #mass({ bodies }: ContactList, c: number, points: Float64Array, at: number, q: Float64Array): number {
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * c + side];
      if (body >= 0) sum += this.bodies.list[body].mobility(q, points, at, at + DIMENSION);
    }
    return 1 / sum;
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
