/** Sweep workers of this machine: each computes one chain after the other. One that dies is replaced, and its chain goes on elsewhere. */
import { Worker } from 'node:worker_threads';
import { MoreauError, type RemoteError } from '@contract/errors';
import type { PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { WORKER_LIMITS } from '../host/memory';
import type { ChainTask, PointListener, SweepExecutor } from './executor';
import type { SweepReply, SweepRequest } from './sweep-messages';

/** Workers that may die at the same point before it counts as failed. */
const MOST_DEATHS = 2;

interface Member {
  readonly worker: Worker;
  /** what it computes; null while it is idle */
  task: ChainTask | null;
}

/** A point at which every worker dies. */
function lost(job: SweepJob): PointResult {
  return {
    status: 'failed',
    error: {
      code: 'worker-crashed',
      message: 'The workers that computed this point ended without a word.',
      remedy: 'The script may take more memory than a worker has; compute the point by itself to see why.',
    },
    measures: new Float64Array(job.measures.length).fill(NaN),
    section: new Float64Array(0),
    end: new Float64Array(0),
  };
}

export class WorkerPool implements SweepExecutor {
  readonly #members = new Set<Member>();
  #waiting: ChainTask[] = [];
  #end: { resolve: () => void; reject: (error: unknown) => void } | null = null;
  /** deaths at each point */
  readonly #deaths = new Map<number, number>();
  #isCancelled = false;

  /** @param url bundled sweep worker @param size number of workers */
  constructor(
    private readonly url: URL,
    private readonly size: number,
  ) {}

  /**
   * The columns of a job's results.
   * @throws {MoreauError} for defects of the model or the job
   */
  async examine(job: SweepJob): Promise<SweepColumns> {
    const worker = this.#create();
    try {
      return await new Promise<SweepColumns>((resolve, reject) => {
        worker.on('message', (reply: SweepReply) => {
          if (reply.type === 'columns') resolve(reply.columns);
          else if (reply.type === 'failed') reject(new MoreauError(reply.error));
        });
        worker.on('error', reject);
        worker.on('exit', () => reject(new MoreauError(ended())));
        worker.postMessage({ type: 'job', job } satisfies SweepRequest);
        worker.postMessage({ type: 'examine' } satisfies SweepRequest);
      });
    } finally {
      await worker.terminate();
    }
  }

  async run(job: SweepJob, tasks: readonly ChainTask[], onPoint: PointListener): Promise<void> {
    this.#waiting = [...tasks];
    if (this.#waiting.length === 0) return;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#end = { resolve, reject };
        for (let k = 0; k < Math.min(this.size, tasks.length); k++) this.#hire(job, onPoint);
      });
    } finally {
      this.#end = null;
      await this.#dismiss();
    }
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true;
    this.#end?.resolve();
    await this.#dismiss();
  }

  async #dismiss(): Promise<void> {
    const members = [...this.#members];
    this.#members.clear();
    await Promise.all(members.map(({ worker }) => worker.terminate()));
  }

  #create(): Worker {
    const worker = new Worker(this.url, {
      env: {},
      execArgv: [],
      stdout: true,
      name: 'sweep',
      resourceLimits: WORKER_LIMITS,
    });
    // Output of a worker goes nowhere: standard output belongs to results.
    worker.stdout.resume();
    return worker;
  }

  #hire(job: SweepJob, onPoint: PointListener): void {
    const member: Member = { worker: this.#create(), task: null };
    this.#members.add(member);
    member.worker.on('message', (reply: SweepReply) => {
      if (this.#isCancelled) return;
      if (reply.type === 'point') {
        const { task } = member;
        if (task !== null)
          member.task = {
            points: task.points.slice(1),
            start: reply.result.end.length > 0 ? reply.result.end : null,
          };
        onPoint(reply.index, reply.result);
      } else if (reply.type === 'chainDone') {
        this.#next(member);
      } else if (reply.type === 'failed') {
        this.#end?.reject(new MoreauError(reply.error));
      }
    });
    // The exit follows.
    member.worker.on('error', () => undefined);
    member.worker.on('exit', () => this.#replace(member, job, onPoint));
    member.worker.postMessage({ type: 'job', job } satisfies SweepRequest);
    this.#next(member);
  }

  #next(member: Member): void {
    const task = this.#waiting.shift() ?? null;
    member.task = task;
    if (task !== null) member.worker.postMessage({ type: 'chain', task } satisfies SweepRequest);
    else if ([...this.#members].every((one) => one.task === null)) this.#end?.resolve();
  }

  /** A worker has died: what is left of its chain comes first. */
  #replace(member: Member, job: SweepJob, onPoint: PointListener): void {
    if (!this.#members.delete(member) || this.#isCancelled || this.#end === null) return;
    const { task } = member;
    if (task !== null && task.points.length > 0) {
      const [point, ...rest] = task.points;
      const deaths = (this.#deaths.get(point) ?? 0) + 1;
      this.#deaths.set(point, deaths);
      if (deaths < MOST_DEATHS) this.#waiting.unshift(task);
      else {
        onPoint(point, lost(job));
        if (rest.length > 0) this.#waiting.unshift({ points: rest, start: null });
      }
    }
    this.#hire(job, onPoint);
  }
}

const ended = (): RemoteError => ({
  code: 'worker-crashed',
  message: 'The worker that examined the sweep ended without a word.',
  remedy: 'The script may take more memory than a worker has.',
});
