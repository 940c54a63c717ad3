/** Poincaré sections of a model: what a new one starts with. */
import type { DocumentReport, ModelDocument, SectionDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { contactIds } from './contacts';
import { freshName, newElement } from './factory';

/** Circular frequencies of forcings go by these names in the field; a parameter so named gives the period. */
const FREQUENCIES = ['omega', 'Omega', 'w', 'W'];
/** Revolutions per minute. */
const SPEEDS = ['rpm', 'n_rpm'];

/** Period of the forcing as an expression of the parameters; one second where none is known by name. */
export function forcingPeriod({ parameters }: ModelDocument): string | number {
  const named = (names: readonly string[]): string | undefined =>
    parameters.find(({ name }) => names.includes(name))?.name;
  const period = named(['T', 'period']);
  if (period !== undefined) return period;
  const speed = named(SPEEDS);
  if (speed !== undefined) return `60/${speed}`;
  const frequency = named(FREQUENCIES);
  return frequency === undefined ? 1 : `2*pi/${frequency}`;
}

/**
 * A further section: stroboscopic where none is yet, else on impact of a contact. Null while the catalogue is
 * not there.
 */
export function newSection(
  document: ModelDocument,
  report: Pick<DocumentReport, 'built'>,
  catalogue: Catalogue | null,
): SectionDocument | null {
  const sections = document.simulation.sections ?? [];
  const [contact] = contactIds(document, report, catalogue);
  const isSecond = sections.some(({ type }) => type === 'stroboscopic');
  const type = isSecond && contact !== undefined ? 'impact' : 'stroboscopic';
  const definition = catalogue?.sections.find((one) => one.type === type);
  if (definition === undefined) return null;
  const id = freshName(
    type,
    sections.map((section) => section.id),
  );
  const given = type === 'impact' ? { contact: contact ?? '' } : { period: forcingPeriod(document) };
  return { id, ...newElement(definition), ...given };
}
