import type { DenseOutput } from './dense-output';
import type { Attempt } from './status';

/** A one-step method with its own control of the step length. What it works on is the common `StepData`. */
export interface StepMethod {
  /** order of its error estimate, for the first guess of a step length */
  readonly estimateOrder: number;
  /** A new integration: nothing is remembered, neither is how stiff the last one was. */
  reset(): void;
  /** Forgets earlier steps: the state has jumped, or another method has made the last ones. */
  begin(): void;
  /**
   * Tries the step [START], [LENGTH] from x0 and rate0: x1, rate1, and [NEXT] as the length of the next step or of the
   * next attempt.
   */
  attempt(): Attempt;
  /** Continuous extension of the step just accepted. */
  interpolate(dense: DenseOutput): void;
  /** Whether the other method should go on, judged by the step just accepted. */
  isMisplaced(): boolean;
  /** The entry that was not finite in the last attempt; its time into `clock`. */
  blame(clock: Float64Array): number;
}
