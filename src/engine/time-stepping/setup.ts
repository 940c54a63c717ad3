/** What a simulation derives from its model once, before the first step. */
import { EngineError } from '../errors';
import { type AssignedIntegrator, assignmentBySystem } from '../integrators/registry';
import type { Samples } from '../model/control/samples';
import type { ResetRule } from '../model/resets/reset';
import type { PresenceRule } from '../model/settings/presences';
import type { OneStepIntegrator, StepContext } from '../integrators/step';
import type { LawRow } from '../model/forms';
import { type NonSmoothDynamicalSystem, needsCones } from '../model/nsds';
import type { StatePlaces } from '../model/state-places';
import type { BlockOwner } from './delassus';
import { VELOCITY_LEVEL } from './row-kinds';
import type { StepRelations, StateInputReceiver } from './rows';
import type { StepControlSettings } from './step-control';

export function createContext(
  model: NonSmoothDynamicalSystem,
  layout: StatePlaces,
  h: number,
  state: Float64Array,
  start: Float64Array,
  clock: Float64Array,
  clock0: Float64Array,
): StepContext {
  const offsets = new Int32Array(model.systems.length + 1);
  model.systems.forEach(({ form }, i) => (offsets[i + 1] = offsets[i] + form.size));
  return {
    state,
    start,
    size: layout.ndof,
    q: layout.q,
    v: layout.v,
    offsets,
    ids: model.systems.map(({ id }) => id),
    clock0,
    clock,
    h: Float64Array.of(h),
    halfClock: Float64Array.of(clock[0]),
    middle: new Float64Array(start.length),
    inputOffset: new Float64Array(layout.ndof),
    input: new Float64Array(layout.ndof),
    input0: new Float64Array(layout.ndof),
    residual: new Float64Array(1),
    counters: { factorisations: 0, newtonIterations: 0, solverIterations: 0 },
  };
}

/** Initial values of all systems into the state. */
export function writeInitialState(
  { systems }: NonSmoothDynamicalSystem,
  { state, q, v, offsets }: StepContext,
): void {
  systems.forEach(({ form }, i) => {
    if (form.order === 1) {
      state.set(form.x0, q + offsets[i]);
      return;
    }
    state.set(form.q0, q + offsets[i]);
    state.set(form.v0, v + offsets[i]);
  });
}

/** q_{k−1} by coordinate of systems whose scheme reaches back to it, else 0. */
export function previousPositions(integrators: readonly OneStepIntegrator[], size: number): Float64Array {
  const previous = new Float64Array(size);
  for (const integrator of integrators) integrator.savePrevious?.(previous);
  return previous;
}

/** The iteration block of each system. */
export function ownersOf(
  model: NonSmoothDynamicalSystem,
  integrators: readonly OneStepIntegrator[],
): BlockOwner<OneStepIntegrator>[] {
  const owners = new Array<BlockOwner<OneStepIntegrator>>(model.systems.length);
  for (const integrator of integrators)
    integrator.blocks.forEach(({ systems }, block) => {
      for (const s of systems) owners[s] = { integrator, block };
    });
  return owners;
}

/** Systems coupled by relations whose input depends on the state: connected components. */
export function stateInputGroups({ systems, interactions }: NonSmoothDynamicalSystem): number[][] {
  const group = systems.map((_, i) => i);
  const find = (i: number): number => (group[i] === i ? i : find(group[i]));
  const coupled = new Set<number>();
  for (const { relation, systems: linked } of interactions) {
    if (!relation.hasStateInput) continue;
    for (const s of linked) {
      coupled.add(s);
      group[find(s)] = find(linked[0]);
    }
  }
  const members = new Map<number, number[]>();
  for (const s of [...coupled].sort((a, b) => a - b)) {
    const root = find(s);
    members.set(root, [...(members.get(root) ?? []), s]);
  }
  return [...members.values()];
}

function takesStateInput(
  integrator: OneStepIntegrator,
): integrator is OneStepIntegrator & StateInputReceiver {
  return 'addStateInput' in integrator;
}

/**
 * Hands ∇ₓg of each relation to the integrator of its systems, which are all of one block; null when none
 * takes it.
 */
export function stateInputOf(
  integrators: readonly OneStepIntegrator[],
  integratorOf: (system: number) => OneStepIntegrator,
): StateInputReceiver | null {
  const receivers = integrators.filter(takesStateInput);
  if (receivers.length === 0) return null;
  return {
    clearStateInput: () => {
      for (const receiver of receivers) receiver.clearStateInput();
    },
    addStateInput: (systems, K, columns) => {
      const integrator = integratorOf(systems[0]);
      if (takesStateInput(integrator)) integrator.addStateInput(systems, K, columns);
    },
  };
}

/**
 * Where velocity-level relations are linearised: at (t_k, q_k), at (t_{k+1}, q_k + h v_k) or, by iteration,
 * at (t_{k+1}, q_{k+1}).
 */
export type RelationPoint = 'start' | 'predicted' | 'end';

