/** What the velocities of the active contacts of a step aim at (`contact-aims.ts`), by row. */
import type { FrictionContactProblem } from '../problems/friction-contact';
import type { ActiveFrames } from './active-frames';
import { ContactAims, FaceAims } from './contact-aims';
import type { ContactFrames } from './contact-frames';
import { type ContactList, GEOMETRY } from './contact-list';
import type { ContactLaw } from './laws/contact-law';
import { ROUNDINGS } from './rounding';
import type { StepScheme } from './schemes/scheme';

const DIMENSION = 3;
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
  /** u⁺ of the last step with contacts; and whether this step begins with it, as it does unless somebody else has changed velocities: that is no motion over the bodies */
  readonly #after: Float64Array;
  #goesOn = true;

  /** @param h s */
  constructor(
    private readonly laws: readonly ContactLaw[],
    private readonly active: ActiveFrames,
    private readonly frames: ContactFrames,
    private readonly scheme: StepScheme,
    private readonly h: number,
    velocities: number,
  ) {
    this.#after = new Float64Array(velocities);
  }

  /** Room for that many rows. */
  reserve(rows: number): void {
    this.values = new Float64Array(DIMENSION * rows);
    this.slacks = new Float64Array(rows);
  }

  /** At the start of a step. @param before u⁻ */
  open(before: Float64Array): void {
    this.#isFound = false;
    this.#goesOn = areEqual(before, this.#after);
    if (!this.#goesOn) this.active.forgetSpeeds();
  }

  /** Fills `values`, once a step: they stay where a scheme solves it again. @param before U⁻, 3 by row @param q q_* */
  find(contacts: ContactList, before: Float64Array, q: Float64Array): void {
    if (this.#isFound) return;
    this.#isFound = true;
    const { values, slacks, active, scheme, frames, h } = this;
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
        frames.toLocal(row, known.velocity, DIMENSION * frame, this.#last, 0);
        this.#last[0] = known.normal[frame];
        const noise = this.#noise[0];
        const change = known.find(frame, gap, before, at, this.#last, aim, slacks[row], noise, h, values, at);
        active.keepTurning(row, change);
      }
    }
    this.#faces.join(contacts, active.contacts, contactCount, values);
  }

  /**
   * Fills μ, and adds e (U⁻ + b) − b to the right side.
   * @param former U⁻ by row, which becomes e (U⁻ + b) @param isNewton whether impacts obey Newton's law, in this problem
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
    const { values, active, frames, scheme, h } = this;
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
      known.keep(frame, Math.abs(speed) > noise ? h * speed : 0, scheme.oldPart);
    }
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
