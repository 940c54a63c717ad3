/** Links between systems and interactions: which are allowed, and what they change. */
import type {
  Expression,
  InteractionDocument,
  ModelDocument,
  SparseMatrixValue,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition, FieldDefinition, Order } from '@engine/model/definition';
import { beforeEdit } from './drafts';
import { leaveGroups } from './frames';
import { fieldSides, isSparse, linkedStateSize, relationOrder, systemDimension, systemOrder } from './sizes';
import { withHold } from './space-joints';

/** Why a link is refused; null when it is allowed. */
export type LinkRefusal =
  | 'same-kind'
  | 'already-linked'
  | 'lagrangian-relation'
  | 'first-order-relation'
  | 'space-relation'
  | 'space-body'
  | 'bodies-only'
  | 'enough-bodies'
  | 'built';

/** Says whether the two elements may be linked. Either may be named first. */
export function linkRefusal(
  document: ModelDocument,
  catalogue: Catalogue | null,
  from: string,
  to: string,
): LinkRefusal | null {
  const ids = [from, to];
  const interaction = document.interactions.find((candidate) => ids.includes(candidate.id));
  const system = document.systems.find((candidate) => ids.includes(candidate.id));
  const known = (id: string): boolean =>
    document.systems.some((candidate) => candidate.id === id) ||
    document.interactions.some((candidate) => candidate.id === id);
  if (!known(from) || !known(to)) return 'built';
  if (interaction === undefined || system === undefined) return 'same-kind';
  if (interaction.systems.includes(system.id)) return 'already-linked';
  const order = relationOrder(catalogue, interaction.relation);
  const systems = systemOrder(catalogue, system);
  if (order !== undefined && systems !== undefined && order !== systems) return orderRefusal(order, systems);
  const links = catalogue?.relations.find(({ type }) => type === interaction.relation.type)?.links;
  if (links === undefined) return null;
  if (!links.types.includes(system.type)) return 'bodies-only';
  return interaction.systems.length >= links.most ? 'enough-bodies' : null;
}

/** Types of systems, or of relations, that may be linked to an element: what fits at the end of a link. */
export function linkPartners(
  document: ModelDocument,
  catalogue: Catalogue,
  id: string,
): { kind: 'system' | 'relation'; types: ReadonlySet<string> } | null {
  const names = (definitions: readonly ElementDefinition[]): ReadonlySet<string> =>
    new Set(definitions.map(({ type }) => type));
  const system = document.systems.find((one) => one.id === id);
  if (system !== undefined) {
    const order = systemOrder(catalogue, system);
    const fit = catalogue.relations.filter(
      (one) => one.order === order && one.links?.types.includes(system.type) !== false,
    );
    return { kind: 'relation', types: names(fit) };
  }
  const interaction = document.interactions.find((one) => one.id === id);
  if (interaction === undefined) return null;
  const relation = catalogue.relations.find(({ type }) => type === interaction.relation.type);
  const isFull = relation?.links !== undefined && interaction.systems.length >= relation.links.most;
  const fit = catalogue.systems.filter(
    (one) => !isFull && one.order === relation?.order && relation?.links?.types.includes(one.type) !== false,
  );
  return { kind: 'system', types: names(fit) };
}

/** What the relation is for, where the system is something else. */
function orderRefusal(relation: Order, system: Order): LinkRefusal {
  if (relation === 'body') return 'space-relation';
  if (system === 'body') return 'space-body';
  return relation === 1 ? 'first-order-relation' : 'lagrangian-relation';
}

/** Ids of the systems that an interaction may link besides those it does, in one pass over very many. */
export function linkable(
  { systems }: Pick<ModelDocument, 'systems'>,
  catalogue: Catalogue | null,
  interaction: InteractionDocument,
): string[] {
  const relation = catalogue?.relations.find(({ type }) => type === interaction.relation.type);
  const linked = new Set(interaction.systems);
  if (relation?.links !== undefined && linked.size >= relation.links.most) return [];
  return systems
    .filter((system) => {
      if (linked.has(system.id) || relation?.links?.types.includes(system.type) === false) return false;
      const order = systemOrder(catalogue, system);
      return order === undefined || relation?.order === undefined || order === relation.order;
    })
    .map(({ id }) => id);
}

/** Whether a relation may stand on the systems that are linked already. */
export function suitsLinked(
  document: ModelDocument,
  { links }: ElementDefinition,
  linked: readonly string[],
): boolean {
  if (links === undefined) return true;
  const ids = new Set(linked);
  const types = document.systems.filter(({ id }) => ids.has(id)).map(({ type }) => type);
  return types.length <= links.most && types.every((type) => links.types.includes(type));
}

/** Replaces `removed` of the linked components from `at` on by `added` new ones. */
interface Splice {
  at: number;
  removed: number;
  added: number;
}

/** Shifts places of entries as a splice of their rows or columns does; null for a removed one. */
function shifted(place: number, { at, removed, added }: Splice): number | null {
  if (place < at) return place;
  return place < at + removed ? null : place + added - removed;
}

