/** What a worker does for a task: one run in slices, or one execution of builder scripts. Knows no worker. */
import type { RemoteError } from '@contract/errors';
import type { MeasuredAccuracy } from '@engine/analysis/accuracy/measure';
import type { Expression, ModelDocument } from '@engine/document/types';
import type { ConsoleMessage, ScriptSandbox } from '@engine/script/sandbox';
import type { RunSession } from '@engine/run/session';
import { FileChunkSink } from './chunk-file';
import { ConsoleLimiter } from './console-limiter';
import { COUNTER, createCounters } from './counters';
import { toRemoteError } from './errors';
import { MAX_WORKER_BYTES, threadBytes } from './memory';
import type {
  BuildOutcome,
  FinalReport,
  RunEnd,
  RunEngine,
  RunProgress,
  RunRequest,
  RunTarget,
  SliceClock,
  Standing,
  WorkerPort,
  WorkerTask,
} from './run';
import { sectionFile } from './section-files';
import { SpeedLimit } from './speed-limit';
import { outOfMemory } from './worker-errors';

/** Events of a run that are kept; their number is known beyond it. */
const MAX_EVENTS = 500_000;
/** Lines of a builder that are kept. */
const MAX_BUILDER_LINES = 500;
/** Aimed duration of a slice, ms: a pause or a cancel waits for at most about one slice. */
const SLICE_MS = 8;
/** Progress is posted at most this often, ms. */
const PROGRESS_MS = 100;
/** The same for the certificate over time, ms. */
const CERTIFICATE_MS = 500;
/** Span over which the momentary pace is averaged, ms: shorter spans make the time to go jump about. */
const PACE_MS = 1000;
/** Computing time before a pace is reported, ms. */
const WARM_UP_MS = 100;

/** Executes a worker's task. Everything that goes wrong becomes a message; nothing is thrown. */
export function performTask(task: WorkerTask, engine: RunEngine, port: WorkerPort, clock: SliceClock): void {
  port.post({ type: 'began' });
  if (task.task === 'run') {
    const limiter = new ConsoleLimiter(
      (message) => port.post({ type: 'console', message }),
      () => clock.now(),
    );
    let run: SlicedRun | null = null;
    const sandbox = once(() => engine.createSandbox((said) => limiter.log(said, run?.time ?? null)));
    run = new SlicedRun(task, engine, port, clock, sandbox, limiter);
    run.start();
    return;
  }
  if (task.task === 'measure') {
    // Scripts have said what they say when the run itself was computed.
    const silent = (): ScriptSandbox => engine.createSandbox(() => undefined);
    port.end({ type: 'measured', outcome: measure(task, engine, silent) });
    return;
  }
  // All output of a builder belongs together: it is reported and kept with the built elements.
  const said: ConsoleMessage[] = [];
  const limiter = new ConsoleLimiter(
    (message) => said.push(message),
    () => clock.now(),
  );
  const outcome = build(task.document, engine, () => engine.createSandbox((line) => limiter.log(line, null)));
  limiter.flush();
  port.end({
    type: 'built',
    outcome: said.length === 0 ? outcome : { ...outcome, console: said.slice(0, MAX_BUILDER_LINES) },
  });
}

function build(document: ModelDocument, engine: RunEngine, sandbox: () => ScriptSandbox): BuildOutcome {
  try {
    return engine.runBuilder(document, sandbox(), {}, true);
  } catch (error) {
    return { ok: false, error: toRemoteError(error) };
  }
}

function measure(
  { specification, long }: Extract<WorkerTask, { task: 'measure' }>,
  engine: RunEngine,
  sandbox: () => ScriptSandbox,
): MeasuredAccuracy {
  try {
    return engine.measureAccuracy(specification, sandbox, long);
  } catch (error) {
    return { ok: false, reason: 'failed', message: toRemoteError(error).message };
  }
}

function once<T>(create: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: create() }).value;
}

