/** The host's side of the reader worker: calls with answers, and a new worker when one has died. */
import type { Worker } from 'node:worker_threads';
import { MoreauError } from '@contract/errors';
import { READER_LIMITS } from './memory';
import type { ReaderQueries, ReaderQueryKind, ReaderReply, RecordingPlace } from './reader';
import { startThread } from './thread';

interface Pending {
  resolve: (answer: unknown) => void;
  reject: (error: MoreauError) => void;
}

export class ReaderClient {
  readonly #url: URL;
  readonly #pending = new Map<number, Pending>();
  /** open recordings, to pass on to a new worker */
  readonly #places = new Map<string, RecordingPlace>();
  #worker: Worker | null = null;
  #nextId = 0;
  #disposed = false;

  /** @param url bundled reader worker; it is started at the first query */
  constructor(url: URL) {
    this.#url = url;
  }

  async open(place: RecordingPlace): Promise<void> {
    // Noted before the call: a worker that has to be started for it opens every noted recording by itself.
    const started = this.#worker !== null;
    this.#places.set(place.runId, place);
    if (started) await this.ask('open', place);
    else this.#start();
  }

  /** The run has ended. The recording stays readable, from the file alone. */
  async seal(runId: string): Promise<void> {
    const place = this.#places.get(runId);
    if (place === undefined) return;
    await this.ask('seal', { runId });
    if (place.file !== null) place.ring = [];
  }

  async close(runId: string): Promise<void> {
    if (!this.#places.delete(runId)) return;
    await this.ask('close', { runId });
  }

  /** @throws {MoreauError} what the reader reports, or `worker-crashed` */
  ask<K extends ReaderQueryKind>(
    kind: K,
    query: ReaderQueries[K]['query'],
  ): Promise<ReaderQueries[K]['answer']> {
    if (this.#disposed) return Promise.reject(crashed('it has been shut down'));
    const worker = this.#worker ?? this.#start();
    return new Promise((resolve, reject) => {
      const id = this.#send(worker, kind, query);
      this.#pending.set(id, { resolve: resolve as (answer: unknown) => void, reject });
    });
  }

  /** Ends the worker; everything pending is rejected. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    const worker = this.#worker;
    this.#lose(crashed('it has been shut down'));
    await worker?.terminate();
  }

  #send<K extends ReaderQueryKind>(worker: Worker, kind: K, query: ReaderQueries[K]['query']): number {
    const id = this.#nextId++;
    worker.postMessage({ id, kind, query });
    return id;
  }

  #start(): Worker {
    const worker = startThread(this.#url, 'reader', READER_LIMITS);
    this.#worker = worker;
    worker.on('message', (reply: ReaderReply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ('error' in reply) pending?.reject(new MoreauError(reply.error));
      else pending?.resolve(reply.answer);
    });
    const lost = (reason: string): void => {
      if (this.#worker === worker) this.#lose(crashed(reason));
    };
    worker.on('error', (error) => lost(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => lost(`it ended with code ${code}`));
    for (const place of this.#places.values()) this.#send(worker, 'open', place);
    return worker;
  }

  #lose(error: MoreauError): void {
    this.#worker = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }
}

const crashed = (reason: string): MoreauError =>
  new MoreauError({
    code: 'worker-crashed',
    message: `The reader of recordings stopped: ${reason}.`,
    remedy: 'Try again; a new reader starts automatically, and no recorded data is lost.',
  });
