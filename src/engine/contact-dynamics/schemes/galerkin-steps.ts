/**
 * Half-explicit Galerkin steps of 3D bodies (`time-stepping/force-stages.ts` has those of coordinates):
 * forces of contacts and joints at both ends of a step before its impact. From velocities, with the forces F
 * at the times and places that their index names, the gyroscopic term −Ω×I Ω in them, and body axes for
 * turns,
 *
 *     u_* = u_k + h M⁻¹ F_k + M⁻¹ (ᵗH p⁺ + ᵗG λ⁺),     G u_* = ω, H u_* by the law    at q_k ⊕ h u_k
 *     q_{k+1} = q_k ⊕ ½h (u_k + u_*)
 *     u⁻ = u_k + ½h M⁻¹ (F_k + F_{k+1}) + ½ M⁻¹ (ᵗH_k p⁺ + ᵗG_k λ⁺) + M⁻¹ (ᵗH p⁻ + ᵗG λ⁻),
 *                                                      G u⁻ = ω, H u⁻ by the law       at q_{k+1}
 *     u_{k+1} = u⁻ + M⁻¹ (ᵗH P + ᵗG Λ)
 *
 * with F_{k+1} at q_{k+1} and u_*. The last line is the problem of a step of contact dynamics at q_* =
 * q_{k+1}. Bodies turn by the exponential: half the sum of both angular velocities is their mean up to O(h³),
 * so that the order is 2, and a body that spins freely keeps its energy to that order.
 *
 * From accelerations, p⁺ and λ⁺ are h times forces that hold and act at q_k, and p⁻ and λ⁻ are ½h times
 * those that hold at q_{k+1} with u_*; what they obey is in `stage-problem.ts`, and γ in `contact-drift.ts`.
 * A contact that was closed has a force where its rate is not above ε̇, or small against what it has pushed
 * with.
 *
 * Contacts are closed at gap ≤ ε. From velocities, those that are closed at q_k and do not approach there
 * stay, and are known again at the other places by what detection recognises, as guesses of impulses are.
 * Any other that is closed at q_{k+1} closes in the step: it has no force there, and P takes its velocity by
 * its law of impact.
 *
 * Rows of stops, dry friction and limited motors of joints stand beside those of contacts: a stop that is
 * closed at q_k and does not approach stays, one that closes has an impulse by its law of impact, and bounds
 * are c h of p⁺ and ½ c h of p⁻.
 *
 * Bodies that move as prescribed are where they are at the time of each place.
 *
 * With frames that turn, p⁺ of velocities is known at q_k ⊕ h u_k, and acts as a vector that has turned back
 * with the normal. Where sliding changes its direction along the surface, both halves of friction point as
 * at the end of the step: that part is of order 1.
 */
import { holdVelocities } from '../../spatial/plane-of-motion';
import type { SpatialStatus } from '../../spatial/status';
import type { StateArchive } from '../../state-archive';
import type { ActiveFrames } from '../contacts/active-frames';
import { ClosingSpeed } from '../contacts/closing-speed';
import { ContactFrames, FRAME_NUMBERS } from '../contacts/contact-frames';
import { type ContactList, type ContactSource, GEOMETRY } from '../contacts/contact-list';
import { areEqual } from '../step-aims';
import type { Revision, StepScheme } from './scheme';
import { ContactCopy } from './contact-copy';
import { ContactDrift, DIFFERENCE, type Look, displace, turnBetween } from './contact-drift';
import { StageRows } from './stage-rows';
import { type Accelerations, PRESCRIBED, type StageParts, StageProblem } from './stage-problem';

export interface GalerkinSettings {
  /** what forces of contacts and joints are found from */
  readonly level: 'velocity' | 'acceleration';
  /** ε, gap up to which a contact is closed, m */
  readonly closedGap: number;
  /**
   * of velocities, a closed contact that approaches by more at the start of a step has an impact in it; of
   * accelerations, one that parts by more has no force, m/s
   */
  readonly restingRate: number;
  /** κ of accelerations */
  readonly kept: number;
  /** where forces of the start have their directions */
  readonly direction: 'start' | 'predicted';
  /** what becomes of forces in a step in which a contact closes */
  readonly besideImpacts: 'kept' | 'dropped';
}

