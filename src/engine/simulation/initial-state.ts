/** A moment of a run as initial values, with which a model starts from there. */
import type { ModelDocument } from '../document/types';
import { definition as rigidBody } from '../model/space/rigid-body';
import type { SystemPlaces } from './layout';
import type { PreparedModel } from './prepare';
import type { Moment } from './schemes/scheme';

export interface InitialState {
  /** s */
  readonly time: number;
  /** fields of the systems of the document */
  readonly systems: readonly { readonly id: string; readonly fields: Record<string, number[]> }[];
  /** systems that move and are not in the document, or whose fields do not hold their state: they would start as before */
  readonly missing: readonly string[];
}

/** Position and scalar-first quaternion, velocity and angular velocity of a rigid body, as its row has them. */
function rigidFields(q: Float64Array, v: Float64Array): Record<string, number[]> {
  return {
    position: [...q.subarray(0, 3)],
    orientation: [...q.subarray(3, 7)],
    velocity: [...v.subarray(0, 3)],
    spin: [...v.subarray(3, 6)],
  };
}

/** @param moment of a run of the document */
export function initialStateAt(
  { systems }: ModelDocument,
  { layout: { systemPlaces }, model, space }: PreparedModel,
  { time, row }: Moment,
): InitialState {
  const orders = new Map(model.systems.map(({ id, form }) => [id, form.order]));
  const types = new Map(systems.map(({ id, type }) => [id, type]));
  const found: { id: string; fields: Record<string, number[]> }[] = [];
  const missing: string[] = [];
  const fieldsOf = (id: string, { q, qSize, v, vSize }: SystemPlaces): Record<string, number[]> | null => {
    const type = types.get(id);
    if (type === undefined) return null;
    const positions = row.subarray(q, q + qSize);
    const velocities = row.subarray(v, v + vSize);
    if (space !== null && !orders.has(id))
      return type === rigidBody.type ? rigidFields(positions, velocities) : null;
    return orders.get(id) === 1 ? { x0: [...positions] } : { q0: [...positions], v0: [...velocities] };
  };
  for (const [id, places] of systemPlaces) {
    const fields = fieldsOf(id, places);
    if (fields === null) missing.push(id);
    else found.push({ id, fields });
  }
  return { time, systems: found, missing };
}

/** The document with this state as its initial one, and its time as the start. */
export function startFrom(document: ModelDocument, { time, systems }: InitialState): ModelDocument {
  const fields = new Map(systems.map((system) => [system.id, system.fields]));
  return {
    ...document,
    systems: document.systems.map((system) => ({ ...system, ...fields.get(system.id) })),
    simulation: { ...document.simulation, t0: time },
  };
}
