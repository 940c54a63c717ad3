/**
 * Whether the initial state of a model satisfies its joints, whether these are independent, and the nearest
 * state that satisfies them. Joints and contacts of 3D bodies may be script functions, so this executes
 * scripts, which the report itself does not: it is asked for apart.
 */
import type { DocumentIssue, Expression, FieldValue, ModelDocument } from '../document/types';
import {
  initialRedundancy,
  type MovedCoordinate,
  projectInitialState,
  startDefects,
} from '../event-driven/joints/initial-state';
import { jointRows } from '../event-driven/joints/joint-system';
import { EngineError } from '../errors';
import type { Interaction } from '../model/nsds';
import { describeRedundancy } from '../multibody/redundancy';
import { MOTION_STATUS_HELP, type MotionStatus } from '../multibody/constrained-system';
import type { BuiltElements } from '../script/builder';
import { placesOf } from './spatial/compile';
import { scriptedIssues } from './spatial/scripted-start';
import { Examination, type ScriptEnvironment } from './examination';
import type { PreparedModel } from './prepare';

/** New initial values of a system, for the document. */
interface MovedSystem {
  readonly id: string;
  readonly q0: Expression[];
  readonly v0: Expression[];
}

/** The initial state of a model, projected onto its joints. */
export type InitialProjection =
  /** systems that move, and the largest change of a position and of a velocity, in their units */
  | {
      readonly status: 'ok';
      readonly systems: readonly MovedSystem[];
      readonly largest: readonly [number, number];
    }
  /** `builtByScript`: systems that would move are not in the document */
  | {
      readonly status: Exclude<MotionStatus, 'ok'> | 'notExamined' | 'builtByScript';
      readonly message: string;
      readonly remedy: string;
    };

const HAS_ERRORS: InitialProjection = {
  status: 'notExamined',
  message: 'The model cannot be examined as it is.',
  remedy: 'Correct its errors first.',
};

const NO_JOINTS: InitialProjection = {
  status: 'notExamined',
  message: 'The model has no joints, so that its initial state is consistent as it is.',
  remedy: 'Add the joints first.',
};

const isJoint = (interaction: Interaction): boolean => jointRows(interaction).length > 0;

/**
 * The model, with its scripts loaded where it has joints; null where it has errors, or nothing may be
 * executed.
 */
function load(examination: Examination, environment: ScriptEnvironment): PreparedModel | null {
  const { prepared } = examination;
  if (prepared === null) return null;
  const { interactions } = prepared.model;
  const first = prepared.space?.scripted[0] ?? interactions.find(isJoint);
  if (first === undefined) return prepared;
  const pointer = placesOf(examination.document).get(first.id) ?? '/interactions';
  const call = { function: null, element: first.id, pointer };
  return examination.load(call, environment);
}

/** Defects of the initial state. */
export function checkInitialState(examination: Examination, environment: ScriptEnvironment): DocumentIssue[] {
  const sound = examination.prepared;
  let prepared: PreparedModel | null;
  try {
    prepared = load(examination, environment);
  } catch {
    // Scripts that fail are reported where their Jacobians are compared, and by a run.
    return [];
  }
  // What is an error there has left nothing prepared.
  if (sound?.space && examination.sandbox !== null)
    return scriptedIssues(sound.space, placesOf(examination.document), sound.settings.t0);
  if (prepared?.model.interactions.some(isJoint) !== true) return [];
  try {
    return startIssues(prepared);
  } catch (error) {
    // A function that gives no number at the start is what a run is refused for, with its place.
    if (error instanceof EngineError) return [];
    throw error;
  }
}

