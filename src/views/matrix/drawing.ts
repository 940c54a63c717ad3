/**
 * The matrix of a one-step problem as a chart: pure. Each entry is a square; its colour tells the sign, its
 * strength the magnitude on a logarithmic scale, down to a millionth of the largest while the view says
 * nothing else.
 */
import type { StepProblem } from '@contract/methods';
import type { MatrixLook } from '@engine/document/types';
import type { CustomSeriesOption, EChartsOption } from 'echarts';
import { FONT, type Margins } from '@figures/axes';
import { type PlotTheme, seriesColor } from '@figures/palette';
import type { Range } from '@figures/ranges';

/** Decades below the largest entry over which colours fade. */
const DECADES = 6;
/** Least strength of an entry that is not zero. */
const FAINTEST = 0.14;
/** Steps of strength: entries of one step are one path. */
const LEVELS = 12;
/** Labels of rows, and numbers of columns, need so much room, px. */
const ROOM_FOR_LABEL = 12;
const ROOM_FOR_NUMBER = 36;
const LETTER = 6.4;
const MOST_LABEL = 130;

export interface MatrixInput {
  problem: StepProblem;
  /** rows and columns that are seen; null shows all */
  rows: Range | null;
  columns: Range | null;
  /** of the view */
  options?: MatrixLook | undefined;
  theme: PlotTheme;
  /** of the whole chart, px */
  width: number;
  height: number;
}

/** Space for the labels of the rows; columns have the same, where they can be written. */
export function matrixMargins({ rows }: Pick<StepProblem, 'rows'>): Margins {
  const longest = Math.max(4, ...rows.map(({ name }) => name.length));
  return { left: Math.min(MOST_LABEL, Math.round(LETTER * longest) + 16), right: 14, top: 12, bottom: 34 };
}

/** Ranges that show everything: rows and columns stand in the middle of unit squares. */
export const wholeMatrix = ({ rows }: Pick<StepProblem, 'rows'>): Range => ({
  min: -0.5,
  max: Math.max(1, rows.length) - 0.5,
});

const largestEntry = ({ values }: StepProblem): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Strength of an entry from 0, which is zero, to `LEVELS`. */
function levelOf(value: number, largest: number, { style, decades: shown = DECADES }: MatrixLook): number {
  if (value === 0 || largest === 0) return 0;
  if (style === 'sign' || style === 'pattern') return LEVELS;
  const decades = Math.log10(largest / Math.abs(value));
  return Math.max(1, Math.round(LEVELS * (1 - Math.min(1, decades / shown))));
}

const rgba = (hex: string, strength: number): string => {
  const part = (from: number): number => Number.parseInt(hex.slice(from, from + 2), 16);
  return `rgba(${part(1)},${part(3)},${part(5)},${strength.toFixed(3)})`;
};

/** Colour of an entry of a sign at a level. */
export function entryColor(theme: PlotTheme, isPositive: boolean, level: number): string {
  const strength = FAINTEST + (1 - FAINTEST) * (level / LEVELS);
  return rgba(seriesColor(theme, isPositive ? 0 : 1), strength);
}

/** Value of an entry; 0 where it is not stored. */
export function entryAt({ rowStart, columns, values }: StepProblem, row: number, column: number): number {
  for (let k = rowStart[row] ?? 0; k < (rowStart[row + 1] ?? 0); k++)
    if (columns[k] === column) return values[k] ?? 0;
  return 0;
}

/** Part of all entries that are not zero. */
export const densityOf = ({ values, rows }: StepProblem): number =>
  rows.length === 0 ? 0 : values.length / rows.length ** 2;

