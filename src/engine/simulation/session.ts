/** A run: a document made ready, advanced in slices, recorded as it goes. */
import { compileExpression, type ExpressionProgram, runExpression } from '../document/expressions';
import { observableOrder, resolveSignal } from '../document/observables';
import { structuralIssues } from '../document/structure';
import type { DocumentIssue, Expression, ModelDocument, SignalInfo } from '../document/types';
import { EngineError, type EngineErrorDetails } from '../errors';
import type { NamedFunction } from '../model/field-reader';
import type { StepCounters } from '../integrators/step';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { ChunkSink } from '../recording/chunks';
import { Recorder } from '../recording/recorder';
import { type BuiltElements, needsBuilder, runBuilder } from '../script/builder';
import { FunctionScripts } from '../script/function-scripts';
import type { ScriptSandbox } from '../script/sandbox';
import type { Certificate } from './certificate/certificate';
import { type PreparedModel, prepare, selectSignals } from './prepare';
import type { LoopChoice } from './setup';
import { TimeStepping } from './time-stepping';

export interface RunSpecification {
  document: ModelDocument;
  /** parameter values in place of the document's */
  set?: Record<string, Expression> | undefined;
  /** s */
  h?: number | undefined;
  /** s */
  tEnd?: number | undefined;
  scheme?: 'time-stepping' | undefined;
  /** names of the recorded signals; absent means the document's choice */
  signals?: string[] | undefined;
  loop?: LoopChoice | undefined;
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

/** Fraction of a step by which an end time may miss a multiple of h before it counts as one more step. */
const STEP_ROUNDING = 1e-6;

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
  const { document, set, h, tEnd, signals } = specification;
  // Scripts are loaded first, and nothing of a document may be used before its structure is known to be sound.
  if (!Array.isArray(document.scripts) || document.scripts.length > 0) {
    const structure = structuralIssues(document);
    if (structure.length > 0) return failure(structure);
  }
  const sandbox = document.scripts.length > 0 ? environment.sandbox() : null;
  try {
    let built: BuiltElements | undefined;
    if (sandbox !== null && needsBuilder(document)) {
      const result = runBuilder(document, sandbox, set);
      if (!result.ok) return { ok: false, error: result.error, issues: [] };
      built = result.built;
    }
    const scripts = new FunctionScripts(document);
    const options = { functionNames: scripts.functionNames, built, set, overrides: { h, tEnd } };
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
    const session = new RunSession(
      document,
      prepared,
      specification.loop,
      preparation.parameters,
      selection.selected,
      environment.sink,
      sandbox,
      functions,
    );
    return { ok: true, session };
  } catch (error) {
    return { ok: false, issues: [], error: explain(error, sandbox, {}).details };
  }
}

function explain(error: unknown, sandbox: ScriptSandbox | null, fallback: { time?: number }): EngineError {
  if (sandbox !== null) return sandbox.explain(error, fallback);
  if (error instanceof EngineError) return error;
  throw error;
}

export class RunSession {
  readonly title: string;
  readonly scheme = 'time-stepping';
  readonly signals: SignalInfo[];
  readonly parameters: Record<string, number>;
  readonly h: number;
  readonly t0: number;
  readonly tEnd: number;
  readonly totalSteps: number;
  readonly warnings: string[] = [];
  error: EngineErrorDetails | null = null;

  readonly #simulation: TimeStepping;
  readonly #recorder: Recorder;
  readonly #every: number;
  /** whether the step length is chosen as the run goes on */
  readonly #isControlled: boolean;
  readonly #expressions: ExpressionObservable[] = [];
  readonly #functions: FunctionObservable[] = [];
  readonly #frozenParameters: object;

