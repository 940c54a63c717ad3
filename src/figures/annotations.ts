/** Texts at a time or at a point of a time series. */
import type { Annotation } from '@engine/document/types';
import type { LineSeriesOption, ScatterSeriesOption } from 'echarts';
import { FONT } from './axes';
import type { PlotTheme } from './palette';
import type { Range } from './ranges';
import { type AxisGroup, onAxis } from './vertical-axes';

/** Nearer to its end than this, a text stands at the other side of its place, px. */
const TEXT_ROOM = 110;

const label = (theme: PlotTheme, isAtEnd: boolean) => ({
  show: true,
  formatter: '{b}',
  color: theme.text,
  fontFamily: FONT,
  fontSize: 11.5,
  backgroundColor: theme.background,
  padding: [1, 3],
  align: isAtEnd ? ('right' as const) : ('left' as const),
});

/** The texts as series. @param width of the plotting area, px @param group the first axis, to which their values belong */
export function annotationSeries(
  annotations: readonly Annotation[],
  x: Range,
  group: AxisGroup,
  width: number,
  theme: PlotTheme,
): (LineSeriesOption | ScatterSeriesOption)[] {
  const isAtEnd = (t: number): boolean => ((x.max - t) / (x.max - x.min)) * width < TEXT_ROOM;
  const seen = annotations.filter(({ t }) => t >= x.min && t <= x.max);
  const lines = seen.filter(({ y }) => y === undefined);
  const points = seen.filter(({ y }) => y !== undefined && Number.isFinite(onAxis(y, group)));
  const series: (LineSeriesOption | ScatterSeriesOption)[] = [];
  if (lines.length > 0)
    series.push({
      type: 'line',
      id: 'annotations',
      silent: true,
      animation: false,
      data: [],
      markLine: {
        silent: true,
        animation: false,
        symbol: 'none',
        lineStyle: { width: 1, type: 'solid', color: theme.muted },
        data: lines.map(({ t, text }) => ({
          xAxis: t,
          name: text,
          label: {
            ...label(theme, isAtEnd(t)),
            position: 'end' as const,
            rotate: 0,
            verticalAlign: 'top' as const,
            offset: [isAtEnd(t) ? -4 : 4, 6],
          },
        })),
      },
      z: 4,
    });
  if (points.length > 0)
    series.push({
      type: 'scatter',
      id: 'annotated-points',
      silent: true,
      animation: false,
      clip: true,
      symbol: 'circle',
      symbolSize: 7,
      itemStyle: { color: theme.background, borderColor: theme.text, borderWidth: 1.4 },
      data: points.map(({ t, y = 0, text }) => ({
        name: text,
        value: [t, onAxis(y, group)],
        label: {
          ...label(theme, isAtEnd(t)),
          position: isAtEnd(t) ? ('left' as const) : ('right' as const),
          distance: 6,
        },
      })),
      z: 4,
    });
  return series;
}
