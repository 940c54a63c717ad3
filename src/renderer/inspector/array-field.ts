/** What the field editor needs to know of array-valued fields. */
import type { FieldValue, TypedElement } from '@engine/document/types';
import type { FieldDefinition } from '@engine/model/definition';
import { resizeMatrix, resizeVector } from '../document/fields';
import { MOST_CELLS, toSparse } from '../document/matrix-text';
import { fieldSides, isVectorField, sideLength, type Sizes } from '../document/sizes';

/** Whether a field that is left out is derived from a script function. */
export const isDerived = (field: FieldDefinition): boolean =>
  !field.required &&
  (field.derivation !== undefined || ('plugin' in field && field.plugin.endsWith('Jacobian')));

/** A derivative of a function that is not given, itself not given: there is nothing to derive and nothing to show. */
export const isIdle = ({ key, derivation }: FieldDefinition, element: TypedElement): boolean =>
  derivation !== undefined && element[derivation.of] === undefined && element[key] === undefined;

/** The array a field starts with when its value is to be given. */
export function freshArray(field: FieldDefinition, sizes: Sizes): FieldValue | undefined {
  const sides = fieldSides(field);
  if (sides === null) return undefined;
  const rows = sideLength(sides.rows, sizes, 1);
  const columns = sideLength(sides.columns, sizes, 1);
  if (isVectorField(field)) {
    const start = typeof field.default === 'number' ? new Array<number>(columns).fill(field.default) : [];
    return resizeVector(start, columns);
  }
  const matrix = resizeMatrix([], rows, columns);
  return rows * columns > MOST_CELLS ? toSparse(matrix) : matrix;
}
