/** Differences of several signals, gathered time by time without allocating. */
import type { SignalDifference } from './comparison';

/** Fraction of its scale by which a signal may be off and still agree. */
const AGREEMENT = 0.01;

/** @param scale of a signal @returns difference up to which two runs agree in it */
export const agreement = (scale: number): number => AGREEMENT * scale;

export class SignalSums {
  readonly #names: readonly string[];
  readonly #limits: Float64Array;
  readonly #maximum: Float64Array;
  readonly #maximumTime: Float64Array;
  readonly #awayMaximum: Float64Array;
  readonly #awayTime: Float64Array;
  /** ∫ |difference| dt, and the time over which it was taken */
  readonly #integral: Float64Array;
  readonly #duration: Float64Array;
  /** |difference| at the time before; not a number where there is none */
  readonly #last: Float64Array;
  readonly #agreesUntil: Float64Array;
  readonly #disagrees: Uint8Array;
  readonly #notFinite: Float64Array;
  readonly #lastTime = new Float64Array(1);

  /** @param names of the signals; @param limits differences up to which they agree; @param from begin of the comparison, s */
  constructor(names: readonly string[], limits: Float64Array, from: number) {
    const { length } = names;
    const none = (): Float64Array => new Float64Array(length).fill(Number.NaN);
    this.#names = names;
    this.#limits = limits;
    this.#maximum = new Float64Array(length);
    this.#maximumTime = none();
    this.#awayMaximum = new Float64Array(length);
    this.#awayTime = none();
    this.#integral = new Float64Array(length);
    this.#duration = new Float64Array(length);
    this.#last = none();
    this.#agreesUntil = new Float64Array(length).fill(from);
    this.#disagrees = new Uint8Array(length);
    this.#notFinite = new Float64Array(length);
    this.#lastTime[0] = from;
  }

  /** @param difference by signal; @param isAway whether no jump is near */
  add(time: number, difference: Float64Array, isAway: boolean): void {
    const dt = time - this.#lastTime[0];
    this.#lastTime[0] = time;
    for (let k = 0; k < difference.length; k++) {
      const magnitude = Math.abs(difference[k]);
      if (!(magnitude < Infinity)) {
        this.#notFinite[k]++;
        this.#last[k] = Number.NaN;
        continue;
      }
      if (magnitude > this.#maximum[k] || Number.isNaN(this.#maximumTime[k])) {
        this.#maximum[k] = magnitude;
        this.#maximumTime[k] = time;
      }
      if (isAway) this.#addAway(k, time, magnitude);
      if (!Number.isNaN(this.#last[k])) {
        this.#integral[k] += 0.5 * (this.#last[k] + magnitude) * dt;
        this.#duration[k] += dt;
      }
      this.#last[k] = magnitude;
    }
  }

  #addAway(k: number, time: number, magnitude: number): void {
    if (magnitude > this.#awayMaximum[k] || Number.isNaN(this.#awayTime[k])) {
      this.#awayMaximum[k] = magnitude;
      this.#awayTime[k] = time;
    }
    if (magnitude > this.#limits[k]) this.#disagrees[k] = 1;
    if (this.#disagrees[k] === 0) this.#agreesUntil[k] = time;
  }

  /** @param to end of the comparison, s */
  result(to: number): SignalDifference[] {
    const timeOr = (time: number): number | null => (Number.isNaN(time) ? null : time);
    return this.#names.map((name, k) => ({
      name,
      maximum: this.#maximum[k],
      maximumTime: timeOr(this.#maximumTime[k]),
      awayMaximum: this.#awayMaximum[k],
      awayMaximumTime: timeOr(this.#awayTime[k]),
      // A single time has no duration, and the mean over it is its value.
      mean: this.#duration[k] > 0 ? this.#integral[k] / this.#duration[k] : this.#maximum[k],
      agreesUntil: this.#disagrees[k] === 0 ? to : this.#agreesUntil[k],
      notFinite: this.#notFinite[k],
    }));
  }
}
