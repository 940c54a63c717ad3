/** A run: a document made ready, advanced in slices, recorded as it goes. */
import { compileExpression, type ExpressionProgram, runExpression } from '../document/expressions';
import { observableOrder, resolveSignal } from '../document/observables';
import { structuralIssues } from '../document/structure';
import type { DocumentIssue, Expression, ModelDocument, SchemeName, SignalInfo } from '../document/types';
import type { EventRecord } from '../event-driven/event-record';
import { EngineError, type EngineErrorDetails } from '../errors';
import type { NamedFunction } from '../model/field-reader';
import { type FailedCall, NotFiniteResult, PluginFailure } from '../model/plugin-failure';
import { PLUGIN_SIGNATURES } from '../model/plugin-signatures';
import type { StepCounters } from '../integrators/step';
import type { ChunkSink } from '../recording/chunks';
import { Recorder } from '../recording/recorder';
import { type BuiltElements, needsBuilder, runBuilder } from '../script/builder';
import { FunctionScripts } from '../script/function-scripts';
import type { Scene } from '../scene/scene';
import type { ScriptSandbox } from '../script/sandbox';
import type { Certificate } from './certificate/certificate';
import { projectPrepared } from './initial-check';
import { type PreparedModel, prepare, selectSignals } from './prepare';
import { schemes } from './schemes/registry';
import type { Simulation, SimulationPath } from './schemes/scheme';
import { sceneOf } from './space/scene-of';
import type { LoopChoice } from './setup';

export interface RunSpecification {
  document: ModelDocument;
  /** parameter values in place of the document's */
  set?: Record<string, Expression> | undefined;
  /** s */
  h?: number | undefined;
  /** s */
  tEnd?: number | undefined;
  /** in place of the document's */
  scheme?: SchemeName | undefined;
  /** names of the recorded signals; absent means the document's choice */
  signals?: string[] | undefined;
  loop?: LoopChoice | undefined;
  /** whether the initial state is moved onto the joints first */
  project?: boolean | undefined;
}

export interface RunEnvironment {
  /** called only when the document has scripts */
  sandbox: () => ScriptSandbox;
  sink: ChunkSink;
}

export type PreparedRun =
  { ok: true; session: RunSession } | { ok: false; error: EngineErrorDetails; issues: DocumentIssue[] };

/** An observable that is a script function of one system. */
interface FunctionObservable {
  slot: number;
  function: NamedFunction;
  /** copies handed to the script, so that it cannot write into the state */
  q: Float64Array;
  v: Float64Array;
  qAt: number;
  vAt: number;
  system: string;
}

interface ExpressionObservable {
  slot: number;
  program: ExpressionProgram;
  name: string;
  /** whether all its values have been finite; the first that is not gives a warning */
  finite: boolean;
}

function failure(issues: DocumentIssue[]): PreparedRun {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return {
    ok: false,
    issues,
    error: {
      code: 'invalid-document',
      message: `${first.message}${more}`,
      where: first.element ?? first.pointer,
      remedy: first.remedy,
      ...(first.script === undefined ? {} : { script: first.script }),
    },
  };
}

/** Makes a run ready: scripts loaded, model built and compiled, first row recorded. Throws for no defect of the model. */
export function prepareRun(specification: RunSpecification, environment: RunEnvironment): PreparedRun {
  const { document, set, h, tEnd, scheme, signals } = specification;
  // Scripts are loaded first, and nothing of a document may be used before its structure is known to be sound.
  if (!Array.isArray(document.scripts) || document.scripts.length > 0) {
    const structure = structuralIssues(document);
    if (structure.length > 0) return failure(structure);
  }
  const sandbox = document.scripts.length > 0 ? environment.sandbox() : null;
  const scripts = new FunctionScripts(document);
  try {
    let built: BuiltElements | undefined;
    if (sandbox !== null && needsBuilder(document)) {
      const result = runBuilder(document, sandbox, set);
      if (!result.ok) return { ok: false, error: result.error, issues: [] };
      built = result.built;
    }
    const { functionNames, analytic } = scripts;
    const options = { functionNames, analytic, built, set, overrides: { scheme, h, tEnd } };
    if (sandbox !== null) {
      // Without executing anything: which derivatives the model asks for, and whether it is sound.
      const draft = prepare(document, {
        ...options,
        functions: scripts.functions,
        derivatives: scripts.request,
      });
      if (draft.prepared === null) return failure(draft.issues);
    }
    const { functions, derivatives } =
      sandbox === null
        ? { functions: scripts.functions, derivatives: scripts.request }
        : scripts.evaluate(sandbox);
    const preparation = prepare(document, { ...options, functions, derivatives });
    if (preparation.prepared === null) return failure(preparation.issues);
    const { prepared } = preparation;
    const selection = selectSignals(prepared.layout, signals ?? document.simulation.recording?.signals);
    if (selection.unknown.length > 0) {
      const known = prepared.layout.signals.slice(0, 12).map(({ name }) => name);
      return {
        ok: false,
        issues: [],
        error: {
          code: 'unknown-signal',
          message: `There is no signal “${selection.unknown.join('”, “')}”.`,
          remedy: `Signals of this model start with ${known.join(', ')}.`,
        },
      };
    }
    if (specification.project === true) projectPrepared(prepared);
    const session = new RunSession(
      document,
      prepared,
      specification.loop,
      preparation.parameters,
      selection.selected,
      environment.sink,
      sandbox === null ? null : { sandbox, scripts },
      functions,
    );
    return { ok: true, session };
  } catch (error) {
    const loaded = sandbox === null ? null : { sandbox, scripts };
    return { ok: false, issues: [], error: explain(error, loaded, {}, 0) };
  }
}

