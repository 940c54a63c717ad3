/** Events as marks in a time series: which are drawn, and what is said where there are too many. */
import { computed, type ComputedRef, onBeforeUnmount, watch } from 'vue';
import { counted } from '../../i18n';
import { useEventsStore } from '../../stores/events';
import { usePlotCursorStore } from '../../stores/plot-cursor';
import type { Range } from '@figures/ranges';

/** More lines than this hide the curves behind them. */
const MOST_MARKS = 300;

export interface EventMarks {
  /** s; null where no events are to be marked or there are too many */
  times: ComputedRef<Float64Array | null>;
  /** why nothing is marked; empty otherwise */
  note: ComputedRef<string>;
}

/** @param visible part of the time axis that is seen */
export function useEventMarks(visible: ComputedRef<Range>): EventMarks {
  const events = useEventsStore();
  const cursor = usePlotCursorStore();
  let release = (): void => undefined;

  watch(
    () => cursor.showsEvents,
    (shown) => {
      release();
      release = shown ? events.follow() : () => undefined;
    },
    { immediate: true },
  );
  onBeforeUnmount(() => release());

  const isMarked = computed(() => cursor.showsEvents && events.run !== null && events.table.length > 0);
  const times = computed(() => {
    const { min, max } = visible.value;
    return isMarked.value ? events.table.timesWithin(min, max, MOST_MARKS) : null;
  });
  const note = computed(() => {
    if (!isMarked.value || times.value !== null) return '';
    const { table } = events;
    const { min, max } = visible.value;
    return counted('plot.manyEvents', table.indexAt(max) - table.indexAt(min));
  });
  return { times, note };
}
