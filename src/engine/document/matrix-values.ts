/** Matrices of a document, given by rows or by entries, as sparse rows; each defect reported at its place. */
import { type MatrixEntry, type SparseRows, sparseFromEntries } from '../linalg/sparse';
import { plural } from '../plural';
import type { Expression, SparseMatrixValue } from './types';

export interface MatrixSource {
  readonly label: string;
  readonly value: Expression[][] | SparseMatrixValue;
  /** @param place way from the field to the number, as in a JSON pointer */
  evaluate(expression: Expression, place: string): number;
  reject(place: string, code: string, message: string, remedy: string): void;
}

/** Out-of-range entries that are reported one by one. */
const MAX_REPORTED = 5;

/** Number of rows that a matrix itself says to have. */
export function matrixRows({ value }: MatrixSource): number {
  if (Array.isArray(value)) return value.length;
  return value.rows ?? value.entries.reduce((last, [i]) => Math.max(last, i + 1), 0);
}

/** Number of columns of its longest row, or up to its last entry. */
export function matrixColumns({ value }: MatrixSource): number {
  if (Array.isArray(value)) return value.reduce((most, row) => Math.max(most, row.length), 0);
  return value.entries.reduce((last, [, j]) => Math.max(last, j + 1), 0);
}

/** A matrix that has been refused: NaN keeps later checks from finding more in it. */
const refused = (rows: number, columns: number): SparseRows =>
  sparseFromEntries(
    rows,
    Array.from({ length: Math.min(rows, columns) }, (_, i): MatrixEntry => [i, i, Number.NaN]),
  );

function readRows(source: MatrixSource, given: Expression[][], rows: number, columns: number): SparseRows {
  const widths = new Set(given.map((row) => (Array.isArray(row) ? row.length : 0)));
  if (given.length !== rows || (rows > 0 && (widths.size !== 1 || !widths.has(columns)))) {
    const shape =
      widths.size === 1 ? `${given.length} × ${[...widths][0]}` : `${given.length} rows of different lengths`;
    source.reject(
      '',
      'matrix-shape',
      `${source.label} is ${shape}; it must be ${rows} × ${columns}.`,
      `Give ${plural(rows, 'row')} of ${plural(columns, 'number')}.`,
    );
    return refused(rows, columns);
  }
  const rowStart = new Int32Array(rows + 1);
  const places: number[] = [];
  const values: number[] = [];
  given.forEach((row, i) => {
    row.forEach((expression, j) => {
      const value = source.evaluate(expression, `/${i}/${j}`);
      if (value === 0) return;
      places.push(j);
      values.push(value);
    });
    rowStart[i + 1] = places.length;
  });
  return { rows, rowStart, columns: Int32Array.from(places), values: Float64Array.from(values) };
}

function readEntries(
  source: MatrixSource,
  { rows: ownRows, entries }: SparseMatrixValue,
  rows: number,
  columns: number,
): SparseRows {
  if (ownRows !== undefined && ownRows !== rows) {
    source.reject(
      '/rows',
      'matrix-shape',
      `${source.label} has ${plural(ownRows, 'row')}; ${rows} ${rows === 1 ? 'is' : 'are'} needed.`,
      `Give ${rows}, or leave the number of rows out.`,
    );
    return refused(rows, columns);
  }
  let outside = 0;
  const values = entries.map(([i, j, expression], k): MatrixEntry => {
    if (i >= rows || j >= columns) {
      if (++outside <= MAX_REPORTED) {
        source.reject(
          `/entries/${k}`,
          'entry-outside',
          `The entry (${i}, ${j}) of ${source.label.toLowerCase()} lies outside the matrix, which is ${rows} × ${columns}.`,
          'Correct its row and column; they are counted from 0.',
        );
      }
      return [0, 0, Number.NaN];
    }
    return [i, j, source.evaluate(expression, `/entries/${k}/2`)];
  });
  return outside > 0 ? refused(rows, columns) : sparseFromEntries(rows, values);
}

/** Reads a matrix of the given shape. @returns its entries; NaN on the diagonal after a reported defect */
export function readSparse(source: MatrixSource, rows: number, columns: number): SparseRows {
  const { value } = source;
  return Array.isArray(value)
    ? readRows(source, value, rows, columns)
    : readEntries(source, value, rows, columns);
}
