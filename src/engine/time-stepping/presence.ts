/**
 * Rows that come and go: those of an interaction, or of a part of its law. At the start of a step what has a
 * condition c is there or not:
 *
 *     present:  stays where c ≥ 0;      absent:  comes where c ≥ δ.
 *
 * A latch stays as well while its row carries something, by y and λ of the step before.
 *
 * The rows of what is absent take no part in the one-step problem: W has the pattern that it has in a model
 * without them. Their multipliers are zero, also the r_k that θ_r hands on. What they were in the last step
 * is kept, and is the guess of the step in which they come back.
 *
 * A constraint that comes with a velocity it does not allow is an inelastic impact: the step projects the
 * velocity onto the constraint in the metric of the mass.
 */
import { EngineError } from '../errors';
import { isThereAtStart, isThereNext, type PresenceRule, writePresence } from '../model/settings/presences';

/** What lasts of it from step to step. */
export interface PresenceState {
  /** by condition */
  readonly isPresent: Uint8Array;
  /** multipliers of absent rows when they were there last, by row */
  readonly kept: Float64Array;
  /** whether no step has been taken since the start */
  readonly isFirst: boolean;
}

export class Presence {
  /** 1 for rows that are there */
  readonly rows: Uint8Array;
  /** rows with a condition, or several */
  readonly conditioned: Int32Array;
  readonly #isPresent: Uint8Array;
  readonly #kept: Float64Array;
  readonly #value = new Float64Array(1);
  #isStart = false;
  /** whether no step has been taken since the start */
  #isFirst = false;
  /** `rows` before the last decision */
  readonly #before: Uint8Array;

  /** @param count rows of all interactions */
  constructor(
    private readonly rules: readonly PresenceRule[],
    count: number,
  ) {
    this.rows = new Uint8Array(count).fill(1);
    this.#before = new Uint8Array(count).fill(1);
    this.#kept = new Float64Array(count);
    this.#isPresent = new Uint8Array(rules.length).fill(1);
    const isConditioned = new Uint8Array(count);
    for (const { first, end } of rules) isConditioned.fill(1, first, end);
    this.conditioned = Int32Array.from([...isConditioned.keys()].filter((row) => isConditioned[row] === 1));
  }

  /**
   * Decides for the step that begins.
   * @param row present state
   * @param time of it, s
   * @returns whether something has come or gone
   * @throws {EngineError} where a condition has no value
   */
  decide(row: Float64Array, time: number): boolean {
    let hasChanged = false;
    for (let k = 0; k < this.rules.length; k++) {
      const rule = this.rules[k];
      rule.evaluate(row, this.#value);
      const c = this.#value[0];
      if (Number.isNaN(c)) throw noValue(rule, time);
      const isPresent = this.#isNext(k, c, row);
      if (isPresent === this.#isPresent[k]) continue;
      hasChanged = true;
      this.#isPresent[k] = isPresent;
    }
    this.#isFirst = false;
    this.#mark();
    return hasChanged;
  }

  #isNext(k: number, c: number, row: Float64Array): 0 | 1 {
    const rule = this.rules[k];
    if (rule.unless >= 0) return this.#isPresent[rule.unless] === 1 ? 0 : 1;
    if (this.#isStart) return isThereAtStart(rule, c) ? 1 : 0;
    return isThereNext(rule, this.#isPresent[k] === 1, c, row, this.#isFirst) ? 1 : 0;
  }

  /** Decides at the start of a run. */
  start(row: Float64Array, time: number): void {
    this.#isPresent.fill(1);
    this.rows.fill(1);
    this.#isStart = true;
    this.decide(row, time);
    this.#isStart = false;
    this.#isFirst = true;
  }

  /** A row is there where all of its conditions let it be. */
  #mark(): void {
    const { rules, rows } = this;
    this.#before.set(rows);
    rows.fill(1);
    for (let k = 0; k < rules.length; k++)
      if (this.#isPresent[k] === 0) rows.fill(0, rules[k].first, rules[k].end);
  }

  /** Keeps the multipliers of what has gone, which act no more. */
  takeOut(lambda: Float64Array): void {
    for (const row of this.conditioned)
      if (this.#before[row] === 1 && this.rows[row] === 0) {
        this.#kept[row] = lambda[row];
        lambda[row] = 0;
      }
  }

  /** Hands those back of what has come, as a guess. */
  putBack(lambda: Float64Array): void {
    for (const row of this.conditioned)
      if (this.#before[row] === 0 && this.rows[row] === 1) lambda[row] = this.#kept[row];
  }

  /** Who is there, into a row. @param first place of the first of them */
  write(row: Float64Array, first: number): void {
    writePresence(this.rules, this.#isPresent, row, first);
  }

  save(): PresenceState {
    return { isPresent: this.#isPresent.slice(), kept: this.#kept.slice(), isFirst: this.#isFirst };
  }

  load({ isPresent, kept, isFirst }: PresenceState): void {
    this.#isFirst = isFirst;
    this.#isPresent.set(isPresent);
    this.#mark();
    this.#kept.set(kept);
  }
}

const noValue = ({ id, name }: PresenceRule, time: number): EngineError =>
  new EngineError({
    code: 'presence-without-value',
    message: `The condition of “${name}” has no value at t = ${time} s.`,
    where: id,
    time,
    remedy: 'Change the condition so that it has a value everywhere, or start elsewhere.',
  });