/** Since when a place has belonged to another contact: who does not know it yet, or the start of the step. */
const TO_FIRST = 1;
const TO_SECOND = 2;
const IN_STEP = 4;
/** Who looks beside where a step goes, and takes what detection says. */
const BESIDE = 0;
const NO_RADII = new Float64Array(0);

/** Places of works. */
const [NORMAL, TANGENT, JOINTS, DRIVES] = [0, 1, 2, 3];
/** Of rows of joints by their kind. */
const ROW_WORKS = { limit: 4, friction: 5, motor: DRIVES } as const;
export const STAGE_WORKS = {
  ...{ normal: NORMAL, tangent: TANGENT, joints: JOINTS, drives: DRIVES },
  ...{ limits: ROW_WORKS.limit, friction: ROW_WORKS.friction, prescribed: PRESCRIBED },
} as const;

export class SpatialGalerkinSteps implements StepScheme {
  readonly part = 1;
  readonly aim = 0;
  readonly lag = 0;
  readonly forecast = 0;
  readonly newPart = 0;
  readonly oldPart = 0;
  readonly closedGap: number;
  readonly force: Float64Array;
  readonly left: StageProblem;
  readonly right: StageProblem;
  /** whether forces are left out of u⁻, as a contact closes in the step */
  hasImpact = false;
  /** u_*, u⁻, and u⁻ without contacts and joints */
  readonly reached: Float64Array;
  readonly leftLimit: Float64Array;
  readonly loaded: Float64Array;
  /** q_k ⊕ h u_k */
  readonly predicted: Float64Array;
  /** frames at q_k of contacts with forces, in the order of `left`, and impulses in them, 3 by row */
  readonly startFrames: ContactFrames;
  startImpulses = new Float64Array(0);
  /** by contact of `begun`: 1 where it is closed, and 1 where it has a force */
  wasClosed = new Uint8Array(0);
  stays = new Uint8Array(0);
  /** γ at both ends; null where forces are found from velocities */
  readonly drifts: readonly [ContactDrift, ContactDrift] | null;
  readonly rows: StageRows;
  /** contacts at q_k and at q_{k+1} */
  begun = new ContactCopy();
  contacts = new ContactCopy();
  /** what solvers have left of velocities in the last step, m/s: [0] before its impact, [1] in it */
  readonly noise = new Float64Array(2);
  /** [0] the larger of both at the start of this step */
  readonly formerNoise = new Float64Array(1);
  /** q_{k+1} of the last step, whose contacts are known */
  readonly #known: Float64Array;
  /** by place, `TO_FIRST`, `TO_SECOND` and `IN_STEP` */
  #fresh = new Uint8Array(0);
  readonly #closing: ClosingSpeed;
  readonly #start: Float64Array;
  readonly #before: Float64Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  readonly #mean: Float64Array;
  readonly #work: Float64Array;
  /** G at q_k */
  readonly #rows: Float64Array;
  readonly #times = [new Float64Array(1), new Float64Array(1)] as const;
  readonly #vector = new Float64Array(3);
  readonly #length = new Float64Array(1);
  /** the frame of a contact by itself, and an impulse of 1 N s along its normal */
  readonly #single: { frame: ContactFrames; one: Float64Array; response: Float64Array };
  /** how much farther than the gap of closed contacts detection looks, m */
  #reach = 0;

  constructor(
    private readonly settings: GalerkinSettings,
    private readonly source: ContactSource,
    private readonly parts: StageParts,
  ) {
    const { system, mobility, jointRows } = parts;
    const velocities = (): Float64Array => new Float64Array(system.velocities);
    this.closedGap = settings.closedGap;
    this.left = new StageProblem(parts);
    this.right = new StageProblem(parts);
    this.startFrames = new ContactFrames(mobility);
    this.#single = {
      ...{ frame: new ContactFrames(mobility), one: Float64Array.of(1, 0, 0), response: new Float64Array(3) },
    };
    this.force = velocities();
    this.reached = velocities();
    this.leftLimit = velocities();
    this.loaded = velocities();
    this.predicted = new Float64Array(system.positions);
    this.#known = new Float64Array(system.positions).fill(Number.NaN);
    this.#closing = new ClosingSpeed(system, parts.kinematicBodies);
    const drift = (): ContactDrift => new ContactDrift(system, this.#closing);
    this.drifts = settings.level === 'acceleration' ? [drift(), drift()] : null;
    this.#start = new Float64Array(system.positions);
    this.#before = velocities();
    this.#first = velocities();
    this.#second = velocities();
    this.#mean = velocities();
    this.#work = velocities();
    this.#rows = new Float64Array(mobility.rows * system.velocities);
    const isOfVelocities = settings.level === 'velocity';
    this.rows = new StageRows(system, jointRows, { ...settings, isOfVelocities });
  }

