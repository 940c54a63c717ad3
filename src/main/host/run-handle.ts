/** One run as the host keeps it: its worker while it lives, and what is known of it afterwards. */
import type { Worker } from 'node:worker_threads';
import { MoreauError, type RemoteError } from '@contract/errors';
import type { CertificateSummary, RunInfo, RunState, RunWork } from '@contract/methods';
import type { Expression, SchemeName } from '@engine/document/types';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { ConsoleMessage } from '@engine/script/sandbox';
import type { RunSpecification } from '@engine/run/session';
import type { InitialState } from '@engine/run/initial-state';
import type { ChunkLayout } from '@engine/recording/chunks';
import { Changes } from './changes';
import { bytesOnDisk, COUNTER, createCounters } from './counters';
import type { HostRun } from './host-run';
import type { RunRecord } from './kept/manifest';
import { GrowthMeter } from './memory';
import type { RecordingPlace } from './reader';
import { toRemoteError } from './errors';
import { runOver, runQueued } from './run-errors';
import type { Urgency } from './run-queue';
import { Stopwatch } from './stopwatch';
import { sectionFile, sectionKey } from './section-files';
import { outOfMemory, workerError } from './worker-errors';
import type { PreparedRun, RunProgress, RunRequest, RunTarget, WorkerMessage } from './run';
import type { WorkerSupply } from './worker-supply';

/** A worker that was asked to cancel gets this long to answer, ms; then it is ended. */
const CANCEL_PATIENCE_MS = 40;
/** A call that waits for a worker's answer (start, pause) gives the present state after this long, ms. */
const ANSWER_PATIENCE_MS = 2000;
/** A running worker that completed no slice for this long gets a warning, ms. */
const STALL_MS = 2000;

const OVER: ReadonlySet<RunState> = new Set(['done', 'failed', 'cancelled', 'interrupted']);

const NO_CERTIFICATE: CertificateSummary = {
  complementarity: 0,
  coneViolation: 0,
  dynamics: 0,
  worstTime: null,
  worstElement: null,
};

const NO_WORK: RunWork = { factorisations: 0, newtonIterations: 0, solverIterations: 0, rejectedSteps: 0 };

/** What the handle tells the host. */
export interface RunObserver {
  /** the worker has loaded the engine and prepares the model */
  onBegin(run: RunHandle): void;
  /** the state changed, or a stall warning came or went */
  onStateChange(run: RunHandle): void;
  onProgress(run: RunHandle): void;
  onConsole(run: RunHandle, message: ConsoleMessage): void;
  onRecording(run: RunHandle, place: RecordingPlace): void;
  /** events from a place among those of the run on; what was told of later ones is taken back */
  onEvents(run: RunHandle, first: number, events: readonly EventRecord[]): void;
  /** the run will not compute any more; its recording is final */
  onEnd(run: RunHandle): void;
}

export class RunHandle implements HostRun {
  readonly runId: string;
  readonly record: RunRecord;
  /** null: only the last rows are kept, in memory */
  readonly file: string | null;
  readonly urgency: Urgency;
  /** when it was started, ISO 8601 */
  readonly startedAt = new Date().toISOString();
  /** why it will not be there after a restart; null when it will, or when nothing lasts */
  keepingProblem: string | null = null;
  /** what the simulation told of its events */
  readonly events: EventRecord[] = [];
  certificateOverTime: Float64Array = new Float64Array(0);
  readonly #title: string;
  readonly #engineVersion: string;
  readonly #scheme: SchemeName;
  readonly #observer: RunObserver;
  readonly #counters = createCounters();
  readonly #workers: WorkerSupply;
  /** null when it has been given back */
  #worker: Worker | null = null;
  #state: RunState = 'queued';
  #prepared: PreparedRun | null = null;
  #progress: RunProgress | null = null;
  #error: RemoteError | null = null;
  #layout: ChunkLayout | null = null;
  /** of the recordings of sections, in their order */
  readonly #sections: Int32Array<SharedArrayBuffer>[] = [];
  /** where the run stands or has ended; null while it computes, and where nothing is known */
  #moment: InitialState | null = null;
  /** answers of the worker to requests, counted */
  #answers = 0;
  #changeRefusal: RemoteError | null = null;
  #speed: number | null;
  readonly #startsPaused: boolean;
  #refused = false;
  #began = false;
  #cancelling = false;
  #disposing = false;
  #stalledSeconds = 0;
  #lastBeat = 0;
  #lastBeatAt = performance.now();
  /** goes while the run computes */
  readonly #computing = new Stopwatch();
  readonly #growth = new GrowthMeter();
  readonly #changes = new Changes();

