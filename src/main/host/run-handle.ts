/**
 * One run as the host keeps it. What it holds in which phase, and how it goes from one to the next:
 * `run-phase.ts`.
 */
import type { Worker } from 'node:worker_threads';
import { MoreauError, type RemoteError } from '@contract/errors';
import type { CertificateSummary, RunInfo, RunState, RunWork } from '@contract/methods';
import type { Expression, SchemeName } from '@engine/document/types';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { ConsoleMessage } from '@engine/script/sandbox';
import type { RunStanding } from '@engine/run/compile-run';
import type { SavedRun } from '@engine/run/continuation';
import type { RunSpecification } from '@engine/run/session';
import type { InitialState } from '@engine/run/initial-state';
import { Changes } from './changes';
import { bytesOnDisk, COUNTER, createCounters } from './counters';
import { type HostRun, savedRun } from './host-run';
import type { RunRecord } from './kept/manifest';
import type { RecordingPlace } from './reader';
import { toRemoteError } from './errors';
import { runOver, runQueued } from './run-errors';
import {
  askToCancel,
  begin,
  crash,
  isWorking,
  knownOf,
  QUEUED,
  receive,
  refuseRun,
  type Known,
  type Model,
  type Recordings,
  type RunPhase,
  stateOf,
  terminate,
  type Termination,
} from './run-phase';
import type { Urgency } from './run-queue';
import { Silence } from './silence';
import { Stopwatch } from './stopwatch';
import { sectionFile, sectionKey } from './section-files';
import { outOfMemory, workerError } from './worker-errors';
import type { PreparedHostRun, RunRequest, RunTarget, WorkerMessage } from './run';
import type { WorkerSupply } from './worker-supply';

