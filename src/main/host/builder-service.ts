/**
 * Runs builder scripts for reports, away from the host's thread and with a time limit. Results are kept by
 * what a builder can see, so that moving a node does not run it again.
 */
import type { Worker } from 'node:worker_threads';
import type { ModelDocument } from '@engine/document/types';
import { toRemoteError } from './errors';
import { GrowthMeter, WATCH_MS } from './memory';
import type { BuildOutcome, WorkerMessage } from './run';
import { outOfMemory, workerError } from './worker-errors';
import type { WorkerSupply } from './worker-supply';

/** A builder that takes longer is ended, ms: a report is wanted at every edit. */
const TIME_LIMIT_MS = 5000;
/** Results kept: the states a user goes back and forth between with undo and redo. */
const KEPT_RESULTS = 8;
/** Builders at once: one for the document being edited, one for an older request that is still going. */
const MAX_WORKERS = 2;

export class BuilderService {
  readonly #supply: WorkerSupply;
  readonly #timeLimit: number;
  /** least recently used first */
  readonly #results = new Map<string, Promise<BuildOutcome>>();
  readonly #workers = new Set<Worker>();
  readonly #queue: (() => void)[] = [];
  #running = 0;

  /** @param timeLimit milliseconds */
  constructor(workers: WorkerSupply, timeLimit = TIME_LIMIT_MS) {
    this.#supply = workers;
    this.#timeLimit = timeLimit;
  }

  /** What the document's builder scripts produce, or why they fail. Never rejects. */
  build(document: ModelDocument): Promise<BuildOutcome> {
    const key = JSON.stringify([document.scripts, document.parameters]);
    const known = this.#results.get(key);
    const result = known ?? this.#enqueue(document);
    this.#results.delete(key);
    this.#results.set(key, result);
    if (this.#results.size > KEPT_RESULTS) {
      const oldest = this.#results.keys().next();
      if (!oldest.done) this.#results.delete(oldest.value);
    }
    return result;
  }

  async dispose(): Promise<void> {
    this.#results.clear();
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  async #enqueue(document: ModelDocument): Promise<BuildOutcome> {
    while (this.#running >= MAX_WORKERS) {
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    this.#running++;
    try {
      return await this.#execute(document);
    } finally {
      this.#running--;
      this.#queue.shift()?.();
    }
  }

  #execute(document: ModelDocument): Promise<BuildOutcome> {
    return new Promise((resolve) => {
      let worker: Worker;
      try {
        worker = this.#supply.start({ task: 'build', document });
      } catch (error) {
        resolve({ ok: false, error: toRemoteError(error) });
        return;
      }
      this.#workers.add(worker);
      const finish = (outcome: BuildOutcome): void => {
        clearTimeout(timer);
        clearInterval(watch);
        this.#workers.delete(worker);
        resolve(outcome);
      };
      const fail = (outcome: BuildOutcome): void => {
        finish(outcome);
        void worker.terminate();
      };
      const timer = setTimeout(() => fail({ ok: false, error: timedOut(this.#timeLimit) }), this.#timeLimit);
      const growth = new GrowthMeter();
      const watch = setInterval(() => {
        if (growth.exceeded()) fail({ ok: false, error: outOfMemory() });
      }, WATCH_MS);
      worker.on('message', (report: WorkerMessage) => {
        if (report.type !== 'built') return;
        if (report.isFree) this.#supply.giveBack(worker);
        finish(report.outcome);
      });
      worker.on('error', (error) => fail({ ok: false, error: workerError(error) }));
      worker.on('exit', (code) =>
        fail({ ok: false, error: workerError(new Error(`its thread ended with code ${code}`)) }),
      );
    });
  }
}

const timedOut = (limit: number): Extract<BuildOutcome, { ok: false }>['error'] => ({
  code: 'builder-timeout',
  message: `The builder script did not return within ${limit / 1000} s and was ended.`,
  remedy: 'Look for an endless loop, or build fewer elements.',
});
