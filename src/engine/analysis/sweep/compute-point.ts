/** One point of a sweep: a run of which only a section and measures are kept. */
import { compileExpression, ExpressionError, evaluateExpression } from '../../document/expressions';
import type { Expression } from '../../document/types';
import { EngineError, type EngineErrorDetails } from '../../errors';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { ScriptSandbox } from '../../script/sandbox';
import { type CompiledRun, type ReadDocument, compileRun, explain } from '../../run/compile-run';
import { FiniteRows, RunObservables } from '../../run/observables';
import type { StateLayout } from '../../preparation/layout';
import type { PreparedModel } from '../../preparation/prepare';
import { schemes } from '../../run/schemes/registry';
import type { Simulation } from '../../run/schemes/scheme';
import type { SkimRequest } from '../../event-driven/skim/skimming';
import {
  compileSection,
  firstSectionPoint,
  type Section,
  type SectionChoice,
} from '../../preparation/section';
import { type Axis, type SectionRequest, type SweepJob, type SweepSection, sweepAxisName } from './job';
import { measureAccuracy, type MeasuredAccuracy } from '../accuracy/measure';
import { type PointVerdict, verdictOfSimulation } from '../point-verdict';
import {
  type Measure,
  type MeasuredExponent,
  type MeasuredRun,
  type MeasuredStart,
  TakenMeasures,
  measuredExponent,
  readMeasure,
  repeatedPeriod,
} from './measures';
import { initialComponent, replaceInitialState, startingHere, stateIn } from './start-state';

export interface ColumnInfo {
  readonly name: string;
  readonly unit: string;
}

/** What a point came to. */
export interface PointResult {
  readonly status: 'done' | 'failed';
  readonly error?: EngineErrorDetails;
  /** NaN where the run failed */
  readonly measures: Float64Array;
  /** points of the section, row by row; those before a failure are kept */
  readonly section: Float64Array;
  /** state at the end, from which a neighbour may start; empty after a failure */
  readonly end: Float64Array;
  /** of the run as far as it came; absent where it never began, and of points that older versions computed */
  readonly verdict?: PointVerdict;
  /** finer runs of a job that asks for them; what they come to is judged by who keeps the result */
  readonly accuracy?: MeasuredAccuracy;
}

/** Columns of what all points of a job give. */
export interface SweepColumns {
  /** what is varied, one for each axis */
  readonly axes: readonly ColumnInfo[];
  readonly measures: readonly ColumnInfo[];
  readonly section: readonly ColumnInfo[];
}

export interface PointEnvironment {
  readonly sandbox: () => ScriptSandbox;
  /** called from time to time; false ends the computation */
  readonly isWanted?: () => boolean;
}

/** Steps between two looks at whether the point is still wanted. */
const LOOK = 256;
/** Section points that fall together with the end of a run are not lost to rounding. */
const SPARE = 1e-6;

/** @throws {EngineError} for an expression that cannot be read or gives no number */
function numberOf(what: string, value: Expression, parameters: Readonly<Record<string, number>>): number {
  if (typeof value === 'number') return value;
  const names = Object.keys(parameters);
  try {
    const program = compileExpression(value, (path) => {
      const at = names.indexOf(path);
      if (at < 0) throw new ExpressionError(`“${path}” is no parameter`);
      return at;
    });
    return evaluateExpression(
      program,
      Float64Array.from(names, (name) => parameters[name]),
    );
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new EngineError({
      code: 'invalid-section',
      message: `The ${what} “${value}”: ${error.message}.`,
      remedy: 'Use numbers and the parameters of the model.',
    });
  }
}

function choiceOf(request: SectionRequest, parameters: Readonly<Record<string, number>>): SectionChoice {
  switch (request.kind) {
    case 'stroboscopic':
      return {
        kind: 'stroboscopic',
        period: numberOf('period', request.period, parameters),
        phase: numberOf('phase', request.phase ?? 0, parameters),
      };
    case 'impact':
      return { kind: 'impact', contact: request.contact, state: request.state ?? 'after' };
    case 'surface':
    default:
      return { kind: 'surface', g: request.g, direction: request.direction ?? 'rising' };
  }
}

