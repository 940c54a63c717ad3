/**
 * The time that all plots of a document mark: set from a list of events, seen until it is taken away or
 * another run is shown.
 */
import { defineStore } from 'pinia';
import { computed, watch } from 'vue';
import { useDocumentStore } from './document';
import { perDocument } from './per-document';
import { useRunsStore } from './runs';
import { useSettingsStore } from './settings';

/** A point of a Poincaré section. */
export interface CursorPoint {
  /** id of the section */
  section: string;
  /** of all recorded signals, by name, in the units of the model */
  values: Readonly<Record<string, number>>;
}

export interface PlotMark {
  /** s */
  t: number;
  /** run that was shown */
  runId: string | null;
  /** the plots zoom in on it; otherwise they only bring it into view */
  zoom: boolean;
  /**
   * the point of a section at which it was set: its time alone does not tell the point, which lies between
   * rows
   */
  point?: CursorPoint | undefined;
  /** tells repeated wishes for one time apart */
  request: number;
}

export const usePlotCursorStore = defineStore('plot-cursor', () => {
  const runs = useRunsStore();
  const settings = useSettingsStore();
  const documents = useDocumentStore();
  const kept = perDocument<PlotMark | null>(() => null);
  /**
   * null where another run is shown than the one it was set in: runs change while another document is shown,
   * too
   */
  const mark = computed(() => (kept.value?.runId === runs.currentId ? kept.value : null));
  /** events are marked in the time series */
  const showsEvents = computed(() => settings.values['window.eventMarkers']);
  let requests = 0;

  function moveTo(t: number, zoom = false, point?: CursorPoint): void {
    kept.value = { t, runId: runs.currentId, zoom, point, request: ++requests };
  }

  function clear(): void {
    kept.value = null;
  }

  function toggleEvents(): void {
    void settings.set('window.eventMarkers', !showsEvents.value);
  }

  watch(
    () => ({ session: documents.session, runId: runs.currentId }),
    (now, before) => {
      if (now.session === before.session && now.runId !== before.runId) clear();
    },
  );

  return { mark, showsEvents, moveTo, clear, toggleEvents };
});
