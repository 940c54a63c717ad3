/** Rows of a table as a drawing: as many as there is room for, the last one always. Pure. */
import type { NumberStyle } from '@engine/document/types';
import { FONT } from '@figures/axes';
import { formatFigureNumber } from '@figures/numbers';
import type { PlotTheme } from '@figures/palette';
import { xmlText } from '@figures/xml-text';

interface TableColumn {
  readonly name: string;
  /** empty where there is none */
  readonly unit: string;
}

export interface TablePicture {
  readonly columns: readonly TableColumn[];
  /** numbers of the rows that are drawn, ascending, and their values by column */
  readonly numbers: readonly number[];
  readonly values: readonly ArrayLike<number>[];
  readonly style?: NumberStyle | undefined;
  /** the column of the numbers of rows is left out */
  readonly hasNoNumbers?: boolean | undefined;
  /** rows that there are */
  readonly total: number;
  readonly theme: PlotTheme;
  /** px */
  readonly width: number;
  readonly height: number;
}

const ROW = 18;
const HEAD = 26;
const FOOT = 20;
const LEFT = 12;
/** Least width of a column: a number of six digits with sign and power. */
const COLUMN = 84;
const SIZE = 11;
/** Digits where a view says nothing else: a column is narrow. */
const DIGITS = 8;
/** Width of a further digit, px. */
const CHARACTER = 6.4;

/** Rows that there is room for. */
export const rowsIn = (height: number): number => Math.max(1, Math.floor((height - HEAD - FOOT) / ROW));

/** Width of a column: of more digits it is wider, px. */
const columnWidth = ({ digits = DIGITS }: NumberStyle): number =>
  COLUMN + CHARACTER * Math.max(0, digits - DIGITS);

/** Columns that there is room for, beside the numbers of the rows. */
export const columnsIn = (width: number, style: NumberStyle = {}): number =>
  Math.max(1, Math.floor((width - 2 * LEFT) / columnWidth(style)) - 1);

/** A number of a table as its view says. */
export function tableNumber(value: number, { format = 'shortest', digits = DIGITS }: NumberStyle): string {
  if (!Number.isFinite(value) || format === 'shortest') return formatFigureNumber(value, digits);
  return format === 'fixed' ? value.toFixed(digits) : value.toExponential(digits - 1).replace('e+', 'e');
}

/** The rows to draw of a long table: the first ones and the last. */
export function shownRows(first: number, total: number, room: number): number[] {
  const count = Math.min(room, total - first);
  if (count <= 0) return [];
  const all = Array.from({ length: count }, (_, i) => first + i);
  return first + count < total && count > 1 ? [...all.slice(0, -1), total - 1] : all;
}

/** The drawing of a table, as SVG of that size. */
export function tablePicture({
  columns,
  numbers,
  values,
  total,
  style = {},
  hasNoNumbers = false,
  theme,
  width,
  height,
}: TablePicture): string {
  const before = hasNoNumbers ? 0 : 1;
  const step = (width - 2 * LEFT) / (columns.length + before);
  const right = (column: number): number => Math.round(LEFT + (column + before) * step);
  const text = (words: string, x: number, y: number, colour: string, anchor = 'end'): string =>
    `<text x="${x}" y="${y}" font-size="${SIZE}" font-family="${FONT}" text-anchor="${anchor}" fill="${colour}">${xmlText(words)}</text>`;
  const line = (y: number, colour: string): string =>
    `<line x1="${LEFT}" y1="${y}" x2="${width - LEFT}" y2="${y}" stroke="${colour}" stroke-width="1"/>`;
  const head = columns.map(({ name, unit }, k) =>
    text(unit === '' ? name : `${name}  [${unit}]`, right(k + 1), HEAD - 9, theme.text),
  );
  const rows = numbers.map((number, i) => {
    const y = HEAD + (i + 1) * ROW - 5;
    const isAfterGap = i > 0 && number !== numbers[i - 1] + 1;
    const cells = values.map((column, k) =>
      text(tableNumber(column[i] ?? NaN, style), right(k + 1), y, theme.text),
    );
    return [
      isAfterGap ? line(HEAD + i * ROW, theme.axis) : '',
      hasNoNumbers ? '' : text(String(number), right(0), y, theme.muted),
      ...cells,
    ].join('');
  });
  const told =
    numbers.length === total
      ? `${total} rows`
      : `${numbers.length} of ${total} rows${numbers.at(-1) === total - 1 ? ', with the last one' : ''}`;
  const sides = `width="${width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" ${sides} viewBox="0 0 ${width} ${height}">`,
    `<defs><clipPath id="table"><rect ${sides}/></clipPath></defs><rect ${sides} fill="${theme.background}"/>`,
    `<g clip-path="url(#table)">${head.join('')}${line(HEAD, theme.axis)}${rows.join('')}`,
    `${text(told, LEFT, height - 7, theme.muted, 'start')}</g></svg>`,
  ].join('');
}
