/** The tour of the window: where it stands. It points at things and gets in the way of nothing. */
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { STEPS, TOUR_EXAMPLE } from '../tour/steps';
import { useFilesStore } from './files';
import { useStartPageStore } from './start-page';

export const useTourStore = defineStore('tour', () => {
  const place = shallowRef<number | null>(null);
  const step = computed(() => (place.value === null ? null : STEPS[place.value]));

  /** Opens the model that it is about, and points at the first thing. */
  async function start(): Promise<void> {
    if (!(await useFilesStore().openExample(TOUR_EXAMPLE))) return;
    useStartPageStore().close();
    go(0);
  }

  function go(to: number): void {
    if (to < 0 || to >= STEPS.length) {
      place.value = null;
      return;
    }
    STEPS[to]?.before?.();
    place.value = to;
  }

  const next = (): void => go((place.value ?? -1) + 1);
  const back = (): void => go(Math.max(0, (place.value ?? 0) - 1));
  function end(): void {
    place.value = null;
  }

  return { place, step, start, next, back, end };
});
