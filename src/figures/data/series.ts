/** Columns of a table as functions of time, with what is wrong in which row. */
import { type DataTable, numberOf } from './table';

export interface CsvSeries {
  /** strictly increasing */
  readonly t: Float64Array;
  /** one array a column */
  readonly values: readonly Float64Array[];
}

export type RowProblem =
  /** a cell has no number: its row is left out */
  | { readonly kind: 'cell'; readonly row: number; readonly column: string; readonly cell: string }
  /** a time that is not after the one before: nothing can be made of the table */
  | { readonly kind: 'order'; readonly row: number; readonly time: number; readonly before: number };

export interface SeriesResult {
  /** null when the table has fewer than two usable rows, or times out of order */
  readonly series: CsvSeries | null;
  readonly problems: readonly RowProblem[];
}

/** @param time place of the column of times @param values places of the columns of values */
export function seriesOf(table: DataTable, time: number, values: readonly number[]): SeriesResult {
  const problems: RowProblem[] = [];
  const t: number[] = [];
  const columns: number[][] = values.map(() => []);
  let isOrdered = true;
  table.rows.forEach((cells, i) => {
    const row = table.firstRow + i;
    const numbers = [time, ...values].map((place) => numberOf(cells[place], table.decimal));
    const missing = numbers.findIndex((number) => !Number.isFinite(number));
    if (missing >= 0) {
      const place = [time, ...values][missing];
      problems.push({ kind: 'cell', row, column: table.columns[place] ?? '', cell: cells[place] ?? '' });
      return;
    }
    const [now] = numbers;
    const before = t.at(-1);
    if (before !== undefined && now <= before) {
      if (isOrdered) problems.push({ kind: 'order', row, time: now, before });
      isOrdered = false;
      return;
    }
    t.push(now);
    columns.forEach((column, k) => column.push(numbers[k + 1]));
  });
  const isUsable = isOrdered && t.length >= 2 && values.length > 0;
  return {
    series: isUsable
      ? { t: Float64Array.from(t), values: columns.map((column) => Float64Array.from(column)) }
      : null,
    problems,
  };
}
