/** What happens to a constraint in a stretch of rows. */
import { type Constraint, IMPACT_BIT } from './constraint';
import { type ReadValue, stateOf } from './states';

/** Largest losses that are kept of a constraint. */
const MOST_LOSSES = 64;

/** Energy lost by an event, or in the step in which a contact closed. */
export interface Loss {
  /** s */
  readonly t: number;
  /** J; by the normal impulse, by friction */
  readonly normal: number;
  readonly tangential: number;
}

/** Parts of the energy lost, in the order of their numbers. */
export const PARTS = ['normal', 'tangential'] as const;

/** One constraint, followed from row to row. */
export class ConstraintTally {
  /** states and impacts since `begin` */
  mask = 0;
  changes = 0;
  impacts = 0;
  /** seconds in each state since `begin` */
  readonly seconds: Float64Array;
  /** energy lost since the first row that was followed, by part, J, and what the summation has lost */
  readonly lost = new Float64Array(4);
  /** state in the stretch of time before the present row; −1 before there is one */
  state = -1;
  /** whether the present row has an impact */
  isImpact = false;
  /** largest losses so far, unordered */
  readonly losses: Loss[] = [];

  readonly #holdsBefore: boolean;
  /** [0] time of the row before, [1…] multiplier and velocity of each term there */
  readonly #before: Float64Array;
  /** state that holds from the row before on */
  #next = -1;
  #least = 0;
  readonly #loss = new Float64Array(2);

  constructor(
    readonly constraint: Constraint<number>,
    holds: 'before' | 'after',
  ) {
    this.#holdsBefore = holds === 'before';
    this.seconds = new Float64Array(Math.max(1, constraint.states.length));
    this.#before = new Float64Array(1 + 2 * constraint.work.length);
    this.#before[0] = NaN;
  }

  /** Begins a new stretch. */
  begin(): void {
    this.mask = 0;
    this.changes = 0;
    this.impacts = 0;
    this.seconds.fill(0);
  }

  /** Takes the row before the first one that is to be followed. */
  enter(t: number, read: ReadValue): void {
    this.#next = stateOf(this.constraint, read);
    this.state = -1;
    this.#remember(t, read);
  }

  /** Goes on to the next row. */
  follow(t: number, read: ReadValue): void {
    const { constraint } = this;
    const duration = t - this.#before[0];
    const here = stateOf(constraint, read);
    this.isImpact = duration === 0 && constraint.impact !== null && read(constraint.impact) !== 0;
    if (this.isImpact) {
      this.mask |= IMPACT_BIT;
      this.impacts++;
    }
    let closes = false;
    if (duration > 0) {
      const state = this.#holdsBefore ? here : this.#next;
      closes = this.#holdsBefore && state > 0 && this.state === 0;
      if (this.state >= 0 && state !== this.state) this.changes++;
      this.state = state;
      this.mask |= 1 << state;
      this.seconds[state] += duration;
    }
    this.#next = here;
    this.#work(t, duration, read, closes);
    this.#remember(t, read);
  }

  /**
   * Energy that the constraint takes, −P·½(u⁻ + u⁺) of impulses and −∫ λ·u dt of forces by the trapezoidal rule. Of a linear relation
   * in steps of Moreau and Jean, and at an event, the first is exact: M (v⁺ − v⁻) = ᵗH P + … times ½ (v⁻ + v⁺) is what T changes by.
   */
  #work(t: number, duration: number, read: ReadValue, closes: boolean): void {
    const { work } = this.constraint;
    const loss = this.#loss.fill(0);
    for (let k = 0; k < work.length; k++) {
      const { part, multiplier, velocity, isImpulse } = work[k];
      const [p0, u0] = [this.#before[1 + 2 * k], this.#before[2 + 2 * k]];
      const [p1, u1] = [read(multiplier), read(velocity)];
      let value = 0;
      if (!isImpulse) value = duration > 0 ? -0.5 * duration * (p0 * u0 + p1 * u1) : 0;
      // The impulse of an event stands in its second row; in the first it is zero.
      else if (this.#holdsBefore ? duration > 0 : duration === 0) value = -0.5 * p1 * (u0 + u1);
      if (Number.isFinite(value)) loss[part === 'normal' ? 0 : 1] += value;
    }
    for (let k = 0; k < 2; k++) {
      // Kahan: a million small losses must not be lost.
      const term = loss[k] - this.lost[2 + k];
      const sum = this.lost[k] + term;
      this.lost[2 + k] = sum - this.lost[k] - term;
      this.lost[k] = sum;
    }
    if (this.isImpact || closes) this.#keep(t, loss[0], loss[1]);
  }

  #keep(t: number, normal: number, tangential: number): void {
    const { losses } = this;
    if (normal === 0 && tangential === 0) return;
    const size = normal + tangential;
    if (losses.length < MOST_LOSSES) {
      losses.push({ t, normal, tangential });
      return;
    }
    if (size <= this.#least) return;
    const sizes = losses.map((one) => one.normal + one.tangential);
    const least = sizes.indexOf(Math.min(...sizes));
    losses[least] = { t, normal, tangential };
    sizes[least] = size;
    this.#least = Math.min(...sizes);
  }

  #remember(t: number, read: ReadValue): void {
    const { work } = this.constraint;
    this.#before[0] = t;
    for (let k = 0; k < work.length; k++) {
      this.#before[1 + 2 * k] = read(work[k].multiplier);
      this.#before[2 + 2 * k] = read(work[k].velocity);
    }
  }
}
