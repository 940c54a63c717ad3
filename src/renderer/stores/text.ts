/**
 * What the text view knows that the document does not: text that is no document yet. One for each open
 * document.
 */
import type { ModelDocument } from '@engine/document/types';
import { defineStore } from 'pinia';
import { computed, shallowRef, triggerRef } from 'vue';
import { changeInto } from '../document/structural-edit';
import { text } from '../i18n';
import type { TextDefect } from '../text/analysis';
import { useDocumentStore } from './document';

export interface TextDraft {
  /** what the editor holds */
  source: string;
  /** what it held when it was last in step with the document */
  clean: string;
  /** the document that the text said last */
  base: ModelDocument;
  /** why the text is no document; null while that is being found out, too */
  defect: TextDefect | null;
  /** typed since it was last read */
  isPending: boolean;
}

export const useTextStore = defineStore('text', () => {
  const documents = useDocumentStore();
  const drafts = shallowRef(new Map<number, TextDraft>());

  const draft = computed(() => drafts.value.get(documents.session) ?? null);
  /** the text is no document: the model keeps what it had */
  const isBroken = computed(() => draft.value?.defect !== null && draft.value !== null);
  /** the text holds something that the document does not */
  const isAhead = computed(() => draft.value !== null && (isBroken.value || draft.value.isPending));
  /** the document was changed elsewhere meanwhile, so that one of the two has to give way */
  const isDiverged = computed(() => isAhead.value && draft.value?.base !== documents.model);
  /** takes back what was typed while it is no document; set by the view while it is there */
  const typing = shallowRef<((move: 'undo' | 'redo') => boolean) | null>(null);

  function set(session: number, next: TextDraft | null): void {
    if (next === null) drafts.value.delete(session);
    else drafts.value.set(session, next);
    triggerRef(drafts);
  }

  /** The text is that of the present document. */
  function inStep(source: string): void {
    set(documents.session, {
      source,
      clean: source,
      base: documents.model,
      defect: null,
      isPending: false,
    });
  }

  /** Something was typed. */
  function typed(source: string): void {
    const before = draft.value ?? { base: documents.model, clean: source, defect: null };
    // Typing that is taken back leaves nothing to read.
    if (source === before.clean && before.base === documents.model) inStep(source);
    else set(documents.session, { ...before, source, isPending: true });
  }

  /** What was typed is no document. */
  function broken(defect: TextDefect): void {
    if (draft.value !== null) set(documents.session, { ...draft.value, defect, isPending: false });
  }

  /** What was typed is a document: the model becomes it, by the least change. */
  function apply(next: ModelDocument): void {
    const before = documents.model;
    const source = draft.value?.source ?? '';
    documents.edit(text('text.edit'), (target) => changeInto<ModelDocument>(target, before, next), {
      mergeKey: 'text',
    });
    inStep(source);
  }

  /** Lets go of what was typed; the text is made again of the model. */
  function discard(): void {
    set(documents.session, null);
  }

  /** What was typed is to be the model once it is a document, whatever else changed meanwhile. */
  function keep(): void {
    if (draft.value !== null) set(documents.session, { ...draft.value, base: documents.model });
  }

  /** Undoes or redoes typing that has not reached the document. @returns false when there is none */
  function travelTyping(move: 'undo' | 'redo'): boolean {
    return isAhead.value && typing.value !== null && typing.value(move);
  }

  return {
    draft,
    isBroken,
    isAhead,
    isDiverged,
    typing,
    inStep,
    typed,
    broken,
    apply,
    discard,
    keep,
    travelTyping,
  };
});
