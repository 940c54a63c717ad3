/** A netlist on its way into a model of its own: chosen or dropped, with the files that it includes. */
import type { MethodResults } from '@contract/methods';
import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { chooseFile } from '../components/choose-file';
import { useDialogsStore } from '../stores/dialogs';
import { useFilesStore } from '../stores/files';
import { useNoticesStore } from '../stores/notices';
import { useHost } from '../transport/host';

/** What a netlist is called. */
const NETLIST_FILE = /\.(?:cir|ckt|net|sp|spi|spice|asc)$/i;
const ENDINGS = '.cir,.ckt,.net,.sp,.spi,.spice,.asc';

export const isNetlistFile = ({ name }: { name: string }): boolean => NETLIST_FILE.test(name);

/** LTspice writes UTF-16 or one byte a character, others UTF-8. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length > 1 && (bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe)))
    return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export const useNetlistImportStore = defineStore('netlist-import', () => {
  const name = ref('');
  const result = shallowRef<MethodResults['netlist.import'] | null>(null);
  let content = '';
  let files: Record<string, string> = {};

  async function read(): Promise<void> {
    result.value = await useHost().dispatcher.dispatch('netlist.import', {
      name: name.value,
      text: content,
      files,
    });
  }

  /** A netlist of which nothing is to be said is opened at once. */
  async function offer(file: File): Promise<void> {
    name.value = file.name;
    content = await textOf(file);
    files = {};
    await read();
    if (result.value?.document !== null && result.value?.issues.length === 0) open();
    else useDialogsStore().open = 'import-netlist';
  }

  async function choose(): Promise<void> {
    const file = await chooseFile(ENDINGS);
    if (file !== null) await offer(file).catch(useNoticesStore().failure);
  }

  /** Lets the user choose a file that the netlist asks for. */
  async function include(wanted: string): Promise<void> {
    const file = await chooseFile('');
    if (file === null) return;
    try {
      files = { ...files, [wanted]: await textOf(file) };
      await read();
    } catch (error) {
      useNoticesStore().failure(error);
    }
  }

  /** Shows the model as one that has not been saved. */
  function open(): void {
    const document = result.value?.document ?? null;
    if (document === null) return;
    useDialogsStore().open = null;
    useFilesStore().openDocument(document);
  }

  return { name, result, offer, choose, include, open };
});