/** The scripts of a run and the sandbox they are in. */
interface ScriptsOfRun {
  readonly sandbox: ScriptSandbox;
  readonly scripts: FunctionScripts;
}

/** @param step that failed, from 1; 0 where the run had not begun */
function explain(
  error: unknown,
  loaded: ScriptsOfRun | null,
  fallback: { time?: number },
  step: number,
): EngineErrorDetails {
  if (loaded !== null) {
    const { sandbox, scripts } = loaded;
    return scripts.explain(error, sandbox.explain(error, fallback).details, sandbox, step);
  }
  if (error instanceof EngineError) return error.details;
  throw error;
}

export class RunSession {
  readonly title: string;
  readonly scheme: SchemeName;
  readonly signals: SignalInfo[];
  readonly parameters: Record<string, number>;
  readonly h: number;
  readonly t0: number;
  readonly tEnd: number;
  readonly totalSteps: number;
  /** whether every step has the length h, and nothing lies between steps */
  readonly hasConstantStep: boolean;
  /** bodies in space as an animation draws them; null where there are none */
  readonly scene: Scene | null;
  error: EngineErrorDetails | null = null;

  readonly #simulation: Simulation;
  readonly #recorder: Recorder;
  readonly #every: number;
  readonly #expressions: ExpressionObservable[] = [];
  readonly #functions: FunctionObservable[] = [];
  readonly #frozenParameters: object;
  readonly #warnings: string[];
  /** the step that was begun last, from 1 */
  #begun = 0;