function startIssues({ model, settings }: PreparedModel): DocumentIssue[] {
  // The order of the document, with what its builder script produced at the end.
  const at = (id: string): string => `/interactions/${model.interactions.findIndex((i) => i.id === id)}`;
  const issues: DocumentIssue[] = [];
  const told = new Set<string>();
  for (const { constraint, level, isKept, message } of startDefects(model, settings.t0)) {
    if (told.has(constraint)) continue;
    told.add(constraint);
    issues.push({
      // From event to event positions that do not fit have no solution, and velocities are brought onto the
      // joints by an impact. By time-stepping half steps close joints first, and Moreau–Jean leaves them as
      // far apart as they are.
      severity: settings.scheme === 'event-driven' && !isKept && level === 'position' ? 'error' : 'warning',
      code: isKept ? 'initial-output-kept' : `initial-${level}-inconsistent`,
      pointer: at(constraint),
      element: constraint,
      message,
      remedy: isKept
        ? 'Project the initial state onto the joints, correct it, or, where the distance is meant, take it into the relation, so that its output is zero.'
        : 'Project the initial state onto the joints, or correct it.',
    });
  }
  const redundancy = initialRedundancy(model, settings.t0);
  const [first] = redundancy.redundant;
  if (first !== undefined) {
    issues.push({
      severity: 'warning',
      code: 'redundant-joints',
      pointer: at(first.constraint),
      element: first.constraint,
      message: describeRedundancy(redundancy),
      remedy: 'Remove the joint that says what others say; until then its force is one of many possible.',
    });
  }
  return issues;
}

/** Projects the initial state of a document onto the joints of its model. */
export function projectDocument(
  document: ModelDocument,
  built: BuiltElements | undefined,
  environment: ScriptEnvironment,
): InitialProjection {
  const prepared = load(new Examination(document, built), environment);
  if (prepared === null) return HAS_ERRORS;
  if (!prepared.model.interactions.some(isJoint)) return NO_JOINTS;
  const { status, moved } = projectInitialState(prepared.model, prepared.settings.t0);
  if (status === 'ok') {
    const outside = moved.find(({ system }) => document.systems.every(({ id }) => id !== system));
    if (outside !== undefined) return builtByScript(outside.system);
    const largest = (k: 0 | 1): number =>
      moved.reduce((most, { from, to }) => Math.max(most, Math.abs(to[k] - from[k])), 0);
    return { status, systems: movedSystems(document, prepared, moved), largest: [largest(0), largest(1)] };
  }
  const { message, remedy } = MOTION_STATUS_HELP[status];
  return { status, message: `The initial state could not be projected: ${message}.`, remedy };
}

/** The document holds no initial state of such a system. */
const builtByScript = (id: string): InitialProjection => ({
  status: 'builtByScript',
  message: `The projection would move “${id}”, which a builder script makes.`,
  remedy: 'Correct the initial state in the script, or let each run move it (moreau run --project).',
});

/**
 * Moves the initial state of a model that is about to run onto its joints.
 * @throws {EngineError} where there is no such state
 */
export function projectPrepared({ model, settings }: PreparedModel): void {
  const { status, q, v } = projectInitialState(model, settings.t0);
  if (status !== 'ok') {
    const { message, remedy } = MOTION_STATUS_HELP[status];
    throw new EngineError({
      code: 'projection-failed',
      message: `The initial state could not be projected onto the joints: ${message}.`,
      time: settings.t0,
      remedy,
    });
  }
  let start = 0;
  for (const { form } of model.systems) {
    const end = start + form.size;
    if (form.order === 2) {
      form.q0.set(q.subarray(start, end));
      form.v0.set(v.subarray(start, end));
    }
    start = end;
  }
}

/**
 * Initial values of the systems that are moved; expressions of coordinates that stay where they are are kept.
 */
function movedSystems(
  { systems }: ModelDocument,
  { model }: PreparedModel,
  moved: readonly MovedCoordinate[],
): MovedSystem[] {
  const result = new Map<string, MovedSystem>();
  for (const { system: id, coordinate, from, to } of moved) {
    const element = systems.find((candidate) => candidate.id === id);
    const size = model.systems.find((system) => system.id === id)?.form.size ?? 0;
    const system = result.get(id) ?? { id, q0: vectorOf(element?.q0, size), v0: vectorOf(element?.v0, size) };
    result.set(id, system);
    if (from[0] !== to[0]) system.q0[coordinate] = to[0];
    if (from[1] !== to[1]) system.v0[coordinate] = to[1];
  }
  return [...result.values()];
}

const vectorOf = (value: FieldValue | undefined, size: number): Expression[] =>
  Array.isArray(value) ? (value as Expression[]).slice() : Array.from({ length: size }, () => 0);
