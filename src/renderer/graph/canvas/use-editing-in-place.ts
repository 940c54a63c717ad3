/** A text that is edited where it stands: Enter and leaving it take it, Escape leaves it as it was. */
import { onMounted, useTemplateRef } from 'vue';
import { focusWhenShown } from '../../components/focus-when-shown';
import { useGraphStore } from '../graph-store';

interface Editing {
  /** what `editing` of the graph is while this is edited */
  readonly key: () => string;
  readonly take: () => void;
  /** node that has the keyboard afterwards */
  readonly back?: () => string;
}

const stop = (event: Event): void => event.stopPropagation();

/** @returns what the input, whose template reference is `input`, is bound to */
export function useEditingInPlace({ key, take, back }: Editing) {
  const graph = useGraphStore();
  const input = useTemplateRef<HTMLInputElement>('input');

  function end(takes: boolean): void {
    if (graph.editing !== key()) return;
    graph.editing = null;
    if (takes) take();
  }

  onMounted(() =>
    focusWhenShown(
      () => input.value,
      () => input.value?.select(),
    ),
  );
  return {
    class: 'nodrag nopan',
    onKeydown: (event: KeyboardEvent): void => {
      event.stopPropagation();
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      event.preventDefault();
      end(event.key === 'Enter');
      if (back !== undefined) graph.focusOn(back());
    },
    onMousedown: stop,
    onDblclick: stop,
    onBlur: (): void => end(true),
  };
}
