/**
 * A plot of several runs in the plane of two quantities: what its chart asks of each run, what of the plane
 * is seen, and its place among the plots.
 */
import type { RunInfo } from '@contract/methods';
import type { SignalInfo } from '@engine/document/types';
import type { DensityRectangle } from '@figures/density';
import { DARK_PLOT, LIGHT_PLOT, type PlotTheme } from '@figures/palette';
import { type PlaneRanges, planeRanges } from '@figures/plane';
import { runLegendHeight, type RunWords } from '@figures/run-legend';
import type { ChartLook } from '@views/shared/chart';
import {
  type PlaneChart,
  type PlaneResult,
  type PlaneUnits,
  planeUnits,
  type PlaneView,
} from '@views/shared/plane-chart';
import type { EChartsOption } from 'echarts';
import {
  computed,
  type ComputedRef,
  onBeforeUnmount,
  onMounted,
  type Ref,
  ref,
  shallowRef,
  watch,
} from 'vue';
import { formatNumber } from '../../components/numbers';
import { stable } from '../../pacing/stable';
import { usePacedRefresh, useRedrawBudget } from '../../pacing/window-budget';
import { useDisplayUnitsStore } from '../../stores/display-units';
import { describeError, useNoticesStore } from '../../stores/notices';
import { useReportStore } from '../../stores/report';
import { useRunsStore } from '../../stores/runs';
import { viewState } from '../../stores/view-states';
import { useWorkspaceStore } from '../../stores/workspace';
import { useHost } from '../../transport/host';
import { picture } from '../figures/canvas-of';
import { pictureOf } from '../figures/charts';
import { LatestWins } from '../plot/latest-wins';
import { type PanelPlot, panelState, type ReadoutLine } from '../plot/panel-plot';
import { inModelUnits, planeAfter, valuesAt } from './plane-view';
import { registerPlot } from '../plot/plot-registry';
import type { PlotPointer, RangeChange } from '../plot/plot-gestures';
import { useRunWords } from '../signals/use-run-words';

/** Growth factor of the points after which they are read again; few are read at each update. */
const WORTH_A_LOOK = 1.1;
const FEW_POINTS = 20_000;

interface Size {
  width: number;
  height: number;
}

/** What was read of a run. */
interface ReadPlane<R> {
  readonly runId: string;
  readonly result: R;
}

interface Question {
  runs: readonly RunInfo[];
  part: DensityRectangle | undefined;
  cells: Size;
}

export interface RunPlaneParts<R> {
  /** points that a run has for it; more of them are worth another look */
  readonly pointsOf: (run: RunInfo) => number;
  /** what lies in the selected span of time */
  readonly selected?: () => R | null;
  /** a point that is marked on the screen, in the units shown */
  readonly mark?: () => { x: number; y: number } | null;
  /** whether a part that is zoomed to is read again even where points are drawn one by one */
  readonly readsParts?: boolean;
  /** what is drawn; where it is another one, all of it is seen */
  readonly subject?: () => string;
}

export interface RunPlane<R> {
  readonly theme: ComputedRef<PlotTheme>;
  readonly size: Ref<Size>;
  readonly boxZoom: Ref<boolean>;
  readonly pointer: Ref<PlotPointer | null>;
  /** signals that can be drawn */
  readonly available: ComputedRef<readonly SignalInfo[]>;
  readonly units: ComputedRef<PlaneUnits>;
  readonly read: Ref<readonly ReadPlane<R>[]>;
  readonly current: ComputedRef<R | null>;
  readonly compared: Readonly<Ref<readonly R[]>>;
  readonly words: ComputedRef<RunWords>;
  /** visible part in the units shown; null shows all */
  readonly zoom: Ref<PlaneRanges | null>;
  /** what shows all, and what is seen, in the units shown */
  readonly automatic: ComputedRef<PlaneRanges>;
  readonly range: ComputedRef<PlaneRanges>;
  readonly placeOf: (at: PlotPointer) => [number, number];
  /** what is under the pointer */
  readonly readout: ComputedRef<readonly ReadoutLine[] | null>;
  readonly panel: ComputedRef<PanelPlot>;
}

