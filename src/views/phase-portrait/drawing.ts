/** The phase portrait as a chart: pure. */
import type { PortraitResult } from '@contract/methods';
import type { PlaneOptions } from '@engine/document/types';
import type { CustomSeriesOption, EChartsOption, LineSeriesOption, ScatterSeriesOption } from 'echarts';
import { annotationSeries, type PlacedText } from '@figures/annotations';
import { type Margins, xAxis, yAxis } from '@figures/axes';
import { densitySeries } from '@figures/density';
import { COMPARED_OPACITY, comparedDash, type PlotTheme, seriesColor } from '@figures/palette';
import { planeRanges } from '@figures/plane';
import { extent, padded, type Range } from '@figures/ranges';
import { lineOfRun, pointsOfRun, runLegend, runLegendHeight, type RunWords } from '@figures/run-legend';
import { thinned } from '@figures/thinned';

/** A portrait that is drawn behind the current one. */
interface ComparedPortrait {
  result: PortraitResult;
  /** picture of a density, made once for a result; null for points */
  image: unknown;
}

export interface PortraitInput {
  xName: string;
  yName: string;
  current: PortraitResult | null;
  compared: readonly ComparedPortrait[];
  /**
   * what the runs are called in a legend above the chart: the current one first, the compared ones in their
   * order
   */
  runs?: RunWords | undefined;
  /** the part of the current one that is selected; drawn in front, the rest faint */
  selected?: PortraitResult | null;
  x: Range | null;
  y: Range | null;
  theme: PlotTheme;
  width: number;
  height: number;
  /** density image, made once for a result; null for points */
  image: unknown;
  /** of the view; its ends hold where no range is given */
  options?: PlaneOptions | undefined;
  /** texts where they are drawn, in the units shown */
  texts?: readonly PlacedText[] | undefined;
  /** points so near to the one before are not drawn, px; 0 draws all of them */
  reach: number;
}

/** Space around the plotting area. */
export const PORTRAIT_MARGINS: Margins = { left: 64, right: 18, top: 12, bottom: 42 };

/** Reach of a point on the screen, px: finer than a pixel of a dense screen shows. */
export const SCREEN_REACH = 0.25;

/** Above this many points dashes cost more time than they tell. */
const MOST_DASHED_POINTS = 20_000;

/** Of a curve whose view says nothing else. */
const OPACITY = 0.9;
/** How much wider a selected part is drawn, and how faint the rest is then. */
const SELECTED_WIDTH = 1.8;
const REST_OPACITY = 0.35;

/** Rounding noise of a long computation, relative. */
const REST_TOLERANCE = 1e-12;

function sides(result: PortraitResult, axis: 'x' | 'y'): Float64Array {
  if (result.kind === 'points') return result[axis];
  const { xMin, xMax, yMin, yMax } = result.bounds;
  return axis === 'x' ? Float64Array.of(xMin, xMax) : Float64Array.of(yMin, yMax);
}

/** Ranges that show everything. */
export function portraitRanges(results: readonly PortraitResult[]): { x: Range; y: Range } {
  const present = results.filter((result) => result.rows > 0);
  return {
    x: padded(extent(present.map((result) => sides(result, 'x')))),
    y: padded(extent(present.map((result) => sides(result, 'y')))),
  };
}

/** True when the trajectory never leaves one point, up to rounding: a state of rest, shown as a dot. */
function resting(result: Extract<PortraitResult, { kind: 'points' }>): boolean {
  return [result.x, result.y].every((values) => {
    const range = extent([values]);
    if (range === null) return false;
    const scale = Math.max(Math.abs(range.min), Math.abs(range.max), 1);
    return range.max - range.min <= REST_TOLERANCE * scale;
  });
}

interface Curve {
  result: Extract<PortraitResult, { kind: 'points' }>;
  /** position among the compared runs; null for the current one */
  behind: number | null;
  /** drawn as a point */
  dot: boolean;
  /** the selected part, in front of everything */
  isSelected?: boolean;
}

/** Whether the curve of a compared run is dashed. */
export const isDashed = ({ rows }: { rows: number }): boolean => rows <= MOST_DASHED_POINTS;

