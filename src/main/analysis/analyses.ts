/**
 * Analyses that are asked for: computed in threads, kept by their names. Sweeps take all cores and wait for
 * each other; the others begin at once.
 */
import { availableParallelism } from 'node:os';
import { stat } from 'node:fs/promises';
import type { AnalysisInfo } from '@contract/analyses';
import { MoreauError } from '@contract/errors';
import {
  analysisJob,
  type AnalysisJob,
  analysisJobs,
  type BasinsAnalysis,
  type SingleAnalysis,
  type SweepAnalysis,
} from '@engine/analysis/jobs/job';
import type { AnalysisOutcome } from '@engine/analysis/jobs/outcome';
import { type SweepJob, countPoints } from '@engine/analysis/sweep/job';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import type { ModelDocument } from '@engine/document/types';
import { toRemoteError } from '../host/errors';
import type { SweepExecutor } from '../sweep/executor';
import { SweepJournal } from '../sweep/journal';
import { computeSweep } from '../sweep/sweep';
import { examineSweep, WorkerPool } from '../sweep/worker-pool';
import type { AnalysisStore } from './analysis-store';
import { AnalysisThread } from './analysis-thread';
import { BasinsJournal } from './basins-journal';
import { sweepOutcome } from './swept';

/** Time between two words on how far one has come, ms. */
const NEWS_MS = 100;

type FoundOutcome = Extract<AnalysisOutcome, { status: 'done' }>;

export interface AnalysisWorkers {
  /** bundled workers */
  readonly sweepWorkerUrl: URL;
  readonly analysisWorkerUrl: URL;
}

interface Known {
  info: AnalysisInfo;
  readonly abort: AbortController;
  /** settles when it is over, whatever came of it */
  over: Promise<void>;
}

export class Analyses {
  readonly #known = new Map<string, Known>();
  #sweeps: Promise<void> = Promise.resolve();
  readonly #workers: number;

  constructor(
    private readonly store: AnalysisStore,
    private readonly urls: AnalysisWorkers,
    private readonly tell: (info: AnalysisInfo) => void,
    workers?: number,
  ) {
    this.#workers = workers ?? availableParallelism();
  }

  /**
   * Begins an analysis of a document, or goes on with one that was interrupted. One that is known is there at
   * once.
   * @throws {EngineError} for its defects
   */
  async start(document: ModelDocument, id: string): Promise<AnalysisInfo> {
    const job = analysisJob(document, id);
    const name = this.store.nameOf(job);
    const before = this.#known.get(name);
    if (before !== undefined && isActive(before.info)) return before.info;
    const kind = job.kind;
    if (await this.store.has(name)) return this.#remember(name, { job: name, kind, state: 'done', part: 1 });
    const info = this.#remember(name, { job: name, kind, state: 'waiting', part: 0 });
    const known = this.#known.get(name);
    if (known !== undefined) known.over = this.#compute(name, job, known);
    return info;
  }

