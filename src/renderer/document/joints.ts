/** Joints of a model: interactions whose multipliers are free, on Lagrangian relations that do not yield. */
import type { DocumentReport, InteractionDocument, ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { isCompliant } from './factory';

/** Laws that have free multipliers, or may have. */
const FREE: readonly string[] = ['Equality', 'MixedComplementarity'];

/** Whether there are any, in the document or made by its builder script. */
export function hasJoints(
  { interactions }: ModelDocument,
  { built }: Pick<DocumentReport, 'built'>,
  catalogue: Catalogue | null,
): boolean {
  const isJoint = ({ relation: { type }, law }: InteractionDocument): boolean => {
    const relation = catalogue?.relations.find((definition) => definition.type === type);
    return relation?.order === 2 && !isCompliant(relation) && FREE.includes(law.type);
  };
  return [...interactions, ...(built?.interactions ?? [])].some(isJoint);
}
