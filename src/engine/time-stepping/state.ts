/**
 * The state of a simulation between two steps: everything that the next step, the certificate and the
 * counters depend on, as plain data without functions. A simulation that is made from it goes on with the
 * same bits as the one it was taken from.
 *
 * What follows from the model and these numbers is not in it: ẏ, factorisations, the operator, forces
 * and inputs at the present time. Nor are the workspaces of solvers, which speed up a solution and do not
 * decide it.
 */
import type { EnergyState } from '../certificate/energy-balance';
import type { SavedMaxima } from '../certificate/residual-maxima';
import type { SavedResetCheck } from '../certificate/reset-check';
import { EngineError } from '../errors';
import type { StepCounters } from '../integrators/step';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { ResetMemory } from '../model/resets/guards';
import { plural } from '../plural';
import type { PresenceState } from './presence';

/** Elements in the order of the model, with the entries of the arrays that belong to each. */
interface ElementRanges {
  readonly ids: readonly string[];
  /** entries of element i: offsets[i] … offsets[i + 1] − 1 */
  readonly offsets: Int32Array;
}

export interface SimulationState {
  /** systems with their coordinates */
  readonly systems: ElementRanges;
  /** interactions with their rows */
  readonly interactions: ElementRanges;
  /** end of the last step, s */
  readonly time: number;
  /** steps taken since t₀ */
  readonly step: number;
  /** length of the next step, s */
  readonly h: number;
  /** contacts that closed */
  readonly events: number;
  readonly counters: StepCounters;

  /** positions and first-order states, and velocities, by coordinate */
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** q_{k−1} by coordinate of systems whose scheme reaches back to it, else 0 */
  readonly previous: Float64Array;

  /** multipliers by row */
  readonly lambda: Float64Array;
  /** y by row; it follows from the present except where relations hold within the step */
  readonly output: Float64Array;
  /** y one step back, by row */
  readonly previousOutput: Float64Array;
  /** gap below which a contact counts as closed, by row; ∞ where it always does */
  readonly closedGap: Float64Array;
  /** 1 for contacts whose multiplier was positive in the last step, by row */
  readonly pushed: Uint8Array;
  /** 1 for rows that took part in the last step */
  readonly active: Uint8Array;
  /** rows in the order in which the one-step problem eliminates them */
  readonly elimination: Int32Array;
  /** unknowns of the canonical one-step problem: those of row i are the entries `unknowns.offsets[i]` … */
  readonly unknowns: { readonly offsets: Int32Array; readonly values: Float64Array };

  /** null where all interactions are always there */
  readonly presence: PresenceState | null;
  /** null where no state jumps by a reset */
  readonly resets: ResetMemory | null;
  /** null when the step is constant */
  readonly control: StepControlState | null;
  readonly certificate: CertificateState;
}

/** What the control of the step length remembers. */
export interface StepControlState {
  /** accepted states, newest first: positions by coordinate, then velocities; and their times, s */
  readonly states: readonly Float64Array[];
  readonly times: Float64Array;
  /** how many of them count */
  readonly known: number;
  /** largest magnitude that each position and velocity has had */
  readonly scale: Float64Array;
  readonly rejected: number;
  /** length to go on with behind a stop, s; 0 where there is none */
  readonly resumed: number;
}

/** What the certificate has seen. */
export interface CertificateState {
  readonly maxima: SavedMaxima;
  readonly energy: EnergyState;
  /** largest |y| or d |λ| by row */
  readonly rowScale: Float64Array;
  /** d λ of the last step by row */
  readonly push: Float64Array;
  /**
   * by row of an impact law, else 0: largest sum of the magnitudes that cancel in its gap, and the gap one
   * step back
   */
  readonly gapMagnitude: Float64Array;
  readonly previousGap: Float64Array;
  readonly dynamics: DynamicsMemory;
  /** who was there, by interaction with a condition; absent where all always are */
  readonly presence?: Uint8Array;
  /** side of each guard and largest states by system; absent where no state jumps by a reset */
  readonly resets?: SavedResetCheck;
  /** as `rowScale`, of contact forces at the two ends of a step; absent where a step has none */
  readonly forceScales?: { readonly left: Float64Array; readonly right: Float64Array };
}

/** What the checks of discrete equations of motion remember. */
export interface DynamicsMemory {
  /** largest magnitude in the equation of motion and in that of the positions, by system */
  readonly momentum: Float64Array;
  readonly kinematic: Float64Array;
  /** q one step before the last, by coordinate, of systems with `hasPrevious` = 1 */
  readonly previous: Float64Array;
  readonly hasPrevious: Uint8Array;
}

export const createDynamicsMemory = (systems: number, coordinates: number): DynamicsMemory => ({
  momentum: new Float64Array(systems),
  kinematic: new Float64Array(systems),
  previous: new Float64Array(coordinates),
  hasPrevious: new Uint8Array(systems),
});

/*
 * Carrying a state over to a model whose elements are in part others: what stays keeps its numbers bit for
 * bit, what is new starts as it would in a model of its own.
 */

/** A state, and which of its elements those of the model are. */
export interface Origin {
  readonly state: SimulationState;
  /** by system and by interaction of the model: its position in the state, −1 for what is new */
  readonly systems: Int32Array;
  readonly interactions: Int32Array;
}

/**
 * The state of a model with the same elements, in any order; elements of the model that it lacks are new.
 * @throws {EngineError} when an element has another size than in the state
 */