  /**
   * What is known of the analyses of a document, in their order; null for one that was never started or has
   * defects.
   */
  async find(document: ModelDocument): Promise<(AnalysisInfo | null)[]> {
    return Promise.all(analysisJobs(document).map(async (job) => (job === null ? null : this.#findOne(job))));
  }

  async #findOne(job: AnalysisJob): Promise<AnalysisInfo | null> {
    const name = this.store.nameOf(job);
    const known = this.#known.get(name);
    // A result may have gone since: at the limit of the store, by another program, or by hand.
    if (known !== undefined && (known.info.state !== 'done' || (await this.store.has(name))))
      return known.info;
    if (await this.store.has(name))
      return this.#remember(name, { job: name, kind: job.kind, state: 'done', part: 1 });
    const begun = await stat(this.store.journal(name, 0)).catch(() => null);
    return begun === null ? null : { job: name, kind: job.kind, state: 'interrupted', part: 0 };
  }

  /** Those of this session, the newest last. */
  list(): AnalysisInfo[] {
    return [...this.#known.values()].map(({ info }) => info);
  }

  /** @throws {MoreauError} `unknown-analysis` */
  async cancel(name: string): Promise<AnalysisInfo> {
    const known = this.#known.get(name);
    if (known === undefined) throw unknownJob(name);
    known.abort.abort();
    await known.over;
    return known.info;
  }

  /** @throws {MoreauError} `no-outcome` when it has none */
  async outcome(name: string): Promise<AnalysisOutcome> {
    const found = await this.store.read(name);
    if (found !== null) return found;
    throw noOutcome(name);
  }

  /**
   * What an analysis of a document has found, and when that was, ISO 8601.
   * @throws {EngineError} for its defects
   * @throws {MoreauError} `no-outcome` when nothing is known of the document as it is
   */
  async found(document: ModelDocument, id: string): Promise<{ outcome: FoundOutcome; foundAt: string }> {
    const name = this.store.nameOf(analysisJob(document, id));
    const outcome = await this.outcome(name);
    // Failures are not kept.
    if (outcome.status !== 'done') throw noOutcome(name);
    return { outcome, foundAt: (await this.store.writtenAt(name)).toISOString() };
  }

  /** Its result is gone, and what was computed of it. */
  async forget(name: string): Promise<void> {
    const known = this.#known.get(name);
    if (known !== undefined && isActive(known.info)) await this.cancel(name);
    this.#known.delete(name);
    await this.store.remove(name);
  }

  async dispose(): Promise<void> {
    for (const { abort } of this.#known.values()) abort.abort();
    await Promise.all([...this.#known.values()].map(({ over }) => over));
  }

  #remember(name: string, info: AnalysisInfo): AnalysisInfo {
    this.#known.delete(name);
    this.#known.set(name, { info, abort: new AbortController(), over: Promise.resolve() });
    this.tell(info);
    return info;
  }

  async #compute(name: string, job: AnalysisJob, known: Known): Promise<void> {
    const { signal } = known.abort;
    const began = performance.now();
    const set = (change: Partial<AnalysisInfo>): void => {
      known.info = { ...known.info, ...change };
      this.tell(known.info);
    };
    try {
      const outcome = await this.#outcome(name, job, signal, set);
      const seconds = (performance.now() - began) / 1000;
      if (outcome === null) set({ state: 'cancelled' });
      else if (outcome.status === 'failed') set({ state: 'failed', error: outcome.error, seconds });
      else {
        await this.store.write(name, outcome);
        await this.#removeJournals(name, job);
        set({ state: 'done', part: 1, seconds });
      }
    } catch (error) {
      set({ state: 'failed', error: toRemoteError(error) });
    }
  }

  #outcome(
    name: string,
    job: AnalysisJob,
    signal: AbortSignal,
    set: (change: Partial<AnalysisInfo>) => void,
  ): Promise<AnalysisOutcome | null> {
    // What takes all cores takes its turn.
    if (job.kind === 'sweep') return this.#inTurn(() => this.#sweep(name, job, signal, set));
    if (job.kind === 'basins') return this.#inTurn(() => this.#basins(name, job, signal, set));
    return this.#single(job, signal, set);
  }

  /** Goes on with its journal where there is one. */
  async #basins(
    name: string,
    job: BasinsAnalysis,
    signal: AbortSignal,
    set: (change: Partial<AnalysisInfo>) => void,
  ): Promise<AnalysisOutcome | null> {
    if (signal.aborted) return null;
    set({ state: 'running' });
    const progress = (done: number, of: number): void => set({ part: done / of, done, of });
    await this.store.prepare();
    const journal = await BasinsJournal.open(this.store.journal(name, 0), name);
    try {
      // Putting the parts together takes what computes them, which no one else in this thread does.
      const { computeBasins } = await import('./basins-threads');
      return await computeBasins(this.urls.analysisWorkerUrl, job, this.#workers, progress, signal, journal);
    } finally {
      await journal.flush();
    }
  }

  async #single(
    job: SingleAnalysis,
    signal: AbortSignal,
    set: (change: Partial<AnalysisInfo>) => void,
  ): Promise<AnalysisOutcome | null> {
    set({ state: 'running' });
    const thread = new AnalysisThread(this.urls.analysisWorkerUrl, signal);
    try {
      const reply = await thread.ask({ type: 'single', job }, 'outcome', (part) => set({ part }));
      return reply?.outcome ?? null;
    } finally {
      await thread.end();
    }
  }

  /** One sweep after the other. */
  async #inTurn<T>(compute: () => Promise<T>): Promise<T> {
    const before = this.#sweeps;
    let done: () => void = () => undefined;
    this.#sweeps = new Promise((resolve) => (done = resolve));
    await before;
    try {
      return await compute();
    } finally {
      done();
    }
  }

  async #sweep(
    name: string,
    { sweeps }: SweepAnalysis,
    signal: AbortSignal,
    set: (change: Partial<AnalysisInfo>) => void,
  ): Promise<AnalysisOutcome | null> {
    if (signal.aborted) return null;
    set({ state: 'running' });
    await this.store.prepare();
    const columns = await examineSweep(this.urls.sweepWorkerUrl, sweeps[0]);
    const of = sweeps.reduce((sum, { plan }) => sum + countPoints(plan), 0);
    const done = sweeps.map(() => 0);
    let toldAt = 0;
    const tell = (k: number, count: number): void => {
      done[k] = count;
      const now = performance.now();
      if (now - toldAt < NEWS_MS) return;
      toldAt = now;
      const all = done.reduce((sum, one) => sum + one, 0);
      set({ part: all / of, done: all, of });
    };
    // Each direction is a chain, which one worker computes: both go on at a time.
    const workers = Math.max(1, Math.floor(this.#workers / sweeps.length));
    const directions = await Promise.all(
      sweeps.map(async (job, k) => {
        const place = this.store.journal(name, k);
        const executor = new WorkerPool(this.urls.sweepWorkerUrl, workers);
        const results = await computeKept(job, place, executor, signal, (count) => tell(k, count));
        return { job, results };
      }),
    );
    if (directions.some(({ job, results }) => results.size < countPoints(job.plan))) return null;
    set({ done: of, of });
    return sweepOutcome(columns, directions);
  }

  /** They are complete, and the result has all they have. */
  async #removeJournals(name: string, job: AnalysisJob): Promise<void> {
    const count = journalCount(job);
    for (let k = 0; k < count; k++) await SweepJournal.discard(this.store.journal(name, k));
  }
}

function journalCount(job: AnalysisJob): number {
  if (job.kind === 'sweep') return job.sweeps.length;
  return job.kind === 'basins' ? 1 : 0;
}

/** Goes on with a journal where there is one. @returns fewer points than all when it was given up */
async function computeKept(
  job: SweepJob,
  place: string,
  executor: SweepExecutor,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<Map<number, PointResult>> {
  // One that cannot be read is worth nothing.
  const resumed = await SweepJournal.resume(place, job).catch(() => null);
  const journal = resumed?.journal ?? (await SweepJournal.begin(place, job, countPoints(job.plan)));
  const known = resumed?.results ?? new Map<number, PointResult>();
  if (signal.aborted) return known;
  const giveUp = (): void => void executor.cancel();
  signal.addEventListener('abort', giveUp);
  try {
    return await computeSweep(job, executor, known, journal, progress);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

const isActive = ({ state }: AnalysisInfo): boolean => state === 'waiting' || state === 'running';

const noOutcome = (name: string): MoreauError =>
  new MoreauError({
    code: 'no-outcome',
    message: 'The analysis has no result.',
    where: name,
    remedy: 'Compute it first.',
  });

const unknownJob = (name: string): MoreauError =>
  new MoreauError({
    code: 'unknown-analysis',
    message: 'There is no such analysis.',
    where: name,
    remedy: 'It may have been removed; start it again.',
  });
