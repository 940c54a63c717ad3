/**
 * A run: a document made ready, advanced in slices, recorded as it goes. It can go back, and on with other
 * parameters.
 */
import { hasSteps } from '../document/settings';
import type { Expression, SchemeName, SignalInfo } from '../document/types';
import type { EventRecord } from '../event-driven/event-record';
import { EngineError, type EngineErrorDetails } from '../errors';
import type { StepCounters } from '../integrators/step';
import { type ChunkSink, MemoryChunks } from '../recording/chunks';
import type { RunConstraints } from '../recording/constraints/constraint';
import { Recorder } from '../recording/recorder';
import type { LoadedFunctions } from '../script/function-scripts';
import type { Scene } from '../scene/scene';
import { areMemoryless } from '../script/memoryless';
import type { ScriptSandbox } from '../script/sandbox';
import { CertificateHistory } from '../certificate/history';
import { type Certificate, RESIDUAL_KIND_COUNT } from '../certificate/residual-maxima';
import {
  type CompiledRun,
  type ReadDocument,
  type RunChange,
  type RunRefusal,
  type RunSpecification,
  afresh,
  compileRun,
  explain,
  changeRefusal,
  differences,
  type ParameterChange,
  type RunStanding,
} from './compile-run';
import { SAME_STEP, neverReached, revive } from './continuation';
import { type DrawnName, drawnNames } from '../components/drawn-names';
import type { DrawnRun } from './drawn-failure';
import { constraintsOf } from '../preparation/constraints-of';
import { FiniteRows, RunObservables } from './observables';
import { RunHistory } from './history';
import { type InitialState, initialStateAt, stateSignals, type SystemSignals } from './initial-state';
import { schemes } from './schemes/registry';
import type { Completeness, Simulation, SimulationMemory, SimulationPath } from './schemes/scheme';
import { RunSections, type SectionSinks } from './sections/run-sections';
import type { SectionInfo } from '../preparation/section';
import { sceneOf } from '../preparation/spatial/scene-of';

export type { RunSpecification } from './compile-run';

/** Moves of a run that is computed again between two signs of life. */
const MOVES_TO_SIGN = 256;

export interface RunEnvironment {
  /** called only when the document has scripts, and once more each time they are to start afresh */
  sandbox: () => ScriptSandbox;
  sink: ChunkSink;
  /** where points of sections are recorded; in memory, and forgotten, where it is left out */
  sectionSinks?: SectionSinks;
  /** whether all rows are recorded although the document wants the last only */
  recordsTrajectory?: true;
  /** whether states are kept on the way, so that going back is quick */
  keepsHistory?: boolean;
  /** Puts functions in the place of those of the scripts, which measure or watch them. */
  observe?: (loaded: LoadedFunctions) => LoadedFunctions;
  /** called now and then while a run is computed again up to where it goes on from */
  onSign?: () => void;
}

/**
 * Parts of a step by which the last one may end before the end time: what counts as a multiple of it, and
 * rounding.
 */
const END_ROUNDING = 2e-6;

/** Energy that the steps of a run have added by themselves: plain data. */
export interface EnergyGain {
  /** part of the largest energy or work of the run; below 0 where steps have taken energy */
  share: number;
  /** up to which it is accepted */
  limit: number;
}

export type PreparedRun = { ok: true; session: RunSession; reading: ReadDocument } | RunRefusal;

/**
 * Makes a run ready: scripts loaded, model built and compiled, first row recorded. Throws for no defect of
 * the model.
 * @param known what a run of the same document and scheme has read that has come to its end
 */
