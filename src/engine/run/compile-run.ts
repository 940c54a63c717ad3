/** A document made ready to run: its scripts loaded, its model built, its signals chosen. */
import { evaluateParameters } from '../document/parameters';
import { asDrawn, type DrawnRun } from './drawn-failure';
import { type CheckedStructure, checkStructure } from '../document/structure';
import type { DocumentIssue, Expression, ModelDocument, SchemeName, SignalKind } from '../document/types';
import { EngineError, type EngineErrorDetails } from '../errors';
import { projectPrepared } from '../preparation/initial-check';
import { nudgePrepared } from '../preparation/nudge';
import {
  type Conditioned,
  type Preparation,
  type PreparedModel,
  prepare,
  selectSignals,
} from '../preparation/prepare';
import { needsBuilder } from '../document/builder-scripts';
import { type BuiltElements, runBuilder } from '../script/builder';
import { FunctionScripts, type LoadedFunctions } from '../script/function-scripts';
import type { ScriptReadings } from '../script/script-readings';
import type { ScriptSandbox } from '../script/sandbox';
import type { LoopChoice } from '../time-stepping/setup';
import type { SimulationMemory } from './schemes/scheme';

/** The scripts of a run and the sandbox they are in. */
export interface ScriptsOfRun {
  readonly sandbox: ScriptSandbox;
  readonly scripts: FunctionScripts;
}

/** What is read of a document whatever the values of its parameters are. */
export interface ReadDocument {
  readonly structure: CheckedStructure;
  readonly scripts: ScriptReadings;
}

/** The same for a run beside others: its scripts start afresh. */
export const afresh = ({ structure, scripts }: ReadDocument): ReadDocument => ({
  structure,
  scripts: scripts.renewed(),
});

export interface CompiledRun {
  readonly ok: true;
  /** for other values of the parameters of the same document */
  readonly reading: ReadDocument;
  readonly prepared: PreparedModel;
  readonly parameters: Record<string, number>;
  /** what is warned of in its settings, as before a run */
  readonly warnings: readonly string[];
  /** places of the recorded signals in the layout */
  readonly selected: readonly number[];
  /** null without scripts */
  readonly scripts: ScriptsOfRun | null;
  /** script functions by name */
  readonly lookup: (name: string) => unknown;
}

export interface RunRefusal {
  readonly ok: false;
  readonly error: EngineErrorDetails;
  readonly issues: DocumentIssue[];
}

/**
 * @param step that failed, from 1; 0 where the run had not begun
 * @param drawn in whose words failures of it are said
 */
export function explain(
  error: unknown,
  loaded: ScriptsOfRun | null,
  fallback: { time?: number },
  step: number,
  drawn?: DrawnRun,
): EngineErrorDetails {
  const details = detailsOf(error, loaded, fallback, step);
  return drawn === undefined ? details : asDrawn(details, drawn);
}

