/** The open documents, and the one that is shown: the one truth every view reads and edits. */
import type { ModelDocument } from '@engine/document/types';
import type { Draft, Patches } from 'mutative';
import { defineStore } from 'pinia';
import { computed, shallowRef, triggerRef } from 'vue';
import type { EditOptions } from '../document/history';
import { emptyDocument, slug } from '../document/factory';
import { type DocumentFile, OpenDocument } from '../document/open-document';
import { text } from '../i18n';

export type { DocumentFile } from '../document/open-document';

/** What a tab shows of a document. */
export interface DocumentTab {
  session: number;
  title: string;
  /** file name, or null when it has none */
  file: string | null;
  dirty: boolean;
}

export const useDocumentStore = defineStore('document', () => {
  let versions = 0;
  let opened = 0;
  const patchListeners: ((one: OpenDocument, label: string, patches: Patches) => void)[] = [];

  function fresh(
    content: ModelDocument,
    file: DocumentFile | null,
    identity: string | null = null,
  ): OpenDocument {
    const made = new OpenDocument(opened++, versions++, content, file, identity);
    made.history.onPatches = (label, patches) => {
      for (const listener of patchListeners) listener(made, label, patches);
    };
    return made;
  }

  const first = fresh(emptyDocument(null, 3, text('file.untitled')), null);
  first.provisional = true;
  const shown = shallowRef(first);
  const documents = shallowRef<readonly OpenDocument[]>([shown.value]);
  const closing = new Set<(session: number) => void>();

  const model = computed(() => shown.value.model);
  /**
   * identity of the present content: it differs between documents and between their states; a report names it
   */
  const version = computed(() => shown.value.version);
  /** identity of the document that is shown: what is remembered for a document is remembered under it */
  const session = computed(() => shown.value.session);
  const file = computed(() => shown.value.file);
  const dirty = computed(() => shown.value.dirty);
  /** identity of the newest undoable step: the edits of one gesture share it */
  const step = computed(() => shown.value.history.step);
  const travels = computed(() => shown.value.travels);
  const undoLabel = computed(() => shown.value.history.undoLabel);
  const redoLabel = computed(() => shown.value.history.redoLabel);
  /** file name, or the one Save As will propose */
  const fileName = computed(() => file.value?.name ?? `${slug(model.value.title)}.moreau.json`);
  const tabs = computed<DocumentTab[]>(() =>
    documents.value.map((one) => ({
      session: one.session,
      title: one.model.title || text('file.untitled'),
      file: one.file?.name ?? null,
      dirty: one.dirty,
    })),
  );

  /** sessions of the open documents */
  const sessions = computed(() => new Set(documents.value.map((one) => one.session)));

  const bySession = (wanted: number): OpenDocument | undefined =>
    documents.value.find((one) => one.session === wanted);

  function refreshed(target: OpenDocument): void {
    triggerRef(documents);
    if (target === shown.value) triggerRef(shown);
  }

  function changed(target: OpenDocument): void {
    target.version = versions++;
    refreshed(target);
  }

  /** Makes a named, undoable change. Edits with one `mergeKey` in quick succession are one step. */
  function edit(
    label: string,
    recipe: (draft: Draft<ModelDocument>) => void,
    options: EditOptions = {},
  ): void {
    const target = shown.value;
    if (target.history.edit(label, recipe, options)) changed(target);
  }

  /** Ends a gesture such as a slider movement: the next edit is a step of its own. */
  function endGesture(): void {
    shown.value.history.endGesture();
  }

  function travel(move: 'undo' | 'redo'): void {
    const target = shown.value;
    if (!target.history[move]()) return;
    target.travels++;
    changed(target);
  }

  const undo = (): void => travel('undo');
  const redo = (): void => travel('redo');

  /** Shows an open document. */
  function show(wanted: number): void {
    const target = bySession(wanted);
    if (target === undefined || target === shown.value) return;
    shown.value.history.endGesture();
    shown.value = target;
  }

  /**
   * Opens a document beside the present one and shows it; in its place where that one gives way.
   * @param options.unsaved it differs from its file, or has none that could be lost
   * @param options.provisional opened without a request: the next document replaces it
   * @param options.identity what it is known by while it has no file
   */
  function load(
    content: ModelDocument,
    origin: DocumentFile | null,
    options: { unsaved?: boolean; provisional?: boolean; identity?: string } = {},
  ): void {
    const made = fresh(content, origin, options.identity);
    made.provisional = options.provisional ?? false;
    if (options.unsaved === true) made.history.markUnsaved();
    const before = shown.value;
    const place = documents.value.indexOf(before);
    const replaces = before.givesWay && !keeps.some((keep) => keep(before.session));
    documents.value = documents.value.toSpliced(replaces ? place : place + 1, replaces ? 1 : 0, made);
    shown.value = made;
    if (replaces) for (const listener of closing) listener(before.session);
  }

  /** Reasons to keep an untouched document in its place, such as its runs. */
  const keeps: ((session: number) => boolean)[] = [];

  /** Closes a document whatever state it is in; the last one gives way to an empty one. */
  function close(wanted: number, empty: () => ModelDocument): void {
    const place = documents.value.findIndex((one) => one.session === wanted);
    if (place < 0) return;
    const others = documents.value.toSpliced(place, 1);
    const next = others[Math.min(place, others.length - 1)] ?? fresh(empty(), null);
    documents.value = others.length === 0 ? [next] : others;
    if (shown.value.session === wanted) shown.value = next;
    for (const listener of closing) listener(wanted);
  }

  /** Moves the tab of a document to another place among the tabs. */
  function move(wanted: number, place: number): void {
    const target = bySession(wanted);
    if (target === undefined) return;
    const others = documents.value.filter((one) => one !== target);
    documents.value = others.toSpliced(Math.max(0, Math.min(place, others.length)), 0, target);
  }

  const place = (): number => documents.value.indexOf(shown.value);

  /** Shows the next document among the tabs, or the previous one, around the ends. */
  function showBeside(step: 1 | -1): void {
    const { length } = documents.value;
    const next = documents.value[(place() + step + length) % length];
    if (next !== undefined) show(next.session);
  }

  /** Moves the tab of the present document. */
  function moveBy(step: 1 | -1): void {
    move(shown.value.session, place() + step);
  }

  /** The content of a document, the present one unless another is named, is what its file holds. */
  function markSaved(file: DocumentFile | null, wanted = shown.value.session): void {
    const target = bySession(wanted);
    if (target === undefined) return;
    if (file !== null) target.file = file;
    target.history.markSaved();
    refreshed(target);
  }

  /** The file of a document has another content now than it had, or is there no longer. */
  function setFile(wanted: number, file: DocumentFile | null, options: { unsaved?: boolean } = {}): void {
    const target = bySession(wanted);
    if (target === undefined) return;
    target.file = file;
    if (options.unsaved === true) target.history.markUnsaved();
    refreshed(target);
  }

  /** @param listener told of each document that is closed, after it is gone */
  function onClose(listener: (session: number) => void): void {
    closing.add(listener);
  }

  return {
    documents,
    tabs,
    sessions,
    model,
    file,
    fileName,
    version,
    session,
    dirty,
    step,
    travels,
    undoLabel,
    redoLabel,
    bySession,
    edit,
    endGesture,
    undo,
    redo,
    show,
    showBeside,
    moveBy,
    load,
    close,
    move,
    markSaved,
    setFile,
    onClose,
    /** @param listener told what each edit, undo and redo of any document changed */
    onPatches: (listener: (typeof patchListeners)[number]) => void patchListeners.push(listener),
    keepIf: (reason: (session: number) => boolean) => void keeps.push(reason),
  };
});
