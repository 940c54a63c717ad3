/**
 * Which row of a recording belongs to a time. Rows need not be evenly spaced, and a long run has more of them
 * than can be read; so the times of a few thousand rows across it are read, then those of the rows between
 * two of them, until each row has been looked at.
 */

/** Reads the times of rows: of `count` rows from `first` on, each `every`-th, s. */
export type ReadTimes = (first: number, count: number, every: number) => Promise<Float64Array>;

/** Times read at once: 32 KiB. */
const TIMES = 4096;
/** Cached answers, so that scrubbing back and forth repeats no requests. */
const KEPT = 24;

export class TimeIndex {
  readonly #read: ReadTimes;
  /** least recently used first */
  readonly #kept = new Map<string, Promise<Float64Array>>();

  constructor(read: ReadTimes) {
    this.#read = read;
  }

  /**
   * The last row whose time is ≤ t, and 0 before the first.
   * @param rows recorded rows at this moment
   */
  async locate(t: number, rows: number): Promise<number> {
    let first = 0;
    let end = rows;
    while (end - first > 1) {
      const every = Math.ceil((end - first) / TIMES);
      const times = await this.#times(first, end - first, every);
      const i = lastAtMost(times, t);
      first += Math.max(0, i) * every;
      end = Math.min(end, first + every);
    }
    return first;
  }

  #times(first: number, count: number, every: number): Promise<Float64Array> {
    const key = `${first} ${count} ${every}`;
    const times = this.#kept.get(key) ?? this.#read(first, count, every);
    this.#kept.delete(key);
    this.#kept.set(key, times);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    // What could not be read may be asked for again.
    times.catch(() => this.#kept.delete(key));
    return times;
  }
}

/** Place of the last of the ascending values that is ≤ x; −1 where all are above. */
export function lastAtMost(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
