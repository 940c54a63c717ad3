/**
 * How joints are kept between events: what is integrated, and what is done to a state that the integration
 * has reached.
 */
import type { OdeSystem } from '../../smooth/ode-system';
import type { Partition, PartitionSwitch } from '../../multibody/partition';
import type { MotionStatus } from '../../multibody/constrained-system';

/** Settings by the type of their definition in `model/settings-formulations.ts`. */
export type ConstraintSettings =
  /**
   * @property tolerance drift, relative to the lengths at hand, that is left alone
   * @property every points of
   *   the discretisation between looks
   */
  | { readonly type: 'Projection'; readonly tolerance?: number; readonly every?: number }
  | { readonly type: 'Direct' }
  /** @property alpha,beta gains, 1/s */
  | { readonly type: 'Baumgarte'; readonly alpha: number; readonly beta: number }
  | { readonly type: 'SimplePartitioning' | 'FullPartitioning'; readonly pivoting?: 'corrected' | 'printed' };

/** A change of the dependent coordinates, in words of the model. */
export interface NamedSwitch extends Omit<PartitionSwitch, 'before' | 'after'> {
  /** coordinates such as `rod.q[2]` */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 *     begin(clock, x)       at a start, where all of x is consistent
 *     system.rate(…)        as often as the integrator asks
 *     complete(clock, x)    at each time that was asked for or found: brings what follows from the joints
 *                           into x
 *     review(clock, x)      at points of the discretisation and events: whether the rate is another one from
 *                           here on, which is recorded as an event
 */
export interface JointFormulation {
  readonly system: OdeSystem;
  /** choice of dependent coordinates; null where there is none */
  readonly partition: Partition | null;
  /** @throws {EngineError} when the joints do not determine what they have to */
  begin(clock: Float64Array, x: Float64Array): void;
  complete(clock: Float64Array, x: Float64Array): MotionStatus;
  review(clock: Float64Array, x: Float64Array): boolean;
  /**
   * whether dependent coordinates hardly follow from the independent ones any more, which ends an integration
   */
  isSingular(clock: Float64Array, x: Float64Array): boolean;
}
