/** New documents and new parts of one, filled from the definitions of the catalogue. */
import type {
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition, FieldDefinition } from '@engine/model/definition';

/** `base`, or `base-2`, `base-3` … when it is taken. */
export function freshName(base: string, taken: Iterable<string>, separator = '-'): string {
  const used = new Set(taken);
  if (!used.has(base)) return base;
  let number = 2;
  while (used.has(`${base}${separator}${number}`)) number++;
  return `${base}${separator}${number}`;
}

/** File-name form of a title: lower case, words joined by hyphens. */
export function slug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? 'model' : words.split(/\s+/).slice(0, 8).join('-');
}

const zeros = (length: number): number[] => new Array<number>(length).fill(0);

const identity = (rows: number, columns: number): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => (i === j ? 1 : 0)));

/** Sizes a new element is made with. */
export interface NewSizes {
  ndof: number;
  size: number;
  linkedNdof: number;
}

function initialValue(field: FieldDefinition, sizes: NewSizes): FieldValue | undefined {
  if (field.default !== undefined) return field.default;
  if (!field.required) return undefined;
  switch (field.kind) {
    case 'integer':
      return Math.max(1, field.min);
    case 'number':
      return field.exclusiveMin === true ? (field.min ?? 0) + 1 : (field.min ?? 0);
    case 'vector':
    case 'vectorOrFunction':
      return zeros(sizes[field.length]);
    case 'matrix':
    case 'matrixOrFunction':
      return identity(sizes[field.rows], sizes[field.columns]);
    case 'choice':
      return field.options[0]?.value ?? '';
    case 'function':
      return { function: '' };
  }
}

/** A typed element with its required fields filled. */
export function newElement(definition: ElementDefinition, sizes: NewSizes): TypedElement {
  const element: TypedElement = { type: definition.type };
  for (const field of definition.fields) {
    const value = initialValue(field, sizes);
    if (value !== undefined && (field.required || field.default === undefined)) element[field.key] = value;
  }
  return element;
}

/** A system of one degree of freedom. */
export function newSystem(definition: ElementDefinition, id: string): SystemDocument {
  return { ...newElement(definition, { ndof: 1, size: 1, linkedNdof: 1 }), id };
}

/** An interaction of one gap function with nothing linked yet, or with `systems`. */
export function newInteraction(
  relation: ElementDefinition,
  law: ElementDefinition,
  id: string,
  systems: string[] = [],
  linkedNdof = 1,
): InteractionDocument {
  const sizes = { ndof: 1, size: 1, linkedNdof };
  return { id, systems, relation: newElement(relation, sizes), law: newElement(law, sizes) };
}

const first = (definitions: readonly ElementDefinition[], type: string): TypedElement => {
  const definition = definitions[0];
  return definition === undefined ? { type } : newElement(definition, { ndof: 1, size: 1, linkedNdof: 1 });
};

/** An untitled document without elements. */
export function emptyDocument(
  catalogue: Catalogue | null,
  formatVersion: number,
  title: string,
): ModelDocument {
  return {
    formatVersion,
    title,
    parameters: [],
    systems: [],
    interactions: [],
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd: 5,
      h: 0.001,
      integrator: first(catalogue?.integrators ?? [], 'MoreauJean'),
      problem: first(catalogue?.problems ?? [], 'LCP'),
      solver: first(catalogue?.solvers ?? [], 'auto'),
    },
    observables: [],
    scripts: [],
    views: [],
    layout: { nodes: {} },
  };
}
