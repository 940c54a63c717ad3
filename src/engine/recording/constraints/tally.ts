/** What happens to a constraint in a stretch of rows. */
import { type RecordedConstraint, IMPACT_BIT, MOST_STATES, type StateRule } from './constraint';

/* The state of a constraint from the values of a row. */

/**
 * Part of the width of a box, or of the radius of a friction cone, within which a multiplier is at the
 * border.
 */
const BORDER = 1e-6;
/** Slower slip of surfaces is the tolerance of a solver, m/s. */
const LEAST_SLIP = 1e-6;

/** Codes of friction. */
const STICK = 1;
const FORWARD = 2;
const BACKWARD = 3;

/** Reads the columns that a rule asks for: `read(column)` is the value in the present row. */
export type ReadValue = (column: number) => number;

function boxState(lambda: number, lower: number | null, upper: number | null): number {
  if (lower !== null && upper !== null) {
    const border = BORDER * (upper - lower);
    if (lambda <= lower + border) return 0;
    return lambda >= upper - border ? 2 : 1;
  }
  if (lower !== null) return lambda > lower ? 1 : 0;
  return upper !== null && lambda < upper ? 1 : 0;
}

/** A contact that pushes slides where its force is on the border of the cone; against the slip. */
function frictionState(normal: number, tangential: number, coefficient: number): number {
  if (!(normal > 0)) return 0;
  if (Math.abs(tangential) < coefficient * normal * (1 - BORDER)) return STICK;
  return tangential < 0 ? FORWARD : BACKWARD;
}

/** Square of the distance of a point from a piece, a ray where `length` is infinite. */
function distance(
  y: number,
  lambda: number,
  [y0, lambda0]: readonly [number, number],
  [dy, dl]: readonly [number, number],
  length: number,
): number {
  const square = dy * dy + dl * dl;
  const along = square > 0 ? ((y - y0) * dy + (lambda - lambda0) * dl) / square : 0;
  const at = Math.min(length, Math.max(0, along));
  return (y - y0 - at * dy) ** 2 + (lambda - lambda0 - at * dl) ** 2;
}

function graphState(y: number, lambda: number, rule: Extract<StateRule<number>, { kind: 'graph' }>): number {
  const { points, start, end } = rule;
  let best = 0;
  let least = distance(y, lambda, points[0], [-start[0], -start[1]], Infinity);
  for (let k = 1; k <= points.length; k++) {
    const from = points[k - 1];
    const isLast = k === points.length;
    const to = isLast ? end : points[k];
    const direction: [number, number] = isLast ? [end[0], end[1]] : [to[0] - from[0], to[1] - from[1]];
    const away = distance(y, lambda, from, direction, isLast ? Infinity : 1);
    if (away >= least) continue;
    best = k;
    least = away;
  }
  return Math.min(best, MOST_STATES - 1);
}

/** Code of the state in a row: its place among the states of the constraint. */
function stateOf({ rule, present, states }: RecordedConstraint<number>, read: ReadValue): number {
  if (present !== undefined && read(present) === 0) return states.length - 1;
  switch (rule.kind) {
    case 'presence':
      return read(rule.present) === 0 ? 1 : 0;
    case 'box':
      return boxState(read(rule.lambda), rule.lower, rule.upper);
    case 'friction':
      return frictionState(
        read(rule.normal),
        // Sliding in a plane has no sense: a force of any direction holds back what slides.
        rule.second === undefined
          ? read(rule.tangential)
          : -Math.hypot(read(rule.tangential), read(rule.second)),
        rule.coefficient,
      );
    case 'graph':
      return graphState(read(rule.y), read(rule.lambda), rule);
    case 'surface':
      if (!(read(rule.count) > 0)) return 0;
      return rule.slip === null || read(rule.slip) <= LEAST_SLIP ? 1 : 2;
  }
}

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
    readonly constraint: RecordedConstraint<number>,
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
   * Energy that the constraint takes, −P·½(u⁻ + u⁺) of impulses and −∫ λ·u dt of forces by the trapezoidal
   * rule. Of a linear relation in steps of Moreau and Jean, and at an event, the first is exact: M
   * (v⁺ − v⁻) = ᵗH P + … times ½ (v⁻ + v⁺) is what T changes by.
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
