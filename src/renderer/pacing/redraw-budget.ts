/**
 * Shares the time of the window between what streams in and the user.
 *
 * A run tells of its progress ten times a second, and each time the figures and all plots could be redrawn.
 * Drawn without a graphics card on a busy machine that takes longer than a tenth of a second, and nothing
 * would be left for the wheel and the keys. So updates that the user did not request take turns: one at a
 * time, never two in one frame, and after each the window rests for a multiple of what it cost. The share of
 * the time that goes into it is then bounded on every machine: cost/(cost + REST_PER_COST·cost) = 1/(1 +
 * REST_PER_COST).
 */
import type { Frames } from './frames';

/** Rest after a change, in multiples of its cost: a quarter of the time is drawn, at most. */
const REST_PER_COST = 3;
/** Longest rest, ms: a single hiccup must not stop the plots. */
const LONGEST_REST = 1500;

/** What takes a turn: it ends when the window has been changed. It must not throw. */
export type DrawTurn = () => void | Promise<void>;

export class RedrawBudget {
  readonly #frames: Frames;
  /** in the order in which they take their turn */
  readonly #waiting = new Map<object, DrawTurn>();
  /** pending while a change is being drawn */
  #drawing: Promise<void> | null = null;
  /** ms */
  #restUntil = -Infinity;
  #isWorking = false;

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  /**
   * Has `turn` called when it is its time, at once in a window at rest. It replaces one of the same key that
   * still waits.
   */
  request(key: object, turn: DrawTurn): void {
    this.#waiting.set(key, turn);
    if (!this.#isWorking) void this.#work();
  }

  /** What waits under the key is not wanted any more. */
  withdraw(key: object): void {
    this.#waiting.delete(key);
  }

  /**
   * To be called right before a change of what the window shows, also one that the user asked for: all that
   * it costs until it has been painted is charged.
   */
  charge(): void {
    this.#drawing ??= this.#measure().finally(() => (this.#drawing = null));
  }

  async #measure(): Promise<void> {
    const began = this.#frames.now();
    // Asked for before the change is made, so that it is the frame of the change.
    const painted = this.#frames.painted();
    await this.#frames.flushed();
    const flushed = this.#frames.now();
    const frame = await painted;
    const end = this.#frames.now();
    // The time between the two is the screen's and not ours.
    const cost = flushed - began + (end - Math.max(flushed, frame));
    this.#restUntil = end + Math.min(LONGEST_REST, REST_PER_COST * cost);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      for (;;) {
        if (this.#drawing !== null) await this.#drawing;
        const rest = this.#restUntil - this.#frames.now();
        if (rest > 0) {
          await this.#frames.elapsed(rest);
          // Meanwhile the user may have had something drawn.
          continue;
        }
        const [next] = this.#waiting;
        if (next === undefined) return;
        const [key, turn] = next;
        this.#waiting.delete(key);
        const done = turn();
        if (done !== undefined) await done;
      }
    } finally {
      this.#isWorking = false;
    }
  }
}
