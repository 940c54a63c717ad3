/** What can be done to a small matrix as a whole, and cells that come from a spreadsheet. */
import type { Expression } from '@engine/document/types';
import { parseNumber } from '../components/numbers';

type Rows = readonly (readonly Expression[])[];

export type MatrixTool = 'transpose' | 'symmetrise' | 'identity' | 'zero';

const isSquare = (rows: Rows): boolean => rows.length > 0 && rows.every((row) => row.length === rows.length);

const isCompound = (value: Expression): boolean => typeof value === 'string' && /[-+?:<>]/.test(value);
const inParentheses = (value: Expression): string => (isCompound(value) ? `(${value})` : String(value));

function mean(a: Expression, b: Expression): Expression {
  if (a === b) return a;
  if (typeof a === 'number' && typeof b === 'number') return 0.5 * (a + b);
  return `(${inParentheses(a)} + ${inParentheses(b)})/2`;
}

/** Tools that suit a matrix; only a square one keeps its size when it is transposed. */
export function toolsFor(rows: Rows): MatrixTool[] {
  if (!isSquare(rows)) return ['zero'];
  return rows.length === 1 ? [] : ['transpose', 'symmetrise', 'identity', 'zero'];
}

/**
 * Applies a tool. Symmetrising takes the mean of each pair of entries, as an expression where one of them is.
 */
export function applyTool(rows: Rows, tool: MatrixTool): Expression[][] {
  const entry = (i: number, j: number): Expression => rows[i]?.[j] ?? 0;
  return rows.map((row, i) =>
    row.map((value, j) => {
      if (tool === 'transpose') return entry(j, i);
      if (tool === 'symmetrise') return i <= j ? mean(value, entry(j, i)) : mean(entry(j, i), value);
      return tool === 'identity' && i === j ? 1 : 0;
    }),
  );
}

/** Cells of a spreadsheet; null where a text is only one cell. Decimals may be written with a comma. */
export function pastedCells(content: string): Expression[][] | null {
  const lines = content.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  if (lines.length === 1 && !content.includes('\t')) return null;
  return lines.map((line) =>
    line.split('\t').map((cell) => {
      const trimmed = cell.trim();
      const point = /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/.test(trimmed) ? trimmed.replace(',', '.') : trimmed;
      return point === '' ? 0 : parseNumber(point);
    }),
  );
}

export type PastedMatrix =
  | { ok: true; rows: Expression[][] }
  /** size of what was pasted, and of what is there from the cell on */
  | { ok: false; rows: number; columns: number; freeRows: number; freeColumns: number };

/** Puts cells into a matrix from a cell on. Nothing is cut off: what does not fit is refused whole. */
export function pasteCells(rows: Rows, cells: Rows, row: number, column: number): PastedMatrix {
  const width = Math.max(...cells.map((line) => line.length));
  const freeRows = rows.length - row;
  const freeColumns = (rows[0]?.length ?? 0) - column;
  if (cells.length > freeRows || width > freeColumns || cells.some((line) => line.length !== width))
    return { ok: false, rows: cells.length, columns: width, freeRows, freeColumns };
  return {
    ok: true,
    rows: rows.map((line, i) => line.map((value, j) => cells[i - row]?.[j - column] ?? value)),
  };
}
