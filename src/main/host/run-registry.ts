/** All runs of a host: their names, their recordings, their events, and what lasts of them. */
import { randomBytes } from 'node:crypto';
import { MoreauError } from '@contract/errors';
import type { AttendedRuns, HostEvent, RemovedRuns, RunInfo, RunStorage } from '@contract/methods';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { ConsoleMessage } from '@engine/script/sandbox';
import type { RunSpecification } from '@engine/run/session';
import { failureReason, isDiskFull } from '../files/file-errors';
import { AccuracyMeter } from './accuracy-meter';
import { unknownRun } from './errors';
import type { HostRun } from './host-run';
import { Housekeeping } from './kept/housekeeping';
import { KeptRun } from './kept/kept-run';
import { recordOf, type RunRecord } from './kept/manifest';
import { RunKeeper } from './kept/run-keeper';
import { HEARTBEAT_MS, type ListedRun, type RunStore } from './kept/run-store';
import { WATCH_MS } from './memory';
import type { ReaderClient } from './reader-client';
import type { RecordingPlace } from './reader';
import { MOST_WORKERS, RunQueue } from './run-queue';
import { notOver } from './run-errors';
import { RunHandle, type RunObserver } from './run-handle';
import { sectionKey } from './section-files';
import type { WorkerSupply } from './worker-supply';
import type { Workspace } from './workspace';

/** Runs that wait at once: more are started by a program that has lost count. */
const MOST_WAITING = 1000;
/** Least time between two progress events of a run, ms. */
const PROGRESS_INTERVAL_MS = 100;
/** A run that is still being prepared after this long is shown as such, ms. */
const ANNOUNCE_MS = 250;

/** What a run is started with beside what it computes. */
export interface RunIdentity {
  name?: string;
  documents: readonly string[];
  group: string | null;
  /** it follows a slider */
  live?: boolean;
  /** `last`: only its last rows are kept, in memory, and nothing is left of it */
  keep?: 'all' | 'last';
  /** whether its accuracy is measured when it is over */
  measure?: boolean;
}

export class RunRegistry implements RunObserver {
  readonly #runs = new Map<string, HostRun>();
  /** of the runs that are computed here, what writes them down */
  readonly #keepers = new Map<string, RunKeeper>();
  readonly #queue: RunQueue<RunHandle>;
  /** null: runs are gone with the host */
  readonly #store: RunStore | null;
  readonly #housekeeping: Housekeeping | null;
  /** of this program */
  readonly #version: string;
  #heartbeatAt = 0;
  readonly #workspace: Workspace;
  readonly #reader: ReaderClient;
  readonly #workers: WorkerSupply;
  readonly #emit: (event: HostEvent) => void;
  readonly #emittedAt = new Map<string, number>();
  /** runs the listeners have heard of */
  readonly #announced = new Set<string>();
  /** recordings that can be read; a query waits until the reader knows the recording */
  readonly #recordings = new Map<string, Promise<void>>();
  /** runs whose accuracy is measured when they are over */
  readonly #measured = new Set<string>();
  readonly #meter: AccuracyMeter;
  /** runs that are being measured, or wait for that */
  readonly #measuring = new Map<string, Promise<void>>();
  #counter = 0;
  #watch: NodeJS.Timeout | null = null;

  constructor(
    version: string,
    workspace: Workspace,
    store: RunStore | null,
    reader: ReaderClient,
    workers: WorkerSupply,
    diskLimit: () => number,
    atOnce: () => number,
    emit: (event: HostEvent) => void,
  ) {
    this.#housekeeping =
      store === null
        ? null
        : new Housekeeping(store, diskLimit, {
            remove: (runId) => this.#removeForGood(runId),
            onRemoved: (data) => emit({ event: 'run.removed', data }),
          });
    this.#queue = new RunQueue(atOnce);
    this.#version = version;
    this.#workspace = workspace;
    this.#store = store;
    this.#reader = reader;
    this.#workers = workers;
    this.#meter = new AccuracyMeter(workers);
    this.#emit = emit;
  }

