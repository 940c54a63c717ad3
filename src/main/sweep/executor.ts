/** Who computes the points of a sweep: workers of this machine, or an engine of jobs. */
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';

/** A chain, or what is left of one. */
export interface ChainTask {
  /** numbers of the points that are still to be computed, in their order */
  readonly points: readonly number[];
  /** where the first of them starts, of a chain that has begun; null for the document's initial state */
  readonly start: Float64Array | null;
}

export type PointListener = (index: number, result: PointResult) => void;

/**
 * Computes chains in any order, possibly a point more than once. Results do not depend on the worker, so the
 * first result counts.
 */
export interface SweepExecutor {
  /**
   * @param onPoint called for each point at least once; of a chain, in its order
   * @returns when all points have been reported, or the computation has been cancelled
   * @throws {MoreauError} when no worker can compute
   */
  run(job: SweepJob, tasks: readonly ChainTask[], onPoint: PointListener): Promise<void>;
  /** Gives up. Points that are being computed are lost. */
  cancel(): Promise<void>;
}
