/** Has a sweep computed by workers that take its chains from a queue, on this machine or others. */
import type { SweepJob } from '@engine/analysis/sweep/job';
import type { ChainTask, PointListener, SweepExecutor } from '../executor';
import { checkQueue } from './connection';
import { QueueSession, type QueueSessionOptions } from './queue-session';

export class QueueExecutor implements SweepExecutor {
  #session: QueueSession | null = null;
  #isCancelled = false;

  private constructor(private readonly options: QueueSessionOptions) {}

  /** @throws {MoreauError} when the queue cannot be used */
  static async open(options: QueueSessionOptions): Promise<QueueExecutor> {
    await checkQueue(options.address);
    return new QueueExecutor(options);
  }

  async run(job: SweepJob, tasks: readonly ChainTask[], onPoint: PointListener): Promise<void> {
    if (tasks.length === 0 || this.#isCancelled) return;
    this.#session = new QueueSession(this.options, job, tasks, onPoint);
    await this.#session.run();
  }

  cancel(): Promise<void> {
    this.#isCancelled = true;
    this.#session?.giveUp();
    return Promise.resolve();
  }
}