export function prepareRun(
  specification: RunSpecification,
  environment: RunEnvironment,
  known?: ReadDocument,
): PreparedRun {
  const { set, from, changes = [] } = specification;
  const made = changes.slice(0, from?.state?.changes ?? 0).map((change) => change.set);
  const values = made.length === 0 ? set : (Object.assign({}, set, ...made) as RunSpecification['set']);
  const { sandbox, observe } = environment;
  const compiled = compileRun(specification, values, sandbox, observe, known);
  if (!compiled.ok) return compiled;
  const { reading } = compiled;
  if (from?.set !== undefined) {
    // What is wrong with values that come later is wrong from the start.
    const set = { ...values, ...from.set };
    const later = compileRun(specification, set, sandbox, undefined, afresh(reading));
    if (!later.ok) return later;
    const error = changeRefusal(compiled, later, from.time);
    if (error !== null) return { ok: false, issues: [], error };
  }
  try {
    return { ok: true, session: new RunSession(specification, compiled, environment), reading };
  } catch (error) {
    return {
      ok: false,
      issues: [],
      error: explain(error, compiled.scripts, {}, 0, drawnOf(specification, compiled)),
    };
  }
}

const drawnOf = ({ document }: RunSpecification, { prepared }: CompiledRun): DrawnRun => ({
  document,
  labels: prepared.labels,
});

export class RunSession {
  readonly title: string;
  readonly scheme: SchemeName;
  readonly signals: SignalInfo[];
  readonly h: number;
  readonly t0: number;
  readonly totalSteps: number;
  /** error of a signal up to which the run counts as accurate, in parts of its range */
  readonly accuracy: number;
  /** whether every step has the length h, and nothing lies between steps */
  readonly hasConstantStep: boolean;
  /** whether the steps h are those of the motion, so that its error goes with them */
  readonly isStepped: boolean;
  /** 3D bodies as an animation draws them; null where there are none */
  readonly scene: Scene | null;
  /** signals that hold the state of each system of the document */
  readonly states: readonly SystemSignals[];
  /** what the signals tell of contacts and other non-smooth laws */
  readonly constraints: RunConstraints;
  error: EngineErrorDetails | null = null;

  readonly #specification: RunSpecification;
  readonly #environment: RunEnvironment;
  readonly #recorder: Recorder;
  readonly #finite: FiniteRows;
  readonly #every: number;
  readonly #recordsTrajectory: boolean;
  /** whether a simulation of it can be taken out whole */
  readonly #canSave: boolean;
  readonly #sections: RunSections;
  readonly #history: RunHistory | null;
  readonly #certificates = new CertificateHistory();
  readonly #recent = new Float64Array(RESIDUAL_KIND_COUNT);
  #compiled: CompiledRun;
  #simulation: Simulation;
  #observables: RunObservables;
  #warnings: string[] = [];
  /** of the last change of parameters that is warned of */
  #moved: readonly string[] = [];
  /** changes of parameters, earliest first, and how many of them have been made */
  #changes: readonly RunChange[];
  #changed = 0;
  #told: ParameterChange[] = [];
  #moves = 0;
  /** the step that was begun last, from 1 */
  #begun = 0;
  /** what was there when the run began: other than nothing where it goes on from another one */
  readonly #first: { readonly move: number; readonly step: number; readonly events: number };
  /** where it began, if that is known whole; null: it is computed again from before */
  readonly #beginning: RunStanding | null;

  /** Made by `prepareRun`. */
  constructor(specification: RunSpecification, compiled: CompiledRun, environment: RunEnvironment) {
    this.#specification = specification;
    this.#environment = environment;
    this.#compiled = compiled;
    const { prepared, selected } = compiled;
    const { settings, layout } = prepared;
    this.title = specification.document.title;
    this.scene = sceneOf(prepared);
    this.states = stateSignals(specification.document, prepared);
    this.constraints = constraintsOf(prepared);
    this.scheme = settings.scheme;
    this.h = settings.h;
    this.signals = selected.map((i) => layout.signals[i]);
    this.#every = specification.every ?? settings.recordEvery;
    this.#recordsTrajectory = environment.recordsTrajectory ?? settings.recordsTrajectory;
    this.accuracy = settings.accuracy;
    this.isStepped = hasSteps(settings);
    this.#changes = specification.changes ?? [];
    // What a script keeps between its calls is not seen from outside: going back starts it afresh.
    this.#canSave = compiled.scripts === null || areMemoryless(compiled.reading.scripts.sources);
    const from = this.#canSave ? (specification.from?.state ?? null) : null;
    this.#simulation = this.#create(compiled, from);
    this.#history =
      environment.keepsHistory === true && this.#canSave && this.#simulation.save !== undefined
        ? new RunHistory()
        : null;
    this.hasConstantStep = this.#simulation.hasConstantStep;
    const slots = Int32Array.from(selected, (i) => layout.slots[i]);
    const inMemory: SectionSinks = () => new MemoryChunks();
    this.#recorder = new Recorder(environment.sink, slots);
    this.#finite = new FiniteRows(layout);
    this.#sections = new RunSections(settings.sections, environment.sectionSinks ?? inMemory, slots);
    // A section takes a point where it begins to look.
    if (specification.from !== undefined) this.#sections.pass(from?.points ?? null);
    this.#observables = this.#observe(from?.time ?? null);
    this.#reach(from);
    const { step, eventCount, time } = this.#simulation;
    // An event at the very start belongs to the run that begins there.
    const isFirst = specification.from === undefined;
    this.#first = { move: this.#moves, step, events: isFirst ? 0 : eventCount };
    this.t0 = isFirst ? settings.t0 : time;
    this.totalSteps = this.#simulation.totalSteps - step;
    this.#warnings.push(...this.#simulation.warnings, ...compiled.warnings);
    this.#beginning = specification.from === undefined ? null : this.state;
    this.#recordFirst();
    this.#publish();
  }