function line(
  { result, behind, dot, isSelected = false }: Curve,
  index: number,
  color: string,
  { size = 1.1, opacity = OPACITY }: PlaneOptions,
): LineSeriesOption {
  const faint = behind !== null;
  const width = isSelected ? SELECTED_WIDTH * size : size;
  return {
    type: 'line',
    ...(dot ? { symbol: 'circle', symbolSize: Math.max(8, size) } : {}),
    datasetIndex: index,
    encode: { x: 0, y: 1 },
    showSymbol: dot,
    silent: true,
    animation: false,
    clip: true,
    itemStyle: { color },
    lineStyle: {
      width: faint ? 0.9 * size : width,
      color,
      opacity: faint ? COMPARED_OPACITY * opacity : opacity,
      join: 'round',
      ...(behind !== null && isDashed(result) ? { type: comparedDash(behind) } : {}),
    },
    z: isSelected ? 4 : faint ? 1 : 2,
  };
}

/** The chart of a phase portrait: a curve, or a density image where there are too many points for one. */
export function portraitOption(input: PortraitInput): EChartsOption {
  const { theme, current, compared, width, height } = input;
  const automatic = portraitRanges([
    ...compared.map(({ result }) => result),
    ...(current === null ? [] : [current]),
  ]);
  const curves: Curve[] = compared.flatMap(({ result }, behind) =>
    result.kind === 'points' ? [{ result, behind, dot: resting(result) }] : [],
  );
  if (current?.kind === 'points') curves.push({ result: current, behind: null, dot: resting(current) });
  const color = seriesColor(theme, 0);
  const { options = {}, selected = null } = input;
  const hasSelected = selected?.kind === 'points' && selected.rows > 0;
  if (hasSelected) curves.push({ result: selected, behind: null, dot: resting(selected), isSelected: true });
  const rest = hasSelected ? { ...options, opacity: REST_OPACITY * (options.opacity ?? OPACITY) } : options;
  const pixelsX = width - PORTRAIT_MARGINS.left - PORTRAIT_MARGINS.right;
  const top = PORTRAIT_MARGINS.top + runLegendHeight(input.runs, width);
  const pixelsY = height - top - PORTRAIT_MARGINS.bottom;
  const shown = planeRanges(automatic, options, { width: pixelsX, height: pixelsY });
  const x = input.x ?? shown.x;
  const y = input.y ?? shown.y;
  // A plot too small for its margins has no pixels; then all points are kept.
  const reach = (range: Range, pixels: number): number =>
    pixels > 0 ? (input.reach * (range.max - range.min)) / pixels : 0;
  const series: (LineSeriesOption | ScatterSeriesOption | CustomSeriesOption)[] = curves.map(
    (curve, index) =>
      curve.isSelected === true
        ? line(curve, index, seriesColor(theme, 1), options)
        : line(curve, index, color, rest),
  );
  for (const { result, image } of compared)
    if (result.kind === 'density') series.push({ ...densitySeries(result, image), z: 1 });
  if (current?.kind === 'density') series.push(densitySeries(current, input.image));
  const told = [...(input.runs?.keys() ?? [])];
  const resultOf = (k: number): PortraitResult | null =>
    (k === 0 ? current : compared[k - 1]?.result) ?? null;
  const dense = new Set(told.filter((_, k) => resultOf(k)?.kind === 'density'));
  series.push(
    ...told.map((runId, k) => {
      const place = k === 0 ? null : k - 1;
      if (dense.has(runId)) return pointsOfRun(runId, 'rect', seriesColor(theme, k));
      const result = resultOf(k);
      return lineOfRun(runId, place, color, k > 0 && result !== null && isDashed(result));
    }),
  );
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...PORTRAIT_MARGINS, top },
    ...runLegend(input.runs, (runId) => !dense.has(runId), theme),
    xAxis: xAxis(x, input.xName, pixelsX, theme),
    yAxis: yAxis(y, input.yName, pixelsY, theme),
    dataset: curves.map(({ result, dot }) => ({
      source: dot
        ? Float64Array.of(result.x[0] ?? NaN, result.y[0] ?? NaN)
        : thinned(result.x, result.y, reach(x, pixelsX), reach(y, pixelsY)),
      dimensions: ['x', 'y'],
    })),
    series: [...series, ...annotationSeries(input.texts ?? [], x, pixelsX, theme)],
  };
}