const POINTS: Readonly<Record<RelationPoint, string>> = {
  start: 'at the start of the step',
  predicted: 'at the predicted position',
  end: 'at the end of the step',
};

/** Relations are linearised in one way in a model. */
const mixedRelationPoints = (id: string, point: RelationPoint, other: RelationPoint): EngineError =>
  new EngineError({
    code: 'relation-points-differ',
    message: `The integrator of “${id}” linearises relations ${POINTS[point]}, another one ${POINTS[other]}.`,
    where: id,
    remedy: 'Choose the same for all Moreau–Jean integrators of the model.',
  });

/** @throws {EngineError} when integrators disagree */
export function relationPointOf(
  assignments: readonly AssignedIntegrator[],
  ids: readonly string[],
): RelationPoint {
  const points = assignments.flatMap(({ choices: { relationPoint }, systems }) =>
    relationPoint === undefined ? [] : [{ point: relationPoint as RelationPoint, id: ids[systems[0]] }],
  );
  if (points.length === 0) return 'predicted';
  const [{ point, id }] = points;
  const other = points.find((one) => one.point !== point);
  if (other !== undefined) throw mixedRelationPoints(id, point, other.point);
  return point;
}

export const lawsByRow = ({ interactions }: NonSmoothDynamicalSystem): LawRow[] =>
  interactions.flatMap(({ law, relation }) =>
    Array.from({ length: relation.size }, (_, k) => law.rows[k % law.size]),
  );

/** γ of the activation by row: that of the first linked system's integrator. */
export function forecastByRow(
  { interactions }: NonSmoothDynamicalSystem,
  assignments: readonly AssignedIntegrator[],
  rows: StepRelations,
): Float64Array {
  const forecast = new Float64Array(rows.count);
  const assignmentOf = assignmentBySystem(assignments);
  interactions.forEach(({ systems }, i) => {
    const assignment = assignmentOf.get(systems[0]);
    forecast.fill(assignment?.numbers.forecast ?? 0, rows.offsets[i], rows.offsets[i + 1]);
  });
  return forecast;
}

/** Contacts of systems whose integrator lets all take part in all steps count as closed at any gap. */
export function keepAlwaysActive(
  { interactions }: NonSmoothDynamicalSystem,
  assignments: readonly AssignedIntegrator[],
  rows: StepRelations,
): void {
  const assignmentOf = assignmentBySystem(assignments);
  interactions.forEach(({ systems }, i) => {
    const assignment = assignmentOf.get(systems[0]);
    if (assignment?.choices.activation !== 'always') return;
    rows.closedGap.fill(Number.POSITIVE_INFINITY, rows.offsets[i], rows.offsets[i + 1]);
  });
}

/** Whether a row reads positions of a system that is solved for velocities, or the other way round. */
export function readsCompleted(
  { interactions }: NonSmoothDynamicalSystem,
  rows: StepRelations,
  integratorOf: (system: number) => OneStepIntegrator,
): boolean {
  return interactions.some(({ systems }, i) => {
    if (rows.offsets[i] === rows.offsets[i + 1]) return false;
    const reads = (rows.kind[rows.offsets[i]] & VELOCITY_LEVEL) === 0 ? 'position' : 'velocity';
    return systems.some((s) => integratorOf(s).unknown !== reads);
  });
}
/**
 * How steps are computed where they can be written out: by the general loop, as straight-line code from the
 * first step on, or, when left out, so from when it pays. The numbers are the same.
 */
export type LoopChoice = 'general' | 'straight-line';

export interface TimeSteppingSettings {
  readonly t0: number;
  /** s */
  readonly h: number;
  readonly tEnd: number;
  readonly newton: { readonly tolerance: number; readonly maxIterations: number };
  /** null when the step is h throughout */
  readonly stepControl: StepControlSettings | null;
  readonly integrators: readonly AssignedIntegrator[];
  readonly loop?: LoopChoice | undefined;
  readonly problem: { readonly type: string; readonly choices: Readonly<Record<string, string>> };
  readonly solver: {
    readonly type: string;
    readonly numbers: Readonly<Record<string, number>>;
    readonly choices?: Readonly<Record<string, string>>;
    /** keys that the document gives; the others have their defaults */
    readonly given?: ReadonlySet<string>;
  };
  /** of control blocks; nothing is sampled where it is absent */
  readonly samples?: Samples | null;
  /** conditions of interactions that come and go; all are always there where it is absent */
  readonly presence?: readonly PresenceRule[];
  /** jumps of states; none where it is absent */
  readonly resets?: readonly ResetRule[];
}

/** Whether all steps have one length, so that what depends on it is formed once. */
export const hasFixedStep = ({ stepControl, samples }: TimeSteppingSettings): boolean =>
  stepControl === null && samples?.isOnGrid !== false;

/* Whether time-stepping, and the one-step problem that a model asks for, can express its laws. */

export type ProblemClass = 'auto' | 'LCP' | 'MLCP' | 'Relay' | 'AVI' | 'QP' | 'FrictionContact';

