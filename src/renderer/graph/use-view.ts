/** The view of the drawing: where it is, and moving it to what is asked for. */
import { useVueFlow } from '@vue-flow/core';
import { computed } from 'vue';
import { fitted, LEAST_ZOOM, type Size } from './fitting';
import type { Rectangle } from './rectangles';
import type { View } from './viewing';

/** @param legend size of the legend in the lower left; null without one */
export function useView(id: string, legend: () => Size | null) {
  const flow = useVueFlow(id);
  const view = computed<View>(() => {
    const { x, y, zoom } = flow.viewport.value;
    const { width, height } = flow.dimensions.value;
    return { x, y, zoom, width, height };
  });

  /** Moves the view so that rectangles fill it. */
  function fitTo(rectangles: Iterable<Rectangle>): void {
    const place = fitted([...rectangles], view.value, legend());
    if (place !== null) void flow.setViewport(place);
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
