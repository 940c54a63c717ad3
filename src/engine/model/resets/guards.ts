/**
 * The resets of a run: on which side of zero each guard is, and what happens where one has passed it. A
 * passage may be a root that the integration has found, or a jump: another reset, an impact, a source. Of one
 * instant all resets that are due set their systems from the same state before it, each the states that its
 * map does not keep; what these jumps push
 * across other guards follows in the next round, until nothing more is due.
 *
 * A guard that its own reset leaves at zero, where it was passed, goes on to the side to which its rate ġ
 * behind the map points: on through zero, as of Clegg's integrator (Clegg 1958), or back, as of a ball that
 * bounces. Where the rate is zero, a guard of the state that has jumped was stopped by the jump and is where
 * it came from. So is one whose rate before the map points back: it has bounced lower than can be told from
 * zero.
 */
import { EngineError } from '../../errors';
import type { ResetRule } from './reset';

/** What goes on from a reset to the next. */
export interface ResetMemory {
  /** side of each guard, −1, 0 (not known) or 1 */
  readonly sides: Int8Array;
  /** resets so far */
  readonly counts: Float64Array;
  /** largest |g| so far, and what located passages may leave */
  readonly sizes: Float64Array;
  readonly located: Float64Array;
  /** largest |ġ| so far behind a passage, and of what guards that are not affine read */
  readonly rates: Float64Array;
  readonly reach: readonly Float64Array[];
  /** how far beyond zero a step has left each guard that turns back from there; 0 of others */
  readonly left: Float64Array;
}

/** Who knows how the state moves. */
export interface Motion {
  /** The derivative of the row of the present, zero where nothing is integrated. */
  readMotion(out: Float64Array): void;
  /** step of the discretisation, s: what varies with the time varies over several */
  readonly step: number;
}

/** Resets in turn at one instant before they count as without end. */
const MOST_ROUNDS = 100;
/**
 * Part of the largest |g| so far that counts as zero in a guard: what a located passage and the map leave of
 * it.
 */
const ZERO = 1e-11;
/** Times what is left of a guard at a passage that was located. */
const ROOT = 4;
/** Part of the largest |ġ| so far that counts as zero: a ball that has come to the end of its bounces. */
const REST = 1e-11;
/**
 * Derivatives of guards are central differences of order 4, over this part of what a number has come to so
 * far, or of a step.
 */
const PART = 2 ** -8;
const DIFFERENCE = [
  [-2, 1 / 12],
  [-1, -2 / 3],
  [1, 2 / 3],
  [2, -1 / 12],
] as const;
/** Part of the time, which may be long, that differences resolve; and what rounding leaves of them. */
const RESOLVED = 1e-10;
const ROUNDING = 16 * Number.EPSILON;

export class ResetGuards {
  readonly sides: Int8Array;
  readonly counts: Float64Array;
  /** g of each guard where they were read last */
  readonly values: Float64Array;
  /** 1 for those that are due */
  readonly isDue: Uint8Array;
  readonly #sizes: Float64Array;
  /** what the passage that was located last may leave */
  readonly #located: Float64Array;
  readonly #rates: Float64Array;
  readonly #reach: readonly Float64Array[];
  readonly #left: Float64Array;
  #motion = new Float64Array(0);
  #moved = new Float64Array(0);
  /** |g| before the round, by guard */
  readonly #before: Float64Array;
  /** the side to which each guard moved before the round: not on where its root is one that it has left */
  readonly #arrives: Int8Array;
  /** 1 for passages somewhere within a step, at the end of which the guard is beyond zero */
  readonly #isWithin: Uint8Array;
  readonly #value = new Float64Array(2);
  readonly #map: Float64Array;
  /** by system: its state behind this round, null where nothing sets it; and by state what sets it, or −1 */
  readonly #behind: readonly (Float64Array | null)[];
  readonly #setBy: readonly Int32Array[];
  /** 1 for systems that are set in this round */
  readonly #isSet: Uint8Array;
  #rounds = 0;