function detailsOf(
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

function refused(issues: DocumentIssue[]): RunRefusal {
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

/** What a run says of its settings: what has been said of them before it. */
const settingWarnings = (issues: readonly DocumentIssue[]): string[] =>
  issues
    .filter(({ severity, pointer }) => severity === 'warning' && pointer.startsWith('/simulation/'))
    .map(({ message, remedy }) => `${message} ${remedy}`.trim());

/**
 * The model once more, with functions whose conditions can be held: a run in steps, whose functions are not
 * slowed down for it, follows by it what depends on time. Null where no function has a condition.
 */
function conditionedModel(
  plain: FunctionScripts,
  preparation: Extract<Preparation, { prepared: PreparedModel }>,
  sandbox: ScriptSandbox,
): Conditioned | null {
  const scripts = plain.holdingConditions();
  if (!scripts.haveHeld) return null;
  const { functions, request: derivatives, generate } = scripts;
  const model = preparation.again({ functions, derivatives, generate });
  if (model !== null) scripts.load(scripts.readings.sandbox ?? sandbox.quiet());
  return model;
}

/**
 * @param set parameter values in place of those of the document
 * @param createSandbox called only when the document has scripts; each call of this function evaluates them
 *   again, so that what they keep between calls starts afresh
 * @param observe puts functions in the place of those of the scripts
 * @param reading of the same document for the same scheme, where it has been read already and the run before
 *   has come to its end: functions that keep nothing between calls are those of that run
 */
export function compileRun(
  { document, h, tEnd, scheme, signals, kinds, project, refinement, nudge }: RunSpecification,
  set: Record<string, Expression> | undefined,
  createSandbox: () => ScriptSandbox,
  observe = (functions: LoadedFunctions): LoadedFunctions => functions,
  reading?: ReadDocument,
): CompiledRun | RunRefusal {
  // Nothing of a document may be used before its structure is known to be sound.
  const structure = reading?.structure ?? checkStructure(document);
  if (structure.document === null) return refused(structure.issues);
  const holdsConditions = (scheme ?? document.simulation.scheme) === 'event-driven';
  const scripts = new FunctionScripts(document, { holdsConditions, readings: reading?.scripts });
  const open = (): ScriptSandbox => scripts.readings.sandbox ?? createSandbox();
  let sandbox = document.scripts.length > 0 ? open() : null;
  let loaded = sandbox === null ? null : { sandbox, scripts };
  try {
    const parameters = evaluateParameters(document.parameters, set ?? {});
    let built: BuiltElements | undefined;
    if (sandbox !== null && needsBuilder(document)) {
      const result = runBuilder(document, sandbox, set, false, { parameters, sources: scripts.sources });
      if (!result.ok) return { ok: false, error: result.error, issues: [] };
      built = result.built;
    }
    // Without executing anything: which derivatives the model asks for, and whether it is sound.
    const preparation = prepare(document, {
      structure,
      parameters,
      functionNames: scripts.functionNames,
      analytic: scripts.analytic,
      built,
      set,
      refinement,
      overrides: { scheme, h, tEnd },
      functions: scripts.functions,
      generate: scripts.generate,
      check: scripts.check,
      derivatives: scripts.request,
    });
    const { prepared, issues } = preparation;
    if (prepared === null) return refused(issues);
    // What expressions of the time become is known when the model is built.
    if (loaded === null && !scripts.isEmpty) loaded = { sandbox: (sandbox = open()), scripts };
    const functions = sandbox === null ? scripts.functions : scripts.load(sandbox, observe).functions;
    preparation.checkLoaded();
    if (issues.some(({ severity }) => severity === 'error')) return refused(issues);
    const ofKinds =
      kinds && prepared.layout.signals.flatMap(({ name, kind }) => (kinds.has(kind) ? [name] : []));
    const names = ofKinds ?? signals ?? document.simulation.recording?.signals;
    const selection = selectSignals(prepared.layout, names);
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
    if (project === true) projectPrepared(prepared);
    if (nudge !== undefined) nudgePrepared(prepared, nudge);
    const conditioned =
      sandbox === null || holdsConditions ? null : conditionedModel(scripts, preparation, sandbox);
    if (conditioned !== null) prepared.conditioned = conditioned;
    return {
      ok: true,
      reading: { structure, scripts: scripts.readings },
      prepared,
      parameters: preparation.parameters,
      warnings: settingWarnings(issues),
      selected: selection.selected,
      scripts: loaded,
      lookup: functions,
    };
  } catch (error) {
    return { ok: false, issues: [], error: explain(error, loaded, {}, 0) };
  }
}

/* What a run is asked for. */

/** New values from a moment of a run on; with these a run can be computed again exactly. */
export interface RunChange {
  /** moves before it: steps, or events of the event-driven scheme */
  readonly move: number;
  /** s */
  readonly time: number;
  readonly set: Record<string, Expression>;
}

/** Where a run stands, between two moves. */
export interface RunStanding {
  /** moves of the run so far, from its very start */
  readonly move: number;
  /** s */
  readonly time: number;
  /** points of each section so far, those left out at first included */
  readonly points: readonly number[];
  /** how many changes of parameters had been made */
  readonly changes: number;
  /** null where it is computed again instead */
  readonly memory: SimulationMemory | null;
}

/** How a run begins that goes on from another one. */
interface Continuation {
  /** the last state before that is known whole; null: the start */
  readonly state: RunStanding | null;
  /** s; the run begins with the first move that ends there or later */
  readonly time: number;
  /** where the run stood: of moves within rounding of that time, not before this one */
  readonly move?: number;
  /** values of parameters from there on, in place of those that held before */
  readonly set?: Readonly<Record<string, Expression>> | undefined;
}

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
  /** kinds of signals that are recorded, in the place of names */
  kinds?: ReadonlySet<SignalKind>;
  /** only every n-th step is recorded; absent means the document's choice */
  every?: number | undefined;
  loop?: LoopChoice | undefined;
  /** whether the initial state is moved onto the joints first */
  project?: boolean | undefined;
  /** how many times it is made finer than the document says, to measure the error of the run itself */
  refinement?: number | undefined;
  /** pushes, to see how sensitive the motion is; see `nudgePrepared` */
  nudge?: Readonly<Record<string, number>> | undefined;
  /** parameters that change on the way, earliest first */
  changes?: readonly RunChange[] | undefined;
  /** the run that it goes on from; absent: it begins at t₀ */
  from?: Continuation | undefined;
}

/* Parameters that change while a run goes on. */

/** What a change did to one parameter. */
export interface ParameterChange {
  /** s */
  readonly time: number;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Parameters whose values differ. */
export const differences = (
  time: number,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): ParameterChange[] =>
  Object.entries(after)
    .filter(([name, to]) => !Object.is(before[name], to))
    .map(([name, to]) => ({ time, name, from: before[name], to }));

/** Why a run cannot go on with other numbers; null when it can. */
export function changeRefusal(
  before: CompiledRun,
  after: CompiledRun,
  time: number,
): EngineErrorDetails | null {
  const was = before.prepared;
  const is = after.prepared;
  const refuse = (code: string, message: string): EngineErrorDetails => ({
    code,
    message,
    time,
    remedy: 'Start a run with the new value.',
  });
  const names = ({ prepared: { layout }, selected }: CompiledRun): string =>
    selected.map((i) => layout.signals[i].name).join('\n');
  const blocks = ({ prepared: { control } }: CompiledRun) => control?.blocks ?? [];
  const sizes = ({ prepared: { layout, control } }: CompiledRun): string =>
    `${layout.size} ${control?.memorySize ?? 0}`;
  if (sizes(before) !== sizes(after) || names(before) !== names(after))
    return refuse(
      'change-alters-sizes',
      'With these values the model has other elements or sizes, so that this run cannot go on.',
    );
  if (was.settings.h !== is.settings.h || was.settings.t0 !== is.settings.t0)
    return refuse(
      'change-alters-grid',
      'The time step or the start time depends on these parameters, and both are fixed while a run goes on.',
    );
  const moved = blocks(after).find(({ block }, k) => {
    const { period, offset } = blocks(before)[k].block;
    return block.period !== period || block.offset !== offset;
  });
  if (moved !== undefined)
    return refuse(
      'change-alters-grid',
      `The times at which “${moved.block.id}” is sampled depend on these parameters, and are fixed while a run goes on.`,
    );
  if (is.settings.tEnd <= time)
    return refuse('change-alters-grid', `With these values the run would have ended before t = ${time} s.`);
  return null;
}
