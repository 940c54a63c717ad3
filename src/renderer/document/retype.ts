/** What changes with the type of a relation or law. */
import type { InteractionDocument } from '@engine/document/types';
import type { Catalogue, ElementDefinition } from '@engine/model/definition';
import { firstLaw, lawSuits, newElement } from './factory';
import { changeType } from './fields';
import type { Sizes } from './sizes';

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
  withoutLevel(interaction.law, definitionOf(catalogue.relations, interaction.relation.type));
}

/** Gives an interaction a relation of another type; a law that does not suit it gives way to the first that does. */
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
  if (law !== undefined && !lawSuits(law, next) && replacement !== undefined)
    retypeLaw(interaction, replacement, catalogue, sizes);
  withoutLevel(interaction.law, next);
}
