/**
 * Takes chains of sweeps from a queue and computes them. A chain may be taken by two workers when one of them
 * was thought to be lost; the sweep takes the first result of each point.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Job, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { MoreauError } from '@contract/errors';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, countResults } from '@engine/analysis/sweep/job';
import type { ChainTask } from '../executor';
import { nameOfText, readJobText } from '../job-text';
import { decodeNumbers, encodeNumbers, encodePoint } from '../point-text';
import { afterFirst, SweepThreads } from '../sweep-threads';
import type { QueueAddress } from './address';
import { checkQueue, isConnectionLoss, openConnection } from './connection';
import {
  jobKey,
  LOOK_MS,
  otherVersion,
  PREFIX,
  queueName,
  REPLIES_LIFE_S,
  repliesKey,
  sweepKey,
  SWEEPS,
  sweepSchema,
  type TaskText,
  taskSchema,
  WORKER_LIFE_S,
  workerKey,
  WORKERS,
  type WorkerWord,
} from './messages';

/** Jobs that are kept, for chains of theirs that come later. */
const JOBS_KEPT = 4;
/** Pause after the queue has failed, ms. */
const RETRY_MS = 1000;
/** The engine of jobs hands a chain on this often when workers are lost; the sweep puts it in again then. */
const MOST_STALLS = 3;

export interface QueueWorkerOptions {
  readonly address: QueueAddress;
  readonly version: string;
  readonly name: string;
  /** chains at a time */
  readonly workers: number;
  /** after which a worker that says nothing is taken for lost, s */
  readonly lease: number;
  /** bundled sweep worker */
  readonly sweepWorkerUrl: URL;
  readonly note: (text: string) => void;
}

/** What is being computed. */
interface Active {
  readonly sweep: string;
  readonly end: AbortController;
}

export class QueueWorker {
  readonly #id = randomUUID();
  readonly #threads: SweepThreads;
  readonly #active = new Set<Active>();
  readonly #jobs = new Map<string, SweepJob>();
  readonly #told = new Set<string>();
  readonly #stop = new AbortController();
  readonly #client: Redis;