  constructor(
    readonly rules: readonly ResetRule[],
    systems: number,
  ) {
    const { length } = rules;
    this.sides = new Int8Array(length);
    this.counts = new Float64Array(length);
    this.values = new Float64Array(length);
    this.isDue = new Uint8Array(length);
    this.#sizes = new Float64Array(length);
    this.#located = new Float64Array(length);
    this.#rates = new Float64Array(length);
    this.#reach = rules.map(({ affine, slots }) => new Float64Array(affine === null ? slots.length : 0));
    this.#left = new Float64Array(length);
    this.#before = new Float64Array(length);
    this.#arrives = new Int8Array(length);
    this.#isWithin = new Uint8Array(length);
    const sizes = Array.from(
      { length: systems },
      (_, s) => rules.find(({ system }) => system === s)?.size ?? 0,
    );
    this.#map = new Float64Array(Math.max(0, ...sizes));
    this.#behind = sizes.map((size) => (size === 0 ? null : new Float64Array(size)));
    this.#setBy = sizes.map((size) => new Int32Array(size));
    this.#isSet = new Uint8Array(systems);
  }

  /** What counts as zero in a guard: more than a located passage has left of it. */
  zero(k: number): number {
    return Math.max(ZERO * this.#sizes[k], this.#located[k], this.#left[k]);
  }

  /** As before the start. */
  clear(): void {
    this.sides.fill(0);
    this.counts.fill(0);
    this.#sizes.fill(0);
    this.#located.fill(0);
    this.#rates.fill(0);
    for (const reach of this.#reach) reach.fill(0);
    this.#left.fill(0);
    this.isDue.fill(0);
  }

  /** Evaluates the guards. @param row of the present @throws {EngineError} where one is not finite */
  read(row: Float64Array): void {
    for (let k = 0; k < this.rules.length; k++) {
      this.rules[k].guard(row, this.#value);
      const g = this.#value[0];
      if (!Number.isFinite(g)) throw notFinite(this.rules[k], `guard “${this.rules[k].text}”`, g, row[0]);
      this.values[k] = g;
      this.#sizes[k] = Math.max(this.#sizes[k], Math.abs(g));
      const reach = this.#reach[k];
      const { slots } = this.rules[k];
      for (let i = 0; i < reach.length; i++) reach[i] = Math.max(reach[i], Math.abs(row[slots[i]]));
    }
  }

  /** The sides at the start: a guard at zero is where it can be passed from. */
  start(row: Float64Array): void {
    this.read(row);
    for (let k = 0; k < this.rules.length; k++)
      this.sides[k] = this.values[k] === 0 ? -this.rules[k].direction : Math.sign(this.values[k]);
  }

  /** Whether a guard is where it can be passed from. */
  isArmed(k: number): boolean {
    const { direction } = this.rules[k];
    return direction === 0 || this.sides[k] === -direction;
  }

  /** A guard has been read at a passage that was located. @param kind 1 rising, −1 falling */
  arrive(k: number, kind: number): void {
    this.#located[k] = Math.max(this.#located[k], ROOT * Math.abs(this.values[k]));
    this.pass(k, kind);
  }

  /** A guard is found to have passed zero. @param kind 1 rising, −1 falling */
  pass(k: number, kind: number): void {
    if (this.isArmed(k)) this.isDue[k] = 1;
    this.sides[k] = kind;
  }

  /**
   * Marks the guards that are beyond zero where they were not.
   * @param row of the present
   * @param isWithin whether the state has come there by a step, not by a jump
   * @returns whether one is due
   */
  look(row: Float64Array, isWithin = false): boolean {
    this.read(row);
    this.#isWithin.fill(isWithin ? 1 : 0);
    let isAny = false;
    for (let k = 0; k < this.rules.length; k++) {
      const g = this.values[k];
      const side = this.sides[k];
      if (Math.sign(g) === side) this.#left[k] = 0;
      if (this.isDue[k] === 0 && Math.abs(g) > this.zero(k) && side !== Math.sign(g)) {
        if (side === 0) this.sides[k] = Math.sign(g);
        else this.pass(k, Math.sign(g));
      }
      if (this.isDue[k] === 1) isAny = true;
    }
    return isAny;
  }

  /** An instant begins. */
  begin(): void {
    this.#rounds = 0;
  }

  /**
   * Sets the systems of the resets that are due.
   * @param row of the state before
   * @param motion of that state
   * @param set writes the state of a system
   * @throws {EngineError} where two set one state differently, a map is not finite, or there is no end of it
   */
  fire(row: Float64Array, motion: Motion, set: (system: number, x: Float64Array) => void): void {
    const { rules, isDue } = this;
    this.#isSet.fill(0);
    if (++this.#rounds > MOST_ROUNDS) throw endless(rules[isDue.indexOf(1)], row[0]);
    for (let k = 0; k < rules.length; k++) {
      if (isDue[k] === 0) continue;
      const rule = rules[k];
      const map = this.#map;
      rule.map(row, map);
      this.#before[k] = Math.abs(this.values[k]);
      this.#left[k] = 0;
      const isRoot = this.#isWithin[k] === 0 && this.#before[k] <= this.zero(k);
      this.#arrives[k] = isRoot ? this.#goesTo(k, row, motion) : this.sides[k];
      for (let i = 0; i < rule.size; i++)
        if (!Number.isFinite(map[i])) throw notFinite(rule, 'reset map', map[i], row[0]);
      this.#merge(k, row[0]);
      this.counts[k]++;
    }
    for (let s = 0; s < this.#isSet.length; s++) {
      const behind = this.#behind[s];
      if (this.#isSet[s] === 1 && behind !== null) set(s, behind);
    }
  }

  /** Puts what the map of reset k has set beside what the others of the round have. */
  #merge(k: number, time: number): void {
    const { system, sets, size } = this.rules[k];
    const behind = this.#behind[system];
    if (behind === null) return;
    const map = this.#map;
    const setBy = this.#setBy[system];
    if (this.#isSet[system] === 0) {
      this.#isSet[system] = 1;
      setBy.fill(-1);
      // What no map sets is where it was: each map has it.
      for (let i = 0; i < size; i++) behind[i] = map[i];
    }
    for (const i of sets) {
      if (setBy[i] >= 0 && behind[i] !== map[i]) throw conflict(this.rules[setBy[i]], this.rules[k], time);
      setBy[i] = k;
      behind[i] = map[i];
    }
  }

  /**
   * What is due behind a round.
   * @param row of the state behind it
   * @returns whether something is
   * @throws {EngineError} where a reset has moved a guard of its own state beyond zero
   */
  settle(row: Float64Array, motion: Motion): boolean {
    this.read(row);
    for (let k = 0; k < this.rules.length; k++) {
      if (this.isDue[k] === 0) continue;
      this.isDue[k] = 0;
      this.sides[k] = this.#sideBehind(k, row, motion);
    }
    return this.look(row);
  }

  /** On which side a guard is behind its reset; `sides` has the one to which it has passed. */
  #sideBehind(k: number, row: Float64Array, motion: Motion): number {
    const { direction, readsSet, every } = this.rules[k];
    const g = this.values[k];
    const on = this.sides[k];
    if (every !== null) return on;
    const isAtZero = Math.abs(g) <= this.zero(k);
    if (!isAtZero && Math.sign(g) !== on) return -on;
    const isMoved = Math.abs(g) > (1 + ZERO) * this.#before[k];
    if (!isAtZero && isMoved && readsSet && direction !== 0) throw beyond(this.rules[k], g, row[0]);
    if (!isAtZero && (isMoved || this.#isWithin[k] === 0)) return on;
    if (this.#arrives[k] === on && this.#goesTo(k, row, motion) === on) return on;
    if (!isAtZero) this.#left[k] = Math.max(this.#before[k], Math.abs(g));
    return -on;
  }

  /** The side to which a guard moves that has just passed zero. @param row of the present */
  #goesTo(k: number, row: Float64Array, motion: Motion): number {
    this.#rateOf(k, row, motion, this.#value);
    const [rate, rounding] = this.#value;
    this.#rates[k] = Math.max(this.#rates[k], Math.abs(rate));
    if (Math.abs(rate) > Math.max(REST * this.#rates[k], rounding)) return Math.sign(rate);
    return this.rules[k].readsOwn ? -this.sides[k] : this.sides[k];
  }

  /**
   * ġ of a guard: its derivatives by what it reads, times how that moves. Of a motion that has almost come to
   * rest they keep its digits, which differences along it would not.
   * @param out [0] ġ, [1] how much of it may be rounding
   */
  #rateOf(k: number, row: Float64Array, motion: Motion, out: Float64Array): void {
    const rule = this.rules[k];
    const { affine, slots } = rule;
    if (this.#motion.length !== row.length) {
      this.#motion = new Float64Array(row.length);
      this.#moved = new Float64Array(row.length);
    }
    const rates = this.#motion;
    motion.readMotion(rates);
    let rate = affine?.rate ?? 0;
    let rounding = 0;
    if (affine !== null) for (const [slot, value] of affine.terms) rate += value * rates[slot];
    else {
      const moved = this.#moved;
      moved.set(row);
      slots.forEach((slot, i) => {
        const isTime = slot === 0;
        const speed = isTime ? 1 : rates[slot];
        if (speed === 0) return;
        const size = isTime ? motion.step : this.#reach[k][i] || Math.abs(speed) * motion.step;
        const delta = Math.max(PART * size, isTime ? RESOLVED * Math.abs(row[0]) : 0);
        let sum = 0;
        for (const [place, weight] of DIFFERENCE) {
          moved[slot] = row[slot] + place * delta;
          rule.guard(moved, out);
          sum += weight * out[0];
          // Only derivatives by the time do not become small with the motion.
          if (isTime) rounding = Math.max(rounding, (ROUNDING * Math.abs(out[0])) / delta);
        }
        moved[slot] = row[slot];
        if (isTime && sum === 0) rounding = 0;
        rate += (sum / delta) * speed;
      });
    }
    out[0] = rate;
    out[1] = rounding;
  }

  /** Numbers of resets into a row. @param at place of the first */
  write(row: Float64Array, at: number): void {
    for (let k = 0; k < this.counts.length; k++) row[at + k] = this.counts[k];
  }

  save(): ResetMemory {
    return {
      sides: this.sides.slice(),
      counts: this.counts.slice(),
      sizes: this.#sizes.slice(),
      located: this.#located.slice(),
      rates: this.#rates.slice(),
      reach: this.#reach.map((reach) => reach.slice()),
      left: this.#left.slice(),
    };
  }

  /** Goes on from what a model with the same resets has left. */
  load({ sides, counts, sizes, located, rates, reach, left }: ResetMemory): void {
    this.sides.set(sides);
    this.counts.set(counts);
    this.#sizes.set(sizes);
    this.#located.set(located);
    this.#rates.set(rates);
    // A guard may have become another function.
    this.#reach.forEach((own, k) => {
      if (own.length === reach[k].length) own.set(reach[k]);
    });
    this.#left.set(left);
    this.isDue.fill(0);
  }
}

const notFinite = ({ id }: ResetRule, what: string, value: number, time: number): EngineError =>
  new EngineError({
    code: 'not-finite',
    message: `The ${what} of “${id}” is ${value} at t = ${time} s.`,
    where: id,
    time,
    remedy: 'Check it for a division by zero or a root of a negative number.',
  });

const beyond = ({ id, text, direction }: ResetRule, g: number, time: number): EngineError =>
  new EngineError({
    code: 'reset-beyond-guard',
    message: `At t = ${time} s the reset “${id}” leaves the state beyond its guard: “${text}” is ${g} behind it, and a ${direction > 0 ? 'rising' : 'falling'} passage cannot come again from there.`,
    where: id,
    time,
    remedy: `Change the reset map so that the guard is ${direction > 0 ? 'below' : 'above'} zero behind it, or the direction of the guard.`,
  });

const endless = ({ id }: ResetRule, time: number): EngineError =>
  new EngineError({
    code: 'endless-resets',
    message: `At t = ${time} s resets call each other without end, “${id}” among them.`,
    where: id,
    time,
    remedy: 'Change the reset maps so that none of them pushes another system across its guard for ever.',
  });

const conflict = (first: ResetRule, second: ResetRule, time: number): EngineError =>
  new EngineError({
    code: 'resets-conflict',
    message: `At t = ${time} s the resets “${first.id}” and “${second.id}” set the same state at once to different values, and the result would depend on their order.`,
    where: second.id,
    time,
    remedy: 'Make one reset of the two, or keep their guards from passing zero together.',
  });