/** Signals of a section point: what was asked for, or all coordinates and velocities. */
function sectionSignals({ signals }: SweepSection, layout: StateLayout): number[] {
  const all = layout.signals;
  if (signals === undefined)
    return all.flatMap(({ kind }, k) =>
      kind === 'position' || kind === 'velocity' || kind === 'state' ? [k] : [],
    );
  return signals.map((wanted) => {
    const at = all.findIndex(({ name }) => name === wanted);
    if (at >= 0) return at;
    throw new EngineError({
      code: 'unknown-signal',
      message: `There is no signal “${wanted}”.`,
      remedy: `Signals of this model start with ${all
        .slice(0, 12)
        .map(({ name }) => name)
        .join(', ')}.`,
    });
  });
}

/** The job's values at a point, as a run takes them. */
function specificationOf(
  job: SweepJob,
  values: Float64Array,
  tEnd: number | undefined,
): Parameters<typeof compileRun>[0] & { set: Record<string, Expression> } {
  const set = { ...job.set };
  job.plan.axes.forEach((axis, k) => {
    if ('parameter' in axis) set[axis.parameter] = values[k];
  });
  const { document, h, scheme } = job;
  return { document, set, h, scheme, tEnd };
}

/** @throws {EngineError} `unknown-state` */
function unitOf(axis: Axis, { document }: SweepJob, { model, layout }: PreparedModel): string {
  if ('initial' in axis) return initialComponent(axis.initial, model, layout).unit;
  return document.parameters.find(({ name }) => name === axis.parameter)?.unit ?? '';
}

/**
 * Neighbours along an axis of initial values cannot start where the one before has ended, and random points
 * have none.
 * @throws {EngineError} `followed-start`
 */
function refuseFollowedStart({ plan, start = 'initial' }: SweepJob): void {
  const last = plan.axes.at(-1);
  if (start === 'both' && plan.kind !== 'grid')
    throw new EngineError({
      code: 'followed-start',
      message: 'Random points have no neighbours that runs could follow up and down.',
      remedy: 'Start each run from the initial state of the model, or compute a grid.',
    });
  if (start === 'initial' || plan.kind !== 'grid' || last === undefined || 'parameter' in last) return;
  throw new EngineError({
    code: 'followed-start',
    message: `Runs cannot start at values of “${last.initial}” and where their neighbours have ended.`,
    where: last.initial,
    remedy: 'Start each run from the initial state of the model, or let the last axis vary a parameter.',
  });
}

/**
 * What a job's points will have, found without running it.
 * @throws {EngineError} for defects of the model or the job
 */
export function sweepColumns(
  job: SweepJob,
  values: Float64Array,
  environment: PointEnvironment,
): SweepColumns {
  const compiled = compileAt(job, values, job.tEnd, environment);
  const { prepared } = compiled;
  const { layout, model } = prepared;
  const { section } = job;
  refuseFollowedStart(job);
  if (section !== undefined) compileSection(choiceOf(section.section, compiled.parameters), model, layout);
  const info = (k: number): ColumnInfo => ({ name: layout.signals[k].name, unit: layout.signals[k].unit });
  return {
    axes: job.plan.axes.map((axis) => ({ name: sweepAxisName(axis), unit: unitOf(axis, job, prepared) })),
    measures: job.measures
      .map((text) => readMeasure(text, prepared, section !== undefined))
      .map(({ name, unit }) => ({ name, unit })),
    section: section === undefined ? [] : [0, ...sectionSignals(section, layout)].map(info),
  };
}

/**
 * @param values of what is varied, in the order of the axes
 * @param start state to start from, of the neighbour before; null for the document's
 * @returns null when it was not wanted any more
 */
export function computePoint(
  job: SweepJob,
  values: Float64Array,
  start: Float64Array | null,
  environment: PointEnvironment,
): PointResult | null {
  let compiled: CompiledRun | null = null;
  let run: PointRun | null = null;
  try {
    compiled = compilePoint(job, values, environment);
    run = new PointRun(job, values, compiled, start);
    if (!run.compute(environment.isWanted)) return null;
    const result = run.result(null);
    if (job.accuracy !== true) return result;
    return { ...result, accuracy: pointAccuracy(job, values, run, start, environment) };
  } catch (error) {
    const details = explain(error, compiled?.scripts ?? null, {}, 0);
    if (run !== null) return run.result(details);
    const none = new Float64Array(0);
    const measures = new Float64Array(job.measures.length).fill(NaN);
    return { status: 'failed', error: details, measures, section: none, end: none };
  }
}

