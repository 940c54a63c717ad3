/** A Poincaré section as a chart: pure. */
import { MANY_POINTS } from '@figures/series';
import type { SectionResult } from '@contract/methods';
import type { PlaneOptions } from '@engine/document/types';
import type { CustomSeriesOption, EChartsOption, ScatterSeriesOption } from 'echarts';
import { annotationSeries, type PlacedText } from '@figures/annotations';
import { type Margins, xAxis, yAxis } from '@figures/axes';
import { densitySeries, type DensityRectangle } from '@figures/density';
import { type PlotTheme, seriesColor } from '@figures/palette';
import { planeRanges } from '@figures/plane';
import { padded, type Range } from '@figures/ranges';
import { pointsOfRun, runLegend, runLegendHeight, type RunWords } from '@figures/run-legend';

/** Points of one run. */
interface SectionSet {
  result: SectionResult;
  /** picture of its counts, made once for a result; null for points */
  image: unknown;
}

export interface SectionInput {
  xName: string;
  yName: string;
  current: SectionSet | null;
  compared: readonly SectionSet[];
  /** points of the current one that lie in the selected span of time: drawn in front, the rest faint */
  selected?: SectionResult | null;
  /**
   * what the runs are called in a legend above the chart: the current one first, the compared ones in their
   * order
   */
  runs?: RunWords | undefined;
  x: Range | null;
  y: Range | null;
  theme: PlotTheme;
  width: number;
  height: number;
  /** of the view; its ends hold where no range is given */
  options?: PlaneOptions | undefined;
  /** texts where they are drawn, in the units shown */
  texts?: readonly PlacedText[] | undefined;
  /** a point that is marked, in the units shown */
  mark?: { x: number; y: number } | null;
}

/** Space around the plotting area. */
export const SECTION_MARGINS: Margins = { left: 64, right: 18, top: 12, bottom: 42 };

/** Symbols of compared runs, so that they differ without colour. */
const SYMBOLS = ['triangle', 'diamond', 'rect', 'arrow'] as const;
/** Of points whose view says nothing else. */
const OPACITY = 0.9;

/** Symbol of the points of a run. @param behind place among the compared ones; null for the current run */
export const symbolOf = (behind: number | null): string =>
  behind === null ? 'circle' : (SYMBOLS[behind % SYMBOLS.length] ?? 'triangle');

const colorOf = (behind: number | null, theme: PlotTheme): string =>
  seriesColor(theme, behind === null ? 0 : behind + 1);

/** Ranges that show every point. */
export function sectionRanges(results: readonly SectionResult[]): { x: Range; y: Range } {
  const bounds = results
    .map((result) => result.bounds)
    .filter((one): one is DensityRectangle => one !== null);
  const range = (low: keyof DensityRectangle, high: keyof DensityRectangle): Range | null =>
    bounds.length === 0
      ? null
      : {
          min: Math.min(...bounds.map((one) => one[low])),
          max: Math.max(...bounds.map((one) => one[high])),
        };
  return { x: padded(range('xMin', 'xMax')), y: padded(range('yMin', 'yMax')) };
}

/** Few points are to be seen one by one, many as a set. @returns px */
const sizeFor = (points: number): number =>
  points <= 200 ? 6 : points <= 1000 ? 3.5 : points <= 20_000 ? 2 : 1.4;

function points(
  result: Extract<SectionResult, { kind: 'points' }>,
  index: number,
  behind: number | null,
  theme: PlotTheme,
  { size, opacity = OPACITY }: PlaneOptions,
): ScatterSeriesOption {
  const count = result.x.length;
  return {
    type: 'scatter',
    datasetIndex: index,
    encode: { x: 0, y: 1 },
    symbol: symbolOf(behind),
    symbolSize: (size ?? sizeFor(count)) * (behind === null ? 1 : 1.2),
    ...MANY_POINTS,
    itemStyle: {
      color: colorOf(behind, theme),
      opacity: behind === null ? opacity : (2 / 3) * opacity,
    },
    z: behind === null ? 3 : 2,
  };
}

