/**
 * A sweep: the same model at many values of its parameters or initial states. A job says everything that its
 * results depend on, so that each of its points can be computed anywhere, in any order, and more than once,
 * with the same bits.
 */
import type { AxisRequest } from '../../document/analyses';
import type { Expression, ModelDocument, SchemeName } from '../../document/types';
import { initialName } from './start-state';

export type Axis = AxisRequest;

/** Which combinations of values are computed. */
export type SweepPlan =
  /** all combinations; the last axis changes first */
  | { readonly kind: 'grid'; readonly axes: readonly Axis[] }
  /**
   * points between the ends of all axes: independent of each other, or one in each of `count` strata of each
   * axis (Latin hypercube)
   */
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
  /**
   * part of each run that measures leave out, from 0 to 1; with a section they begin with its first kept
   * point
   */
  readonly skip?: number;
  /**
   * Where runs start: all in the document's initial state, or each in the state in which its neighbour along
   * the last axis has ended, in ascending order of the points or in descending order. Coexisting motions show
   * where up and down differ: `both` computes each point twice. Of initial values that other axes vary, the
   * first of a row of neighbours has them.
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

/* The points of a sweep, and the chains that they are computed in. */

/** What an axis varies, as columns, axes of figures and messages call it. */
export const sweepAxisName = (axis: Axis): string =>
  'parameter' in axis ? axis.parameter : initialName(axis.initial);

/** Values of an axis; ends are exact. */
export function axisValues(axis: Axis): number[] {
  if ('values' in axis) return [...axis.values];
  const { from, to, count } = axis;
  if (count === 1) return [from];
  return Array.from({ length: count }, (_, k) =>
    k === count - 1 ? to : from + ((to - from) * k) / (count - 1),
  );
}

/** Number of points. */
export function countPoints(plan: SweepPlan): number {
  if (plan.kind !== 'grid') return plan.count;
  return plan.axes.reduce(
    (product, axis) => product * ('values' in axis ? axis.values.length : axis.count),
    1,
  );
}

type Followed = Pick<SweepJob, 'plan' | 'start'>;

/** The passes over its points that a job asks for, in the order of their results. */
export const sweepDirections = ({ start = 'initial' }: Followed): readonly SweepDirection[] =>
  start === 'both' ? ['up', 'down'] : [start];

/**
 * Number of results of a job: one for each point and direction. Those of the first direction have the numbers
 * of the points, the others follow.
 */
export const countResults = (job: Followed): number => countPoints(job.plan) * sweepDirections(job).length;

/** Values of what is varied behind each result, as `sweepPoints`. */
export function resultPoints(job: Followed): Float64Array[] {
  const points = sweepPoints(job.plan);
  return sweepDirections(job).flatMap(() => points);
}

/** Values of what is varied at every point, in the order of the axes. */
export function sweepPoints(plan: SweepPlan): Float64Array[] {
  if (plan.kind === 'grid') return gridPoints(plan.axes);
  const random = generator(plan.seed);
  const { axes, count } = plan;
  const points = Array.from({ length: count }, () => new Float64Array(axes.length));
  axes.forEach((axis, a) => {
    const values = axisValues(axis);
    const low = Math.min(...values);
    const high = Math.max(...values);
    const strata = plan.kind === 'random' ? null : shuffled(count, random);
    for (let k = 0; k < count; k++) {
      const part = strata === null ? random() : (strata[k] + random()) / count;
      points[k][a] = low + part * (high - low);
    }
  });
  return points;
}

function gridPoints(axes: readonly Axis[]): Float64Array[] {
  let points: number[][] = [[]];
  for (const axis of axes) {
    const values = axisValues(axis);
    points = points.flatMap((point) => values.map((value) => [...point, value]));
  }
  return points.map((point) => Float64Array.from(point));
}

/**
 * Points that may be computed independently of each other each make a chain; those that follow each other
 * along the last axis of a grid make one together. Numbers are those of results.
 */
export function sweepChains(job: Followed): SweepChain[] {
  const { plan } = job;
  const count = countPoints(plan);
  return sweepDirections(job).flatMap((direction, d) => {
    const length = direction === 'initial' || plan.kind !== 'grid' ? 1 : lastLength(plan.axes);
    return Array.from({ length: count / length }, (_, chain) => {
      const points = Array.from({ length }, (_, k) => d * count + chain * length + k);
      return { points: direction === 'down' ? points.reverse() : points };
    });
  });
}

function lastLength(axes: readonly Axis[]): number {
  const last = axes.at(-1);
  return last === undefined ? 1 : axisValues(last).length;
}

/**
 * Uniform numbers in [0, 1) by Weyl's sequence and a mixing function (splitmix32): the same everywhere for a
 * seed.
 */
function generator(seed: number): () => number {
  let state = Math.floor(seed) >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  // 53 bits of two words
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}

function shuffled(count: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    const value = order[k];
    order[k] = order[other];
    order[other] = value;
  }
  return order;
}
