/** Sweep workers of this machine: each computes one chain after the other. */
import { MoreauError, type RemoteError } from '@contract/errors';
import type { SweepColumns } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import type { ChainTask, PointListener, SweepExecutor } from './executor';
import type { SweepReply, SweepWorkRequest } from './sweep-messages';
import { startSweepThread, SweepThreads } from './sweep-threads';

/**
 * The columns of a job's results.
 * @param url bundled sweep worker
 * @throws {MoreauError} for defects of the model or the job
 */
export async function examineSweep(url: URL, job: SweepJob): Promise<SweepColumns> {
  const worker = startSweepThread(url);
  try {
    return await new Promise<SweepColumns>((resolve, reject) => {
      worker.on('message', (reply: SweepReply) => {
        if (reply.type === 'columns') resolve(reply.columns);
        else if (reply.type === 'failed') reject(new MoreauError(reply.error));
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new MoreauError(ended())));
      worker.postMessage({ type: 'job', job } satisfies SweepWorkRequest);
      worker.postMessage({ type: 'examine' } satisfies SweepWorkRequest);
    });
  } finally {
    await worker.terminate();
  }
}

export class WorkerPool implements SweepExecutor {
  readonly #threads: SweepThreads;
  #isCancelled = false;

  /** @param url bundled sweep worker @param size number of workers */
  constructor(
    url: URL,
    private readonly size: number,
  ) {
    this.#threads = new SweepThreads(url);
  }

  async run(job: SweepJob, tasks: readonly ChainTask[], onPoint: PointListener): Promise<void> {
    const waiting = [...tasks];
    const work = async (): Promise<void> => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        if (this.#isCancelled) return;
        await this.#threads.compute(job, task, onPoint);
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(this.size, tasks.length) }, work));
    } finally {
      await this.#threads.dismiss();
    }
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true;
    await this.#threads.dismiss();
  }
}

const ended = (): RemoteError => ({
  code: 'worker-crashed',
  message: 'The worker that checked the sweep ended unexpectedly.',
  remedy: 'The script may need more memory than a worker has.',
});
