/** All runs of a host: their names, their recordings, their events. */
import { MoreauError } from '@contract/errors';
import type { HostEvent, RunInfo } from '@contract/methods';
import type { ConsoleMessage } from '@engine/script/console';
import type { RunSpecification } from '@engine/simulation/session';
import { unknownRun } from './errors';
import { WATCH_MS } from './memory';
import type { ReaderClient } from './reader-client';
import type { RecordingPlace } from './reader';
import { RunHandle, type RunObserver } from './run-handle';
import type { WorkerSupply } from './worker-supply';
import type { Workspace } from './workspace';

/** Runs computing or paused at once; each has a thread and up to a gibibyte of heap. */
const MAX_ACTIVE_RUNS = 16;
/** Least time between two progress events of a run, ms. */
const PROGRESS_INTERVAL_MS = 100;
/** A run that is still being prepared after this long is shown as such, ms. */
const ANNOUNCE_MS = 250;

export class RunRegistry implements RunObserver {
  readonly #runs = new Map<string, RunHandle>();
  readonly #workspace: Workspace;
  readonly #reader: ReaderClient;
  readonly #workers: WorkerSupply;
  readonly #emit: (event: HostEvent) => void;
  readonly #emittedAt = new Map<string, number>();
  /** runs the listeners have heard of */
  readonly #announced = new Set<string>();
  /** recordings that can be read; a query waits until the reader knows the recording */
  readonly #recordings = new Map<string, Promise<void>>();
  #counter = 0;
  #watch: NodeJS.Timeout | null = null;

  constructor(
    workspace: Workspace,
    reader: ReaderClient,
    workers: WorkerSupply,
    emit: (event: HostEvent) => void,
  ) {
    this.#workspace = workspace;
    this.#reader = reader;
    this.#workers = workers;
    this.#emit = emit;
  }

  /**
   * Starts a run in a worker of its own.
   * @returns when the model is prepared, or still in state `starting` when its scripts take long
   * @throws {MoreauError} why the model cannot be run, or `too-many-runs`
   */
  async start(
    specification: RunSpecification,
    name: string | undefined,
    start?: { paused: boolean; speed: number | null },
  ): Promise<RunInfo> {
    if ([...this.#runs.values()].filter((run) => run.active).length >= MAX_ACTIVE_RUNS) {
      throw new MoreauError({
        code: 'too-many-runs',
        message: `${MAX_ACTIVE_RUNS} runs are computing or paused already.`,
        remedy: 'Wait for one to end, or cancel one.',
      });
    }
    const number = ++this.#counter;
    const runId = `run-${number}`;
    const title = typeof specification.document.title === 'string' ? specification.document.title : '';
    const run = new RunHandle(
      { runId, name: name ?? runName(number, specification), file: this.#workspace.recording(runId), title },
      specification,
      this.#workers,
      this,
      start,
    );
    this.#runs.set(runId, run);
    this.#watch ??= setInterval(() => this.#watchAll(), WATCH_MS);
    await run.started();
    const refusal = run.refusal;
    if (refusal !== null) {
      // A run that nobody has seen leaves no trace; one that was shown stays in the list as failed.
      if (!this.#announced.has(runId)) await this.#forget(run);
      throw new MoreauError(refusal);
    }
    return run.info();
  }

  /** @throws {MoreauError} `unknown-run` */
  get(runId: string): RunHandle {
    const run = this.#runs.get(runId);
    if (run === undefined) throw unknownRun(runId);
    return run;
  }

  /** In the order they were started. */
  list(): RunInfo[] {
    return [...this.#runs.values()].map((run) => run.info());
  }

  /** Ends the run if need be, and removes its recording. */
  async delete(runId: string): Promise<void> {
    const run = this.get(runId);
    await run.cancel();
    await this.#forget(run);
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
    await Promise.all([...this.#runs.values()].map((run) => run.dispose()));
    this.#runs.clear();
  }

  onBegin(run: RunHandle): void {
    const announce = (): void => {
      if (run.state === 'starting') this.onStateChange(run);
    };
    setTimeout(announce, ANNOUNCE_MS).unref();
  }

  onStateChange(run: RunHandle): void {
    if (run.refusal !== null && !this.#announced.has(run.runId)) return;
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

  onRecording(run: RunHandle, place: RecordingPlace): void {
    const opened = this.#reader.open(place);
    // A failure is reported by the query that meets it.
    this.#recordings.set(
      run.runId,
      opened.catch(() => undefined),
    );
  }

  onEnd(run: RunHandle): void {
    const opened = this.#recordings.get(run.runId);
    if (opened === undefined) return;
    // When the disk does not take the last chunk it stays in shared memory, and readable.
    this.#recordings.set(
      run.runId,
      opened.then(() => this.#reader.seal(run.runId)).catch(() => undefined),
    );
  }

  async #forget(run: RunHandle): Promise<void> {
    await this.#recordings.get(run.runId);
    this.#recordings.delete(run.runId);
    this.#emittedAt.delete(run.runId);
    this.#announced.delete(run.runId);
    this.#runs.delete(run.runId);
    await this.#reader.close(run.runId);
    this.#workspace.removeRecording(run.runId);
  }

  #watchAll(): void {
    let active = false;
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

/** `Run 3`, or `Run 3 · rpm = 660 · event-driven`: what sets a run apart from a plain run of its document. */
function runName(number: number, { document, scheme, h, set }: RunSpecification): string {
  const own = scheme ?? document.simulation?.scheme;
  const isNamed = scheme !== undefined || own === 'event-driven';
  const changed = Object.entries({ ...(h === undefined ? {} : { h }), ...set });
  return [
    `Run ${number}`,
    ...changed.map(([key, value]) => `${key} = ${value}`),
    ...(isNamed && own !== undefined ? [own] : []),
  ].join(' · ');
}
