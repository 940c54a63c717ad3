/**
 * What touches at a moment of a run, and how hard: one step of the same model from the recorded state.
 * Nothing about single contacts has to be recorded for it, and it is right for every moment. Where contacts
 * are redundant their impulses are one choice of many, and may not be the one that the run has made.
 */
import type { ContactDynamics } from '../contact-dynamics/contact-dynamics';
import { type ContactList, GEOMETRY } from '../contact-dynamics/contacts/contact-list';
import { kinematicBodyOf } from '../contact-dynamics/contacts/kinematic-bodies';
import { rankOf } from '../linalg/cholesky';
import type { SettingsOverrides } from '../document/settings';
import type { Expression, ModelDocument } from '../document/types';
import type { ScriptEnvironment } from '../preparation/examination';
import { type Preparation, type PreparedModel, prepare } from '../preparation/prepare';
import type { CompiledSpace } from '../preparation/spatial/compile';
import { createDynamics } from '../run/spatial/dynamics';
import type { BuiltElements } from '../script/builder';
import { FunctionScripts } from '../script/function-scripts';

/*
 * W of the contacts in a step: which of them act on which, and how many impulses velocities determine. Rows
 * of joints and of rolling friction, which stand behind those of contacts, are left out.
 */

/**
 * Blocks that are not zero, by rows of blocks: those of row i stand in columns[rowStart[i]] …
 * columns[rowStart[i + 1] − 1].
 */
export interface ContactPattern {
  readonly rowStart: Uint32Array;
  /** ascending in each row */
  readonly columns: Uint32Array;
}

export interface ContactMatrix {
  /** 3 a contact; 2 in the plane */
  readonly rows: number;
  /** null where there are more than `RANKED_ROWS` */
  readonly rank: number | null;
  /** null where there are more than `LISTED_BLOCKS` */
  readonly pattern: ContactPattern | null;
}

/**
 * The factorisation takes a third of the cube of this in multiplications, some tens of milliseconds: an
 * animation that plays waits for it.
 */
const RANKED_ROWS = 450;
/** As many numbers as the contacts themselves have, and some more. */
const LISTED_BLOCKS = 100_000;
const DIMENSION = 3;

function contactMatrix({ problem, system, activeCount }: ContactDynamics): ContactMatrix {
  const { W } = problem;
  // In the plane the third axis of a frame leads out of it, where nothing moves.
  const components = system.isPlanar ? [0, 1] : [0, 1, 2];
  const rows = components.length * activeCount;
  const kept = (): number[] =>
    Array.from({ length: activeCount }, (_, row) => components.map((k) => DIMENSION * row + k)).flat();
  return {
    rows,
    // Without contacts W is that of an earlier step, or of none.
    rank: activeCount === 0 ? 0 : rows > RANKED_ROWS ? null : rankOf(W, kept()),
    pattern: patternOf(W, activeCount),
  };
}

function patternOf(
  { rowStart, columns }: ContactDynamics['problem']['W'],
  count: number,
): ContactPattern | null {
  const starts = new Uint32Array(count + 1);
  const listed: number[] = [];
  for (let row = 0; row < count; row++) {
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) if (columns[k] < count) listed.push(columns[k]);
    if (listed.length > LISTED_BLOCKS) return null;
    starts[row + 1] = listed.length;
  }
  return { rowStart: starts, columns: Uint32Array.from(listed) };
}

/** How a run was made. */
export interface RunSettings {
  readonly set?: Readonly<Record<string, Expression>> | undefined;
  readonly overrides?: SettingsOverrides | undefined;
}

/**
 * A recorded state: positions and velocities of all bodies that move, and coordinates of all joints, in the
 * order of the model.
 */
export interface RecordedMoment {
  /** s */
  readonly time: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** positions know nothing of whole turns, which stops beyond ±π ask for */
  readonly coordinates: Float64Array;
}

/** Contacts in the step from a moment, in the world; quantities of contact i at the places of i. */
export interface MomentContacts {
  /** s */
  readonly time: number;
  readonly count: number;
  /** 3 a contact, m */
  readonly points: Float64Array;
  /** 3 a contact, unit, from the first body to the second */
  readonly normals: Float64Array;
  /** 1 a contact, m */
  readonly gaps: Float64Array;
  /** 3 a contact, over the step on the second body, N s */
  readonly impulses: Float64Array;
  /** coefficients of friction, 1 a contact */
  readonly frictions: Float64Array;
  /** 2 a contact: places of the bodies in the scene; −1 for what does not move */
  readonly bodies: Float64Array;
  /** ids of the interactions of contact of the model */
  readonly interactions: readonly string[];
  /** 1 a contact: the place of its interaction among them */
  readonly interactionOf: Uint32Array;
  /** W of these contacts */
  readonly matrix: ContactMatrix;
}

/**
 * The model of a run, which is asked for contacts at one moment after the other while an animation plays: it
 * is prepared once.
 */
export class ContactProbes {
  #run: string | null = null;
  #prepared: PreparedModel | null = null;
  /** whether functions are called for it */
  #executes = false;

