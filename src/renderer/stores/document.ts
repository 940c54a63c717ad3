/** The model document: the one truth every view reads and edits. */
import type { ModelDocument } from '@engine/document/types';
import type { Draft } from 'mutative';
import { defineStore } from 'pinia';
import { computed, shallowRef, triggerRef } from 'vue';
import { EditHistory, type EditOptions } from '../document/history';
import { emptyDocument, slug } from '../document/factory';
import { text } from '../i18n';

/** The file a document came from or went to; `handle` is null where there is none to write to. */
export interface DocumentFile {
  handle: string | null;
  name: string;
}

const clock = (): number => performance.now();

export const useDocumentStore = defineStore('document', () => {
  const history = shallowRef(
    new EditHistory<ModelDocument>(emptyDocument(null, 2, text('file.untitled')), clock),
  );
  const file = shallowRef<DocumentFile | null>(null);
  /** counts changes of content; a report names the one it belongs to */
  const version = shallowRef(0);
  /** counts documents: a new one invalidates selections and editors */
  const session = shallowRef(0);

  const model = computed(() => history.value.state);
  const dirty = computed(() => history.value.dirty);
  /** identity of the newest undoable step: the edits of one gesture share it */
  const step = computed(() => history.value.step);
  /** counts undos and redos: a change that came from the history, not from a hand */
  const travels = shallowRef(0);
  const undoLabel = computed(() => history.value.undoLabel);
  const redoLabel = computed(() => history.value.redoLabel);
  /** file name, or the one Save As will propose */
  const fileName = computed(() => file.value?.name ?? `${slug(model.value.title)}.moreau.json`);

  function changed(): void {
    triggerRef(history);
    // Last, so that whoever watches the version sees the new state.
    version.value++;
  }

  function travelled(): void {
    travels.value++;
    changed();
  }

  /** Makes a named, undoable change. Edits with one `mergeKey` in quick succession are one step. */
  function edit(
    label: string,
    recipe: (draft: Draft<ModelDocument>) => void,
    options: EditOptions = {},
  ): void {
    if (history.value.edit(label, recipe, options)) changed();
  }

  /** Ends a gesture such as a slider movement: the next edit is a step of its own. */
  function endGesture(): void {
    history.value.endGesture();
  }

  function undo(): void {
    if (history.value.undo()) travelled();
  }

  function redo(): void {
    if (history.value.redo()) travelled();
  }

  /** Replaces the document. The history starts again. */
  function load(
    document: ModelDocument,
    origin: DocumentFile | null,
    options: { unsaved?: boolean } = {},
  ): void {
    const next = new EditHistory<ModelDocument>(document, clock);
    if (options.unsaved === true) next.markUnsaved();
    history.value = next;
    file.value = origin;
    session.value++;
    version.value++;
  }

  /** The present content is what the file holds. */
  function markSaved(target: DocumentFile | null): void {
    if (target !== null) file.value = target;
    history.value.markSaved();
    triggerRef(history);
  }

  return {
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
    edit,
    endGesture,
    undo,
    redo,
    load,
    markSaved,
  };
});
