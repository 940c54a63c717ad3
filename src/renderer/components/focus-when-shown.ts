/**
 * Focus for what is not quite there yet: a node of the graph takes none before the library has measured it,
 * and what stands in a tab takes none before the tab is shown.
 */

/** Frames after which an element has come, or never will. */
const MOST_FRAMES = 60;

/**
 * Gives an element the focus as soon as it is there and can take it, unless the user goes elsewhere
 * meanwhile.
 */
export function focusWhenShown(element: () => HTMLElement | null, then: () => void = () => undefined): void {
  let frames = 0;
  let hasGone = false;
  const leave = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || event.key === 'Tab') hasGone = true;
  };
  const listen = (act: 'addEventListener' | 'removeEventListener'): void => {
    for (const type of ['pointerdown', 'keydown']) document[act](type, leave, { capture: true });
  };
  const attempt = (): void => {
    const wanted = hasGone ? null : element();
    wanted?.focus({ preventScroll: true });
    const isThere = wanted !== null && document.activeElement === wanted;
    if (!isThere && !hasGone && ++frames < MOST_FRAMES) {
      requestAnimationFrame(attempt);
      return;
    }
    listen('removeEventListener');
    if (isThere) then();
  };
  listen('addEventListener');
  attempt();
}
