/**
 * `--continue-from`: a run that begins where another one stood. From a state that was saved it has the bits
 * of a run that never stopped; from a table of what was recorded it starts afresh with the positions and
 * velocities of a row.
 */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { Dispatcher, MethodParams } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import { saveAtomically } from '@main/files/atomic';
import { fileError, folderMissing, notAFile } from '@main/files/file-errors';
import { type CommandArguments, UsageError } from './command';
import { numberFlag, type StartOptions } from './run-options';

type Start = MethodParams<'run.start'>;

/** A table of numbers: of those that can be exported, the one that is text. */
const TABLE = '.csv';
/** Other tables that a run can be exported to. */
const OTHER_TABLES = ['.h5', '.npz', '.mat', '.json', '.parquet', '.nc'];
/** Part of the distance of two rows by which a time may miss the one it names: rounding of a typed number. */
const SAME_ROW = 1e-6;

/** What `run.start` is given, and what the user should know of it. */
export interface Beginning {
  readonly start: Start;
  readonly note: string | null;
}

/** @throws {UsageError | MoreauError} why it cannot go on from there */
export async function beginning(
  host: Dispatcher,
  document: ModelDocument,
  options: StartOptions,
  args: CommandArguments,
): Promise<Beginning> {
  const file = args.text('continue-from');
  const time = numberFlag(args, 'at');
  if (file === undefined) {
    if (time !== undefined) throw new UsageError('--at goes with --continue-from FILE.');
    return { start: { document, ...options }, note: null };
  }
  const name = file.toLowerCase();
  const other = OTHER_TABLES.find((ending) => name.endsWith(ending));
  if (other !== undefined)
    throw new UsageError(
      `--continue-from reads a state that --save-state has written, or a ${TABLE} file, not ${other}.`,
    );
  const text = await read(file);
  if (name.endsWith(TABLE)) return fromTable(host, document, options, { file, text, time });
  const from = { state: text, file, ...(time === undefined ? {} : { time }) };
  return { start: { document, ...options, from }, note: null };
}

async function read(file: string): Promise<string> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw notAFile(file, found.isDirectory());
    return await readFile(file, 'utf8');
  } catch (error) {
    throw fileError(file, 'opened', error);
  }
}

/* From a table. */

interface Table {
  readonly file: string;
  readonly text: string;
  readonly time: number | undefined;
}

async function fromTable(
  host: Dispatcher,
  document: ModelDocument,
  options: StartOptions,
  table: Table,
): Promise<Beginning> {
  const { time, values } = rowOf(table);
  // The prepared model knows which signals hold the state of each system.
  const { runId } = await host.dispatch('run.start', {
    document,
    ...options,
    paused: true,
    keep: 'last',
    measure: false,
  });
  try {
    const started = await host.dispatch('run.stateDocument', { runId, time, values });
    // As a run from a saved state does: to the end of the model, where that is still to come.
    const { tEnd } = (await host.dispatch('run.list', {})).find((run) => run.runId === runId) ?? {
      tEnd: time,
    };
    const end = options.tEnd === undefined && tEnd > time ? { tEnd } : {};
    const lost = started.missing.length === 0 ? '' : ` ${started.missing.join(', ')} begin as in the model.`;
    return {
      start: { ...options, ...end, document: started.document },
      note: `The run begins at t = ${time} s with the positions and velocities of ${basename(table.file)}. Multipliers, what contacts, control blocks and conditions of presence remember, and the step of an integrator are not in a table: they begin as at any start. For a run that goes on with the same bits, continue from a state that --save-state has written.${lost}`,
    };
  } finally {
    await host.dispatch('run.cancel', { runId });
    await host.dispatch('run.delete', { runId, forGood: true });
  }
}

/** Fields of a line, quoted ones as RFC 4180 has them. */
function fieldsOf(line: string): string[] {
  const found = line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  if (!line.endsWith(',')) found.pop();
  return found.map((field) => {
    const bare = field.replace(/,$/, '');
    return bare.startsWith('"') ? bare.slice(1, -1).replaceAll('""', '"') : bare;
  });
}

/** The last row, or the one at a time or before it. @throws {MoreauError} */
function rowOf({ file, text, time }: Table): { time: number; values: Record<string, number> } {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line !== '' && !line.startsWith('#'));
  const names = first < 0 ? [] : fieldsOf(lines[first]).map((name) => name.replace(/ \[[^\]]*\]$/, ''));
  const rows = lines
    .map((line, k) => ({ line, number: k + 1 }))
    .filter(({ line, number }) => number > first + 1 && line !== '');
  if (names[0] !== 't' || rows.length === 0)
    throw new MoreauError({
      code: 'no-table',
      message: `${basename(file)} is no table of a run: its first column has to be t, with at least one row below the names.`,
      where: `${file}:${first + 1}`,
      remedy: 'Export the run again with --out FILE.csv.',
    });
  const timeOf = ({ line }: { line: string }): number => Number(line.slice(0, line.indexOf(',')));
  const last = timeOf(rows[rows.length - 1]);
  const begin = timeOf(rows[0]);
  const rounding = rows.length > 1 ? SAME_ROW * ((last - begin) / (rows.length - 1)) : 0;
  const wanted = time ?? last;
  if (!(wanted >= begin - rounding && wanted <= last + rounding))
    throw new MoreauError({
      code: 'state-time-outside',
      message: `There is no row at ${wanted} s in ${basename(file)}: it goes from ${begin} s to ${last} s.`,
      where: file,
      remedy: `Choose a time from ${begin} s to ${last} s with --at.`,
    });
  const chosen = rows.findLast((row) => timeOf(row) <= wanted + rounding) ?? rows[0];
  const numbers = fieldsOf(chosen.line).map((field) => (field.trim() === '' ? NaN : Number(field)));
  const bad = names.findIndex((_, k) => !Number.isFinite(numbers[k] ?? NaN) && k === 0);
  if (bad >= 0 || numbers.length !== names.length)
    throw new MoreauError({
      code: 'no-table',
      message: `Line ${chosen.number} of ${basename(file)} has ${numbers.length} numbers for ${names.length} columns, or no time.`,
      where: `${file}:${chosen.number}`,
      remedy: 'Export the run again with --out FILE.csv.',
    });
  const finite = names
    .map((name, k) => [name, numbers[k]] as const)
    .filter(([, value]) => Number.isFinite(value));
  return { time: numbers[0], values: Object.fromEntries(finite) };
}

/* Saving a state. */

/** @throws {UsageError | MoreauError} where the file could not be written at the end, or could not be read */
export async function checkStatePlace(args: CommandArguments): Promise<void> {
  const file = args.text('save-state');
  if (file === undefined) return;
  const table = [TABLE, ...OTHER_TABLES].find((ending) => file.toLowerCase().endsWith(ending));
  if (table !== undefined)
    throw new UsageError(
      `--continue-from takes ${table} for a table of results, so that a state cannot be read from it: give --save-state another ending, such as .moreau-state.`,
    );
  const folder = dirname(resolve(file));
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true) throw folderMissing(file, folder);
  const own = await stat(file).catch(() => null);
  if (own !== null && !own.isFile()) throw notAFile(file, own.isDirectory());
}

/** @returns what to say of it @throws {MoreauError} when it cannot be written */
export async function saveState(
  host: Dispatcher,
  runId: string,
  time: number,
  file: string,
): Promise<string> {
  const { text } = await host.dispatch('run.saveState', { runId });
  await saveAtomically(file, text, { backup: false });
  return `state at t = ${time} s written to ${file}\n`;
}