export function originOf(model: NonSmoothDynamicalSystem, state: SimulationState): Origin {
  const { systems, interactions } = model;
  const find = (elements: readonly { readonly id: string }[], { ids }: ElementRanges): Int32Array => {
    const positions = new Map(ids.map((id, i) => [id, i]));
    return Int32Array.from(elements, ({ id }) => positions.get(id) ?? -1);
  };
  const origin = {
    state,
    systems: find(systems, state.systems),
    interactions: find(interactions, state.interactions),
  };
  checkSizes(systems, (i) => systems[i].form.size, origin.systems, state.systems);
  checkSizes(interactions, (i) => interactions[i].relation.size, origin.interactions, state.interactions);
  return origin;
}

function checkSizes(
  elements: readonly { readonly id: string }[],
  sizeOf: (i: number) => number,
  from: Int32Array,
  { offsets }: ElementRanges,
): void {
  elements.forEach(({ id }, i) => {
    if (from[i] < 0) return;
    const before = offsets[from[i] + 1] - offsets[from[i]];
    if (before === sizeOf(i)) return;
    throw new EngineError({
      code: 'state-mismatch',
      message: `The state holds ${plural(before, 'entry', 'entries')} of “${id}”, which has ${sizeOf(i)} in this model.`,
      where: id,
      remedy: 'Restore a state only in the model it was taken from.',
    });
  });
}

/** For each entry of the model's arrays the entry of the state's, −1 for those of new elements. */
function sources(from: Int32Array, sizeOf: (i: number) => number, offsets: Int32Array): Int32Array {
  let total = 0;
  from.forEach((_, i) => (total += sizeOf(i)));
  const source = new Int32Array(total).fill(-1);
  let at = 0;
  from.forEach((old, i) => {
    const size = sizeOf(i);
    if (old >= 0) for (let k = 0; k < size; k++) source[at + k] = offsets[old] + k;
    at += size;
  });
  return source;
}

interface Numbers {
  [index: number]: number;
  readonly length: number;
}

function gather(source: Int32Array, from: Numbers, into: Numbers, first = 0): void {
  for (let i = 0; i < source.length; i++) if (source[i] >= 0) into[first + i] = from[source[i]];
}

export class CarryOver {
  readonly state: SimulationState;
  /**
   * Whether the change may bend the motion at this instant: a system is new, an interaction that acted is
   * gone, or a new one acts from now on.
   */
  readonly isEvent: boolean;

  readonly #systems: Int32Array;
  readonly #coordinates: Int32Array;
  readonly #rows: Int32Array;
  readonly #stateRows: number;

  constructor({ systems, interactions }: NonSmoothDynamicalSystem, origin: Origin) {
    const { state } = origin;
    this.state = state;
    this.#systems = origin.systems;
    this.#coordinates = sources(origin.systems, (i) => systems[i].form.size, state.systems.offsets);
    this.#rows = sources(
      origin.interactions,
      (i) => interactions[i].relation.size,
      state.interactions.offsets,
    );
    this.#stateRows = state.lambda.length;
    const acts = interactions.some(
      ({ law }, i) => origin.interactions[i] < 0 && (law.restitution === null || law.level === 'position'),
    );
    this.isEvent = origin.systems.includes(-1) || acts || this.#hasLostActing();
  }

  #hasLostActing(): boolean {
    const stays = new Uint8Array(this.#stateRows);
    for (const row of this.#rows) if (row >= 0) stays[row] = 1;
    return this.state.lambda.some((value, row) => value !== 0 && stays[row] === 0);
  }

  /** Copies what stays; entries of new elements are left as they are. */
  systems(from: Numbers, into: Numbers): void {
    gather(this.#systems, from, into);
  }

  coordinates(from: Numbers, into: Numbers): void {
    gather(this.#coordinates, from, into);
  }

  /** The same for positions followed by velocities. */
  phases(from: Float64Array, into: Float64Array): void {
    const source = this.#coordinates;
    gather(source, from, into);
    gather(source, from.subarray(from.length / 2), into, source.length);
  }

  /** Positions and velocities in one array, and multipliers. */
  variables(present: Float64Array, lambda: Float64Array): void {
    const { state } = this;
    this.coordinates(state.q, present);
    this.coordinates(state.v, present.subarray(present.length / 2));
    this.rows(state.lambda, lambda);
  }

  rows(from: Numbers, into: Numbers): void {
    gather(this.#rows, from, into);
  }

  /** Copies the canonical unknowns of rows that stay. @param first first unknown of each row of the model */
  unknowns(first: Int32Array, into: Float64Array): void {
    const { offsets, values } = this.state.unknowns;
    this.#rows.forEach((old, row) => {
      if (old < 0) return;
      // A law that has changed may have fewer or more of them; those it lacks start from nothing.
      const count = Math.min(first[row + 1] - first[row], offsets[old + 1] - offsets[old]);
      for (let k = 0; k < count; k++) into[first[row] + k] = values[offsets[old] + k];
    });
  }

  /** Rows that stay, in the order in which they were eliminated. */
  eliminated(): Int32Array {
    const now = new Int32Array(this.#stateRows).fill(-1);
    this.#rows.forEach((old, row) => {
      if (old >= 0) now[old] = row;
    });
    return this.state.elimination.map((old) => now[old]).filter((row) => row >= 0);
  }

  dynamics(into: DynamicsMemory): void {
    const { dynamics } = this.state.certificate;
    this.systems(dynamics.momentum, into.momentum);
    this.systems(dynamics.kinematic, into.kinematic);
    this.systems(dynamics.hasPrevious, into.hasPrevious);
    this.coordinates(dynamics.previous, into.previous);
  }
}
