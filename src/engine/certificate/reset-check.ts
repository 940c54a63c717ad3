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
 * where it was passed goes on to the side to which it moves at the first row behind them
 * (`recorded-motion.ts`). One that a step has left beyond zero, from where it turns back, lags by what the
 * step has overshot. Passed again before it has come back, it is held there and sinks: how much deeper than
 * at first counts as beyond zero.
 */
import { positionsOf } from '../model/forms';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { ResetRule } from '../model/resets/reset';
import type { StatePlaces } from '../model/state-places';
import { RowMotion } from './recorded-motion';
import { relative } from './residual-maxima';

/** What a check remembers. */
export interface SavedResetCheck {
  readonly sides: Int8Array;
  readonly guards: Float64Array;
  readonly states: Float64Array;
  /** largest |ġ| where one was asked for, and how far beyond zero each guard may be that turns back */
  readonly rates: Float64Array;
  readonly left: Float64Array;
  /** the same where it turned back first, 0 of those that have come back since */
  readonly first: Float64Array;
  /** [0] of the last row, [1] longest from one row to the next, s */
  readonly times: Float64Array;
  readonly last: Float64Array;
}

/** Guards below this part of their largest value are at zero: what a located passage leaves. */
const AT_ZERO = 1e-10;
/** Times the least time between passages that rows may be apart: those of passages are located. */
const LONGEST = 1 + 1e-6;
/** Rates below this part of the largest are at rest. */
const AT_REST = 1e-10;
/**
 * Part of the time between rows, or of the largest state of a system, over which guards are differenced; what
 * rounding leaves in differences over the time.
 */
