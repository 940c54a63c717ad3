/**
 * Interactions that come and go. At the start of a step each one with a condition c is there or not:
 *
 *     present:  stays where c ≥ 0;      absent:  comes where c ≥ δ.
 *
 * The rows of what is absent take no part in the one-step problem: W has the pattern that it has in a model
 * without them. Their multipliers are zero, also the r_k that θ_r hands on. What they were in the last step
 * is kept, and is the guess of the step in which they come back.
 *
 * A constraint that comes with a velocity it does not allow is an inelastic impact: the step projects the
 * velocity onto the constraint in the metric of the mass.
 */
import { EngineError } from '../errors';
import type { PresenceRule } from '../model/settings/presences';

/** What lasts of it from step to step. */
export interface PresenceState {
  /** by interaction with a condition */
  readonly isPresent: Uint8Array;
  /** multipliers of absent rows when they were there last, by row */
  readonly kept: Float64Array;
}

export class Presence {
  /** 1 for rows that are there */
  readonly rows: Uint8Array;
  /** rows of interactions with a condition */
  readonly conditioned: Int32Array;
  readonly #isPresent: Uint8Array;
  readonly #kept: Float64Array;
  readonly #value = new Float64Array(1);
  /** 1 for interactions that have come or gone in the last decision */
  readonly #isChanged: Uint8Array;

  /** @param offsets first row of each interaction */
  constructor(
    private readonly rules: readonly PresenceRule[],
    private readonly offsets: Int32Array,
  ) {
    const count = offsets[offsets.length - 1];
    this.rows = new Uint8Array(count).fill(1);
    this.#kept = new Float64Array(count);
    this.#isPresent = new Uint8Array(rules.length).fill(1);
    this.#isChanged = new Uint8Array(rules.length);
    this.conditioned = Int32Array.from(
      rules.flatMap(({ interaction }) =>
        Array.from(
          { length: offsets[interaction + 1] - offsets[interaction] },
          (_, k) => offsets[interaction] + k,
        ),
      ),
    );
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
      const isPresent = c >= (this.#isPresent[k] === 1 ? 0 : rule.hysteresis) ? 1 : 0;
      this.#isChanged[k] = isPresent === this.#isPresent[k] ? 0 : 1;
      if (this.#isChanged[k] === 0) continue;
      hasChanged = true;
      this.#set(k, isPresent);
    }
    return hasChanged;
  }

  /** Decides at the start of a run, where an interaction is there if c ≥ 0. */
  start(row: Float64Array, time: number): void {
    this.#isPresent.fill(1);
    this.rows.fill(1);
    this.decide(row, time);
  }

  #set(k: number, isPresent: number): void {
    const { interaction } = this.rules[k];
    this.#isPresent[k] = isPresent;
    this.rows.fill(isPresent, this.offsets[interaction], this.offsets[interaction + 1]);
  }

  /** Keeps the multipliers of what has gone, which act no more. */
  takeOut(lambda: Float64Array): void {
    this.#ofChanged(0, (row) => {
      this.#kept[row] = lambda[row];
      lambda[row] = 0;
    });
  }

  /** Hands those back of what has come, as a guess. */
  putBack(lambda: Float64Array): void {
    this.#ofChanged(1, (row) => {
      lambda[row] = this.#kept[row];
    });
  }

  #ofChanged(isPresent: number, act: (row: number) => void): void {
    for (let k = 0; k < this.rules.length; k++) {
      if (this.#isChanged[k] === 0 || this.#isPresent[k] !== isPresent) continue;
      const { interaction } = this.rules[k];
      for (let row = this.offsets[interaction]; row < this.offsets[interaction + 1]; row++) act(row);
    }
  }

  /** Whether an interaction is there. */
  has(interaction: number): boolean {
    const row = this.offsets[interaction];
    return row === this.offsets[interaction + 1] || this.rows[row] === 1;
  }

  /** Who is there, into a row. @param first place of the first of them */
  write(row: Float64Array, first: number): void {
    for (let k = 0; k < this.#isPresent.length; k++) row[first + k] = this.#isPresent[k];
  }

  save(): PresenceState {
    return { isPresent: this.#isPresent.slice(), kept: this.#kept.slice() };
  }

  load({ isPresent, kept }: PresenceState): void {
    isPresent.forEach((is, k) => {
      this.#set(k, is);
    });
    this.#kept.set(kept);
  }
}

const noValue = ({ id }: PresenceRule, time: number): EngineError =>
  new EngineError({
    code: 'presence-without-value',
    message: `The condition of “${id}” has no value at t = ${time} s.`,
    where: id,
    time,
    remedy: 'Change the condition so that it has a value everywhere, or start elsewhere.',
  });
