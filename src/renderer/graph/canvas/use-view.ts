/** The view of the drawing: where it is, and moving it to what is asked for. */
import { useVueFlow } from '@vue-flow/core';
import { computed, nextTick, watch } from 'vue';
import { useSettingsStore } from '../../stores/settings';
import { useHost } from '../../transport/host';
import { fitted, LEAST_ZOOM, type Size } from './fitting';
import type { Rectangle } from '../frames/rectangles';
import type { View } from './viewing';

export const MOST_ZOOM = 2.5;

/** @param legend size of the legend in the lower left; null without one */
export function useView(id: string, legend: () => Size | null) {
  const flow = useVueFlow(id);
  const view = computed<View>(() => {
    const { x, y, zoom } = flow.viewport.value;
    const { width, height } = flow.dimensions.value;
    return { x, y, zoom, width, height };
  });

  const settings = useSettingsStore();
  const { door } = useHost();
  const windowZoom = computed(() => settings.values['appearance.zoom'] / 100);
  /** the zoom of the page, which the drawing takes part in by its own: see its style */
  const pageZoom = computed(() => (door === 'browser' ? windowZoom.value : 1));

  /** Moves the view so that rectangles fill it. */
  function fitTo(rectangles: Iterable<Rectangle>): void {
    const { width, height } = view.value;
    const scale = pageZoom.value;
    const place = fitted([...rectangles], { width: width / scale, height: height / scale }, legend());
    if (place === null) return;
    const { x, y, zoom } = place;
    void flow.setViewport({ x: scale * x, y: scale * y, zoom: Math.min(MOST_ZOOM, scale * zoom) });
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
    const next = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom * factor));
    centre({ x: (0.5 * width - x) / zoom, y: (0.5 * height - y) / zoom }, next);
  }

  watch(pageZoom, (now, before) => zoomBy(now / before));
  // Edges end where ports were measured to be; the size of letters has changed.
  watch(windowZoom, async () => {
    await nextTick();
    requestAnimationFrame(() => flow.updateNodeInternals());
  });

  return { view, fitTo, centre, restore, zoomBy };
}