/** A worker that was asked to cancel gets this long to answer, ms; then it is ended. */
const CANCEL_PATIENCE_MS = 40;
/** A call that waits for a worker's answer (start, pause) gives the present state after this long, ms. */
const ANSWER_PATIENCE_MS = 2000;
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
  /** events of the run from an index on; they replace what was reported from there */
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
  #phase: RunPhase<Worker> = QUEUED;
  /** the last answer of the worker to a request, and how many there were before */
  #answer: { number: number; refusal: RemoteError | null } = { number: 0, refusal: null };
  #speed: number | null;
  readonly #startsPaused: boolean;
  readonly #silence = new Silence();
  /** goes while the run computes */
  readonly #computing = new Stopwatch();
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
    if (this.#phase.name !== 'queued') return;
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
      this.#enter(refuseRun(this.#phase, toRemoteError(error)));
      return;
    }
    this.#phase = begin(this.#phase, worker);
    this.#silence.break();
    worker.on('message', (report: WorkerMessage) => this.#hear(report));
    worker.on('error', (error) => this.#crash(workerError(error)));
    worker.on('exit', (code) => this.#crash(workerError(new Error(`its thread ended with code ${code}`))));
  }

  get name(): string {
    return this.record.name;
  }

  get state(): RunState {
    return stateOf(this.#phase);
  }

  get active(): boolean {
    return this.#phase.name !== 'over';
  }

  /** Why the run never began; null when it did, or when nothing is known yet. */
  get refusal(): RemoteError | null {
    const outcome = this.#phase.name === 'over' ? this.#phase.outcome : null;
    return outcome?.state === 'failed' && outcome.isRefused ? outcome.error : null;
  }

  /** Null while the model is being prepared. */
  get prepared(): PreparedHostRun | null {
    return knownOf(this.#phase).model?.prepared ?? null;
  }

  /** What computes this run again, changes on the way included. */
  get repetition(): RunSpecification {
    const changes = knownOf(this.#phase).model?.progress.changes ?? [];
    return changes.length === 0 ? this.specification : { ...this.specification, changes };
  }

  /** Complete rows of the recording at this moment. */
  get rows(): number {
    return Atomics.load(this.#counters, COUNTER.rows);
  }

  /**
   * Resolves when the model has been prepared or refused, at the latest a short patience after that began; of
   * a run that waits, at once.
   */
  async started(): Promise<void> {
    // Loading the engine is not the model's fault: a busy machine takes its time, and a crash ends the wait.
    await this.#changes.until(() => this.#phase.name !== 'loading', Infinity);
    await this.#changes.until(() => this.state !== 'starting', ANSWER_PATIENCE_MS);
  }

  async pause(): Promise<void> {
    if (this.state !== 'running') return;
    this.#post({ type: 'pause' });
    await this.#changes.until(() => this.state !== 'running', ANSWER_PATIENCE_MS);
  }

  async resume(): Promise<void> {
    if (this.state !== 'paused') return;
    this.#silence.break();
    this.#post({ type: 'resume' });
    await this.#changes.until(() => this.state !== 'paused', ANSWER_PATIENCE_MS);
  }

  /**
   * Sends the run on or back, where it pauses. Resolves when it is there, or after a short patience.
   * @throws {MoreauError} `run-over`
   */
  async go(target: RunTarget): Promise<void> {
    this.#requireActive();
    await this.#answered({ type: 'go', target });
    await this.#changes.until(() => this.state !== 'running', ANSWER_PATIENCE_MS);
  }

  /**
   * @param speed simulated seconds in one of wall time; null as fast as possible
   * @throws {MoreauError} `run-over`
   */
  setSpeed(speed: number | null): void {
    if (!this.active) throw runOver(this.name);
    this.#speed = speed;
    this.#post({ type: 'speed', speed });
    this.#observer.onStateChange(this);
  }

  /** Goes on with other values of parameters. @throws {MoreauError} `run-over`, or why the run cannot */
  async change(set: Record<string, Expression>): Promise<void> {
    this.#requireActive();
    const refusal = await this.#answered({ type: 'change', set });
    if (refusal !== null) throw new MoreauError(refusal);
  }

  /** Null while it computes, and where nothing is known. */
  get lastMoment(): InitialState | null {
    return knownOf(this.#phase).moment;
  }

  /** Null before it has ended, and where its worker had no time to tell. */
  get lastStanding(): RunStanding | null {
    return knownOf(this.#phase).standing;
  }

  loaded(): Promise<void> {
    return Promise.resolve();
  }

  saved(): Promise<SavedRun> {
    const { repetition: specification } = this;
    const info = this.info();
    return Promise.resolve(savedRun(specification, info, this.lastStanding));
  }

  /** The state it stands at, or has ended with. @throws {MoreauError} `no-state` */
  get moment(): InitialState {
    const moment = this.lastMoment;
    if (moment !== null) return moment;
    throw new MoreauError({
      code: 'no-state',
      message: `The current state of ${this.name} is unknown: it is computing, or was terminated.`,
      remedy: 'Pause the run first; if its worker was terminated, run it again to an earlier time.',
    });
  }

  #requireActive(): void {
    if (this.#phase.name === 'queued') throw runQueued(this.name);
    if (!this.active) throw runOver(this.name);
  }

  /** Sends a request and waits until the worker has answered it. @returns why it has been refused */
  async #answered(request: RunRequest): Promise<RemoteError | null> {
    const before = this.#answer.number;
    const isThere = (): boolean => this.#answer.number > before;
    this.#silence.break();
    this.#post(request);
    await this.#changes.until(() => isThere() || !this.active, ANSWER_PATIENCE_MS);
    return isThere() ? this.#answer.refusal : null;
  }

  /** Ends the run whatever its script does. What has been recorded stays. */
  async cancel(): Promise<void> {
    if (isWorking(this.#phase)) {
      this.#phase = askToCancel(this.#phase);
      this.#post({ type: 'cancel' });
      await this.#changes.until(() => !this.active, CANCEL_PATIENCE_MS);
    }
    await this.#terminate('cancelled');
  }

  /** Ends the worker at once, for the host's own end. A run that was under way is interrupted. */
  dispose(): Promise<void> {
    return this.#terminate('interrupted');
  }

  async #terminate(as: Termination): Promise<void> {
    const before = this.#phase;
    if (before.name === 'queued') this.#enter(terminate(before, as));
    if (isWorking(before)) {
      this.#phase = terminate(before, as);
      await before.worker.terminate();
      this.#crash(workerError(new Error('its thread was ended')));
    }
    // Ended by another call, whose worker has not gone yet.
    await this.#changes.until(() => !this.active, Infinity);
  }

  /** Called by the host a few times a second: notices a worker that does not come back. */
  watch(): void {
    const { name } = this.#phase;
    if (name !== 'preparing' && name !== 'prepared' && name !== 'running') return;
    const news = this.#silence.look(Atomics.load(this.#counters, COUNTER.heartbeat));
    if (news === 'out of memory') this.#crash(outOfMemory());
    if (news === 'stalled seconds') this.#observer.onStateChange(this);
  }

  info(): RunInfo {
    const { recordings, model } = knownOf(this.#phase);
    const prepared = model?.prepared;
    const progress = model?.progress;
    // Measured here because a worker that hangs tells nothing; a short run may be over before its messages
    // arrive.
    const wallSeconds = Math.max(this.#computing.seconds, progress?.wallSeconds ?? 0);
    // The counter is newer than the last message, and all there is of a worker that was ended.
    const steps = Atomics.load(this.#counters, COUNTER.steps);
    const simulatedTime = model === null ? 0 : simulatedTimeOf(model, steps);
    const warnings = [...(progress?.warnings ?? [])];
    const { stalledSeconds } = this.#silence;
    if (stalledSeconds > 0 && this.active)
      warnings.push(`A script or a step has not returned for ${stalledSeconds} s. Cancel the run to end it.`);
    if (this.keepingProblem !== null)
      warnings.push(`This run will not be there after a restart: ${this.keepingProblem}`);
    return {
      runId: this.runId,
      name: this.name,
      pinned: this.record.pinned,
      documents: this.record.documents,
      group: this.record.group,
      bytes: this.#bytes(recordings),
      engineVersion: this.#engineVersion,
      title: prepared?.title ?? this.#title,
      state: this.state,
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
        points: k < recordings.sections.length ? Atomics.load(recordings.sections[k], COUNTER.rows) : 0,
      })),
      statistics: {
        steps,
        ...(progress?.work ?? NO_WORK),
        rows: this.rows,
        events: progress?.events ?? 0,
        simulatedTime,
        wallSeconds,
        stepsPerSecond: wallSeconds > 0 ? steps / wallSeconds : 0,
        secondsToGo: this.active ? secondsToGo(model, simulatedTime) : 0,
        certificate: progress?.certificate ?? NO_CERTIFICATE,
        energyDrift: progress?.energyDrift ?? null,
        energyGain: progress?.energyGain ?? null,
        ...(progress === undefined ? {} : { complete: progress.complete }),
      },
      ...(this.record.accuracy === null ? {} : { accuracy: this.record.accuracy }),
      warnings,
      ...(this.#phase.name === 'over' && this.#phase.outcome.state === 'failed'
        ? { error: this.#phase.outcome.error }
        : {}),
    };
  }

  /** Of its recordings on the disk. */
  #bytes({ layout, sections }: Recordings): number {
    if (layout === null || this.file === null) return 0;
    return bytesOnDisk(layout, this.#counters, !this.active, sections);
  }

  #hear(message: WorkerMessage): void {
    const before = this.#phase;
    // A worker that was ended may have left messages behind.
    if (!isWorking(before)) return;
    const next = receive(before, message, this.#startsPaused);
    if (next === null) {
      this.#crash(workerError(new Error(`it said “${message.type}” at the wrong time`)));
      return;
    }
    // Before the end is announced, because a listener may start another run at once.
    if ('isFree' in message && message.isFree) this.#workers.giveBack(before.worker);
    switch (message.type) {
      case 'ready':
        // A run that starts paused says so next.
        if (next.name === 'running') this.#enter(next);
        else this.#phase = next;
        return;
      case 'state':
        this.#answer = { number: this.#answer.number + 1, refusal: message.refusal ?? null };
        this.#enter(next);
        return;
      case 'refused':
      case 'ended':
        this.#enter(next);
        return;
      default:
        this.#phase = next;
        this.#pass(message, knownOf(before));
    }
  }

  /** Notifies the observer of news that do not change the phase. @param before what was known before */
  #pass(message: WorkerMessage, before: Known): void {
    switch (message.type) {
      case 'began':
        this.#silence.break();
        this.#observer.onBegin(this);
        this.#changes.tell();
        return;
      case 'recording': {
        const { layout, ring } = message;
        const place = { runId: this.runId, file: this.file, layout, counters: this.#counters, ring };
        this.#observer.onRecording(this, place);
        return;
      }
      case 'section': {
        const { layout, ring, counters } = message;
        const index = before.recordings.sections.length;
        const file = this.file === null ? null : sectionFile(this.file, index);
        const runId = sectionKey(this.runId, index);
        this.#observer.onRecording(this, { runId, file, layout, counters, ring });
        return;
      }
      case 'progress':
        this.#observer.onProgress(this);
        return;
      case 'events':
        this.events.length = Math.min(this.events.length, message.first);
        for (const event of message.events) this.events.push(event);
        this.#observer.onEvents(this, message.first, message.events);
        return;
      case 'certificate':
        this.certificateOverTime = message.rows;
        return;
      case 'console':
        this.#observer.onConsole(this, message.message);
        return;
      default:
    }
  }

  #crash(error: RemoteError): void {
    const before = this.#phase;
    if (!isWorking(before) && before.name !== 'ending') return;
    this.#enter(crash(before, error));
    if (isWorking(before)) void before.worker.terminate();
  }

  /** Changes the phase and notifies the observer. */
  #enter(phase: RunPhase<Worker>): void {
    this.#phase = phase;
    if (phase.name === 'running') this.#computing.start();
    else this.#computing.stop();
    this.#silence.begin();
    this.#observer.onStateChange(this);
    this.#changes.tell();
    if (phase.name === 'over') this.#observer.onEnd(this);
  }

  #post(request: RunRequest): void {
    if (isWorking(this.#phase)) this.#phase.worker.postMessage(request);
  }
}

/** Time reached after a number of steps, s: the last message may be older than they are. */
const simulatedTimeOf = ({ prepared, progress }: Model, steps: number): number =>
  progress.steps === steps || !prepared.hasConstantStep ? progress.time : prepared.t0 + steps * prepared.h;

/** Wall time to the end of the run, s; null while that is not known. */
function secondsToGo(model: Model | null, simulatedTime: number): number | null {
  if (model === null || !(model.progress.pace > 0)) return null;
  const { tEnd, pace } = model.progress;
  return Math.max(0, tEnd - simulatedTime) / pace;
}
