/**
 * The resets of a run: on which side of zero each guard is, and what happens where one has passed it. A
 * passage may be a root that the integration has found, or a jump: another reset, an impact, a source. Of one
 * instant all resets that are due set their systems from the same state before it; what these jumps push
 * across other guards follows in the next round, until nothing more is due.
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
  readonly #value = new Float64Array(1);
  readonly #maps: readonly Float64Array[];
  /** by system: the reset that sets it in this round, −1 where none does */
  readonly #setBy: Int32Array;
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
    this.#maps = rules.map(({ size }) => new Float64Array(size));
    this.#setBy = new Int32Array(systems);
  }

  /** What counts as zero in a guard: more than a located passage has left of it. */
  zero(k: number): number {
    return Math.max(ZERO * this.#sizes[k], this.#located[k]);
  }

  /** As before the start. */
  clear(): void {
    this.sides.fill(0);
    this.counts.fill(0);
    this.#sizes.fill(0);
    this.#located.fill(0);
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
   * @returns whether one is due
   */
  look(row: Float64Array): boolean {
    this.read(row);
    let isAny = false;
    for (let k = 0; k < this.rules.length; k++) {
      const g = this.values[k];
      const side = this.sides[k];
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
   * @param set writes the state of a system
   * @throws {EngineError} where two set one system, a map is not finite, or there is no end of it
   */
  fire(row: Float64Array, set: (system: number, x: Float64Array) => void): void {
    const { rules, isDue } = this;
    this.#setBy.fill(-1);
    if (++this.#rounds > MOST_ROUNDS) throw endless(rules[isDue.indexOf(1)], row[0]);
    for (let k = 0; k < rules.length; k++) {
      if (isDue[k] === 0) continue;
      const rule = rules[k];
      const other = this.#setBy[rule.system];
      if (other >= 0) throw conflict(rules[other], rule, row[0]);
      this.#setBy[rule.system] = k;
      const map = this.#maps[k];
      rule.map(row, map);
      for (const x of map) if (!Number.isFinite(x)) throw notFinite(rule, 'reset map', x, row[0]);
      this.counts[k]++;
    }
    for (let k = 0; k < rules.length; k++) if (isDue[k] === 1) set(rules[k].system, this.#maps[k]);
  }

  /**
   * What is due behind a round.
   * @param row of the state behind it
   * @returns whether something is
   * @throws {EngineError} where a reset has left a guard of its own state beyond zero
   */
  settle(row: Float64Array): boolean {
    const { rules, isDue, values } = this;
    this.read(row);
    for (let k = 0; k < rules.length; k++) {
      if (isDue[k] === 0) continue;
      isDue[k] = 0;
      const { direction, readsOwn } = rules[k];
      const g = values[k];
      const isAtZero = Math.abs(g) <= this.zero(k);
      const isBeyond = direction !== 0 && !isAtZero && Math.sign(g) === direction;
      if (readsOwn && isBeyond) throw beyond(rules[k], g, row[0]);
      // At zero a guard of the state that has jumped is where it can be passed from; others have been passed.
      if (!isAtZero) this.sides[k] = Math.sign(g);
      else if (readsOwn) this.sides[k] = -direction;
    }
    return this.look(row);
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
    };
  }

  /** Goes on from what a model with the same resets has left. */
  load({ sides, counts, sizes, located }: ResetMemory): void {
    this.sides.set(sides);
    this.counts.set(counts);
    this.#sizes.set(sizes);
    this.#located.set(located);
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
    message: `At t = ${time} s the resets “${first.id}” and “${second.id}” set the same system at once, and the result would depend on their order.`,
    where: second.id,
    time,
    remedy: 'Make one reset of the two, or keep their guards from passing zero together.',
  });
