/** Vectors of bodies, in the plane and in space: what their entries are, and their units. */
import type { TypedElement } from '@engine/document/types';
import type { FieldDefinition } from '@engine/model/definition';

/**
 * A vector whose length is a number in its definition is one of the plane, of space, or a quaternion. Pairs
 * without a unit are something else.
 */
const ENTRIES: Readonly<Record<number, readonly string[]>> = {
  2: ['x', 'y'],
  3: ['x', 'y', 'z'],
  4: ['w', 'x', 'y', 'z'],
};

/**
 * Coordinates of a body in the plane, which other vectors of three entries are not: units of their entries by
 * key.
 */
const PLANAR: Readonly<Record<string, string>> = {
  q0: 'm, m, rad',
  v0: 'm/s, m/s, rad/s',
  fExt: 'N, N, N m',
};
const PLANAR_ENTRIES = ['x', 'y', 'φ'] as const;

function fixedLength(field: FieldDefinition): number | null {
  if (field.kind !== 'vector' && field.kind !== 'vectorOrFunction') return null;
  return typeof field.length === 'number' ? field.length : null;
}

/** Units of the coordinates of a body in the plane, entry by entry; null where one unit holds for all. */
export const entryUnits = (field: FieldDefinition): string | null =>
  fixedLength(field) === 3 ? (PLANAR[field.key] ?? null) : null;

/** Names of the entries of a vector; null where they have none. */
export function entryNames(field: FieldDefinition): readonly string[] | null {
  const length = fixedLength(field);
  if (entryUnits(field) !== null) return PLANAR_ENTRIES;
  if (length === 2 && field.unit === '') return null;
  return ENTRIES[length ?? 0] ?? null;
}

/** Whether a vector is the quaternion of an orientation. */
export const isQuaternion = (field: FieldDefinition): boolean => fixedLength(field) === 4;

/** Unit of what a relation prescribes; null where it is that of the coordinates. */
export function prescribedUnit({ type, coordinate = 'angle' }: TypedElement): string | null {
  if (type !== 'Driver') return null;
  return coordinate === 'angle' ? 'rad' : 'm';
}
