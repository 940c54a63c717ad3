/**
 * A sweep whose chains are taken from a queue by workers on any machine.
 *
 * It is the one that knows what is still to be computed; the queue may forget anything at any time. What that
 * has lost is put in again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Job, Queue } from 'bullmq';
import { MoreauError } from '@contract/errors';
import type { PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import type { Redis } from 'ioredis';
import type { ChainTask, PointListener } from '../executor';
import { jobText, nameOfText } from '../job-text';
import { decodePoint, encodeNumbers } from '../point-text';
import { afterFirst, lostPoint } from '../sweep-threads';
import type { QueueAddress } from './address';
import { isConnectionLoss, openConnection } from './connection';
import {
  jobKey,
  LOOK_MS,
  PREFIX,
  queueName,
  REPLIES_LIFE_S,
  repliesKey,
  queueReplySchema,
  SWEEP_LIFE_S,
  sweepKey,
  SWEEPS,
  type TaskText,
  workerKey,
  WORKERS,
  workerSchema,
} from './messages';

/** Chains in the queue at a time: enough for many workers, and few to look after. */
const WINDOW = 512;
/** Replies that are read at a time. */
const REPLIES = 256;
/** How often a chain may be put in again at the same point before the point counts as failed. */
const MOST_LOSSES = 5;
/** Looks without a worker before that is said. */
const PATIENCE = 2;

interface Chain {
  left: ChainTask;
  /** in the queue */
  id: string;
  /** not found there at the last look */
  isMissing: boolean;
  losses: number;
}

export interface QueueSessionOptions {
  readonly address: QueueAddress;
  readonly version: string;
  readonly columns: SweepColumns;
  /** what a user may want to know meanwhile */
  readonly note: (text: string) => void;
}

/** One sweep while it is computed. */
export class QueueSession {
  readonly #id = randomUUID();
  readonly #text: string;
  readonly #hash: string;
  readonly #queue: Queue;
  readonly #client: Redis;
  /** waits for replies, so that it can do nothing else */
  readonly #reader: Redis;
  readonly #waiting: Chain[];
  /** points that are still to come */
  readonly #open = new Map<number, Chain>();
  readonly #inQueue = new Set<Chain>();
  #submitted = 0;
  #looksAlone = 0;
  readonly #told = new Set<string>();
  #end: { resolve: () => void; reject: (error: unknown) => void } | null = null;
  readonly #over = new AbortController();