export function useRunPlane<V extends PlaneView, R extends PlaneResult>(
  chart: PlaneChart<V, R>,
  view: () => V,
  {
    pointsOf,
    selected = () => null,
    mark = () => null,
    readsParts = false,
    subject = () => '',
  }: RunPlaneParts<R>,
): RunPlane<R> {
  const { id } = view();
  const runs = useRunsStore();
  const report = useReportStore();
  const workspace = useWorkspaceStore();
  const displayUnits = useDisplayUnitsStore();
  const budget = useRedrawBudget();

  const size = ref<Size>({ width: 600, height: 300 });
  const boxZoom = ref(false);
  const pointer = shallowRef<PlotPointer | null>(null);
  const read = shallowRef<readonly ReadPlane<R>[]>([]);
  let asked = 0;

  const theme = computed(() => (workspace.theme === 'dark' ? DARK_PLOT : LIGHT_PLOT));
  const signals = computed(() => runs.current?.signals ?? report.signals);
  const available = computed(() => signals.value.filter((info) => info.kind !== 'time'));
  const units = computed(() => planeUnits(view(), { signals: signals.value, units: displayUnits }));
  const zoom = viewState<PlaneRanges | null>(id, 'zoom', null, () =>
    [subject(), view().x, view().y ?? '', units.value.x.unit, units.value.y.unit].join('\n'),
  );
  const margins = computed(() => chart.margins(view(), null));

  /**
   * answer that belongs to the run shown; kept while the run that replaces it in a slider movement has no
   * rows
   */
  const held = shallowRef<ReadPlane<R> | null>(null);
  const answered = computed(() => read.value.find(({ runId }) => runId === runs.currentId) ?? null);
  const current = computed(() => {
    const kept = held.value?.runId === runs.replacedId ? held.value : null;
    return (answered.value ?? kept)?.result ?? null;
  });
  const compared = stable(() =>
    runs.compared
      .map(({ runId }) => read.value.find((one) => one.runId === runId)?.result)
      .filter((result) => result !== undefined),
  );
  const words = useRunWords(() => read.value.map(({ runId }) => runId));
  /** what shows all, in the units shown */
  const automatic = computed(() => {
    const { x, y } = units.value;
    const results = [...compared.value, ...(current.value === null ? [] : [current.value])];
    return chart.ranges(results.map((result) => chart.scaled(result, x.factor, y.factor)));
  });
  const areaOf = ({ width, height }: Size): Size => ({
    width: width - margins.value.left - margins.value.right,
    height: height - margins.value.top - margins.value.bottom,
  });
  /** What is seen in a chart of that size. */
  function rangeIn(chartSize: Size): PlaneRanges {
    const { x, y } = units.value;
    return (
      zoom.value ?? planeRanges(automatic.value, view(), areaOf(chartSize), { x: x.factor, y: y.factor })
    );
  }
  const range = computed(() => rangeIn(size.value));
  const look = computed<ChartLook>(() => ({
    units: displayUnits,
    theme: theme.value,
    ...size.value,
    run: runs.current,
    compared: runs.compared,
    signals: signals.value,
    ...range.value,
    picture,
    mark: mark(),
    isFile: false,
  }));
  const answers = computed(() => ({
    current: current.value,
    compared: compared.value,
    selected: selected(),
  }));
  const option = computed<EChartsOption>(() => chart.draw(view(), answers.value, look.value));
  const placeOf = (at: PlotPointer): [number, number] => valuesAt(range.value, at);
  const readout = computed(() => {
    if (pointer.value === null) return null;
    const { x = view().x, y = view().y ?? view().x } = chart.axes?.(view()) ?? {};
    const [px, py] = placeOf(pointer.value);
    return [
      { term: x, value: `${formatNumber(px, 5)} ${units.value.x.unit}` },
      { term: y, value: `${formatNumber(py, 5)} ${units.value.y.unit}` },
    ];
  });

  const reader = new LatestWins<Question, ReadPlane<R>[]>(
    async ({ runs: all, ...question }) => {
      const { dispatcher } = useHost();
      const found: ReadPlane<R>[] = [];
      for (const run of all) {
        const result = await chart.ask(view(), { run, ...question, buckets: 0, isFile: false }, dispatcher);
        found.push({ runId: run.runId, result });
      }
      return found;
    },
    (found) => {
      budget.charge();
      read.value = found;
    },
    (error) => {
      // A run deleted while it was being read is no news.
      if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
    },
  );

  const wanted = computed(() =>
    runs.drawn.filter((run) => pointsOf(run) > 0 && chart.compares?.(view(), run) === true),
  );
  const points = computed(() => wanted.value.reduce((sum, run) => sum + pointsOf(run), 0));
  /** curves are drawn by the chart at any zoom; visits are counted again in what is zoomed to */
  const hasDensity = computed(() => read.value.some(({ result }) => result.kind === 'density'));
  const part = computed(() =>
    zoom.value === null || !(readsParts || hasDensity.value)
      ? undefined
      : inModelUnits(zoom.value, units.value),
  );
  const refresh = usePacedRefresh(async () => {
    if (wanted.value.length === 0) {
      read.value = [];
      return;
    }
    asked = points.value;
    await reader.ask({ runs: wanted.value, part: part.value, cells: areaOf(size.value) });
  });

  function onRange(change: RangeChange): void {
    const next = planeAfter(range.value, change, pointer.value, boxZoom.value);
    if (next !== null) zoom.value = next;
  }
  const onReset = (): void => void (zoom.value = null);

  // Several getters: an array made by one of them would be another one at each news of any run.
  watch(
    [
      () => runs.currentId,
      () => wanted.value.map((run) => `${run.runId} ${run.state}`).join(),
      () => subject(),
      () => view().x,
      () => view().y,
      () => size.value.width,
      () => size.value.height,
      () => part.value,
    ],
    refresh.now,
    { immediate: true },
  );
  watch(points, (count) => {
    if (count > WORTH_A_LOOK * asked || count < FEW_POINTS) refresh.inTurn();
  });
  watch(answered, (one) => {
    if (one !== null) held.value = one;
  });
  watch(() => workspace.fitRequest, onReset);

  let unregister = (): void => undefined;
  onMounted(() => {
    unregister = registerPlot(id, {
      data: () =>
        read.value.flatMap(({ runId, result }) =>
          result.kind === 'points'
            ? [{ name: [view().x, view().y].filter(Boolean).join(', '), runId, x: result.x, y: result.y }]
            : [],
        ),
      range: () => inModelUnits(range.value, units.value),
      notePlace: () => {
        const [x, y] = placeOf(pointer.value ?? { x: 0.5, y: 0.5 });
        return { x: x / units.value.x.factor, y: y / units.value.y.factor };
      },
      seen: () => ({ isPlaneZoomed: zoom.value !== null }),
      image: (format, at) => {
        const more = runLegendHeight(words.value, at?.width ?? size.value.width);
        const { width, height } = at ?? { ...size.value, height: size.value.height + more };
        const seen = { ...rangeIn({ width, height: height - more }), width, height, runs: words.value };
        // The cursor and the selection are of the screen.
        const plain = { ...answers.value, selected: null };
        const file = chart.draw(view(), plain, { ...look.value, ...seen, mark: null, isFile: true });
        return pictureOf(file, format, width, height);
      },
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
    zoomed: zoom.value !== null,
    onRange,
    onReset,
  }));

  return {
    ...{ theme, size, boxZoom, pointer, available, units, read, current, compared, words, zoom },
    ...{ automatic, range, placeOf, readout, panel },
  };
}
