/**
 * The time axis of a plot: what of the run that is shown is seen, the cursor in it, zoom and pan. Every plot
 * over time has its axis from here, so that linked ones move together.
 */
import { part, type Range, rangeAround, resolvable } from '@figures/ranges';
import { computed, type ComputedRef, watch, type WritableComputedRef } from 'vue';
import { formatNumber } from '../../components/numbers';
import { stable } from '../../pacing/stable';
import { useDisplayUnitsStore } from '../../stores/display-units';
import { useDocumentStore } from '../../stores/document';
import { usePlotCursorStore } from '../../stores/plot-cursor';
import { isActive, useRunsStore } from '../../stores/runs';
import { useTimeAxisStore } from '../../stores/time-axis';
import { useTimeSelectionStore } from '../../stores/time-selection';
import { viewState } from '../../stores/view-states';
import { useWorkspaceStore } from '../../stores/workspace';
import { shownWords } from '../../units/shown';
import type { PlotPointer, RangeChange } from '../plot/plot-gestures';
import { timeDigits } from '../plot/readout';

export interface TimeAxis {
  /** part that is seen, s; null is all */
  readonly window: WritableComputedRef<Range | null>;
  /** s */
  readonly x: ComputedRef<Range>;
  /**
   * what the surface of the plot shows of the time: the cursor and the selected span, as fractions of the
   * axis; whether a drag selects
   */
  readonly surface: ComputedRef<{
    mark: { at: number; label: string } | null;
    band: { from: number; to: number; label: string } | null;
    selects: boolean;
  }>;
  /** what its gestures do to the cursor and the selection */
  readonly gestures: {
    /** puts the cursor where a plot was clicked; with the Shift key the selection reaches to there */
    readonly pick: (at: PlotPointer, shift?: boolean) => void;
    /** between two fractions of the axis; null takes the selection away */
    readonly select: (span: readonly [number, number] | null) => void;
    /** an end of the selection to the cursor */
    readonly selectEnd: (end: 'min' | 'max') => void;
  };
  /** follows a gesture */
  move(change: RangeChange): void;
  reset(): void;
}

/**
 * Part of a window by which more is read on each side, so that lines run out of the picture instead of ending
 * in it.
 */
const MARGIN = 1 / 50;

/** What is read of a run for a window. */
export function readSpan(window: Range | null): { from?: number; to?: number } {
  if (window === null) return {};
  const margin = MARGIN * (window.max - window.min);
  return { from: window.min - margin, to: window.max + margin };
}

/** @param viewId of the plot */
export function useTimeAxis(viewId: string): TimeAxis {
  const documents = useDocumentStore();
  const runs = useRunsStore();
  const units = useDisplayUnitsStore();
  const cursor = usePlotCursorStore();
  const axis = useTimeAxisStore();
  const selection = useTimeSelectionStore();
  const workspace = useWorkspaceStore();
  const own = viewState<Range | null>(viewId, 'time', null);
  const { session } = documents;
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
    // While a run goes on its curve grows into a fixed axis; a run that ended early fills the axis with what
    // it has.
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
      // The cursor of another document is on its way to the plots of that one.
      if (documents.session !== session) return;
      if (wanted === null || (axis.isLinked && !axis.follows(wanted.request))) return;
      const next = rangeAround(x.value, wanted);
      if (next !== null) window.value = next;
    },
  );
  // Newly linked axes take the range of the last one; unlinked axes keep the common range.
  watch(
    () => axis.isLinked,
    (linked) => {
      if (!linked) own.value = axis.shared;
      else if (own.value !== null) axis.shared = own.value;
    },
  );

  // Every plot hears of it, linked or not.
  watch(
    () => selection.zoomRequest,
    () => {
      if (selection.span !== null && resolvable(selection.span)) window.value = selection.span;
    },
  );

  const fractionOf = (t: number): number => (t - x.value.min) / (x.value.max - x.value.min);
  const timeAt = (fraction: number): number => x.value.min + fraction * (x.value.max - x.value.min);
  const band = computed(() => {
    const { span } = selection;
    if (span === null) return null;
    const { unit, factor } = time.value;
    const label = `Δt = ${formatNumber((span.max - span.min) * factor, 6)} ${unit}`;
    return { from: fractionOf(span.min), to: fractionOf(span.max), label };
  });
  const surface = computed(() => ({ mark: mark.value, band: band.value, selects: selection.isSelecting }));

  const gestures: TimeAxis['gestures'] = {
    pick: ({ x: at }, shift = false) => {
      if (shift) selection.extendTo(timeAt(at));
      else cursor.moveTo(timeAt(at));
    },
    select: (span) => {
      if (span === null) selection.clear();
      else selection.select(timeAt(span[0]), timeAt(span[1]));
    },
    selectEnd: (end) => {
      const t = cursor.mark?.t;
      if (t === undefined) return;
      const known = selection.span ?? full.value;
      // An end beyond the other one takes the rest of the run with it.
      const other = end === 'min' ? known.max : known.min;
      const isBeyond = end === 'min' ? t >= other : t <= other;
      selection.select(t, isBeyond ? full.value[end === 'min' ? 'max' : 'min'] : other);
    },
  };

  return { window, x, surface, move, reset, gestures };
}
