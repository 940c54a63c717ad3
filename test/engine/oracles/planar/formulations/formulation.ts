/** A formulation makes an ordinary differential equation of a constrained system. */
import type { Partition } from '@engine/multibody/partition';
import type { MotionStatus } from '@engine/multibody/constrained-system';

/**
 * What any integrator of ẋ = f(t, x) can advance. `rate` is a function of t, x and of what the last `begin`
 * or `accept` left, and of nothing else, so that rejected trial steps leave no trace.
 *
 *     begin(clock, q, v, x)      x from a consistent state
 *     rate(clock, x, out)        as often as the integrator asks
 *     accept(clock, x, q, v)     at the end of each step; where it changes x, `revision` rises: an integrator
 *                                that remembers rates of the last step must forget them
 *     complete(clock, x, q, v)   all positions and velocities of a state x
 */
export interface Formulation {
  /** length of x */
  readonly size: number;
  /** number of times that `accept` or `recover` changed x */
  readonly revision: number;
  /** choice of dependent coordinates; null where there is none */
  readonly partition: Partition | null;
  /**
   * @param dependent dependent coordinates to begin with, where a motion is resumed; else full pivoting
   *   chooses
   */
  begin(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    x: Float64Array,
    dependent?: readonly number[],
  ): MotionStatus;
  /** @param out ẋ; NaN where the status is not `ok` */
  rate(clock: Float64Array, x: Float64Array, out: Float64Array): MotionStatus;
  /** @param q,v become positions and velocities of x where the status is `ok`, and are kept otherwise */
  accept(clock: Float64Array, x: Float64Array, q: Float64Array, v: Float64Array): MotionStatus;
  /**
   * After a step that failed: x, which is the state at its start, is set up again for another attempt.
   * @returns false when there is nothing that could be done
   */
  recover(clock: Float64Array, x: Float64Array): boolean;
  complete(clock: Float64Array, x: Float64Array, q: Float64Array, v: Float64Array): MotionStatus;
  /** q̈ and λ of a state */
  accelerations(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    acceleration: Float64Array,
    multipliers: Float64Array,
  ): MotionStatus;
}
