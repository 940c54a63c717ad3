/**
 * Resets at the ends of steps: where a guard has passed zero in a step, its system jumps at the end of it,
 *
 *     x_{k+1} = R(t_{k+1}, x⁻_{k+1}),
 *
 * where x⁻ is what the step leads to. The passage lies up to h before, so that times of resets, and states
 * after them, are of order 1 in h. A guard that has passed zero and come back within one step is not seen.
 */
import type { StepContext } from '../integrators/step';
import { ResetGuards, type ResetMemory } from '../model/resets/guards';
import type { ResetRule } from '../model/resets/reset';
import type { StatePlaces } from '../model/state-places';

/** Steps in a row that end with the same reset before that is said. */
const MANY_IN_A_ROW = 100;

/** What judges a round of resets. */
interface Judge {
  reset(before: Float64Array, after: Float64Array): void;
}

export class StepResets {
  readonly #guards: ResetGuards;
  readonly #before: Float64Array;
  /** steps in a row that have ended with each reset, and the most of them */
  readonly #inRow: Int32Array;
  readonly #mostInRow: Int32Array;
  readonly #counted: Float64Array;

  /** @returns null where no state jumps */
  static create(
    rules: readonly ResetRule[],
    { state, offsets }: Pick<StepContext, 'state' | 'offsets'>,
    { q, resets }: Pick<StatePlaces, 'q' | 'resets'>,
  ): StepResets | null {
    if (rules.length === 0) return null;
    const first = offsets.map((offset) => q + offset);
    return new StepResets(rules, state, first, resets);
  }

  private constructor(
    rules: readonly ResetRule[],
    private readonly state: Float64Array,
    /** first state of each system in a row */
    private readonly first: Int32Array,
    /** first number of resets in a row */
    private readonly counts: number,
  ) {
    this.#guards = new ResetGuards(rules, first.length);
    this.#before = new Float64Array(state.length);
    this.#inRow = new Int32Array(rules.length);
    this.#mostInRow = new Int32Array(rules.length);
    this.#counted = new Float64Array(rules.length);
  }

  start(): void {
    this.#guards.start(this.state);
    this.write();
  }

  write(): void {
    this.#guards.write(this.state, this.counts);
  }

  save(): ResetMemory {
    return this.#guards.save();
  }

  /** Goes on from what was; of a model with other resets nothing is known. */
  load(memory: ResetMemory | null): void {
    if (memory?.counts.length === this.#guards.counts.length) this.#guards.load(memory);
  }

  /**
   * Resets what is due at the present state.
   * @returns whether something has jumped
   * @throws {EngineError} see `ResetGuards`
   */
  apply(judge: Judge): boolean {
    const { state } = this;
    const guards = this.#guards;
    guards.begin();
    this.#counted.set(guards.counts);
    const isDue = guards.look(state);
    if (isDue) this.#fire(judge);
    for (let k = 0; k < this.#inRow.length; k++) {
      this.#inRow[k] = guards.counts[k] > this.#counted[k] ? this.#inRow[k] + 1 : 0;
      this.#mostInRow[k] = Math.max(this.#mostInRow[k], this.#inRow[k]);
    }
    return isDue;
  }

  #fire(judge: Judge): void {
    const { state, first } = this;
    const guards = this.#guards;
    do {
      this.#before.set(state);
      guards.fire(this.#before, (system, x) => {
        state.set(x, first[system]);
      });
      this.write();
      judge.reset(this.#before, state);
    } while (guards.settle(state));
  }

  /** Resets that a finer step would repeat more often: their number is none of the model. */
  get findings(): readonly string[] {
    return this.#guards.rules.flatMap(({ id }, k) =>
      this.#mostInRow[k] < MANY_IN_A_ROW
        ? []
        : [
            `“${id}” has acted at the end of ${this.#mostInRow[k]} steps in a row: its map leaves the guard where it is passed again at once, and the number of resets is that of steps. Bring the guard back from zero.`,
          ],
    );
  }
}
