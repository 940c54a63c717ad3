/**
 * A periodic orbit in the plane of two of its states, and its multipliers in the plane of complex numbers, as
 * charts: pure.
 */
import type { FoundOrbit } from '@contract/analyses';
import type { EChartsOption, LineSeriesOption } from 'echarts';
import { axisName, type Margins, xAxis, yAxis } from './axes';
import { type PlotTheme, seriesColor } from './palette';
import { padded, type Range } from './ranges';

const ORBIT_MARGINS: Margins = { left: 64, right: 18, top: 12, bottom: 42 };
const CIRCLE = 180;

interface Look {
  readonly theme: PlotTheme;
  readonly width: number;
  readonly height: number;
}

function frame(
  x: Range,
  y: Range,
  names: readonly [string, string],
  { theme, width, height }: Look,
): EChartsOption {
  const { left, right, top, bottom } = ORBIT_MARGINS;
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...ORBIT_MARGINS },
    xAxis: xAxis(x, names[0], width - left - right, theme),
    yAxis: yAxis(y, names[1], height - top - bottom, theme),
  };
}

/** @param x index of the state on the horizontal axis @param y of the other one */
export function orbitOption({ curve, states }: FoundOrbit, x: number, y: number, look: Look): EChartsOption {
  const width = states.length + 1;
  const points: [number, number][] = [];
  for (let at = 0; at < curve.length; at += width)
    points.push([curve[at + 1 + x] ?? NaN, curve[at + 1 + y] ?? NaN]);
  const range = (k: 0 | 1): Range => ({
    min: Math.min(...points.map((point) => point[k])),
    max: Math.max(...points.map((point) => point[k])),
  });
  const name = (k: number): string => axisName([states[k]?.name ?? ''], [states[k]?.unit ?? '']);
  const line: LineSeriesOption = {
    type: 'line',
    data: points,
    showSymbol: false,
    silent: true,
    animation: false,
    lineStyle: { width: 1.6, color: seriesColor(look.theme, 0) },
  };
  return {
    ...frame(padded(range(0)), padded(range(1)), [name(x), name(y)], look),
    series: [
      line,
      {
        type: 'scatter',
        data: points.slice(0, 1),
        symbolSize: 8,
        silent: true,
        itemStyle: { color: look.theme.background, borderColor: look.theme.text, borderWidth: 1.5 },
        z: 5,
      },
    ],
  };
}

/** Multipliers with the unit circle, which is a circle. */
export function multipliersOption({ real, imaginary }: FoundOrbit, look: Look): EChartsOption {
  const { left, right, top, bottom } = ORBIT_MARGINS;
  const largest = Math.max(1, ...Array.from(real, (re, k) => Math.hypot(re, imaginary[k] ?? 0)));
  const reach = 1.15 * Math.min(largest, 100);
  const aspect = Math.max(0.2, (look.width - left - right) / Math.max(1, look.height - top - bottom));
  const x = aspect >= 1 ? reach * aspect : reach;
  const y = aspect >= 1 ? reach : reach / aspect;
  const circle = Array.from({ length: CIRCLE + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / CIRCLE;
    return [Math.cos(angle), Math.sin(angle)];
  });
  return {
    ...frame({ min: -x, max: x }, { min: -y, max: y }, ['Re μ', 'Im μ'], look),
    series: [
      {
        type: 'line',
        data: circle,
        showSymbol: false,
        silent: true,
        animation: false,
        lineStyle: { width: 1.2, color: look.theme.muted, type: [4, 3] },
      },
      {
        type: 'scatter',
        data: Array.from(real, (re, k) => [re, imaginary[k] ?? 0]),
        symbolSize: 9,
        silent: true,
        itemStyle: { color: seriesColor(look.theme, 1) },
        z: 4,
      },
    ],
  };
}
