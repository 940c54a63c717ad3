/** What the velocities of the active contacts of a step aim at (below), by row. */
import { widened } from '../collision/growth';
import type { FrictionContactProblem } from '../problems/friction-contact';
import type { StateArchive } from '../state-archive';
import type { ActiveFrames } from './contacts/active-frames';
import type { ContactFrames } from './contacts/contact-frames';
import { type ContactList, GEOMETRY } from './contacts/contact-list';
import type { ContactLaw } from '../model/contact-laws/contact-law';
import { ROUNDINGS } from './rounding';
import type { StepScheme } from './schemes/scheme';

/*
 * What velocities of contacts aim at that stay closed. The law of a step speaks of U⁺ in the frame of the
 * step, whose point and normal stand still meanwhile. But they move over the bodies: while u stays, a step
 * changes
 *
 *     the velocity of the contact by  h Ḣ u,     its gap by  h U_N + d,     d = ½h² (Ḣ u)_N + O(h³),
 *
 * always in the same direction where a body rolls. With U⁺ = 0 in the frame of the middle, what spins fast
 * sinks through a table, by d in each step, and what sticks slips by ½h Ḣ u at the end of the step. So a
 * contact that stays closed aims at
 *
 *     b_N = (level − gap)/h,     b_T = −aim h Ḣ u,
 *     h Ḣ u = U⁻ − U⁺ of the last step, each in its own frame,
 *     K_μ ∋ R ⊥ Û ∈ K*_μ,     Û that of (U⁺ − b) + e (U⁻ + b),
 *
 * in components along the normals, since the normal turns as well where a body slides along what is round or
 * turns itself, and along tangents as vectors of the world, whose frames turn about the normal as they like.
 * The level is the gap to which its closing has led, and `aim` what the scheme has for joints
 * (`schemes/scheme.ts`), whose b is −aim h Ġ u just so. After a step that has changed the gap by d the next
 * one leads back to the level, and as d is nearly the same from step to step, b_N is −d/h up to O(h²): gaps
 * stay within d of their level, and U⁺ obeys the law where q⁺ is, up to O(h²). U⁻ of smooth motion is −b,
 * which is no impact.
 *
 * No b_N is larger than |Ḣ u| h explains. Where a gap changes by more, detection has gone to another place of
 * the bodies, and they are not thrown apart for that. The level goes along where U_N⁺ − b_N is not zero: up,
 * to zero at most, where bodies part, and down where the law with e lets them come back.
 */

const DIMENSION = 3;

export class ContactAims {
  /**
   * by key: gap that the contact is held at, m; NaN where a motion goes on whose past is not known
   */
  level = new Float64Array(0);
  /** U_N⁺ − b_N of the last step, m/s */
  #speed = new Float64Array(0);
  /** U⁺ of the last step, in the world, 3 each; and U_N⁺ along the normal of then */
  velocity = new Float64Array(0);
  normal = new Float64Array(0);

  /** A contact that closes. @param gap to which the scheme brings it, g + oldPart h U_N⁻ */
  begin(key: number, gap: number): void {
    this.#reserve(key);
    this.level[key] = gap;
    this.#speed[key] = 0;
  }

  /**
   * The start of a step whose gap is measured later than a step of the length of the last one would have
   * measured it: the motion of the last step goes on for that time.
   * @param ahead s, negative where it is measured earlier
   */
  goOn(key: number, ahead: number): void {
    this.#move(key, ahead * this.#speed[key]);
  }

  /**
   * The end of a step, whose U⁺ has been written to `velocity`: the level goes along where the law lets the
   * gap change, up to zero.
   * @param oldPart of the scheme: that part of a motion comes in the next step only
   * @param speed U_N⁺ − b_N beyond the noise, m/s: positive of contacts that open, negative where the law
   *   with e lets those that opened come back
   * @param h s
   */
  keep(key: number, speed: number, h: number, oldPart: number): void {
    this.#move(key, (1 - oldPart) * (h * speed) + oldPart * (h * this.#speed[key]));
    this.#speed[key] = speed;
  }