  exchange(archive: StateArchive): void {
    this.left.exchange(archive);
    this.right.exchange(archive);
    this.contacts.exchange(archive);
    this.#fresh = archive.array(this.#fresh);
    archive.fixed(this.#known);
    archive.fixed(this.noise);
    this.rows.exchange(archive);
  }

  begin(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus | 'unsolved' {
    const { reached, leftLimit, loaded, right } = this;
    const [from, to] = this.#times;
    const [first, second, mean] = [this.#first, this.#second, this.#mean];
    from[0] = clock[0];
    to[0] = clock[0] + h;
    this.#length[0] = h;
    this.#start.set(q);
    this.#before.set(u);
    if (!this.#beginContacts(q, u)) return 'notFinite';

    this.#accelerate(from, q, u, first);
    const begun = this.drifts === null ? this.#push(q, u, h) : this.#pull(this.drifts[0], q, u, h);
    if (begun !== 'ok') return begun;
    this.#place(q);

    for (let i = 0; i < u.length; i++) mean[i] = 0.5 * (u[i] + reached[i]);
    if (!displace(this.parts.system, q, mean, h)) return 'notFinite';
    if (this.#isInverted(q)) return 'inverted';
    const found = this.#look(to[0], q, TO_SECOND);
    if (found === null) return 'notFinite';
    this.contacts.take(found);
    this.#known.set(q);
    this.rows.end(q, reached, this.left.rows, this.settings.restingRate + this.formerNoise[0]);
    this.hasImpact = this.settings.besideImpacts === 'dropped' && this.#closes();

    this.#accelerate(to, q, reached, second);
    for (let i = 0; i < u.length; i++) loaded[i] = u[i] + 0.5 * h * (first[i] + second[i]);
    leftLimit.set(loaded);
    if (this.hasImpact) right.clear();
    else {
      this.#addStart(0.5, leftLimit);
      const ended = this.#end(q, u, h);
      if (ended !== 'ok') return ended;
    }
    this.#meanForce();
    this.noise[0] = right.noise;
    u.set(leftLimit);
    return 'ok';
  }

  /** p⁺ of velocities at q_k ⊕ h u_k, and u_*. */
  #push(q: Float64Array, u: Float64Array, h: number): SpatialStatus | 'unsolved' {
    const { reached, predicted, left } = this;
    for (let i = 0; i < u.length; i++) reached[i] = u[i] + h * this.#first[i];
    predicted.set(q);
    if (!displace(this.parts.system, predicted, u, h)) return 'notFinite';
    const ahead = this.#look(this.#times[1][0], predicted, TO_FIRST);
    if (ahead === null) return 'notFinite';
    return left.solve(ahead, this.#hasLeftForce, predicted, reached, u, h, this.rows.left);
  }

  /** p⁺ of accelerations at q_k, and u_*. */
  #pull(drift: ContactDrift, q: Float64Array, u: Float64Array, h: number): SpatialStatus | 'unsolved' {
    const { reached, left, begun, predicted } = this;
    predicted.set(q);
    for (let i = 0; i < u.length; i++) reached[i] = h * this.#first[i];
    const has = this.#hasForce;
    const at: Accelerations = { time: h, ahead: h, speeds: u, base: u, drift };
    if (!this.#bend(drift, begun, has, q, u, 0)) return 'notFinite';
    const solved = left.solve(begun, has, q, reached, u, h, this.rows.left, at);
    for (let i = 0; i < u.length; i++) reached[i] += u[i];
    return solved;
  }

  /** u⁻ with p⁻. */
  #end(q: Float64Array, u: Float64Array, h: number): SpatialStatus | 'unsolved' {
    const { right, contacts, leftLimit, drifts, reached } = this;
    const has = this.#hasRightForce;
    if (drifts === null) return right.solve(contacts, has, q, leftLimit, u, h, this.rows.right);
    const [, drift] = drifts;
    if (!this.#bend(drift, contacts, has, q, reached, 1)) return 'notFinite';
    const [added, base] = [this.#second, this.#mean];
    for (let i = 0; i < u.length; i++) {
      added[i] *= 0.5 * h;
      base[i] = leftLimit[i] - added[i];
    }
    const at: Accelerations = { time: 0.5 * h, ahead: 0, speeds: reached, base, drift };
    const solved = right.solve(contacts, has, q, added, u, h, this.rows.right, at);
    for (let i = 0; i < u.length; i++) leftLimit[i] = base[i] + added[i];
    return solved;
  }

  /** γ of contacts where one of them has a force. @param end 0 or 1 @returns whether places are finite */
  #bend(
    drift: ContactDrift,
    contacts: ContactList,
    hasForce: (c: number) => boolean,
    q: Float64Array,
    u: Float64Array,
    end: 0 | 1,
  ): boolean {
    drift.isRead = false;
    let isNeeded = false;
    for (let c = 0; c < contacts.count; c++) isNeeded ||= hasForce(c);
    if (!isNeeded) return true;
    const delta = (end === 0 ? DIFFERENCE : -DIFFERENCE) * this.#length[0];
    const [time] = this.#times[end];
    this.#reach = 2 * Math.abs(delta) * this.#closing.largest(this.source.radii ?? NO_RADII, u);
    const isFinite = drift.read(contacts, q, u, time, delta, this.#lookBeside);
    this.#reach = 0;
    this.parts.kinematicBodies?.placeAt(time);
    return isFinite;
  }

  /** Nothing depends on u⁺. */
  revise(): Revision {
    return 'ok';
  }

  finish(): SpatialStatus {
    return 'ok';
  }

  addConservative(_: Float64Array, __: Float64Array, out: Float64Array): void {
    const { system } = this.parts;
    const work = this.#work.fill(0);
    system.addPotentialForce(this.#times[0], this.#start, this.#before, work);
    system.addPotentialForce(this.#times[1], this.#known, this.reached, work);
    for (let i = 0; i < out.length; i++) out[i] += 0.5 * work[i];
  }

  addDamping(_: Float64Array, out: Float64Array): void {
    const { system } = this.parts;
    if (system.pseudoRigid.length === 0) return;
    const work = this.#work.fill(0);
    system.addDamping(this.#start, this.#before, work);
    system.addDamping(this.#known, this.reached, work);
    for (let i = 0; i < out.length; i++) out[i] += 0.5 * work[i];
  }

  /** Adds the work of the forces of both ends. @param mean ½ (u_k + u_{k+1}) @param out `STAGE_WORKS`, J */
  addWork(mean: Float64Array, out: Float64Array): void {
    if (this.hasImpact) return;
    const { left, right } = this;
    const { equations, velocities } = this.parts.system;
    const { rows: count, jacobian } = this.parts.mobility;
    const { kinematicBodies } = this.parts;
    kinematicBodies?.placeAt(this.#times[this.#isAhead ? 1 : 0][0]);
    if (this.#turns) left.addWork(mean, this.startFrames, this.startImpulses, 0.5, out);
    else left.addWork(mean, left.frames, left.impulses, 0.5, out);
    kinematicBodies?.placeAt(this.#times[1][0]);
    right.addWork(mean, right.frames, right.impulses, 1, out);
    for (let r = 0; r < count; r++) {
      let work = 0;
      for (let c = 0; c < velocities; c++) {
        const k = r * velocities + c;
        work += mean[c] * (0.5 * this.#rows[k] * left.joints[r] + jacobian[k] * right.joints[r]);
      }
      out[r < equations.count ? JOINTS : DRIVES] += work;
    }
    const { jointRows } = this.parts;
    for (let k = 0; k < jointRows.list.length; k++) {
      let rate = 0;
      for (let c = 0; c < velocities; c++) rate += this.rows.jacobian[k * velocities + c] * mean[c];
      out[ROW_WORKS[jointRows.list[k].kind]] +=
        0.5 * rate * left.rows[k] + jointRows.rate(k, mean) * right.rows[k];
    }
  }

  /** The same of a row of `JointRows.list`. */
  rowImpulse(k: number): number {
    return this.hasImpact ? 0 : 0.5 * this.left.rows[k] + this.right.rows[k];
  }

  /** Impulse of joints over the step besides those of its impact, by row of G. */
  jointImpulse(row: number): number {
    return this.hasImpact ? 0 : 0.5 * this.left.joints[row] + this.right.joints[row];
  }

  /**
   * Adds what contacts have pushed with over the step besides impacts, by law of contact.
   * @param add takes a law, the normal impulse, and the size of the tangential one, N s
   */
  addImpulses(add: (law: number, normal: number, tangential: number) => void): void {
    if (this.hasImpact) return;
    for (const [stage, part] of [[this.left, 0.5] as const, [this.right, 1] as const])
      for (let row = 0; row < stage.active.contactCount; row++) {
        const { impulses, contacts, active } = stage;
        const at = 3 * row;
        const tangential = Math.sqrt(impulses[at + 1] ** 2 + impulses[at + 2] ** 2);
        add(contacts.materials[active.contacts[row]], part * impulses[at], part * tangential);
      }
  }

  /** Adds what the contact of a place has pushed with over the step besides impacts, in the world, N s. */
  addImpulseAt(place: number, out: Float64Array, at: number): void {
    if (this.hasImpact) return;
    const { left, right } = this;
    if (this.#turns) this.#addImpulseOf(left, this.startFrames, this.startImpulses, 0.5, place, out, at);
    else this.#addImpulseOf(left, left.frames, left.impulses, 0.5, place, out, at);
    this.#addImpulseOf(right, right.frames, right.impulses, 1, place, out, at);
  }

  #addImpulseOf(
    { active, contacts }: StageProblem,
    frames: ContactFrames,
    impulses: Float64Array,
    part: number,
    place: number,
    out: Float64Array,
    at: number,
  ): void {
    for (let row = 0; row < active.contactCount; row++) {
      if (contacts.places[active.contacts[row]] !== place) continue;
      frames.toWorld(row, impulses, 3 * row, this.#vector, 0);
      for (let i = 0; i < 3; i++) out[at + i] += part * this.#vector[i];
    }
  }

  /** Iterations of the solver for forces. */
  get iterations(): number {
    return this.left.iterations + this.right.iterations;
  }

  /** Whether forces of the start act near the end. */
  get #isAhead(): boolean {
    return this.drifts === null && this.settings.direction === 'predicted';
  }

  /** Whether forces of the start, found near the end, act as contacts are at the start. */
  get #turns(): boolean {
    return this.drifts === null && this.settings.direction === 'start';
  }

  readonly #hasForce = (c: number): boolean => this.stays[c] === 1;

  readonly #hasLeftForce = (c: number): boolean => this.hasStayed(this.left.contacts.places[c]);

  readonly #hasRightForce = (c: number): boolean => {
    const { contacts, drifts, left } = this;
    if (contacts.gap(c) > this.closedGap) return false;
    const place = contacts.places[c];
    if (drifts === null) return this.hasStayed(place);
    if (!this.#persists(place)) return false;
    const row = left.rowOf(place);
    const pushed = row < 0 ? 0 : left.impulses[3 * row];
    const rate = this.#closing.of(contacts, c, this.#known, this.reached, true);
    return this.#rests(rate) || this.#isKept(contacts, c, this.#known, rate, pushed);
  };

  #rests(rate: number): boolean {
    return rate <= this.settings.restingRate + this.formerNoise[0];
  }

  /**
   * Whether ẏ of a contact that parts is small against what it has pushed with, d R with d = H_N M⁻¹ ᵗH_N.
   */
  #isKept(contacts: ContactList, c: number, q: Float64Array, rate: number, pushed: number): boolean {
    if (!(pushed > 0)) return false;
    const { frame, one, response } = this.#single;
    const { bodies, geometry } = contacts;
    const { kept } = this.settings;
    const moved = this.#work.fill(0);
    frame.clear(1);
    frame.add(q, bodies[2 * c], bodies[2 * c + 1], geometry, GEOMETRY * c);
    frame.addImpulses(one, moved);
    this.parts.system.applyInverseMass(moved);
    frame.measure(moved, response);
    return rate <= kept * pushed * response[0];
  }

  /**
   * Whether the contact at a place was closed at q_k, and did not approach where forces are of velocities.
   */
  #persists(place: number): boolean {
    if (this.drifts === null) return this.hasStayed(place);
    const known = this.begun.at(place);
    return known >= 0 && this.wasClosed[known] === 1 && this.isSame(place);
  }

  /** Whether the contact at a place has a force at the start. */
  hasStayed(place: number): boolean {
    const known = this.begun.at(place);
    return known >= 0 && this.stays[known] === 1 && this.isSame(place);
  }

  /** Whether a place belongs to the contact that it belonged to at q_k. */
  isSame(place: number): boolean {
    return (this.#fresh[place] & IN_STEP) === 0;
  }

  #closes(): boolean {
    for (let c = 0; c < this.contacts.count; c++)
      if (this.contacts.gap(c) <= this.closedGap && !this.#persists(this.contacts.places[c])) return true;
    return this.rows.hasClosed;
  }

  /** Contacts at q_k, which of them are closed, and which of these stay. @returns whether q is finite */
  #beginContacts(q: Float64Array, u: Float64Array): boolean {
    const { kinematicBodies } = this.parts;
    [this.begun, this.contacts] = [this.contacts, this.begun];
    kinematicBodies?.placeAt(this.#times[0][0]);
    if (!areEqual(q, this.#known)) {
      const found = this.#look(this.#times[0][0], q, TO_SECOND);
      if (found === null) return false;
      this.begun.take(found);
    }
    const { begun, noise, closedGap } = this;
    if (this.stays.length < begun.count) {
      this.stays = new Uint8Array(2 * begun.count);
      this.wasClosed = new Uint8Array(2 * begun.count);
    }
    this.formerNoise[0] = Math.max(noise[0], noise[1]);
    noise.fill(0);
    const least = -(this.settings.restingRate + this.formerNoise[0]);
    for (let c = 0; c < begun.count; c++) {
      this.#fresh[begun.places[c]] &= ~IN_STEP;
      this.wasClosed[c] = begun.gap(c) <= closedGap ? 1 : 0;
      const rate = this.#closing.of(begun, c, q, u, true);
      const stays =
        this.drifts === null
          ? rate >= least
          : this.#rests(rate) || this.#isKept(begun, c, q, rate, begun.pushed[c]);
      this.stays[c] = this.wasClosed[c] === 1 && stays ? 1 : 0;
    }
    this.rows.begin(q, u, this.settings.restingRate + this.formerNoise[0]);
    return true;
  }

  /** Takes what has pushed in the impact of the step. @param rows impulses by row of joints */
  keep(active: ActiveFrames, r: Float64Array, rows: Float64Array): void {
    const { contacts, left, right } = this;
    for (let row = 0; row < active.contactCount; row++) contacts.pushed[active.contacts[row]] += r[3 * row];
    for (let k = 0; k < rows.length; k++) this.rows.keep(k, rows[k] + this.rowImpulse(k));
    if (this.hasImpact) return;
    for (let c = 0; c < contacts.count; c++) {
      const [first, second] = [left.rowOf(contacts.places[c]), right.rowOf(contacts.places[c])];
      if (first >= 0 && this.isSame(contacts.places[c])) contacts.pushed[c] += 0.5 * left.impulses[3 * first];
      if (second >= 0) contacts.pushed[c] += right.impulses[3 * second];
    }
  }

  readonly #lookBeside: Look = (time, q) => this.#look(time, q, BESIDE);

  /**
   * Detection up to the gap of closed contacts, with `isNew` for who has not seen the places it has found
   * before.
   */
  #look(time: number, q: Float64Array, who: number): ContactList | null {
    const { kinematicBodies } = this.parts;
    kinematicBodies?.placeAt(time);
    const found = this.source.detect(q, kinematicBodies?.poses ?? null, this.closedGap + this.#reach);
    if (found === null) return null;
    for (let c = 0; c < found.count; c++) {
      const place = found.places[c];
      if (place >= this.#fresh.length) {
        const fresh = new Uint8Array(2 * place + 2);
        fresh.set(this.#fresh);
        this.#fresh = fresh;
      }
      if (found.isNew[c] === 1) this.#fresh[place] = TO_FIRST | TO_SECOND | IN_STEP;
      if (who === BESIDE) continue;
      found.isNew[c] = (this.#fresh[place] & who) === 0 ? 0 : 1;
      this.#fresh[place] &= ~who;
    }
    return found;
  }

  /** a ← M⁻¹ (F − Ω×I Ω) */
  #accelerate(clock: Float64Array, q: Float64Array, u: Float64Array, a: Float64Array): void {
    const { system } = this.parts;
    system.force(clock, q, u, a);
    system.addGyroscopic(u, a);
    system.applyInverseMass(a);
  }

  /** Mean of both forces, without the gyroscopic term. */
  #meanForce(): void {
    const { system } = this.parts;
    const work = this.#work;
    system.force(this.#times[0], this.#start, this.#before, this.force);
    system.force(this.#times[1], this.#known, this.reached, work);
    for (let i = 0; i < work.length; i++) this.force[i] = 0.5 * (this.force[i] + work[i]);
  }

  #isInverted(q: Float64Array): boolean {
    const { pseudoRigid } = this.parts.system;
    for (let k = 0; k < pseudoRigid.length; k++)
      if (!(pseudoRigid[k].body.volumeRatio(q, pseudoRigid[k].qAt) > 0)) return true;
    return false;
  }

  /** Frames of contacts with forces, and rows of joints, where the step began. @param q q_k */
  #place(q: Float64Array): void {
    const { left, startFrames, begun } = this;
    const { active, contacts } = left;
    const { system, mobility } = this.parts;
    if (mobility.rows > 0) {
      const { equations, drives, velocities } = system;
      const rows = this.#turns ? q : this.predicted;
      equations.jacobian(rows, this.#rows, velocities, 'velocity');
      drives.jacobian(rows, this.#rows, velocities, 'velocity', equations.count);
    }
    if (!this.#turns) this.parts.jointRows.formAll(this.predicted, this.rows.jacobian);
    if (!this.#turns || active.contactCount === 0) return;
    if (this.startImpulses.length < 3 * active.contactCount)
      this.startImpulses = new Float64Array(6 * active.contactCount);
    startFrames.clear(active.contactCount);
    const impulse = this.#vector;
    for (let row = 0; row < active.contactCount; row++) {
      const c = active.contacts[row];
      const at = GEOMETRY * begun.at(contacts.places[c]);
      startFrames.add(q, contacts.bodies[2 * c], contacts.bodies[2 * c + 1], begun.geometry, at);
      left.frames.toWorld(row, left.impulses, 3 * row, impulse, 0);
      const axis = FRAME_NUMBERS * row + 3;
      turnBetween(left.frames.axes, axis, startFrames.axes, axis, impulse);
      startFrames.toLocal(row, impulse, 0, this.startImpulses, 3 * row);
    }
  }

  /** u ← u + part · M⁻¹ (ᵗH p⁺ + ᵗG λ⁺) */
  #addStart(part: number, u: Float64Array): void {
    const { left } = this;
    const { system, mobility } = this.parts;
    const push = this.#work.fill(0);
    if (!this.#turns && left.active.count > 0) left.frames.addImpulses(left.impulses, push);
    else {
      if (left.active.contactCount > 0) this.startFrames.addImpulses(this.startImpulses, push);
      for (let k = 0; k < left.rows.length; k++)
        for (let c = 0; c < push.length; c++)
          push[c] += this.rows.jacobian[k * push.length + c] * left.rows[k];
    }
    for (let r = 0; r < mobility.rows; r++)
      for (let c = 0; c < push.length; c++) push[c] += this.#rows[r * push.length + c] * left.joints[r];
    system.applyInverseMass(push);
    for (let i = 0; i < u.length; i++) u[i] += part * push[i];
    if (system.isPlanar) holdVelocities(u);
  }
}
