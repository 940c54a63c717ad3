/**
 * What laws of contact other than the rigid one add to the problem of a step
 * (`model/contact-laws/contact-law.ts`): to the diagonal of W and to q; and the impulses R = P − s of the
 * solver's P, s being what holds the contact: along the normal, or of an adhesive bond in all three
 * components.
 */
import { multiplyBlocks } from '../linalg/block-rows';
import type { FrictionContactProblem } from '../problems/friction-contact';
import type { ActiveFrames } from './contacts/active-frames';
import type { ContactFrames } from './contacts/contact-frames';
import { type ContactList, GEOMETRY } from './contacts/contact-list';
import type { KinematicBodies } from './contacts/kinematic-bodies';
import type { ContactLaw } from '../model/contact-laws/contact-law';

/*
 * Bonds of the active contacts in a step: their intensity, what they pull with, and what becomes of them when
 * the step is done (`model/contact-laws/adhesive.ts`).
 */

const DIMENSION = 3;
const GAP = GEOMETRY - 1;

export class AdhesionTerms {
  /** β of the step by row of a contact; zero without a bond */
  intensity = new Float64Array(0);
  readonly #local = new Float64Array(3);
  readonly #world = new Float64Array(3);
  #velocity = new Float64Array(0);

  /** @param length [0] of the step, s @param kinematicBodies null where none moves */
  constructor(
    private readonly laws: readonly ContactLaw[],
    private readonly active: ActiveFrames,
    private readonly length: Float64Array,
    private readonly kinematicBodies: KinematicBodies | null,
  ) {}

  /** Writes what the bonds pull with over the step, h C β² u, 3 by row. @returns whether there is any */
  pull(contacts: ContactList, frames: ContactFrames, out: Float64Array): boolean {
    const { active, laws } = this;
    const [h] = this.length;
    const { adhesion: state, contactCount } = active;
    if (this.intensity.length < contactCount) this.intensity = new Float64Array(2 * contactCount);
    let pulls = false;
    const slip = this.#local;
    for (let row = 0; row < contactCount; row++) {
      this.intensity[row] = 0;
      const { adhesion } = laws[contacts.materials[active.contacts[row]]];
      const frame = active.frames[row];
      if (adhesion === undefined || !state.holds(frame)) continue;
      frames.toLocal(row, state.slip, DIMENSION * frame, slip, 0);
      const gap = contacts.geometry[GEOMETRY * active.contacts[row] + GAP];
      const squared = slip[1] * slip[1] + slip[2] * slip[2];
      const intensity = adhesion.evolve(state.intensity[frame], gap, squared, h);
      this.intensity[row] = intensity;
      const held = h * intensity * intensity;
      out[DIMENSION * row] = held * adhesion.normal * Math.max(0, gap);
      for (let a = 1; a < DIMENSION; a++) out[DIMENSION * row + a] = held * adhesion.tangential * slip[a];
      pulls = true;
    }
    return pulls;
  }

