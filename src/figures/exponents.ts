/** How Lyapunov exponents have converged, as a chart: pure. */
import type { FoundExponents } from '@contract/analyses';
import type { EChartsOption, LineSeriesOption } from 'echarts';
import { FONT, type Margins, xAxis, yAxis } from './axes';
import { type PlotTheme, seriesColor } from './palette';
import { padded, type Range } from './ranges';

const EXPONENT_MARGINS: Margins = { left: 64, right: 18, top: 26, bottom: 42 };

const SUBSCRIPT_ZERO = 0x2080;

/** Of the exponent at a place, the largest first: λ₁, λ₂, … */
export const exponentName = (place: number): string =>
  `λ${String(place + 1).replace(/\d/g, (digit) => String.fromCodePoint(SUBSCRIPT_ZERO + Number(digit)))}`;

/**
 * Part of the motion, at its beginning, by which the vertical axis does not go: exponents of a moment are far
 * off.
 */
const EARLY = 0.05;

export function exponentsOption({
  outcome: { times, history, exponents },
  theme,
  width,
  height,
  timeName,
  valueName,
}: {
  readonly outcome: FoundExponents;
  readonly theme: PlotTheme;
  readonly width: number;
  readonly height: number;
  readonly timeName: string;
  readonly valueName: string;
}): EChartsOption {
  const count = exponents.length;
  const range: Range = { min: 0, max: 0 };
  for (let row = Math.floor(EARLY * times.length); row < times.length; row++) {
    for (let i = 0; i < count; i++) {
      const value = history[row * count + i] ?? NaN;
      if (!Number.isFinite(value)) continue;
      range.min = Math.min(range.min, value);
      range.max = Math.max(range.max, value);
    }
  }
  const { left, right, top, bottom } = EXPONENT_MARGINS;
  const series = Array.from({ length: count }, (_, i): LineSeriesOption => ({
    type: 'line',
    name: exponentName(i),
    data: Array.from(times, (time, row) => [time, history[row * count + i] ?? NaN]),
    showSymbol: false,
    silent: true,
    animation: false,
    clip: true,
    lineStyle: { width: 1.5, color: seriesColor(theme, i) },
    itemStyle: { color: seriesColor(theme, i) },
  }));
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...EXPONENT_MARGINS },
    legend: {
      top: 2,
      right,
      itemWidth: 14,
      itemHeight: 9,
      selectedMode: false,
      borderWidth: 0,
      textStyle: { color: theme.muted, fontFamily: FONT, fontSize: 11 },
    },
    xAxis: xAxis({ min: 0, max: times.at(-1) ?? 1 }, timeName, width - left - right, theme),
    yAxis: yAxis(padded(range), valueName, height - top - bottom, theme),
    series,
  };
}
