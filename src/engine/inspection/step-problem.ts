/**
 * The one-step problem at a moment of a run, as it is solved: one step of time-stepping from a recorded state
 * is made once more, and what it poses is looked at. Nothing of it has to be recorded, and it is there for
 * models of either scheme.
 */
import { eigenvalues } from '../linalg/eigenvalues';
import type { ModelDocument } from '../document/types';
import type { BuiltElements } from '../script/builder';
import { FunctionScripts } from '../script/function-scripts';
import type { ScriptEnvironment } from '../preparation/examination';
import { initialStateFrom, startFrom, stateSignals } from '../run/initial-state';
import { expandDocument, type PreparedModel, prepare } from '../preparation/prepare';
import { createDynamics } from '../run/spatial/dynamics';
import { nameInPart } from '../model/nsds';
import { isThereNext } from '../model/settings/presences';
import { TimeStepping } from '../time-stepping/time-stepping';

/** A row of the problem. */
interface ProblemRow {
  /** of its interaction, with its number where that has several */
  readonly name: string;
  /** id of the interaction */
  readonly element: string;
}

/**
 * Find z with w = W z + q, −w ∈ N_[lower, upper](z); of contacts in space w and z are in the cone of Coulomb
 * and its dual.
 */
export interface StepProblem {
  /** where the step begins, and its length, s */
  readonly time: number;
  readonly h: number;
  readonly formulation: 'affine' | 'friction';
  readonly rows: readonly ProblemRow[];
  /** rows of all laws of the model, those that do not take part in the step included */
  readonly allRows: number;
  /** W by rows: those of row i stand at rowStart[i] … rowStart[i + 1] − 1, columns ascending */
  readonly rowStart: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  readonly q: Float64Array;
  /** the solution, and w = W z + q of it */
  readonly z: Float64Array;
  readonly w: Float64Array;
  /** null for contacts in space, whose bounds hang on each other */
  readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array } | null;
  /** whether |W_ij − W_ji| is rounding */
  readonly isSymmetric: boolean;
  /**
   * least and largest eigenvalue of a symmetric W; null where it is none, or larger than `MOST_EIGENVALUES`
   * rows
   */
  readonly spectrum: readonly [number, number] | null;
}

/** Rows up to which eigenvalues are computed: a tenth of a second. */
const MOST_EIGENVALUES = 150;
/** Entries that are handed out: beyond that a picture shows nothing more. */
const MOST_ENTRIES = 4_000_000;
/** Differences below this part of the largest entry are rounding. */
const SYMMETRY = 1e-12;

/** What a row of a recording holds. */
export interface RecordedRow {
  /** s */
  readonly time: number;
  /** signals and their values */
  readonly names: readonly string[];
  readonly values: Float64Array;
}

/**
 * Why there is no problem: signals that are not recorded, systems whose state a document cannot hold, and
 * what time-stepping cannot treat of a model that is simulated from event to event, in words.
 */
export interface NoProblem {
  readonly reason: 'notRecorded' | 'noInitialState' | 'noTimeStepping';
  readonly names: readonly string[];
}

/**
 * @param row where the step begins
 * @returns null where it cannot be told: errors in the model, a step that fails, too many entries
 */
export function stepProblem(
  document: ModelDocument,
  built: BuiltElements | undefined,
  row: RecordedRow,
  environment: ScriptEnvironment,
): StepProblem | NoProblem | null {
  // What a script has built is written down, so that it can hold a state.
  const expanded = expandDocument(document, built);
  const scripts = expanded.scripts.filter(({ role }) => built === undefined || role !== 'builder');
  const whole = { ...expanded, scripts };
  const there = load(whole, environment, false);
  if (there === null || 'reason' in there) return there;
  const values = new Map(row.names.map((name, k) => [name, row.values[k]]));
  const state = initialStateFrom(stateSignals(whole, there), row.time, (name) => values.get(name));
  if ('unrecorded' in state) return { reason: 'notRecorded', names: state.unrecorded };
  if (state.missing.length > 0) return { reason: 'noInitialState', names: state.missing };
  const { h, t0 } = there.settings;
  const started = startFrom(whole, state);
  const prepared = load(
    {
      ...started,
      simulation: {
        ...started.simulation,
        t0: row.time,
        tEnd: row.time + Math.max(h, there.settings.tEnd - t0),
      },
    },
    environment,
    true,
  );
  if (prepared === null || 'reason' in prepared) return prepared;
  if (prepared.control !== null)
    return {
      reason: 'noTimeStepping',
      names: ['What control blocks remember at a moment of a run is not known.'],
    };
  return prepared.space === null ? ofRows(prepared, values) : ofContacts(prepared);
}

