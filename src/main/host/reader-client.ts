/**
 * The host's side of reading: calls with answers from the reader worker, and a new worker when one has died.
 * Where there are only last rows in memory, they are read here: a thread takes longer to start than they take
 * to read.
 */
import type { Worker } from 'node:worker_threads';
import { MoreauError } from '@contract/errors';
import { READER_LIMITS } from './memory';
import type { ReaderQueries, ReaderQueryKind, ReaderReply, ReaderRequest, RecordingPlace } from './reader';
import type { RecordingReaders } from './reader-impl';
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
  /** in place of a worker, as long as there is none */
  #here: Promise<RecordingReaders> | null = null;
  #nextId = 0;
  #disposed = false;

  /** @param url bundled reader worker; it is started with the first recording that has a file */
  constructor(url: URL) {
    this.#url = url;
  }

  async open(place: RecordingPlace): Promise<void> {
    // Noted before the call: a worker that has to be started for it opens every noted recording by itself.
    const started = this.#worker !== null || this.#here !== null;
    this.#places.set(place.runId, place);
    if (started) await this.ask('open', place);
    else if (this.#isInMemory()) await this.#readHere();
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
    if (this.#worker === null && this.#isInMemory()) return this.#askHere(kind, query);
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

  #isInMemory(): boolean {
    return [...this.#places.values()].every(({ file }) => file === null);
  }

  async #askHere<K extends ReaderQueryKind>(
    kind: K,
    query: ReaderQueries[K]['query'],
  ): Promise<ReaderQueries[K]['answer']> {
    const readers = await this.#readHere();
    // A recording with a file may have come meanwhile.
    if (this.#disposed || this.#worker !== null) return this.ask(kind, query);
    const { reply } = readers.answer({ id: this.#nextId++, kind, query } as ReaderRequest);
    if ('error' in reply) throw new MoreauError(reply.error);
    return reply.answer as ReaderQueries[K]['answer'];
  }

  #readHere(): Promise<RecordingReaders> {
    this.#here ??= import('./reader-impl').then((loaded) => {
      const readers = new loaded.RecordingReaders();
      for (const query of this.#places.values()) readers.answer({ id: this.#nextId++, kind: 'open', query });
      return readers;
    });
    return this.#here;
  }

  #send<K extends ReaderQueryKind>(worker: Worker, kind: K, query: ReaderQueries[K]['query']): number {
    const id = this.#nextId++;
    worker.postMessage({ id, kind, query });
    return id;
  }

  #start(): Worker {
    const worker = startThread(this.#url, 'reader', READER_LIMITS);
    this.#worker = worker;
    this.#here = null;
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
