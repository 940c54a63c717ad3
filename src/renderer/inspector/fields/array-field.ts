/** What the field editor needs to know of array-valued fields. */
import type { FieldValue, TypedElement } from '@engine/document/types';
import type { FieldDefinition } from '@engine/model/definition';
import { resizeMatrix, resizeVector } from '../../document/fields';
import { MOST_CELLS, toSparse } from '../../document/matrix-text';
import { fieldSides, isVectorField, sideLength, type Sizes } from '../../document/sizes';

/** Whether a field that is left out is derived from a script function. */
export const isDerived = (field: FieldDefinition): boolean =>
  !field.required &&
  (field.derivation !== undefined || ('plugin' in field && field.plugin.endsWith('Jacobian')));

/**
 * A derivative of a function that is not given, itself not given: there is nothing to derive and nothing to
 * show.
 */
export const isIdle = ({ key, derivation }: FieldDefinition, element: TypedElement): boolean =>
  derivation !== undefined && element[derivation.of] === undefined && element[key] === undefined;

/** A field that holds no elements. */
export type PlainField = Exclude<FieldDefinition, { kind: 'elements' | 'element' }>;
/** A field that is one element. */
export type ElementShape = Extract<FieldDefinition, { kind: 'element' }>;
/** A field that is a list of elements. */
export type ListField = Extract<FieldDefinition, { kind: 'elements' }>;

/** What an edit inside a field is called, and which edits are one step with it. */
export interface FieldNote {
  /** @param name of the element that the field belongs to */
  describe(name: string): string;
  /** null: a step of its own */
  mergeKey: string | null;
}

/**
 * Vectors of 3D bodies that start with something else than zeros, by key: directions, weight, moments
 * of inertia.
 */
const SPATIAL: Readonly<Record<string, readonly number[]>> = {
  orientation: [1, 0, 0, 0],
  gravity: [0, 0, -9.81],
  inertia: [0.01, 0.01, 0.01],
  axis: [0, 0, 1],
  axis2: [0, 0, 1],
  direction: [1, 0, 0],
  normal: [0, 0, 1],
};

function spatialStart(field: FieldDefinition): number[] | null {
  const start = SPATIAL[field.key];
  if ((field.kind !== 'vector' && field.kind !== 'vectorOrFunction') || start === undefined) return null;
  return field.length === 'any' || field.length === start.length ? [...start] : null;
}

/** The array a field starts with when its value is to be given. */
export function freshArray(field: FieldDefinition, sizes: Sizes): FieldValue | undefined {
  const sides = fieldSides(field);
  if (sides === null) return undefined;
  const spatial = spatialStart(field);
  if (spatial !== null) return spatial;
  const rows = sideLength(sides.rows, sizes, 1);
  const columns = sideLength(sides.columns, sizes, 1);
  if (isVectorField(field)) {
    const start = typeof field.default === 'number' ? new Array<number>(columns).fill(field.default) : [];
    return resizeVector(start, columns);
  }
  const matrix = resizeMatrix([], rows, columns);
  return rows * columns > MOST_CELLS ? toSparse(matrix) : matrix;
}