  /** Takes over β and the slip of the step that has been done. @param u u⁺ of all bodies */
  commit(frames: ContactFrames, u: Float64Array): void {
    const { adhesion: state, contactCount } = this.active;
    if (this.#velocity.length < DIMENSION * frames.count)
      this.#velocity = new Float64Array(2 * DIMENSION * frames.count);
    frames.measure(u, this.#velocity);
    this.kinematicBodies?.addTo(this.#velocity, contactCount);
    const moved = this.#world;
    for (let row = 0; row < contactCount; row++) {
      const frame = this.active.frames[row];
      if (!state.holds(frame)) continue;
      state.intensity[frame] = this.intensity[row];
      this.#velocity[DIMENSION * row] = 0;
      frames.toWorld(row, this.#velocity, DIMENSION * row, moved, 0);
      for (let i = 0; i < DIMENSION; i++) state.slip[DIMENSION * frame + i] += this.length[0] * moved[i];
    }
  }
}

export class LawTerms {
  /** R of all rows after a step, 3 by row */
  impulses = new Float64Array(0);
  /** by row: what W_NN has been given, and what it should have, 1/kg */
  #formed = new Float64Array(0);
  #softness = new Float64Array(0);
  /** added to q_N by row, m/s */
  #approach = new Float64Array(0);
  /** s e_N, 3 by row, N s; and W times it */
  #shift = new Float64Array(0);
  #pulled = new Float64Array(0);
  #zero = new Float64Array(0);
  #isShifted = false;
  /** bonds; null where there are none */
  readonly adhesion: AdhesionTerms | null;

  /** @param length [0] of the step, s @param kinematicBodies null where none moves */
  constructor(
    private readonly laws: readonly ContactLaw[],
    private readonly active: ActiveFrames,
    private readonly length: Float64Array,
    kinematicBodies: KinematicBodies | null,
  ) {
    const adheres = laws.some(({ adhesion }) => adhesion !== undefined);
    this.adhesion = adheres ? new AdhesionTerms(laws, active, length, kinematicBodies) : null;
  }

  /** Reads the laws of the active contacts. */
  read({ materials, geometry }: ContactList): void {
    const { laws, active } = this;
    const [h] = this.length;
    const { count, contactCount, contacts } = active;
    this.#reserve(count);
    this.#softness.fill(0, 0, count);
    this.#shift.fill(0, 0, DIMENSION * count);
    this.#isShifted = false;
    for (let row = 0; row < contactCount; row++) {
      const law = laws[materials[contacts[row]]];
      const gap = geometry[GEOMETRY * contacts[row] + GAP];
      this.#softness[row] = law.softness(gap, h);
      this.#approach[row] = law.approach(gap, h);
      if (law.pull === 0 || (law.breaks && active.bonded[row] === 0)) continue;
      this.#shift[DIMENSION * row] = h * law.pull;
      this.#isShifted = true;
    }
  }

  /** Whether W has the diagonal that it should have. */
  get isFormed(): boolean {
    const { contactCount } = this.active;
    for (let row = 0; row < contactCount; row++) if (this.#formed[row] !== this.#softness[row]) return false;
    return true;
  }

  /** Whether a contact that pushes says that U_N = 0. */
  isRigid(row: number): boolean {
    return this.#softness[row] === 0 && this.#approach[row] === 0;
  }

  /** Adds to the diagonal of W, which has just been filled. */
  soften({ W }: FrictionContactProblem): void {
    for (let row = 0; row < this.active.contactCount; row++) {
      W.values[W.diagonal[row] * DIMENSION * DIMENSION] += this.#softness[row];
      this.#formed[row] = this.#softness[row];
    }
  }

  /** Adds to q of all rows. @param frames of the step */
  add({ W, q }: FrictionContactProblem, contacts: ContactList, frames: ContactFrames): void {
    const { count, contactCount } = this.active;
    for (let row = 0; row < contactCount; row++) q[DIMENSION * row] += this.#approach[row];
    if (this.adhesion?.pull(contacts, frames, this.#shift) === true) this.#isShifted = true;
    if (!this.#isShifted) return;
    multiplyBlocks(W, this.#shift, this.#zero, this.#pulled);
    for (let k = 0; k < DIMENSION * count; k++) q[k] -= this.#pulled[k];
  }

  /** R of the answer. */
  take({ r }: FrictionContactProblem): void {
    const entries = DIMENSION * this.active.count;
    for (let k = 0; k < entries; k++) this.impulses[k] = r[k] - this.#shift[k];
  }

  #reserve(count: number): void {
    if (this.#formed.length >= count) return;
    const room = 2 * count;
    this.#formed = new Float64Array(room).fill(Number.NaN);
    this.#softness = new Float64Array(room);
    this.#approach = new Float64Array(room);
    this.#shift = new Float64Array(DIMENSION * room);
    this.#pulled = new Float64Array(DIMENSION * room);
    this.#zero = new Float64Array(DIMENSION * room);
    this.impulses = new Float64Array(DIMENSION * room);
  }
}
