/** What can be done to a table of data in the document; each is one undoable step. */
import { renameTable, tableUses } from '../document/tables';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';

/** Deletes a table that nothing reads; else it is said what reads it. */
export function removeTable(index: number, name: string): void {
  const documents = useDocumentStore();
  const uses = tableUses(documents.model, name);
  if (uses.length > 0) {
    const names = uses.slice(0, 5).join(', ');
    useNoticesStore().failure(new Error(text('inspector.tableUsed', { name, names })));
    return;
  }
  documents.edit(text('edit.delete', { name }), (draft) => {
    draft.tables?.splice(index, 1);
    if (draft.tables?.length === 0) delete draft.tables;
  });
}

/** Gives a table another name wherever it is read. The name has been checked. */
export function renameTableTo(from: string, to: string): void {
  if (to === from) return;
  useDocumentStore().edit(text('edit.rename', { from, to }), (draft) => renameTable(draft, from, to));
}

/** Sets the unit or the period of a table; undefined takes it away. */
export function changeTable(index: number, key: 'unit' | 'period', value: string | number | undefined): void {
  const documents = useDocumentStore();
  const name = documents.model.tables?.[index]?.id ?? '';
  documents.edit(text('edit.field', { label: text(`inspector.table.${key}`), name }), (draft) => {
    const table = draft.tables?.[index];
    if (table === undefined) return;
    if (value === undefined) delete table[key];
    else Object.assign(table, { [key]: value });
  });
}
