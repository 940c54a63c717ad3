/** The work of a sweep worker. Knows no worker. */
import { judgedAccuracy } from '@contract/verdict';
import { computePoint, type PointResult, sweepColumns } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, resultPoints } from '@engine/analysis/sweep/job';
import type { ScriptSandbox } from '@engine/script/sandbox';
import { toRemoteError } from '../host/errors';
import type { ChainTask } from './executor';
import type { SweepReply, SweepWorkRequest } from './sweep-messages';

export class SweepWorker {
  #job: SweepJob | null = null;
  #points: Float64Array[] = [];

  constructor(
    private readonly createSandbox: () => ScriptSandbox,
    private readonly post: (reply: SweepReply) => void,
  ) {}

  /** Whatever goes wrong becomes a message; nothing is thrown. */
  handle(request: SweepWorkRequest): void {
    try {
      this.#perform(request);
    } catch (error) {
      this.post({ type: 'failed', error: toRemoteError(error) });
    }
  }

  #perform(request: SweepWorkRequest): void {
    if (request.type === 'job') {
      this.#job = request.job;
      this.#points = resultPoints(request.job);
      return;
    }
    const job = this.#job;
    if (job === null) throw new Error('a sweep worker was asked before it had a job');
    const environment = { sandbox: this.createSandbox };
    if (request.type === 'examine')
      this.post({ type: 'columns', columns: sweepColumns(job, this.#points[0], environment) });
    else this.#compute(job, request.task);
  }

  #compute(job: SweepJob, { points, start }: ChainTask): void {
    let from = start;
    for (const index of points) {
      const result = computePoint(job, this.#points[index], from, { sandbox: this.createSandbox });
      if (result === null) throw new Error('a point was cancelled without a cause');
      // After a failure the chain goes on from the document's state: there is no other.
      from = result.end.length > 0 ? result.end : null;
      this.post({ type: 'point', index, result: withAccuracy(result) });
    }
    this.post({ type: 'chainDone' });
  }
}

/**
 * A point with the verdict on its accuracy in place of the figures, of which there are as many as signals.
 */
function withAccuracy({ accuracy, ...result }: PointResult): PointResult {
  if (accuracy === undefined || result.verdict === undefined) return result;
  const judged = accuracy.ok ? judgedAccuracy({ state: 'measured', accuracy: accuracy.accuracy }) : 'unknown';
  return {
    ...result,
    verdict: { ...result.verdict, accurate: judged === 'unknown' ? null : judged === 'holds' },
  };
}
