/**
 * Where events happen in an element of a page that scales itself. In the browser door the zoom of the window
 * is CSS zoom: events and rectangles are in pixels of the screen then, sizes and styles of elements in those
 * of the zoomed page.
 */

/** Pixels of the screen in one of the element; 1 where a browser does not say. */
export const zoomOf = (element: Element | null | undefined): number =>
  (element as { readonly currentCSSZoom?: number } | null | undefined)?.currentCSSZoom ?? 1;

/** Pixels of a bitmap that is sharp in an element, in one pixel of the element. */
export const pixelRatioOf = (element: Element): number => window.devicePixelRatio * zoomOf(element);

/** The place of an event in an element, px of the element from its upper left. */
export function placeOnPage(
  element: Element | null | undefined,
  event: MouseEvent,
): { x: number; y: number } {
  const { left, top } = element?.getBoundingClientRect() ?? { left: 0, top: 0 };
  const zoom = zoomOf(element);
  return { x: (event.clientX - left) / zoom, y: (event.clientY - top) / zoom };
}
