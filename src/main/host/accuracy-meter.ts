/** Measures the accuracy of runs that are over, one after the other, in a thread of its own. */
import type { Worker } from 'node:worker_threads';
import type { RunAccuracy } from '@contract/methods';
import type { MeasuredAccuracy } from '@engine/analysis/accuracy/measure';
import type { RunSpecification } from '@engine/run/session';
import { toRemoteError } from './errors';
import { GrowthMeter, WATCH_MS } from './memory';
import type { WorkerMessage } from './run';
import { outOfMemory, workerError } from './worker-errors';
import type { WorkerSupply } from './worker-supply';

export class AccuracyMeter {
  readonly #supply: WorkerSupply;
  #last: Promise<unknown> = Promise.resolve();
  #worker: Worker | null = null;
  #end: ((outcome: MeasuredAccuracy) => void) | null = null;
  #isDisposed = false;

  constructor(supply: WorkerSupply) {
    this.#supply = supply;
  }

  /**
   * @param long whether a long run is measured, too
   * @param isWanted asked when its turn comes: a run may have been deleted meanwhile
   * @returns null where it is not wanted any more; never rejects
   */
  measure(
    specification: RunSpecification,
    long: boolean,
    isWanted: () => boolean,
  ): Promise<Exclude<RunAccuracy, { state: 'measuring' }> | null> {
    const outcome = this.#last.then(async () => {
      if (this.#isDisposed || !isWanted()) return null;
      const found = await this.#execute(specification, long);
      if (this.#isDisposed || !isWanted()) return null;
      if (found.ok) return { state: 'measured', accuracy: found.accuracy } as const;
      return { state: 'unknown', reason: found.reason, message: found.message } as const;
    });
    this.#last = outcome;
    return outcome;
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const worker = this.#worker;
    this.#end?.(failed('The program was ended.'));
    await worker?.terminate();
  }

  #execute(specification: RunSpecification, long: boolean): Promise<MeasuredAccuracy> {
    return new Promise((resolve) => {
      let worker: Worker;
      try {
        worker = this.#supply.start({ task: 'measure', specification, long });
      } catch (error) {
        resolve(failed(toRemoteError(error).message));
        return;
      }
      const growth = new GrowthMeter();
      const finish = (outcome: MeasuredAccuracy): void => {
        clearInterval(watch);
        this.#worker = null;
        this.#end = null;
        resolve(outcome);
      };
      const fail = (message: string): void => {
        finish(failed(message));
        void worker.terminate();
      };
      const watch = setInterval(() => {
        if (growth.exceeded()) fail(outOfMemory().message);
      }, WATCH_MS);
      this.#worker = worker;
      this.#end = finish;
      worker.on('message', (report: WorkerMessage) => {
        // One that was ended may have left its answer behind.
        if (report.type !== 'measured' || this.#worker !== worker) return;
        if (report.isFree) this.#supply.giveBack(worker);
        finish(report.outcome);
      });
      worker.on('error', (error) => fail(workerError(error).message));
      worker.on('exit', (code) => fail(workerError(new Error(`its thread ended with code ${code}`)).message));
    });
  }
}

const failed = (message: string): MeasuredAccuracy => ({ ok: false, reason: 'failed', message });
