/**
 * A linear time-invariant system compiled for exact flight: its series, its propagators, and the event functions that are
 * linear forms of its state. A scheme whose modes change the system, as closed contacts do, keeps one for each set of modes,
 * and `ExactArcs.change` goes from one to another.
 */
import type { LinearForm } from '../smooth/event-functions';
import { Flow } from './flow';
import { FormPolynomial } from './form-polynomial';
import type { LinearSystem } from './linear-system';
import { Propagator } from './propagator';

export class LinearFlight {
  readonly flow: Flow;
  readonly propagator: Propagator;
  /** by event function: its form in this system; null where the functions themselves say what they are */
  readonly forms: readonly (FormPolynomial | null)[];
  /** [0] longest arc, s */
  readonly longest: Float64Array;

  /**
   * @param forms of event functions that are linear in this system only, as multipliers are; may be shorter than their number
   * @param longestStep s; no limit but that of the series when absent
   */
  constructor(
    readonly system: LinearSystem,
    forms: readonly (LinearForm | null)[] = [],
    longestStep = Infinity,
  ) {
    this.flow = new Flow(system);
    this.propagator = new Propagator(system, this.flow);
    this.forms = forms.map((form) => form && new FormPolynomial(form));
    this.longest = Float64Array.of(Math.min(longestStep, this.flow.limits[1]));
  }
}
