/** The menu of a plot, from its button or from where the plot was clicked with the right button. */
import type { ReferenceElement } from 'reka-ui';
import { ref, type Ref, shallowRef, type ShallowRef } from 'vue';

export interface PlotMenu {
  isOpen: Ref<boolean>;
  /** where it was asked for in the plot; undefined at the button */
  at: ShallowRef<ReferenceElement | undefined>;
  /** opens it where the event is, if that is in a plot; the context menu key comes here, too */
  onContextMenu(event: MouseEvent): void;
  /** of the button, and of all that closes it */
  onOpen(open: boolean): void;
  /** gives the focus back to the plot, where the menu came from that */
  onClosed(event: Event): void;
}

export function usePlotMenu(): PlotMenu {
  const isOpen = ref(false);
  const at = shallowRef<ReferenceElement>();
  let plot: HTMLElement | null = null;
  return {
    isOpen,
    at,
    onContextMenu(event) {
      // A scene that is turned and moved with the right button takes the event for itself.
      if (event.defaultPrevented) return;
      plot = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="img"]') : null;
      if (plot === null) return;
      event.preventDefault();
      const { clientX: x, clientY: y } = event;
      at.value = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
      isOpen.value = true;
    },
    onOpen(open) {
      if (open) {
        plot = null;
        at.value = undefined;
      }
      isOpen.value = open;
    },
    onClosed(event) {
      if (plot === null) return;
      event.preventDefault();
      plot.focus();
    },
  };
}