class SlicedRun {
  readonly #task: Extract<WorkerTask, { task: 'run' }>;
  readonly #engine: RunEngine;
  readonly #port: WorkerPort;
  readonly #clock: SliceClock;
  readonly #sandbox: () => ScriptSandbox;
  readonly #limiter: ConsoleLimiter;
  readonly #sink: FileChunkSink;
  readonly #sectionSinks: FileChunkSink[] = [];
  #session: RunSession | null = null;
  #state: 'running' | 'paused' | 'ended' = 'running';
  #slice = 1;
  #busyMs = 0;
  #certifiedAt = 0;
  #postedAt = -Infinity;
  #postedEvents = 0;
  #paceBusyMs = 0;
  #paceTime = 0;
  #pace = 0;
  /** where to pause: a number of moves, or a simulated time, s; null goes on to the end */
  #target: { moves: number; time: number } | null = null;
  /** number of the chain of slices that computes; one that was scheduled before a pause is out of date */
  #chain = 0;
  readonly #limit: SpeedLimit;

  constructor(
    task: Extract<WorkerTask, { task: 'run' }>,
    engine: RunEngine,
    port: WorkerPort,
    clock: SliceClock,
    sandbox: () => ScriptSandbox,
    limiter: ConsoleLimiter,
  ) {
    this.#task = task;
    this.#engine = engine;
    this.#port = port;
    this.#clock = clock;
    this.#sandbox = sandbox;
    this.#limiter = limiter;
    this.#limit = new SpeedLimit(task.speed);
    this.#sink = new FileChunkSink(task.file, task.counters, (layout, ring) =>
      port.post({ type: 'recording', layout, ring }),
    );
  }

  #openSection(index: number): FileChunkSink {
    const counters = createCounters();
    const { file } = this.#task;
    const sink = new FileChunkSink(
      file === null ? null : sectionFile(file, index),
      counters,
      (layout, ring) => this.#port.post({ type: 'section', layout, ring, counters }),
    );
    this.#sectionSinks.push(sink);
    return sink;
  }

  /** Why recording came to its end; null where it did not. */
  get #recordingFailure(): RemoteError | null {
    for (const { failure } of [this.#sink, ...this.#sectionSinks])
      if (failure !== null) return failure.details;
    return null;
  }

  /** Simulated time that has been reached, s; null before the run has begun. */
  get time(): number | null {
    return this.#session?.time ?? null;
  }

  start(): void {
    try {
      const prepared = this.#engine.prepareRun(this.#task.specification, {
        sandbox: this.#sandbox,
        sink: this.#sink,
        sectionSinks: (index) => this.#openSection(index),
        // One goes back in what was recorded.
        keepsHistory: this.#task.file !== null,
        onSign: () => Atomics.add(this.#task.counters, COUNTER.heartbeat, 1),
      });
      if (!prepared.ok) {
        const error = this.#recordingFailure ?? prepared.error;
        this.#finish({ type: 'refused', error, issues: prepared.issues });
        return;
      }
      this.#session = prepared.session;
    } catch (error) {
      this.#finish({ type: 'refused', error: toRemoteError(error), issues: [] });
      return;
    }
    const { title, signals, parameters, scheme, h, t0, tEnd, hasConstantStep, scene, sections, states } =
      this.#session;
    const { constraints } = this.#session;
    this.#paceTime = this.#session.time;
    this.#port.onRequest((request) => this.#perform(request));
    this.#port.post({
      type: 'ready',
      run: {
        title,
        signals,
        parameters,
        scheme,
        h,
        t0,
        tEnd,
        hasConstantStep,
        scene,
        sections,
        states,
        constraints,
      },
      progress: this.#progress(this.#session),
    });
    if (this.#task.paused) this.#pause();
    else this.#go();
  }

  #perform(request: RunRequest): void {
    const session = this.#session;
    if (session === null) return;
    switch (request.type) {
      case 'cancel':
        return this.#end({ state: 'cancelled', error: null });
      case 'pause':
        return this.#pause();
      case 'resume':
        this.#target = null;
        return this.#resume();
      case 'speed':
        this.#limit.set(request.speed, this.#clock.now(), session.time);
        if (this.#state === 'running') this.#go();
        return;
      case 'change':
        return this.#change(session, request.set);
      case 'go':
        return this.#goTo(session, request.target);
    }
  }

  #goTo(session: RunSession, target: RunTarget): void {
    // Moves are counted from where it stands now, also while it runs.
    const { moves } = session;
    const isBack = target.by === 'back' || target.by === 'start';
    const goal =
      target.by === 'steps' ? moves + target.count : target.by === 'back' ? moves - target.count : 0;
    this.#target =
      target.by === 'time'
        ? { moves: Infinity, time: target.time }
        : { moves: Math.max(0, goal), time: Infinity };
    if (isBack) {
      try {
        session.goBack(this.#target.moves);
      } catch (error) {
        this.#fail(toRemoteError(error));
        return;
      }
      this.#postedEvents = Math.min(this.#postedEvents, session.eventRecords.length);
      this.#port.post({ type: 'events', first: this.#postedEvents, events: [] });
      this.#paceTime = session.time;
      Atomics.store(this.#task.counters, COUNTER.steps, session.steps);
    }
    if (this.#state === 'paused') {
      this.#resume();
      return;
    }
    this.#report(session);
    this.#go();
  }

  #change(session: RunSession, set: Record<string, Expression>): void {
    const refusal = session.change(set);
    this.#report(session, refusal ?? undefined);
  }

  /** Tells the present state, which stays what it is. */
  #report(session: RunSession, refusal?: RemoteError): void {
    if (this.#state === 'ended') return;
    const standing: Standing =
      this.#state === 'paused' ? { state: 'paused', moment: session.initialState } : { state: 'running' };
    this.#port.post({
      type: 'state',
      ...standing,
      progress: this.#progress(session),
      ...(refusal === undefined ? {} : { refusal }),
    });
  }

  /** Begins a new chain of slices; the one before comes to its end. */
  #go(): void {
    const chain = ++this.#chain;
    this.#limit.start(this.#clock.now(), this.#session?.time ?? 0);
    this.#clock.yieldThen(() => this.#advance(chain));
  }

  #advance(chain: number): void {
    const session = this.#session;
    if (this.#state !== 'running' || session === null || chain !== this.#chain) return;
    if (this.#isThere(session)) return this.#pause();
    const began = this.#clock.now();
    let status: 'running' | 'done' | 'failed';
    try {
      status = this.#compute(session, began);
    } catch (error) {
      this.#busyMs += this.#clock.now() - began;
      this.#fail(toRemoteError(error));
      return;
    }
    const now = this.#clock.now();
    const took = now - began;
    this.#busyMs += took;
    Atomics.store(this.#task.counters, COUNTER.steps, session.steps);
    Atomics.add(this.#task.counters, COUNTER.heartbeat, 1);
    // The cost of a step changes with the contacts that are closed; following it by factors of at most two
    // avoids that one lucky slice makes the next very long.
    const factor = took > 0 ? Math.min(2, Math.max(0.25, SLICE_MS / took)) : 2;
    this.#slice = Math.max(1, Math.round(this.#slice * factor));
    // Steps lead to the end of the run, but do not end it: one can go back from there.
    if (status === 'done' && this.#target !== null) return this.#pause();
    if (status === 'failed') return this.#fail(session.error ?? toRemoteError('no reason given'));
    if (status === 'done') return this.#end({ state: 'done', error: null });
    if (threadBytes() > MAX_WORKER_BYTES) {
      this.#fail({ ...outOfMemory(), time: session.time });
      return;
    }
    if (now - this.#postedAt >= PROGRESS_MS) {
      this.#postedAt = now;
      this.#limiter.flush();
      this.#postEvents(session);
      this.#postCertificate(session, now);
      this.#port.post({ type: 'progress', progress: this.#progress(session) });
    }
    if (this.#isThere(session)) return this.#pause();
    const delay = this.#limit.delay(this.#clock.now(), session.time);
    if (delay > 0) this.#clock.wait(delay, () => this.#advance(chain));
    else this.#clock.yieldThen(() => this.#advance(chain));
  }

  #compute(session: RunSession, now: number): 'running' | 'done' | 'failed' {
    const target = this.#target;
    const allowed = this.#limit.allowed(now);
    if (target === null && allowed === Infinity) return session.advance(this.#slice);
    const left = target === null ? Infinity : target.moves - session.moves;
    return session.advance(Math.min(this.#slice, left), Math.min(allowed, target?.time ?? Infinity));
  }

  #isThere({ moves, time }: RunSession): boolean {
    const target = this.#target;
    return target !== null && (moves >= target.moves || time >= target.time);
  }

  /** The certificate over time, now and then: it is longer than other news. */
  #postCertificate(session: RunSession, now = Infinity): void {
    if (now - this.#certifiedAt < CERTIFICATE_MS) return;
    if (now !== Infinity) this.#certifiedAt = now;
    this.#port.post({ type: 'certificate', rows: session.certificateOverTime });
  }

  #postEvents({ eventRecords }: RunSession): void {
    const end = Math.min(eventRecords.length, MAX_EVENTS);
    if (end <= this.#postedEvents) return;
    const events = eventRecords.slice(this.#postedEvents, end);
    this.#port.post({ type: 'events', first: this.#postedEvents, events });
    this.#postedEvents = end;
  }

  #pause(): void {
    if (this.#state !== 'running' || this.#session === null) return;
    this.#state = 'paused';
    this.#target = null;
    this.#limiter.flush();
    this.#postEvents(this.#session);
    this.#postCertificate(this.#session);
    this.#report(this.#session);
  }

  #resume(): void {
    if (this.#state !== 'paused' || this.#session === null) return;
    this.#state = 'running';
    this.#report(this.#session);
    this.#go();
  }

  /** A full disk surfaces inside a step and may have been put down to the script that ran there. */
  #fail(reason: RemoteError): void {
    this.#end({ state: 'failed', error: this.#recordingFailure ?? reason });
  }

  #end(end: RunEnd): void {
    if (this.#state === 'ended' || this.#session === null) return;
    const progress = this.#progress(this.#session);
    const { initialState: moment, state: standing } = this.#session;
    this.#limiter.flush();
    this.#postEvents(this.#session);
    this.#postCertificate(this.#session);
    this.#finish({ type: 'ended', ...end, progress, moment, standing });
  }

  #finish(report: FinalReport): void {
    this.#state = 'ended';
    this.#session = null;
    for (const sink of [this.#sink, ...this.#sectionSinks]) sink.close();
    this.#port.end(report);
  }

  #progress(session: RunSession): RunProgress {
    const span = this.#busyMs - this.#paceBusyMs;
    if (span > 0) {
      const pace = ((session.time - this.#paceTime) / span) * 1000;
      // The mean so far at first, then one that forgets: the cost and the length of a step change along a
      // run.
      const weight = this.#busyMs < PACE_MS ? span / this.#busyMs : Math.min(1, span / PACE_MS);
      this.#pace += weight * (pace - this.#pace);
      this.#paceBusyMs = this.#busyMs;
      this.#paceTime = session.time;
    }
    return {
      steps: session.steps,
      work: { ...session.counters, rejectedSteps: session.rejectedSteps },
      events: session.events,
      time: session.time,
      wallSeconds: this.#busyMs / 1000,
      // Before that the code is being compiled, and a time to go made of it would be nonsense.
      pace: this.#busyMs < WARM_UP_MS ? 0 : this.#pace,
      certificate: session.certificate,
      energyDrift: session.energyDrift,
      energyGain: session.energyGain,
      complete: session.complete,
      warnings: [...session.warnings],
      parameters: session.parameters,
      changes: [...session.changes],
      changedParameters: [...session.changedParameters],
      tEnd: session.tEnd,
    };
  }
}
