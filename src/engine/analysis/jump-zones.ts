/** Times at which two runs stand on different sides of a jump, so that their difference is as large as the jump. */
import type { ImpactPairs } from './impact-matching';

/** Steps around each impact: time-stepping jumps at the end of the step after the one in which the gap closes. */
const ZONE_STEPS = 2;

/**
 * The union of intervals. A time lies in it when more of them have begun than have ended; so beginnings and ends are
 * sorted each for itself, and intervals need not be merged.
 */
export class JumpZones {
  readonly #begins: Float64Array;
  readonly #ends: Float64Array;
  #begun = 0;
  #ended = 0;

  /**
   * @param impacts of the reference by contact, s
   * @param pairs impacts of both runs that belong together, by contact, s
   * @param step what the coarser of the two runs resolves, s
   */
  constructor(impacts: readonly Float64Array[], pairs: readonly ImpactPairs[], step: number) {
    const margin = ZONE_STEPS * step;
    const count = [...impacts, ...pairs.map(({ reference }) => reference)].reduce(
      (n, { length }) => n + length,
      0,
    );
    this.#begins = new Float64Array(count);
    this.#ends = new Float64Array(count);
    let at = 0;
    const add = (a: number, b: number): void => {
      this.#begins[at] = Math.min(a, b) - margin;
      this.#ends[at++] = Math.max(a, b) + margin;
    };
    for (const times of impacts) for (let i = 0; i < times.length; i++) add(times[i], times[i]);
    for (const { reference, other } of pairs)
      for (let i = 0; i < reference.length; i++) add(reference[i], other[i]);
    this.#begins.sort();
    this.#ends.sort();
  }

  /** Whether a time lies in a zone. Times must be asked for in ascending order. */
  contains(time: number): boolean {
    while (this.#begun < this.#begins.length && this.#begins[this.#begun] <= time) this.#begun++;
    while (this.#ended < this.#ends.length && this.#ends[this.#ended] < time) this.#ended++;
    return this.#begun > this.#ended;
  }
}
