/** Changes of parameters on the way of a run, as labelled upright lines in a time series. */
import type { ParameterChange } from '@contract/methods';
import type { LineSeriesOption } from 'echarts';
import { formatFigureNumber } from './numbers';
import type { PlotTheme } from './palette';
import type { Range } from './ranges';

/** Parameters that were changed at one moment. */
export interface ChangeMark {
  /** s */
  t: number;
  changes: readonly ParameterChange[];
  /** what stands at the line */
  label: string;
}

/** Parameters that a label names. */
const MOST_NAMED = 2;
/** Least distance of two labels, px: nearer ones would lie over each other. */
const LABEL_ROOM = 90;

/** A value of a parameter as text, in the unit that it is shown in. */
export type ValueWords = (name: string, value: number) => string;

/** One mark for each moment. @param changes of a run, earliest first */
export function changeMarks(
  changes: readonly ParameterChange[],
  words: ValueWords = (_name, value) => formatFigureNumber(value),
): ChangeMark[] {
  const times = [...new Set(changes.map(({ time }) => time))];
  return times.map((t) => {
    const made = changes.filter(({ time }) => time === t);
    const named = made.slice(0, MOST_NAMED).map(({ name, to }) => `${name} = ${words(name, to)}`);
    return { t, changes: made, label: [...named, ...(made.length > MOST_NAMED ? ['…'] : [])].join(', ') };
  });
}

/** Marks at a place of the time axis. @param reach s */
export const marksNear = (marks: readonly ChangeMark[], t: number, reach: number): ChangeMark[] =>
  marks.filter((mark) => Math.abs(mark.t - t) <= reach);

/** The lines. @param width of the plotting area, px */
export function changeLines(
  marks: readonly ChangeMark[],
  x: Range,
  width: number,
  theme: PlotTheme,
): LineSeriesOption {
  const scale = width / (x.max - x.min);
  let labelled = -Infinity;
  const seen = marks.filter(({ t }) => t >= x.min && t <= x.max);
  return {
    type: 'line',
    id: 'changes',
    silent: true,
    animation: false,
    data: [],
    markLine: {
      silent: true,
      animation: false,
      symbol: 'none',
      lineStyle: { width: 1, type: 'dashed', color: theme.text, opacity: 0.8 },
      data: seen.map(({ t, label }) => {
        const hasRoom = (t - labelled) * scale >= LABEL_ROOM;
        if (hasRoom) labelled = t;
        const isAtEnd = (x.max - t) * scale < LABEL_ROOM;
        return {
          xAxis: t,
          name: label,
          label: {
            show: hasRoom,
            formatter: '{b}',
            position: 'end' as const,
            rotate: 0,
            align: isAtEnd ? ('right' as const) : ('left' as const),
            verticalAlign: 'top' as const,
            offset: [isAtEnd ? -4 : 4, 6],
            color: theme.text,
            backgroundColor: theme.background,
            padding: [1, 3],
            fontSize: 11,
          },
        };
      }),
    },
    z: 3,
  };
}
