/** Life of the documents: new, open, save, close, and the questions before something is lost. */
import type { MethodResults } from '@contract/methods';
import type { OpenedFile } from '@contract/shell';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import { defineStore } from 'pinia';
import { watch } from 'vue';
import { type DocumentShapeDefect, viewlessPlace } from '../document/document-shape';
import { emptyDocument } from '../document/factory';
import { counted, text } from '../i18n';
import { useHost } from '../transport/host';
import { useCatalogueStore } from './catalogue';
import { useDialogsStore } from './dialogs';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { useStartPageStore } from './start-page';

export const useFilesStore = defineStore('files', () => {
  const documents = useDocumentStore();
  const dialogs = useDialogsStore();
  const notices = useNoticesStore();
  const catalogue = useCatalogueStore();
  const startPage = useStartPageStore();

  async function guarded(action: () => Promise<boolean>): Promise<boolean> {
    try {
      return await action();
    } catch (error) {
      notices.failure(error);
      return false;
    }
  }

  function empty(): ModelDocument {
    const formatVersion = catalogue.app?.formatVersion ?? documents.model.formatVersion;
    return emptyDocument(catalogue.catalogue, formatVersion, text('file.untitled'));
  }

  const isOpen = (handle: string | null): number | undefined =>
    handle === null
      ? undefined
      : documents.documents.find(({ file }) => file !== null && file.handle === handle)?.session;

  /** The document of a file where all its views can show it; else says why not. */
  function shownOf({ document, issues }: MethodResults['document.read'], name: string): ModelDocument | null {
    const defect = document === null ? null : viewlessPlace(document);
    if (document !== null && defect === null) return document;
    const isTold = issues.some(
      ({ severity, pointer }) => severity === 'error' && pointer === defect?.pointer,
    );
    dialogs.refusal = {
      title: text('file.refusedTitle', { name }),
      message: text('file.refusedMessage'),
      issues: defect === null || isTold ? issues : [issueOf(defect), ...issues],
    };
    return null;
  }

  const issueOf = ({ pointer, expected }: DocumentShapeDefect): DocumentIssue => ({
    severity: 'error',
    code: 'wrong-shape',
    pointer,
    message: text(`text.shape.${expected}`, { place: pointer || '/' }),
    remedy: text('file.shapeRemedy'),
  });

  /** Reads a text as a model and shows it. A text that cannot be opened leaves everything as it is. */
  async function openText(
    content: string,
    origin: OpenedFile | null,
    name: string,
    options: { provisional?: boolean; identity?: string } = {},
  ): Promise<boolean> {
    const result = await useHost().dispatcher.dispatch('document.read', { text: content });
    const document = shownOf(result, name);
    if (document === null) return false;
    const unsaved = result.migratedFrom !== undefined;
    const file = origin === null ? null : { handle: origin.handle, name: origin.name, ...stampOf(origin) };
    documents.load(document, file, { unsaved, ...options });
    if (unsaved) notices.info(text('file.migrated', { from: String(result.migratedFrom) }));
    return true;
  }

  const stampOf = ({ stamp }: { stamp?: string | undefined }): { stamp?: string } =>
    stamp === undefined ? {} : { stamp };

  const createNew = (): Promise<boolean> =>
    guarded(() => {
      documents.load(empty(), null);
      return Promise.resolve(true);
    });

  /** Opens a model that exists already as data, such as the one of a run. */
  function openDocument(content: ModelDocument, title?: string): void {
    documents.load(title === undefined ? content : { ...content, title }, null, { unsaved: true });
  }

  const open = (): Promise<boolean> =>
    guarded(async () => {
      const file = await useHost().shell.call('shell.open', {});
      return file !== null && take(file);
    });

  /** Shows a file that has been read; one that is open already is shown as it is open. */
  async function take(file: OpenedFile): Promise<boolean> {
    const known = isOpen(file.handle);
    if (known === undefined) return openText(file.text, file, file.name);
    documents.show(known);
    return true;
  }

  /** Opens a file that was dropped, or that the operating system handed over. */
  const openFile = (file: OpenedFile): Promise<boolean> => guarded(() => take(file));

  const openRecent = (handle: string): Promise<boolean> =>
    guarded(async () => take(await useHost().shell.call('shell.openRecent', { handle })));

  const openExample = (name: string, options: { provisional?: boolean } = {}): Promise<boolean> =>
    guarded(async () => {
      const { text: content } = await useHost().dispatcher.dispatch('examples.read', { name });
      // Something has been opened meanwhile that somebody did ask for.
      if (options.provisional === true && documents.session > 0) return false;
      return openText(content, null, name, { ...options, identity: `example:${name}` });
    });

  /** Opens an example as a model of one's own to begin with: without its name and its story. */
  const newFrom = (name: string): Promise<boolean> =>
    guarded(async () => {
      const { text: content } = await useHost().dispatcher.dispatch('examples.read', { name });
      const document = shownOf(await useHost().dispatcher.dispatch('document.read', { text: content }), name);
      if (document === null) return false;
      const own = { ...document, title: '' };
      delete own.description;
      delete own.references;
      documents.load(own, null);
      return true;
    });

  /** Opens an example in a fresh window; it gives way to what is opened next. */
  const openFirst = (name: string): Promise<boolean> => openExample(name, { provisional: true });

  const preparations: (() => Promise<unknown>)[] = [];

  /** What is done to a document that is shown before it is saved. Nothing of it keeps it from being saved. */
  async function prepare(session: number): Promise<void> {
    if (session !== documents.session) return;
    for (const preparation of preparations) await preparation().catch(notices.failure);
  }

  /** Canonical text of a document. */
  async function written(session: number): Promise<string> {
    const document = documents.bySession(session)?.model ?? documents.model;
    if (useHost().connection.state() !== 'online') {
      // The writer of the canonical form is out of reach; the content is the same, only its layout is not.
      notices.info(text('file.savedOffline'));
      return `${JSON.stringify(document, null, 2)}\n`;
    }
    return (await useHost().dispatcher.dispatch('document.write', { document })).text;
  }

  const saveAs = (session = documents.session): Promise<boolean> =>
    guarded(async () => {
      documents.show(session);
      await prepare(session);
      const { version, fileName: suggestedName } = documents;
      const content = await written(session);
      const target = await useHost().shell.call('shell.saveAs', { suggestedName, text: content });
      if (target === null) return false;
      saved(session, version, target);
      return true;
    });

  /** What was typed while the file was being written is not in it. */
  function saved(
    session: number,
    version: number,
    target: { handle: string | null; name: string; stamp?: string | undefined },
  ): void {
    const file = { handle: target.handle, name: target.name, ...stampOf(target) };
    if (documents.bySession(session)?.version === version) documents.markSaved(file, session);
    else documents.setFile(session, file);
  }

  const save = (session = documents.session): Promise<boolean> =>
    guarded(async () => {
      const target = documents.bySession(session);
      const file = target?.file;
      if (target === undefined) return false;
      if (file === null || file === undefined || file.handle === null) return saveAs(session);
      const { handle, name } = file;
      await prepare(session);
      const { version } = target;
      const content = await written(session);
      const expected = file.stamp === undefined ? {} : { stamp: file.stamp };
      let answer = await useHost().shell.call('shell.save', { handle, text: content, ...expected });
      if (answer.conflict === true) {
        const choice = await askAboutConflict(session, name);
        if (choice === 'saveAs') return saveAs(session);
        if (choice === 'reload') return reload(session);
        if (choice !== 'overwrite') return false;
        answer = await useHost().shell.call('shell.save', { handle, text: content });
      }
      saved(session, version, { handle, name, stamp: answer.stamp });
      return true;
    });

  function askAboutConflict(session: number, name: string): Promise<string> {
    documents.show(session);
    return dialogs.ask(text('file.conflictTitle', { name }), text('file.conflictMessage'), [
      { value: 'cancel', label: text('common.cancel') },
      { value: 'reload', label: text('file.reload') },
      { value: 'saveAs', label: text('command.saveAs') },
      { value: 'overwrite', label: text('file.overwrite'), style: 'danger' },
    ]);
  }

  /** Saves every document that has unsaved changes. @returns false when one of them could not be saved */
  async function saveAll(): Promise<boolean> {
    const { session } = documents;
    for (const one of documents.documents) if (one.dirty && !(await save(one.session))) return false;
    documents.show(session);
    return true;
  }

  /** Reads the file of a document again, as one undoable step. */
  const reload = (session = documents.session): Promise<boolean> =>
    guarded(async () => {
      const file = documents.bySession(session)?.file;
      if (file === null || file === undefined || file.handle === null) return false;
      const read = await useHost().shell.call('shell.openRecent', { handle: file.handle });
      const result = await useHost().dispatcher.dispatch('document.read', { text: read.text });
      const document = shownOf(result, file.name);
      if (document === null) return false;
      documents.show(session);
      documents.edit(text('edit.reload', { name: file.name }), (draft) => {
        // Keys that are the same keep their identity, and with it what is known of them.
        for (const key of Object.keys(draft)) if (!(key in document)) delete draft[key as 'references'];
        Object.assign(draft, document);
      });
      saved(session, documents.version, { ...file, stamp: read.stamp });
      return true;
    });

  /** The file of an open document has another content now. */
  async function fileChanged(handle: string, stamp: string | null): Promise<void> {
    const session = isOpen(handle);
    const target = session === undefined ? undefined : documents.bySession(session);
    if (session === undefined || target?.file === null || target?.file === undefined) return;
    const { file } = target;
    if (stamp === null) {
      documents.setFile(session, file, { unsaved: true });
      notices.info(text('file.gone', { name: file.name }));
      return;
    }
    if (stamp === file.stamp) return;
    if (!target.dirty) {
      if (await reload(session)) notices.info(text('file.reloaded', { name: file.name }));
      return;
    }
    const answer = await dialogs.ask(
      text('file.changedTitle', { name: file.name }),
      text('file.changedMessage'),
      [
        { value: 'keep', label: text('file.keepMine') },
        { value: 'reload', label: text('file.reload'), style: 'danger' },
      ],
    );
    if (answer === 'reload') await reload(session);
  }

  /**
   * Offers to save unsaved changes of a document.
   * @returns false when the user cancels what was about to happen
   */
  async function mayClose(session: number): Promise<boolean> {
    const target = documents.bySession(session);
    if (target === undefined || !target.dirty) return true;
    documents.show(session);
    const answer = await dialogs.ask(
      text('file.unsavedTitle'),
      text('file.unsavedMessage', { title: target.model.title }),
      [
        { value: 'cancel', label: text('common.cancel') },
        { value: 'discard', label: text('file.discard'), style: 'danger' },
        { value: 'save', label: text('file.save'), style: 'primary' },
      ],
    );
    if (answer === 'save') return save(session);
    return answer === 'discard';
  }

  /** Closes a document, after a question where something would be lost. */
  async function close(session = documents.session): Promise<boolean> {
    if (!(await mayClose(session))) return false;
    const isLast = documents.tabs.length === 1;
    documents.close(session, empty);
    if (isLast) startPage.show();
    return true;
  }

  /**
   * Asks once about all unsaved documents of a list, when there are several.
   * @returns false when the user cancels
   */
  async function mayCloseAll(sessions: readonly number[]): Promise<boolean> {
    const unsaved = documents.documents.filter((one) => one.dirty && sessions.includes(one.session));
    if (unsaved.length <= 1) return unsaved[0] === undefined || mayClose(unsaved[0].session);
    const answer = await dialogs.ask(
      counted('file.unsavedManyTitle', unsaved.length),
      text('file.unsavedManyMessage', { titles: unsaved.map(({ model }) => `“${model.title}”`).join(', ') }),
      [
        { value: 'cancel', label: text('common.cancel') },
        { value: 'discard', label: text('file.discardAll'), style: 'danger' },
        { value: 'save', label: text('file.saveAll'), style: 'primary' },
      ],
    );
    if (answer !== 'save') return answer === 'discard';
    const shown = documents.session;
    for (const { session } of unsaved) if (!(await save(session))) return false;
    documents.show(shown);
    return true;
  }

  /** Closes every document but one, after one question about all that would be lost. */
  async function closeOthers(session = documents.session): Promise<boolean> {
    const others = documents.documents.map((one) => one.session).filter((other) => other !== session);
    if (!(await mayCloseAll(others))) return false;
    for (const other of others) documents.close(other, empty);
    documents.show(session);
    return true;
  }

  /**
   * Offers to save what is unsaved, before the window closes.
   * @returns false when the user wants it to stay
   */
  const mayLeave = (): Promise<boolean> => mayCloseAll(documents.documents.map((one) => one.session));

  watch(
    () => [documents.model.title, documents.tabs.some(({ dirty }) => dirty)] as const,
    ([name, dirty]) => {
      useHost()
        .shell.call('shell.setDocument', { name: name.slice(0, 300), dirty })
        .catch(() => undefined); // only the window's caption depends on it
    },
    { immediate: true },
  );

  watch(
    () => documents.documents.flatMap(({ file }) => file?.handle ?? []),
    (handles, before) => {
      if (handles.join() === before.join()) return;
      useHost()
        .shell.call('shell.watchFiles', { handles })
        .catch(() => undefined); // saving still notices what another program wrote
    },
  );

  return {
    /** @param preparation is done to a document before it is saved */
    beforeSave: (preparation: () => Promise<unknown>) => void preparations.push(preparation),
    createNew,
    openDocument,
    open,
    openFile,
    openRecent,
    openExample,
    openFirst,
    newFrom,
    save,
    saveAs,
    saveAll,
    reload,
    fileChanged,
    close,
    closeOthers,
    mayLeave,
  };
});