  /** Made by `prepareRun`. */
  constructor(
    document: ModelDocument,
    prepared: PreparedModel,
    loop: RunSpecification['loop'],
    parameters: Record<string, number>,
    selected: readonly number[],
    sink: ChunkSink,
    private readonly scripts: ScriptsOfRun | null,
    lookup: (name: string) => unknown,
  ) {
    const { settings, layout } = prepared;
    this.title = document.title;
    this.scene = sceneOf(prepared);
    this.parameters = parameters;
    this.scheme = settings.scheme;
    this.h = settings.h;
    this.t0 = settings.t0;
    this.tEnd = settings.tEnd;
    this.signals = selected.map((i) => layout.signals[i]);
    this.#every = settings.recordEvery;
    this.#frozenParameters = Object.freeze({ ...parameters });
    const simulation = schemes[settings.scheme].create(prepared, { loop });
    this.#simulation = simulation;
    this.totalSteps = simulation.totalSteps;
    this.hasConstantStep = simulation.hasConstantStep;
    this.#warnings = [...simulation.warnings];
    for (const row of simulation.rows)
      Object.values(parameters).forEach((value, k) => (row[layout.parameters + k] = value));
    for (const k of observableOrder(document.observables).order) {
      const observable = document.observables[k];
      const slot = layout.observables + k;
      if (observable.expression !== undefined) {
        const program = compileExpression(observable.expression, (path) =>
          resolveSignal(path, layout.slotOf),
        );
        this.#expressions.push({ slot, program, name: observable.name, finite: true });
        continue;
      }
      const id = observable.system ?? '';
      const places = layout.systemPlaces.get(id);
      if (places === undefined) throw new Error(`the observable ${observable.name} has no system`);
      this.#functions.push({
        slot,
        function: {
          name: observable.function ?? '',
          call: lookup(observable.function ?? '') as NamedFunction['call'],
        },
        q: new Float64Array(places.qSize),
        v: new Float64Array(places.vSize),
        qAt: places.q,
        vAt: places.v,
        system: id,
      });
    }
    this.#recorder = new Recorder(
      sink,
      Int32Array.from(selected, (i) => layout.slots[i]),
    );
    this.#recordRows();
    this.#recorder.publish();
  }

  get steps(): number {
    return this.#simulation.step;
  }

  get rows(): number {
    return this.#recorder.rows;
  }

  /** number of events so far; by time-stepping, contacts that closed */
  get events(): number {
    return this.#simulation.eventCount;
  }

  /** what is known of each event; nothing by time-stepping */
  get eventRecords(): readonly EventRecord[] {
    return this.#simulation.events;
  }

  /** end of the last complete step, s */
  get time(): number {
    return this.#simulation.time;
  }

  get certificate(): Certificate {
    return this.#simulation.certificate;
  }

  /** what the user should know, from the start or from the steps so far */
  get warnings(): string[] {
    return [...this.#warnings, ...(this.#simulation.findings ?? [])];
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
   * Performs up to `maxSteps` steps and publishes the rows recorded in them. A failure of the model or its scripts is
   * told by the result and `error`, and what was recorded before it stays.
   */
  advance(maxSteps: number): 'running' | 'done' | 'failed' {
    if (this.error !== null) return 'failed';
    try {
      this.#loop(maxSteps);
    } catch (error) {
      this.error = explain(error, this.scripts, { time: this.#rowTime() }, this.#begun);
      return 'failed';
    } finally {
      this.#recorder.publish();
    }
    return this.#simulation.isAtEnd ? 'done' : 'running';
  }

  #loop(maxSteps: number): void {
    const simulation = this.#simulation;
    const every = this.#every;
    for (let k = 0; k < maxSteps && !simulation.isAtEnd; k++) {
      this.#begun = simulation.step + 1;
      simulation.advance();
      // The last step is always kept: the end state belongs to every record.
      if (every !== 1 && simulation.step % every !== 0 && !simulation.isKept && !simulation.isAtEnd) continue;
      this.#recordRows();
    }
  }

  /** Time of the row that is being computed, s. */
  #rowTime(): number {
    const { rows } = this.#simulation;
    return rows[rows.length - 1][0];
  }

  #recordRows(): void {
    const { rows, rowCount } = this.#simulation;
    for (let i = rows.length - rowCount; i < rows.length; i++) {
      this.#observe(rows[i]);
      this.#recorder.record(rows[i]);
    }
  }

  #reportObservable(observable: FunctionObservable, value: unknown, t: number): never {
    const { system } = observable;
    const { name } = observable.function;
    throw new NotFiniteResult(
      {
        code: 'script-not-finite',
        message: `The observable function “${name}” of “${system}” gave ${String(value)} at t = ${t} s.`,
        where: system,
        time: t,
        remedy: 'Return a number on every path of the function.',
      },
      this.#observableCall(observable, t),
    );
  }

  #observableCall({ function: { name }, system, q, v }: FunctionObservable, t: number): FailedCall {
    const { parameters } = PLUGIN_SIGNATURES.observable;
    const values = [t, q.slice(), v.slice(), 0];
    return {
      function: name,
      element: system,
      isDerivative: false,
      parameters,
      values,
      p: this.#frozenParameters,
    };
  }

  #callObservable(observable: FunctionObservable, t: number): number {
    const { q, v } = observable;
    try {
      return observable.function.call(t, q, v, this.#frozenParameters);
    } catch (error) {
      throw new PluginFailure(error, this.#observableCall(observable, t));
    }
  }

  #observe(state: Float64Array): void {
    for (const observable of this.#functions) {
      const { q, v, qAt, vAt, slot } = observable;
      for (let i = 0; i < q.length; i++) q[i] = state[qAt + i];
      for (let i = 0; i < v.length; i++) v[i] = state[vAt + i];
      const value = this.#callObservable(observable, state[0]);
      if (!Number.isFinite(value)) this.#reportObservable(observable, value, state[0]);
      state[slot] = value;
    }
    for (const observable of this.#expressions) {
      const { slot, program } = observable;
      runExpression(program, state);
      state[slot] = program.stack[0];
      if (observable.finite && !Number.isFinite(program.stack[0])) {
        observable.finite = false;
        this.#warnings.push(`The observable “${observable.name}” is not finite from t = ${state[0]} s.`);
      }
    }
  }
}
