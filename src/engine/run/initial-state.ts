/** A moment of a run as initial values, with which a model starts from there. */
import type { ModelDocument } from '../document/types';
import { definition as rigidBody } from '../model/space/rigid-body';
import type { SystemPlaces } from '../preparation/layout';
import type { PreparedModel } from '../preparation/prepare';
import type { Moment } from './schemes/scheme';

export interface InitialState {
  /** s */
  readonly time: number;
  /** fields of the systems of the document, and of components that hold a state */
  readonly systems: readonly { readonly id: string; readonly fields: Record<string, number[] | number> }[];
  /**
   * systems that move and are not in the document, or whose fields do not hold their state: they would start
   * as before
   */
  readonly missing: readonly string[];
}

/**
 * Position and scalar-first quaternion, velocity and angular velocity of a rigid body, as its row has them.
 */
function rigidFields(q: Float64Array, v: Float64Array): Record<string, number[]> {
  return {
    position: [...q.subarray(0, 3)],
    orientation: [...q.subarray(3, 7)],
    velocity: [...v.subarray(0, 3)],
    spin: [...v.subarray(3, 6)],
  };
}

/** What a system of the document keeps its initial state in; null where its fields cannot hold it. */
type StateFields = 'x0' | 'q0 v0' | 'rigid' | null;

function fieldsOfState(
  { systems }: ModelDocument,
  { layout: { systemPlaces }, model, space }: PreparedModel,
): { readonly id: string; readonly places: SystemPlaces; readonly fields: StateFields }[] {
  const orders = new Map(model.systems.map(({ id, form }) => [id, form.order]));
  const types = new Map(systems.map(({ id, type }) => [id, type]));
  const fieldsOf = (id: string): StateFields => {
    const type = types.get(id);
    if (type === undefined) return null;
    if (space !== null && !orders.has(id)) return type === rigidBody.type ? 'rigid' : null;
    return orders.get(id) === 1 ? 'x0' : 'q0 v0';
  };
  return [...systemPlaces].map(([id, places]) => ({ id, places, fields: fieldsOf(id) }));
}

function filled(
  fields: Exclude<StateFields, null>,
  q: Float64Array,
  v: Float64Array,
): Record<string, number[]> {
  if (fields === 'rigid') return rigidFields(q, v);
  return fields === 'x0' ? { x0: [...q] } : { q0: [...q], v0: [...v] };
}

/** Where components keep their state: type, quantity, field. */
const HELD_BY: Readonly<Record<string, readonly [quantity: string, field: string]>> = {
  Capacitor: ['v', 'v0'],
  Inductor: ['i', 'i0'],
};

/**
 * The states of a drawn system as initial values of its components; null where these cannot hold them all:
 * states of other components, memories, or capacitors and inductors that follow from others.
 */
function heldByComponents(
  { components = [], instances = [] }: ModelDocument,
  labels: readonly string[],
  x: Float64Array,
): { id: string; fields: Record<string, number> }[] | null {
  const holders = components.filter(({ type }) => Object.hasOwn(HELD_BY, type));
  const remembers = components.some((one) => one.type === 'Thyristor' || one['hysteresis'] !== undefined);
  if (instances.length > 0 || remembers || holders.length !== labels.length) return null;
  const found = holders.flatMap(({ id, type }) => {
    const [quantity, field] = HELD_BY[type];
    const at = labels.indexOf(`${id}.${quantity}`);
    return at < 0 ? [] : [{ id, fields: { [field]: x[at] } }];
  });
  return found.length === labels.length ? found : null;
}

/** @param moment of a run of the document */
export function initialStateAt(
  document: ModelDocument,
  prepared: PreparedModel,
  { time, row }: Moment,
): InitialState {
  const found: { id: string; fields: Record<string, number[] | number> }[] = [];
  const missing: string[] = [];
  for (const { id, places, fields } of fieldsOfState(document, prepared)) {
    const { q, qSize, v, vSize } = places;
    const labels = fields === null && Object.hasOwn(prepared.labels, id) ? prepared.labels[id].rows : null;
    const held = labels === null ? null : heldByComponents(document, labels, row.subarray(q, q + qSize));
    if (held !== null) found.push(...held);
    else if (fields === null) missing.push(id);
    else found.push({ id, fields: filled(fields, row.subarray(q, q + qSize), row.subarray(v, v + vSize)) });
  }
  return { time, systems: found, missing };
}

/** Names of the signals that hold the state of a system. */
export interface SystemSignals {
  readonly id: string;
  readonly fields: StateFields;
  readonly positions: readonly string[];
  readonly velocities: readonly string[];
}

/** Which signals hold the state of each system, for states that are known by their signals alone. */
export function stateSignals(document: ModelDocument, prepared: PreparedModel): SystemSignals[] {
  const { signals, slots } = prepared.layout;
  const nameOf = new Map<number, string>();
  signals.forEach(({ name }, k) => nameOf.set(slots[k], name));
  const names = (first: number, count: number): string[] =>
    Array.from({ length: count }, (_, i) => nameOf.get(first + i) ?? '');
  return fieldsOfState(document, prepared).map(({ id, places: { q, qSize, v, vSize }, fields }) => ({
    id,
    fields,
    positions: names(q, qSize),
    velocities: names(v, vSize),
  }));
}

/**
 * A recorded state as initial values.
 * @param valueOf value of a signal; undefined where it is not recorded
 * @returns signals that are missing, where there are any
 */
export function initialStateFrom(
  states: readonly SystemSignals[],
  time: number,
  valueOf: (signal: string) => number | undefined,
): InitialState | { readonly unrecorded: readonly string[] } {
  const unrecorded: string[] = [];
  const read = (names: readonly string[]): Float64Array =>
    Float64Array.from(names, (name) => {
      // States of first order have no velocities.
      if (name === '') return 0;
      const value = valueOf(name);
      if (value === undefined) unrecorded.push(name);
      return value ?? NaN;
    });
  const systems: { id: string; fields: Record<string, number[]> }[] = [];
  for (const { id, fields, positions, velocities } of states)
    if (fields !== null) systems.push({ id, fields: filled(fields, read(positions), read(velocities)) });
  if (unrecorded.length > 0) return { unrecorded };
  return { time, systems, missing: states.filter(({ fields }) => fields === null).map(({ id }) => id) };
}

/** The document with this state as its initial one, and its time as the start. */
export function startFrom(document: ModelDocument, { time, systems }: InitialState): ModelDocument {
  const fields = new Map(systems.map((system) => [system.id, system.fields]));
  return {
    ...document,
    systems: document.systems.map((system) => ({ ...system, ...fields.get(system.id) })),
    ...(document.components !== undefined && {
      components: document.components.map((component) => ({ ...component, ...fields.get(component.id) })),
    }),
    simulation: { ...document.simulation, t0: time },
  };
}