/** x and y of the points in turn. */
function interleaved({ x, y }: Extract<SectionResult, { kind: 'points' }>): Float64Array {
  const flat = new Float64Array(2 * x.length);
  for (let i = 0; i < x.length; i++) {
    flat[2 * i] = x[i] ?? NaN;
    flat[2 * i + 1] = y[i] ?? NaN;
  }
  return flat;
}

/** How much larger selected points are drawn, and how faint the rest is then. */
const SELECTED_SIZE = 1.6;
const REST_OPACITY = 0.3;

/** The selected points in front of everything. */
function selectedPoints(
  { x, y }: Extract<SectionResult, { kind: 'points' }>,
  theme: PlotTheme,
  size: number,
): ScatterSeriesOption {
  return {
    type: 'scatter',
    id: 'selected',
    data: Array.from(x, (value, k) => [value, y[k] ?? NaN]),
    symbol: symbolOf(null),
    symbolSize: SELECTED_SIZE * size,
    ...MANY_POINTS,
    itemStyle: { color: colorOf(null, theme), borderColor: theme.text, borderWidth: 0.8 },
    z: 4,
  };
}

/** A ring around a point. */
const ring = ({ x, y }: { x: number; y: number }, theme: PlotTheme): ScatterSeriesOption => ({
  type: 'scatter',
  data: [[x, y]],
  symbol: 'circle',
  symbolSize: 13,
  silent: true,
  animation: false,
  itemStyle: { color: 'transparent', borderColor: theme.text, borderWidth: 1.5 },
  z: 5,
});

/** The chart of a section: points, or a density image where there are too many to be drawn one by one. */
export function sectionOption(input: SectionInput): EChartsOption {
  const { theme, current, compared, width, height, mark = null } = input;
  const sets = [
    ...compared.map((set, behind) => ({ ...set, behind })),
    ...(current === null ? [] : [{ ...current, behind: null }]),
  ];
  const automatic = sectionRanges(sets.map(({ result }) => result));
  const { options = {} } = input;
  const top = SECTION_MARGINS.top + runLegendHeight(input.runs, width);
  const pixels = {
    width: width - SECTION_MARGINS.left - SECTION_MARGINS.right,
    height: height - top - SECTION_MARGINS.bottom,
  };
  const shown = planeRanges(automatic, options, pixels);
  const x = input.x ?? shown.x;
  const y = input.y ?? shown.y;
  const dataset: { source: Float64Array; dimensions: string[] }[] = [];
  const series: (ScatterSeriesOption | CustomSeriesOption)[] = [];
  const { selected = null } = input;
  const hasSelected = selected?.kind === 'points' && selected.x.length > 0;
  for (const { result, image, behind } of sets) {
    if (result.kind === 'density') {
      series.push({ ...densitySeries(result.view, image), z: behind === null ? 3 : 2 });
      continue;
    }
    const isRest = hasSelected && behind === null;
    const look = isRest ? { ...options, opacity: REST_OPACITY * (options.opacity ?? OPACITY) } : options;
    series.push(points(result, dataset.length, behind, theme, look));
    dataset.push({ source: interleaved(result), dimensions: ['x', 'y'] });
  }
  if (hasSelected) series.push(selectedPoints(selected, theme, options.size ?? sizeFor(selected.x.length)));
  if (mark !== null) series.push(ring(mark, theme));
  const texts = annotationSeries(input.texts ?? [], x, pixels.width, theme);
  for (const [k, runId] of [...(input.runs?.keys() ?? [])].entries()) {
    const behind = k === 0 ? null : k - 1;
    const isDense = sets.some((set) => set.behind === behind && set.result.kind === 'density');
    series.push(pointsOfRun(runId, isDense ? 'rect' : symbolOf(behind), colorOf(behind, theme)));
  }
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...SECTION_MARGINS, top },
    ...runLegend(input.runs, false, theme),
    xAxis: xAxis(x, input.xName, pixels.width, theme),
    yAxis: yAxis(y, input.yName, pixels.height, theme),
    dataset,
    series: [...series, ...texts],
  };
}
