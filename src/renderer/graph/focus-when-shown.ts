/** A node that is new in the drawing cannot take the focus before the library has measured it. */

/** Frames after which a node has been measured, or never will be. */
const MOST_FRAMES = 60;

/** Gives an element in a node the focus as soon as it is there and can take it, unless the user has gone elsewhere meanwhile. */
export function focusWhenShown(element: () => HTMLElement | null, then: () => void = () => undefined): void {
  const before = document.activeElement;
  let frames = 0;
  const attempt = (): void => {
    const { activeElement } = document;
    const hasGone = activeElement !== before && activeElement !== document.body && activeElement !== null;
    const wanted = element();
    if (hasGone && activeElement !== wanted) return;
    wanted?.focus({ preventScroll: true });
    if (wanted !== null && document.activeElement === wanted) then();
    else if (++frames < MOST_FRAMES) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}
