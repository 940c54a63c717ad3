/** Points of a sweep computed in this thread, one after the other, as a worker computes them. */
import { computePoint, type PointResult } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, sweepPoints } from '@engine/analysis/sweep/job';
import { createSandbox } from '@engine/script/sandbox';
import { type JobRun, processorTime } from './side-by-side';

/** What is kept of a point. */
type Kept = (result: PointResult) => number[];

/**
 * The last rows of the section; NaN of a point that failed.
 * @param first column that is kept; that of time is 0 @param width of a row
 */
export const lastRows =
  (rows: number, first: number, width: number): Kept =>
  ({ status, section }) =>
    status === 'failed'
      ? new Array<number>(rows * (width - first)).fill(NaN)
      : [...section.subarray(section.length - rows * width)].filter((_, k) => k % width >= first);

/** @param parts what the time of all points is divided by, from their results */
export function computeSwept(job: SweepJob, kept: Kept, parts: (results: PointResult[]) => number): JobRun {
  const results: PointResult[] = [];
  const taken = processorTime(() => {
    for (const values of sweepPoints(job.plan)) {
      const result = computePoint(job, values, null, { sandbox: createSandbox });
      if (result === null) throw new Error('a point was cancelled without a cause');
      results.push(result);
    }
  });
  return { ns: taken / parts(results), state: results.flatMap(kept) };
}