/** The chart. Rows go downwards. */
export function matrixOption(input: MatrixInput): EChartsOption {
  const { problem, theme, width, height, options = {} } = input;
  const isPattern = options.style === 'pattern';
  const margins = matrixMargins(problem);
  const whole = wholeMatrix(problem);
  const [rows, columns] = [input.rows ?? whole, input.columns ?? whole];
  const plotWidth = width - margins.left - margins.right;
  const plotHeight = height - margins.top - margins.bottom;
  const [cellWidth, cellHeight] = [
    plotWidth / (columns.max - columns.min),
    plotHeight / (rows.max - rows.min),
  ];
  const largest = largestEntry(problem);
  const paths = new Map<string, string[]>();
  for (let row = Math.max(0, Math.ceil(rows.min)); row < problem.rows.length && row <= rows.max; row++) {
    const top = margins.top + (row - 0.5 - rows.min) * cellHeight;
    for (let k = problem.rowStart[row] ?? 0; k < (problem.rowStart[row + 1] ?? 0); k++) {
      const column = problem.columns[k] ?? 0;
      if (column < columns.min - 0.5 || column > columns.max + 0.5) continue;
      const value = problem.values[k] ?? 0;
      const level = levelOf(value, largest, options);
      if (level === 0) continue;
      const color = isPattern ? theme.text : entryColor(theme, value > 0, level);
      const left = margins.left + (column - 0.5 - columns.min) * cellWidth;
      const part = `M${left.toFixed(1)} ${top.toFixed(1)}h${cellWidth.toFixed(1)}v${cellHeight.toFixed(1)}h${(-cellWidth).toFixed(1)}z`;
      const list = paths.get(color);
      if (list === undefined) paths.set(color, [part]);
      else list.push(part);
    }
  }
  const series: CustomSeriesOption = {
    type: 'custom',
    silent: true,
    animation: false,
    clip: true,
    data: [[columns.min, rows.min]],
    renderItem: () => ({
      type: 'group',
      children: [...paths].map(([fill, parts]) => ({
        type: 'path' as const,
        shape: { pathData: parts.join('') },
        style: { fill },
        silent: true,
      })),
    }),
  };
  const axis = { color: theme.muted, fontFamily: FONT, fontSize: 10.5 };
  const label = (value: number): string => problem.rows[value]?.name ?? '';
  const at = (range: Range, room: number, needed: number): number[] => {
    const every = Math.max(1, Math.ceil(needed / room));
    return problem.rows.flatMap((_, k) => (k % every === 0 && k >= range.min && k <= range.max ? [k] : []));
  };
  const line = { show: true, onZero: false, lineStyle: { color: theme.axis } };
  const ticks = (customValues: number[]): object => ({
    axisTick: { show: true, customValues, length: 3, lineStyle: { color: theme.axis } },
  });
  const down = at(rows, cellHeight, ROOM_FOR_LABEL);
  const across = at(columns, cellWidth, ROOM_FOR_NUMBER);
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...margins },
    xAxis: {
      type: 'value',
      min: columns.min,
      max: columns.max,
      axisLine: line,
      splitLine: { show: false },
      ...ticks(across),
      axisLabel: {
        ...axis,
        customValues: across,
        formatter: (value: number) => String(value + 1),
        hideOverlap: true,
      },
    },
    yAxis: {
      type: 'value',
      inverse: true,
      min: rows.min,
      max: rows.max,
      axisLine: line,
      splitLine: { show: false },
      ...ticks(down),
      axisLabel: { ...axis, customValues: down, formatter: label, width: MOST_LABEL, overflow: 'truncate' },
    },
    series: [series],
  };
}

/** The matrix in the exchange format of Matrix Market, coordinates from 1. */
export function matrixMarket(problem: StepProblem): string {
  const { rows, rowStart, columns, values, time, h } = problem;
  const lines = [
    '%%MatrixMarket matrix coordinate real general',
    `% W of the step from t = ${time} s, h = ${h} s`,
    ...rows.map(({ name }, k) => `% row ${k + 1}: ${name}`),
    `${rows.length} ${rows.length} ${values.length}`,
  ];
  for (let row = 0; row < rows.length; row++)
    for (let k = rowStart[row] ?? 0; k < (rowStart[row + 1] ?? 0); k++)
      lines.push(`${row + 1} ${(columns[k] ?? 0) + 1} ${String(values[k])}`);
  return `${lines.join('\n')}\n`;
}
