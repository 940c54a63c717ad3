/**
 * Resets as every certificate sees them, from rows of the result alone: guards and maps are evaluated once
 * more, sides are followed again, and nothing of what the simulation remembers is used.
 *
 *     map       x⁺ − R(t⁻, x⁻) of systems that a reset sets, x⁺ − x⁻ of others, relative to the largest
 *               state of the system so far
 *     guard     of a reset, how far its guard is on the side from which it is passed, and how far its map has
 *               moved one of the state that has jumped beyond zero; at every row, how far a guard is beyond
 *               zero that has not been passed; relative to its largest value
 *
 * A scheme hands in the rows before and behind each round of resets at one instant. A guard that is left
 * where it was passed goes on to the side to which it moves at the first row behind them, whose multipliers
 * say how.
 */
import { positionsOf } from '../model/forms';
import { linkedPlaces, type NonSmoothDynamicalSystem, offsetsOf } from '../model/nsds';
import type { ResetRule } from '../model/resets/reset';
import type { StatePlaces } from '../model/state-places';
import { relative } from './residual-maxima';

/** What a check remembers. */
export interface SavedResetCheck {
  readonly sides: Int8Array;
  readonly guards: Float64Array;
  readonly states: Float64Array;
  /** largest |ġ| where one was asked for, and how far beyond zero each guard may be that turns back */
  readonly rates: Float64Array;
  readonly left: Float64Array;
  /** [0] of the last row, [1] longest from one row to the next, s */
  readonly times: Float64Array;
}

/** Guards below this part of their largest value are at zero: what a located passage leaves. */
const AT_ZERO = 1e-10;
/** Rates below this part of the largest are at rest. */
const AT_REST = 1e-10;
/**
 * Part of the time between rows, or of the largest state of a system, over which guards are differenced; what
 * rounding leaves in differences over the time.
 */
const DIFFERENCE = 2 ** -9;
const ROUNDING = 64 * Number.EPSILON;

interface Member {
  readonly rules: readonly number[];
  /** first state in a row, and number of states */
  readonly at: number;
  readonly size: number;
}

export class ResetCheck {
  /** side from which each guard was seen last, 0 where that is not known */
  readonly #sides: Int8Array;
  /** largest |g| by rule, largest |x| by system */
  readonly #guards: Float64Array;
  readonly #states: Float64Array;
  readonly #members: readonly (Member | null)[];
  readonly #rates: Float64Array;
  readonly #left: Float64Array;
  /** the side beyond zero of guards that were left where they were passed, until it is seen where they go */
  readonly #waits: Int8Array;
  readonly #times = Float64Array.of(Number.NaN, 0);
  #last = new Float64Array(0);
  /** time of the last round, s */
  #instant = Number.NaN;
  readonly #value = new Float64Array(1);
  readonly #map: Float64Array;

