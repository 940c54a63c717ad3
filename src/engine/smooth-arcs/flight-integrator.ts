/** What an event-driven scheme asks of whatever carries the state from event to event. */
import type { RootReport } from '../smooth/event-functions';
import type { FailurePlace, SmoothCounters, SmoothStatus } from '../smooth/status';

/** `SmoothIntegrator` for any system, `ExactArcs` for linear time-invariant ones; a scheme need not know which. */
export interface FlightIntegrator {
  /** [0] present time */
  readonly clock: Float64Array;
  /** present state. To change it, write and call `restart` */
  readonly x: Float64Array;
  readonly counters: SmoothCounters;
  /** where the last call failed */
  readonly failure: FailurePlace;
  /** which functions vanish, after status `root` */
  readonly roots: RootReport;
  /** Begins at time t with the state that stands in `x`. */
  start(t: number): void;
  /** Goes on from the present time with the state that now stands in `x`, or with functions that have changed. */
  restart(isZero?: Uint8Array): void;
  /** Advances to tOut, or to the first root before; nothing is evaluated beyond tStop. */
  advance(tOut: number, tStop?: number): SmoothStatus;
}
