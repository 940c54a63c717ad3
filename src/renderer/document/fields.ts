/** Fields of typed elements: sizes, and what happens to arrays when a size changes. */
import type {
  Expression,
  FieldValue,
  InteractionDocument,
  ModelDocument,
  TypedElement,
} from '@engine/document/types';
import type { Dimension, ElementDefinition, FieldDefinition } from '@engine/model/definition';
import { systemDimension } from './links';

/** Value of a field, or nothing where an optional one is absent. */
export type OptionalValue = FieldValue | undefined;

/** Sizes an element's fields are measured in. */
export type Sizes = Record<Dimension, number>;

/** Rows of a relation: its `size`, else the rows of its first matrix or vector over gap functions. */
function relationSize(relation: TypedElement, definition: ElementDefinition | undefined): number {
  const size = relation['size'];
  if (typeof size === 'number') return size;
  for (const field of definition?.fields ?? []) {
    const over =
      field.kind === 'vector' || field.kind === 'vectorOrFunction'
        ? field.length
        : field.kind === 'matrix' || field.kind === 'matrixOrFunction'
          ? field.rows
          : null;
    const value = relation[field.key];
    if (over === 'size' && Array.isArray(value) && value.length > 0) return value.length;
  }
  return 1;
}

/** Unit of a system's coordinates; metres unless it says otherwise. */
export function coordinateUnit(system: TypedElement | undefined): string {
  const unit = system?.['coordinateUnit'];
  return typeof unit === 'string' && unit !== '' ? unit : 'm';
}

/** Sizes for the fields of a system. */
export function systemSizes(element: TypedElement & { id: string }): Sizes {
  const ndof = systemDimension(element);
  return { ndof, size: 1, linkedNdof: ndof };
}

/** Sizes for the fields of an interaction's relation and law. */
export function interactionSizes(
  document: Pick<ModelDocument, 'systems'>,
  interaction: InteractionDocument,
  relation: ElementDefinition | undefined,
): Sizes {
  const linkedNdof = interaction.systems.reduce((sum, id) => {
    const system = document.systems.find((candidate) => candidate.id === id);
    return sum + (system === undefined ? 0 : systemDimension(system));
  }, 0);
  return { ndof: linkedNdof, size: relationSize(interaction.relation, relation), linkedNdof };
}

/** A vector of `length`, keeping the entries it had. */
export function resizeVector(value: readonly Expression[], length: number): Expression[] {
  return Array.from({ length }, (_, i) => value[i] ?? 0);
}

/** A matrix of `rows` by `columns`, keeping the entries it had; new diagonal entries of a square one are 1. */
export function resizeMatrix(
  value: readonly (readonly Expression[])[],
  rows: number,
  columns: number,
): Expression[][] {
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => value[i]?.[j] ?? (rows === columns && i === j ? 1 : 0)),
  );
}

/** The value of a field brought to its size; constants, functions and absent values stay as they are. */
export function resizeField(field: FieldDefinition, value: OptionalValue, sizes: Sizes): OptionalValue {
  if (!Array.isArray(value)) return value;
  if (field.kind === 'vector' || field.kind === 'vectorOrFunction') {
    return resizeVector(value as Expression[], sizes[field.length]);
  }
  if (field.kind === 'matrix' || field.kind === 'matrixOrFunction') {
    return resizeMatrix(value as Expression[][], sizes[field.rows], sizes[field.columns]);
  }
  return value;
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

/** Takes the type of another definition: fields of the same name keep their values, the others start anew. */
export function changeType(element: TypedElement, fresh: TypedElement): TypedElement {
  const next: TypedElement = { ...fresh };
  if (typeof element['id'] === 'string') next['id'] = element['id'];
  for (const key of Object.keys(fresh)) {
    const kept = element[key];
    if (key !== 'type' && kept !== undefined) next[key] = kept;
  }
  return next;
}