  /**
   * @param raise enters a residual that is relative already: `isMap` of an equation, else of a guard; at a
   *   reset, or at a system by `system`
   */
  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly rules: readonly ResetRule[],
    private readonly places: Pick<StatePlaces, 'q' | 'v' | 'ndof' | 'lambda' | 'resets'>,
    private readonly raise: (isMap: boolean, value: number, row: Float64Array, rule: number) => void,
    /** whether guards pass zero somewhere within steps, and states jump at their ends */
    private readonly isStepped = false,
  ) {
    const { systems } = model;
    let at = places.q;
    this.#members = systems.map(({ form }, s): Member | null => {
      const first = at;
      at += positionsOf(form);
      if (form.order === 2) return null;
      const own = rules.flatMap((rule, k) => (rule.system === s ? [k] : []));
      return { rules: own, at: first, size: form.size };
    });
    this.#sides = new Int8Array(rules.length);
    this.#guards = new Float64Array(rules.length);
    this.#states = new Float64Array(systems.length);
    this.#rates = new Float64Array(rules.length);
    this.#left = new Float64Array(rules.length);
    this.#waits = new Int8Array(rules.length);
    this.#map = new Float64Array(Math.max(0, ...rules.map(({ size }) => size)));
  }

  /** number of resets */
  get size(): number {
    return this.rules.length;
  }

  /** The first row of a motion. */
  start(row: Float64Array): void {
    this.rules.forEach(({ direction }, k) => {
      const g = this.#guard(k, row);
      this.#sides[k] = g === 0 ? -direction : Math.sign(g);
    });
    this.#times[0] = row[0];
    this.#note(row);
  }

  /** g of a rule, noted. */
  #guard(k: number, row: Float64Array): number {
    this.rules[k].guard(row, this.#value);
    const g = this.#value[0];
    this.#guards[k] = Math.max(this.#guards[k], Math.abs(g));
    return g;
  }

  #note(row: Float64Array): void {
    this.#members.forEach((member, s) => {
      if (member === null) return;
      for (let i = 0; i < member.size; i++)
        this.#states[s] = Math.max(this.#states[s], Math.abs(row[member.at + i]));
    });
  }

  /** A row behind which nothing more is reset at its time. */
  row(row: Float64Array): void {
    this.#note(row);
    const times = this.#times;
    times[1] = Math.max(times[1], row[0] - times[0] || 0);
    times[0] = row[0];
    if (this.#last.length !== row.length) this.#last = row.slice();
    this.#last.set(row);
    for (let k = 0; k < this.rules.length; k++) {
      const { direction } = this.rules[k];
      const g = this.#guard(k, row);
      if (this.#waits[k] !== 0) this.#goOn(k, g, row);
      const side = this.#sides[k];
      if (Math.sign(g) === side) this.#left[k] = 0;
      if (Number.isNaN(g)) this.raise(false, g, row, k);
      if (Math.abs(g) <= Math.max(AT_ZERO * this.#guards[k], this.#left[k]) || Math.sign(g) === side)
        continue;
      const isMissed = side !== 0 && (direction === 0 || side === -direction);
      if (isMissed) this.raise(false, relative(Math.abs(g), this.#guards[k]), row, k);
      this.#sides[k] = Math.sign(g);
    }
  }

  /** The side of a guard that was left where it was passed; 0 where it hangs on accelerations. */
  #goOn(k: number, g: number, row: Float64Array): void {
    const beyond = this.#waits[k];
    this.#waits[k] = 0;
    const isAtZero = Math.abs(g) <= AT_ZERO * this.#guards[k];
    const side = this.#goesTo(k, row, beyond);
    this.#sides[k] = side === 0 && !isAtZero ? Math.sign(g) : side;
    if (isAtZero || side === 0 || side === beyond) this.#left[k] = 0;
  }

  /** The side to which a guard at zero moves; 0 where that is not known. @param beyond zero */
  #goesTo(k: number, row: Float64Array, beyond: number): number {
    const motion = this.#motion(row);
    const delta = DIFFERENCE * this.#times[1];
    if (motion === null || !(delta > 0) || this.#readsVelocity(k, row)) return 0;
    const [rate, rounding] = this.#rate(k, row, motion, delta);
    this.#rates[k] = Math.max(this.#rates[k], Math.abs(rate));
    const resting = this.rules[k].readsOwn ? -beyond : beyond;
    return Math.abs(rate) <= Math.max(AT_REST * this.#rates[k], rounding) ? resting : Math.sign(rate);
  }

  /** ∂g/∂t + ∇g ẋ, and how much of the first may be rounding. @param delta s */
  #rate(k: number, row: Float64Array, motion: Float64Array, delta: number): readonly [number, number] {
    const at = (i: number, by: number): number => {
      this.rules[k].guard(
        row.map((value, j) => (j === i ? value + by : value)),
        this.#value,
      );
      return this.#value[0];
    };
    const slope = (i: number, by: number): number =>
      (8 * (at(i, by) - at(i, -by)) - (at(i, 2 * by) - at(i, -2 * by))) / (12 * by);
    const byTime = slope(0, delta);
    let rate = byTime;
    for (let i = 1; i < motion.length; i++) {
      if (motion[i] === 0) continue;
      const system = this.#members.findIndex((m) => m !== null && i >= m.at && i < m.at + m.size);
      const size = system < 0 ? Math.abs(row[i]) : this.#states[system];
      rate += motion[i] * slope(i, size === 0 ? delta * Math.abs(motion[i]) : DIFFERENCE * size);
    }
    const terms = byTime === 0 ? 0 : Math.max(Math.abs(at(0, delta)), Math.abs(at(0, -2 * delta)));
    return [rate, (ROUNDING * terms) / delta];
  }

  /** Whether a guard hangs on velocities of systems of second order. */
  #readsVelocity(k: number, row: Float64Array): boolean {
    const { v, ndof } = this.places;
    const other = row.map((value, i) => (i >= v && i < v + ndof ? value + 1 + Math.abs(value) : value));
    this.rules[k].guard(other, this.#value);
    const [there] = this.#value;
    this.rules[k].guard(row, this.#value);
    return there !== this.#value[0];
  }

  /**
   * The derivative of a row, of first-order states by their equation M ẋ = f + r, of positions by velocities;
   * null where an equation has none.
   */
  #motion(row: Float64Array): Float64Array | null {
    const { model, places } = this;
    const clock = row.slice(0, 1);
    const motion = new Float64Array(row.length);
    motion[0] = 1;
    let at = places.q;
    let velocity = places.v;
    for (const { form } of model.systems) {
      if (form.order === 1) {
        const rate = new Float64Array(form.size);
        form.rate(clock, row.slice(at, at + form.size), rate);
        motion.set(rate, at);
        at += form.size;
      } else {
        const v = row.slice(velocity, velocity + form.size);
        const size = positionsOf(form);
        const rate = form.kinematics === undefined ? v : new Float64Array(size);
        form.kinematics?.rate(row.slice(at, at + size), v, rate);
        motion.set(rate, at);
        at += size;
      }
      velocity += form.size;
    }
    const { positions } = offsetsOf(model);
    let first = places.lambda;
    for (const { relation, systems } of model.interactions) {
      const lambda = row.slice(first, first + relation.size);
      first += relation.size;
      if (relation.order === 2) continue;
      const linked = linkedPlaces(positions, systems).map((place) => places.q + place);
      const input = new Float64Array(linked.length);
      relation.input(
        clock,
        Float64Array.from(linked, (place) => row[place]),
        lambda,
        input,
      );
      linked.forEach((place, i) => (motion[place] += input[i]));
    }
    return this.#divide(motion) ? motion : null;
  }

  /** M⁻¹ of first-order systems. @returns false where one is singular */
  #divide(motion: Float64Array): boolean {
    let at = this.places.q;
    for (const { form } of this.model.systems) {
      const n = form.size;
      if (form.order === 1 && form.mass !== null) {
        if (!eliminate(form.mass.slice(), motion.subarray(at, at + n))) return false;
      }
      at += positionsOf(form);
    }
    return true;
  }

  /** A round of resets; those whose number has grown from one row to the other. */
  round(before: Float64Array, after: Float64Array): void {
    this.#note(before);
    for (let s = 0; s < this.#members.length; s++) {
      const member = this.#members[s];
      if (member === null) continue;
      const fired = member.rules.filter(
        (k) => after[this.places.resets + k] !== before[this.places.resets + k],
      );
      const [rule = -1] = fired;
      if (rule >= 0) this.rules[rule].map(before, this.#map);
      let defect = fired.length > 1 ? Number.NaN : 0;
      for (let i = 0; i < member.size; i++) {
        const expected = rule >= 0 ? this.#map[i] : before[member.at + i];
        const miss = Math.abs(after[member.at + i] - expected);
        if (!(miss <= defect)) defect = miss;
      }
      const named = rule >= 0 ? rule : (member.rules.at(0) ?? 0);
      if (defect !== 0) this.raise(true, relative(defect, this.#states[s]), after, named);
      for (const k of fired) this.#passage(k, before, after);
    }
    this.#instant = before[0];
  }

  #passage(k: number, before: Float64Array, after: Float64Array): void {
    const { direction, readsOwn } = this.rules[k];
    const g = this.#guard(k, before);
    const side = this.#sides[k];
    const from = direction === 0 ? side : -direction;
    // It was not where it could be passed from, or has not reached zero.
    if (side !== 0 && side !== from) this.raise(false, 1, before, k);
    const short = g * from;
    if (!(short <= AT_ZERO * this.#guards[k])) this.raise(false, relative(short, this.#guards[k]), before, k);
    const behind = this.#guard(k, after);
    const isAtZero = Math.abs(behind) <= AT_ZERO * this.#guards[k];
    const isWithin = this.isStepped && before[0] !== this.#instant;
    const isMoved = Math.abs(behind) > (1 + AT_ZERO) * Math.abs(g);
    this.#left[k] = 0;
    this.#waits[k] = 0;
    this.#sides[k] = isAtZero ? 0 : Math.sign(behind);
    // At a root of a motion that has turned back already it cannot go on.
    const isRoot = !this.isStepped && Math.abs(g) <= AT_ZERO * this.#guards[k];
    const arrives = isRoot && this.#last[0] === before[0] ? this.#goesTo(k, this.#last, -from) : -from;
    if (isAtZero && arrives === from) this.#sides[k] = from;
    else if (isAtZero || (Math.sign(behind) !== from && isWithin && !isMoved)) {
      this.#waits[k] = -from;
      this.#left[k] = Math.max(Math.abs(g), Math.abs(behind));
    } else if (readsOwn && direction !== 0 && isMoved && Math.sign(behind) === direction)
      this.raise(false, relative(Math.abs(behind), this.#guards[k]), after, k);
  }

  save(): SavedResetCheck {
    return {
      sides: this.#sides.slice(),
      guards: this.#guards.slice(),
      states: this.#states.slice(),
      rates: this.#rates.slice(),
      left: this.#left.slice(),
      times: this.#times.slice(),
    };
  }

  load({ sides, guards, states, rates, left, times }: SavedResetCheck): void {
    this.#sides.set(sides);
    this.#guards.set(guards);
    this.#states.set(states);
    this.#rates.set(rates);
    this.#left.set(left);
    this.#times.set(times);
  }
}

/** x ← M⁻¹ x by elimination. @param M row-major, which is used up @returns false where it is singular */
function eliminate(M: Float64Array, x: Float64Array): boolean {
  const n = x.length;
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k; i < n; i++) if (Math.abs(M[i * n + k]) > Math.abs(M[p * n + k])) p = i;
    if (!(Math.abs(M[p * n + k]) > 0)) return false;
    for (let j = 0; j < n; j++) [M[k * n + j], M[p * n + j]] = [M[p * n + j], M[k * n + j]];
    [x[k], x[p]] = [x[p], x[k]];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = M[i * n + k] / M[k * n + k];
      for (let j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (let k = 0; k < n; k++) x[k] /= M[k * n + k];
  return true;
}