  /**
   * @param run names the run: document, built elements and settings are looked at when it is another than
   *   before
   * @param built elements its builder script produced, when that has been run
   * @returns null where nothing can be said: no 3D bodies, a state of another model, a step that fails
   */
  at(
    run: string,
    document: ModelDocument,
    built: BuiltElements | undefined,
    settings: RunSettings,
    moment: RecordedMoment,
    environment: ScriptEnvironment,
  ): MomentContacts | null {
    const [first] = document.systems;
    // Functions may not return: loading them as well as the step that calls them.
    const begin = (): boolean =>
      environment.begin({ function: null, element: first?.id ?? '', pointer: '/scripts' });
    if (run !== this.#run) {
      this.#run = null;
      const found = load(document, built, settings);
      const executes = found !== null && !found.scripts.isEmpty;
      if (executes && !begin()) return null;
      this.#prepared = found === null ? null : executes ? loaded(found, environment) : found.prepared;
      this.#executes = executes;
      this.#run = run;
    } else if (this.#executes && !begin()) return null;
    return this.#prepared === null ? null : contactsOf(this.#prepared, moment);
  }
}

/**
 * A step that would have come to a recorded state: its contacts are closed, and the next step knows how they
 * moved. In a step without a past, what rolls on a curve would lack half of its normal impulse.
 */
function comeTo(dynamics: ContactDynamics, { q, v, time }: RecordedMoment): void {
  const { system, h, stages, clock, aims, problem } = dynamics;
  // Those with contact forces know of no motion before.
  if (stages !== null) return;
  dynamics.q.set(q);
  dynamics.u.set(v);
  for (let k = 0; k < system.bodies.length; k++)
    if (system.bodies[k].displace(dynamics.q, system.positionsAt[k], v, system.velocitiesAt[k], -h))
      system.bodies[k].normalise(dynamics.q, system.positionsAt[k]);
  // It ends at the moment, from which steps are counted.
  dynamics.steps = -1;
  clock[0] = time - h;
  const isDone = dynamics.advance() === 'ok';
  dynamics.steps = 0;
  clock[0] = time;
  if (!isDone || problem.count === 0) return;
  dynamics.u.set(v);
  const after = new Float64Array(DIMENSION * problem.count);
  dynamics.measureContacts(after);
  aims.resume(problem, after, v);
}

/** One step from a recorded state. */
function contactsOf(prepared: PreparedModel, moment: RecordedMoment): MomentContacts | null {
  const { space } = prepared;
  const { q, v, coordinates, time } = moment;
  if (space === null || q.length !== space.system.positions || v.length !== space.system.velocities)
    return null;
  if (coordinates.length > space.system.coordinates.count) return null;
  const dynamics = createDynamics(space, space.detection(), prepared.settings, time);
  if (time > prepared.settings.t0 + 0.5 * dynamics.h) comeTo(dynamics, moment);
  dynamics.q.set(q);
  dynamics.u.set(v);
  // Rows of scripted relations come after those of joints, and have no turns.
  const counted = dynamics.coordinates.slice();
  counted.set(coordinates);
  dynamics.recall(counted);
  if (dynamics.advance() !== 'ok' || dynamics.contacts === null) return null;
  const { activeCount: count, active, contacts, frames, problem, impulses } = dynamics;
  const found = {
    ...empty(time, count),
    interactions: space.contacts.map(({ id }) => id),
    matrix: contactMatrix(dynamics),
  };
  for (let row = 0; row < count; row++) {
    const c = active[row];
    copyGeometry(contacts, c, row, found);
    frames.toWorld(row, impulses, 3 * row, found.impulses, 3 * row);
    dynamics.stages?.addImpulseAt(contacts.places[c], found.impulses, 3 * row);
    found.frictions[row] = problem.mu[row];
    found.interactionOf[row] = contacts.materials[c];
    for (let side = 0; side < 2; side++) {
      const body = contacts.bodies[2 * c + side];
      found.bodies[2 * row + side] = placeOf(space, body);
    }
  }
  return found;
}

/** Place in the scene of a body of a contact; −1 for what does not move. */
function placeOf({ moving, kinematicBodies }: CompiledSpace, body: number): number {
  if (body >= 0) return moving[body];
  return kinematicBodyOf(body) < 0 ? -1 : kinematicBodies[kinematicBodyOf(body)];
}

const empty = (time: number, count: number): Omit<MomentContacts, 'interactions' | 'matrix'> => ({
  time,
  count,
  points: new Float64Array(3 * count),
  normals: new Float64Array(3 * count),
  gaps: new Float64Array(count),
  impulses: new Float64Array(3 * count),
  frictions: new Float64Array(count),
  bodies: new Float64Array(2 * count),
  interactionOf: new Uint32Array(count),
});

function copyGeometry(
  { geometry }: ContactList,
  c: number,
  row: number,
  found: Pick<MomentContacts, 'points' | 'normals' | 'gaps'>,
): void {
  const at = GEOMETRY * c;
  for (let i = 0; i < 3; i++) {
    found.points[3 * row + i] = geometry[at + i];
    found.normals[3 * row + i] = geometry[at + 3 + i];
  }
  found.gaps[row] = geometry[at + GEOMETRY - 1];
}

interface Draft {
  readonly scripts: FunctionScripts;
  readonly draft: Extract<Preparation, { prepared: PreparedModel }>;
  readonly prepared: PreparedModel;
}

/** @returns null where it has errors or no 3D bodies */
function load(
  document: ModelDocument,
  built: BuiltElements | undefined,
  { set, overrides }: RunSettings,
): Draft | null {
  const scripts = new FunctionScripts(document);
  const { functionNames, generate } = scripts;
  const options = { functionNames, generate, built, set, overrides };
  const draft = prepare(document, { ...options, functions: scripts.functions, derivatives: scripts.request });
  if (scripts.issues.length > 0 || draft.prepared === null || draft.prepared.space === null) return null;
  return { scripts, draft, prepared: draft.prepared };
}

/** The same with its functions loaded; null where that shows errors. */
function loaded({ scripts, draft }: Draft, environment: ScriptEnvironment): PreparedModel | null {
  scripts.load(environment.sandbox());
  draft.checkLoaded();
  return draft.issues.some(({ severity }) => severity === 'error') ? null : draft.prepared;
}