  #move(key: number, way: number): void {
    const level = this.level[key];
    this.level[key] = Math.min(Math.max(0, level), level + way);
  }

  /**
   * Writes b.
   * @param gap of this step
   * @param before U⁻, and
   * @param last U⁺ of the last step, 3 each in the
   * frame of this one
   * @param aim of the scheme
   * @param slack what counts as zero of gaps, m, and
   * @param noise of velocities, m/s
   *   @param h s
   * @returns |h Ḣ u|, m/s, or zero where that is noise
   */
  find(
    key: number,
    gap: number,
    before: Float64Array,
    beforeAt: number,
    last: Float64Array,
    aim: number,
    slack: number,
    noise: number,
    h: number,
    out: Float64Array,
    at: number,
  ): number {
    out.fill(0, at, at + DIMENSION);
    const change = turning(before, beforeAt, last);
    if (!(change > noise)) return 0;
    const rise = this.level[key] - gap;
    if (Math.abs(rise) > slack) out[at] = Math.max(-change, Math.min(change, rise / h));
    for (let k = 1; k < DIMENSION; k++) out[at + k] = aim * (last[k] - before[beforeAt + k]);
    return change;
  }

  exchange(archive: StateArchive): void {
    this.level = archive.array(this.level);
    this.#speed = archive.array(this.#speed);
    this.velocity = archive.array(this.velocity);
    this.normal = archive.array(this.normal);
  }

  #reserve(key: number): void {
    if (key < this.level.length) return;
    const room = 2 * (key + 1);
    this.level = widened(this.level, room);
    this.#speed = widened(this.#speed, room);
    this.velocity = widened(this.velocity, DIMENSION * room);
    this.normal = widened(this.normal, room);
  }
}