  constructor(
    identity: {
      runId: string;
      record: RunRecord;
      file: string | null;
      urgency: Urgency;
      title: string;
      engineVersion: string;
    },
    readonly specification: RunSpecification,
    workers: WorkerSupply,
    observer: RunObserver,
    start: { paused: boolean; speed: number | null } = { paused: false, speed: null },
  ) {
    this.runId = identity.runId;
    this.record = identity.record;
    this.file = identity.file;
    this.urgency = identity.urgency;
    this.#title = identity.title;
    this.#engineVersion = identity.engineVersion;
    // A document without a readable scheme is refused before the run begins.
    this.#scheme = specification.scheme ?? specification.document.simulation?.scheme ?? 'time-stepping';
    this.#observer = observer;
    this.#workers = workers;
    this.#speed = start.speed;
    this.#startsPaused = start.paused;
  }

  /** Takes a worker, which prepares the model and computes. */
  begin(): void {
    if (this.#state !== 'queued') return;
    this.#state = 'starting';
    this.#signOfLife();
    let worker: Worker;
    try {
      worker = this.#workers.start({
        task: 'run',
        specification: this.specification,
        file: this.file,
        counters: this.#counters,
        paused: this.#startsPaused,
        speed: this.#speed,
      });
    } catch (error) {
      this.#fail(toRemoteError(error));
      return;
    }
    this.#worker = worker;
    worker.on('message', (report: WorkerMessage) => this.#receive(report));
    worker.on('error', (error) => this.#fail(workerError(error)));
    worker.on('exit', (code) => this.#fail(workerError(new Error(`its thread ended with code ${code}`))));
  }

  get name(): string {
    return this.record.name;
  }

  get state(): RunState {
    return this.#state;
  }

  get active(): boolean {
    return !OVER.has(this.#state);
  }

  /** Why the run never began; null when it did, or when nothing is known yet. */
  get refusal(): RemoteError | null {
    return this.#refused ? this.#error : null;
  }

  /** Null while the model is being prepared. */
  get prepared(): PreparedRun | null {
    return this.#prepared;
  }

  /** What computes this run again, changes on the way included. */
  get repetition(): RunSpecification {
    const changes = this.#progress?.changes ?? [];
    return changes.length === 0 ? this.specification : { ...this.specification, changes };
  }

  /** Complete rows of the recording at this moment. */
  get rows(): number {
    return Atomics.load(this.#counters, COUNTER.rows);
  }

  /** Resolves when the model has been prepared or refused, at the latest a short patience after that began; of a run that waits, at once. */
  async started(): Promise<void> {
    // Loading the engine is not the model's fault: a busy machine takes its time, and a crash ends the wait.
    await this.#changes.until(() => this.#began || this.#state !== 'starting', Infinity);
    await this.#changes.until(() => this.#state !== 'starting', ANSWER_PATIENCE_MS);
  }

  async pause(): Promise<void> {
    if (this.#state !== 'running') return;
    this.#post({ type: 'pause' });
    await this.#changes.until(() => this.#state !== 'running', ANSWER_PATIENCE_MS);
  }

  async resume(): Promise<void> {
    if (this.#state !== 'paused') return;
    this.#signOfLife();
    this.#post({ type: 'resume' });
    await this.#changes.until(() => this.#state !== 'paused', ANSWER_PATIENCE_MS);
  }

  /**
   * Sends the run on or back, where it pauses. Resolves when it is there, or after a short patience.
   * @throws {MoreauError} `run-over`
   */
  async go(target: RunTarget): Promise<void> {
    this.#requireActive();
    await this.#answered({ type: 'go', target });
    await this.#changes.until(() => this.#state !== 'running', ANSWER_PATIENCE_MS);
  }

  /** @param speed simulated seconds in one of wall time; null as fast as possible @throws {MoreauError} `run-over` */
  setSpeed(speed: number | null): void {
    if (!this.active) throw runOver(this.name);
    this.#speed = speed;
    this.#post({ type: 'speed', speed });
    this.#observer.onStateChange(this);
  }

  /** Goes on with other values of parameters. @throws {MoreauError} `run-over`, or why the run cannot */
  async change(set: Record<string, Expression>): Promise<void> {
    this.#requireActive();
    this.#changeRefusal = null;
    await this.#answered({ type: 'change', set });
    const refusal = this.#changeRefusal as RemoteError | null;
    if (refusal !== null) throw new MoreauError(refusal);
  }

  /** Null while it computes, and where nothing is known. */
  get lastMoment(): InitialState | null {
    return this.#moment;
  }

  loaded(): Promise<void> {
    return Promise.resolve();
  }

  /** The state it stands at, or has ended with. @throws {MoreauError} `no-state` */
  get moment(): InitialState {
    if (this.#moment !== null) return this.#moment;
    throw new MoreauError({
      code: 'no-state',
      message: `The present state of ${this.name} is not known: it is computing, or was ended from outside.`,
      remedy: 'Pause the run first; of one whose worker was ended, run it again to a time before that.',
    });
  }

  #requireActive(): void {
    if (this.#state === 'queued') throw runQueued(this.name);
    if (!this.active) throw runOver(this.name);
  }

  /** Sends a request and waits until the worker has answered it. */
  async #answered(request: RunRequest): Promise<void> {
    const before = this.#answers;
    this.#signOfLife();
    this.#post(request);
    await this.#changes.until(() => this.#answers > before || !this.active, ANSWER_PATIENCE_MS);
  }

  /** Ends the run whatever its script does. What has been recorded stays. */
  async cancel(): Promise<void> {
    if (!this.active) return;
    if (this.#state === 'queued') {
      this.#end('cancelled', null);
      return;
    }
    this.#cancelling = true;
    this.#post({ type: 'cancel' });
    await this.#changes.until(() => !this.active, CANCEL_PATIENCE_MS);
    if (this.active) {
      await this.#terminate();
      this.#end('cancelled', null);
    }
  }

  /** Ends the worker at once, for the host's own end. A run that was under way is interrupted. */
  async dispose(): Promise<void> {
    this.#disposing = true;
    await this.#terminate();
    this.#end('interrupted', null);
  }

  async #terminate(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  /** Called by the host a few times a second: notices a worker that does not come back. */
  watch(): void {
    const computing = this.#state === 'running' || (this.#state === 'starting' && this.#began);
    if (!computing) return;
    const now = performance.now();
    const beat = Atomics.load(this.#counters, COUNTER.heartbeat);
    if (beat !== this.#lastBeat) {
      this.#lastBeat = beat;
      this.#signOfLife();
    }
    if (this.#growth.exceeded()) {
      this.#fail(outOfMemory());
      return;
    }
    const silent = now - this.#lastBeatAt;
    const seconds = silent >= STALL_MS ? Math.floor(silent / 1000) : 0;
    if (seconds === this.#stalledSeconds) return;
    this.#stalledSeconds = seconds;
    this.#observer.onStateChange(this);
  }

  info(): RunInfo {
    const prepared = this.#prepared;
    const progress = this.#progress;
    const wallSeconds = this.#wallSeconds();
    // The counter is newer than the last message, and all there is of a worker that was ended.
    const steps = Atomics.load(this.#counters, COUNTER.steps);
    const simulatedTime = this.#simulatedTime(steps);
    const warnings = [...(progress?.warnings ?? [])];
    if (this.#stalledSeconds > 0 && this.active) {
      warnings.push(
        `A script or a step has not returned for ${this.#stalledSeconds} s. Cancel the run to end it.`,
      );
    }
    if (this.keepingProblem !== null)
      warnings.push(`This run will not be there after a restart: ${this.keepingProblem}`);
    return {
      runId: this.runId,
      name: this.name,
      pinned: this.record.pinned,
      documents: this.record.documents,
      group: this.record.group,
      bytes: this.#bytes(),
      engineVersion: this.#engineVersion,
      title: prepared?.title ?? this.#title,
      state: this.#state,
      scheme: prepared?.scheme ?? this.#scheme,
      parameters: progress?.parameters ?? prepared?.parameters ?? {},
      changes: progress?.changedParameters ?? [],
      speed: this.#speed,
      startedAt: this.startedAt,
      h: prepared?.h ?? 0,
      t0: prepared?.t0 ?? 0,
      tEnd: progress?.tEnd ?? prepared?.tEnd ?? 0,
      signals: prepared?.signals ?? [],
      sections: (prepared?.sections ?? []).map((section, k) => ({
        ...section,
        points: this.#sections[k] === undefined ? 0 : Atomics.load(this.#sections[k], COUNTER.rows),
      })),
      statistics: {
        steps,
        ...(progress?.work ?? NO_WORK),
        rows: this.rows,
        events: progress?.events ?? 0,
        simulatedTime,
        wallSeconds,
        stepsPerSecond: wallSeconds > 0 ? steps / wallSeconds : 0,
        secondsToGo: this.#secondsToGo(simulatedTime),
        certificate: progress?.certificate ?? NO_CERTIFICATE,
        energyDrift: progress?.energyDrift ?? null,
        ...(progress === null ? {} : { complete: progress.complete }),
      },
      ...(this.record.accuracy === null ? {} : { accuracy: this.record.accuracy }),
      warnings,
      ...(this.#error === null ? {} : { error: this.#error }),
    };
  }

  /** Of its recording on the disk. */
  #bytes(): number {
    if (this.#layout === null || this.file === null) return 0;
    return bytesOnDisk(this.#layout, this.#counters, !this.active, this.#sections);
  }

  /** Time reached after a number of steps, s: the last message may be older than they are. */
  #simulatedTime(steps: number): number {
    const prepared = this.#prepared;
    const progress = this.#progress;
    if (prepared === null) return 0;
    const told = progress?.time ?? prepared.t0;
    return progress?.steps === steps || !prepared.hasConstantStep ? told : prepared.t0 + steps * prepared.h;
  }

  #secondsToGo(simulatedTime: number): number | null {
    if (!this.active) return 0;
    const pace = this.#progress?.pace ?? 0;
    const left = (this.#progress?.tEnd ?? 0) - simulatedTime;
    return pace > 0 ? Math.max(0, left) / pace : null;
  }

  /** Measured here because a worker that hangs tells nothing; a short run may be over before its messages arrive. */
  #wallSeconds(): number {
    return Math.max(this.#computing.seconds, this.#progress?.wallSeconds ?? 0);
  }

  #receive(report: WorkerMessage): void {
    // A worker that was ended may have left messages behind.
    if (!this.active || this.#worker === null) return;
    // Before anybody is told of the end, who may start another run at once.
    if ('isFree' in report && report.isFree) this.#giveBack(this.#worker);
    switch (report.type) {
      case 'began':
        this.#began = true;
        this.#signOfLife();
        this.#observer.onBegin(this);
        this.#changes.tell();
        return;
      case 'recording':
        this.#layout = report.layout;
        this.#observer.onRecording(this, {
          runId: this.runId,
          file: this.file,
          layout: report.layout,
          counters: this.#counters,
          ring: report.ring,
        });
        return;
      case 'section': {
        const runId = sectionKey(this.runId, this.#sections.length);
        const file = this.file === null ? null : sectionFile(this.file, this.#sections.length);
        const { layout, ring, counters } = report;
        this.#sections.push(counters);
        this.#observer.onRecording(this, { runId, file, layout, counters, ring });
        return;
      }
      case 'ready':
        this.#prepared = report.run;
        this.#progress = report.progress;
        // A run that starts paused says so next.
        if (!this.#startsPaused) this.#enter('running');
        return;
      case 'refused':
        this.#refused = true;
        this.#end('failed', report.error);
        return;
      case 'progress':
        this.#progress = report.progress;
        this.#observer.onProgress(this);
        return;
      case 'events':
        this.events.length = Math.min(this.events.length, report.first);
        for (const event of report.events) this.events.push(event);
        this.#observer.onEvents(this, report.first, report.events);
        return;
      case 'certificate':
        this.certificateOverTime = report.rows;
        return;
      case 'state':
        this.#answers++;
        this.#progress = report.progress;
        this.#moment = report.moment;
        this.#changeRefusal = report.refusal ?? null;
        this.#enter(report.state);
        return;
      case 'ended':
        this.#progress = report.progress;
        this.#moment = report.moment;
        this.#end(report.state, report.error);
        return;
      case 'console':
        this.#observer.onConsole(this, report.message);
        return;
      case 'built':
      case 'measured':
        return;
    }
  }

  #fail(error: RemoteError): void {
    if (!this.active) return;
    if (this.#cancelling || this.#disposing) {
      this.#end(this.#disposing ? 'interrupted' : 'cancelled', null);
      return;
    }
    if (this.#state === 'starting') this.#refused = true;
    this.#end('failed', error);
    void this.#terminate();
  }

  #giveBack(worker: Worker): void {
    this.#worker = null;
    this.#workers.giveBack(worker);
  }

  #end(state: 'done' | 'failed' | 'cancelled' | 'interrupted', error: RemoteError | null): void {
    if (!this.active) return;
    this.#error = error;
    this.#enter(state);
    this.#observer.onEnd(this);
  }

  #enter(state: RunState): void {
    if (state === 'running') this.#computing.start();
    else this.#computing.stop();
    this.#state = state;
    this.#stalledSeconds = 0;
    this.#signOfLife();
    this.#observer.onStateChange(this);
    this.#changes.tell();
  }

  #signOfLife(): void {
    this.#lastBeatAt = performance.now();
    this.#growth.reset();
  }

  #post(request: RunRequest): void {
    this.#worker?.postMessage(request);
  }
}
