/**
 * A sweep: the same model at many values of its parameters or initial states. A job says everything that its results depend on, so that each of its points can be
 * computed anywhere, in any order, and more than once, with the same bits.
 */
import type { AxisRequest } from '../../document/analysis-request';
import type { Expression, ModelDocument, SchemeName } from '../../document/types';

export type Axis = AxisRequest;

/** Which combinations of values are computed. */
export type SweepPlan =
  /** all combinations; the last axis changes first */
  | { readonly kind: 'grid'; readonly axes: readonly Axis[] }
  /** points between the ends of all axes: independent of each other, or one in each of `count` strata of each axis (Latin hypercube) */
  | {
      readonly kind: 'random' | 'latinHypercube';
      readonly axes: readonly Axis[];
      readonly count: number;
      readonly seed: number;
    };

/** A section as a user asks for it: numbers may be expressions of the parameters. */
export type SectionRequest =
  | { readonly kind: 'stroboscopic'; readonly period: Expression; readonly phase?: Expression }
  | { readonly kind: 'impact'; readonly contact: string; readonly state?: 'before' | 'after' }
  | { readonly kind: 'surface'; readonly g: string; readonly direction?: 'rising' | 'falling' | 'both' };

export interface SweepSection {
  readonly section: SectionRequest;
  /** signals of a point; those of the states when absent */
  readonly signals?: readonly string[];
  /** points that are left out at first */
  readonly transient: number;
  /** points that are kept */
  readonly count: number;
}

export interface SweepJob {
  readonly document: ModelDocument;
  /** parameter values in place of the document's */
  readonly set?: Readonly<Record<string, Expression>>;
  readonly scheme?: SchemeName;
  /** s */
  readonly h?: number;
  /** end of each run, s; with a section that does not come so often, where it is given up */
  readonly tEnd?: number;
  readonly plan: SweepPlan;
  readonly section?: SweepSection;
  /** such as `max follower.q`; what they are is in `measures.ts` */
  readonly measures: readonly string[];
  /** part of each run that measures leave out, from 0 to 1; with a section they begin with its first kept point */
  readonly skip?: number;
  /**
   * Where runs start: all in the document's initial state, or each in the state in which its neighbour along the last axis has ended, in ascending
   * order of the points or in descending order. Coexisting motions show where up and down differ: `both` computes each point twice. Of initial values
   * that other axes vary, the first of a row of neighbours has them.
   */
  readonly start?: SweepDirection | 'both';
  /** whether the accuracy of each run is measured by two finer ones; it then takes seven times as long */
  readonly accuracy?: boolean;
}

/** Where each run of one pass over the points starts. */
export type SweepDirection = 'initial' | 'up' | 'down';

/** A chain of points, each of which begins where the one before it has ended. */
export interface SweepChain {
  /** numbers of the points, in the order in which they are computed */
  readonly points: readonly number[];
}
