/**
 * The start page: what a window shows that has nothing else to show. It gives way to whatever is opened or
 * edited.
 */
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { useDocumentStore } from './document';

export const useStartPageStore = defineStore('start-page', () => {
  const documents = useDocumentStore();
  /** content of the shown document when the page was opened; null while it is closed */
  const openedAt = shallowRef<number | null>(null);
  const isOpen = computed(() => openedAt.value === documents.version);

  function show(): void {
    openedAt.value = documents.version;
  }

  function close(): void {
    openedAt.value = null;
  }

  /** whether it is not yet known what the window shows: a model that is not asked for does not flash */
  const isOpening = shallowRef(true);

  return { isOpen, isOpening, show, close };
});
