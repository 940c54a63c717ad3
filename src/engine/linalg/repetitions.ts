/**
 * A loop around the solution of a step that knows nothing of it: what the solution was posed with, such as
 * rows, loads or the constraints that take part, is found again at its end, and the step is solved with that
 * until it stays, to rounding.
 */

/** A relative change below this is rounding. */
const ROUNDING = 1e-14;
/** What a solver leaves may keep changes above that; then the one that is no longer halved ends it. */
const STAGNANT = 1e-9;

export class Repetitions {
  /** in this step, without those that constraints have been added in */
  count = 0;
  /** [0] the last change */
  readonly #last = new Float64Array(1);

  /** @param limit of repetitions in a step */
  constructor(readonly limit: number) {}

  /** At the start of a step, or where it has become another one. */
  begin(): void {
    this.count = 0;
    this.#last[0] = Number.POSITIVE_INFINITY;
  }

  /**
   * @param change of what is found again, relative to its size
   * @param hasGrown whether more constraints take part from now on: that ends by itself, and is not counted
   * @returns `exceeded` where the limit has been reached and it still changes
   */
  next(change: number, hasGrown = false): 'done' | 'again' | 'exceeded' {
    const before = this.#last[0];
    this.#last[0] = hasGrown ? Number.POSITIVE_INFINITY : change;
    if (hasGrown) return 'again';
    if (change <= ROUNDING || (change <= STAGNANT && change > 0.5 * before)) return 'done';
    return ++this.count >= this.limit ? 'exceeded' : 'again';
  }
}
