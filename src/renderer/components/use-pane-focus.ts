/** Gives a view of the model the keyboard once it is asked to have it and what takes it is there. */
import { watch } from 'vue';
import { type ModelTab, useWorkspaceStore } from '../stores/workspace';

/**
 * @param tab the view this is called in
 * @param target what takes the keyboard; null while it is not made yet
 */
export function usePaneFocus(tab: ModelTab, target: () => { focus(): void } | null): void {
  const workspace = useWorkspaceStore();
  watch(
    () => (workspace.wantsFocus === tab ? target() : null),
    (found) => {
      if (found === null) return;
      found.focus();
      workspace.wantsFocus = null;
    },
    { flush: 'post', immediate: true },
  );
}
