/**
 * Times of events as integers. A stamp is (k, s): the k-th step of the time discretisation and s ticks of h/2⁴⁸ behind its
 * start, both exact integers in doubles. The grid time t₀ + k h is (k, 0) however often it is formed, and stamps are compared
 * without rounding; the tick is finer than the rounding of any time beyond the 16th step.
 */

/** Ticks of a step. */
export const TICKS = 2 ** 48;

/** A stamp in two entries of an array: [0] step k, [1] ticks s, 0 ≤ s < TICKS. */
export type TimeStamp = Float64Array;

export const createStamp = (step = 0, ticks = 0): TimeStamp => Float64Array.of(step, ticks);

/** Negative when a is earlier than b, 0 when they are the same, positive otherwise. */
export const compareStamps = (a: TimeStamp, b: TimeStamp): number => a[0] - b[0] || a[1] - b[1];

export class TimeGrid {
  constructor(
    readonly t0: number,
    readonly h: number,
  ) {}

  /** Time of the k-th point, computed from k. */
  pointTime(k: number): number {
    return this.t0 + k * this.h;
  }

  /** Stamp of the time `clock[0]`; that of a grid point where the two cannot be told apart. */
  stamp(clock: Float64Array, out: TimeStamp): void {
    const { t0, h } = this;
    const t = clock[0];
    let k = Math.floor((t - t0) / h);
    // The quotient may round up to the next step, or the time be the rounded time of a point.
    if (this.pointTime(k) > t) k--;
    if (this.pointTime(k + 1) <= t) k++;
    const resolution = 2 * Number.EPSILON * Math.max(Math.abs(t), Math.abs(t0));
    const since = t - this.pointTime(k);
    if (since <= resolution || this.pointTime(k + 1) - t <= resolution) {
      out[0] = since <= resolution ? k : k + 1;
      out[1] = 0;
      return;
    }
    out[0] = k;
    out[1] = Math.min(TICKS - 1, Math.round((since / h) * TICKS));
  }

  /** Time of a stamp, s. */
  time(stamp: TimeStamp): number {
    return stamp[1] === 0 ? this.pointTime(stamp[0]) : this.pointTime(stamp[0]) + (stamp[1] / TICKS) * this.h;
  }

  /** Ticks since t₀, as one integer. */
  ticks(stamp: TimeStamp): bigint {
    return BigInt(stamp[0]) * BigInt(TICKS) + BigInt(stamp[1]);
  }
}
