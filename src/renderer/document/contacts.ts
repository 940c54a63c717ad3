/** Contacts of a model: interactions with a law of impact. */
import type { DocumentReport, ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';

/** Key of the coefficient of restitution, which every law of impact has and no other. */
const RESTITUTION = 'e';

/** Their ids, those made by a builder script included. */
export function contactIds(
  { interactions }: ModelDocument,
  { built }: Pick<DocumentReport, 'built'>,
  catalogue: Catalogue | null,
): string[] {
  const isImpact = (type: string): boolean =>
    catalogue?.laws.find((law) => law.type === type)?.fields.some(({ key }) => key === RESTITUTION) === true;
  return [...interactions, ...(built?.interactions ?? [])]
    .filter(({ law }) => isImpact(law.type))
    .map(({ id }) => id);
}