/** Words for what each formulation takes. */
const TAKES: Readonly<Record<Exclude<ProblemClass, 'auto' | 'AVI' | 'QP' | 'FrictionContact'>, string>> = {
  LCP: 'multipliers from 0 to ∞',
  MLCP: 'multipliers from 0 to ∞, and equations',
  Relay: 'multipliers between finite bounds',
};

function fits(row: LawRow, formulation: ProblemClass): boolean {
  if (formulation === 'FrictionContact')
    return row.kind !== 'graph' && row.kind !== 'polytope' && row.kind !== 'percussion';
  // Only the friction-contact problem has a cone.
  if (row.kind === 'cone') return formulation === 'auto';
  // A graph becomes complementarity conditions and one equation.
  if (row.kind === 'graph') return formulation === 'MLCP' || formulation === 'auto' || formulation === 'AVI';
  // An impact by Frémond becomes two complementarity conditions, of an operator that keeps its symmetry.
  if (row.kind === 'percussion') return formulation !== 'Relay';
  // A contact with friction becomes complementarity conditions, of an operator that is not symmetric.
  if (row.kind === 'friction') return formulation !== 'Relay' && formulation !== 'QP';
  // The multipliers of its facets are complementarity conditions; a multiplier that is confined stays beside
  // them.
  if (row.kind === 'polytope')
    return row.polytope.confines === 'output'
      ? formulation !== 'Relay'
      : formulation !== 'Relay' && formulation !== 'LCP' && formulation !== 'QP';
  const { lower, upper } = row;
  const isComplementarity = lower === 0 && upper === Number.POSITIVE_INFINITY;
  const isEquation = lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY;
  switch (formulation) {
    case 'LCP':
      return isComplementarity;
    case 'MLCP':
      return isComplementarity || isEquation;
    case 'Relay':
      return Number.isFinite(lower) && Number.isFinite(upper);
    case 'auto':
    case 'AVI':
    case 'QP':
      return true;
  }
}

/**
 * @param isSymmetric whether the operator is symmetric in every step
 * @throws {EngineError} naming the first interaction whose law the formulation cannot express
 */
export function checkProblemClass(
  { interactions }: NonSmoothDynamicalSystem,
  formulation: ProblemClass,
  isSymmetric: boolean,
): void {
  checkCones(interactions, formulation);
  for (const { id, law } of interactions) {
    if (law.hypothesis === 'poisson') throw poissonRestitution(id);
    if (law.rows.every((row) => fits(row, formulation))) continue;
    const named = `the law of “${id}” (${law.type})`;
    const message =
      formulation === 'QP'
        ? `A quadratic programme cannot express friction, a graph or a confined multiplier, as ${named} has it.`
        : `The formulation ${formulation} takes ${TAKES[formulation as keyof typeof TAKES]} only; ${named} is none of these.`;
    throw new EngineError({
      code: 'problem-unsuitable',
      message,
      where: id,
      remedy: 'Choose the automatic formulation in the simulation settings, or another law.',
    });
  }
  if (formulation === 'QP' && !isSymmetric) {
    throw new EngineError({
      code: 'problem-unsuitable',
      message: 'A quadratic programme needs a symmetric operator W, and that of this model is not symmetric.',
      remedy: 'Choose the automatic formulation in the simulation settings.',
    });
  }
}

/**
 * Friction in a tangent plane, and plasticity, make all rows of the model a friction-contact problem in
 * space.
 * @throws {EngineError} naming an interaction that it has no room for, or that has a cone where another
 *   problem is asked for
 */
function checkCones(interactions: NonSmoothDynamicalSystem['interactions'], formulation: ProblemClass): void {
  const conic = interactions.find(({ law }) => needsCones(law.rows));
  if (conic === undefined) return;
  if (formulation !== 'auto' && formulation !== 'FrictionContact')
    throw new EngineError({
      code: 'problem-unsuitable',
      message: `The law of “${conic.id}” (${conic.law.type}) has a cone in three rows, which the formulation ${formulation} cannot express.`,
      where: conic.id,
      remedy: 'Choose the automatic formulation in the simulation settings.',
    });
  const other = interactions.find(({ law }) => !law.rows.every((row) => fits(row, 'FrictionContact')));
  if (other === undefined) return;
  throw new EngineError({
    code: 'cones-beside-graphs',
    message: `The law of “${other.id}” (${other.law.type}) stands beside the cone of “${conic.id}” (${conic.law.type}): a friction-contact problem has no room for it.`,
    where: other.id,
    remedy:
      'Use laws with one bound or two for it, such as complementarity, impacts and relays, or leave one of the two out.',
  });
}

/** A step knows the impulse of its whole duration, not which part of it compressed. */
const poissonRestitution = (id: string): EngineError =>
  new EngineError({
    code: 'poisson-restitution',
    message: `The law of “${id}” relates the impulses of compression and expansion (Poisson), which time-stepping does not tell apart.`,
    where: id,
    remedy: 'Choose Newton’s restitution for this law, or the event-driven scheme.',
  });
