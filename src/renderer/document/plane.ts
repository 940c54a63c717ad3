/** Vectors of rigid bodies in the plane: what their entries are, and their units. */
import type { TypedElement } from '@engine/document/types';
import type { FieldDefinition } from '@engine/model/definition';

/**
 * A vector whose length is a number in its definition, and which has a unit, is one of the plane: a point or acceleration, or a
 * body's coordinates. Pairs without a unit are something else.
 */
const ENTRIES: Readonly<Record<number, readonly string[]>> = { 2: ['x', 'y'], 3: ['x', 'y', 'φ'] };

/** Units of the entries of a body's vectors, where they are not all the same. */
const BODY_UNITS: Readonly<Record<string, string>> = {
  q: 'm, m, rad',
  'q/s': 'm/s, m/s, rad/s',
  N: 'N, N, N m',
};

function fixedLength(field: FieldDefinition): number | null {
  if (field.kind !== 'vector' && field.kind !== 'vectorOrFunction') return null;
  return typeof field.length === 'number' ? field.length : null;
}

/** Names of the entries of a vector; null where they have none. */
export function entryNames(field: FieldDefinition): readonly string[] | null {
  return field.unit === '' ? null : (ENTRIES[fixedLength(field) ?? 0] ?? null);
}

/** Units of a body's vector, entry by entry; null where one unit holds for all. */
export function entryUnits(field: FieldDefinition): string | null {
  return fixedLength(field) === 3 ? (BODY_UNITS[field.unit] ?? null) : null;
}

/** Unit of what a relation prescribes; null where it is that of the coordinates. */
export function prescribedUnit({ type, coordinate = 'angle' }: TypedElement): string | null {
  if (type !== 'Driver') return null;
  return coordinate === 'angle' ? 'rad' : 'm';
}