  /**
   * Starts a run in a worker of its own, when it is its turn.
   * @returns when the model is prepared, or in state `queued` when others come first, or `starting` when its
   *   scripts take long
   * @throws {MoreauError} why the model cannot be run, or `too-many-runs`
   */
  async start(
    specification: RunSpecification,
    identity: RunIdentity,
    start?: { paused: boolean; speed: number | null },
  ): Promise<RunInfo> {
    const isKept = identity.keep !== 'last';
    if (isKept) await this.#housekeeping?.requireSpace();
    this.#requireRoom();
    if (identity.live === true) await this.#replaceWaiting(identity.documents);
    const number = ++this.#counter;
    const runId = this.#store === null ? `run-${number}` : `run-${randomBytes(8).toString('hex')}`;
    const title = typeof specification.document.title === 'string' ? specification.document.title : '';
    const record: RunRecord = {
      number,
      name: identity.name ?? runName(number, specification),
      pinned: false,
      documents: [...identity.documents],
      group: identity.group,
      deletedAt: null,
      accuracy: null,
    };
    const run = new RunHandle(
      {
        runId,
        record,
        file: isKept ? this.#newRecording(runId) : null,
        urgency: identity.live === true ? 'live' : identity.group === null ? 'single' : 'group',
        title,
        engineVersion: this.#version,
      },
      specification,
      this.#workers,
      this,
      start,
    );
    this.#runs.set(runId, run);
    if (identity.measure !== false && run.urgency === 'single') this.#measured.add(runId);
    if (this.#store !== null && isKept) this.#keepers.set(runId, new RunKeeper(run, this.#store));
    this.#watch ??= setInterval(() => this.#watchAll(), WATCH_MS);
    this.#queue.add(run);
    // Clients that list the run are notified of its outcome, also when its model is refused later.
    if (run.state === 'queued') this.#tell(run);
    await run.started();
    const refusal = run.refusal;
    if (refusal !== null) {
      // A run that was never shown leaves no trace; one that was shown stays in the list as failed.
      if (!this.#announced.has(runId)) await this.#forget(run);
      throw new MoreauError(refusal);
    }
    return run.info();
  }

  /** @throws {MoreauError} `too-many-runs` */
  #requireRoom(): void {
    const runs = [...this.#runs.values()];
    const paused = runs.filter(({ state }) => state === 'paused').length;
    const isFull = paused >= MOST_WORKERS;
    if (!isFull && this.#queue.waiting.length < MOST_WAITING) return;
    throw new MoreauError({
      code: 'too-many-runs',
      message: isFull ? `${paused} runs are paused already.` : `${MOST_WAITING} runs wait already.`,
      remedy: isFull ? 'Let one of them go on, or cancel one.' : 'Wait for some to end, or cancel some.',
    });
  }

  /** Of a slider only the last place counts: what still waits for its earlier ones does not begin. */
  async #replaceWaiting(documents: readonly string[]): Promise<void> {
    const wanted = new Set(documents);
    for (const run of this.#queue.waiting)
      if (run.urgency === 'live' && run.record.documents.some((document) => wanted.has(document)))
        await run.cancel();
  }

  /** @throws {MoreauError} `unknown-run` */
  get(runId: string): HostRun {
    const run = this.#runs.get(runId);
    if (run === undefined) throw unknownRun(runId);
    return run;
  }

  /** In the order they were started. */
  list(): RunInfo[] {
    const present = [...this.#runs.values()].filter(({ record }) => record.deletedAt === null);
    return present.map((run) => run.info());
  }

  #newRecording(runId: string): string {
    if (this.#store === null) return this.#workspace.recording(runId);
    try {
      return this.#store.create(runId);
    } catch (error) {
      throw new MoreauError({
        code: isDiskFull(error) ? 'disk-full' : 'recording-failed',
        message: `No folder for the run could be created in ${this.#store.folder}: ${failureReason(error)}.`,
        where: this.#store.folder,
        remedy: 'Free space on that disk, or make the folder writable.',
      });
    }
  }

  /**
   * Runs of documents, in the order they were started: those of this host, and those of earlier sessions,
   * which are read from disk. One that another process computes is not told before it has ended.
   */
  async attend(page: string, documents: readonly string[]): Promise<AttendedRuns> {
    await this.#housekeeping?.attendance.attend(page, documents);
    const wanted = new Set(documents);
    const belongs = (record: Pick<RunRecord, 'documents'>): boolean =>
      record.documents.some((document) => wanted.has(document));
    const store = this.#store;
    const { runs: listed, problems } = (await store?.list()) ?? { runs: [], problems: [] };
    const onDisk = new Set(listed.map(({ manifest }) => manifest.runId));
    for (const one of listed) {
      if (!belongs(one.manifest) || store === null) continue;
      const problem = await this.#adopt(one, store);
      if (problem !== null) problems.push(problem);
    }
    const found = [...this.#runs.values()].filter(
      (run) =>
        belongs(run.record) &&
        run.record.deletedAt === null &&
        (store === null || onDisk.has(run.runId) || this.#isComing(run)),
    );
    found.sort((a, b) => a.startedAt.localeCompare(b.startedAt));
    this.#housekeeping?.keepWithinLimit();
    return { runs: found.map((run) => run.info()), problems };
  }

  /** Whether its files are not complete yet. */
  #isComing({ runId, active }: HostRun): boolean {
    return active || this.#keepers.get(runId)?.isWriting === true;
  }

  /** Takes a kept run among those of this host. @returns what is wrong with it */
  async #adopt(listed: ListedRun, store: RunStore): Promise<AttendedRuns['problems'][number] | null> {
    const { manifest } = listed;
    const { runId } = manifest;
    this.#counter = Math.max(this.#counter, manifest.number);
    const known = this.#runs.get(runId);
    // Another process may have renamed or deleted it meanwhile.
    if (known !== undefined && !this.#isComing(known)) Object.assign(known.record, recordOf(manifest));
    if (known !== undefined || manifest.deletedAt !== null || store.isUnderWay(listed)) return null;
    try {
      const run = await KeptRun.open(manifest, store);
      if (this.#runs.has(runId)) return null;
      this.#runs.set(runId, run);
      this.#announced.add(runId);
      for (const recording of run.recordings) this.onRecording(run, recording);
      return null;
    } catch (error) {
      // Deleted by another process while it was read.
      if (!(await store.has(runId))) return null;
      return store.setAside(runId, 'prepared.json', error);
    }
  }

  /** Changes what is said of a run. */
  async note(runId: string, changes: Partial<RunRecord>): Promise<RunInfo> {
    const run = this.get(runId);
    Object.assign(run.record, changes);
    this.#tell(run);
    await this.#write(run, changes);
    return run.info();
  }

  /** Runs belong to one more document. Runs that are unknown here are passed over. */
  async assign(document: string, runIds: readonly string[]): Promise<void> {
    for (const runId of runIds) {
      const run = this.#runs.get(runId);
      if (run === undefined || run.record.documents.includes(document)) continue;
      await this.note(runId, { documents: [...run.record.documents, document] });
    }
  }

  /** @throws {MoreauError} when the disk does not take it */
  async #write(run: HostRun, changes: Partial<RunRecord>): Promise<void> {
    // Of a run that keeps its last rows only there is nothing on the disk.
    if (run instanceof RunHandle && run.file === null) return;
    if (this.#isComing(run)) this.#keepers.get(run.runId)?.onChange();
    else await this.#store?.update(run.runId, changes);
  }

  /** A reader has found that a recording is shorter than it was: damage, which its information tells. */
  checkLosses(runId: string): void {
    const run = this.#runs.get(runId);
    if (run instanceof KeptRun && run.hasLost()) this.#tell(run);
  }

  /**
   * Ends the run if need be. It can be restored until its files are removed, at once where that is not
   * wanted.
   */
  async delete(runId: string, forGood: boolean): Promise<void> {
    const run = this.get(runId);
    await run.cancel();
    // What was never written cannot be restored.
    if (forGood || this.#store === null || run.prepared === null) return this.#forget(run);
    await this.note(runId, { deletedAt: Date.now() });
  }

  /** @throws {MoreauError} `unknown-run` when it has been removed meanwhile */
  async restore(runId: string): Promise<RunInfo> {
    this.get(runId);
    await this.#keepers.get(runId)?.settled();
    if (this.#store !== null && !(await this.#store.has(runId))) throw unknownRun(runId);
    return this.note(runId, { deletedAt: null });
  }

  storage(): Promise<RunStorage> {
    const nothing = { folder: null, runs: [], bytes: 0, limit: null, free: null };
    return this.#housekeeping?.storage() ?? Promise.resolve(nothing);
  }

  /** Removes for good all that are neither pinned nor in use. */
  clear(): Promise<RemovedRuns> {
    return this.#housekeeping?.clear() ?? Promise.resolve({ runs: [], bytes: 0 });
  }

  async #removeForGood(runId: string): Promise<void> {
    const run = this.#runs.get(runId);
    if (run === undefined) await this.#store?.remove(runId);
    else await this.#forget(run);
  }

  /** Resolves to whether there is a recording to be read. */
  async readable(runId: string): Promise<boolean> {
    const recording = this.#recordings.get(runId);
    await recording;
    return recording !== undefined;
  }

  async dispose(): Promise<void> {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
    this.#queue.close();
    await this.#meter.dispose();
    await Promise.all([...this.#runs.values()].map((run) => run.dispose()));
    await Promise.all([...this.#recordings.values()]);
    await Promise.all([...this.#keepers.values()].map((keeper) => keeper.settled()));
    await this.#housekeeping?.close();
    this.#store?.close();
    this.#runs.clear();
  }

  onBegin(run: RunHandle): void {
    const announce = (): void => {
      if (run.state === 'starting') this.onStateChange(run);
    };
    setTimeout(announce, ANNOUNCE_MS).unref();
  }

  onStateChange(run: RunHandle): void {
    this.#queue.advance();
    if (run.refusal !== null && !this.#announced.has(run.runId)) return;
    if (run.active) this.#keepers.get(run.runId)?.onChange();
    this.#tell(run);
  }

  #tell(run: HostRun): void {
    this.#announced.add(run.runId);
    this.#emittedAt.set(run.runId, performance.now());
    this.#emit({ event: 'run.progress', data: { run: run.info() } });
  }

  onProgress(run: RunHandle): void {
    const now = performance.now();
    if (now - (this.#emittedAt.get(run.runId) ?? 0) < PROGRESS_INTERVAL_MS) return;
    this.#emittedAt.set(run.runId, now);
    this.#emit({ event: 'run.progress', data: { run: run.info() } });
  }

  onConsole(run: RunHandle, message: ConsoleMessage): void {
    this.#emit({ event: 'run.console', data: { runId: run.runId, ...message } });
  }

  onEvents(run: RunHandle, first: number, events: readonly EventRecord[]): void {
    this.#keepers.get(run.runId)?.onEvents(first, events);
  }

  onRecording(run: HostRun, place: RecordingPlace): void {
    this.#keepers.get(run.runId)?.onLayout(place.layout);
    const opened = this.#reader.open(place);
    const others = this.#recordings.get(run.runId);
    // A failure is reported by the query that meets it.
    const told = opened.catch(() => undefined);
    this.#recordings.set(run.runId, others === undefined ? told : others.then(() => told));
  }

  /**
   * Measures the accuracy of a run that is over, and tells it.
   * @param long whether a long run is measured, too
   * @throws {MoreauError} `run-not-over`
   */
  async measure(runId: string, long: boolean): Promise<RunInfo> {
    const run = this.get(runId);
    await run.loaded();
    if (run.state !== 'done') throw notOver(run.name);
    await this.#measuring.get(runId);
    const known = run.record.accuracy;
    if (known !== null && !(known.state === 'unknown' && known.reason === 'too-long' && long))
      return run.info();
    run.record.accuracy = { state: 'measuring' };
    this.#tell(run);
    const isWanted = (): boolean => this.#runs.get(runId) === run && run.record.deletedAt === null;
    const measuring = this.#meter.measure(run.repetition, long, isWanted);
    this.#measuring.set(
      runId,
      measuring.then((accuracy) => {
        run.record.accuracy = accuracy;
        this.#measuring.delete(runId);
      }),
    );
    const accuracy = await measuring;
    if (isWanted()) await this.note(runId, { accuracy });
    return run.info();
  }

  onEnd(run: RunHandle): void {
    // Write failures are reported with the run itself.
    if (run.state === 'done' && this.#measured.delete(run.runId))
      this.measure(run.runId, false).catch(() => undefined);
    const keeper = this.#keepers.get(run.runId);
    const opened = this.#recordings.get(run.runId) ?? Promise.resolve();
    // When the disk does not take the last chunk it stays in shared memory, and readable.
    this.#recordings.set(
      run.runId,
      opened
        .then(() => Promise.all(recordingsOf(run).map((key) => this.#reader.seal(key))))
        .then(
          async () => {
            keeper?.onEnd();
            await keeper?.settled();
            this.#housekeeping?.keepWithinLimit();
          },
          () => undefined,
        ),
    );
  }

  async #forget(run: HostRun): Promise<void> {
    const { runId } = run;
    await this.#recordings.get(runId);
    await this.#keepers.get(runId)?.stop();
    this.#keepers.delete(runId);
    this.#recordings.delete(runId);
    this.#emittedAt.delete(runId);
    this.#announced.delete(runId);
    this.#runs.delete(runId);
    await Promise.all(recordingsOf(run).map((key) => this.#reader.close(key)));
    if (this.#store === null) this.#workspace.removeRecording(runId, run.prepared?.sections?.length ?? 0);
    else await this.#store.remove(runId);
  }

  #watchAll(): void {
    let active = false;
    const now = performance.now();
    const isDue = now - this.#heartbeatAt > HEARTBEAT_MS;
    if (isDue) {
      this.#heartbeatAt = now;
      for (const [runId, keeper] of this.#keepers)
        if (this.#runs.get(runId)?.active === true) keeper.onChange();
    }
    for (const run of this.#runs.values()) {
      run.watch();
      active ||= run.active;
    }
    if (!active && this.#watch !== null) {
      clearInterval(this.#watch);
      this.#watch = null;
    }
  }
}

/** What readers know the recordings of a run by: its own, and those of its sections. */
const recordingsOf = ({ runId, prepared }: HostRun): string[] => [
  runId,
  ...(prepared?.sections ?? []).map((_, k) => sectionKey(runId, k)),
];

/** `Run 3`, or `Run 3 · rpm = 660 · event-driven`: what sets a run apart from a plain run of its document. */
function runName(number: number, { document, scheme, h, set, from }: RunSpecification): string {
  const own = scheme ?? document.simulation?.scheme;
  const isNamed = scheme !== undefined || own === 'event-driven';
  const changed = Object.entries({ ...(h === undefined ? {} : { h }), ...set, ...from?.set });
  return [
    `Run ${number}`,
    ...(from === undefined ? [] : [`from ${Number(from.time.toPrecision(6))} s`]),
    ...changed.map(([key, value]) => `${key} = ${value}`),
    ...(isNamed && own !== undefined ? [own] : []),
  ].join(' · ');
}
