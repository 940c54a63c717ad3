/**
 * Reads a table of separated values, whatever program wrote it: its separator, its decimal sign, its header.
 */
import Papa from 'papaparse';

export const SEPARATORS = [',', ';', '\t', '|', ' '] as const;
export type Separator = (typeof SEPARATORS)[number];
export type DecimalSign = '.' | ',';

export interface DataTable {
  readonly separator: Separator;
  readonly decimal: DecimalSign;
  /** a name for each column; numbered where the file gives none */
  readonly columns: readonly string[];
  /** cells as they stand in the file */
  readonly rows: readonly (readonly string[])[];
  /** row of the file that the first of them is, counted from 1 */
  readonly firstRow: number;
}

/** Largest file of data, bytes: what is kept of it is a few thousand rows. */
export const MAX_DATA_BYTES = 32 * 1024 * 1024;

const BOM = '\uFEFF';
const COMMENT = '#';
/** Lines looked at to find out how a file is written. */
const SAMPLE = 50;

/** A cell as a number; NaN when it is none. */
export function numberOf(cell: string | undefined, decimal: DecimalSign): number {
  const plain = (cell ?? '').trim();
  const text = decimal === ',' ? plain.replace(',', '.') : plain;
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
}

const withoutQuotes = (line: string): string => line.replace(/"[^"]*"/g, '');

function sampleOf(text: string): string[] {
  const lines: string[] = [];
  let from = 0;
  while (lines.length < SAMPLE && from < text.length) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    if (line !== '' && !line.startsWith(COMMENT)) lines.push(withoutQuotes(line));
    from = end < 0 ? text.length : end + 1;
  }
  return lines;
}

/**
 * The first of the usual signs that stands in every line; a comma may be a decimal sign, so it is asked for
 * late.
 */
function separatorOf(lines: readonly string[]): Separator {
  const order: readonly Separator[] = [';', '\t', '|', ',', ' '];
  return order.find((sign) => lines.length > 0 && lines.every((line) => line.includes(sign))) ?? ',';
}

function decimalOf(lines: readonly string[], separator: Separator): DecimalSign {
  if (separator === ',') return '.';
  const cells = lines.flatMap((line) => line.split(separator));
  const commas = cells.filter((cell) => Number.isFinite(numberOf(cell, ',')) && cell.includes(',')).length;
  const points = cells.filter((cell) => Number.isFinite(numberOf(cell, '.')) && cell.includes('.')).length;
  return commas > points ? ',' : '.';
}

/** @param given what the user knows better */
export function readTable(
  source: string,
  given: { separator?: Separator; decimal?: DecimalSign } = {},
): DataTable {
  const text = source.startsWith(BOM) ? source.slice(1) : source;
  const sample = sampleOf(text);
  const separator = given.separator ?? separatorOf(sample);
  const decimal = given.decimal ?? decimalOf(sample, separator);
  const { data } = Papa.parse<string[]>(
    separator === ' ' ? text.replace(/[ \t]+/g, ' ').replace(/^ | $/gm, '') : text,
    {
      delimiter: separator,
    },
  );
  const isEmpty = (row: readonly string[]): boolean => row.every((cell) => cell.trim() === '');
  let first = 0;
  while (first < data.length && (isEmpty(data[first]) || data[first][0].startsWith(COMMENT))) first++;
  let end = data.length;
  while (end > first && isEmpty(data[end - 1])) end--;
  const rows = data.slice(first, end).map((row) => row.map((cell) => cell.trim()));
  const width = Math.max(0, ...rows.slice(0, SAMPLE).map((row) => row.length));
  const [head] = rows as (string[] | undefined)[];
  const hasHeader = head?.some((cell) => cell !== '' && Number.isNaN(numberOf(cell, decimal))) ?? false;
  const columns = Array.from({ length: width }, (_, i) => (hasHeader && head?.[i] ? head[i] : `${i + 1}`));
  return {
    separator,
    decimal,
    columns,
    rows: hasHeader ? rows.slice(1) : rows,
    firstRow: first + (hasHeader ? 2 : 1),
  };
}

/** `force [N]` and `force (N)` taken apart. */
export function nameAndUnit(column: string): { name: string; unit: string } {
  const match = /^(.*?)\s*[[(]([^\])]*)[\])]\s*$/.exec(column);
  return match === null ? { name: column.trim(), unit: '' } : { name: match[1], unit: match[2] };
}
