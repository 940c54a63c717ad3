/** What several elements have in common: the fields they share, and whether their values agree. */
import type { FieldValue, ModelDocument, TypedElement } from '@engine/document/types';
import type { Catalogue, ElementDefinition, FieldDefinition } from '@engine/model/definition';
import { resizeElement } from './fields';
import { resizeLinks } from './links';
import { interactionSizes, systemDimension, systemSizes } from './sizes';

/** Part of an element that has a definition of its own. */
export type ElementPart = 'system' | 'relation' | 'law';

/** One of several elements that are edited together. */
export interface Member {
  /** of the system or interaction */
  readonly id: string;
  /** place in its list in the document */
  readonly index: number;
  readonly element: TypedElement;
  readonly definition: ElementDefinition | undefined;
}

export interface CommonField {
  readonly field: Exclude<FieldDefinition, { kind: 'elements' | 'element' }>;
  /** of the first element */
  readonly value: FieldValue | undefined;
  /** whether the others have another */
  readonly mixed: boolean;
}

/** The members that one part of the selected elements amounts to, in the order of the document. */
export function membersOf(
  document: ModelDocument,
  catalogue: Catalogue | null,
  ids: ReadonlySet<string>,
  part: ElementPart,
): Member[] {
  const group = { system: 'systems', relation: 'relations', law: 'laws' } as const;
  const definitionOf = (type: string): ElementDefinition | undefined =>
    catalogue?.[group[part]].find((candidate) => candidate.type === type);
  if (part === 'system') {
    return document.systems.flatMap((element, index) =>
      ids.has(element.id) ? [{ id: element.id, index, element, definition: definitionOf(element.type) }] : [],
    );
  }
  return document.interactions.flatMap((interaction, index) => {
    const element = interaction[part];
    if (!ids.has(interaction.id)) return [];
    return [{ id: interaction.id, index, element, definition: definitionOf(element.type) }];
  });
}

/** Whether a value of one field is a value of the other as well. */
function isSameField(a: FieldDefinition, b: FieldDefinition): boolean {
  const shape = ({ kind, unit, ...rest }: FieldDefinition): string => {
    const { length, rows, columns, plugin, options } = rest as Readonly<Record<string, unknown>>;
    return JSON.stringify([kind, unit, length, rows, columns, plugin, options]);
  };
  return a.key === b.key && shape(a) === shape(b);
}

const isSameValue = (a: FieldValue | undefined, b: FieldValue | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** The fields that every member has, in the order of the first one's definition. */
export function commonFields(members: readonly Member[]): CommonField[] {
  const [first] = members;
  if (first === undefined) return [];
  return (first.definition?.fields ?? []).flatMap((field): CommonField[] => {
    if (field.kind === 'elements' || field.kind === 'element') return [];
    const isShared = members.every(({ definition }) =>
      definition?.fields.some((other) => isSameField(field, other)),
    );
    if (!isShared) return [];
    const value = first.element[field.key];
    const mixed = members.some(({ element }) => !isSameValue(element[field.key], value));
    return [{ field, value, mixed }];
  });
}

/** Fields that other fields are measured by. */
const SIZE_KEYS: ReadonlySet<string> = new Set(['n', 'ndof', 'controlSize']);

function write(element: TypedElement, key: string, value: FieldValue | undefined): void {
  if (value === undefined) delete element[key];
  else element[key] = value;
}

/** Sets or removes a field of a system; what it is a measure of follows. */
export function setSystemField(
  draft: ModelDocument,
  catalogue: Catalogue | null,
  index: number,
  key: string,
  value: FieldValue | undefined,
): void {
  const system = draft.systems[index];
  if (system === undefined) return;
  const definition = catalogue?.systems.find(({ type }) => type === system.type);
  const before = systemDimension(system);
  write(system, key, value);
  if (!SIZE_KEYS.has(key) || !Number.isInteger(value)) return;
  resizeElement(system, definition, systemSizes(system, definition));
  resizeLinks(draft, catalogue, system.id, before);
}

/** Sets or removes a field of the condition of an interaction. */
export function setPresenceField(
  draft: ModelDocument,
  index: number,
  key: string,
  value: FieldValue | undefined,
): void {
  const presence = draft.interactions[index]?.while;
  if (presence !== undefined) write(presence, key, value);
}

/** Sets or removes a field of the relation or the law of an interaction. */
export function setInteractionField(
  draft: ModelDocument,
  catalogue: Catalogue | null,
  index: number,
  part: 'relation' | 'law',
  key: string,
  value: FieldValue | undefined,
): void {
  const interaction = draft.interactions[index];
  if (interaction === undefined) return;
  write(interaction[part], key, value);
  if (key !== 'size' || typeof value !== 'number') return;
  const relation = catalogue?.relations.find(({ type }) => type === interaction.relation.type);
  resizeElement(interaction.relation, relation, interactionSizes(draft, interaction, relation));
}

/** Sets or removes a field of every member. */
export function setCommonField(
  draft: ModelDocument,
  catalogue: Catalogue | null,
  members: readonly Member[],
  part: ElementPart,
  key: string,
  value: FieldValue | undefined,
): void {
  for (const { index } of members) {
    // One object in two places of a document would be edited in both.
    const own = typeof value === 'object' ? (JSON.parse(JSON.stringify(value)) as FieldValue) : value;
    if (part === 'system') setSystemField(draft, catalogue, index, key, own);
    else setInteractionField(draft, catalogue, index, part, key, own);
  }
}
