/** Axes as the plots draw them. */
import type { XAXisComponentOption, YAXisComponentOption } from 'echarts';
import { formatNumber } from './numbers';
import type { PlotTheme } from './palette';
import { enoughTicks, type Range } from './ranges';

/** Space around the plotting area, px. */
export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A label every so many pixels. */
const X_SPACING = 90;
const Y_SPACING = 44;
/** Fewer labels than this do not show a scale. */
const LEAST_TICKS = 3;
/** Shorter axes have no room for them, px. */
const ROOM_FOR_LEAST = 48;
/** Of everything a chart writes. */
export const FONT = "'Inter Variable', Inter, system-ui, sans-serif";

function scale(range: Range, pixels: number, spacing: number, theme: PlotTheme): object {
  const customValues = enoughTicks(range, pixels / spacing, pixels >= ROOM_FOR_LEAST ? LEAST_TICKS : 1);
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
      formatter: (value: number) => formatNumber(value, 7),
    },
    nameLocation: 'middle',
    nameTextStyle: { color: theme.text, fontFamily: FONT, fontSize: 11.5 },
  };
}

/** Horizontal axis over `range`. @param pixels its length */
export function xAxis(range: Range, name: string, pixels: number, theme: PlotTheme): XAXisComponentOption {
  return { ...scale(range, pixels, X_SPACING, theme), name, nameGap: 24 };
}

/** Vertical axis over `range`. @param side 0 left, 1 right */
export function yAxis(
  range: Range,
  name: string,
  pixels: number,
  theme: PlotTheme,
  side: 0 | 1 = 0,
): YAXisComponentOption {
  const axis = {
    ...scale(range, pixels, Y_SPACING, theme),
    name,
    nameGap: 46,
    position: side === 0 ? 'left' : 'right',
  };
  // One grid is enough: that of the left axis.
  return (side === 0 ? axis : { ...axis, splitLine: { show: false } }) as YAXisComponentOption;
}

/** Quantity and unit as axis text. */
export function axisName(names: readonly string[], units: readonly string[]): string {
  const shown = [...new Set(units)].filter((unit) => unit !== '').join(', ');
  const quantity = names.length === 1 ? (names[0] ?? '') : '';
  if (shown === '') return quantity;
  return quantity === '' ? `[${shown}]` : `${quantity}  [${shown}]`;
}
