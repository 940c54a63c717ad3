/** `moreau import DATA.csv`: columns of a file of data as tables of a model, as the window imports them. */
import { basename } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { Dispatcher } from '@contract/methods';
import { closest } from '@engine/closest';
import { plural } from '@engine/plural';
import { dataTables, MOST_ROWS, nameOfFile } from '@figures/data/data-table';
import { type RowProblem, seriesOf } from '@figures/data/series';
import { type DataTable, MAX_DATA_BYTES, nameAndUnit, readTable } from '@figures/data/table';
import { thin } from '@figures/data/thin';
import { readTextFile } from '@main/files/text-file';
import { saveAtomically } from '@main/files/atomic';
import { type CliContext, type CommandArguments, EXIT, UsageError } from './command';
import { openModel } from './model';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Rows that are spelt out. */
const MOST_NOTED = 20;

export const DATA_FLAGS = {
  into: { type: 'string', value: 'MODEL', help: 'of data: the model that gets the tables' },
  name: { type: 'string', value: 'NAME', help: 'of data: name of the table, instead of the file’s' },
  time: { type: 'string', value: 'COLUMN', help: 'of data: column of the times, instead of the first' },
  column: {
    type: 'string',
    value: 'COLUMN',
    multiple: true,
    help: 'of data: column of values, instead of all others; by its name or its number from 1',
  },
  periodic: { type: 'boolean', help: 'of data: the rows repeat after their end' },
  replace: { type: 'boolean', help: 'of data: tables of the same name give way' },
} as const;

/** Whether a file holds data, by its name. */
export const isData = (path: string): boolean => /\.(?:csv|tsv|txt|dat)$/i.test(path);

/** Place of a column by its header, its name without its unit, or its number. */
function columnAt({ columns }: DataTable, wanted: string): number {
  const names = columns.map((column) => nameAndUnit(column).name);
  for (const list of [columns, names]) if (list.includes(wanted)) return list.indexOf(wanted);
  const number = Number(wanted);
  if (Number.isInteger(number) && number >= 1 && number <= columns.length) return number - 1;
  const meant = closest(wanted, names);
  throw new UsageError(
    `There is no column “${wanted}”. ${meant === null ? `There are ${names.join(', ')}.` : `Did you mean ${meant}?`}`,
  );
}

function checkSize(bytes: number, name: string): void {
  if (bytes <= MAX_DATA_BYTES) return;
  throw new MoreauError({
    code: 'data-too-large',
    message: `${name} has ${(bytes / 2 ** 20).toFixed(0)} MiB; at most ${MAX_DATA_BYTES / 2 ** 20} MiB are read.`,
    where: name,
    remedy: 'Keep fewer rows.',
  });
}

function problemText(problem: RowProblem): string {
  if (problem.kind === 'order')
    return `The time ${problem.time} is not after ${problem.before}: times have to rise. Sort the rows, or name another column by --time.`;
  const what = problem.cell === '' ? 'is empty' : `is “${problem.cell}”, which is no number`;
  return `The cell of “${problem.column}” ${what}: the row is left out.`;
}

/** @returns the exit code @throws {UsageError} @throws {MoreauError} what cannot be read */
export async function importData(
  path: string,
  args: CommandArguments,
  context: CliContext,
  host: Dispatcher,
): Promise<number> {
  const into = args.text('into');
  if (into === undefined) throw new UsageError('Data go into a model: name it by --into MODEL.');
  const fileName = basename(path);
  const name = args.text('name') ?? nameOfFile(fileName);
  if (!IDENTIFIER.test(name))
    throw new UsageError(`“${name}” is no name: take letters, digits and _, by --name.`);
  const document = await openModel(host, into, context);
  const table = readTable(await readTextFile(path, checkSize));
  const time = args.has('time') ? columnAt(table, args.text('time') ?? '') : 0;
  const named = args.texts('column').map((column) => columnAt(table, column));
  const values = named.length > 0 ? named : table.columns.map((_, k) => k).filter((k) => k !== time);
  if (values.length === 0) throw new UsageError(`${fileName} has one column only: values need a second one.`);
  const { series, problems } = seriesOf(table, time, values);
  for (const problem of problems.slice(0, MOST_NOTED)) {
    const severity = problem.kind === 'order' ? 'error' : 'warning';
    context.note(`${severity}: ${fileName}:${problem.row}: ${problemText(problem)}\n`);
  }
  if (problems.length > MOST_NOTED) context.note(`and ${problems.length - MOST_NOTED} more of this kind.\n`);
  if (series === null) {
    context.note(`${fileName} has no two rows of numbers in the order of time: nothing was written.\n`);
    return EXIT.invalid;
  }
  const kept = thin(series, MOST_ROWS);
  if (kept.t.length < series.t.length)
    context.note(
      `warning: ${fileName}: of ${series.t.length} rows ${kept.t.length} are kept; straight lines between them miss the others by ${(100 * kept.deviation).toPrecision(2)} % of the range at most.\n`,
    );
  const tables = dataTables({
    fileName,
    name,
    columns: values.map((place) => nameAndUnit(table.columns[place])),
    series: kept,
    extrapolation: args.has('periodic') ? 'periodic' : 'hold',
  });
  const ids = tables.map(({ id }) => id);
  const old = document.tables ?? [];
  const twice = ids.find((id, k) => ids.indexOf(id) < k);
  const taken = args.has('replace') ? undefined : ids.find((id) => old.some((one) => one.id === id));
  if (twice !== undefined) throw new UsageError(`Two columns would be “${twice}”: choose one by --column.`);
  if (taken !== undefined)
    throw new UsageError(
      `The model has a table “${taken}” already: take another name by --name, or let it give way by --replace.`,
    );
  const fresh = new Map(tables.map((one) => [one.id, one]));
  const all = [
    ...old.map((one) => fresh.get(one.id) ?? one),
    ...tables.filter(({ id }) => !old.some((one) => one.id === id)),
  ];
  const { text } = await host.dispatch('document.write', { document: { ...document, tables: all } });
  const out = args.text('out');
  if (out === undefined) context.out(text);
  else {
    await saveAtomically(out, text, { backup: false });
    context.out(`${out}\n`);
  }
  const calls = ids.map((id) => `table(${id}, t)`).join(', ');
  context.note(`${plural(ids.length, 'table')} of ${plural(kept.t.length, 'row')}: ${calls}\n`);
  return EXIT.done;
}