/** |h Ḣ u|, m/s: h times it is more than what a step changes a gap by besides h U_N. */
export function turning(before: Float64Array, at: number, last: Float64Array): number {
  const x = before[at] - last[0];
  const y = before[at + 1] - last[1];
  const z = before[at + 2] - last[2];
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * One aim for contacts of the same two bodies. Where these touch at several points, a rigid body cannot have
 * any b at each of them: along the connection of two points that stick, and along the normals of more than
 * three, the b of the one would contradict that of the other by a little, and the impulses that tell which of
 * them gives way need thousands of sweeps to grow. So of contacts with one normal all have the largest b_N,
 * and the mean of their b_T, which bodies can follow without turning; where there are several normals there
 * is no b_T.
 */
export class FaceAims {
  /** row by contact, −1 for none */
  #rowOf = new Int32Array(0);

  /** @param active contacts by row @param aims b by row, which it changes */
  join(
    { bodies, geometry, count: contacts }: ContactList,
    active: Int32Array,
    count: number,
    aims: Float64Array,
  ): void {
    if (this.#rowOf.length < contacts) this.#rowOf = new Int32Array(2 * contacts);
    const rowOf = this.#rowOf.fill(-1, 0, contacts);
    for (let row = 0; row < count; row++) rowOf[active[row]] = row;
    for (let c = 0, next; c < contacts; c = next) {
      let size = rowOf[c] < 0 ? 0 : 1;
      for (next = c + 1; next < contacts; next++) {
        if (bodies[2 * next] !== bodies[2 * c] || bodies[2 * next + 1] !== bodies[2 * c + 1]) break;
        if (rowOf[next] >= 0) size++;
      }
      if (size > 1) this.#share(geometry, c, next, aims);
    }
  }

  /** Contacts from one on before another, all of them of the same two bodies. */
  #share(geometry: Float64Array, first: number, end: number, aims: Float64Array): void {
    const rowOf = this.#rowOf;
    let lead = -1;
    let count = 0;
    let x = 0;
    let y = 0;
    let areAlike = true;
    for (let c = first; c < end; c++) {
      if (rowOf[c] < 0) continue;
      if (lead < 0) lead = c;
      areAlike &&= haveOneNormal(geometry, lead, c);
      const at = DIMENSION * rowOf[c];
      count++;
      x += aims[at + 1];
      y += aims[at + 2];
      for (let other = first; other < c; other++) {
        if (rowOf[other] < 0 || !haveOneNormal(geometry, c, other)) continue;
        aims[at] = Math.max(aims[at], aims[DIMENSION * rowOf[other]]);
      }
    }
    for (let c = end - 1; c >= first; c--) {
      if (rowOf[c] < 0) continue;
      const at = DIMENSION * rowOf[c];
      // Tangents are the same for the same normal.
      aims[at + 1] = areAlike ? x / count : 0;
      aims[at + 2] = areAlike ? y / count : 0;
      for (let other = c + 1; other < end; other++)
        if (rowOf[other] >= 0 && haveOneNormal(geometry, c, other)) aims[at] = aims[DIMENSION * rowOf[other]];
    }
  }
}

function haveOneNormal(geometry: Float64Array, one: number, other: number): boolean {
  for (let i = 3; i < 6; i++)
    if (geometry[GEOMETRY * one + i] !== geometry[GEOMETRY * other + i]) return false;
  return true;
}

const GAP = GEOMETRY - 1;

export class StepAims {
  /** b, 3 by row, m/s */
  values = new Float64Array(0);
  /** what counts as zero of the gap, by row, m */
  slacks = new Float64Array(0);
  readonly #contacts = new ContactAims();
  readonly #faces = new FaceAims();
  /** [0] what the solver and rounding have left of velocities that should be zero in the last step, m/s */
  readonly #noise = new Float64Array(1);
  readonly #last = new Float64Array(DIMENSION);
  #isFound = false;
  #isReopened = false;
  /**
   * u⁺ of the last step with contacts; and whether this step begins with it, as it does unless somebody else
   * has changed velocities: that is no motion over the bodies
   */
  readonly #after: Float64Array;
  #goesOn = true;

  /** @param length [0] of the step, s */
  constructor(
    private readonly laws: readonly ContactLaw[],
    private readonly active: ActiveFrames,
    private readonly frames: ContactFrames,
    private readonly scheme: StepScheme,
    private readonly length: Float64Array,
    velocities: number,
  ) {
    this.#after = new Float64Array(velocities);
  }

  exchange(archive: StateArchive): void {
    this.#contacts.exchange(archive);
    archive.fixed(this.#noise);
    archive.fixed(this.#after);
  }

  /** Room for that many rows. */
  reserve(rows: number): void {
    this.values = new Float64Array(DIMENSION * rows);
    this.slacks = new Float64Array(rows);
  }

  /** At the start of a step. @param before u⁻ */
  open(before: Float64Array): void {
    this.#isFound = this.#isReopened = false;
    this.#goesOn = this.scheme.closedGap === undefined && areEqual(before, this.#after);
    if (!this.#goesOn) this.active.forgetSpeeds();
  }

  /** The step has more contacts from now on, so that rows are others. */
  reopen(): void {
    this.#isFound = false;
    this.#isReopened = true;
  }

  /**
   * Fills `values`, once a step: they stay where a scheme solves it again.
   * @param before U⁻, 3 by row
   * @param q q_*
   * @param ahead see `ContactAims.goOn`, s
   */
  find(contacts: ContactList, before: Float64Array, q: Float64Array, ahead: number): void {
    if (this.#isFound) return;
    this.#isFound = true;
    const { values, slacks, active, scheme, frames } = this;
    const [h] = this.length;
    const { contactCount } = active;
    const { aim } = scheme;
    const known = this.#contacts;
    values.fill(0, 0, DIMENSION * contactCount);
    for (let row = 0; row < contactCount; row++) {
      const frame = active.frames[row];
      const at = DIMENSION * row;
      const gap = contacts.geometry[GEOMETRY * active.contacts[row] + GAP];
      const law = this.laws[contacts.materials[active.contacts[row]]];
      slacks[row] = active.slackOf(row, contacts, q);
      if (active.closes[row] === 1) known.begin(frame, gap + scheme.oldPart * h * Math.min(0, before[at]));
      else if (this.#goesOn && law.isRigid && law.approach(gap, h) === 0) {
        if (ahead !== 0 && !this.#isReopened) known.goOn(frame, ahead);
        frames.toLocal(row, known.velocity, DIMENSION * frame, this.#last, 0);
        this.#last[0] = known.normal[frame];
        // Steps of a steady motion leave the gap as it is, with U⁺ at q_* and what the scheme weighs it with.
        const steady = (scheme.lag * scheme.newPart - 0.5) * (before[at] - this.#last[0]);
        if (Number.isNaN(known.level[frame])) known.level[frame] = gap + h * steady;
        const noise = this.#noise[0];
        const change = known.find(frame, gap, before, at, this.#last, aim, slacks[row], noise, h, values, at);
        active.keepTurning(row, change);
      }
    }
    this.#faces.join(contacts, active.contacts, contactCount, values);
  }

  /**
   * Fills μ, and adds e (U⁻ + b) − b to the right side.
   * @param former U⁻ by row, which becomes e (U⁻ + b)
   * @param isNewton whether impacts obey Newton's law, in
   *   this problem
   */
  write(
    { materials }: ContactList,
    { mu, q }: FrictionContactProblem,
    former: Float64Array,
    isNewton: boolean,
  ): void {
    const { active, values } = this;
    for (let row = 0; row < active.contactCount; row++) {
      const law = this.laws[materials[active.contacts[row]]];
      mu[row] = law.friction;
      const reverses = isNewton && (law.reversesOnce !== true || active.closes[row] === 1);
      const normal = isNewton ? law.restitution : 0;
      const tangential = reverses ? law.tangentialRestitution : 0;
      for (let k = DIMENSION * row; k < DIMENSION * (row + 1); k++) {
        former[k] = (former[k] + values[k]) * (k === DIMENSION * row ? normal : tangential);
        q[k] += former[k] - values[k];
      }
    }
  }

  /** Keeps what the next step needs to know of this one. @param after U⁺, 3 by row @param u u⁺ */
  keep({ measure }: FrictionContactProblem, after: Float64Array, u: Float64Array): void {
    this.#after.set(u);
    const { values, active, frames, scheme } = this;
    const [h] = this.length;
    const known = this.#contacts;
    const noise = Math.max(measure[0], ROUNDINGS) * measure[1];
    this.#noise[0] = noise;
    for (let row = 0; row < active.contactCount; row++) {
      const frame = active.frames[row];
      const at = DIMENSION * row;
      frames.toWorld(row, after, at, known.velocity, DIMENSION * frame);
      known.normal[frame] = after[at];
      active.keepSpeed(row, after[at]);
      const speed = after[at] - values[at];
      known.keep(frame, Math.abs(speed) > noise ? speed : 0, h, scheme.oldPart);
    }
  }

  /** The same where the past of the motion is not known: contacts stay at the gaps that they have. */
  resume(problem: FrictionContactProblem, after: Float64Array, u: Float64Array): void {
    const { active } = this;
    this.keep(problem, after, u);
    for (let row = 0; row < active.contactCount; row++) this.#contacts.level[active.frames[row]] = Number.NaN;
  }

  /** Whether the point of a contact moves over the bodies, so that its velocity aims at more than zero. */
  moves(row: number): boolean {
    const { values } = this;
    const at = DIMENSION * row;
    return values[at] !== 0 || values[at + 1] !== 0 || values[at + 2] !== 0;
  }
}

/** Whether two arrays have the same numbers. */
export function areEqual(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
