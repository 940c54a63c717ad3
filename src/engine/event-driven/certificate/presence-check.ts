/**
 * Whether rows that come and go are there at a row of the result, as the certificate has it: by their
 * conditions, evaluated once more, and of latches by what they have carried since. Rows are seen in the
 * order of time.
 */
import type { PresenceRule } from '../../model/settings/presences';
import { sideWidth } from '../events-manager';

/**
 * `open` at the passage of a condition and within its hysteresis: either may be. `ended` of a latch that has
 * carried something until now: it may have gone in this very event.
 */
type Answer = 'yes' | 'open' | 'ended' | 'no';

/** Conditions below this are at their passage, and what is carried is nothing below this part of its most. */
const AT_PASSAGE = 1e-9;

const OPPOSITE: Readonly<Record<Answer, Answer>> = {
  yes: 'no',
  open: 'open',
  ended: 'ended',
  no: 'yes',
};

export class EventPresenceCheck {
  readonly #answers: Answer[];
  /** of latches, whether they carried something last: `open` where that is not known */
  readonly #carried: Answer[];
  /** largest of what each has carried, and of opposites largest multipliers */
  readonly #most: Float64Array;
  /** by row, conditions that it has */
  readonly #ofRow: readonly (readonly number[])[];
  readonly #value = new Float64Array(1);
  readonly #side: Float64Array;

  /** @param rows of the model @param size of a row of the result */
  constructor(
    private readonly rules: readonly PresenceRule[],
    { rows, size }: { readonly rows: number; readonly size: number },
  ) {
    this.#answers = rules.map(() => 'open');
    this.#carried = rules.map(({ isAtStart }) => (isAtStart ? 'open' : 'no'));
    this.#most = new Float64Array(rules.length);
    const ofRow = Array.from({ length: rows }, (): number[] => []);
    rules.forEach(({ first, end }, k) => {
      for (let row = first; row < end; row++) ofRow[row].push(k);
    });
    this.#ofRow = ofRow;
    this.#side = new Float64Array(rules.length > 0 ? size : 0);
  }

  has(row: number): boolean {
    return this.#ofRow[row].length > 0;
  }

  /** What latches have carried is not known where the certificate begins within a run. */
  forget(): void {
    this.#carried.fill('open');
  }

  begin(row: Float64Array): void {
    for (let k = 0; k < this.rules.length; k++) {
      const { unless } = this.rules[k];
      this.#answers[k] = unless < 0 ? this.#ask(k, row) : OPPOSITE[this.#answers[unless]];
    }
  }

  #ask(k: number, row: Float64Array): Answer {
    const rule = this.rules[k];
    const holds = this.#holds(rule, row);
    if (rule.latch === null) return holds;
    const carried = row[rule.latch.carries === 'output' ? rule.latch.y : rule.latch.lambda];
    this.#most[k] = Math.max(this.#most[k], Math.abs(carried));
    // Where the condition ends, a latch that carried is still there: only what it carries may let it go.
    const stays = holds === 'no' || (holds === 'open' && this.#carried[k] === 'yes');
    const answer = stays ? this.#carried[k] : holds;
    const carries = carried > AT_PASSAGE * this.#most[k];
    this.#carried[k] = holds === 'yes' || (carries && answer !== 'no') ? 'yes' : 'no';
    return stays && answer === 'yes' && !carries ? 'ended' : answer;
  }

  /**
   * Whether the law of a row is asked for.
   * @param force its multiplier
   * @returns `wrong` where the row is not there and has a multiplier
   */
  of(row: number, force: number): 'yes' | 'no' | 'wrong' {
    let isOpen = false;
    for (const k of this.#ofRow[row]) {
      const answer = this.#answers[k];
      if (answer === 'open') isOpen = true;
      else if (answer === 'ended' && this.#blocksForwards(k, force)) return 'wrong';
      if (answer !== 'no') continue;
      const isNothing = this.rules[k].latch?.carries === 'multiplier' ? AT_PASSAGE * this.#most[k] : 0;
      return Math.abs(force) > isNothing ? 'wrong' : 'no';
    }
    return isOpen && force === 0 ? 'no' : 'yes';
  }

  /** Whether an opposite of a latch that has just ended has a multiplier that the latch would not have. */
  #blocksForwards(k: number, force: number): boolean {
    if (this.rules[k].unless < 0) return false;
    this.#most[k] = Math.max(this.#most[k], Math.abs(force));
    return force < -AT_PASSAGE * this.#most[k];
  }

  /** Whether a condition holds. */
  #holds(rule: PresenceRule, row: Float64Array): Answer {
    // A condition that jumps with time has two sides there, and the row may be of either.
    const side = this.#side;
    side.set(row);
    let [least, most] = [Infinity, -Infinity];
    for (const part of [-1, 0, 1]) {
      side[0] = row[0] + part * sideWidth(row[0]);
      rule.evaluate(side, this.#value);
      least = Math.min(least, this.#value[0]);
      most = Math.max(most, this.#value[0]);
    }
    const zero = AT_PASSAGE * Math.max(1, rule.hysteresis);
    if (least > rule.hysteresis + zero) return 'yes';
    return most >= -zero ? 'open' : 'no';
  }
}