  constructor(
    private readonly options: QueueSessionOptions,
    private readonly job: SweepJob,
    tasks: readonly ChainTask[],
    private readonly onPoint: PointListener,
  ) {
    this.#text = jobText(job);
    this.#hash = nameOfText(this.#text);
    this.#waiting = tasks.map((left) => ({ left, id: '', isMissing: false, losses: 0 }));
    for (const chain of this.#waiting) for (const index of chain.left.points) this.#open.set(index, chain);
    const { address, note, version } = options;
    this.#client = openConnection(address, {
      lost: () =>
        this.#isOver || note(`The queue at ${address.toString()} is unavailable; waiting for it.\n`),
      found: () => note(`The queue at ${address.toString()} is available again.\n`),
    });
    this.#reader = openConnection(address);
    this.#queue = new Queue(queueName(version), { connection: this.#client, prefix: PREFIX });
    this.#queue.on('error', () => undefined);
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /**
   * @returns when all points have been reported, or it has been cancelled
   * @throws {MoreauError} when the workers refuse it
   */
  async run(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#end = { resolve, reject };
        this.#repeat(() => this.#read()).catch(reject);
        this.#repeat(() => this.#watch()).catch(reject);
      });
    } finally {
      this.#over.abort();
      await this.#leave();
    }
  }

  giveUp(): void {
    this.#over.abort();
    this.#end?.resolve();
  }

  /** Does it again and again, whether or not the connection holds. */
  async #repeat(step: () => Promise<void>): Promise<void> {
    while (!this.#isOver)
      await step().catch((error: unknown) => {
        if (!this.#isOver && !isConnectionLoss(error)) throw error;
      });
  }

  /** Replies are read from the first that is there: one that has been taken in is removed. */
  async #read(): Promise<void> {
    const key = repliesKey(this.#id);
    const streams = await this.#reader.xread('COUNT', REPLIES, 'BLOCK', LOOK_MS, 'STREAMS', key, '0');
    for (const [, entries] of streams ?? []) {
      for (const [, fields] of entries) this.#take(fields[1]);
      if (entries.length > 0) await this.#client.xdel(key, ...entries.map(([id]) => id));
    }
    if (this.#open.size === 0) this.#end?.resolve();
    else await this.#submit();
  }

  #take(text: string | undefined): void {
    if (this.#isOver) return;
    const reply = queueReplySchema.safeParse(text);
    if (!reply.success) return this.#say('A reply of a worker cannot be read and is left out.');
    if ('refused' in reply.data) {
      this.#end?.reject(new MoreauError(reply.data.refused));
      return;
    }
    const { k } = reply.data.point;
    const chain = this.#open.get(k);
    // One that has come before; or one whose predecessor the queue has lost, which will be computed again.
    if (chain === undefined || chain.left.points[0] !== k) return;
    const result = decodePoint(reply.data.point);
    if (!this.#fits(result))
      return this.#say('A reply of a worker does not fit what was asked and is left out.');
    this.#settle(chain, k, result);
  }

  #settle(chain: Chain, index: number, result: PointResult): void {
    this.#open.delete(index);
    chain.left = afterFirst(chain.left, result);
    chain.losses = 0;
    if (chain.left.points.length === 0) this.#inQueue.delete(chain);
    this.onPoint(index, result);
  }

  #fits({ measures, section }: PointResult): boolean {
    const { columns } = this.options;
    const width = columns.section.length;
    return (
      measures.length === columns.measures.length &&
      (width === 0 ? section.length === 0 : section.length % width === 0)
    );
  }

  /** Gives the word that the sweep is alive, and finds what the queue has lost. */
  async #watch(): Promise<void> {
    try {
      await this.#giveWord('wanted');
      await this.#find();
      await this.#submit();
      await this.#lookForWorkers();
    } finally {
      await pause(LOOK_MS, undefined, { signal: this.#over.signal }).catch(() => undefined);
    }
  }

  async #giveWord(state: 'wanted' | 'over'): Promise<void> {
    const word = JSON.stringify({ version: this.options.version, state });
    await this.#client
      .multi()
      .set(jobKey(this.#hash), this.#text, 'EX', SWEEP_LIFE_S)
      .set(sweepKey(this.#id), word, 'EX', SWEEP_LIFE_S)
      .sadd(SWEEPS, this.#id)
      .expire(repliesKey(this.#id), REPLIES_LIFE_S)
      .exec();
  }

  async #find(): Promise<void> {
    for (const chain of [...this.#inQueue]) {
      const job = await Job.fromId(this.#queue, chain.id);
      if (this.#isOver || chain.left.points.length === 0) continue;
      if (job?.finishedOn !== undefined) {
        await job.remove().catch(() => undefined);
        this.#retry(chain);
      } else if (job !== undefined) chain.isMissing = false;
      // It may be done, with replies on their way.
      else if (chain.isMissing) this.#retry(chain);
      else chain.isMissing = true;
    }
  }

  #retry(chain: Chain): void {
    this.#inQueue.delete(chain);
    chain.isMissing = false;
    if (++chain.losses > MOST_LOSSES) this.#settle(chain, chain.left.points[0], lostPoint(this.job));
    if (chain.left.points.length > 0) this.#waiting.unshift(chain);
    else if (this.#open.size === 0) this.#end?.resolve();
  }

  async #submit(): Promise<void> {
    const room = WINDOW - this.#inQueue.size;
    const chains = this.#waiting.splice(0, Math.max(0, room));
    if (chains.length === 0 || this.#isOver) return;
    // Register their ids before awaiting anything, so no one else can submit them.
    for (const chain of chains) {
      chain.id = `${this.#id}-${this.#submitted++}`;
      this.#inQueue.add(chain);
    }
    await this.#queue.addBulk(
      chains.map(({ left, id }) => ({
        name: 'chain',
        data: this.#task(left),
        opts: { jobId: id, removeOnComplete: true, removeOnFail: { age: SWEEP_LIFE_S } },
      })),
    );
  }

  #task({ points, start }: ChainTask): TaskText {
    return {
      version: this.options.version,
      sweep: this.#id,
      job: this.#hash,
      points: [...points],
      start: start === null ? null : encodeNumbers(start),
    };
  }

  async #lookForWorkers(): Promise<void> {
    const ids = await this.#client.smembers(WORKERS);
    const words = ids.length === 0 ? [] : await this.#client.mget(ids.map(workerKey));
    const known = words.map((word) => workerSchema.safeParse(word)).flatMap(({ data }) => data ?? []);
    const { version, address } = this.options;
    if (known.some((worker) => worker.version === version)) {
      this.#looksAlone = 0;
      return;
    }
    for (const other of known)
      this.#say(
        `The worker ${other.name} has version ${other.version} of Moreau and refuses this sweep of version ${version}.`,
      );
    if (++this.#looksAlone >= PATIENCE)
      this.#say(
        `No worker of version ${version} has answered yet. Start one on any machine: moreau worker --queue ${address.toString()}`,
      );
  }

  /** Once. */
  #say(text: string): void {
    if (this.#told.has(text) || this.#isOver) return;
    this.#told.add(text);
    this.options.note(`${text}\n`);
  }

  /** Takes what is left of the sweep out of the queue. Where that is gone, it all ends by itself. */
  async #leave(): Promise<void> {
    if (this.#client.status === 'ready') {
      await this.#giveWord('over');
      for (const { id } of this.#inQueue) {
        const job = await Job.fromId(this.#queue, id);
        // One that is being computed is left by its worker.
        await job?.remove().catch(() => undefined);
      }
      await this.#client.multi().srem(SWEEPS, this.#id).del(repliesKey(this.#id)).exec();
    }
    this.#reader.disconnect();
    await this.#queue.close();
    this.#client.disconnect();
  }
}
