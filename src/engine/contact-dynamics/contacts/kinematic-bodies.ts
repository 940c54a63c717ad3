/**
 * Kinematic bodies whose motion is prescribed. They are no unknowns: with x, V and ω of a kinematic body at
 * the point P of a contact they add
 *
 *     ∓ a·(V + ω×(P − x) + R s)
 *
 * to the relative velocities of its rows, − of a first body and + of a second one, s being the velocity of
 * the surface where that slides over the body, as a belt does. The axis of s along the normal has no part:
 * what a surface does across itself is not sliding. Poses are those where the scheme looks for contacts, V,
 * ω and s those at the start of the step for U⁻ and at its end for U⁺.
 */
import { rotate } from '../../spatial/quaternion';
import { POSITIONS, VELOCITIES } from '../../spatial/bodies/rigid-body';
import { addCross, dot } from '../../spatial/matrix3';
import { type ContactFrames, FRAME_NUMBERS } from './contact-frames';
import type { ContactList } from './contact-list';

const DIMENSION = 3;

/** A motion as a function of time. */
export interface KinematicMotion {
  /** Position and unit quaternion, 7 numbers from `at` on. @param clock [0] the time, s */
  pose(clock: Float64Array, out: Float64Array, at: number): void;
  /** V and ω in the world’s frame, 6 numbers from `at` on. */
  velocity(clock: Float64Array, out: Float64Array, at: number): void;
  /** s in the kinematic body’s frame, m/s, 3 numbers from `at` on. */
  slide(clock: Float64Array, out: Float64Array, at: number): void;
}

/** Rows of the problem: those of contacts first, with the contact of each. */
interface ObstructedRows {
  readonly count: number;
  readonly contactCount: number;
  readonly contacts: Int32Array;
}

/** Rows of moments, which feel how kinematic bodies turn. */
interface MomentRowsOfContacts {
  addKinematicBodies(
    kinematicBodies: KinematicBodies,
    which: Float64Array,
    frames: ContactFrames,
    contacts: ContactList,
    rows: Float64Array,
  ): void;
}

/**
 * Number of a kinematic body among the bodies of a contact: below that of what does not move at all, which is
 * −1.
 */
export const numberOfKinematicBody = (kinematicBody: number): number => -2 - kinematicBody;
/** The kinematic body of a number; negative of other bodies. */
export const kinematicBodyOf = (body: number): number => -2 - body;
const isKinematicBody = (body: number): boolean => kinematicBodyOf(body) >= 0;

export class KinematicBodies {
  /** x and Q where contacts are looked for */
  readonly poses: Float64Array;
  /** V and ω in the world’s frame, at the start of the step and at its end */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** s as motions say it, at the start of the step and at its end */
  readonly slidesBefore: Float64Array;
  readonly slidesAfter: Float64Array;
  /** R s at both */
  readonly surfacesBefore: Float64Array;
  readonly surfacesAfter: Float64Array;
  /** what they add to the relative velocities of rows, 3 by row, at the start and at the end */
  rowsBefore = new Float64Array(0);
  rowsAfter = new Float64Array(0);
  readonly #time = new Float64Array(1);
  readonly #moment = new Float64Array(1);
  readonly #arm = new Float64Array(3);
  readonly #velocity = new Float64Array(3);

  constructor(readonly motions: readonly KinematicMotion[]) {
    this.poses = new Float64Array(POSITIONS * motions.length);
    this.before = new Float64Array(VELOCITIES * motions.length);
    this.after = new Float64Array(VELOCITIES * motions.length);
    this.slidesBefore = new Float64Array(3 * motions.length);
    this.slidesAfter = new Float64Array(3 * motions.length);
    this.surfacesBefore = new Float64Array(3 * motions.length);
    this.surfacesAfter = new Float64Array(3 * motions.length);
  }

  /**
   * Poses and velocities of a step.
   * @param clock [0] its start, s
   * @param part of h after which contacts are
   * looked for
   * @throws {EngineError} when a function of a motion fails
   */
  place(clock: Float64Array, h: number, part: number): void {
    const time = this.#time;
    for (let k = 0; k < this.motions.length; k++) {
      const motion = this.motions[k];
      motion.velocity(clock, this.before, VELOCITIES * k);
      motion.slide(clock, this.slidesBefore, 3 * k);
      time[0] = clock[0] + h;
      motion.velocity(time, this.after, VELOCITIES * k);
      motion.slide(time, this.slidesAfter, 3 * k);
      time[0] = clock[0] + part * h;
      motion.pose(time, this.poses, POSITIONS * k);
      const turned = POSITIONS * k + 3;
      rotate(this.poses, turned, this.slidesBefore, 3 * k, this.surfacesBefore, 3 * k);
      rotate(this.poses, turned, this.slidesAfter, 3 * k, this.surfacesAfter, 3 * k);
    }
  }

