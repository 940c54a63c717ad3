/**
 * Initial states of models with joints: what they violate, which joints are redundant, and the nearest state
 * that satisfies them, in the metric of the masses. For both schemes: a joint holds from the start or never.
 */
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import { type ConstraintViolation, correctInitialState, findViolations } from '../../multibody/consistency';
import { findRedundancy, type RankReport, refuseRedundant } from '../../multibody/redundancy';
import type { MotionStatus } from '../../multibody/constrained-system';
import { jointRows, JointSystem } from './joint-system';

/**
 * δ of the differences where no form gives curvature, s: what redundancy of accelerations is judged by, to
 * 1e-6.
 */
const DIFFERENCE = 1e-4;

/**
 * Size above which redundancy, whose cost grows with the third power, is not looked for: rows times
 * coordinates.
 */
const LARGEST = 1_000_000;

const NO_JOINTS: RankReport = { rows: 0, rank: 0, redundant: [] };

/** A coordinate or velocity that a projection changes. */
export interface MovedCoordinate {
  /** id of the system, and the component */
  readonly system: string;
  readonly coordinate: number;
  /** of positions, then of velocities */
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

export interface ProjectedState {
  readonly status: MotionStatus;
  /** by coordinate of the model; the given state where the status is not `ok`. First-order states are kept */
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** what has changed, in the order of the model */
  readonly moved: readonly MovedCoordinate[];
}

/** Initial positions and velocities of all systems, by coordinate; v of first-order states is zero. */
function initialState({ systems }: NonSmoothDynamicalSystem): { q: Float64Array; v: Float64Array } {
  const q = systems.flatMap(({ form }) => [...(form.order === 1 ? form.x0 : form.q0)]);
  const v = systems.flatMap(({ form }) => [...(form.order === 1 ? form.x0.map(() => 0) : form.v0)]);
  return { q: Float64Array.from(q), v: Float64Array.from(v) };
}

interface Start {
  readonly system: JointSystem;
  readonly clock: Float64Array;
  readonly q: Float64Array;
  readonly v: Float64Array;
}

function startOf(model: NonSmoothDynamicalSystem, t0: number, difference = DIFFERENCE): Start {
  const system = new JointSystem(model, difference);
  const all = initialState(model);
  const clock = Float64Array.of(t0);
  const [q, v] = [new Float64Array(system.positions.length), new Float64Array(system.size)];
  system.gatherPositions(all.q, q);
  system.gatherVelocities(all.v, v);
  system.setTargets(clock, q);
  return { system, clock, q, v };
}

/** What an initial state does to a joint. */
interface StartDefect extends ConstraintViolation {
  /** whether the law asks for no more than ẏ = 0, so that y keeps the value for the whole run */
  readonly isKept: boolean;
  /** what it is, as a sentence */
  readonly message: string;
}

const amount = ({ size, unit }: ConstraintViolation): string => `${size.toPrecision(4)} ${unit}`.trim();

function describeViolation(violation: ConstraintViolation, isKept: boolean): string {
  const { constraint, row, level } = violation;
  if (isKept)
    return `“${constraint}” (${row}) starts with an output of ${amount(violation)} and keeps it: an equality at velocity level asks for no more than ẏ = 0.`;
  const what = level === 'position' ? 'positions' : 'velocities';
  return `The initial ${what} violate “${constraint}” (${row}) by ${amount(violation)}.`;
}

/**
 * What the joints of a model object to in its initial state, positions first, and the worst of these;
 * empty for a consistent one.
 * @param t0 s
 */
export function startDefects(model: NonSmoothDynamicalSystem, t0: number): StartDefect[] {
  const { system, clock, q, v } = startOf(model, t0);
  system.targets.fill(0);
  const defects = findViolations(system, clock, q, v).flatMap((violation): StartDefect[] => {
    const asked = system.asks(violation.index);
    if (asked === 'while') return [];
    const isKept = violation.level === 'position' && asked === 'start';
    return [{ ...violation, isKept, message: describeViolation(violation, isKept) }];
  });
  return defects.sort((a, b) => Number(a.level === 'velocity') - Number(b.level === 'velocity'));
}

/**
 * Rank of the joints at the start, and those that say what others say. Nothing is looked for in models that
 * are too large.
 */
export function initialRedundancy(model: NonSmoothDynamicalSystem, t0: number): RankReport {
  const { system, clock, q, v } = startOf(model, t0);
  return redundancyOf(system, clock, q, v);
}

/**
 * The same for a simulation that is to begin there.
 * @param difference δ of the differences for relations without exact curvature, s
 * @throws {EngineError} where joints contradict one another
 */
export function startRedundancy(model: NonSmoothDynamicalSystem, t0: number, difference: number): RankReport {
  if (model.interactions.every((interaction) => jointRows(interaction).length === 0)) return NO_JOINTS;
  const { system, clock, q, v } = startOf(model, t0, difference);
  const report = redundancyOf(system, clock, q, v);
  const contradictory = report.redundant.filter(({ contradiction }) => contradiction > 0);
  refuseRedundant({ ...report, redundant: contradictory }, clock);
  return report;
}

export function redundancyOf(
  system: JointSystem,
  clock: Float64Array,
  q: Float64Array,
  v: Float64Array,
): RankReport {
  const { rows, size } = system;
  if (rows === 0 || rows * size > LARGEST) return { rows, rank: rows, redundant: [] };
  return findRedundancy(system, clock, q, v);
}

/**
 * Projects the initial state of a model onto its joints, positions first. Redundant joints, which say nothing
 * new, are left out of the projection.
 */
export function projectInitialState(model: NonSmoothDynamicalSystem, t0: number): ProjectedState {
  const { system, clock, q, v } = startOf(model, t0);
  const all = initialState(model);
  const { redundant } = redundancyOf(system, clock, q, v);
  const reduced = system.without(new Set(redundant.map(({ index }) => index)));
  const [position, velocity] = [new Float64Array(reduced.size), new Float64Array(reduced.size)];
  reduced.gatherPositions(all.q, position);
  reduced.gatherVelocities(all.v, velocity);
  reduced.setTargets(clock, position);
  for (let r = 0; r < reduced.rows; r++) if (reduced.asks(r) === 'start') reduced.targets[r] = 0;
  let { status } = correctInitialState(reduced, clock, position, velocity);
  if (status === 'ok' && redundant.length > 0 && !satisfies(system, reduced, clock, position, velocity))
    status = 'singularConstraints';
  const moved: MovedCoordinate[] = [];
  if (status === 'ok') {
    const places = new Map([...reduced.coordinates].map((coordinate, k) => [coordinate, k]));
    let start = 0;
    for (const { id, form } of model.systems) {
      for (let k = 0; k < form.size; k++) {
        const own = places.get(start + k);
        if (own === undefined) continue;
        const from = [all.q[start + k], all.v[start + k]] as const;
        const to = [position[own], velocity[own]] as const;
        all.q[start + k] = to[0];
        all.v[start + k] = to[1];
        if (from[0] !== to[0] || from[1] !== to[1]) moved.push({ system: id, coordinate: k, from, to });
      }
      start += form.size;
    }
  }
  return { status, q: all.q, v: all.v, moved };
}

/**
 * Whether joints that were left out hold as well. At a dead point they may have looked redundant, and where
 * they contradict the others no state satisfies all.
 */
function satisfies(
  system: JointSystem,
  reduced: JointSystem,
  clock: Float64Array,
  position: Float64Array,
  velocity: Float64Array,
): boolean {
  const places = new Map([...reduced.coordinates].map((coordinate, k) => [coordinate, k]));
  const complete = (values: Float64Array): Float64Array =>
    Float64Array.from(system.coordinates, (coordinate) => values[places.get(coordinate) ?? 0]);
  return findViolations(system, clock, complete(position), complete(velocity)).length === 0;
}
