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
  /**
   * [0] start of the stretch of motion that the present lies on or ends, a step or an arc, s, and [1] what of it lies behind the
   * present, s; 0 after a start or restart
   */
  readonly stretch: Float64Array;
  /** State at `place[0]` s behind the start of that stretch, 0 ≤ place[0] ≤ stretch[1], into `out`. */
  sample(place: Float64Array, out: Float64Array): void;
  /** called when a stretch has been passed and the next one is about to begin; a stretch that ends otherwise is not reported */
  whenDone: (() => void) | null;
  /** Begins at time t with the state that stands in `x`. */
  start(t: number): void;
  /** Goes on from the present time with the state that now stands in `x`, or with functions that have changed. */
  restart(isZero?: Uint8Array): void;
  /** Advances to tOut, or to the first root before; nothing is evaluated beyond tStop. */
  advance(tOut: number, tStop?: number): SmoothStatus;
}
