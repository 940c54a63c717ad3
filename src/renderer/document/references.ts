/** What fields of forms may name: contacts, parameters, sections, systems, tables. */
import type { DocumentReport, ModelDocument } from '@engine/document/types';
import type { Catalogue, FieldShape } from '@engine/model/definition';
import type { TextKey } from '../i18n';
import { contactIds } from './contacts';

type Target = Extract<FieldShape, { kind: 'reference' }>['to'];

/** Stands in a list for no reference at all; no id is like it. */
export const NO_REFERENCE = '–';

/** What a field says where nothing can be chosen, and where nothing is chosen. */
export const REFERENCE_WORDS: Readonly<Record<Target, { empty: TextKey; choose: TextKey }>> = {
  contact: { empty: 'inspector.noContacts', choose: 'inspector.chooseContact' },
  parameter: { empty: 'inspector.noParameters', choose: 'inspector.chooseParameter' },
  section: { empty: 'inspector.noSections', choose: 'inspector.chooseSection' },
  firstOrderSystem: { empty: 'inspector.noFirstOrder', choose: 'inspector.chooseFirstOrder' },
  table: { empty: 'inspector.noTables', choose: 'inspector.chooseTable' },
};

/** With what they are called. */
export function referenceTargets(
  to: Target,
  document: ModelDocument,
  report: Pick<DocumentReport, 'built'>,
  catalogue: Catalogue | null,
): { value: string; label: string }[] {
  switch (to) {
    case 'contact':
      return contactIds(document, report, catalogue).map((id) => ({ value: id, label: id }));
    case 'parameter':
      return document.parameters.map(({ name }) => ({ value: name, label: name }));
    case 'firstOrderSystem':
      return [...document.systems, ...(report.built?.systems ?? [])]
        .filter(({ type }) => catalogue?.systems.find((one) => one.type === type)?.order === 1)
        .map(({ id }) => ({ value: id, label: id }));
    case 'table':
      return (document.tables ?? []).map(({ id }) => ({ value: id, label: id }));
    case 'section':
      return (document.simulation.sections ?? []).map(({ id, title }) => ({ value: id, label: title ?? id }));
  }
}
