/**
 * Workers of the engine. Loading it takes longer than many runs, so that those that are done with a task wait
 * for the next one.
 */
import type { Worker } from 'node:worker_threads';
import type { WorkerTask } from './run';
import { startEngine } from './thread';
import { notCopied } from './worker-errors';

/**
 * A spare is started this long after the last one was taken, ms, so that it does not delay that one's start.
 */
const RESTOCK_MS = 1000;
/** Workers that wait for a task: as many as compute at a time when runs follow each other. */
const MOST_SPARES = 2;

export class WorkerSupply {
  readonly #url: URL;
  readonly #keepSpare: boolean;
  /** the one used last stands last: its code is compiled */
  readonly #spares: Worker[] = [];
  #restock: NodeJS.Timeout | null = null;
  #isDisposed = false;

  /**
   * @param url bundled `engine.worker.ts`
   * @param keepSpare whether a worker is started before there is a task; a single run has no use for it
   * @param first one that has been started already
   */
  constructor(url: URL, keepSpare: boolean, first?: Worker) {
    this.#url = url;
    this.#keepSpare = keepSpare;
    // One that has ended already has no number any more.
    if (first !== undefined && first.threadId !== -1) this.#keep(first);
    else if (keepSpare) this.#scheduleRestock();
  }

  /**
   * A worker that executes this task. Its last word says whether it can be given back; otherwise it ends by
   * itself.
   * @throws {MoreauError} `invalid-document` when the document holds what cannot be copied into a thread
   */
  start(task: WorkerTask): Worker {
    const worker = this.take();
    try {
      worker.postMessage(task);
    } catch (error) {
      // A worker that waits for a task keeps the process alive for ever.
      void worker.terminate();
      throw notCopied(error);
    }
    return worker;
  }

  /** A worker for other tasks, which answers for its end. */
  take(): Worker {
    const worker = this.#spares.pop() ?? startEngine(this.#url);
    worker.removeAllListeners();
    worker.ref();
    if (this.#keepSpare) this.#scheduleRestock();
    return worker;
  }

  /** A worker that has said that it waits for another task. */
  giveBack(worker: Worker): void {
    // The caller that ends it waits for its end with a listener, so none is removed.
    if (this.#isDisposed) {
      void worker.terminate();
      return;
    }
    worker.removeAllListeners();
    if (this.#spares.length >= MOST_SPARES) void worker.terminate();
    else this.#keep(worker);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    if (this.#restock !== null) clearTimeout(this.#restock);
    this.#restock = null;
    await Promise.all(this.#spares.splice(0).map((worker) => worker.terminate()));
  }

  #keep(worker: Worker): void {
    this.#spares.push(worker);
    const lost = (): void => {
      const at = this.#spares.indexOf(worker);
      if (at >= 0) this.#spares.splice(at, 1);
    };
    worker.on('error', lost);
    worker.on('exit', lost);
    // A worker in reserve is no reason for the program to go on.
    worker.unref();
  }

  #scheduleRestock(): void {
    if (this.#restock !== null) clearTimeout(this.#restock);
    this.#restock = setTimeout(() => {
      this.#restock = null;
      if (this.#spares.length === 0) this.#keep(startEngine(this.#url));
    }, RESTOCK_MS);
    this.#restock.unref();
  }
}
