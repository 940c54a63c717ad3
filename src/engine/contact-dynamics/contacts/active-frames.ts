/**
 * Which contacts and rows of joints take part in a step, and what of them persists: their frames in the
 * graph, and their impulses, which are the guess of the next step. Block rows of contacts come first, those
 * of joints after them, and behind these the moment rows, which come and go with their contacts
 * (`momentRows/`).
 */
import { widened } from '../../collision/growth';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SpatialSystem } from '../../spatial/system';
import type { StateArchive } from '../../state-archive';
import type { JointRows, RowChoice } from '../joint-rows';
import type { ContactLaw } from '../../model/contact-laws/contact-law';
import { NOISY_STEPS, ROUNDINGS } from '../rounding';
import type { BodyMobility } from '../mobility';
import type { StepScheme } from '../schemes/scheme';
import { ClosingSpeed } from './closing-speed';
import type { ContactFrames } from './contact-frames';
import {
  AdhesionState,
  type ContactList,
  GEOMETRY,
  KINDS,
  momentRowOf,
  contactOf,
  contactKindOf,
} from './contact-list';
import { COMPANION, CONTACT, FrameGraph, JOINT, type Rank } from './frame-graph';
import type { KinematicBodies } from './kinematic-bodies';

const DIMENSION = 3;
const GAP = GEOMETRY - 1;
const NONE = -1;

export class ActiveFrames {
  readonly graph: FrameGraph;
  /** active contacts, in the order of their rows */
  contacts = new Int32Array(0);
  /** frame of each of them */
  frames = new Int32Array(0);
  contactCount = 0;
  /** by row of a contact: 1 where it has been closed since the first step */
  bonded = new Uint8Array(0);
  /** by row of a contact: 1 where it closes in this step */
  closes = new Uint8Array(0);
  /** bonds by frame */
  readonly adhesion = new AdhesionState();
  /** contacts that have closed so far */
  closings = 0;
  /** stops of joints that have been reached so far */
  stops = 0;
  /** active rows of joints, in the order of the rows behind them */
  readonly jointRows: Int32Array;
  jointCount = 0;
  /**
   * moment rows of active contacts, by the rows of these (`momentRowOf`), in the order of the rows behind
   * those of joints
   */
  momentRows = new Int32Array(0);
  momentRowCount = 0;
  /**
   * 1 for contacts that take part, by contact of the step, where that is decided beforehand of rigid ones
   * that do not pull; null where the law of activation decides
   */
  taking: Uint8Array | null = null;
  /** block row by frame, −1 where there is none */
  #rowOf = new Int32Array(0);
  /** frame by place of a contact, and by row of a joint; −1 where there is none */
  #frameOf = new Int32Array(0);
  readonly #frameOfJointRow: Int32Array;
  /** by frame: contact of the present step, −1 for none */
  #contactOf = new Int32Array(0);
  /**
   * by frame: place of the contact, −1 − the row of a joint, or −1 − `momentRowOf` the frame of its contact
   */
  #ownerOf = new Int32Array(0);
  /**
   * frames of its moment rows by frame of a contact, `KINDS` each, −1 for none; and the contact's row at the
   * last listing
   */
  #momentRowsOf = new Int32Array(0);
  #listedRow = new Int32Array(0);
  /** impulse of the last step by frame, in the world */
  #kept = new Float64Array(0);
  #compiled = -1;
  /** what noise of velocities may have added to the gap since the frame began to push, m */
  #noise = new Float64Array(0);
  /** by group of bodies: the largest of its contacts that pushed in the last step, m */
  readonly #groupNoise: Float64Array;
  /** by frame: U_N⁺ of the last step, m/s; NaN of one that did not push */
  #speed = new Float64Array(0);
  /** by frame: |h Ḣ u| of the last step, m/s */
  #turning = new Float64Array(0);
  readonly #slackOf: (row: number) => number;
  readonly #closing: ClosingSpeed;
  /** by frame: 1 where its contact was closed in the first step, and 1 while that lasts */
  #isBonded = new Uint8Array(0);
  #isFirstStep = true;
  /** by frame: 1 where it has come in this step */
  #isNew = new Uint8Array(0);
  /** frames of the last step that take no part in this one so far: what they know is kept until the next */
  #suspended = new Int32Array(0);
  #suspendedCount = 0;

