/** Where the caret of the script editor stands. */
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

export const useEditorCursorStore = defineStore('editor-cursor', () => {
  /** counted from 1; null while no script is open */
  const place = shallowRef<{ line: number; column: number } | null>(null);
  return { place };
});
