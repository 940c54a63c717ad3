/** A thread that judges runs of the gallery, and is ended where one of them comes to no end. */
import { Worker } from 'node:worker_threads';
import type { GalleryRun, Judged } from './judge';
import type { Request, Stretch } from './judge.worker';

/** Memory from which on a run has no bounds, MB. */
const MOST_MEMORY = 2000;

export interface Answer {
  readonly judged: Judged;
  readonly stretches: readonly Stretch[];
}

export class JudgeThread {
  #worker: Worker | null = null;

  /** @param counts whether what of the bundle is executed is counted */
  constructor(
    readonly file: string,
    private readonly counts = false,
  ) {}

  /** @param most s of the run, after which it counts as endless */
  async judge(run: GalleryRun, measures: boolean, most: number): Promise<Answer> {
    this.#worker ??= new Worker(this.file, {
      workerData: { counts: this.counts },
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
      stdout: true,
      stderr: true,
    });
    const worker = this.#worker;
    const request: Request = { run, measures };
    const answer = await new Promise<Answer>((resolve) => {
      const timer = setTimeout(() => resolve(without('endless', `no end within ${most} s`)), 1000 * most);
      const end = (answer: Answer): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      worker.removeAllListeners();
      worker.on('message', end);
      worker.on('error', (error) => end(without('failed', error.message)));
      worker.postMessage(request);
    });
    if (answer.judged.outcome === 'endless' || answer.judged.digest === 'none') await this.end();
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }
}

const without = (outcome: Judged['outcome'], message: string): Answer => ({
  judged: {
    outcome,
    message,
    verdict: { solved: 'unknown', complete: 'unknown', accurate: 'unknown', all: 'unknown' },
    words: outcome,
    digest: 'none',
    accuracy: null,
    seconds: 0,
  },
  stretches: [],
});
