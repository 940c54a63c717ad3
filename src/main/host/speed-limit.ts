/** Keeps a run from being faster than it is to be watched at. */

/** A run under a limit computes at least so often, ms: curves and animations are to move smoothly. */
const BEAT_MS = 40;

export class SpeedLimit {
  /** simulated seconds in one of wall time; null as fast as possible */
  #speed: number | null;
  /** wall time, ms, and simulated time, s, from which the limit counts */
  #since = 0;
  #from = 0;

  constructor(speed: number | null) {
    this.#speed = speed;
  }

  set(speed: number | null, now: number, time: number): void {
    this.#speed = speed;
    this.start(now, time);
  }

  /** The run begins to compute, or goes on. */
  start(now: number, time: number): void {
    this.#since = now;
    this.#from = time;
  }

  /** Simulated time that may be reached now, s. */
  allowed(now: number): number {
    return this.#speed === null ? Infinity : this.#from + (this.#speed * (now - this.#since)) / 1000;
  }

  /** How long to wait before going on from a simulated time, ms; 0 where the run is late. */
  delay(now: number, time: number): number {
    if (this.#speed === null || time < this.allowed(now)) return 0;
    const due = this.#since + (1000 * (time - this.#from)) / this.#speed;
    return Math.max(BEAT_MS, due - now);
  }
}
