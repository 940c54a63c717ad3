/** Matrices as text: rows of numbers, or entries with their places, for matrices too large for a grid. */
import type { Expression, SparseMatrixValue } from '@engine/document/types';
import { parseNumber } from '../components/numbers';
import { isSparse, sparseRows } from './sizes';

/** A matrix as the document holds it. */
export type MatrixValue = Expression[][] | SparseMatrixValue;

/**
 * `rows`: a line for each row, entries between commas. `entries`: a line “row, column, value” for each entry.
 */
export type MatrixForm = 'rows' | 'entries';

/** Largest matrix that is shown cell by cell. */
export const MOST_CELLS = 400;

export type ParsedMatrix =
  | { ok: true; value: MatrixValue }
  /** @property line 1-based */
  | { ok: false; line: number; reason: MatrixTextDefect };

type MatrixTextDefect = 'json' | 'entry' | 'lengths' | 'empty';

/** The entries of a matrix that are not zero. */
export function toSparse(rows: readonly (readonly Expression[])[]): SparseMatrixValue {
  const entries = rows.flatMap((row, i) =>
    row.flatMap((value, j): SparseMatrixValue['entries'] => (value === 0 ? [] : [[i, j, value]])),
  );
  return { rows: rows.length, entries };
}

/** Sum of what stands at one place, as an expression where one of them is. */
function sum(a: Expression, b: Expression): Expression {
  if (a === 0) return b;
  return typeof a === 'number' && typeof b === 'number' ? a + b : `${a} + ${b}`;
}

/** All entries of a matrix. @param columns number of columns; the last one used when it is not known */
export function toDense(value: SparseMatrixValue, columns = 0): Expression[][] {
  const width = value.entries.reduce((last, [, j]) => Math.max(last, j + 1), columns);
  const rows = Array.from({ length: sparseRows(value) }, () => new Array<Expression>(width).fill(0));
  for (const [i, j, entry] of value.entries) {
    const row = rows[i];
    if (row !== undefined) row[j] = sum(row[j] ?? 0, entry);
  }
  return rows;
}

/** Number of entries that are written out. */
export const entryCount = (value: MatrixValue): number =>
  isSparse(value) ? value.entries.length : value.reduce((count, row) => count + row.length, 0);

/** Rows and columns a matrix has by itself; a sparse one has at least as many as its entries need. */
export function sidesOf(value: MatrixValue): { rows: number; columns: number } {
  if (!isSparse(value)) return { rows: value.length, columns: value[0]?.length ?? 0 };
  return {
    rows: sparseRows(value),
    columns: value.entries.reduce((last, [, j]) => Math.max(last, j + 1), 0),
  };
}

/** Lines of a matrix in a form. */
export function writeMatrix(value: MatrixValue, form: MatrixForm, columns: number): string {
  if (form === 'rows') {
    const rows = isSparse(value) ? toDense(value, columns) : value;
    return rows.map((row) => row.join(', ')).join('\n');
  }
  const { rows, entries } = isSparse(value) ? value : toSparse(value);
  const lines = entries.map((entry) => entry.join(', '));
  return (rows === undefined ? lines : [`rows ${rows}`, ...lines]).join('\n');
}

/**
 * Splits at commas, semicolons or tabs that stand outside parentheses; at blanks where there are none of
 * them.
 */
function cells(line: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < line.length; i++) {
    const letter = line[i] ?? '';
    if (letter === '(') depth++;
    else if (letter === ')') depth--;
    else if (depth === 0 && (letter === ',' || letter === ';' || letter === '\t')) {
      parts.push(line.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(line.slice(start));
  const trimmed = parts.map((part) => part.trim());
  if (trimmed.length > 1) return trimmed;
  const blanks = line.trim().split(/\s+/);
  return blanks.every((word) => typeof parseNumber(word) === 'number') ? blanks : trimmed;
}

const isExpression = (value: unknown): value is Expression =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

const isPlace = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

function isEntry(entry: unknown): entry is [number, number, Expression] {
  return (
    Array.isArray(entry) &&
    entry.length === 3 &&
    isPlace(entry[0]) &&
    isPlace(entry[1]) &&
    isExpression(entry[2])
  );
}

function parseJson(source: string): ParsedMatrix {
  const defect = (reason: MatrixTextDefect): ParsedMatrix => ({ ok: false, line: 1, reason });
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return defect('json');
  }
  if (Array.isArray(value)) {
    const rows: unknown[] = value;
    if (!rows.every((row): row is Expression[] => Array.isArray(row) && row.every(isExpression)))
      return defect('entry');
    return checkRows(rows, () => 1);
  }
  const { rows, entries } = value as Partial<Record<keyof SparseMatrixValue, unknown>>;
  if (!Array.isArray(entries) || !entries.every(isEntry)) return defect('entry');
  if (rows === undefined) return { ok: true, value: { entries } };
  return isPlace(rows) && rows > 0 ? { ok: true, value: { rows, entries } } : defect('entry');
}

function checkRows(rows: Expression[][], lineOf: (row: number) => number): ParsedMatrix {
  if (rows.length === 0) return { ok: false, line: 1, reason: 'empty' };
  const odd = rows.findIndex((row) => row.length !== rows[0]?.length);
  return odd < 0 ? { ok: true, value: rows } : { ok: false, line: lineOf(odd), reason: 'lengths' };
}

interface NumberedLine {
  line: number;
  words: string[];
}

function parseRows(lines: readonly NumberedLine[]): ParsedMatrix {
  for (const { line, words } of lines) {
    if (words.some((word) => word === '')) return { ok: false, line, reason: 'entry' };
  }
  return checkRows(
    lines.map(({ words }) => words.map(parseNumber)),
    (row) => lines[row]?.line ?? 1,
  );
}

function parseEntries(lines: readonly NumberedLine[]): ParsedMatrix {
  const entries: SparseMatrixValue['entries'] = [];
  let rows: number | undefined;
  for (const { line, words } of lines) {
    const head = /^rows\s+(\d+)$/.exec(words.join(' '));
    if (head !== null && entries.length === 0) {
      rows = Number(head[1]);
      continue;
    }
    const entry = words.map(parseNumber);
    if (!isEntry(entry)) return { ok: false, line, reason: 'entry' };
    entries.push(entry);
  }
  return { ok: true, value: rows === undefined ? { entries } : { rows, entries } };
}

/** Reads what `writeMatrix` writes, and JSON. */
export function parseMatrix(source: string, form: MatrixForm): ParsedMatrix {
  const trimmed = source.trim();
  if (trimmed.startsWith('[') || trimmed.startsWith('{')) return parseJson(trimmed);
  const lines = source
    .split('\n')
    .map((content, i) => ({ line: i + 1, content: content.trim() }))
    .filter(({ content }) => content !== '')
    .map(({ line, content }) => ({ line, words: cells(content) }));
  return form === 'rows' ? parseRows(lines) : parseEntries(lines);
}
