/** What changes with the type of a system, relation or law. */
import type {
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition } from '@engine/model/definition';
import { shapeRefusal, shapesOf } from './bodies';
import { firstLaw, lawSuits, newElement } from './factory';
import { changeType, resizeElement } from './fields';
import { carriedOver } from './plane-and-space';
import { fieldSides, type Sizes } from './sizes';
import { withHold } from './space-joints';

const definitionOf = (
  definitions: readonly ElementDefinition[],
  type: string,
): ElementDefinition | undefined => definitions.find((definition) => definition.type === type);

const FIRST_ROW_LAW: TypedElement = { type: 'Complementarity' };

/** A law of a first-order relation, or of a joint in space, has no level to choose. */
function withoutLevel(law: InteractionDocument['law'], relation: ElementDefinition | undefined): void {
  if (relation?.order === 1 || relation?.order === 'body') delete law['level'];
}

/** Gives an interaction a law of another type. */
export function retypeLaw(
  interaction: InteractionDocument,
  next: ElementDefinition,
  catalogue: Catalogue,
  sizes: Sizes,
): void {
  const present = definitionOf(catalogue.laws, interaction.law.type);
  const { level: _, ...before } = interaction.law;
  interaction.law = changeType(interaction.law, newElement(next, sizes), next, present);
  if (next.fields.some((field) => field.kind === 'elements')) {
    // The list begins with the law that was there, on all rows.
    const first = definitionOf(catalogue.rowLaws, before.type) === undefined ? FIRST_ROW_LAW : before;
    interaction.law['laws'] = [sizes.size === 1 ? first : { ...first, rows: sizes.size }];
  }
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
  // Laws of surfaces bring their rows themselves.
  if (sizes.size % rows === 0 || definition?.order === 'body') return;
  const size = Math.ceil(sizes.size / rows) * rows;
  if (definition?.fields.some(({ key }) => key === 'size') === true) relation.size = size;
  resizeElement(relation, definition, { ...sizes, size });
  // A row of zeros says nothing: the second row takes the second coordinate, as a slip beside a gap, where
  // there is one.
  for (const field of definition?.fields ?? []) {
    const value = relation[field.key];
    if (fieldSides(field)?.rows !== 'size' || !Array.isArray(value)) continue;
    for (let row = sizes.size; row < size; row++) {
      const entries = value[row];
      if (Array.isArray(entries) && row < entries.length && field.required) entries[row] = 1;
    }
  }
}

/**
 * Gives an interaction a relation of another type; a law that does not suit it, or a joint, gives way to the
 * first that does.
 */
export function retypeRelation(
  document: Pick<ModelDocument, 'systems'>,
  interaction: InteractionDocument,
  next: ElementDefinition,
  catalogue: Catalogue,
  sizes: Sizes,
): void {
  const present = definitionOf(catalogue.relations, interaction.relation.type);
  withHold(document, interaction, () => {
    interaction.relation = changeType(interaction.relation, newElement(next, sizes), next, present);
  });
  const law = definitionOf(catalogue.laws, interaction.law.type);
  const replacement = firstLaw(catalogue, next);
  const isMisplaced = law !== undefined && (!lawSuits(law, next) || (next.law ?? law.type) !== law.type);
  if (isMisplaced && replacement !== undefined) retypeLaw(interaction, replacement, catalogue, sizes);
  withoutLevel(interaction.law, next);
}

/**
 * A system with another type. @param fresh new one of that type
 * @param previous definition of the type it has had
 */
export function retypeSystem(
  system: SystemDocument,
  fresh: SystemDocument,
  next: ElementDefinition,
  previous: ElementDefinition | undefined,
): SystemDocument {
  const kept = carriedOver(system, next.type);
  const retyped = changeType(kept, fresh, next, previous) as SystemDocument;
  if (next.order !== 'body') return retyped;
  // A mass that is given stands in place of the density that a new body starts with.
  if (retyped['mass'] !== undefined && kept['density'] === undefined) delete retyped['density'];
  const shapes = shapesOf(retyped).filter(({ type }) => shapeRefusal(next.type, type) === null);
  if (shapes.length === shapesOf(retyped).length) return retyped;
  const replacement = shapes.length > 0 ? shapes : fresh['shapes'];
  if (replacement === undefined) delete retyped['shapes'];
  else retyped['shapes'] = replacement;
  return retyped;
}