function spliceSparse(value: SparseMatrixValue, side: 0 | 1, splice: Splice): SparseMatrixValue {
  const entries = value.entries.flatMap((entry): SparseMatrixValue['entries'] => {
    const place = shifted(entry[side], splice);
    if (place === null) return [];
    const [i, j, number] = entry;
    return [side === 0 ? [place, j, number] : [i, place, number]];
  });
  const { rows } = value;
  if (side === 1 || rows === undefined) return { ...value, entries };
  return { ...value, rows: Math.max(1, rows + splice.added - splice.removed), entries };
}

/** A matrix that had no columns or rows gets a diagonal, so that it means something. */
function spliceRows(rows: Expression[][], width: number, { at, removed, added }: Splice): void {
  const wasEmpty = rows.length === 0;
  const fresh = Array.from({ length: added }, (_, i) =>
    Array.from({ length: width }, (_, j): Expression => (wasEmpty && i === j ? 1 : 0)),
  );
  rows.splice(at, removed, ...fresh);
}

function spliceColumns(rows: Expression[][], { at, removed, added }: Splice): void {
  rows.forEach((row, i) => {
    const wasEmpty = row.length === 0;
    const fresh = Array.from({ length: added }, (_, j): Expression => (wasEmpty && i === j ? 1 : 0));
    row.splice(at, removed, ...fresh);
  });
}

function spliceField(
  interaction: InteractionDocument,
  field: FieldDefinition,
  size: number,
  before: number,
  splice: Splice,
): void {
  const sides = fieldSides(field);
  const side = sides?.columns === 'linkedSize' ? 1 : sides?.rows === 'linkedSize' ? 0 : null;
  const value = interaction.relation[field.key];
  if (side === null || value === undefined) return;
  if (isSparse(value)) interaction.relation[field.key] = spliceSparse(value, side, splice);
  if (!Array.isArray(value)) return;
  const rows = value as Expression[][];
  if (!rows.every((row) => Array.isArray(row))) return;
  // What does not have the size it should is left to its author.
  const present = side === 0 ? rows.length : (rows[0]?.length ?? 0);
  if (present !== before) return;
  if (side === 0) spliceRows(rows, size, splice);
  else spliceColumns(rows, splice);
}

/**
 * Applies a change of the linked components to everything in the relation that has one row or column for
 * each.
 */
function spliceLinked(
  catalogue: Catalogue | null,
  interaction: InteractionDocument,
  before: number,
  splice: Splice,
): void {
  const relation = catalogue?.relations.find(({ type }) => type === interaction.relation.type);
  if (relation === undefined) return;
  const { size } = relationSizes(interaction, relation.fields);
  for (const field of relation.fields) spliceField(interaction, field, size, before, splice);
}

/** Number of outputs of a relation, read from a field that is not over the linked components. */
function relationSizes(
  { relation }: InteractionDocument,
  fields: readonly FieldDefinition[],
): { size: number } {
  const { size } = relation;
  if (typeof size === 'number') return { size };
  for (const field of fields) {
    const value = relation[field.key];
    if (fieldSides(field)?.rows === 'size' && Array.isArray(value)) return { size: value.length };
  }
  return { size: 1 };
}

const dimensionOf = (document: ModelDocument, id: string): number => {
  const system = document.systems.find((candidate) => candidate.id === id);
  return system === undefined ? 0 : systemDimension(system);
};

/** Links a system to an interaction; matrices over the linked components grow with them. */
export function link(document: ModelDocument, catalogue: Catalogue | null, from: string, to: string): void {
  const interaction = document.interactions.find((candidate) => candidate.id === from || candidate.id === to);
  if (interaction === undefined) return;
  const system = interaction.id === from ? to : from;
  if (relationOrder(catalogue, interaction.relation) === 'body') {
    withHold(document, interaction, () => interaction.systems.push(system));
    return;
  }
  const at = linkedStateSize(document, interaction);
  const added = dimensionOf(document, system);
  const isFirst = interaction.systems.length === 0;
  interaction.systems.push(system);
  // A new interaction has one column that stands for what it will be linked to.
  if (isFirst) {
    spliceLinked(catalogue, interaction, 1, {
      at: Math.min(1, added),
      removed: 0,
      added: added - 1,
    });
    spliceLinked(catalogue, interaction, 0, { at: 0, removed: 0, added });
  } else {
    spliceLinked(catalogue, interaction, at, { at, removed: 0, added });
  }
}

/** Takes a system out of an interaction, with its columns. */
export function unlink(
  document: ModelDocument,
  catalogue: Catalogue | null,
  interactionId: string,
  system: string,
): void {
  const interaction = document.interactions.find((candidate) => candidate.id === interactionId);
  if (interaction !== undefined) takeOut(document, catalogue, interaction, system);
}

