/** Columns of a file as tables of the document. */
import type { TableDocument } from '@engine/document/types';
import type { CsvSeries } from './series';

/** Most points of a table: the document stays text that opens at once. */
export const MOST_ROWS = 20_000;

/** A name for a function from that of a file: its words, run together. */
export function nameOfFile(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const joined = words
    .map((word, i) => (i === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('');
  return /^[a-z_]/i.test(joined) ? joined : `data${joined}`;
}

export interface TablePlan {
  readonly fileName: string;
  readonly name: string;
  /** name and unit of each column of values */
  readonly columns: readonly { readonly name: string; readonly unit: string }[];
  readonly series: CsvSeries;
  readonly extrapolation: string;
}

/** Names of the tables: that of the plan, with the column behind it where there are several. */
export const tableNames = ({ name, columns }: Pick<TablePlan, 'name' | 'columns'>): string[] =>
  columns.length === 1
    ? [name]
    : columns.map((column, k) => {
        const word = column.name.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '');
        return `${name}_${word === '' ? k + 1 : word}`;
      });

export function dataTables(plan: TablePlan): TableDocument[] {
  const { columns, series, extrapolation, fileName } = plan;
  const names = tableNames(plan);
  const t = Array.from(series.t);
  return columns.map(({ name, unit }, k) => ({
    id: names[k],
    description: `${name} of ${fileName}`,
    ...(unit !== '' && { unit }),
    ...(extrapolation === 'periodic' && { period: t[t.length - 1] - t[0] }),
    t: [...t],
    y: Array.from(series.values[k]),
  }));
}
