/** The time that all time series mark: set from a list of events, seen until it is taken away or another run is shown. */
import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import { useRunsStore } from './runs';

export interface PlotMark {
  /** s */
  t: number;
  /** the plots zoom in on it; otherwise they only bring it into view */
  zoom: boolean;
  /** tells repeated wishes for one time apart */
  request: number;
}

const MARKERS_KEY = 'moreau.eventMarkers';

export const usePlotCursorStore = defineStore('plot-cursor', () => {
  const runs = useRunsStore();
  const mark = shallowRef<PlotMark | null>(null);
  /** events are marked in the time series */
  const showsEvents = shallowRef(localStorage.getItem(MARKERS_KEY) === 'on');
  let requests = 0;

  function moveTo(t: number, zoom = false): void {
    mark.value = { t, zoom, request: ++requests };
  }

  function clear(): void {
    mark.value = null;
  }

  function toggleEvents(): void {
    showsEvents.value = !showsEvents.value;
    localStorage.setItem(MARKERS_KEY, showsEvents.value ? 'on' : 'off');
  }

  watch(() => runs.currentId, clear);

  return { mark, showsEvents, moveTo, clear, toggleEvents };
});