/** How accurate the run of a point is, up to where it ended. */
function pointAccuracy(
  job: SweepJob,
  values: Float64Array,
  { simulatedTo }: PointRun,
  start: Float64Array | null,
  environment: PointEnvironment,
): MeasuredAccuracy {
  const specification = specificationOf(job, values, simulatedTo);
  const compiled = compilePoint(job, values, environment);
  startAs(job, values, start, compiled.prepared);
  const document = startingHere(job.document, compiled.prepared);
  if (document === null)
    return {
      ok: false,
      reason: 'failed',
      message: 'The document cannot hold the state that the run starts in.',
    };
  return measureAccuracy({ ...specification, document }, environment.sandbox, true);
}

/** What does not depend on the values of a point, by job. */
const readings = new WeakMap<SweepJob, ReadDocument>();

/**
 * The model at a point. Where it is refused for the values of the point alone, the message names them.
 * @throws {EngineError}
 */
function compileAt(
  job: SweepJob,
  values: Float64Array,
  tEnd: number | undefined,
  { sandbox }: PointEnvironment,
): CompiledRun {
  const specification = specificationOf(job, values, tEnd);
  const compiled = compileRun(specification, specification.set, sandbox, undefined, readings.get(job));
  if (compiled.ok) {
    readings.set(job, compiled.reading);
    return compiled;
  }
  const { error, issues } = compiled;
  const isUnknown = issues.some(({ code }) => code === 'unknown-parameter');
  if (isUnknown || !compileRun(specification, { ...job.set }, sandbox).ok) throw new EngineError(error);
  const point = job.plan.axes.map((axis, k) => `${sweepAxisName(axis)} = ${values[k]}`).join(', ');
  throw new EngineError({ ...error, message: `At ${point}: ${error.message}` });
}

/** Long enough for a stroboscopic section. @throws {EngineError} */
function compilePoint(job: SweepJob, values: Float64Array, environment: PointEnvironment): CompiledRun {
  const first = compileAt(job, values, job.tEnd, environment);
  const { section } = job;
  if (section?.section.kind !== 'stroboscopic' || job.tEnd !== undefined) return first;
  const choice = choiceOf(section.section, first.parameters);
  if (choice.kind !== 'stroboscopic') return first;
  const { settings } = first.prepared;
  const { period, phase } = choice;
  const number =
    firstSectionPoint(phase, period, { t0: settings.t0, from: null }) + section.transient + section.count;
  const last = (phase + number) * period - settings.t0;
  const end = settings.t0 + Math.ceil(last / settings.h + SPARE) * settings.h;
  // Only the end is another one.
  return { ...first, prepared: { ...first.prepared, settings: { ...settings, tEnd: end } } };
}

/**
 * Puts the initial values that are varied in the place of the model's.
 * @throws {EngineError} `unknown-state`
 */
function startAt({ plan }: SweepJob, values: Float64Array, { model, layout }: PreparedModel): void {
  plan.axes.forEach((axis, k) => {
    if (!('initial' in axis)) return;
    const component = initialComponent(axis.initial, model, layout);
    component.values[component.at] = values[k];
  });
}

/** Where a run of a point begins. @throws {EngineError} `unknown-state` */
function startAs(
  job: SweepJob,
  values: Float64Array,
  start: Float64Array | null,
  prepared: PreparedModel,
): void {
  if (start !== null && start.length > 0) replaceInitialState(prepared.model, start);
  else startAt(job, values, prepared);
}

