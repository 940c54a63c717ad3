/** Run workers, with one kept in reserve: loading the engine takes longer than many runs. */
import { Worker } from 'node:worker_threads';
import { WORKER_LIMITS } from './memory';
import type { WorkerTask } from './run';
import { notCopied } from './worker-errors';

/** The spare is started this long after the last one was taken, ms, so that it does not delay that one's start. */
const RESTOCK_MS = 1000;

export class WorkerSupply {
  readonly #url: URL;
  readonly #keepSpare: boolean;
  #spare: Worker | null = null;
  #restock: NodeJS.Timeout | null = null;

  /**
   * @param url bundled run worker
   * @param keepSpare whether a started worker waits for the next task; a single run has no use for it
   */
  constructor(url: URL, keepSpare: boolean) {
    this.#url = url;
    this.#keepSpare = keepSpare;
    if (keepSpare) this.#scheduleRestock();
  }

  /**
   * A worker that executes this task, and no other after it.
   * @throws {MoreauError} `invalid-document` when the document holds what cannot be copied into a thread
   */
  start(task: WorkerTask): Worker {
    const worker = this.#spare ?? this.#create();
    this.#spare = null;
    worker.removeAllListeners();
    worker.ref();
    if (this.#keepSpare) this.#scheduleRestock();
    try {
      worker.postMessage(task);
    } catch (error) {
      // A worker that waits for a task keeps the process alive for ever.
      void worker.terminate();
      throw notCopied(error);
    }
    return worker;
  }

  async dispose(): Promise<void> {
    if (this.#restock !== null) clearTimeout(this.#restock);
    this.#restock = null;
    await this.#spare?.terminate();
    this.#spare = null;
  }

  #create(): Worker {
    // Output of a worker goes nowhere: standard output belongs to results.
    const worker = new Worker(this.#url, {
      env: {},
      execArgv: [],
      stdout: true,
      name: 'engine',
      resourceLimits: WORKER_LIMITS,
    });
    worker.stdout.resume();
    return worker;
  }

  #scheduleRestock(): void {
    if (this.#restock !== null) clearTimeout(this.#restock);
    this.#restock = setTimeout(() => {
      this.#restock = null;
      if (this.#spare !== null) return;
      const spare = this.#create();
      this.#spare = spare;
      const lost = (): void => {
        if (this.#spare === spare) this.#spare = null;
      };
      spare.on('error', lost);
      spare.on('exit', lost);
      // A worker in reserve is no reason for the program to go on.
      spare.unref();
    }, RESTOCK_MS);
    this.#restock.unref();
  }
}
