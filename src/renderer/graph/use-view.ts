/** The view of the drawing: where it is, and moving it to what is asked for. */
import { useVueFlow } from '@vue-flow/core';
import { computed } from 'vue';
import { boundsOf, type Rectangle } from './rectangles';
import type { View } from './viewing';

/** Room around what is fitted, px; tools lie over the upper edge. */
const PADDING = { top: 52, side: 28, bottom: 28 };
const MOST_ZOOM = 1.15;
export const LEAST_ZOOM = 0.02;

export function useView(id: string) {
  const flow = useVueFlow(id);
  const view = computed<View>(() => {
    const { x, y, zoom } = flow.viewport.value;
    const { width, height } = flow.dimensions.value;
    return { x, y, zoom, width, height };
  });

  /** Moves the view so that rectangles fill it. */
  function fitTo(rectangles: Iterable<Rectangle>): void {
    const { width, height } = view.value;
    const box = boundsOf(rectangles);
    if (width === 0 || height === 0 || box.width === 0) return;
    const room = { x: width - 2 * PADDING.side, y: height - PADDING.top - PADDING.bottom };
    const fitting = Math.min(room.x / box.width, room.y / box.height, MOST_ZOOM);
    const zoom = Math.max(LEAST_ZOOM, fitting);
    void flow.setViewport({
      x: PADDING.side + 0.5 * room.x - zoom * (box.x + 0.5 * box.width),
      y: PADDING.top + 0.5 * room.y - zoom * (box.y + 0.5 * box.height),
      zoom,
    });
  }

  /** Brings a point to the middle. */
  function centre(point: { x: number; y: number }, zoom = view.value.zoom): void {
    const { width, height } = view.value;
    void flow.setViewport({ x: 0.5 * width - zoom * point.x, y: 0.5 * height - zoom * point.y, zoom });
  }

  function restore(viewport: Pick<View, 'x' | 'y' | 'zoom'>): void {
    void flow.setViewport({ ...viewport });
  }

  function zoomBy(factor: number): void {
    const { x, y, zoom, width, height } = view.value;
    const next = Math.min(2.5, Math.max(LEAST_ZOOM, zoom * factor));
    centre({ x: (0.5 * width - x) / zoom, y: (0.5 * height - y) / zoom }, next);
  }

  return { view, fitTo, centre, restore, zoomBy };
}