/** @param executes whether functions of scripts will be called */
function load(
  document: ModelDocument,
  environment: ScriptEnvironment,
  executes: boolean,
): PreparedModel | NoProblem | null {
  const scripts = new FunctionScripts(document);
  const { functionNames, generate } = scripts;
  const options = { functionNames, generate, overrides: { scheme: 'time-stepping' as const } };
  const draft = prepare(document, { ...options, functions: scripts.functions, derivatives: scripts.request });
  if (scripts.issues.length > 0) return null;
  const [error] = draft.issues.filter(({ severity }) => severity === 'error');
  if (error !== undefined)
    return document.simulation.scheme === 'time-stepping'
      ? null
      : { reason: 'noTimeStepping', names: [error.message] };
  if (draft.prepared === null) return null;
  if (!executes || scripts.isEmpty) return draft.prepared;
  const [first] = document.systems;
  // Functions may not return: loading them as well as the step that calls them.
  if (!environment.begin({ function: null, element: first?.id ?? '', pointer: '/scripts' })) return null;
  scripts.load(environment.sandbox());
  draft.checkLoaded();
  return draft.issues.some(({ severity }) => severity === 'error') ? null : draft.prepared;
}

/** @param values recorded where the step begins, by signal */
function ofRows(
  { model, layout, settings, presence: rules }: PreparedModel,
  values: ReadonlyMap<string, number>,
): StepProblem | null {
  // What was absent comes when its condition reaches the hysteresis, not when it is no longer negative.
  const recorded = new Float64Array(layout.size);
  for (const [name, slot] of layout.slotOf) recorded[slot] = values.get(name) ?? 0;
  const presence = rules.map((rule) => {
    const { name, hysteresis, latch } = rule;
    // What a latch carries where the step begins is known from the step before.
    if (latch !== null) {
      const wasThere = values.get(`${name}.present`) !== 0;
      return { ...rule, isAtStart: isThereNext(rule, wasThere, -1, recorded, false) };
    }
    if (values.get(`${name}.present`) !== 0 || hysteresis === 0) return rule;
    const late = (row: Float64Array, out: Float64Array): void => {
      rule.evaluate(row, out);
      out[0] -= hysteresis;
    };
    return { ...rule, evaluate: late };
  });
  const simulation = new TimeStepping(model, layout, { ...settings, loop: 'general', presence });
  simulation.advance();
  const { oneStep, rows } = simulation;
  const { problem } = oneStep;
  const size = oneStep.activeCount === 0 ? 0 : problem.size;
  const names = rowNames(model.interactions);
  const owners = oneStep.canonicalRows();
  const found = sorted(
    size,
    (i) => [problem.rowStart[i], problem.rowStart[i + 1]],
    (k) => problem.columns[k],
    (k) => problem.values[k],
  );
  if (found === null) return null;
  problem.certify();
  return {
    time: settings.t0,
    h: settings.h,
    formulation: 'affine',
    rows: unknownNames(names, owners, size),
    allRows: rows.count,
    ...found,
    q: problem.q.slice(0, size),
    z: problem.z.slice(0, size),
    w: problem.w.slice(0, size),
    bounds: { lower: problem.lower.slice(0, size), upper: problem.upper.slice(0, size) },
    ...judged(found, size),
  };
}

/** A law that is not a box has several unknowns to a row, which are numbered. */
function unknownNames(names: readonly ProblemRow[], owners: Int32Array, size: number): ProblemRow[] {
  const all = Array.from(owners.subarray(0, size));
  return all.map((owner, i) => {
    const { name, element } = names[owner];
    const mine = all.filter((other) => other === owner).length;
    const place = all.slice(0, i).filter((other) => other === owner).length;
    return { name: mine > 1 ? `${name} (${place + 1})` : name, element };
  });
}

const COMPONENTS = ['n', 's', 't'];

/** Of a contact in the plane or in space. */
const partOf = (place: number, size: number): string => (size === 2 && place === 1 ? 't' : COMPONENTS[place]);

function rowNames(interactions: PreparedModel['model']['interactions']): ProblemRow[] {
  return interactions.flatMap((interaction) => {
    const { id, relation, law } = interaction;
    return Array.from({ length: relation.size }, (_, k): ProblemRow => {
      const contact = law.rows.some(({ kind }) => kind === 'friction') ? Math.floor(k / law.size) : k;
      const count = law.rows.some(({ kind }) => kind === 'friction')
        ? relation.size / law.size
        : relation.size;
      const place = nameInPart(interaction, k) ?? (count > 1 ? `${id}[${contact}]` : id);
      const hasParts = law.rows.some(({ kind }) => kind === 'friction');
      return { name: hasParts ? `${place} ${partOf(k % law.size, law.size)}` : place, element: id };
    });
  });
}