const DIFFERENCE = 2 ** -9;
const ROUNDING = 64 * Number.EPSILON;
/** Part of a time by which the side before a jump is early, at the least. */
const HAIR = 1024 * Number.EPSILON;

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
  readonly #first: Float64Array;
  readonly #motion: RowMotion;
  #moved = new Float64Array(0);
  /** [0] ġ, [1] how much of it may be rounding */
  readonly #rateOut = new Float64Array(2);
  /** the side beyond zero of guards that were left where they were passed, until it is seen where they go */
  readonly #waits: Int8Array;
  readonly #times = Float64Array.of(Number.NaN, 0);
  #last = new Float64Array(0);
  /** time of the last round, s */
  #instant = Number.NaN;
  readonly #value = new Float64Array(1);
  readonly #map: Float64Array;
  readonly #joined: Float64Array;

  /**
   * @param raise enters a residual that is relative already: `isMap` of an equation, else of a guard; at a
   *   reset, or at a system by `system`
   */
  constructor(
    model: NonSmoothDynamicalSystem,
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
    this.#first = new Float64Array(rules.length);
    this.#motion = new RowMotion(model, places);
    this.#waits = new Int8Array(rules.length);
    this.#map = new Float64Array(Math.max(0, ...rules.map(({ size }) => size)));
    this.#joined = new Float64Array(this.#map.length);
  }

  /** number of resets */
  get size(): number {
    return this.rules.length;
  }

  /** The first row of a motion. */
  start(row: Float64Array): void {
    this.#times[0] = row[0];
    this.#room(row);
    this.#last.set(row);
    this.rules.forEach(({ direction, every }, k) => {
      const g = this.#guard(k, row);
      this.#sides[k] = g === 0 ? -direction : Math.sign(g);
      if (every === null) return;
      // Rows may all be at passages, where the guard of a clock is never large.
      this.#moved.set(row);
      this.#guards[k] = Math.max(this.#guards[k], Math.abs(this.#at(k, 0, every / 2)));
    });
    this.#note(row);
  }

  /** g of a rule, noted. */
  #guard(k: number, row: Float64Array): number {
    this.rules[k].guard(row, this.#value);
    const g = this.#value[0];
    this.#guards[k] = Math.max(this.#guards[k], Math.abs(g));
    return g;
  }

  #room({ length }: Float64Array): void {
    if (this.#last.length === length) return;
    this.#last = new Float64Array(length);
    this.#moved = new Float64Array(length);
  }

  #note(row: Float64Array): void {
    for (let s = 0; s < this.#members.length; s++) {
      const member = this.#members[s];
      if (member === null) continue;
      for (let i = 0; i < member.size; i++)
        this.#states[s] = Math.max(this.#states[s], Math.abs(row[member.at + i]));
    }
  }

  /** A row behind which nothing more is reset at its time. */
  row(row: Float64Array): void {
    this.#note(row);
    this.#room(row);
    const times = this.#times;
    const passed = row[0] - times[0];
    times[1] = Math.max(times[1], passed || 0);
    times[0] = row[0];
    for (let k = 0; k < this.rules.length; k++) {
      const { direction, every } = this.rules[k];
      // Two passages in between would leave no trace.
      if (every !== null && passed > LONGEST * every) this.raise(false, 1, row, k);
      const g = this.#guard(k, row);
      if (this.#waits[k] !== 0) this.#goOn(k, g, row);
      const side = this.#sides[k];
      if (Math.sign(g) === side) this.#left[k] = this.#first[k] = 0;
      if (Number.isNaN(g)) this.raise(false, g, row, k);
      // From beyond zero it has come back, and may be passed again before the next row.
      if (side === direction && Math.abs(g) <= AT_ZERO * this.#guards[k]) this.#sides[k] = 0;
      if (Math.abs(g) <= Math.max(AT_ZERO * this.#guards[k], this.#left[k]) || Math.sign(g) === side)
        continue;
      const isMissed = side !== 0 && (direction === 0 || side === -direction);
      if (every === null && this.#isBeforeJump(k, row, g)) continue;
      // Of a clock a row may be a hair behind a passage, and yet it is missed.
      const miss = every === null ? relative(Math.abs(g), this.#guards[k]) : 1;
      if (isMissed) this.raise(false, miss, row, k);
      this.#sides[k] = Math.sign(g);
    }
    this.#last.set(row);
  }

  /**
   * Whether a guard jumps to its present side at the time of a row, which is the one before the jump: it is
   * passed behind the row.
   */
  #isBeforeJump(k: number, row: Float64Array, g: number): boolean {
    this.#moved.set(row);
    const before = Math.sign(this.#at(k, 0, -HAIR * Math.abs(row[0])));
    const side = this.#sides[k];
    if (before === 0 || before === Math.sign(g) || (side !== 0 && side !== before)) return false;
    this.#sides[k] = before;
    return true;
  }

  /** The side of a guard that was left where it was passed; 0 where it hangs on accelerations. */
  #goOn(k: number, g: number, row: Float64Array): void {
    const beyond = this.#waits[k];
    this.#waits[k] = 0;
    const isAtZero = Math.abs(g) <= AT_ZERO * this.#guards[k];
    const side = this.#goesTo(k, row, beyond);
    this.#sides[k] = side === 0 && !isAtZero ? Math.sign(g) : side;
    const [left, first] = [this.#left[k], this.#first[k]];
    if (isAtZero || side === 0 || side === beyond) this.#left[k] = this.#first[k] = 0;
    else if (first === 0) this.#first[k] = left;
    else if (left > (1 + AT_ZERO) * first) this.raise(false, relative(left - first, this.#guards[k]), row, k);
  }

  /** The side to which a guard at zero moves; 0 where that is not known. @param beyond zero */
  #goesTo(k: number, row: Float64Array, beyond: number): number {
    const delta = DIFFERENCE * this.#times[1];
    if (!(delta > 0)) return 0;
    const accelerates = this.#readsVelocity(k, row);
    const before = accelerates && this.isStepped ? this.#last : null;
    const motion = this.#motion.read(row, accelerates, before);
    if (motion === null) return 0;
    this.#rate(k, row, motion, delta);
    const [rate, rounding] = this.#rateOut;
    this.#rates[k] = Math.max(this.#rates[k], Math.abs(rate));
    const resting = this.rules[k].readsOwn ? -beyond : beyond;
    return Math.abs(rate) <= Math.max(AT_REST * this.#rates[k], rounding) ? resting : Math.sign(rate);
  }

  /** ∂g/∂t + ∇g ẋ, and how much of the first may be rounding, into `#rateOut`. @param delta s */
  #rate(k: number, row: Float64Array, motion: Float64Array, delta: number): void {
    this.#moved.set(row);
    const byTime = this.#slope(k, 0, delta);
    let rate = byTime;
    for (let i = 1; i < motion.length; i++) {
      if (motion[i] === 0) continue;
      let size = Math.abs(row[i]);
      for (let s = 0; s < this.#members.length; s++) {
        const member = this.#members[s];
        if (member !== null && i >= member.at && i < member.at + member.size) size = this.#states[s];
      }
      rate += motion[i] * this.#slope(k, i, size === 0 ? delta * Math.abs(motion[i]) : DIFFERENCE * size);
    }
    const terms =
      byTime === 0 ? 0 : Math.max(Math.abs(this.#at(k, 0, delta)), Math.abs(this.#at(k, 0, -2 * delta)));
    this.#rateOut[0] = rate;
    this.#rateOut[1] = (ROUNDING * terms) / delta;
  }

  /** ∂g by entry i of the row in `#moved`. */
  #slope(k: number, i: number, by: number): number {
    const near = this.#at(k, i, by) - this.#at(k, i, -by);
    const far = this.#at(k, i, 2 * by) - this.#at(k, i, -2 * by);
    return (8 * near - far) / (12 * by);
  }

  #at(k: number, i: number, by: number): number {
    const moved = this.#moved;
    const value = moved[i];
    moved[i] = value + by;
    this.rules[k].guard(moved, this.#value);
    moved[i] = value;
    return this.#value[0];
  }

  /** Whether a guard hangs on velocities of systems of second order. */
  #readsVelocity(k: number, row: Float64Array): boolean {
    const { v, ndof } = this.places;
    const moved = this.#moved;
    moved.set(row);
    for (let i = v; i < v + ndof; i++) moved[i] += 1 + Math.abs(moved[i]);
    this.rules[k].guard(moved, this.#value);
    const [there] = this.#value;
    this.rules[k].guard(row, this.#value);
    return there !== this.#value[0];
  }

  /** A round of resets; those whose number has grown from one row to the other. */
  round(before: Float64Array, after: Float64Array): void {
    this.#note(before);
    for (let s = 0; s < this.#members.length; s++) {
      const member = this.#members[s];
      if (member === null) continue;
      let rule = -1;
      let defect = 0;
      for (const k of member.rules) {
        if (!this.#hasFired(k, before, after)) continue;
        if (!this.#join(k, rule < 0, before, member.at)) defect = Number.NaN;
        if (rule < 0) rule = k;
      }
      for (let i = 0; i < member.size; i++) {
        const expected = rule >= 0 ? this.#joined[i] : before[member.at + i];
        const miss = Math.abs(after[member.at + i] - expected);
        if (!(miss <= defect)) defect = miss;
      }
      const named = rule >= 0 ? rule : (member.rules.at(0) ?? 0);
      if (defect !== 0) this.raise(true, relative(defect, this.#states[s]), after, named);
      for (const k of member.rules) if (this.#hasFired(k, before, after)) this.#passage(k, before, after);
    }
    this.rules.forEach(({ direction }, k) => {
      if (direction === 0 || this.#hasFired(k, before, after)) return;
      // What others push back to where a guard is passed from can be passed again, at the same instant.
      const g = this.#guard(k, after);
      const isAtZero = Math.abs(g) <= AT_ZERO * this.#guards[k];
      if (Math.sign(g) === -direction && !isAtZero) this.#sides[k] = -direction;
      if (isAtZero && this.#sides[k] === direction) this.#sides[k] = 0;
    });
    this.#instant = before[0];
  }

  /**
   * What the map of reset k makes of the state before, joined with what others of the round have: each of
   * them moves some states and keeps the others.
   * @param at place of the state @returns whether no state is moved to two values
   */
  #join(k: number, isFirst: boolean, before: Float64Array, at: number): boolean {
    const [map, joined] = [this.#map, this.#joined];
    const { size } = this.rules[k];
    this.rules[k].map(before, map);
    let isOne = true;
    for (let i = 0; i < size; i++) {
      const kept = before[at + i];
      if (isFirst || joined[i] === kept) joined[i] = map[i];
      else if (map[i] !== kept && map[i] !== joined[i]) isOne = false;
    }
    return isOne;
  }

  #hasFired(k: number, before: Float64Array, after: Float64Array): boolean {
    return after[this.places.resets + k] !== before[this.places.resets + k];
  }

  #passage(k: number, before: Float64Array, after: Float64Array): void {
    const { direction, readsSet, every } = this.rules[k];
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
    const first = this.#first[k];
    this.#left[k] = this.#first[k] = 0;
    this.#waits[k] = 0;
    this.#sides[k] = isAtZero ? 0 : Math.sign(behind);
    if (every !== null) {
      this.#sides[k] = -from;
      return;
    }
    // At a root of a motion that has turned back already it cannot go on.
    const isRoot = !this.isStepped && Math.abs(g) <= AT_ZERO * this.#guards[k];
    const arrives = isRoot && this.#last[0] === before[0] ? this.#goesTo(k, this.#last, -from) : -from;
    if (isAtZero && arrives === from) this.#sides[k] = from;
    else if (isAtZero || (Math.sign(behind) !== from && isWithin && !isMoved)) {
      this.#waits[k] = -from;
      this.#first[k] = first;
      this.#left[k] = Math.max(Math.abs(g), Math.abs(behind));
    } else if (readsSet && direction !== 0 && isMoved && Math.sign(behind) === direction)
      this.raise(false, relative(Math.abs(behind), this.#guards[k]), after, k);
  }

  save(): SavedResetCheck {
    return {
      sides: this.#sides.slice(),
      guards: this.#guards.slice(),
      states: this.#states.slice(),
      rates: this.#rates.slice(),
      left: this.#left.slice(),
      first: this.#first.slice(),
      times: this.#times.slice(),
      last: this.#last.slice(),
    };
  }

  load({ sides, guards, states, rates, left, first, times, last }: SavedResetCheck): void {
    this.#sides.set(sides);
    this.#guards.set(guards);
    this.#states.set(states);
    this.#rates.set(rates);
    this.#left.set(left);
    this.#first.set(first);
    this.#times.set(times);
    if (last.length === this.#last.length) this.#last.set(last);
  }
}