  /** Made by `prepareRun`. */
  constructor(
    document: ModelDocument,
    { model, settings, layout }: PreparedModel,
    loop: RunSpecification['loop'],
    parameters: Record<string, number>,
    selected: readonly number[],
    sink: ChunkSink,
    private readonly sandbox: ScriptSandbox | null,
    lookup: (name: string) => unknown,
  ) {
    this.title = document.title;
    this.parameters = parameters;
    this.h = settings.h;
    this.t0 = settings.t0;
    this.tEnd = settings.tEnd;
    this.#isControlled = settings.stepControl !== null;
    this.totalSteps = this.#countSteps();
    this.signals = selected.map((i) => layout.signals[i]);
    this.#every = settings.recordEvery;
    this.#frozenParameters = Object.freeze({ ...parameters });
    this.#simulation = new TimeStepping(model, layout, { ...settings, loop });
    this.#warnOfOverlap(model);
    const { state } = this.#simulation;
    Object.values(parameters).forEach((value, k) => (state[layout.parameters + k] = value));
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
      const index = model.systems.findIndex(({ id }) => id === observable.system);
      const { form, id } = model.systems[index];
      const dof = this.#simulation.context.offsets[index];
      this.#functions.push({
        slot,
        function: {
          name: observable.function ?? '',
          call: lookup(observable.function ?? '') as NamedFunction['call'],
        },
        q: new Float64Array(form.size),
        v: new Float64Array(form.size),
        qAt: layout.q + dof,
        vAt: layout.v + dof,
        system: id,
      });
    }
    this.#recorder = new Recorder(
      sink,
      Int32Array.from(selected, (i) => layout.slots[i]),
    );
    this.#observe();
    this.#recorder.record(state);
    this.#recorder.publish();
  }

  /** A law at velocity level keeps bodies from approaching; it does not push apart what overlaps at the start. */
  #warnOfOverlap({ interactions }: NonSmoothDynamicalSystem): void {
    const overlaps = interactions
      .map(({ id }, i) => ({ id, gap: this.#simulation.overlap(i) }))
      .filter(({ gap }) => gap < 0);
    if (overlaps.length === 0) return;
    const worst = overlaps.reduce((a, b) => (b.gap < a.gap ? b : a));
    const more = overlaps.length > 1 ? ` (the deepest of ${overlaps.length})` : '';
    this.warnings.push(
      `“${worst.id}” starts with a gap of ${worst.gap}${more}: the overlap stays until the bodies part.`,
    );
  }

  /** Number of steps of a run with constant steps; with step control, the number it would take at its first step. */
  #countSteps(): number {
    const exact = (this.tEnd - this.t0) / this.h;
    const nearest = Math.round(exact);
    if (nearest > 0 && Math.abs(exact - nearest) <= STEP_ROUNDING) return nearest;
    const steps = Math.max(1, Math.ceil(exact));
    if (this.#isControlled) return steps;
    const end = this.t0 + steps * this.h;
    this.warnings.push(
      `The end time is not a multiple of the step: the run ends at ${end} s instead of ${this.tEnd} s.`,
    );
    return steps;
  }

  get steps(): number {
    return this.#simulation.step;
  }

  get rows(): number {
    return this.#recorder.rows;
  }

  /** contacts that closed so far */
  get events(): number {
    return this.#simulation.events;
  }

  /** end of the last complete step, s */
  get time(): number {
    return this.#simulation.time;
  }

  get certificate(): Certificate {
    return this.#simulation.certificate.certificate;
  }

  /** how the last step was computed */
  get loop(): LoopChoice {
    return this.#simulation.loop;
  }

  /** factorisations, Newton and solver iterations so far */
  get counters(): StepCounters {
    return { ...this.#simulation.context.counters };
  }

  /** steps that were taken back because their error was too large; 0 without step control */
  get rejectedSteps(): number {
    return this.#simulation.rejectedSteps;
  }

  get energyDrift(): number | null {
    return this.#simulation.certificate.energyDrift;
  }

  /**
   * Performs up to `maxSteps` steps and publishes the rows recorded in them. A failure of the model or its scripts is
   * told by the result and `error`, and what was recorded before it stays.
   */
  advance(maxSteps: number): 'running' | 'done' | 'failed' {
    if (this.error !== null) return 'failed';
    const simulation = this.#simulation;
    const last = simulation.step + maxSteps;
    const end = this.#isControlled ? last : Math.min(this.totalSteps, last);
    try {
      this.#loop(end);
    } catch (error) {
      this.error = explain(error, this.sandbox, { time: this.#simulation.state[0] }).details;
      return 'failed';
    } finally {
      this.#recorder.publish();
    }
    return this.#isDone() ? 'done' : 'running';
  }

  #isDone(): boolean {
    return this.#isControlled ? this.#simulation.isAtEnd : this.#simulation.step >= this.totalSteps;
  }

  #loop(end: number): void {
    const simulation = this.#simulation;
    const recorder = this.#recorder;
    const every = this.#every;
    const { state } = simulation;
    while (simulation.step < end && !this.#isDone()) {
      simulation.advance();
      // The last step is always kept: the end state belongs to every record.
      if (every !== 1 && simulation.step % every !== 0 && !this.#isDone()) continue;
      this.#observe();
      recorder.record(state);
    }
  }

  #reportObservable({ function: { name }, system }: FunctionObservable, value: unknown): never {
    const t = this.#simulation.state[0];
    throw new EngineError({
      code: 'script-not-finite',
      message: `The observable function “${name}” of “${system}” gave ${String(value)} at t = ${t} s.`,
      where: system,
      time: t,
      remedy: 'Return a number on every path of the function.',
    });
  }

  #observe(): void {
    const { state } = this.#simulation;
    for (const observable of this.#functions) {
      const { q, v, qAt, vAt, slot } = observable;
      for (let i = 0; i < q.length; i++) {
        q[i] = state[qAt + i];
        v[i] = state[vAt + i];
      }
      const value = observable.function.call(state[0], q, v, this.#frozenParameters);
      if (!Number.isFinite(value)) this.#reportObservable(observable, value);
      state[slot] = value;
    }
    for (const observable of this.#expressions) {
      const { slot, program } = observable;
      runExpression(program, state);
      state[slot] = program.stack[0];
      if (observable.finite && !Number.isFinite(program.stack[0])) {
        observable.finite = false;
        this.warnings.push(`The observable “${observable.name}” is not finite from t = ${state[0]} s.`);
      }
    }
  }
}
