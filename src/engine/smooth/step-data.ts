import type { OdeSystem, Tolerances } from './ode-system';
import type { SmoothCounters } from './status';

/** Places in `StepData.span`. */
export const START = 0;
export const LENGTH = 1;
export const NEXT = 2;
export const END = 3;

/** The step that is being made: what the methods, the events and the driver share. */
export class StepData {
  /**
   * [START] time at its start, [LENGTH] its length h, [NEXT] the length to go on or to try again with,
   * [END] time at its end: START + LENGTH, or the very time that must not be passed
   */
  readonly span = new Float64Array(4);
  /** state and rate at the start */
  readonly x0: Float64Array;
  readonly rate0: Float64Array;
  /** state and rate at the end */
  readonly x1: Float64Array;
  readonly rate1: Float64Array;

  constructor(
    readonly system: OdeSystem,
    readonly tolerances: Tolerances,
    readonly counters: SmoothCounters,
  ) {
    const n = system.size;
    this.x0 = new Float64Array(n);
    this.rate0 = new Float64Array(n);
    this.x1 = new Float64Array(n);
    this.rate1 = new Float64Array(n);
  }
}

/** First entry that is not finite, −1 if there is none. */
export function firstNotFinite(values: Float64Array): number {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return i;
  return -1;
}
