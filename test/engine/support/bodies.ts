/** Documents of bodies in the plane and the joints between them. */
import type { FieldValue, InteractionDocument, SystemDocument, TypedElement } from '@engine/document/types';

export const G = 9.81;

/** A body under gravity. @param fields further or other fields of the system */
export function body(
  id: string,
  q0: number[],
  v0: number[] = [0, 0, 0],
  fields: Record<string, FieldValue> = {},
): SystemDocument {
  return { id, type: 'PlanarBody', mass: 1, inertia: 0.1, q0, v0, gravity: [0, -G], ...fields };
}

export const joint = (
  id: string,
  systems: string[],
  relation: TypedElement,
  law: TypedElement = { type: 'Equality' },
): InteractionDocument => ({ id, systems, relation, law });
