/** How long a worker has been silent, and how the process grows meanwhile. */
import { GrowthMeter } from './memory';

/** A running worker that completed no slice for this long gets a warning, ms. */
const STALL_MS = 2000;

export class Silence {
  #beat = 0;
  #since = performance.now();
  #stalledSeconds = 0;
  readonly #growth = new GrowthMeter();

  /** Full seconds of silence when that was looked at last; 0 while it is short. */
  get stalledSeconds(): number {
    return this.#stalledSeconds;
  }

  /** The worker has said something, or got something to do. */
  break(): void {
    this.#since = performance.now();
    this.#growth.reset();
  }

  /** Another phase of the run: what was noticed in the last one counts no more. */
  begin(): void {
    this.#stalledSeconds = 0;
    this.break();
  }

  /** @param beat a number that changes with each slice @returns what is new */
  look(beat: number): 'nothing' | 'stalled seconds' | 'out of memory' {
    if (beat !== this.#beat) {
      this.#beat = beat;
      this.break();
    }
    if (this.#growth.exceeded()) return 'out of memory';
    const silent = performance.now() - this.#since;
    const seconds = silent >= STALL_MS ? Math.floor(silent / 1000) : 0;
    if (seconds === this.#stalledSeconds) return 'nothing';
    this.#stalledSeconds = seconds;
    return 'stalled seconds';
  }
}
