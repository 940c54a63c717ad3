/**
 * A plot in a plane of two quantities that is made at once: its theme, what of it is seen, and its place
 * among the plots.
 */
import { DARK_PLOT, LIGHT_PLOT, type PlotTheme } from '@figures/palette';
import { part, type Range, resolvable } from '@figures/ranges';
import { asItIs, type ShownUnit } from '@figures/shown-units';
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
import { viewState } from '../../stores/view-states';
import { useWorkspaceStore } from '../../stores/workspace';
import { pictureOf } from '../figures/charts';
import { type PanelPlot, panelState } from '../plot/panel-plot';
import { registerPlot } from '../plot/plot-registry';
import type { PlotPointer, RangeChange } from '../plot/plot-gestures';

export interface PlaneRange {
  readonly x: Range;
  readonly y: Range;
}

export interface PlaneLook extends PlaneRange {
  readonly theme: PlotTheme;
  readonly width: number;
  readonly height: number;
}

export interface PlanePlot {
  readonly theme: ComputedRef<PlotTheme>;
  /** px */
  readonly size: Ref<{ width: number; height: number }>;
  /** visible part; null shows all */
  readonly zoom: Ref<PlaneRange | null>;
  readonly boxZoom: Ref<boolean>;
  readonly option: ComputedRef<EChartsOption>;
  readonly pointer: Ref<PlotPointer | null>;
  /** what is under the pointer, in the quantities of the axes */
  readonly under: ComputedRef<readonly [number, number] | null>;
  /** what is at a place, in the units of the model */
  readonly modelPlaceOf: (at: PlotPointer) => [number, number];
  /** what is at a place, in the quantities of the axes */
  readonly placeOf: (at: PlotPointer) => [number, number];
  readonly onRange: (change: RangeChange) => void;
  /** what a panel shows and how it answers gestures; its margins are its own */
  readonly panel: ComputedRef<Omit<PanelPlot, 'margins'>>;
}

const AS_IT_IS = { x: asItIs(''), y: asItIs('') };

/**
 * @param whole ranges that show everything
 * @param draw the chart with what is to be seen of it
 * @param subject what is shown; where it is another one, or in another unit, all of it is seen
 * @param units that the axes are in
 */
export function usePlanePlot(
  viewId: () => string,
  whole: () => PlaneRange,
  draw: (look: PlaneLook) => EChartsOption,
  subject: () => unknown,
  units: () => { readonly x: ShownUnit; readonly y: ShownUnit } = () => AS_IT_IS,
): PlanePlot {
  const workspace = useWorkspaceStore();
  const size = ref({ width: 600, height: 300 });
  const zoom = viewState<PlaneRange | null>(viewId(), 'zoom', null, subject);
  const boxZoom = ref(false);
  const pointer = shallowRef<PlotPointer | null>(null);
  const theme = computed(() => (workspace.theme === 'dark' ? DARK_PLOT : LIGHT_PLOT));
  const range = computed(() => zoom.value ?? whole());
  const look = computed<PlaneLook>(() => ({ ...range.value, theme: theme.value, ...size.value }));
  const option = computed(() => draw(look.value));

  const placeOf = (at: PlotPointer): [number, number] => {
    const { x, y } = range.value;
    return [x.min + at.x * (x.max - x.min), y.min + at.y * (y.max - y.min)];
  };

  const modelPlaceOf = (at: PlotPointer): [number, number] => {
    const [x, y] = placeOf(at);
    return [x / units().x.factor, y / units().y.factor];
  };

  function onRange({ x: fx, y: fy }: RangeChange): void {
    const { x, y } = range.value;
    const next = { x: part(x, fx[0], fx[1]), y: part(y, fy[0], fy[1]) };
    if (resolvable(next.x) && resolvable(next.y)) zoom.value = next;
  }

  const showAll = (): void => void (zoom.value = null);
  watch(() => workspace.fitRequest, showAll);
  watch(() => `${units().x.unit}\n${units().y.unit}`, showAll);

  let unregister = (): void => undefined;
  onMounted(() => {
    unregister = registerPlot(viewId(), {
      data: () => [],
      notePlace: () => {
        const [x, y] = modelPlaceOf(pointer.value ?? { x: 0.5, y: 0.5 });
        return { x, y };
      },
      range: () => {
        const [xMin, yMin] = modelPlaceOf({ x: 0, y: 0 });
        const [xMax, yMax] = modelPlaceOf({ x: 1, y: 1 });
        return { xMin, xMax, yMin, yMax };
      },
      image: (format, at = size.value) =>
        pictureOf(draw({ ...look.value, ...at }), format, at.width, at.height),
    });
  });
  onBeforeUnmount(() => unregister());

  const under = computed(() => (pointer.value === null ? null : placeOf(pointer.value)));
  const panel = computed(() => ({
    ...panelState({ size, boxZoom, pointer }),
    option: option.value,
    zoomed: zoom.value !== null,
    onRange,
    onReset: showAll,
  }));
  return { theme, size, zoom, boxZoom, option, pointer, under, modelPlaceOf, placeOf, onRange, panel };
}
