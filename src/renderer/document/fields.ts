/** Fields of typed elements: what happens to their values when a size or a type changes. */
import type { Expression, FieldValue, SparseMatrixValue, TypedElement } from '@engine/document/types';
import type { Dimension, ElementDefinition, FieldDefinition } from '@engine/model/definition';
import { MOST_CELLS, toSparse } from './matrix-text';
import {
  fieldSides,
  isElements,
  isSparse,
  isVectorField,
  presentSides,
  sideLength,
  type Sizes,
  sparseRows,
} from './sizes';

/** Value of a field, or nothing where an optional one is absent. */
export type OptionalValue = FieldValue | undefined;

/** Unit of a system's coordinates or states, empty where they have none. */
export function fieldCoordinateUnit(
  system: TypedElement | undefined,
  definition?: ElementDefinition,
): string {
  const key = definition?.order === 1 ? 'stateUnit' : 'coordinateUnit';
  const byDefault = definition?.fields.find((field) => field.key === key)?.default ?? 'm';
  const unit = system?.[key] ?? byDefault;
  return typeof unit === 'string' && unit !== '' ? unit : 'm';
}

/** Unit of a field with the coordinates' own unit in it; empty for a number. */
export function fieldUnit(unit: string, coordinate: string | undefined): string {
  const written = unit.replace(/\bq\b/g, coordinate ?? 'q');
  // A length for a length is a number, and so is one for one.
  if (written === 'm/m' || written === '1') return '';
  return written.replace(/\/1$/, '');
}

/** A vector of `length`, keeping the entries it had. */
export function resizeVector(value: readonly Expression[], length: number): Expression[] {
  return Array.from({ length }, (_, i) => value[i] ?? 0);
}

/**
 * A matrix of `rows` by `columns`, keeping the entries it had; new diagonal entries of a square one are 1.
 */
export function resizeMatrix(
  value: readonly (readonly Expression[])[],
  rows: number,
  columns: number,
): Expression[][] {
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => value[i]?.[j] ?? (rows === columns && i === j ? 1 : 0)),
  );
}

/** A matrix of entries with what lies outside `rows` by `columns` left out. */
function resizeSparse(value: SparseMatrixValue, rows: number, columns: number): SparseMatrixValue {
  const entries = value.entries.filter(([i, j]) => i < rows && j < columns);
  const isSaid = value.rows !== undefined || sparseRows({ entries }) !== rows;
  return isSaid ? { rows, entries } : { entries };
}

/** The value of a field brought to its size; constants, functions and absent values stay as they are. */
export function resizeField(field: FieldDefinition, value: OptionalValue, sizes: Sizes): OptionalValue {
  const sides = fieldSides(field);
  if (sides === null) return value;
  const present = presentSides(field, value);
  const rows = sideLength(sides.rows, sizes, present.rows);
  const columns = sideLength(sides.columns, sizes, present.columns);
  if (isSparse(value)) return resizeSparse(value, rows, columns);
  if (!Array.isArray(value)) return value;
  if (isVectorField(field)) return resizeVector(value as Expression[], columns);
  const matrix = resizeMatrix(value as Expression[][], rows, columns);
  // Almost all of a matrix that grew so large is zero.
  return rows * columns > MOST_CELLS ? toSparse(matrix) : matrix;
}

/** Brings every array of an element to the size its definition asks for. */
export function resizeElement(
  element: TypedElement,
  definition: ElementDefinition | undefined,
  sizes: Sizes,
): void {
  for (const field of definition?.fields ?? []) {
    const value = element[field.key];
    if (value === undefined) continue;
    const resized = resizeField(field, value, sizes);
    if (resized !== undefined && JSON.stringify(resized) !== JSON.stringify(value))
      element[field.key] = resized;
  }
}

const SHAPES = {
  none: 0,
  number: 1,
  text: 2,
  vector: 3,
  matrix: 4,
  function: 5,
  elements: 6,
  element: 7,
} as const;

/** What a value is, so far as a field can accept it. */
function shapeOf(value: FieldValue): number {
  if (typeof value === 'number') return SHAPES.number;
  if (typeof value === 'string') return SHAPES.text;
  if (isSparse(value)) return SHAPES.matrix;
  if (!Array.isArray(value)) return 'type' in value ? SHAPES.element : SHAPES.function;
  if (isElements(value)) return SHAPES.elements;
  return value.some((entry) => Array.isArray(entry)) ? SHAPES.matrix : SHAPES.vector;
}

/**
 * Whether a vector has the length that its field asks for by a number; other lengths follow their elements.
 */
const isOfLength = (length: Dimension, value: FieldValue): boolean =>
  typeof length !== 'number' || (Array.isArray(value) && value.length === length);

/** Whether a value of another type of element means something in a field of the same key. */
function accepts(field: FieldDefinition, value: FieldValue): boolean {
  const shape = shapeOf(value);
  switch (field.kind) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && value >= field.min && value <= field.max;
    case 'number':
      return shape === SHAPES.number || shape === SHAPES.text;
    case 'text':
    case 'reference':
      return shape === SHAPES.text;
    case 'choice':
      return field.options.some((option) => option.value === value);
    case 'vector':
      return shape === SHAPES.vector && isOfLength(field.length, value);
    case 'signals':
      return shape === SHAPES.vector;
    case 'matrix':
      return shape === SHAPES.matrix;
    case 'vectorOrFunction':
      return shape === SHAPES.function || (shape === SHAPES.vector && isOfLength(field.length, value));
    case 'matrixOrFunction':
      return shape === SHAPES.matrix || shape === SHAPES.function;
    case 'function':
      if (shape === SHAPES.function) return true;
      return field.length !== undefined && shape === SHAPES.vector && isOfLength(field.length, value);
    case 'expression':
      return shape === SHAPES.number || shape === SHAPES.text;
    case 'components':
      return shape === SHAPES.vector;
    case 'elements':
      return shape === SHAPES.elements;
    case 'element':
      return shape === SHAPES.element;
  }
}

/** Kind of script function that a field takes. */
const pluginOf = (definition: ElementDefinition | undefined, key: string): string | undefined => {
  const field = definition?.fields.find((candidate) => candidate.key === key);
  return field !== undefined && 'plugin' in field ? field.plugin : undefined;
};

/**
 * Takes the type of another definition: fields of the same key keep their values where the new field accepts
 * them, the others start from defaults. Script functions are kept if they take the same arguments.
 * @param previous definition of the type the element has had
 */
export function changeType(
  element: TypedElement,
  fresh: TypedElement,
  definition: ElementDefinition,
  previous?: ElementDefinition,
): TypedElement {
  const next: TypedElement = { ...fresh };
  for (const key of ['id', 'systems']) if (element[key] !== undefined) next[key] = element[key];
  for (const field of definition.fields) {
    const kept = element[field.key];
    if (kept === undefined || !accepts(field, kept)) continue;
    const isFunction = shapeOf(kept) === SHAPES.function;
    if (isFunction && pluginOf(previous, field.key) !== pluginOf(definition, field.key)) continue;
    next[field.key] = kept;
  }
  return next;
}
