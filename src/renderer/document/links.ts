/** Links between systems and interactions: which are allowed, and what they change. */
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import type { Catalogue, FieldDefinition } from '@engine/model/definition';

/** An interaction acts between two systems, or between one system and the fixed world. */
export const MOST_LINKED_SYSTEMS = 2;

/** Why a link is refused; null when it is allowed. */
export type LinkRefusal = 'same-kind' | 'already-linked' | 'too-many' | 'built';

/** Degrees of freedom of a system, as its own data say; 1 when they do not. */
export function systemDimension(system: SystemDocument): number {
  const ndof = system['ndof'];
  if (typeof ndof === 'number') return ndof;
  const start = system['q0'];
  return Array.isArray(start) ? start.length : 1;
}

/** Says whether the two elements may be linked. Either may be named first. */
export function linkRefusal(document: ModelDocument, from: string, to: string): LinkRefusal | null {
  const ids = [from, to];
  const interaction = document.interactions.find((candidate) => ids.includes(candidate.id));
  const system = document.systems.find((candidate) => ids.includes(candidate.id));
  const known = (id: string): boolean =>
    document.systems.some((candidate) => candidate.id === id) ||
    document.interactions.some((candidate) => candidate.id === id);
  if (!known(from) || !known(to)) return 'built';
  if (interaction === undefined || system === undefined) return 'same-kind';
  if (interaction.systems.includes(system.id)) return 'already-linked';
  if (interaction.systems.length >= MOST_LINKED_SYSTEMS) return 'too-many';
  return null;
}

function linkedFields(catalogue: Catalogue | null, interaction: InteractionDocument): FieldDefinition[] {
  const relation = catalogue?.relations.find((definition) => definition.type === interaction.relation.type);
  return (relation?.fields ?? []).filter(
    (field) =>
      (field.kind === 'matrix' || field.kind === 'matrixOrFunction') && field.columns === 'linkedNdof',
  );
}

function eachRow(
  catalogue: Catalogue | null,
  interaction: InteractionDocument,
  change: (row: (number | string)[]) => void,
): void {
  for (const field of linkedFields(catalogue, interaction)) {
    const rows = interaction.relation[field.key];
    if (!Array.isArray(rows)) continue;
    for (const row of rows) if (Array.isArray(row)) change(row);
  }
}

const dimensionOf = (document: ModelDocument, id: string): number => {
  const system = document.systems.find((candidate) => candidate.id === id);
  return system === undefined ? 0 : systemDimension(system);
};

/** Links a system to an interaction; matrices over the linked coordinates get the columns they then need. */
export function link(document: ModelDocument, catalogue: Catalogue | null, from: string, to: string): void {
  const interaction = document.interactions.find((candidate) => candidate.id === from || candidate.id === to);
  if (interaction === undefined) return;
  const system = interaction.id === from ? to : from;
  interaction.systems.push(system);
  const wanted = interaction.systems.reduce((sum, id) => sum + dimensionOf(document, id), 0);
  eachRow(catalogue, interaction, (row) => {
    while (row.length < wanted) row.push(0);
  });
}

/** Takes a system out of an interaction, with its columns. */
export function unlink(
  document: ModelDocument,
  catalogue: Catalogue | null,
  interactionId: string,
  system: string,
): void {
  const interaction = document.interactions.find((candidate) => candidate.id === interactionId);
  const index = interaction?.systems.indexOf(system) ?? -1;
  if (interaction === undefined || index < 0) return;
  const before = interaction.systems.slice(0, index).reduce((sum, id) => sum + dimensionOf(document, id), 0);
  const width = dimensionOf(document, system);
  eachRow(catalogue, interaction, (row) => {
    if (row.length >= before + width) row.splice(before, width);
  });
  interaction.systems.splice(index, 1);
}

/** Removes elements, the links to them, and their places in the layout. */
export function removeElements(
  document: ModelDocument,
  catalogue: Catalogue | null,
  ids: readonly string[],
): void {
  const gone = new Set(ids);
  for (const interaction of document.interactions) {
    for (const id of ids)
      if (interaction.systems.includes(id)) unlink(document, catalogue, interaction.id, id);
  }
  document.systems = document.systems.filter((system) => !gone.has(system.id));
  document.interactions = document.interactions.filter((interaction) => !gone.has(interaction.id));
  for (const id of ids) delete document.layout.nodes[id];
}
