/**
 * Run updates on their way to the window. A change of state is delivered at once; progress is held until it
 * is its turn, and only the newest is delivered.
 */
import type { RunInfo } from '@contract/methods';
import type { RedrawBudget } from './redraw-budget';

export class RunNews {
  readonly #budget: RedrawBudget;
  readonly #stateOf: (runId: string) => RunInfo['state'] | undefined;
  readonly #tell: (runs: readonly RunInfo[]) => void;
  /** newest undelivered update of each run */
  readonly #held = new Map<string, RunInfo>();

  /**
   * @param stateOf state in which the window knows a run; undefined where it does not
   * @param tell takes what the window shows from now on
   */
  constructor(
    budget: RedrawBudget,
    stateOf: (runId: string) => RunInfo['state'] | undefined,
    tell: (runs: readonly RunInfo[]) => void,
  ) {
    this.#budget = budget;
    this.#stateOf = stateOf;
    this.#tell = tell;
  }

  hear(run: RunInfo): void {
    if (this.#stateOf(run.runId) !== run.state) {
      this.tell(run);
      return;
    }
    this.#held.set(run.runId, run);
    this.#budget.request(this, () => this.#tellHeld());
  }

  /** The answer to a user action on a run is delivered at once. */
  tell(run: RunInfo): void {
    // What is held of it is older.
    this.#held.delete(run.runId);
    this.#budget.charge();
    this.#tell([run]);
  }

  /** What is held is out of date: the list has been read again. */
  clear(): void {
    this.#held.clear();
  }

  #tellHeld(): void {
    if (this.#held.size === 0) return;
    const runs = [...this.#held.values()];
    this.#held.clear();
    this.#budget.charge();
    this.#tell(runs);
  }
}
