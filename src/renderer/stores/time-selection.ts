/**
 * The selected time span: plots over time mark it, portraits highlight it, its statistics are shown, and it
 * can be exported.
 */
import { defineStore } from 'pinia';
import type { Range } from '@figures/ranges';
import { shallowRef } from 'vue';
import { perDocument } from './per-document';
import { usePlotCursorStore } from './plot-cursor';

export const useTimeSelectionStore = defineStore('time-selection', () => {
  const cursor = usePlotCursorStore();
  /** s */
  const span = perDocument<Range | null>(() => null);
  /** whether a drag in plots over time selects, in place of moving what is seen */
  const isSelecting = shallowRef(false);
  /** whether the numbers of the span are shown */
  const showsNumbers = shallowRef(false);
  /** grows with each wish to see the span and nothing else */
  const zoomRequest = shallowRef(0);

  /** Selects what lies between two times, s, in any order. */
  function select(a: number, b: number): void {
    if (Number.isFinite(a) && Number.isFinite(b) && a !== b)
      span.value = { min: Math.min(a, b), max: Math.max(a, b) };
  }

  /** Moves the end that is nearer to a time; where nothing is selected yet, the span begins at the cursor. */
  function extendTo(t: number): void {
    const known = span.value;
    if (known !== null) {
      const isEarlier = Math.abs(t - known.min) < Math.abs(t - known.max);
      select(isEarlier ? known.max : known.min, t);
    } else if (cursor.mark === null) cursor.moveTo(t);
    else select(cursor.mark.t, t);
  }

  function clear(): void {
    span.value = null;
  }

  function toggle(): void {
    isSelecting.value = !isSelecting.value;
  }

  function zoom(): void {
    if (span.value !== null) zoomRequest.value++;
  }

  return { span, isSelecting, showsNumbers, zoomRequest, select, extendTo, clear, toggle, zoom };
});
