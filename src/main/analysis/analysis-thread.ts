/** A thread of analyses. */
import type { Worker } from 'node:worker_threads';
import { MoreauError } from '@contract/errors';
import { WORKER_LIMITS } from '../host/memory';
import { startThread } from '../host/thread';
import type { AnalysisReply, AnalysisTask } from './analysis-messages';

export class AnalysisThread {
  readonly #worker: Worker;
  readonly #giveUp: () => void;
  #hasEnded = false;

  /** @param url bundled analysis worker @param signal ends it */
  constructor(
    url: URL,
    private readonly signal: AbortSignal,
  ) {
    this.#worker = startThread(url, 'analysis', WORKER_LIMITS);
    // The exit follows.
    this.#worker.on('error', () => undefined);
    this.#worker.on('exit', () => (this.#hasEnded = true));
    this.#giveUp = () => void this.#worker.terminate();
    signal.addEventListener('abort', this.#giveUp);
    if (signal.aborted) this.#giveUp();
  }

  /** Without an answer. */
  tell(task: AnalysisTask): void {
    this.#worker.postMessage(task);
  }

  /**
   * @param type of the answer
   * @returns null when the thread was given up
   * @throws {MoreauError} when the task has failed, or the thread has ended
   */
  ask<T extends AnalysisReply['type']>(
    task: AnalysisTask,
    type: T,
    progress: (part: number) => void = () => undefined,
  ): Promise<Extract<AnalysisReply, { type: T }> | null> {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const over = (): void => {
        worker.off('message', onMessage);
        worker.off('exit', onExit);
      };
      const onMessage = (reply: AnalysisReply): void => {
        if (reply.type === 'progress') {
          progress(reply.part);
          return;
        }
        over();
        if (reply.type === type) resolve(reply as Extract<AnalysisReply, { type: T }>);
        else if (reply.type === 'failed') reject(new MoreauError(reply.error));
        else reject(new Error(`a thread of analyses answered ${reply.type} in place of ${type}`));
      };
      const onExit = (): void => {
        over();
        if (this.signal.aborted) resolve(null);
        else reject(ended());
      };
      worker.on('message', onMessage);
      worker.on('exit', onExit);
      if (this.#hasEnded) onExit();
      else worker.postMessage(task);
    });
  }

  async end(): Promise<void> {
    this.signal.removeEventListener('abort', this.#giveUp);
    await this.#worker.terminate();
  }
}

const ended = (): MoreauError =>
  new MoreauError({
    code: 'worker-crashed',
    message: 'The thread that computed the analysis ended unexpectedly.',
    remedy: 'The script may need more memory than a worker has.',
  });
