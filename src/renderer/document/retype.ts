/** What changes with the type of a relation or law. */
import type { InteractionDocument } from '@engine/document/types';
import type { Catalogue, ElementDefinition } from '@engine/model/definition';
import { firstLaw, lawSuits, newElement } from './factory';
import { changeType, resizeElement } from './fields';
import { fieldSides, type Sizes } from './sizes';

const definitionOf = (
  definitions: readonly ElementDefinition[],
  type: string,
): ElementDefinition | undefined => definitions.find((definition) => definition.type === type);

/** A law of a first-order relation has no level to choose. */
function withoutLevel(law: InteractionDocument['law'], relation: ElementDefinition | undefined): void {
  if (relation?.order === 1) delete law['level'];
}

/** Gives an interaction a law of another type. */
export function retypeLaw(
  interaction: InteractionDocument,
  next: ElementDefinition,
  catalogue: Catalogue,
  sizes: Sizes,
): void {
  const present = definitionOf(catalogue.laws, interaction.law.type);
  interaction.law = changeType(interaction.law, newElement(next, sizes), next, present);
  const relation = definitionOf(catalogue.relations, interaction.relation.type);
  withoutLevel(interaction.law, relation);
  makeRoom(interaction, relation, next.rows ?? 1, sizes);
}

/** Gives a relation as many rows as a law of several rows needs; rows that are there are kept. */
function makeRoom(
  { relation }: InteractionDocument,
  definition: ElementDefinition | undefined,
  rows: number,
  sizes: Sizes,
): void {
  if (sizes.size % rows === 0) return;
  const size = Math.ceil(sizes.size / rows) * rows;
  if (definition?.fields.some(({ key }) => key === 'size') === true) relation.size = size;
  resizeElement(relation, definition, { ...sizes, size });
  // A row of zeros says nothing: the second row takes the second coordinate, as a slip beside a gap, where there is one.
  for (const field of definition?.fields ?? []) {
    const value = relation[field.key];
    if (fieldSides(field)?.rows !== 'size' || !Array.isArray(value)) continue;
    for (let row = sizes.size; row < size; row++) {
      const entries = value[row];
      if (Array.isArray(entries) && row < entries.length && field.required) entries[row] = 1;
    }
  }
}

/** Gives an interaction a relation of another type; a law that does not suit it, or a joint, gives way to the first that does. */
export function retypeRelation(
  interaction: InteractionDocument,
  next: ElementDefinition,
  catalogue: Catalogue,
  sizes: Sizes,
): void {
  const present = definitionOf(catalogue.relations, interaction.relation.type);
  interaction.relation = changeType(interaction.relation, newElement(next, sizes), next, present);
  const law = definitionOf(catalogue.laws, interaction.law.type);
  const replacement = firstLaw(catalogue, next);
  const isMisplaced = law !== undefined && (!lawSuits(law, next) || (next.law ?? law.type) !== law.type);
  if (isMisplaced && replacement !== undefined) retypeLaw(interaction, replacement, catalogue, sizes);
  withoutLevel(interaction.law, next);
}