class PointRun {
  readonly #simulation: Simulation;
  readonly #observables: RunObservables;
  readonly #finite: FiniteRows;
  readonly #section: Section | null;
  readonly #slots: Int32Array;
  /** points of the section, row by row, with room behind them */
  #points = new Float64Array(64);
  #pointsLength = 0;
  readonly #measures: readonly Measure[];
  readonly #compiled: CompiledRun;
  readonly #tEnd: number;
  #taken: TakenMeasures | null = null;
  #measuredFrom: MeasuredStart | null = null;
  #exponent: MeasuredExponent | null = null;
  #seen = 0;
  readonly #choice: SectionChoice | null;
  readonly #request: SkimRequest;

  constructor(
    private readonly job: SweepJob,
    values: Float64Array,
    compiled: CompiledRun,
    start: Float64Array | null,
  ) {
    const { prepared, parameters, lookup } = compiled;
    const { layout, model, settings } = prepared;
    startAs(job, values, start, prepared);
    this.#compiled = compiled;
    this.#tEnd = settings.tEnd;
    this.#simulation = schemes[settings.scheme].create(prepared, { loop: undefined });
    this.#observables = new RunObservables(job.document, prepared, parameters, lookup);
    this.#finite = new FiniteRows(layout);
    this.#measures = job.measures.map((text) => readMeasure(text, prepared, job.section !== undefined));
    const withParameters = (row: Float64Array): Float64Array => {
      Object.values(parameters).forEach((value, k) => (row[layout.parameters + k] = value));
      return row;
    };
    this.#simulation.rows.forEach(withParameters);
    const { section } = job;
    const signals = section === undefined ? [] : [0, ...sectionSignals(section, layout)];
    this.#slots = Int32Array.from(signals, (k) => layout.slots[k]);
    this.#section =
      section === undefined ? null : this.#take(section, layout, model, parameters, withParameters);
    this.#choice = section === undefined ? null : choiceOf(section.section, parameters);
    const rows =
      this.#measures.length === 0
        ? null
        : {
            create: () => withParameters(new Float64Array(layout.size)),
            isAsked: () => this.#taken?.followsRows === true,
            take: (row: Float64Array) => {
              // The row of a step that the first point of a section lies in belongs to what is measured.
              if (this.#taken === null || row[0] < (this.#measuredFrom?.time ?? Infinity)) return;
              this.#read(row, this.#taken);
            },
          };
    const skimmedTo = (): number => this.#skimmedTo;
    this.#request = {
      get until() {
        return skimmedTo();
      },
      period: this.#choice?.kind === 'stroboscopic' ? this.#choice.period : null,
      isWanted: () => !this.#isComplete,
      rows,
    };
    if (section === undefined && (job.skip ?? 0) === 0) {
      // The state at the start belongs to the run, and so does an impact that it begins with.
      this.#measure(this.#lastRow, 0);
      if (this.#taken !== null) this.#readRows(this.#taken);
    }
  }

  #take(
    { section, transient, count }: SweepSection,
    layout: StateLayout,
    model: NonSmoothDynamicalSystem,
    parameters: Readonly<Record<string, number>>,
    withParameters: (row: Float64Array) => Float64Array,
  ): Section {
    const trigger = compileSection(choiceOf(section, parameters), model, layout);
    const plan = {
      trigger,
      t0: this.#compiled.prepared.settings.t0,
      from: null,
      complete: (row: Float64Array) => {
        this.#observables.write(row);
      },
      take: (row: Float64Array) => {
        this.#seen++;
        if (this.#seen <= transient || this.#seen > transient + count) return;
        this.#finite.check(row);
        if (this.#taken === null) this.#measure(row);
        this.#keep(row);
      },
    };
    return this.#simulation.takeSection(plan, () => withParameters(new Float64Array(layout.size)));
  }

  /** A point of the section. */
  #keep(row: Float64Array): void {
    const slots = this.#slots;
    const length = this.#pointsLength;
    if (length + slots.length > this.#points.length) {
      const points = new Float64Array(2 * (length + slots.length));
      points.set(this.#points);
      this.#points = points;
    }
    for (let k = 0; k < slots.length; k++) this.#points[length + k] = row[slots[k]];
    this.#pointsLength = length + slots.length;
  }

  /** s */
  get simulatedTo(): number {
    return this.#simulation.time;
  }

  get #lastRow(): Float64Array {
    const { rows } = this.#simulation;
    return rows[rows.length - 1];
  }

  /** From here on measures are taken. @param row of the state */
  #measure(row: Float64Array, eventsBefore = this.#simulation.eventCount): void {
    if (this.#measures.length === 0) return;
    const { model, layout } = this.#compiled.prepared;
    this.#measuredFrom = { time: row[0], state: stateIn(row, model, layout) };
    this.#taken = new TakenMeasures(this.#measures, eventsBefore);
  }

  get #isComplete(): boolean {
    const { section } = this.job;
    return section !== undefined && this.#seen >= section.transient + section.count;
  }