/** @param document where the sizes of systems are looked up; only the interaction is changed */
function takeOut(
  document: ModelDocument,
  catalogue: Catalogue | null,
  interaction: InteractionDocument,
  system: string,
): void {
  const index = interaction.systems.indexOf(system);
  if (index < 0) return;
  if (relationOrder(catalogue, interaction.relation) === 'body') {
    withHold(document, interaction, () => interaction.systems.splice(index, 1));
    return;
  }
  const width = linkedStateSize(document, interaction);
  const at = interaction.systems.slice(0, index).reduce((sum, id) => sum + dimensionOf(document, id), 0);
  const removed = dimensionOf(document, system);
  spliceLinked(catalogue, interaction, width, { at, removed, added: 0 });
  interaction.systems.splice(index, 1);
}

/** Rows or columns of a field over the linked components in another order; `order[new]` is the old place. */
function reorderField(
  interaction: InteractionDocument,
  field: FieldDefinition,
  order: readonly number[],
): void {
  const sides = fieldSides(field);
  const value = interaction.relation[field.key];
  const side = sides?.columns === 'linkedSize' ? 1 : sides?.rows === 'linkedSize' ? 0 : null;
  if (side === null || value === undefined) return;
  if (isSparse(value)) {
    const places = new Map(order.map((old, at) => [old, at]));
    const entries = value.entries.map((entry): SparseMatrixValue['entries'][number] => {
      const place = places.get(entry[side]) ?? entry[side];
      return side === 0 ? [place, entry[1], entry[2]] : [entry[0], place, entry[2]];
    });
    interaction.relation[field.key] = { ...value, entries };
    return;
  }
  if (!Array.isArray(value)) return;
  const rows = value as Expression[][];
  const reordered = <T>(list: readonly T[]): T[] => order.map((old) => list[old]);
  // What does not have the size it should is left to its author.
  if (side === 0 && rows.length === order.length) interaction.relation[field.key] = reordered(rows);
  else if (side === 1 && rows.every((row) => Array.isArray(row) && row.length === order.length))
    interaction.relation[field.key] = rows.map(reordered);
}

/**
 * Gives a linked system another place among those of its interaction; the columns of the matrices go with it.
 */
export function moveLink(
  document: ModelDocument,
  catalogue: Catalogue | null,
  interactionId: string,
  from: number,
  to: number,
): void {
  const interaction = document.interactions.find(({ id }) => id === interactionId);
  const system = interaction?.systems[from];
  if (interaction === undefined || system === undefined || interaction.systems[to] === undefined) return;
  const move = (): void => {
    interaction.systems.splice(from, 1);
    interaction.systems.splice(to, 0, system);
  };
  const relation = catalogue?.relations.find(({ type }) => type === interaction.relation.type);
  if (relation?.order === 'body') {
    withHold(document, interaction, move);
    return;
  }
  let start = 0;
  const blocks = interaction.systems.map((id) => {
    const size = dimensionOf(document, id);
    const block = Array.from({ length: size }, (_, i) => start + i);
    start += size;
    return block;
  });
  blocks.splice(to, 0, ...blocks.splice(from, 1));
  move();
  const order = blocks.flat();
  for (const field of relation?.fields ?? []) reorderField(interaction, field, order);
}

/**
 * Follows a change of a system's size in the interactions that link it: components are added or removed at
 * its end. The document has the new size already.
 * @param before size the system had
 */
export function resizeLinks(
  document: ModelDocument,
  catalogue: Catalogue | null,
  system: string,
  before: number,
): void {
  const after = dimensionOf(document, system);
  if (after === before) return;
  for (const interaction of document.interactions) {
    const index = interaction.systems.indexOf(system);
    if (index < 0) continue;
    const start = interaction.systems.slice(0, index).reduce((sum, id) => sum + dimensionOf(document, id), 0);
    const width = linkedStateSize(document, interaction) - after + before;
    spliceLinked(catalogue, interaction, width, {
      at: start + Math.min(before, after),
      removed: Math.max(0, before - after),
      added: Math.max(0, after - before),
    });
  }
}

/**
 * Removes elements, the links to them, and their places in the layout and in the integrators. The elements of
 * a draft must be as they were before the edit.
 */
export function removeElements(
  document: ModelDocument,
  catalogue: Catalogue | null,
  ids: readonly string[],
): void {
  const gone = new Set(ids);
  const before = beforeEdit(document);
  const { systems, interactions } = before;
  const kept = interactions.flatMap((interaction, index): InteractionDocument[] => {
    if (gone.has(interaction.id)) return [];
    const lost = interaction.systems.filter((id) => gone.has(id));
    const changed = lost.length === 0 ? undefined : document.interactions[index];
    if (changed === undefined) return [interaction];
    for (const id of new Set(lost)) takeOut(before, catalogue, changed, id);
    return [changed];
  });
  document.systems = systems.filter(({ id }) => !gone.has(id));
  document.interactions = kept;
  for (const id of ids) delete document.layout.nodes[id];
  leaveGroups(document.layout, gone);
  const { simulation } = document;
  for (const integrator of simulation.integrators) {
    if (integrator.systems === undefined) continue;
    // What is inside of an instance goes with it.
    integrator.systems = integrator.systems.filter((name) => !gone.has(name.split(/[.[]/, 1)[0] ?? name));
  }
  // One that named none but these would otherwise take what it was never meant for.
  simulation.integrators = simulation.integrators.filter(({ systems }) => systems?.length !== 0);
}
