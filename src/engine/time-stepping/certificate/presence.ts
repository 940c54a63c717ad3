/**
 * Which rows are there in a step, as the certificate has it: the conditions are evaluated once more
 * from the recorded state at the start of the step. Rows of what is absent must not push.
 */
import { isThereAtStart, isThereNext, type PresenceRule } from '../../model/settings/presences';

export class PresenceCheck {
  /** 1 for rows that are there in the step */
  readonly isThere: Uint8Array;
  readonly #isThere: Uint8Array;
  readonly #value = new Float64Array(1);

  constructor(
    private readonly rules: readonly PresenceRule[],
    count: number,
  ) {
    this.isThere = new Uint8Array(count).fill(1);
    this.#isThere = new Uint8Array(rules.length).fill(1);
  }

  /**
   * Looks at the state at the start of a step.
   * @param isFirst whether nothing has been before it
   * @param lambda multipliers; those of rows that go become zero
   * @returns whether something has gone
   */
  begin(row: Float64Array, isFirst: boolean, lambda: Float64Array): boolean {
    let hasGone = false;
    this.rules.forEach((rule, k) => {
      rule.evaluate(row, this.#value);
      const [c] = this.#value;
      const was = isFirst ? isThereAtStart(rule, c) : this.#isThere[k] === 1;
      const is =
        rule.unless >= 0 ? this.#isThere[rule.unless] === 0 : isThereNext(rule, was, c, row, isFirst);
      this.#isThere[k] = is ? 1 : 0;
    });
    this.#mark();
    for (let r = 0; r < this.isThere.length; r++)
      if (this.isThere[r] === 0 && lambda[r] !== 0) {
        hasGone = true;
        lambda[r] = 0;
      }
    return hasGone;
  }

  /**
   * Takes rows out of those that take part.
   * @param isJudged 1 for rows of which the gap has said whether they do
   */
  apply(active: Uint8Array, isJudged: Uint8Array): void {
    for (let row = 0; row < active.length; row++) {
      if (this.isThere[row] === 0) active[row] = 0;
      else if (isJudged[row] === 0) active[row] = 1;
    }
  }

  save(): Uint8Array {
    return this.#isThere.slice();
  }

  load(isThere: Uint8Array): void {
    this.#isThere.set(isThere);
    this.#mark();
  }

  #mark(): void {
    this.isThere.fill(1);
    this.rules.forEach(({ first, end }, k) => {
      if (this.#isThere[k] === 0) this.isThere.fill(0, first, end);
    });
  }
}