  /**
   * Up to where motion may be skimmed: a section is in flight, and a stroboscopic one ends in the step that
   * its last point lies in; measures without a section begin at a point of the discretisation.
   */
  get #skimmedTo(): number {
    const { section, skip = 0 } = this.job;
    const { t0, h } = this.#compiled.prepared.settings;
    const isAwaited = this.#measures.length > 0 && this.#taken === null && section === undefined;
    if (isAwaited) return t0 + skip * (this.#tEnd - t0) - h;
    const choice = this.#choice;
    if (section === undefined || choice?.kind !== 'stroboscopic') return this.#tEnd - h;
    const { period, phase } = choice;
    const first = firstSectionPoint(phase, period, { t0, from: null });
    return (phase + first + section.transient + section.count - 1) * period - h;
  }

  /** @returns whether it came to its end */
  compute(isWanted: (() => boolean) | undefined): boolean {
    const simulation = this.#simulation;
    const { t0 } = this.#compiled.prepared.settings;
    const begin = t0 + (this.job.skip ?? 0) * (this.#tEnd - t0);
    for (let step = 0; !simulation.isAtEnd && !this.#isComplete; step++) {
      if (step % LOOK === LOOK - 1 && isWanted?.() === false) return false;
      if (simulation.time < this.#skimmedTo) simulation.skim?.(this.#request);
      if (this.#isComplete) break;
      simulation.advance();
      // The run, and what is measured, ends with the last point that is kept, and measures begin with the
      // first.
      this.#section?.look();
      if (this.#taken !== null) this.#readRows(this.#taken);
      else if (this.job.section === undefined && simulation.time >= begin) this.#measure(this.#lastRow);
    }
    if (!this.#isComplete) this.#section?.finish();
    return true;
  }

  #readRows(taken: TakenMeasures): void {
    const { rows, rowCount } = this.#simulation;
    for (let i = rows.length - rowCount; i < rows.length; i++) this.#read(rows[i], taken);
  }

  #read(row: Float64Array, taken: TakenMeasures): void {
    this.#observables.write(row);
    this.#finite.check(row);
    taken.row(row);
  }

  result(error: EngineErrorDetails | null): PointResult {
    const { prepared } = this.#compiled;
    const section = this.#points.slice(0, this.#pointsLength);
    // Before measures: one of them lets the model start from elsewhere.
    const end =
      error === null ? stateIn(this.#lastRow, prepared.model, prepared.layout) : new Float64Array(0);
    const none = new Float64Array(this.#measures.length).fill(NaN);
    // Before measures as well: what they compute has verdicts of its own.
    const verdict = verdictOfSimulation(this.#simulation);
    const measures = error === null ? (this.#taken?.values(this.#measured(section)) ?? none) : none;
    return {
      status: error === null ? 'done' : 'failed',
      ...(error !== null && { error }),
      measures,
      section,
      end,
      verdict,
    };
  }

  #measured(section: Float64Array): MeasuredRun {
    const simulation = this.#simulation;
    const from = this.#measuredFrom;
    const isStroboscopic = this.job.section?.section.kind === 'stroboscopic';
    const period = isStroboscopic ? repeatedPeriod(section, this.#slots.length) : NaN;
    return {
      simulation,
      section,
      width: this.#slots.length,
      exponent: () => {
        // Two measures may ask for it.
        this.#exponent ??=
          from === null
            ? { value: NaN, error: NaN }
            : measuredExponent(this.#compiled.prepared, from, simulation.time, period);
        return this.#exponent;
      },
    };
  }
}
