/**
 * A plot over time that is made of one answer about the run that is shown: asking by its chart, following the
 * run, and its place among the plots.
 */
import { MAX_BUCKETS } from '@contract/methods';
import type { ViewDocument } from '@engine/document/types';
import { DARK_PLOT, LIGHT_PLOT, type PlotTheme } from '@figures/palette';
import { part, type Range, resolvable } from '@figures/ranges';
import type { ChartLook, ChartQuestion, TimeChart } from '@views/shared/chart';
import type { EChartsOption } from 'echarts';
import {
  computed,
  type ComputedRef,
  onBeforeUnmount,
  onMounted,
  ref,
  type Ref,
  shallowRef,
  watch,
} from 'vue';
import { usePacedRefresh, useRedrawBudget } from '../../pacing/window-budget';
import { useDisplayUnitsStore } from '../../stores/display-units';
import { describeError, useNoticesStore } from '../../stores/notices';
import { useRunsStore } from '../../stores/runs';
import { viewState } from '../../stores/view-states';
import { useWorkspaceStore } from '../../stores/workspace';
import { useHost } from '../../transport/host';
import { shownWords } from '../../units/shown';
import { pictureOf } from '../figures/charts';
import { picture } from '../figures/canvas-of';
import { LatestWins } from '../plot/latest-wins';
import { registerPlot } from '../plot/plot-registry';
import { type PanelPlot, panelState } from '../plot/panel-plot';
import type { PlotPointer, RangeChange } from '../plot/plot-gestures';
import { timeDigits } from '../plot/readout';
import { readSpan, type TimeAxis, useTimeAxis } from './use-time-axis';

export interface TimePlot<Answer> {
  readonly axis: TimeAxis;
  readonly theme: ComputedRef<PlotTheme>;
  readonly size: Ref<{ width: number; height: number }>;
  readonly pointer: Ref<PlotPointer | null>;
  /** time under the pointer, s */
  readonly at: ComputedRef<number | null>;
  /** about the run that is shown; null while there is none */
  readonly answer: ComputedRef<Answer | null>;
  /** what a panel shows and how it answers gestures */
  readonly panel: ComputedRef<PanelPlot>;
  /** a moment, as exactly as the axis tells it apart */
  readonly timeWords: (t: number) => string;
}

/** @param subject asked again when it is another one */
export function useTimePlot<V extends ViewDocument, Answer>(
  chart: TimeChart<V, Answer>,
  view: () => V,
  subject: () => unknown = () => '',
): TimePlot<Answer> {
  const { id } = view();
  const runs = useRunsStore();
  const workspace = useWorkspaceStore();
  const units = useDisplayUnitsStore();
  const budget = useRedrawBudget();
  const axis = useTimeAxis(id);
  const size = ref({ width: 600, height: 240 });
  const boxZoom = ref(false);
  const pointer = shallowRef<PlotPointer | null>(null);
  const yWindow = viewState<Range | null>(id, 'y', null);
  const found = shallowRef<{ runId: string; answer: Answer } | null>(null);

  const theme = computed(() => (workspace.theme === 'dark' ? DARK_PLOT : LIGHT_PLOT));
  // While a run that replaces it in a slider movement has no rows, the one before is still seen.
  const answer = computed(() => {
    const runId = found.value?.runId;
    return runId !== undefined && (runId === runs.currentId || runId === runs.replacedId)
      ? (found.value?.answer ?? null)
      : null;
  });
  const look = computed<ChartLook>(() => ({
    units,
    theme: theme.value,
    ...size.value,
    run: runs.current,
    compared: [],
    signals: runs.current?.signals ?? [],
    picture,
    from: axis.x.value.min,
    to: axis.x.value.max,
    x: null,
    y: yWindow.value,
    isFile: false,
  }));
  const draw = (seen: ChartLook): EChartsOption =>
    chart.draw(view(), { current: answer.value, compared: [] }, seen);
  const margins = computed(() => chart.margins(view(), answer.value));
  const wholeY = (): Range | null => chart.wholeY(view(), answer.value, look.value);
  const option = computed(() => draw(look.value));
  const at = computed(() => {
    const { min, max } = axis.x.value;
    return pointer.value === null ? null : min + pointer.value.x * (max - min);
  });

  const reader = new LatestWins<ChartQuestion, Answer>(
    (question) => chart.ask(view(), question, useHost().dispatcher),
    (next, { run: { runId } }) => {
      budget.charge();
      found.value = { runId, answer: next };
    },
    (error) => {
      // A run deleted while it was being read is no news.
      if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
    },
  );

  const refresh = usePacedRefresh(async () => {
    const run = runs.current;
    if (run === null || run.statistics.rows === 0) {
      if (run === null) found.value = null;
      return;
    }
    const { left, right } = margins.value;
    const pixels = Math.round((size.value.width - left - right) * window.devicePixelRatio);
    const buckets = Math.max(16, Math.min(MAX_BUCKETS, pixels));
    const cells = size.value;
    await reader.ask({ run, ...readSpan(axis.window.value), buckets, cells, isFile: false });
  });

  function onRange(change: RangeChange): void {
    axis.move(change);
    const whole = wholeY();
    const [low, high] = change.y;
    if (whole === null || (low === 0 && high === 1)) return;
    const next = part(yWindow.value ?? whole, low, high);
    if (resolvable(next)) yWindow.value = next;
  }

  function reset(): void {
    axis.reset();
    yWindow.value = null;
  }

  watch(
    [
      () => runs.currentId,
      () => runs.current?.state,
      () => subject(),
      () => axis.window.value,
      () => size.value.width,
    ],
    refresh.now,
    { immediate: true },
  );
  watch(() => runs.current?.statistics.rows, refresh.inTurn);
  watch(
    () => workspace.fitRequest,
    () => (yWindow.value = null),
  );

  let unregister = (): void => undefined;
  onMounted(() => {
    unregister = registerPlot(id, {
      isOverTime: true,
      data: () => (answer.value === null ? [] : chart.curves(view(), answer.value)),
      range: () => {
        const { min, max } = axis.x.value;
        const y = yWindow.value ?? wholeY() ?? { min: NaN, max: NaN };
        return { xMin: min, xMax: max, yMin: y.min, yMax: y.max };
      },
      seen: () => ({ span: axis.window.value }),
      image: (format, { width, height } = size.value) =>
        pictureOf(draw({ ...look.value, width, height, isFile: true }), format, width, height),
    });
  });
  onBeforeUnmount(() => {
    unregister();
    reader.close();
  });

  const panel = computed<PanelPlot>(() => ({
    ...panelState({ size, boxZoom, pointer }),
    option: option.value,
    margins: margins.value,
    zoomed: axis.window.value !== null || yWindow.value !== null,
    isOverTime: true,
    surface: {
      ...axis.surface.value,
      onPick: axis.gestures.pick,
      onSelect: axis.gestures.select,
      onSelectEnd: axis.gestures.selectEnd,
    },
    onRange,
    onReset: reset,
  }));
  const timeWords = (t: number): string => {
    const { min, max } = axis.x.value;
    return shownWords(t, units.of('s'), timeDigits(t, (max - min) / 1000));
  };

  return { axis, theme, size, pointer, at, answer, panel, timeWords };
}
