/**
 * Threads that compute chains. One that is done waits for the next chain, since loading the engine takes
 * longer than many points. One that dies is replaced, and its chain goes on where it was.
 */
import type { Worker } from 'node:worker_threads';
import { MoreauError } from '@contract/errors';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { WORKER_LIMITS } from '../host/memory';
import { startThread } from '../host/thread';
import type { ChainTask, PointListener } from './executor';
import type { SweepReply, SweepWorkRequest } from './sweep-messages';

/** Threads that may die at the same point before it counts as failed. */
const MOST_DEATHS = 2;

/** A point at which every worker dies. */
export function lostPoint(job: SweepJob): PointResult {
  return {
    status: 'failed',
    error: {
      code: 'worker-crashed',
      message: 'The workers that computed this point ended unexpectedly.',
      remedy: 'The script may need more memory than a worker has; compute the point alone to see why.',
    },
    measures: new Float64Array(job.measures.length).fill(NaN),
    section: new Float64Array(0),
    end: new Float64Array(0),
  };
}

/** What is left of a chain after its first point. */
export const afterFirst = ({ points }: ChainTask, { end }: PointResult): ChainTask => ({
  points: points.slice(1),
  start: end.length > 0 ? end : null,
});

/** @param url bundled sweep worker */
export const startSweepThread = (url: URL): Worker => startThread(url, 'sweep', WORKER_LIMITS);

interface Idle {
  readonly worker: Worker;
  readonly job: SweepJob;
}

export class SweepThreads {
  readonly #idle: Idle[] = [];
  readonly #busy = new Set<Worker>();
  #isDismissed = false;

  /** @param url bundled sweep worker */
  constructor(private readonly url: URL) {}

  /**
   * Computes a chain in a thread of its own.
   * @param signal gives it up
   * @returns when all its points have been reported, or it has been cancelled
   * @throws {MoreauError} for a defect
   */
  async compute(job: SweepJob, task: ChainTask, onPoint: PointListener, signal?: AbortSignal): Promise<void> {
    let left = task;
    let deaths = 0;
    const tell: PointListener = (index, result) => {
      left = afterFirst(left, result);
      deaths = 0;
      onPoint(index, result);
    };
    while (left.points.length > 0 && !this.#isDismissed && signal?.aborted !== true) {
      const hasEnded = await this.#attempt(job, left, tell, signal);
      if (hasEnded) return;
      if (++deaths >= MOST_DEATHS) tell(left.points[0], lostPoint(job));
    }
  }

  /** Ends all threads; chains are given up. */
  async dismiss(): Promise<void> {
    this.#isDismissed = true;
    const workers = [...this.#busy, ...this.#idle.map(({ worker }) => worker)];
    this.#idle.length = 0;
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  /** @returns false when the thread has died, or was ended */
  async #attempt(
    job: SweepJob,
    task: ChainTask,
    onPoint: PointListener,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const worker = this.#take(job);
    this.#busy.add(worker);
    const giveUp = (): void => void worker.terminate();
    signal?.addEventListener('abort', giveUp);
    try {
      const hasEnded = await new Promise<boolean>((resolve, reject) => {
        worker.on('message', (reply: SweepReply) => {
          if (this.#isDismissed || signal?.aborted === true) return;
          if (reply.type === 'point') onPoint(reply.index, reply.result);
          else if (reply.type === 'chainDone') resolve(true);
          else if (reply.type === 'failed') reject(new MoreauError(reply.error));
        });
        // The exit follows.
        worker.on('error', () => undefined);
        worker.on('exit', () => resolve(false));
        worker.postMessage({ type: 'chain', task } satisfies SweepWorkRequest);
      });
      if (hasEnded) this.#rest(worker, job);
      return hasEnded;
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      signal?.removeEventListener('abort', giveUp);
      this.#busy.delete(worker);
    }
  }

  /** A thread that has the job. */
  #take(job: SweepJob): Worker {
    const at = this.#idle.findIndex((one) => one.job === job);
    const found = at >= 0 ? this.#idle.splice(at, 1)[0] : this.#idle.pop();
    const worker = found?.worker ?? startSweepThread(this.url);
    worker.removeAllListeners();
    if (found?.job !== job) worker.postMessage({ type: 'job', job } satisfies SweepWorkRequest);
    return worker;
  }

  #rest(worker: Worker, job: SweepJob): void {
    if (this.#isDismissed) return;
    worker.removeAllListeners();
    const idle: Idle = { worker, job };
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      const at = this.#idle.indexOf(idle);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    this.#idle.push(idle);
  }
}
