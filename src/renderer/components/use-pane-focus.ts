/** Gives a view of the model the keyboard once it is asked to have it. */
import { onMounted, watch } from 'vue';
import { type ModelTab, useWorkspaceStore } from '../stores/workspace';
import { focusWhenShown } from './focus-when-shown';

/**
 * @param tab the view this is called in
 * @param element what takes the keyboard; null while it is not made yet
 */
export function usePaneFocus(tab: ModelTab, element: () => HTMLElement | null): void {
  const workspace = useWorkspaceStore();
  const follow = (): void => {
    if (workspace.wantsFocus !== tab) return;
    workspace.wantsFocus = null;
    focusWhenShown(element);
  };
  watch(() => workspace.wantsFocus, follow);
  onMounted(follow);
}
