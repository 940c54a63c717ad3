/** Columns of a file as tables of the document. */
import type { TableDocument } from '@engine/document/types';
import type { DataScriptPlan } from './data-script';

/** Most points of a table: the document stays text that opens at once. */
export const MOST_ROWS = 20_000;

/** Names of the tables: that of the plan, with the column behind it where there are several. */
export const tableNames = ({ name, columns }: Pick<DataScriptPlan, 'name' | 'columns'>): string[] =>
  columns.length === 1
    ? [name]
    : columns.map((column, k) => {
        const word = column.name.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '');
        return `${name}_${word === '' ? k + 1 : word}`;
      });

export function dataTables(
  plan: Pick<DataScriptPlan, 'name' | 'columns' | 'series' | 'extrapolation' | 'fileName'>,
): TableDocument[] {
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
