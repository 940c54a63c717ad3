/**
 * Which contacts have forces in a Galerkin step, and how deep they may be at its end, as the certificate
 * finds it (`GalerkinCheck`): from the contacts at q_k, velocities there, and what contacts have pushed
 * with.
 */
import { larger } from '../../linalg/nan-safe';
import { RigidBody } from '../../spatial/bodies/rigid-body';
import { dot, lengthOf } from '../../spatial/matrix3';
import { rotateBack } from '../../spatial/quaternion';
import type { StateArchive } from '../../state-archive';
import type { ContactDynamics } from '../contact-dynamics';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import { ROUNDINGS } from '../rounding';
import { ContactCopy } from '../schemes/contact-copy';
import type { SpatialGalerkinSteps } from '../schemes/galerkin-steps';
import { areEqual } from '../step-aims';
import type { CheckedBodies } from './checked-bodies';
import type { Moment, PointVelocities } from './point-velocities';

const DIMENSION = 3;
const GAP = GEOMETRY - 1;

/** Part of a bound that rounding may have decided upon. */
const NEARLY_ONE = 1e-9;

/** Cosine of the angle between normals of one contact, at least. */
const NEARLY = 0.9;

export class StageContactsCheck {
  /** contacts at q_k */
  readonly begun = new ContactCopy();
  /** whether those are the step's own, and not the ones that the last step has ended with */
  areFound = true;
  /** motions at the start and at the end of the step */
  readonly from: Moment;
  readonly to: Moment;
  readonly isOfVelocities: boolean;
  readonly closedGap: number;
  readonly #rate: number;
  readonly #kept: number;
  /** q_{k+1} of the last step, whose contacts are known */
  readonly #known: Float64Array;
  readonly #still: Float64Array;
  readonly #velocity = new Float64Array(DIMENSION);
  readonly #other = new Float64Array(DIMENSION);
  readonly #atStart = new Float64Array(4);
  /** by what the point of the contact that `#isSame` has looked at has moved over one of its bodies, m */
  #moved = 0;

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly stages: SpatialGalerkinSteps,
    private readonly bodies: CheckedBodies,
    private readonly velocities: PointVelocities,
    /** [0] what solvers may have left of velocities in the last step, m/s */
    private readonly noise: Float64Array,
  ) {
    const { system, settings } = dynamics;
    const { motion } = settings;
    if (!('closedGap' in motion)) throw new Error('steps with contact forces have their settings');
    this.isOfVelocities = motion.level === 'velocity';
    this.closedGap = motion.closedGap;
    this.#rate = motion.restingRate;
    this.#kept = motion.kept;
    this.from = velocities.createMoment();
    this.to = velocities.createMoment();
    this.#known = new Float64Array(system.positions).fill(Number.NaN);
    this.#still = new Float64Array(system.velocities);
  }

  exchange(archive: StateArchive): void {
    this.begun.exchange(archive);
    archive.fixed(this.#known);
  }

  /** What the step begins with. */
  begin(): void {
    const { start, clock, h } = this.dynamics;
    this.areFound = !areEqual(start, this.#known);
    if (this.areFound) this.begun.take(this.stages.begun);
    this.from?.read(clock[0] - h, clock[0] - h, clock[0] - h);
    this.to?.read(clock[0], clock[0], clock[0]);
  }

  /** What the next one begins with. @param drops whether forces are left out of u⁻ */
  end(drops: boolean): void {
    const { contacts } = this.stages;
    this.begun.take(contacts);
    this.#keepPushed(drops);
    this.#known.set(this.dynamics.uncorrected);
  }

  /** Normal impulses of the whole step, N s. */
  #keepPushed(drops: boolean): void {
    const { pushed } = this.begun;
    const { left, right, contacts } = this.stages;
    const { active, activeCount, impulses } = this.dynamics;
    for (let row = 0; row < activeCount; row++) pushed[active[row]] += impulses[DIMENSION * row];
    if (drops) return;
    for (let c = 0; c < contacts.count; c++) {
      const [first, second] = [left.rowOf(contacts.places[c]), right.rowOf(contacts.places[c])];
      if (first >= 0) pushed[c] += 0.5 * left.impulses[DIMENSION * first];
      if (second >= 0) pushed[c] += right.impulses[DIMENSION * second];
    }
  }

  /** Whether a contact closes in the step, as that says too where gaps do not contradict it. */
  closes(): boolean {
    const { contacts, hasImpact } = this.stages;
    const { uncorrected } = this.dynamics;
    for (let c = 0; c < contacts.count; c++) {
      const at = GEOMETRY * c;
      const extent = lengthOf(contacts.geometry, at) + lengthOf(uncorrected, 0);
      const slack = (hasImpact ? 1 : -1) * ROUNDINGS * extent;
      if (contacts.geometry[at + GAP] > this.closedGap + slack) continue;
      if (!this.#hasStayed(contacts, c, hasImpact, slack)) return true;
    }
    return false;
  }

  /** Whether a contact that is closed does not close in the step; what is said is left to doubt. */
  #hasStayed(contacts: ContactList, c: number, hasImpact: boolean, slack: number): boolean {
    const { uncorrected } = this.dynamics;
    if (this.isOfVelocities)
      return hasImpact
        ? this.mustHaveForce(contacts, c, uncorrected, true)
        : this.mayHaveForce(contacts, c, true);
    const known = this.#partnerOf(contacts, c);
    if (known < 0 || (hasImpact && !this.#isSame(contacts, c, known, uncorrected))) return false;
    return this.begun.gap(known) <= this.closedGap - slack;
  }

  /** Whether a contact was closed at the start and did not approach, at its end being closed still. */
  mayHaveForce(contacts: ContactList, c: number, isStart: boolean): boolean {
    const known = this.#partnerOf(contacts, c);
    if (known < 0) return false;
    const [gap, approach, slack, rounding] = this.#readStart(known);
    const closes = isStart || contacts.geometry[GEOMETRY * c + GAP] <= this.closedGap + slack;
    if (!closes || gap > this.closedGap + slack) return false;
    const doubt = this.noise[0] + rounding;
    if (!this.isOfVelocities) return this.#isKept(contacts, c, known, isStart, doubt);
    return approach <= this.#rate + doubt;
  }

  /** The same beyond doubt: noise lets a contact stay, and never keeps it from that. @param q where it is */
  mustHaveForce(contacts: ContactList, c: number, q: Float64Array, isStart: boolean): boolean {
    const known = this.#partnerOf(contacts, c);
    if (known < 0 || !this.#isSame(contacts, c, known, q)) return false;
    const [gap, approach, slack, rounding] = this.#readStart(known);
    const closes = isStart || contacts.geometry[GEOMETRY * c + GAP] <= this.closedGap - slack;
    if (!closes || gap > this.closedGap - slack) return false;
    if (!this.isOfVelocities) return this.#isKept(contacts, c, known, isStart, -rounding);
    return approach <= this.#rate - rounding;
  }

  /** Whether a closed contact that parts has a force from accelerations. @param doubt of its rate, m/s */
  #isKept(contacts: ContactList, c: number, known: number, isStart: boolean, doubt: number): boolean {
    const { start, before, uncorrected } = this.dynamics;
    const { reached, left } = this.stages;
    const [list, at] = isStart ? [this.begun, GEOMETRY * known] : [contacts, GEOMETRY * c];
    const [q, u] = isStart ? [start, before] : [uncorrected, reached];
    const moment = isStart ? this.from : this.to;
    this.velocities.read(list, isStart ? known : c, list.geometry, at, q, u, moment, this.#other);
    const rate = dot(list.geometry, at + DIMENSION, this.#other, 0);
    if (rate <= this.#rate + doubt) return true;
    const row = left.rowOf(contacts.places[c]);
    const ofForce = row < 0 ? 0 : left.impulses[DIMENSION * row];
    const pushed = isStart ? this.begun.pushed[known] : ofForce;
    const jump = (this.#kept * pushed) / this.mass(list, isStart ? known : c, list.geometry, at, q);
    return rate <= jump * (1 + Math.sign(doubt) * NEARLY_ONE) + doubt;
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
      const place = this.isOfVelocities ? predicted : this.dynamics.start;
      if (between < 0 || !this.#isSame(left.contacts, between, known, place)) return false;
    }
    const { system, start, before, h } = this.dynamics;
    const at = GEOMETRY * c;
    const [here, there] = [this.#velocity, this.#other];
    const from = GEOMETRY * known;
    if (dot(geometry, at + DIMENSION, this.begun.geometry, from + DIMENSION) < NEARLY) return false;
    let way = h * (this.#prescribed(contacts, c, q, this.from) + this.#prescribed(contacts, c, q, this.to));
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
    this.#moved = least;
    return least <= way + ROUNDINGS * (lengthOf(geometry, at) + lengthOf(start, 0));
  }

  /** How fast what is prescribed moves at a contact, m/s. */
  #prescribed(contacts: ContactList, c: number, q: Float64Array, moment: Moment): number {
    if (moment === null) return 0;
    this.velocities.read(
      contacts,
      c,
      contacts.geometry,
      GEOMETRY * c,
      q,
      this.#still,
      moment,
      this.#velocity,
    );
    return lengthOf(this.#velocity, 0);
  }

  /** |V| + |Ω| arm */
  #fastest(u: Float64Array, v: number, arm: number): number {
    return lengthOf(u, v) + arm * lengthOf(u, v + DIMENSION);
  }

  /** @returns gap, rate of approach, and what rounding may have left of both; overwritten */
  #readStart(known: number): Float64Array {
    const { start, before, system } = this.dynamics;
    const { begun } = this;
    const at = GEOMETRY * known;
    this.velocities.read(begun, known, begun.geometry, at, start, before, this.from, this.#other);
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

  /** Overlap of a contact at the end beyond what the step explains, m; below zero where there is none. */
  excess(c: number): number {
    const { start, before, uncorrected, h } = this.dynamics;
    const { contacts, reached } = this.stages;
    const { begun } = this;
    const at = GEOMETRY * c;
    const gap = contacts.geometry[at + GAP];
    const rounding = ROUNDINGS * (lengthOf(contacts.geometry, at) + lengthOf(uncorrected, 0));
    const slack = rounding + this.closedGap + this.bodies.bend(contacts, c, uncorrected, before, reached, h);
    if (gap >= -slack) return -1;
    const known = this.#partnerOf(contacts, c);
    const isSame = known >= 0 && this.#isSame(contacts, c, known, uncorrected);
    const after = this.#velocity;
    const former = this.#other;
    this.velocities.read(contacts, c, contacts.geometry, at, uncorrected, reached, this.to, after);
    if (!isSame) {
      this.velocities.read(contacts, c, contacts.geometry, at, uncorrected, before, this.from, former);
      const way = h * (lengthOf(after, 0) + lengthOf(former, 0));
      return -gap - way - this.#overlapBefore(contacts, c) - slack;
    }
    const from = GEOMETRY * known;
    this.velocities.read(begun, known, begun.geometry, from, start, before, this.from, former);
    // Where a contact goes over an edge, the slower of both may come with the last of the step; and where its
    // point moves over both bodies, as where their edges cross, faces that are not parallel come closer.
    const rate = Math.min(
      dot(contacts.geometry, at + DIMENSION, after, 0),
      dot(begun.geometry, from + DIMENSION, former, 0),
    );
    let change = 0;
    for (let i = 0; i < DIMENSION; i++) change += (after[i] - former[i]) ** 2;
    // Normals turn too, by no more than what the point moves over the bodies.
    const bound = begun.geometry[from + GAP] + h * (rate - 0.5 * Math.sqrt(change)) - this.#moved - slack;
    return bound - gap;
  }

  /** What bodies overlapped by at any of their contacts at q_k: another one may come with that, m. */
  #overlapBefore({ bodies, materials }: ContactList, c: number): number {
    const { begun } = this;
    let overlap = 0;
    for (let k = 0; k < begun.count; k++)
      if (
        begun.bodies[2 * k] === bodies[2 * c] &&
        begun.bodies[2 * k + 1] === bodies[2 * c + 1] &&
        begun.materials[k] === materials[c]
      )
        overlap = larger(overlap, -begun.gap(k));
    return overlap;
  }

  /** What a contact feels along its normal where no joints are, kg. */
  mass({ bodies }: ContactList, c: number, points: Float64Array, at: number, q: Float64Array): number {
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * c + side];
      if (body >= 0) sum += this.bodies.list[body].mobility(q, points, at, at + DIMENSION);
    }
    return 1 / sum;
  }
}
