/** Axes as the plots draw them. */
import type { XAXisComponentOption, YAXisComponentOption } from 'echarts';
import { formatFigureNumber } from './numbers';
import type { PlotTheme } from './palette';
import { enoughTicks, type Range } from './ranges';

/** Space around the plotting area, px. */
export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Spacing of labels, px. */
const X_SPACING = 90;
const Y_SPACING = 44;
/** Fewer labels than this do not show a scale. */
const LEAST_TICKS = 3;
/** Shorter axes have no room for them, px. */
const ROOM_FOR_LEAST = 48;
/** Of everything a chart writes. */
export const FONT = "'Inter Variable', Inter, system-ui, sans-serif";

/** Ticks of an axis and what is written at them. */
interface Ticks {
  readonly at: readonly number[];
  readonly words: (value: number) => string;
}

function linearTicks(range: Range, pixels: number, spacing: number): Ticks {
  const at = enoughTicks(range, pixels / spacing, pixels >= ROOM_FOR_LEAST ? LEAST_TICKS : 1);
  return { at, words: (value) => formatFigureNumber(value, 7) };
}

function scale(range: Range, { at, words }: Ticks, theme: PlotTheme): object {
  const customValues = [...at];
  return {
    type: 'value',
    min: range.min,
    max: range.max,
    axisLine: { show: true, onZero: false, lineStyle: { color: theme.axis } },
    axisTick: { show: true, customValues, lineStyle: { color: theme.axis }, length: 4 },
    splitLine: { show: true, customValues, lineStyle: { color: theme.grid } },
    axisLabel: {
      color: theme.muted,
      fontFamily: FONT,
      fontSize: 11,
      customValues,
      formatter: words,
    },
    nameLocation: 'middle',
    nameTextStyle: { color: theme.text, fontFamily: FONT, fontSize: 11.5 },
  };
}

/** Powers of ten that fit beside each other; more get a label at every other one. */
const MOST_DECADES = 8;
/** Over fewer decades the numbers between powers of ten are labelled, too. */
const FEW_DECADES = 3;
const ONE_DECADE = 1.2;

/** Exponents at which a logarithmic axis has its ticks. @param range of exponents */
export function logTicks(range: Range): number[] {
  const span = range.max - range.min;
  const between = span < ONE_DECADE ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : span < FEW_DECADES ? [1, 2, 5] : [1];
  const every = between.length === 1 && span > MOST_DECADES ? Math.ceil(span / MOST_DECADES) : 1;
  const ticks: number[] = [];
  for (let decade = Math.floor(range.min); decade <= range.max; decade += 1) {
    if (every > 1 && decade % every !== 0) continue;
    for (const leading of between) {
      const tick = decade + Math.log10(leading);
      if (tick >= range.min - 1e-9 && tick <= range.max + 1e-9) ticks.push(tick);
    }
  }
  return ticks.slice(0, 100);
}

/** Horizontal axis over `range`. @param pixels its length */
export function xAxis(range: Range, name: string, pixels: number, theme: PlotTheme): XAXisComponentOption {
  return { ...scale(range, linearTicks(range, pixels, X_SPACING), theme), name, nameGap: 24 };
}

const logWords = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) > 2 ? `1e${value}` : formatFigureNumber(10 ** value, 2);

/**
 * Horizontal axis of logarithms, which the curves carry: its labels are the numbers.
 * @param range of exponents
 */
export function logXAxis(range: Range, name: string, theme: PlotTheme): XAXisComponentOption {
  return { ...scale(range, { at: logTicks(range), words: logWords }, theme), name, nameGap: 24 };
}

/** Width that each further axis at the right takes, px. */
export const AXIS_WIDTH = 58;

/**
 * The vertical axis beside the plotting area at a place: the first at the left, the others at the right, one
 * after the other.
 *
 * @param x from the left edge of the chart, px
 * @param width of the chart, px
 * @param count vertical axes that there are
 * @returns null inside of the plotting area, and where there is none
 */
export function axisBeside(x: number, width: number, { left, right }: Margins, count: number): number | null {
  if (x < left) return 0;
  const beyond = x - (width - right);
  if (beyond <= 0 || count < 2) return null;
  return Math.min(count - 1, 1 + Math.floor(beyond / AXIS_WIDTH));
}

function vertical(
  range: Range,
  name: string,
  ticks: Ticks,
  theme: PlotTheme,
  index: number,
): YAXisComponentOption {
  const axis = {
    ...scale(range, ticks, theme),
    name,
    nameGap: 46,
    position: index === 0 ? 'left' : 'right',
    ...(index > 1 ? { offset: AXIS_WIDTH * (index - 1) } : {}),
  };
  // One grid is enough: that of the left axis.
  return (index === 0 ? axis : { ...axis, splitLine: { show: false } }) as YAXisComponentOption;
}

/** Vertical axis over `range`. @param pixels its length @param index 0 left, further ones right */
export function yAxis(
  range: Range,
  name: string,
  pixels: number,
  theme: PlotTheme,
  index = 0,
): YAXisComponentOption {
  return vertical(range, name, linearTicks(range, pixels, Y_SPACING), theme, index);
}

/**
 * Vertical axis of logarithms, which the curves carry: its labels are the numbers.
 * @param range of exponents
 */
export function logAxis(range: Range, name: string, theme: PlotTheme, index = 0): YAXisComponentOption {
  return vertical(range, name, { at: logTicks(range), words: logWords }, theme, index);
}

/** Quantity and unit as axis text. */
export function axisName(names: readonly string[], units: readonly string[]): string {
  const shown = [...new Set(units)].filter((unit) => unit !== '').join(', ');
  const quantity = names.length === 1 ? (names[0] ?? '') : '';
  if (shown === '') return quantity;
  return quantity === '' ? `[${shown}]` : `${quantity}  [${shown}]`;
}
