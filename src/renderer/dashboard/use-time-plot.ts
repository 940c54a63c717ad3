/**
 * A plot over time that is made of one answer about the run that is shown: asking, following the run, its
 * look, and its place among the plots.
 */
import { MAX_BUCKETS } from '@contract/methods';
import type { Margins } from '@figures/axes';
import { DARK_PLOT, LIGHT_PLOT, type PlotTheme } from '@figures/palette';
import { part, type Range, resolvable } from '@figures/ranges';
import { scaledRange } from '@figures/shown-units';
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
import { usePacedRefresh, useRedrawBudget } from '../pacing/window-budget';
import { useDisplayUnitsStore } from '../stores/display-units';
import { describeError, useNoticesStore } from '../stores/notices';
import { useRunsStore } from '../stores/runs';
import { viewState } from '../stores/view-states';
import { useWorkspaceStore } from '../stores/workspace';
import { pictureOf } from './charts';
import { LatestWins } from './latest-wins';
import { type PlotCurve, registerPlot } from './plot-registry';
import type { PlotPointer, RangeChange } from './plot-gestures';
import { readSpan, type TimeAxis, useTimeAxis } from './use-time-axis';

/** What is asked about a run. */
interface TimeQuestion {
  readonly runId: string;
  readonly from?: number;
  readonly to?: number;
  readonly buckets: number;
}

interface TimeLook {
  readonly theme: PlotTheme;
  /** in the unit that is shown */
  readonly x: Range;
  readonly timeUnit: string;
  readonly timeFactor: number;
  /** null follows the data */
  readonly y: Range | null;
  readonly width: number;
  readonly height: number;
  /** whether it is for a file, which has no header with a legend */
  readonly isFile: boolean;
}

export interface TimePlotParts<Answer> {
  readonly viewId: () => string;
  readonly ask: (question: TimeQuestion) => Promise<Answer>;
  /** asked again when it is another one */
  readonly subject: () => unknown;
  readonly margins: (answer: Answer | null) => Margins;
  readonly draw: (look: TimeLook, answer: Answer | null) => EChartsOption;
  /** vertical range that shows all; null where the vertical axis is none that could be zoomed */
  readonly wholeY: (answer: Answer | null) => Range | null;
  readonly curves: (answer: Answer) => PlotCurve[];
}

export interface TimePlot<Answer> {
  readonly axis: TimeAxis;
  readonly theme: ComputedRef<PlotTheme>;
  readonly size: Ref<{ width: number; height: number }>;
  readonly boxZoom: Ref<boolean>;
  readonly pointer: Ref<PlotPointer | null>;
  /** time under the pointer, s */
  readonly at: ComputedRef<number | null>;
  /** about the run that is shown; null while there is none */
  readonly answer: ComputedRef<Answer | null>;
  readonly margins: ComputedRef<Margins>;
  readonly option: ComputedRef<EChartsOption>;
  readonly zoomed: ComputedRef<boolean>;
  readonly onRange: (change: RangeChange) => void;
  readonly reset: () => void;
}

export function useTimePlot<Answer>(parts: TimePlotParts<Answer>): TimePlot<Answer> {
  const runs = useRunsStore();
  const workspace = useWorkspaceStore();
  const units = useDisplayUnitsStore();
  const budget = useRedrawBudget();
  const axis = useTimeAxis(parts.viewId());
  const size = ref({ width: 600, height: 240 });
  const boxZoom = ref(false);
  const pointer = shallowRef<PlotPointer | null>(null);
  const yWindow = viewState<Range | null>(parts.viewId(), 'y', null);
  const found = shallowRef<{ runId: string; answer: Answer } | null>(null);

  const theme = computed(() => (workspace.theme === 'dark' ? DARK_PLOT : LIGHT_PLOT));
  // While a run that replaces it in a slider movement has no rows, the one before is still seen.
  const answer = computed(() => {
    const runId = found.value?.runId;
    return runId !== undefined && (runId === runs.currentId || runId === runs.replacedId)
      ? (found.value?.answer ?? null)
      : null;
  });
  const look = computed<TimeLook>(() => {
    const { unit, factor } = units.of('s');
    return {
      theme: theme.value,
      x: scaledRange(axis.x.value, factor),
      timeUnit: unit,
      timeFactor: factor,
      y: yWindow.value,
      ...size.value,
      isFile: false,
    };
  });
  const margins = computed(() => parts.margins(answer.value));
  const option = computed(() => parts.draw(look.value, answer.value));
  const at = computed(() => {
    const { min, max } = axis.x.value;
    return pointer.value === null ? null : min + pointer.value.x * (max - min);
  });
  const zoomed = computed(() => axis.window.value !== null || yWindow.value !== null);

  const reader = new LatestWins<TimeQuestion, Answer>(
    (question) => parts.ask(question),
    (next, { runId }) => {
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
    await reader.ask({ runId: run.runId, ...readSpan(axis.window.value), buckets });
  });

  function onRange(change: RangeChange): void {
    axis.move(change);
    const whole = parts.wholeY(answer.value);
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
      () => parts.subject(),
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
    unregister = registerPlot(parts.viewId(), {
      isOverTime: true,
      data: () => (answer.value === null ? [] : parts.curves(answer.value)),
      range: () => {
        const { min, max } = axis.x.value;
        const y = yWindow.value ?? parts.wholeY(answer.value) ?? { min: NaN, max: NaN };
        return { xMin: min, xMax: max, yMin: y.min, yMax: y.max };
      },
      seen: () => ({ span: axis.window.value }),
      image: (format, { width, height } = size.value) =>
        pictureOf(
          parts.draw({ ...look.value, width, height, isFile: true }, answer.value),
          format,
          width,
          height,
        ),
    });
  });
  onBeforeUnmount(() => {
    unregister();
    reader.close();
  });

  return { axis, theme, size, boxZoom, pointer, at, answer, margins, option, zoomed, onRange, reset };
}