  #create({ prepared }: CompiledRun, from: RunStanding | null): Simulation {
    const { loop } = this.#specification;
    const memory = from?.memory ?? null;
    return schemes[prepared.settings.scheme].create(prepared, {
      loop,
      ...(memory === null ? {} : { from: revive(memory) }),
    });
  }

  /**
   * Computes the run up to where it goes on from, without recording.
   * @param state that the simulation stands at; null at t₀
   * @throws {EngineError} where it does not come there
   */
  #reach(state: RunStanding | null): void {
    const { from } = this.#specification;
    if (from === undefined) return;
    this.#moves = state?.move ?? 0;
    this.#changed = state?.changes ?? 0;
    const aim = from.time - SAME_STEP * this.h;
    // An event may follow a row, or a row an event, by less than what counts as the same time.
    const isShort = (): boolean => this.#simulation.time < from.time && this.#moves < (from.move ?? 0);
    while (this.#simulation.time < aim || isShort()) {
      if (this.#simulation.isAtEnd) throw neverReached(from.time, this.time);
      this.#makeChanges();
      this.#begun = this.#simulation.step + 1;
      this.#simulation.advance();
      this.#moves++;
      if (this.#moves % MOVES_TO_SIGN === 0) this.#environment.onSign?.();
    }
    this.#sections.begin();
    this.#simulation.takeRecent(this.#recent);
    this.#certificates.load(null);
    const { set } = from;
    const isMade = this.#changes.some(({ move }, k) => k >= this.#changed && move === this.#moves);
    if (set !== undefined && !isMade)
      this.#changes = [...this.#changes, { move: this.#moves, time: this.time, set }];
  }

  /** Where the run stands, for going on from here. */
  get state(): RunStanding {
    const { time } = this.#simulation;
    // A step that failed has left an iterate: what was before it is computed again.
    const memory = this.#canSave && this.error === null ? (this.#simulation.save?.() ?? null) : null;
    return { move: this.#moves, time, points: this.#sections.counts, changes: this.#changed, memory };
  }

  /** Makes what has been recorded readable. */
  #publish(): void {
    this.#recorder.publish();
    this.#sections.publish();
  }

  /** sections that are taken */
  get sections(): readonly SectionInfo[] {
    return this.#sections.info;
  }

  /** values of the parameters at present */
  get parameters(): Record<string, number> {
    return this.#compiled.parameters;
  }

  get tEnd(): number {
    return this.#compiled.prepared.settings.tEnd;
  }

  get steps(): number {
    return this.#simulation.step - this.#first.step;
  }

  /** Steps so far; of the event-driven scheme also events between them. What a single step performs. */
  get moves(): number {
    return this.#moves;
  }

  get rows(): number {
    return this.#recorder.rows;
  }

  /** number of events so far; by time-stepping, contacts that closed */
  get events(): number {
    return this.#simulation.eventCount - this.#first.events;
  }

  /** what is known of each event; nothing by time-stepping */
  get eventRecords(): readonly EventRecord[] {
    const { events } = this.#simulation;
    return this.#first.events === 0 ? events : events.slice(this.#first.events);
  }

  /** end of the last complete step, s */
  get time(): number {
    return this.#simulation.time;
  }

  get certificate(): Certificate {
    const { certificate } = this.#simulation;
    const drawn = this.drawnNames.get(certificate.worstElement ?? '');
    return drawn === undefined ? certificate : { ...certificate, worstElement: drawn.name };
  }

  /** The worst residuals of stretches of the run, row by row in the columns of `CERTIFICATE_COLUMNS`. */
  get certificateOverTime(): Float64Array<ArrayBuffer> {
    return this.#certificates.rows;
  }

  /** what the user should know, from the start or from the steps so far */
  get warnings(): string[] {
    return [...this.#warnings, ...this.#moved, ...(this.#simulation.findings ?? [])];
  }

  /** whether no event was missed so far; a run that ends before its end time has missed what lies between */
  get complete(): Completeness {
    const { isAtEnd, time, complete } = this.#simulation;
    return isAtEnd && !(time >= this.tEnd - END_ROUNDING * this.h) ? false : complete;
  }

  /** how the last step was computed */
  get path(): SimulationPath {
    return this.#simulation.path;
  }

  /** factorisations, Newton and solver iterations so far */
  get counters(): StepCounters {
    return this.#simulation.counters;
  }

  /** steps that were taken back because their error was too large; 0 without step control */
  get rejectedSteps(): number {
    return this.#simulation.rejectedSteps;
  }

  get energyDrift(): number | null {
    return this.#simulation.energyDrift;
  }

  /**
   * What the steps themselves have added to the energy; null where that is not known. The square of a
   * velocity that is off by the accuracy asked for is off by twice as much: so is the limit.
   */
  get energyGain(): EnergyGain | null {
    const { energyGain = null } = this.#simulation;
    return energyGain === null ? null : { share: energyGain, limit: 2 * this.accuracy };
  }

  /** What states and rows of compiled elements are called in the drawing. */
  get drawnNames(): ReadonlyMap<string, DrawnName> {
    return (this.#drawnNames ??= drawnNames(this.#compiled.prepared.labels));
  }

  #drawnNames: ReadonlyMap<string, DrawnName> | undefined;

  /** changes of parameters that have been made, earliest first */
  get changes(): readonly RunChange[] {
    return this.#changes.slice(0, this.#changed);
  }

  /** what they did */
  get changedParameters(): readonly ParameterChange[] {
    return this.#told;
  }

  /** The state at the last complete step as initial values of the document's systems. */
  get initialState(): InitialState {
    return initialStateAt(this.#specification.document, this.#compiled.prepared, this.#simulation.moment);
  }

  /**
   * Performs up to `maxSteps` steps and publishes the rows recorded in them. A failure of the model or its
   * scripts is reported by the result and `error`, and what was recorded before it stays.
   * @param until ends earlier, with the first step that reaches this time, s
   */
  advance(maxSteps: number, until = Infinity): 'running' | 'done' | 'failed' {
    if (this.error !== null) return 'failed';
    try {
      this.#stop();
      for (let left = maxSteps; left > 0 && !this.#simulation.isAtEnd && this.time < until;) {
        const count = Math.min(left, this.#movesToStop());
        this.#loop(count, until);
        left -= count;
        this.#stop();
      }
      if (this.#simulation.isAtEnd) this.#sections.finish();
    } catch (error) {
      this.error = explain(
        error,
        this.#compiled.scripts,
        { time: this.#rowTime() },
        this.#begun,
        drawnOf(this.#specification, this.#compiled),
      );
      return 'failed';
    } finally {
      this.#publish();
    }
    return this.#simulation.isAtEnd ? 'done' : 'running';
  }

  /** Moves until something is to be done between two of them. */
  #movesToStop(): number {
    const judged = this.#certificates.movesToNext(this.#moves);
    const next = Math.min(this.#history?.movesToNext(this.#moves) ?? Infinity, judged);
    if (this.#changed === this.#changes.length) return next;
    return Math.min(next, Math.max(1, this.#changes[this.#changed].move - this.#moves));
  }

  /** Enters what the certificate has found since the last time. */
  #followCertificate(): void {
    if (this.#moves === this.#first.move) return;
    this.#simulation.takeRecent(this.#recent);
    this.#certificates.take(this.#moves, this.time, this.#recent, this.energyDrift);
  }

  /** What is due between two moves: the certificate, a snapshot, then changes of parameters. */
  #stop(): void {
    const move = this.#moves;
    this.#followCertificate();
    if (this.#history?.isDue(move) === true) {
      const memory = this.#simulation.save?.();
      const changes = this.#changed;
      const points = this.#sections.counts;
      if (memory !== undefined)
        this.#history.keep({
          move,
          rows: this.rows,
          points,
          changes,
          memory,
          certificate: this.#certificates.save(),
        });
    }
    this.#makeChanges();
  }

  /** Changes of parameters that are due. @throws {EngineError} why one cannot be made */
  #makeChanges(): void {
    while (this.#changed < this.#changes.length && this.#changes[this.#changed].move === this.#moves) {
      const refusal = this.#apply(this.#changes[this.#changed].set);
      if (refusal !== null) throw new EngineError(refusal);
      this.#changed++;
    }
  }

  /**
   * Goes on with other parameter values from the present state. Changes that were planned for later are given
   * up.
   * @returns why it cannot; the run is as it was then
   */
  change(set: Record<string, Expression>): EngineErrorDetails | null {
    if (this.error !== null) return this.error;
    try {
      this.#stop();
      const refusal = this.#apply(set);
      if (refusal !== null) return refusal;
    } catch (error) {
      return explain(
        error,
        this.#compiled.scripts,
        { time: this.time },
        this.#begun,
        drawnOf(this.#specification, this.#compiled),
      );
    }
    const change = { move: this.#moves, time: this.time, set };
    this.#changes = [...this.#changes.slice(0, this.#changed), change];
    this.#changed++;
    return null;
  }

  /** @throws {EngineError} what the scheme says of the model with the new values */
  #apply(set: Record<string, Expression>): EngineErrorDetails | null {
    const before = this.#compiled;
    const now = this.#compile({ ...this.#setSoFar(), ...set });
    if (!now.ok) return now.error;
    const refusal = changeRefusal(before, now, this.time);
    if (refusal !== null) return refusal;
    const told = differences(this.time, before.parameters, now.parameters);
    const memory = this.#simulation.handOver();
    try {
      this.#use(now, memory);
      const moved = this.#simulation.warnings.filter((warning) => !this.#warnings.includes(warning));
      if (moved.length > 0) this.#moved = moved;
    } catch (error) {
      this.#use(before, memory);
      throw error;
    }
    this.#told.push(...told);
    return null;
  }

  /**
   * The document once more, with its scripts started afresh. What has been read of it is handed on: it does
   * not change.
   */
  #compile(set: Record<string, Expression>): CompiledRun | RunRefusal {
    const { reading } = this.#compiled;
    return compileRun(this.#specification, set, this.#environment.sandbox, undefined, afresh(reading));
  }

  /** Values in place of the document's, changes on the way included. */
  #setSoFar(): Record<string, Expression> {
    return Object.assign(
      {},
      this.#specification.set,
      ...this.#changes.slice(0, this.#changed).map(({ set }) => set),
    ) as Record<string, Expression>;
  }

  #use(compiled: CompiledRun, from?: SimulationMemory): void {
    const { prepared } = compiled;
    const { loop } = this.#specification;
    this.#simulation = schemes[prepared.settings.scheme].create(prepared, { loop, from });
    this.#compiled = compiled;
    this.#observables = this.#observe(from === undefined ? null : this.time);
  }

  /**
   * Goes back to a move, or to one before it from which `advance` leads there: the caller looks at `moves`.
   * What was recorded, and changed, after it is taken back; a failure is forgotten.
   */
  goBack(move: number): void {
    const target = Math.max(this.#first.move, Math.min(move, this.#moves));
    this.#changes = this.#changes.filter((change, k) => k >= this.#changed || change.move <= target);
    // One that comes at the same move has been made after the snapshot, which then holds what was before.
    const snapshot = this.#history?.goBack(target, this.#changes.length) ?? null;
    const start = snapshot ?? this.#beginning;
    const isReached = start !== null && start.memory !== null;
    this.#changed = isReached ? start.changes : 0;
    const compiled = this.#compile(this.#setSoFar());
    if (!compiled.ok) throw new EngineError(compiled.error);
    this.error = null;
    this.#moved = [];
    this.#told = this.#told.filter((_, k) => k < this.#countTold());
    this.#sections.goBack(start?.points ?? null);
    this.#certificates.load(snapshot?.certificate ?? null);
    if (this.#beginning !== null && !isReached) this.#sections.pass(null);
    this.#use(compiled, start?.memory ?? undefined);
    if (isReached) this.#moves = start.move;
    else {
      this.#moves = 0;
      this.#reach(null);
    }
    this.#recorder.rewind(snapshot?.rows ?? 0);
    if (snapshot === null) {
      this.#warnings = [...this.#simulation.warnings, ...compiled.warnings];
      this.#recordFirst();
    }
    this.#publish();
  }

  /** Entries of `#told` that belong to the changes made so far. */
  #countTold(): number {
    const times = this.#changes.slice(0, this.#changed).map(({ time }) => time);
    const last = times.at(-1);
    return last === undefined ? 0 : this.#told.filter(({ time }) => time <= last).length;
  }

  /** @param until s */
  #loop(count: number, until: number): void {
    const simulation = this.#simulation;
    const every = this.#recordsTrajectory ? this.#every : Infinity;
    const strides = simulation.stride !== undefined && every > 1;
    for (let left = count; left > 0 && !simulation.isAtEnd && simulation.time < until;) {
      this.#begun = simulation.step + 1;
      if (strides) left -= this.#stride(Math.min(left, every - (simulation.step % every)), until);
      else {
        simulation.advance();
        this.#moves++;
        left--;
      }
      const isKept = this.#recordsTrajectory && simulation.isKept;
      // The last step is always kept: the end state belongs to every record.
      if (every === 1 || simulation.step % every === 0 || isKept || simulation.isAtEnd) this.#recordRows();
    }
  }

  /** Performs one move, or more of which none between would be recorded. @returns how many */
  #stride(most: number, until: number): number {
    const simulation = this.#simulation;
    const { step } = simulation;
    try {
      simulation.stride?.(Math.min(most, simulation.totalSteps - step), until);
    } finally {
      this.#moves += simulation.step - step;
      this.#begun = simulation.step + 1;
    }
    return simulation.step - step;
  }

  /** Time of the row that is being computed, s. */
  #rowTime(): number {
    const { rows } = this.#simulation;
    return rows[rows.length - 1][0];
  }

  /** A run that goes on from another one begins behind the event that may be there. */
  #recordFirst(): void {
    this.#recordRows(this.#specification.from === undefined ? undefined : 1);
  }

  #recordRows(rowCount = this.#simulation.rowCount): void {
    const { rows } = this.#simulation;
    for (let i = rows.length - rowCount; i < rows.length; i++) {
      this.#observables.write(rows[i]);
      this.#finite.check(rows[i]);
      this.#recorder.record(rows[i]);
    }
  }

  /**
   * Observables of the present simulation, the parameters in its rows, and the sections of it.
   * @param from time at which it goes on from another one, s; null at the start
   */
  #observe(from: number | null): RunObservables {
    const { prepared, parameters, lookup } = this.#compiled;
    const { layout } = prepared;
    const withParameters = (row: Float64Array): Float64Array => {
      Object.values(parameters).forEach((value, k) => (row[layout.parameters + k] = value));
      return row;
    };
    for (const row of this.#simulation.rows) withParameters(row);
    const observables = new RunObservables(this.#specification.document, prepared, parameters, lookup);
    this.#sections.watch(
      prepared,
      this.#simulation,
      (row) => observables.write(row),
      () => withParameters(new Float64Array(layout.size)),
      from,
    );
    return observables;
  }
}
