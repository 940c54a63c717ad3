/** Sizes that the fields of an element are measured in, as far as the document itself says them. */
import type {
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SparseMatrixValue,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type {
  Catalogue,
  Dimension,
  ElementDefinition,
  FieldDefinition,
  Order,
} from '@engine/model/definition';

type NamedDimension = Exclude<Dimension, number>;

/** Dimensions that the field's own entries decide. */
type OwnDimension = 'any' | 'lawSize' | 'externalSize';

/** Value of every dimension that something else than the field decides. */
export type Sizes = Readonly<Record<Exclude<NamedDimension, OwnDimension>, number>>;

/** Sizes of an element on its own, such as a new one or a setting. */
export const UNIT_SIZES: Sizes = { n: 1, ndof: 1, controlSize: 1, size: 1, linkedSize: 1 };

export const isOwnDimension = (dimension: Dimension): dimension is OwnDimension =>
  dimension === 'any' || dimension === 'lawSize' || dimension === 'externalSize';

/** Length of a side. @param present entries that the field has there */
export function sideLength(dimension: Dimension, sizes: Sizes, present: number): number {
  if (typeof dimension === 'number') return dimension;
  return isOwnDimension(dimension) ? Math.max(1, present) : sizes[dimension];
}

/** Rows and columns of an array-valued field as its definition says them; null for the others. */
export function fieldSides(field: FieldDefinition): { rows: Dimension; columns: Dimension } | null {
  switch (field.kind) {
    case 'vector':
    case 'vectorOrFunction':
      return { rows: 1, columns: field.length };
    case 'function':
      return field.length === undefined ? null : { rows: 1, columns: field.length };
    case 'matrix':
    case 'matrixOrFunction':
      return { rows: field.rows, columns: field.columns };
    default:
      return null;
  }
}

/** True of fields that hold one row, addressed by one index. */
export const isVectorField = (field: FieldDefinition): boolean =>
  field.kind === 'vector' ||
  field.kind === 'vectorOrFunction' ||
  (field.kind === 'function' && field.length !== undefined);

export const isSparse = (value: FieldValue | undefined): value is SparseMatrixValue =>
  typeof value === 'object' && !Array.isArray(value) && 'entries' in value;

/** Whether a value is a list of typed elements, and not an empty one. */
export function isElements(value: FieldValue | undefined): value is TypedElement[] {
  if (!Array.isArray(value)) return false;
  const [first] = value;
  return typeof first === 'object' && 'type' in first;
}

/** Rows that a matrix has by itself. */
export function sparseRows({ rows, entries }: SparseMatrixValue): number {
  return rows ?? entries.reduce((last, [row]) => Math.max(last, row + 1), 0);
}

/** Entries that a value has along a field's sides. */
export function presentSides(
  field: FieldDefinition,
  value: FieldValue | undefined,
): { rows: number; columns: number } {
  if (isSparse(value)) {
    const columns = value.entries.reduce((last, [, column]) => Math.max(last, column + 1), 0);
    return { rows: sparseRows(value), columns };
  }
  if (!Array.isArray(value)) return { rows: 0, columns: 0 };
  if (isVectorField(field)) return { rows: 1, columns: value.length };
  const [first] = value;
  return { rows: value.length, columns: Array.isArray(first) ? first.length : 0 };
}

/** A positive integer in a field, else its default, else 1. */
function countIn(element: TypedElement, definition: ElementDefinition | undefined, key: string): number {
  const value = element[key] ?? definition?.fields.find((field) => field.key === key)?.default;
  return typeof value === 'number' && value >= 1 ? value : 1;
}

/** Components of a system's state or coordinates, as its own data say; 1 when they do not. */
export function systemDimension(system: TypedElement): number {
  for (const key of ['n', 'ndof']) {
    const size = system[key];
    if (typeof size === 'number') return size;
  }
  for (const key of ['x0', 'q0']) {
    const start = system[key];
    if (Array.isArray(start)) return start.length;
  }
  return 1;
}

/** Rows of a relation: its `size`, else those of its first array over y. */
export function relationSize(relation: TypedElement, definition: ElementDefinition | undefined): number {
  const { size } = relation;
  if (typeof size === 'number') return size;
  for (const field of definition?.fields ?? []) {
    const sides = fieldSides(field);
    const present = presentSides(field, relation[field.key]);
    if (sides?.rows === 'size' && present.rows > 0) return present.rows;
    if (sides?.columns === 'size' && present.columns > 0) return present.columns;
  }
  return 1;
}

/** True where a relation says its number of outputs by the rows of its matrices alone. */
export const isSizedByMatrices = (definition: ElementDefinition | undefined): boolean =>
  definition !== undefined &&
  definition.fields.every(({ key }) => key !== 'size') &&
  definition.fields.some((field) => fieldSides(field)?.rows === 'size');

/** Sizes for the fields of a system. */
export function systemSizes(system: SystemDocument, definition?: ElementDefinition): Sizes {
  const dimension = systemDimension(system);
  const controlSize = countIn(system, definition, 'controlSize');
  return { n: dimension, ndof: dimension, controlSize, size: 1, linkedSize: dimension };
}

/** Components of the linked systems together. */
export function linkedStateSize(
  { systems }: Pick<ModelDocument, 'systems'>,
  interaction: InteractionDocument,
): number {
  return interaction.systems.reduce((sum, id) => {
    const system = systems.find((candidate) => candidate.id === id);
    return sum + (system === undefined ? 0 : systemDimension(system));
  }, 0);
}

/** Sizes for the fields of an interaction's relation and law. */
export function interactionSizes(
  document: Pick<ModelDocument, 'systems'>,
  interaction: InteractionDocument,
  relation: ElementDefinition | undefined,
): Sizes {
  // Nothing between 3D bodies is measured by their coordinates, and there may be very many of them.
  if (relation?.order === 'body')
    return { ...UNIT_SIZES, size: relationSize(interaction.relation, relation) };
  const linked = linkedStateSize(document, interaction);
  const size = relationSize(interaction.relation, relation);
  return { n: linked, ndof: linked, controlSize: 1, size, linkedSize: linked };
}

/** Order of the equations of motion of a system; undefined for a type that is not known. */
export function systemOrder(catalogue: Catalogue | null, system: TypedElement): Order | undefined {
  return catalogue?.systems.find(({ type }) => type === system.type)?.order;
}

/** Order of the systems that a relation links; undefined for a type that is not known. */
export function relationOrder(catalogue: Catalogue | null, relation: TypedElement): Order | undefined {
  return catalogue?.relations.find(({ type }) => type === relation.type)?.order;
}
