/**
 * Carrying a state over to a model whose elements are in part others: what stays keeps its numbers bit for bit, what is
 * new starts as it would in a model of its own.
 */
import { EngineError } from '../errors';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { plural } from '../plural';
import type { DynamicsMemory, ElementRanges, SimulationState } from './state';

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
   * Whether the change may bend the motion at this instant: a system is new, an interaction that acted is gone, or a new
   * one acts from now on.
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
