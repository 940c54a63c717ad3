/**
 * Changes of the units that values are shown in, each one undoable step. The numbers of the document stay as
 * they are.
 */
import type { ModelDocument } from '@engine/document/types';
import type { Draft } from 'mutative';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';

type Table = 'units' | 'parameters';

/** Sets or, with null, removes what is shown, inside an edit. */
export function putDisplayUnit(
  draft: Draft<ModelDocument>,
  table: Table,
  key: string,
  shown: string | null,
): void {
  if (shown !== null) {
    draft.displayUnits ??= {};
    (draft.displayUnits[table] ??= {})[key] = shown;
    return;
  }
  const section = draft.displayUnits;
  const entries = section?.[table];
  if (section === undefined || entries === undefined) return;
  delete entries[key];
  // A document that is shown as it is says nothing about it.
  if (Object.keys(entries).length === 0) delete section[table];
  if (Object.keys(section).length === 0) delete draft.displayUnits;
}

/** Shows all values in a unit of the model in another one. @param shown null for the unit itself */
export function showUnit(unit: string, shown: string | null): void {
  const label = text('units.edit', { unit, shown: shown ?? unit });
  useDocumentStore().edit(label, (draft) =>
    putDisplayUnit(draft, 'units', unit, shown === unit ? null : shown),
  );
}

/** Shows one parameter in a unit of its own. @param shown null for the one that others of its unit have */
export function showParameterUnit(name: string, shown: string | null): void {
  const label =
    shown === null ? text('units.editNoParameter', { name }) : text('units.edit', { unit: name, shown });
  useDocumentStore().edit(label, (draft) => putDisplayUnit(draft, 'parameters', name, shown));
}
