/** A node that is new in the drawing cannot take the focus before the library has measured it. */

/** Frames after which a node has been measured, or never will be. */
const MOST_FRAMES = 60;

/** Gives an element in a node the focus as soon as it can take it. */
export function focusWhenShown(element: () => HTMLElement | null, then: () => void = () => undefined): void {
  let frames = 0;
  const attempt = (): void => {
    const wanted = element();
    if (wanted === null) return;
    wanted.focus({ preventScroll: true });
    if (document.activeElement === wanted) then();
    else if (++frames < MOST_FRAMES) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}
