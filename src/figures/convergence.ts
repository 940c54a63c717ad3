/**
 * Errors over step lengths, both logarithmic, as a chart: pure. The axes carry the logarithms, so that ticks
 * stand at the steps.
 */
import type { EChartsOption, LineSeriesOption } from 'echarts';
import { formatFigureNumber } from './numbers';
import { FONT } from './axes';
import { type PlotTheme, seriesColor } from './palette';
import { crossSeries } from './uncertified';

interface ConvergenceCurve {
  name: string;
  /** s */
  h: readonly number[];
  error: readonly number[];
  /** where a verdict fails; absent: nowhere */
  uncertified?: readonly boolean[];
}

export interface ConvergenceInput {
  curves: readonly ConvergenceCurve[];
  xName: string;
  yName: string;
  theme: PlotTheme;
  /** what crosses are called in that legend */
  uncertified: string;
  /** what a slope is called in a legend inside the picture, for files; absent: no legend */
  guide?: (slope: number) => string;
}

/** Slopes that are drawn for comparison, with their dashes, px. */
export const GUIDES = [
  { slope: 1, dash: [6, 4] },
  { slope: 2, dash: [2, 3] },
] as const;

const MARGINS = { left: 64, right: 20, top: 12, bottom: 42 };
/** Room beside the coarsest and the finest step, in decades. */
const ROOM_DECADES = 0.12;
/** More decades than this get a label at every other one. */
const MOST_LABELS = 8;

/** A legend in a file: entries beside each other, height of a row, and width, px. */
const LEGEND_COLUMNS = 2;
const LEGEND_ROW = 22;
const LEGEND_WIDTH = 460;

/** log h and log of the error */
type Point = [number, number];

/** Points that a logarithmic axis can show, and whether a verdict fails there. */
function positive({ h, error, uncertified }: ConvergenceCurve): { point: Point; fails: boolean }[] {
  return h.flatMap((step, k) => {
    const value = error[k] ?? NaN;
    if (!(step > 0 && value > 0 && Number.isFinite(value))) return [];
    return [{ point: [Math.log10(step), Math.log10(value)], fails: uncertified?.[k] === true }];
  });
}

function axis(name: string, min: number, max: number, ticks: readonly number[], theme: PlotTheme): object {
  const customValues = [...ticks];
  return {
    type: 'value',
    min,
    max,
    name,
    nameLocation: 'middle',
    nameTextStyle: { color: theme.text, fontFamily: FONT, fontSize: 11.5 },
    axisLine: { show: true, onZero: false, lineStyle: { color: theme.axis } },
    axisTick: { show: true, customValues, lineStyle: { color: theme.axis }, length: 4 },
    splitLine: { show: true, customValues, lineStyle: { color: theme.grid } },
    axisLabel: {
      color: theme.muted,
      fontFamily: FONT,
      fontSize: 11,
      customValues,
      formatter: (value: number) => formatFigureNumber(10 ** value, 4),
    },
  };
}

function decades(low: number, high: number): number[] {
  const step = high - low > MOST_LABELS ? 2 : 1;
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, k) => low + k * step);
}

/** Dashed lines of given slopes through the largest error of the coarsest step. */
function guides(
  points: readonly Point[],
  theme: PlotTheme,
  words: ((slope: number) => string) | undefined,
): LineSeriesOption[] {
  const coarsest = Math.max(...points.map(([h]) => h));
  const finest = Math.min(...points.map(([h]) => h));
  if (finest === coarsest) return [];
  const start = Math.max(...points.filter(([h]) => h === coarsest).map(([, error]) => error));
  return GUIDES.map(({ slope, dash }) => ({
    type: 'line',
    id: `slope ${slope}`,
    ...(words === undefined ? {} : { name: words(slope) }),
    data: [
      [coarsest, start],
      [finest, start + slope * (finest - coarsest)],
    ],
    silent: true,
    animation: false,
    showSymbol: false,
    lineStyle: { color: theme.muted, type: [...dash], width: 1 },
    z: 1,
  }));
}

/** The chart; null where no error is positive. */
export function convergenceOption({
  curves,
  xName,
  yName,
  theme,
  uncertified,
  guide,
}: ConvergenceInput): EChartsOption | null {
  const drawn = curves.map((curve, index) => ({ curve, index, points: positive(curve) }));
  const all = drawn.flatMap(({ points }) => points.map(({ point }) => point));
  if (all.length === 0) return null;
  const lines = guides(all, theme, guide);
  const failing = drawn.flatMap(({ points }) => points.flatMap(({ point, fails }) => (fails ? point : [])));
  const crosses = failing.length === 0 ? [] : [crossSeries(uncertified, Float64Array.from(failing), theme)];
  const legendRows = Math.ceil((drawn.length + lines.length + crosses.length) / LEGEND_COLUMNS);
  const steps = [...new Set(all.map(([h]) => h))];
  const errors = [...all, ...lines.flatMap(({ data }) => data as Point[])].map(([, error]) => error);
  const low = Math.floor(Math.min(...errors));
  const high = Math.max(low + 1, Math.ceil(Math.max(...errors)));
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...MARGINS, ...(guide === undefined ? {} : { top: MARGINS.top + LEGEND_ROW * legendRows }) },
    ...(guide === undefined
      ? {}
      : {
          legend: {
            top: 4,
            type: 'plain' as const,
            width: LEGEND_WIDTH,
            itemWidth: 22,
            itemHeight: 9,
            selectedMode: false,
            textStyle: { color: theme.text, fontFamily: FONT, fontSize: 11 },
          },
        }),
    xAxis: {
      ...axis(xName, Math.min(...steps) - ROOM_DECADES, Math.max(...steps) + ROOM_DECADES, steps, theme),
      nameGap: 24,
    },
    yAxis: { ...axis(yName, low, high, decades(low, high), theme), nameGap: 46 },
    series: [
      ...lines,
      ...drawn.map(({ curve, index, points }): LineSeriesOption => {
        const color = seriesColor(theme, index);
        return {
          type: 'line',
          name: curve.name,
          data: points.map(({ point, fails }) => (fails ? { value: point, symbolSize: 0 } : point)),
          silent: true,
          animation: false,
          symbol: 'circle',
          symbolSize: 6,
          showSymbol: true,
          itemStyle: { color },
          lineStyle: { color, width: 1.5 },
          z: 2,
        };
      }),
      ...crosses,
    ],
  };
}