  private constructor(private readonly options: QueueWorkerOptions) {
    const { address, note } = options;
    this.#threads = new SweepThreads(options.sweepWorkerUrl);
    this.#client = openConnection(address, {
      lost: () =>
        this.#stop.signal.aborted ||
        note(`The queue at ${address.toString()} is unavailable; waiting for it.\n`),
      found: () => note(`The queue at ${address.toString()} is available again.\n`),
    });
  }

  /** @throws {MoreauError} when the queue cannot be used */
  static async open(options: QueueWorkerOptions): Promise<QueueWorker> {
    await checkQueue(options.address);
    return new QueueWorker(options);
  }

  /** @returns after `stop` */
  async run(): Promise<void> {
    const { version, workers, lease, address } = this.options;
    const taking = openConnection(address);
    const worker = new Worker<unknown>(queueName(version), (job, token) => this.#process(job, token ?? ''), {
      connection: taking,
      prefix: PREFIX,
      concurrency: workers,
      lockDuration: 1000 * lease,
      stalledInterval: 1000 * lease,
      maxStalledCount: MOST_STALLS,
      runRetryDelay: RETRY_MS,
    });
    // Lost connections and locks: what follows from them is that somebody else goes on.
    worker.on('error', () => undefined);
    try {
      while (!this.#stop.signal.aborted) {
        await this.#look().catch((error: unknown) => {
          if (!this.#stop.signal.aborted && !isConnectionLoss(error)) throw error;
        });
        await pause(LOOK_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      }
    } finally {
      // Chains go back before, where the queue is there to take them.
      await worker.close(this.#client.status !== 'ready');
      if (this.#client.status === 'ready')
        await this.#client.multi().del(workerKey(this.#id)).srem(WORKERS, this.#id).exec();
      taking.disconnect();
      this.#client.disconnect();
      await this.#threads.dismiss();
    }
  }

  /** What is being computed goes back into the queue. */
  stop(): void {
    this.#stop.abort();
    for (const { end } of this.#active) end.abort();
    // Nothing can be given back: what waits for the queue is left.
    if (this.#client.status !== 'ready') this.#client.disconnect();
  }

  /** Says that it is there, and looks who is and what is still wanted. */
  async #look(): Promise<void> {
    const { name, version, workers } = this.options;
    const word: WorkerWord = { name, version, workers };
    await this.#client
      .multi()
      .set(workerKey(this.#id), JSON.stringify(word), 'EX', WORKER_LIFE_S)
      .sadd(WORKERS, this.#id)
      .exec();
    await this.#forgetLost(WORKERS, workerKey);
    const words = await this.#forgetLost(SWEEPS, sweepKey);
    for (const [id, text] of words) {
      const { data: sweep } = sweepSchema.safeParse(text);
      if (sweep === undefined) continue;
      if (sweep.version !== version && !this.#told.has(id)) {
        this.#told.add(id);
        const { message, remedy } = otherVersion(name, version, sweep.version).details;
        this.options.note(`${message} ${remedy ?? ''}\n`);
      }
    }
    for (const { sweep, end } of this.#active) {
      const { data } = sweepSchema.safeParse(await this.#client.get(sweepKey(sweep)));
      // A sweep that has no word may have lost it together with the queue; it is asked once more for the next
      // point.
      if (data?.state === 'over') end.abort();
    }
  }

  /** @returns the words of those that are there, by their ids */
  async #forgetLost(set: string, key: (id: string) => string): Promise<Map<string, string>> {
    const ids = await this.#client.smembers(set);
    const words = ids.length === 0 ? [] : await this.#client.mget(ids.map(key));
    const lost = ids.filter((_, k) => words[k] === null);
    if (lost.length > 0) await this.#client.srem(set, ...lost);
    return new Map(ids.flatMap((id, k) => (words[k] === null ? [] : [[id, words[k] ?? ''] as const])));
  }

  async #process(queued: Job<unknown>, token: string): Promise<void> {
    const parsed = taskSchema.safeParse(queued.data);
    if (!parsed.success) {
      this.options.note('A chain in the queue cannot be read and is skipped.\n');
      return;
    }
    const text = parsed.data;
    const { data: sweep } = sweepSchema.safeParse(await this.#client.get(sweepKey(text.sweep)));
    // No client waits for it any more.
    if (sweep?.state !== 'wanted') return;
    const active: Active = { sweep: text.sweep, end: new AbortController() };
    this.#active.add(active);
    try {
      if (text.version !== this.options.version)
        throw otherVersion(this.options.name, this.options.version, text.version);
      const job = await this.#jobOf(text);
      // The queue has lost it; the sweep will see to it.
      if (job !== null) await this.#compute(job, text, queued, active.end);
    } catch (error) {
      // Anything else is of the queue: the sweep puts the chain in again.
      if (!(error instanceof MoreauError)) throw error;
      await this.#reply(text.sweep, { refused: error.details });
    } finally {
      this.#active.delete(active);
    }
    if (!this.#stop.signal.aborted) return;
    await queued.moveToWait(token);
    throw new WaitingError();
  }

  /** @throws {MoreauError} when it cannot be read */
  async #jobOf({ job: hash, points }: TaskText): Promise<SweepJob | null> {
    const known = this.#jobs.get(hash);
    const text = known === undefined ? await this.#client.get(jobKey(hash)) : null;
    const job =
      known ??
      (text === null || nameOfText(text) !== hash ? null : readJobText(text, 'The job in the queue'));
    if (job === null) return null;
    this.#jobs.set(hash, job);
    if (this.#jobs.size > JOBS_KEPT) this.#jobs.delete([...this.#jobs.keys()][0]);
    const count = countResults(job);
    return points.every((index) => index < count) ? job : null;
  }

  /** Reports each point as soon as it is computed and shortens the chain in the queue accordingly. */
  async #compute(job: SweepJob, text: TaskText, queued: Job<unknown>, end: AbortController): Promise<void> {
    const start = text.start === null ? null : decodeNumbers(text.start);
    let left: ChainTask = { points: text.points, start };
    let telling: Promise<void> = Promise.resolve();
    const tell = async (index: number, result: PointResult, rest: ChainTask): Promise<void> => {
      await this.#reply(text.sweep, { point: encodePoint(index, result) });
      if (rest.points.length === 0) return;
      const data: TaskText = {
        ...text,
        points: [...rest.points],
        start: rest.start === null ? null : encodeNumbers(rest.start),
      };
      // If it is no longer in the queue, the sweep has resubmitted or dropped it.
      await queued.updateData(data).catch(() => end.abort());
    };
    await this.#threads.compute(
      job,
      left,
      (index, result) => {
        left = afterFirst(left, result);
        const rest = left;
        telling = telling.then(() => tell(index, result, rest));
        // Stop computing if results cannot be reported.
        telling.catch(() => end.abort());
      },
      end.signal,
    );
    await telling;
  }

  /** Perhaps twice, where the connection is lost. */
  async #reply(sweep: string, reply: unknown): Promise<void> {
    const key = repliesKey(sweep);
    const send = (): Promise<unknown> =>
      this.#client.multi().xadd(key, '*', 'reply', JSON.stringify(reply)).expire(key, REPLIES_LIFE_S).exec();
    for (;;) {
      try {
        await send();
        return;
      } catch (error) {
        if (this.#stop.signal.aborted || !isConnectionLoss(error)) throw error;
      }
    }
  }
}
