/** Which elements use which functions of the scripts, and where they could be used. */
import type {
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition, PluginKind } from '@engine/model/definition';
import { isElements } from '../document/sizes';

/** One use of a function. */
export interface FunctionUse {
  /** id of the system or interaction, or name of the observable */
  element: string;
  /** label of the field, e.g. `External force`; of an observable empty */
  field: string;
  isObservable: boolean;
}

/** Elements of a document: its own, or those its builder made. */
export interface UsingElements {
  systems: readonly SystemDocument[];
  interactions: readonly InteractionDocument[];
}

const referred = (value: FieldValue | undefined): string | null =>
  typeof value === 'object' && value !== null && 'function' in value && typeof value.function === 'string'
    ? value.function
    : null;

type Visit = (name: string, key: string, part: TypedElement) => void;

function visitElement(part: TypedElement, visit: Visit): void {
  for (const [key, value] of Object.entries(part)) {
    const name = referred(value);
    if (name !== null) visit(name, key, part);
    else if (isElements(value)) for (const one of value) visitElement(one, visit);
  }
}

const definitionsOf = (catalogue: Catalogue | null): ElementDefinition[] =>
  catalogue === null
    ? []
    : [...catalogue.systems, ...catalogue.relations, ...catalogue.laws, ...catalogue.shapes];

/** Uses of each function, in the order of the document. */
export function functionUses(
  document: ModelDocument,
  built: UsingElements | undefined,
  catalogue: Catalogue | null,
): ReadonlyMap<string, readonly FunctionUse[]> {
  const uses = new Map<string, FunctionUse[]>();
  const labels = new Map(
    definitionsOf(catalogue).map(({ type, fields }) => [
      type,
      new Map(fields.map(({ key, label }) => [key, label])),
    ]),
  );
  const add = (name: string, use: FunctionUse): void => {
    uses.set(name, [...(uses.get(name) ?? []), use]);
  };
  const visitOf =
    (element: string): Visit =>
    (name, key, { type }) =>
      add(name, { element, field: labels.get(type)?.get(key) ?? key, isObservable: false });
  for (const { systems, interactions } of [document, ...(built === undefined ? [] : [built])]) {
    for (const system of systems) visitElement(system, visitOf(system.id));
    for (const { id, relation, law } of interactions) {
      visitElement(relation, visitOf(id));
      visitElement(law, visitOf(id));
    }
  }
  for (const { name: element, function: name } of document.observables)
    if (name !== undefined) add(name, { element, field: '', isObservable: true });
  return uses;
}

/** A field of an element that could name a function. */
export interface FunctionField {
  element: string;
  /** where it is: a system, or the relation or law of an interaction */
  part: 'system' | 'relation' | 'law';
  key: string;
  label: string;
}

/** Fields of the document's elements that take a function of a kind. */
export function fieldsFor(kind: PluginKind, document: ModelDocument, catalogue: Catalogue): FunctionField[] {
  const fieldsOf = (
    definitions: readonly ElementDefinition[],
    element: string,
    part: FunctionField['part'],
    { type }: TypedElement,
  ): FunctionField[] =>
    (definitions.find((definition) => definition.type === type)?.fields ?? []).flatMap((field) =>
      'plugin' in field && field.plugin === kind
        ? [{ element, part, key: field.key, label: field.label }]
        : [],
    );
  return [
    ...document.systems.flatMap((system) => fieldsOf(catalogue.systems, system.id, 'system', system)),
    ...document.interactions.flatMap(({ id, relation, law }) => [
      ...fieldsOf(catalogue.relations, id, 'relation', relation),
      ...fieldsOf(catalogue.laws, id, 'law', law),
    ]),
  ];
}

/** Makes a field name a function, in a draft of the document. */
export function useFunction(
  document: ModelDocument,
  { element, part, key }: FunctionField,
  name: string,
): void {
  if (part === 'system') {
    const system = document.systems.find(({ id }) => id === element);
    if (system !== undefined) system[key] = { function: name };
    return;
  }
  const interaction = document.interactions.find(({ id }) => id === element);
  if (interaction !== undefined) interaction[part][key] = { function: name };
}

/** Names that the document's own elements use and no script exports, in their order. */
export function missingFunctions(
  document: ModelDocument,
  exported: ReadonlySet<string>,
  catalogue: Catalogue | null,
): string[] {
  return [...functionUses(document, undefined, catalogue).keys()].filter((name) => !exported.has(name));
}

function renameIn(part: TypedElement, from: string, to: string): void {
  for (const [key, value] of Object.entries(part)) {
    if (referred(value) === from) part[key] = { function: to };
    else if (isElements(value)) for (const one of value) renameIn(one, from, to);
  }
}

/**
 * Makes everything in the document that names a function name it by another name. Program text is not
 * touched.
 */
export function renameUses(document: ModelDocument, from: string, to: string): void {
  for (const system of document.systems) renameIn(system, from, to);
  for (const { relation, law } of document.interactions) {
    renameIn(relation, from, to);
    renameIn(law, from, to);
  }
  for (const observable of document.observables) if (observable.function === from) observable.function = to;
}

/** The kind of function that the first use of a name asks for; null where nothing of the document uses it. */
export function kindOfUse(name: string, document: ModelDocument, catalogue: Catalogue): PluginKind | null {
  let found: PluginKind | null = null;
  const definitions = new Map(definitionsOf(catalogue).map((definition) => [definition.type, definition]));
  const visit: Visit = (used, key, { type }) => {
    const field = definitions.get(type)?.fields.find((candidate) => candidate.key === key);
    if (used === name && field !== undefined && 'plugin' in field) found ??= field.plugin;
  };
  for (const system of document.systems) visitElement(system, visit);
  for (const { relation, law } of document.interactions) {
    visitElement(relation, visit);
    visitElement(law, visit);
  }
  if (found === null && document.observables.some((observable) => observable.function === name))
    return 'observable';
  return found;
}
