/** A sweep from its job to its results: what a journal has is not computed again. */
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, sweepChains } from '@engine/analysis/sweep/job';
import type { ChainTask, SweepExecutor } from './executor';
import type { SweepJournal } from './journal';
import { belongs, type Share, sharePoints } from './shares';

/** What is left of the chains of a job, or of a share of it. */
function remainingTasks(job: SweepJob, known: ReadonlyMap<number, PointResult>, share: Share): ChainTask[] {
  return sweepChains(job).flatMap(({ points }, chain) => {
    if (!belongs(share, chain)) return [];
    const done = points.findIndex((index) => !known.has(index));
    if (done < 0) return [];
    const before = done === 0 ? undefined : known.get(points[done - 1]);
    const start = before === undefined || before.end.length === 0 ? null : before.end;
    return [{ points: points.slice(done), start }];
  });
}

/**
 * @param known results from a journal
 * @param journal receives each result at once; null if results need not be kept
 * @param share of the points
 * @returns results by point; fewer than all where the computation was given up
 * @throws {MoreauError} when the disk does not take the journal
 */
export async function computeSweep(
  job: SweepJob,
  executor: SweepExecutor,
  known: ReadonlyMap<number, PointResult>,
  journal: SweepJournal | null,
  progress: (done: number, of: number) => void,
  share: Share = { number: 1, of: 1 },
): Promise<Map<number, PointResult>> {
  const results = new Map(known);
  const count = sharePoints(job, share).length;
  progress(results.size, count);
  await executor.run(job, remainingTasks(job, known, share), (index, result) => {
    if (results.has(index)) return;
    results.set(index, result);
    journal?.add(index, result);
    // Fail at once rather than compute for hours what cannot be stored.
    if ((journal?.failure ?? null) !== null) void executor.cancel();
    progress(results.size, count);
  });
  await journal?.flush();
  return results;
}
