/** Life of the document: new, open, save, and the questions before something is lost. */
import type { OpenedFile } from '@contract/shell';
import { defineStore } from 'pinia';
import { watch } from 'vue';
import { emptyDocument } from '../document/factory';
import { text } from '../i18n';
import { useHost } from '../transport/host';
import { useCatalogueStore } from './catalogue';
import { useDialogsStore } from './dialogs';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';

export const useFilesStore = defineStore('files', () => {
  const documents = useDocumentStore();
  const dialogs = useDialogsStore();
  const notices = useNoticesStore();
  const catalogue = useCatalogueStore();

  /** Offers to save unsaved changes. @returns false when the user cancels what was about to happen */
  async function mayLeave(): Promise<boolean> {
    if (!documents.dirty) return true;
    const answer = await dialogs.ask(
      text('file.unsavedTitle'),
      text('file.unsavedMessage', { title: documents.model.title }),
      [
        { value: 'cancel', label: text('common.cancel') },
        { value: 'discard', label: text('file.discard'), style: 'danger' },
        { value: 'save', label: text('file.save'), style: 'primary' },
      ],
    );
    if (answer === 'save') return save();
    return answer === 'discard';
  }

  /** Reads a text as a model. A text that cannot be opened leaves the present document as it is. */
  async function openText(
    content: string,
    origin: OpenedFile | null,
    name: string,
    mine: number,
  ): Promise<boolean> {
    const result = await useHost().dispatcher.dispatch('document.read', { text: content });
    if (mine !== turn) return false;
    if (result.document === null) {
      dialogs.refusal = {
        title: text('file.refusedTitle', { name }),
        message: text('file.refusedMessage'),
        issues: result.issues,
      };
      return false;
    }
    const unsaved = result.migratedFrom !== undefined;
    documents.load(result.document, origin === null ? null : { handle: origin.handle, name: origin.name }, {
      unsaved,
    });
    if (unsaved) notices.info(text('file.migrated', { from: String(result.migratedFrom) }));
    return true;
  }

  /** number of the last action that wants to replace the document: an earlier one that answers later has lost */
  let turn = 0;

  const replacing = (action: (mine: number) => Promise<boolean>): Promise<boolean> => {
    const mine = ++turn;
    return guarded(() => action(mine));
  };

  async function guarded(action: () => Promise<boolean>): Promise<boolean> {
    try {
      return await action();
    } catch (error) {
      notices.failure(error);
      return false;
    }
  }

  const createNew = (): Promise<boolean> =>
    replacing(async () => {
      if (!(await mayLeave())) return false;
      const formatVersion = catalogue.app?.formatVersion ?? documents.model.formatVersion;
      documents.load(emptyDocument(catalogue.catalogue, formatVersion, text('file.untitled')), null);
      return true;
    });

  const open = (): Promise<boolean> =>
    replacing(async (mine) => {
      if (!(await mayLeave())) return false;
      const file = await useHost().shell.call('shell.open', {});
      return file !== null && openText(file.text, file, file.name, mine);
    });

  /** Opens a file that was dropped, or that the operating system handed over. */
  const openFile = (file: OpenedFile): Promise<boolean> =>
    replacing(async (mine) => (await mayLeave()) && openText(file.text, file, file.name, mine));

  const openRecent = (handle: string): Promise<boolean> =>
    replacing(async (mine) => {
      if (!(await mayLeave())) return false;
      const file = await useHost().shell.call('shell.openRecent', { handle });
      return openText(file.text, file, file.name, mine);
    });

  const openExample = (name: string): Promise<boolean> =>
    replacing(async (mine) => {
      if (!(await mayLeave())) return false;
      const { text: content } = await useHost().dispatcher.dispatch('examples.read', { name });
      return openText(content, null, name, mine);
    });

  /** Opens an example in a fresh window, unless a file has been asked for meanwhile. */
  const openFirst = (name: string): Promise<boolean> =>
    turn > 0 ? Promise.resolve(false) : openExample(name);

  async function written(): Promise<string> {
    if (useHost().connection.state() !== 'online') {
      // The writer of the canonical form is out of reach; the content is the same, only its layout is not.
      notices.info(text('file.savedOffline'));
      return `${JSON.stringify(documents.model, null, 2)}\n`;
    }
    const document = documents.model;
    return (await useHost().dispatcher.dispatch('document.write', { document })).text;
  }

  const saveAs = (): Promise<boolean> =>
    guarded(async () => {
      const content = await written();
      const suggestedName = documents.fileName;
      const target = await useHost().shell.call('shell.saveAs', { suggestedName, text: content });
      if (target === null) return false;
      documents.markSaved(target);
      return true;
    });

  const save = (): Promise<boolean> =>
    guarded(async () => {
      const handle = documents.file?.handle ?? null;
      if (handle === null) return saveAs();
      const version = documents.version;
      await useHost().shell.call('shell.save', { handle, text: await written() });
      // What was typed while the file was being written is not in it.
      if (version === documents.version) documents.markSaved(null);
      return true;
    });

  watch(
    () => [documents.model.title, documents.dirty] as const,
    ([name, dirty]) => {
      useHost()
        .shell.call('shell.setDocument', { name: name.slice(0, 300), dirty })
        .catch(() => undefined); // only the window's caption depends on it
    },
    { immediate: true },
  );

  return { createNew, open, openFile, openRecent, openExample, openFirst, save, saveAs, mayLeave };
});