  constructor(
    private readonly mobility: BodyMobility,
    private readonly rows: JointRows,
    private readonly laws: readonly ContactLaw[],
    private readonly scheme: Pick<StepScheme, 'forecast' | 'lag' | 'aim' | 'closedGap'>,
    /** by material, `KINDS` each; null where no contact has any */
    private readonly momentNumbers: Float64Array | null = null,
    private readonly kinematicBodies: KinematicBodies | null = null,
  ) {
    this.graph = new FrameGraph(mobility.members.length);
    this.#groupNoise = new Float64Array(mobility.members.length);
    this.#closing = new ClosingSpeed(mobility.system, kinematicBodies);
    this.jointRows = new Int32Array(rows.list.length);
    this.#frameOfJointRow = new Int32Array(rows.list.length).fill(NONE);
    this.#slackOf = (row) => this.#slack(this.#frameOfJointRow[row]);
  }

  exchange(archive: StateArchive): void {
    this.graph.exchange(archive);
    this.adhesion.exchange(archive);
    this.contacts = archive.array(this.contacts);
    this.frames = archive.array(this.frames);
    this.bonded = archive.array(this.bonded);
    this.closes = archive.array(this.closes);
    this.momentRows = archive.array(this.momentRows);
    this.contactCount = archive.value(this.contactCount);
    this.jointCount = archive.value(this.jointCount);
    this.momentRowCount = archive.value(this.momentRowCount);
    this.closings = archive.value(this.closings);
    this.stops = archive.value(this.stops);
    archive.fixed(this.jointRows);
    archive.fixed(this.#frameOfJointRow);
    this.#frameOf = archive.array(this.#frameOf);
    this.#contactOf = archive.array(this.#contactOf);
    this.#ownerOf = archive.array(this.#ownerOf);
    this.#momentRowsOf = archive.array(this.#momentRowsOf);
    this.#listedRow = archive.array(this.#listedRow);
    this.#rowOf = archive.array(this.#rowOf);
    this.#kept = archive.array(this.#kept);
    this.#noise = archive.array(this.#noise);
    this.#speed = archive.array(this.#speed);
    this.#turning = archive.array(this.#turning);
    this.#isBonded = archive.array(this.#isBonded);
    this.#isNew = archive.array(this.#isNew);
    this.#suspended = archive.array(this.#suspended);
    this.#suspendedCount = archive.value(this.#suspendedCount);
    this.#isFirstStep = archive.value(this.#isFirstStep);
  }

  /**
   * How far bodies may be apart at q_* whose contact is forecast to close, at most, m: with g = gap(q_*) −
   * lag h U_N⁻, g + forecast h U_N⁻ ≤ 0 is gap(q_*) ≤ (forecast − lag) h |U_N⁻| of bodies that come together.
   * @param radii see `ClosingSpeed.largest`
   * @param before u⁻
   * @param free without contacts; where contacts of the end of the step take part, null elsewhere: h |U_N| of
   *   the faster ones then
   */
  reach(radii: Float64Array | undefined, before: Float64Array, free: Float64Array | null, h: number): number {
    if (free !== null && radii !== undefined) {
      const reach = h * Math.max(this.#closing.largest(radii, before), this.#closing.largest(radii, free));
      return Number.isFinite(reach) ? reach : 0;
    }
    const ahead = this.scheme.forecast - this.scheme.lag;
    if (!(ahead > 0) || radii === undefined) return 0;
    const reach = ahead * h * this.#closing.largest(radii, before);
    // What has no end and turns is everywhere: then the margin has to do.
    return Number.isFinite(reach) ? reach : 0;
  }

  /** Number of block rows. */
  get count(): number {
    return this.contactCount + this.jointCount + this.momentRowCount;
  }

  /**
   * Frames that have closed come, and those that have opened or are not there any more go.
   * @param q q_*
   * @param u without contacts
   * @param before at the start of the step
   * @param h s
   * @param choice which rows of joints take part; null where their laws say so
   */
  update(
    contacts: ContactList,
    q: Float64Array,
    u: Float64Array,
    before: Float64Array,
    h: number,
    choice: RowChoice | null = null,
  ): void {
    const { graph } = this;
    this.#contactOf.fill(NONE);
    this.#isNew.fill(0);
    for (let k = 0; k < this.#suspendedCount; k++)
      if (!graph.has(this.#suspended[k])) graph.release(this.#suspended[k]);
    this.#suspendedCount = 0;
    this.#findNoise();
    for (let c = 0; c < contacts.count; c++) this.#updateContact(contacts, c, q, u, before, h);
    for (let frame = 0; frame < graph.extent; frame++) {
      if (this.#contactOf[frame] !== NONE || !graph.has(frame) || this.#ownerOf[frame] < 0) continue;
      this.#frameOf[this.#ownerOf[frame]] = NONE;
      if (this.taking === null) this.#removeContact(frame);
      else this.#suspend(frame);
    }
    const { forecast, lag, aim } = this.scheme;
    if (choice === null) this.rows.update(q, this.#slackOf, before, lag > 0 ? forecast * h : null, aim * h);
    else this.rows.select(q, choice);
    for (let k = 0; k < this.rows.list.length; k++) this.#updateJointRow(k);
    this.#list();
    this.#isFirstStep = false;
  }

  #updateContact(
    contacts: ContactList,
    c: number,
    q: Float64Array,
    u: Float64Array,
    before: Float64Array,
    h: number,
  ): void {
    const place = contacts.places[c];
    this.#reservePlace(place);
    let frame = this.#frameOf[place];
    if (frame !== NONE && contacts.isNew[c] === 1) {
      this.#removeContact(frame);
      this.#frameOf[place] = frame = NONE;
    }
    const { forecast, lag } = this.scheme;
    let gap = contacts.geometry[GEOMETRY * c + GAP];
    if (forecast > 0 || lag > 0) {
      const speed = this.#closing.of(contacts, c, q, before, false);
      contacts.geometry[GEOMETRY * c + GAP] -= lag * h * speed;
      gap = contacts.geometry[GEOMETRY * c + GAP] + forecast * h * speed;
    }
    if (this.taking?.[c] === 1) {
      this.#enter(contacts, c);
      return;
    }
    if (this.taking !== null && this.#isPlain(contacts, c)) return;
    const rounding = roundingOfGap(contacts, c, q, this.mobility.system);
    if (this.scheme.closedGap !== undefined && gap > Math.max(this.scheme.closedGap, rounding)) return;
    const slack = gap > rounding ? rounding + this.#restNoise(contacts, c, q, before, h) : rounding;
    const isOpen =
      this.scheme.closedGap === undefined &&
      gap > slack &&
      !this.#isHeld(contacts, c, frame, gap - slack, q, before, h);
    if (!isOpen || this.#takesPart(contacts, c, frame, q, u, h)) this.#enter(contacts, c);
  }

  /** Whether its law is rigid and never pulls. */
  #isPlain({ materials }: ContactList, c: number): boolean {
    const { isRigid, pull, adhesion } = this.laws[materials[c]];
    return isRigid && pull === 0 && adhesion === undefined;
  }

  /** Gives a contact that takes part its frame, unless it has one. */
  #enter(contacts: ContactList, c: number): void {
    const place = contacts.places[c];
    const known = this.#frameOf[place];
    let frame = known;
    if (known === NONE) {
      const former = this.#suspendedAt(place);
      const { groupOf } = this.mobility;
      const first = contacts.bodies[2 * c];
      const second = contacts.bodies[2 * c + 1];
      const [one, other] = [first < 0 ? NONE : groupOf[first], second < 0 ? NONE : groupOf[second]];
      frame = former === NONE ? this.#insert(one, other, CONTACT, place) : former;
      this.#frameOf[place] = frame;
      if (former === NONE) {
        this.#noise[frame] = this.#noiseOf(contacts, c);
        const { adhesion } = this.laws[contacts.materials[c]];
        if (adhesion !== undefined) this.adhesion.begin(frame, this.#isFirstStep ? adhesion.start : 0);
        this.closings++;
      } else this.graph.restore(frame, one, other, CONTACT);
      if (this.momentNumbers !== null)
        this.#insertMomentRows(frame, one, other, contacts.materials[c], this.momentNumbers);
    }
    this.#contactOf[frame] = c;
  }

  /** Lets more contacts take part in this step (`taking`), behind `update`. */
  add(contacts: ContactList): void {
    for (let c = 0; c < contacts.count; c++) if (this.taking?.[c] === 1) this.#enter(contacts, c);
    this.#list();
  }

  /**
   * Whether a contact that pushed in the last step is apart by no more than what the motion of its point over
   * the bodies may have brought, h |h Ḣ u| (`step-aims.ts`), in this step along the normal or in the last
   * one. One that is held at gap 0 would be lost otherwise, and found again after what it falls in a step.
   */
  #isHeld(
    contacts: ContactList,
    c: number,
    frame: number,
    gap: number,
    q: Float64Array,
    before: Float64Array,
    h: number,
  ): boolean {
    if (frame === NONE || Number.isNaN(this.#speed[frame])) return false;
    const change = this.#closing.of(contacts, c, q, before, false) - this.#speed[frame];
    return gap <= h * Math.max(Math.abs(change), this.#turning[frame]);
  }

  /**
   * Whether an open contact does, as it is held yet or is going to close. A rigid one that pulls on nothing
   * is let go by the law of activation alone: by the θ-method also where the bodies overlap and part.
   */
  #takesPart(
    contacts: ContactList,
    c: number,
    frame: number,
    q: Float64Array,
    u: Float64Array,
    h: number,
  ): boolean {
    const { anticipates, range, adhesion, isRigid, pull } = this.laws[contacts.materials[c]];
    if (adhesion !== undefined) return this.adhesion.holds(frame);
    const isHeld = (frame !== NONE || this.#isFirstStep) && (!isRigid || pull > 0);
    if (isHeld && contacts.geometry[GEOMETRY * c + GAP] <= range) return true;
    return (
      anticipates && contacts.geometry[GEOMETRY * c + GAP] + h * this.#closing.of(contacts, c, q, u, true) < 0
    );
  }

  /**
   * Whether contacts that take no part end the step in an overlap: with steps of one length the next one
   * closes them, and step control repeats this one.
   * @param q q_* @param before u⁻ @param after u⁺ @param h s
   */
  endInOverlap(
    contacts: ContactList,
    q: Float64Array,
    before: Float64Array,
    after: Float64Array,
    { newPart, oldPart }: StepScheme,
    h: number,
  ): boolean {
    for (let c = 0; c < contacts.count; c++) {
      if (this.#frameOf[contacts.places[c]] !== NONE) continue;
      let way = newPart * this.#closing.of(contacts, c, q, after, true);
      if (oldPart !== 0) way += oldPart * this.#closing.of(contacts, c, q, before, false);
      if (contacts.geometry[GEOMETRY * c + GAP] + h * way < 0) return true;
    }
    return false;
  }

  #updateJointRow(k: number): void {
    const { rows } = this;
    const frame = this.#frameOfJointRow[k];
    if (rows.isActive[k] === 1 && frame === NONE) {
      this.#frameOfJointRow[k] = this.#insert(rows.groups[k], NONE, JOINT, -1 - k);
      if (rows.list[k].kind === 'limit') this.stops++;
    } else if (rows.isActive[k] === 0 && frame !== NONE) {
      this.graph.remove(frame);
      this.#frameOfJointRow[k] = NONE;
    }
  }

  /** Those kinds of rows that the material has a number for. */
  #insertMomentRows(
    contact: number,
    first: number,
    second: number,
    material: number,
    numbers: Float64Array,
  ): void {
    for (let kind = 0; kind < KINDS; kind++) {
      const owner = momentRowOf(contact, kind);
      const has = numbers[KINDS * material + kind] > 0;
      // The list may grow with the frame.
      const momentRow = has ? this.#insert(first, second, COMPANION, -1 - owner) : NONE;
      this.#momentRowsOf[owner] = momentRow;
    }
  }

  #removeContact(frame: number): void {
    this.graph.remove(frame);
    this.#removeMomentRows(frame);
  }

  #suspend(frame: number): void {
    if (this.#suspendedCount === this.#suspended.length)
      this.#suspended = grown(this.#suspended, 2 * this.#suspendedCount + 8);
    this.#suspended[this.#suspendedCount++] = frame;
    this.graph.suspend(frame);
    this.#removeMomentRows(frame);
  }

  /** @returns −1 where the contact of the place took no part in the last step */
  #suspendedAt(place: number): number {
    for (let k = 0; k < this.#suspendedCount; k++) {
      const frame = this.#suspended[k];
      if (this.#ownerOf[frame] === place && !this.graph.has(frame)) return frame;
    }
    return NONE;
  }

  #removeMomentRows(frame: number): void {
    for (let k = KINDS * frame; k < KINDS * (frame + 1); k++) {
      if (this.#momentRowsOf[k] !== NONE) this.graph.remove(this.#momentRowsOf[k]);
      this.#momentRowsOf[k] = NONE;
    }
  }

  #insert(first: number, second: number, rank: Rank, owner: number): number {
    const frame = this.graph.insert(first, second, rank);
    this.#reserveFrame(frame);
    this.#ownerOf[frame] = owner;
    this.#noise[frame] = this.#turning[frame] = 0;
    this.#speed[frame] = Number.NaN;
    this.#isNew[frame] = 1;
    this.#isBonded[frame] = this.#isFirstStep ? 1 : 0;
    this.#kept.fill(0, DIMENSION * frame, DIMENSION * (frame + 1));
    return frame;
  }

  #list(): void {
    const { graph } = this;
    this.contactCount = this.jointCount = this.momentRowCount = 0;
    if (this.contacts.length < graph.count) {
      this.contacts = new Int32Array(2 * graph.count);
      this.frames = new Int32Array(2 * graph.count);
      this.bonded = new Uint8Array(2 * graph.count);
      this.closes = new Uint8Array(2 * graph.count);
    }
    for (let frame = 0; frame < graph.extent; frame++) {
      if (!graph.has(frame)) continue;
      if (graph.rank(frame) === JOINT) this.jointRows[this.jointCount++] = -1 - this.#ownerOf[frame];
      else if (graph.rank(frame) === CONTACT) {
        this.#listedRow[frame] = this.contactCount;
        this.bonded[this.contactCount] = this.#isBonded[frame];
        this.closes[this.contactCount] = this.#isNew[frame];
        this.frames[this.contactCount] = frame;
        this.contacts[this.contactCount++] = this.#contactOf[frame];
      }
    }
    if (this.momentNumbers !== null) this.#listMomentRows();
  }

  /** The rows of contacts are known. */
  #listMomentRows(): void {
    const { graph } = this;
    if (this.momentRows.length < graph.count) this.momentRows = new Int32Array(2 * graph.count);
    for (let frame = 0; frame < graph.extent; frame++) {
      if (!graph.has(frame) || graph.rank(frame) !== COMPANION) continue;
      const owner = -1 - this.#ownerOf[frame];
      this.momentRows[this.momentRowCount++] = momentRowOf(
        this.#listedRow[contactOf(owner)],
        contactKindOf(owner),
      );
    }
  }

  /** Takes the noise of contacts together by groups of bodies. */
  #findNoise(): void {
    const { graph } = this;
    this.#groupNoise.fill(0);
    for (let frame = 0; frame < graph.extent; frame++) {
      if (!graph.has(frame) || graph.rank(frame) !== CONTACT) continue;
      for (let side = 0; side < 2; side++) {
        const group = graph.group(frame, side);
        if (group !== NONE) this.#groupNoise[group] = Math.max(this.#groupNoise[group], this.#noise[frame]);
      }
    }
  }

  /**
   * What noise may have added to the gap of a contact, m. A body whose place it has moved touches with it
   * wherever it comes to touch: over a seam new contacts take over from those that held it, and without their
   * allowance it would tilt until they close.
   */
  #noiseOf({ bodies }: ContactList, c: number): number {
    let noise = 0;
    for (let side = 2 * c; side < 2 * c + 2; side++)
      if (bodies[side] >= 0) noise = Math.max(noise, this.#groupNoise[this.mobility.groupOf[bodies[side]]]);
    return noise;
  }

  /**
   * What noise may have added to the gap of a contact, by a law of activation with a forecast only where it
   * rests: one that moves by more than that along its normal in a step obeys that law to rounding.
   */
  #restNoise(contacts: ContactList, c: number, q: Float64Array, before: Float64Array, h: number): number {
    const noise = this.#noiseOf(contacts, c);
    if (noise === 0 || this.scheme.lag === 0) return noise;
    const speed = this.#closing.of(contacts, c, q, before, false);
    return Math.abs(speed) * h <= noise ? noise : 0;
  }

  /** What noise may have added to the gap of a frame that pushed in the last step, and has since it came. */
  #slack(frame: number): number {
    return frame === NONE ? 0 : this.#noise[frame];
  }

  /** What counts as zero of the gap of a row's contact, m. @param q q_* */
  slackOf(row: number, contacts: ContactList, q: Float64Array): number {
    const rounding = roundingOfGap(contacts, this.contacts[row], q, this.mobility.system);
    return this.#noiseOf(contacts, this.contacts[row]) + rounding;
  }

  /** What contacts did in the last step says nothing of this one. */
  forgetSpeeds(): void {
    this.#speed.fill(Number.NaN);
  }

  /** Keeps |h Ḣ u| of a row, m/s. */
  keepTurning(row: number, turning: number): void {
    this.#turning[this.frames[row]] = turning;
  }

  /** Keeps U_N⁺ of a row, whose impulse has been kept, m/s. */
  keepSpeed(row: number, speed: number): void {
    const frame = this.frames[row];
    const at = DIMENSION * frame;
    const isPushing = this.#kept[at] !== 0 || this.#kept[at + 1] !== 0 || this.#kept[at + 2] !== 0;
    this.#speed[frame] = isPushing ? speed : Number.NaN;
  }

  /** Gives the problem the pattern of W. */
  compile({ W }: FrictionContactProblem): void {
    if (this.#compiled === this.graph.revision) return;
    this.graph.compile(W, this.#rowOf);
    this.#compiled = this.graph.revision;
  }

  /** Makes the impulses of the last step the guess. */
  guess(frames: ContactFrames, { r }: FrictionContactProblem): void {
    for (let frame = 0; frame < this.graph.extent; frame++) {
      const row = this.#rowOf[frame];
      if (row !== NONE) frames.toLocal(row, this.#kept, DIMENSION * frame, r, DIMENSION * row);
    }
  }

  /**
   * Keeps the impulses of this step.
   * @param velocity what the solver leaves of velocities that should be zero, m/s
   * @param h s
   */
  keep(frames: ContactFrames, { r }: FrictionContactProblem, velocity: number, h: number): void {
    const kept = this.#kept;
    const drift = NOISY_STEPS * h * velocity;
    for (let frame = 0; frame < this.graph.extent; frame++) {
      const row = this.#rowOf[frame];
      if (row === NONE) continue;
      const at = DIMENSION * frame;
      frames.toWorld(row, r, DIMENSION * row, kept, at);
      // What the noise of earlier steps has added stays when later ones are quieter, as at rest.
      const isPushing = kept[at] !== 0 || kept[at + 1] !== 0 || kept[at + 2] !== 0;
      // What moves as a function of time is met by steps up to the second order of h.
      const moved =
        this.kinematicBodies === null || row >= this.contactCount ? 0 : h * this.kinematicBodies.change(row);
      this.#noise[frame] = isPushing ? Math.max(this.#noise[frame], drift + moved) : 0;
    }
  }

  #reservePlace(place: number): void {
    if (place >= this.#frameOf.length)
      this.#frameOf = grown(this.#frameOf, Math.max(2 * this.#frameOf.length, place + 1));
  }

  #reserveFrame(frame: number): void {
    const known = this.#contactOf.length;
    if (frame < known) return;
    const room = Math.max(2 * known, frame + 1);
    this.#contactOf = grown(this.#contactOf, room);
    this.#ownerOf = grown(this.#ownerOf, room);
    this.#momentRowsOf = grown(this.#momentRowsOf, KINDS * room);
    this.#listedRow = new Int32Array(room);
    this.#rowOf = new Int32Array(room);
    this.#compiled = -1;
    const kept = new Float64Array(DIMENSION * room);
    kept.set(this.#kept);
    this.#kept = kept;
    this.#noise = widened(this.#noise, room);
    this.#speed = widened(this.#speed, room);
    this.#turning = widened(this.#turning, room);
    const isBonded = new Uint8Array(room);
    isBonded.set(this.#isBonded);
    this.#isBonded = isBonded;
    const isNew = new Uint8Array(room);
    isNew.set(this.#isNew);
    this.#isNew = isNew;
  }
}

/** Rounding of the coordinates that cancel in a gap, m. */
function roundingOfGap(
  { bodies, geometry }: ContactList,
  c: number,
  q: Float64Array,
  { positionsAt }: SpatialSystem,
): number {
  let extent = 0;
  for (let i = 0; i < 3; i++) {
    extent = Math.max(extent, Math.abs(geometry[GEOMETRY * c + i]));
    for (let side = 2 * c; side < 2 * c + 2; side++)
      if (bodies[side] >= 0) extent = Math.max(extent, Math.abs(q[positionsAt[bodies[side]] + i]));
  }
  return ROUNDINGS * extent;
}

function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length).fill(NONE, array.length);
  larger.set(array);
  return larger;
}
