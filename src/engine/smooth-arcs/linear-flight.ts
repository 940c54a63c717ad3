/**
 * A linear time-invariant system compiled for exact flight: its series, its propagators, and the event
 * functions that are linear forms of its state. A scheme whose modes change the system, as closed contacts
 * do, keeps one for each set of modes, and `ExactArcs.change` goes from one to another.
 */
import type { LinearForm, RootReport } from '../smooth/event-functions';
import type { FailurePlace, SmoothCounters, SmoothStatus } from '../smooth/ode-system';
import { Flow, Propagator } from './flow';
import { FormPolynomial } from './form-polynomial';
import type { LinearSystem } from './linear-system';
import { SettledMotion } from './settled-motion';

export class LinearFlight {
  readonly flow: Flow;
  readonly propagator: Propagator;
  /** by event function: its form in this system; null where the functions themselves say what they are */
  readonly forms: readonly (FormPolynomial | null)[];
  /** [0] longest arc, s */
  readonly longest: Float64Array;
  /** the motion once its fast part has died out, and [0] its longest arc, s; null where it has none */
  settled: SettledMotion | null = null;
  readonly longestSettled = new Float64Array(1);

  /**
   * @param forms of event functions that are linear in this system only, as multipliers are; may be shorter
   *   than their number
   * @param longestStep s; no limit but that of the series when absent
   */
  constructor(
    readonly system: LinearSystem,
    forms: readonly (LinearForm | null)[] = [],
    private readonly longestStep = Infinity,
    /**
     * λ of all rows as affine functions of the state: matrix, row-major, and constants; null where unknown
     */
    readonly multipliers: { readonly matrix: Float64Array; readonly constant: Float64Array } | null = null,
  ) {
    this.flow = new Flow(system);
    this.propagator = new Propagator(system, this.flow);
    this.forms = forms.map((form) => form && new FormPolynomial(form));
    this.longest = Float64Array.of(Math.min(longestStep, this.flow.limits[1]));
  }

  /**
   * Looks for a fast part that dies out.
   * @param largest rate of what is left, 1/s
   * @returns whether there is one
   */
  settle(largest: number): boolean {
    this.settled = SettledMotion.of(this.system, this.flow.scales, largest);
    // Scales that are not found leave arcs as short as they were.
    if (this.settled === null || !(this.settled.flow.limits[1] > this.flow.limits[1])) {
      this.settled = null;
      return false;
    }
    this.longestSettled[0] = Math.min(this.longestStep, this.settled.flow.limits[1]);
    return true;
  }
}

/* What an event-driven scheme asks of whatever carries the state from event to event. */

/**
 * `SmoothIntegrator` for any system, `ExactArcs` for linear time-invariant ones; a scheme need not know
 * which.
 */
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
   * [0] start of the stretch of motion that the present lies on or ends, a step or an arc, s, and [1] what of
   * it lies behind the present, s; 0 after a start or restart
   */
  readonly stretch: Float64Array;
  /** State at `place[0]` s behind the start of that stretch, 0 ≤ place[0] ≤ stretch[1], into `out`. */
  sample(place: Float64Array, out: Float64Array): void;
  /**
   * called when a stretch has been passed and the next one is about to begin; a stretch that ends otherwise
   * is not reported
   */
  whenDone: (() => void) | null;
  /** Begins at time t with the state that stands in `x`. */
  start(t: number): void;
  /**
   * Goes on from the present time with the state that now stands in `x`, or with functions that have changed.
   */
  restart(isZero?: Uint8Array): void;
  /** Advances to tOut, or to the first root before; nothing is evaluated beyond tStop. */
  advance(tOut: number, tStop?: number): SmoothStatus;
}
