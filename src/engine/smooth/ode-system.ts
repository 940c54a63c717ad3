/**
 * What is integrated: ẋ = f(t, x). Times are passed in an array, because V8 boxes a double that is an
 * argument.
 */
export interface OdeSystem {
  /** number n of components of x */
  readonly size: number;
  /**
   * The rate f(t, x). An entry that is not finite says that f is not defined there.
   * @param clock [0] time t
   * @param x state, n entries, to be left alone
   * @param out n entries, all of them to be written
   */
  rate(clock: Float64Array, x: Float64Array, out: Float64Array): void;
  /**
   * ∂f/∂x, column by column: `out[i + n j]` = ∂f_i/∂x_j, all entries to be written. Differences take its
   * place where it is absent.
   */
  jacobian?(clock: Float64Array, x: Float64Array, out: Float64Array): void;
}

/**
 * Weights of the norm in which errors are measured: error e_i counts as e_i / (absolute_i + relative |x_i|).
 */
export interface Tolerances {
  readonly relative: number;
  /** n entries, in the units of x */
  readonly absolute: Float64Array;
}

/** Outcomes of an integration. They are values: a numerical outcome never throws. */
export type SmoothStatus =
  /** the time asked for */
  | 'reached'
  /** an event function vanishes; which ones is in the report */
  | 'root'
  /** the limit of steps of one call; calling again goes on */
  | 'tooManySteps'
  /** no step is short enough for the tolerances, or Newton's method fails for all of them */
  | 'stepTooSmall'
  /** the rate is not finite, however short the step */
  | 'rateNotFinite'
  | 'jacobianNotFinite'
  /** the equations of a step whose length is given were not solved */
  | 'notSolved'
  /** an event function is not finite on the way, before any root */
  | 'eventNotFinite'
  /** the state to start from is not finite */
  | 'stateNotFinite'
  /** a time to reach that is not a number, or before the present */
  | 'invalidTarget';

/** Where an integration failed. */
export class FailurePlace {
  /**
   * component of the state or rate, column of the Jacobian, or number of the event function; −1 where none is
   * to blame
   */
  index = -1;
  /** [0] time */
  readonly clock = new Float64Array(1);
}

/** What an integration has cost since it was made. */
export class SmoothCounters {
  steps = 0;
  /** steps that were tried and repeated */
  rejected = 0;
  /** accepted steps among `steps` that the implicit method made */
  implicitSteps = 0;
  /** shortest steps that were made across jumps of the rate */
  crossings = 0;
  rates = 0;
  jacobians = 0;
  /** factorisations, one for each pair of a real and a complex matrix */
  factorisations = 0;
  newtonIterations = 0;
  /** changes from the explicit to the implicit method */
  switchesToImplicit = 0;
  switchesToExplicit = 0;
  /** evaluations of event functions that are not linear */
  eventValues = 0;
  /** stretches where an event function could not be resolved by polynomials, as at a kink */
  unresolvedPieces = 0;
  roots = 0;
}

/** How one attempt at a step ended. */
export type Attempt = 'accepted' | 'rejected' | 'rateNotFinite' | 'jacobianNotFinite' | 'notSolved';
