/** Texts in plots: at a point, or at an upright line. Pure. */
import type { LineSeriesOption, ScatterSeriesOption } from 'echarts';
import { FONT } from './axes';
import type { PlotTheme } from './palette';
import type { Range } from './ranges';

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

/** A text where it is drawn: a point of the chart, or an upright line where no height is given. */
export interface PlacedText {
  text: string;
  x: number;
  y?: number;
}

/** How a value becomes a coordinate of the chart; not a number where it cannot be drawn. */
export interface Placing {
  x: (value: number) => number;
  y: (value: number) => number;
}

/** The texts of a view where they are drawn; those that stand where an axis has no place are left out. */
export const placedTexts = (
  texts: readonly PlacedText[] | undefined,
  { x: across, y: upwards }: Placing,
): PlacedText[] =>
  (texts ?? []).flatMap(({ text, x, y }) => {
    const at = { text, x: across(x) };
    const placed: PlacedText = y === undefined ? at : { ...at, y: upwards(y) };
    return [placed.x, placed.y ?? 0].every(Number.isFinite) ? [placed] : [];
  });

/** The same of a plane, whose values of the model times the factors are what is drawn. */
export const textsOfPlane = (
  texts: readonly PlacedText[] | undefined,
  factors: { x: number; y: number },
): PlacedText[] => placedTexts(texts, { x: (value) => value * factors.x, y: (value) => value * factors.y });

/** The texts as series. @param width of the plotting area, px */
export function annotationSeries(
  annotations: readonly PlacedText[],
  range: Range,
  width: number,
  theme: PlotTheme,
): (LineSeriesOption | ScatterSeriesOption)[] {
  const isAtEnd = (x: number): boolean => ((range.max - x) / (range.max - range.min)) * width < TEXT_ROOM;
  const seen = annotations.filter(({ x }) => x >= range.min && x <= range.max);
  const lines = seen.filter(({ y }) => y === undefined);
  const points = seen.filter(({ y }) => y !== undefined);
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
        data: lines.map(({ x, text }) => ({
          xAxis: x,
          name: text,
          label: {
            ...label(theme, isAtEnd(x)),
            position: 'end' as const,
            rotate: 0,
            verticalAlign: 'top' as const,
            offset: [isAtEnd(x) ? -4 : 4, 6],
          },
        })),
      },
      z: 7,
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
      data: points.map(({ x, y = 0, text }) => ({
        name: text,
        value: [x, y],
        label: {
          ...label(theme, isAtEnd(x)),
          position: isAtEnd(x) ? ('left' as const) : ('right' as const),
          distance: 6,
        },
      })),
      z: 7,
    });
  return series;
}
