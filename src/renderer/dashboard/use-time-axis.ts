/**
 * The time axis of a plot: what of the run that is shown is seen, the cursor in it, zoom and pan. Every plot over time has its axis from
 * here, so that linked ones move together.
 */
import { part, type Range, rangeAround, resolvable } from '@figures/ranges';
import { computed, type ComputedRef, shallowRef, watch, type WritableComputedRef } from 'vue';
import { stable } from '../pacing/stable';
import { useDisplayUnitsStore } from '../stores/display-units';
import { usePlotCursorStore } from '../stores/plot-cursor';
import { isActive, useRunsStore } from '../stores/runs';
import { useTimeAxisStore } from '../stores/time-axis';
import { useWorkspaceStore } from '../stores/workspace';
import { shownWords } from '../units/shown';
import type { PlotPointer, RangeChange } from './plot-gestures';
import { timeDigits } from './readout';

export interface TimeAxis {
  /** part that is seen, s; null is all */
  readonly window: WritableComputedRef<Range | null>;
  /** s */
  readonly x: ComputedRef<Range>;
  /** the cursor as a fraction of the axis */
  readonly mark: ComputedRef<{ at: number; label: string } | null>;
  /** follows a gesture */
  move(change: RangeChange): void;
  reset(): void;
  /** puts the cursor where a plot was clicked */
  pick(at: PlotPointer): void;
}

/** Part of a window by which more is read on each side, so that lines run out of the picture instead of ending in it. */
const MARGIN = 1 / 50;

/** What is read of a run for a window. */
export function readSpan(window: Range | null): { from?: number; to?: number } {
  if (window === null) return {};
  const margin = MARGIN * (window.max - window.min);
  return { from: window.min - margin, to: window.max + margin };
}

export function useTimeAxis(): TimeAxis {
  const runs = useRunsStore();
  const units = useDisplayUnitsStore();
  const cursor = usePlotCursorStore();
  const axis = useTimeAxisStore();
  const workspace = useWorkspaceStore();
  const own = shallowRef<Range | null>(null);
  const time = computed(() => units.of('s'));
  const window = computed({
    get: () => (axis.isLinked ? axis.shared : own.value),
    set: (range) => {
      own.value = range;
      if (axis.isLinked) axis.shared = range;
    },
  });
  const full = stable<Range>(() => {
    const run = runs.current;
    if (run === null) return { min: 0, max: 1 };
    // While a run goes on its curve grows into a fixed axis; a run that ended early fills the axis with what it has.
    const max =
      isActive(run) || run.state === 'done' ? run.tEnd : Math.max(run.statistics.simulatedTime, run.t0);
    return max > run.t0 ? { min: run.t0, max } : { min: run.t0, max: run.t0 + 1 };
  });
  const x = computed(() => window.value ?? full.value);
  const mark = computed(() => {
    const t = cursor.mark?.t;
    if (t === undefined) return null;
    const { min, max } = x.value;
    return {
      at: (t - min) / (max - min),
      label: `t = ${shownWords(t, time.value, timeDigits(t, (max - min) / 1000))}`,
    };
  });

  function move({ x: fractions }: RangeChange): void {
    if (fractions[0] === 0 && fractions[1] === 1) return;
    const next = part(x.value, fractions[0], fractions[1]);
    if (resolvable(next)) window.value = next;
  }

  const reset = (): void => {
    window.value = null;
  };

  watch(() => workspace.fitRequest, reset);
  watch(
    () => cursor.mark,
    (wanted) => {
      if (wanted === null || (axis.isLinked && !axis.follows(wanted.request))) return;
      const next = rangeAround(x.value, wanted);
      if (next !== null) window.value = next;
    },
  );
  // Axes that are linked anew begin with what the last of them shows, those that are set free with what all have shown.
  watch(
    () => axis.isLinked,
    (linked) => {
      if (!linked) own.value = axis.shared;
      else if (own.value !== null) axis.shared = own.value;
    },
  );

  function pick({ x: at }: PlotPointer): void {
    const { min, max } = x.value;
    cursor.moveTo(min + at * (max - min));
  }

  return { window, x, mark, move, reset, pick };
}