  /** Poses and velocities of a moment, s. */
  placeAt(time: number): void {
    this.#moment[0] = time;
    this.place(this.#moment, 0, 0);
  }

  /**
   * What they add to the rows of the problem; those of joints and moments, behind those of contacts, get
   * zeros.
   */
  #measure(
    { axes }: ContactFrames,
    { bodies }: ContactList,
    active: Int32Array,
    contactCount: number,
    count: number,
  ): void {
    if (this.rowsAfter.length < DIMENSION * count) {
      this.rowsBefore = new Float64Array(2 * DIMENSION * count);
      this.rowsAfter = new Float64Array(2 * DIMENSION * count);
    }
    this.rowsBefore.fill(0, 0, DIMENSION * count);
    this.rowsAfter.fill(0, 0, DIMENSION * count);
    for (let row = 0; row < contactCount; row++) {
      const contact = active[row];
      if (!isKinematicBody(bodies[2 * contact]) && !isKinematicBody(bodies[2 * contact + 1])) continue;
      const place = FRAME_NUMBERS * row;
      this.#enter(row, axes, this.relative(this.before, bodies, contact, axes, place), this.rowsBefore);
      this.#enter(row, axes, this.relative(this.after, bodies, contact, axes, place), this.rowsAfter);
    }
  }

  /**
   * Adds what they do to the velocities of all rows.
   * @param after, before where those of the end and of the start of the step stand, 3 by row
   */
  carry(
    frames: ContactFrames,
    { count, contactCount, contacts: rows }: ObstructedRows,
    contacts: ContactList,
    momentRows: MomentRowsOfContacts | null,
    after: Float64Array,
    before: Float64Array,
  ): void {
    this.#measure(frames, contacts, rows, contactCount, count);
    momentRows?.addKinematicBodies(this, this.before, frames, contacts, this.rowsBefore);
    momentRows?.addKinematicBodies(this, this.after, frames, contacts, this.rowsAfter);
    for (let k = 0; k < DIMENSION * count; k++) {
      after[k] += this.rowsAfter[k];
      before[k] += this.rowsBefore[k];
    }
  }

  /**
   * Adds what they add at the end of the step to velocities of rows.
   * @param out 3 by row
   * @param rows how many
   */
  addTo(out: Float64Array, rows: number): void {
    for (let k = 0; k < DIMENSION * rows; k++) out[k] += this.rowsAfter[k];
  }

  #enter(row: number, axes: Float64Array, velocity: Float64Array, out: Float64Array): void {
    const at = FRAME_NUMBERS * row + 3;
    for (let a = 0; a < DIMENSION; a++) out[DIMENSION * row + a] = dot(axes, at + DIMENSION * a, velocity, 0);
  }

  /**
   * Their part of the velocity of the second body relative to the first at a contact, in the world’s frame.
   * @param which velocities, `before` or `after`
   * @param points P at `at`, and the unit normal behind it
   * @returns what the next call overwrites
   */
  relative(
    which: Float64Array,
    bodies: Int32Array,
    contact: number,
    points: Float64Array,
    at: number,
  ): Float64Array {
    const velocity = this.#velocity.fill(0);
    const arm = this.#arm;
    const surfaces = which === this.after ? this.surfacesAfter : this.surfacesBefore;
    for (let side = 0; side < 2; side++) {
      const k = kinematicBodyOf(bodies[2 * contact + side]);
      if (k < 0) continue;
      const sign = side === 0 ? -1 : 1;
      const slide = dot(surfaces, 3 * k, points, at + 3);
      for (let i = 0; i < 3; i++) {
        arm[i] = points[at + i] - this.poses[POSITIONS * k + i];
        const surface = surfaces[3 * k + i] - slide * points[at + 3 + i];
        velocity[i] += sign * (which[VELOCITIES * k + i] + surface);
      }
      addCross(which, VELOCITIES * k + 3, arm, 0, sign, velocity, 0);
    }
    return velocity;
  }

  /** Whether what a row of a contact touches moves. */
  moves(row: number): boolean {
    for (let i = DIMENSION * row; i < DIMENSION * (row + 1); i++)
      if (this.rowsBefore[i] !== 0 || this.rowsAfter[i] !== 0) return true;
    return false;
  }

  /** How much it changes that in the step, m/s. */
  change(row: number): number {
    let most = 0;
    for (let i = DIMENSION * row; i < DIMENSION * (row + 1); i++)
      most = Math.max(most, Math.abs(this.rowsAfter[i] - this.rowsBefore[i]));
    return most;
  }

  /** Adds their part of ω₂ − ω₁ at a contact, world’s frame. */
  addSpin(which: Float64Array, bodies: Int32Array, contact: number, out: Float64Array): void {
    for (let side = 0; side < 2; side++) {
      const k = kinematicBodyOf(bodies[2 * contact + side]);
      if (k < 0) continue;
      for (let i = 0; i < 3; i++) out[i] += (side === 0 ? -1 : 1) * which[VELOCITIES * k + 3 + i];
    }
  }
}
