/** A file of data on its way into the model: chosen or dropped, shown, then tables or a script. */
import type { OpenedFile } from '@contract/shell';
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { freshName } from '../document/factory';
import { chooseFile } from '../components/choose-file';
import { text } from '../i18n';
import { useDialogsStore } from '../stores/dialogs';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useReportStore } from '../stores/report';
import { useWorkspaceStore } from '../stores/workspace';
import { type DataScriptPlan, dataScript, functionNames } from './csv/data-script';
import { dataTables } from '@figures/data/data-table';
import { MAX_DATA_BYTES } from '@figures/data/table';

const MEBIBYTE = 1024 * 1024;
/** What a file of data is called; anything else that is dropped is taken for a model. */
const DATA_FILE = /\.(?:csv|tsv|txt|dat)$/i;

export type ImportedDataFile = Pick<OpenedFile, 'name' | 'text'>;

export const isDataFile = ({ name }: { name: string }): boolean => DATA_FILE.test(name);

export const useDataImportStore = defineStore('data-import', () => {
  const file = shallowRef<ImportedDataFile | null>(null);

  async function offer(chosen: File): Promise<void> {
    if (chosen.size > MAX_DATA_BYTES) {
      const size = Math.round(chosen.size / MEBIBYTE);
      useNoticesStore().failure(
        new Error(
          text('exchange.dataTooLarge', { name: chosen.name, size, most: MAX_DATA_BYTES / MEBIBYTE }),
        ),
      );
      return;
    }
    file.value = { name: chosen.name, text: await chosen.text() };
    useDialogsStore().open = 'import-data';
  }

  /** Lets the user choose a file; every door has the file input of its page. */
  async function choose(): Promise<void> {
    const chosen = await chooseFile('.csv,.tsv,.txt,.dat,text/csv');
    if (chosen !== null) await offer(chosen);
  }

  /** Puts the script into the model as one step, and shows it. */
  function insert(plan: DataScriptPlan): void {
    const documents = useDocumentStore();
    const taken = documents.model.scripts.map(({ name }) => name.replace(/\.ts$/, ''));
    const name = `${freshName(`data-${plan.name.toLowerCase()}`, taken, '-')}.ts`;
    documents.edit(text('exchange.insertedData', { name: plan.name }), (draft) => {
      draft.scripts.push(dataScript(plan, name));
    });
    useWorkspaceStore().modelTab = 'script';
    useNoticesStore().info(text('exchange.dataReady', { names: functionNames(plan).join(', ') }));
  }

  /** Puts the columns into the document as tables, and shows them. */
  function insertTables(plan: Parameters<typeof dataTables>[0]): void {
    const tables = dataTables(plan);
    useDocumentStore().edit(text('exchange.insertedData', { name: plan.name }), (draft) => {
      draft.tables = [...(draft.tables ?? []), ...tables];
    });
    useWorkspaceStore().select({ kind: 'model' });
    const names = tables.map(({ id }) => `table(${id}, t)`).join(', ');
    useNoticesStore().info(text('exchange.tablesReady', { names }));
  }

  /** Names that functions of the model have already. */
  const takenNames = (): ReadonlySet<string> =>
    new Set(Object.values(useReportStore().report?.exports ?? {}).flat());

  return { file, offer, choose, insert, insertTables, takenNames };
});