function ofContacts({ space, settings }: PreparedModel): StepProblem | null {
  if (space === null) return null;
  const dynamics = createDynamics(space, space.detection(), settings, settings.t0);
  if (dynamics.advance() !== 'ok') return null;
  const { problem, activeCount, active, contacts } = dynamics;
  const { W, dimension } = problem;
  const count = activeCount === 0 ? 0 : problem.count;
  const size = dimension * count;
  // Blocks of a row stand in full, so that their rows interleave.
  const listed: [number, number][][] = [];
  let entries = 0;
  for (let block = 0; block < count; block++) {
    entries += dimension * dimension * (W.rowStart[block + 1] - W.rowStart[block]);
    if (entries > MOST_ENTRIES) return null;
    for (let i = 0; i < dimension; i++) {
      const row: [number, number][] = [];
      for (let k = W.rowStart[block]; k < W.rowStart[block + 1]; k++)
        for (let j = 0; j < dimension; j++)
          row.push([dimension * W.columns[k] + j, W.values[dimension * dimension * k + dimension * i + j]]);
      listed.push(row);
    }
  }
  const starts = Int32Array.from([0, ...runningSum(listed.map(({ length }) => length))]);
  const flat = listed.flat();
  const found = sorted(
    size,
    (i) => [starts[i], starts[i + 1]],
    (k) => flat[k][0],
    (k) => flat[k][1],
  );
  if (found === null) return null;
  const rows = Array.from({ length: size }, (_, i): ProblemRow => {
    const contact = Math.floor(i / dimension);
    const part = COMPONENTS[i % dimension];
    if (contact >= activeCount || contacts === null)
      return { name: `joint ${contact - activeCount} ${part}`, element: '' };
    const element = space.contacts[contacts.materials[active[contact]]].id;
    return { name: `${element}[${contact}] ${part}`, element };
  });
  return {
    time: settings.t0,
    h: settings.h,
    formulation: 'friction',
    rows,
    allRows: size,
    ...found,
    q: problem.q.slice(0, size),
    z: problem.r.slice(0, size),
    w: problem.u.slice(0, size),
    bounds: null,
    ...judged(found, size),
  };
}

const runningSum = (values: readonly number[]): number[] => {
  let sum = 0;
  return values.map((value) => (sum += value));
};

interface Entries {
  readonly rowStart: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/** Rows with their columns in order, without entries that are zero; null where they are too many. */
function sorted(
  size: number,
  range: (row: number) => [number, number],
  columnAt: (k: number) => number,
  valueAt: (k: number) => number,
): Entries | null {
  const rowStart = new Int32Array(size + 1);
  const columns: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < size; row++) {
    const [from, to] = range(row);
    const places = Array.from({ length: to - from }, (_, i) => from + i)
      .filter((k) => valueAt(k) !== 0)
      .sort((a, b) => columnAt(a) - columnAt(b));
    for (const k of places) {
      columns.push(columnAt(k));
      values.push(valueAt(k));
    }
    if (columns.length > MOST_ENTRIES) return null;
    rowStart[row + 1] = columns.length;
  }
  return { rowStart, columns: Int32Array.from(columns), values: Float64Array.from(values) };
}

function judged(
  { rowStart, columns, values }: Entries,
  size: number,
): Pick<StepProblem, 'isSymmetric' | 'spectrum'> {
  const entries = new Map<number, number>();
  let largest = 0;
  for (let row = 0; row < size; row++)
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      entries.set(row * size + columns[k], values[k]);
      largest = Math.max(largest, Math.abs(values[k]));
    }
  const isSymmetric = [...entries].every(([place, value]) => {
    const other = entries.get((place % size) * size + Math.floor(place / size)) ?? 0;
    return Math.abs(value - other) <= SYMMETRY * largest;
  });
  if (!isSymmetric || size === 0 || size > MOST_EIGENVALUES) return { isSymmetric, spectrum: null };
  const dense = new Float64Array(size * size);
  for (const [place, value] of entries) dense[place] = value;
  const { real, isComplete } = eigenvalues(dense, size);
  return { isSymmetric, spectrum: isComplete ? [Math.min(...real), Math.max(...real)] : null };
}
