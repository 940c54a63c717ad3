/**
 * Results of a sweep as a table. With a section, one row for each of its points: values of what is varied,
 * measures, signals. Without, one row for each point of the sweep. Points that failed have NaN. Of a sweep in
 * both directions, each row says which one it belongs to. JSON has the points instead, each with its section
 * and why it failed.
 */
import { extname } from 'node:path';
import type { Dispatcher } from '@contract/methods';
import type { PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, countPoints, resultPoints, sweepDirections } from '@engine/analysis/sweep/job';
import type { ModelDocument } from '@engine/document/types';
import { directionsOf, sweepOutcome } from '../analysis/swept';
import { analysisTable } from '../export/analysis-table';
import { exportTable } from '../export/export-table';
import type { FormatOptions } from '../export/table-format';
import type { TableSource } from '../export/table-source';
import { AtomicFile } from '../files/atomic';

/** Text that is handed to the file at once, characters. */
const BLOCK = 2 ** 18;

/** What a sweep has come to. */
export interface ComputedSweep {
  readonly job: SweepJob;
  readonly columns: SweepColumns;
  /** by the numbers of `resultPoints` */
  readonly results: ReadonlyMap<number, PointResult>;
}

const endsIn = (path: string, extension: string): boolean => extname(path).toLowerCase() === extension;

/**
 * The file appears complete or not at all. Its bytes follow from the job alone, whenever and by whomever it
 * was computed, except in formats on HDF5, which keeps the second in which each dataset was written.
 * @param path whose ending decides the format, as in all exports of tables
 * @throws {MoreauError} `unknown-format`, or why it cannot be written
 */
export async function writeSweep(
  path: string,
  sweep: ComputedSweep,
  dispatcher: Dispatcher,
  options: FormatOptions = {},
): Promise<void> {
  if (endsIn(path, '.json')) return writePoints(path, sweep);
  const table = await sweepTable(sweep, dispatcher);
  return exportTable(endsIn(path, '.csv') ? withoutNegativeZeros(table) : table, path, undefined, options);
}

/** The model with the values of the job. */
function documentOf({ document, set = {}, scheme, h, tEnd }: SweepJob): ModelDocument {
  return {
    ...document,
    parameters: document.parameters.map((one) => ({ ...one, value: set[one.name] ?? one.value })),
    simulation: {
      ...document.simulation,
      ...(scheme !== undefined && { scheme }),
      ...(h !== undefined && { h }),
      ...(tEnd !== undefined && { tEnd }),
    },
  };
}

/** The rows of a sweep, with what is needed to compute it again. */
async function sweepTable(
  { job, columns, results }: ComputedSweep,
  dispatcher: Dispatcher,
): Promise<TableSource> {
  const { document: _, ...sweep } = job;
  const outcome = sweepOutcome(columns, directionsOf(job, results));
  return analysisTable(dispatcher, documentOf(job), 'sweep', outcome, { sweep });
}

/**
 * CSV files of sweeps have always had zeros without a sign: those who compare them with older ones find the
 * same bytes.
 */
const withoutNegativeZeros = (source: TableSource): TableSource => ({
  ...source,
  read: async (...wanted) => (await source.read(...wanted)).map((values) => values.map((value) => value + 0)),
});

async function writePoints(path: string, sweep: ComputedSweep): Promise<void> {
  const file = await AtomicFile.create(path, { backup: false });
  try {
    let text = '';
    for (const part of json(sweep)) {
      text += part;
      if (text.length < BLOCK) continue;
      await file.write(text);
      text = '';
    }
    await file.write(text);
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** JSON has no word for values that are not finite. */
const numbers = (values: Float64Array): string =>
  `[${Array.from(values, (value) => (Number.isFinite(value) ? String(value) : 'null')).join(', ')}]`;

/** Of points whose runs never began nothing is known. */
const verdict = ({ verdict: found }: PointResult): string =>
  found === undefined
    ? ''
    : Object.entries(found)
        .map(([key, value]) => `, "${key}": ${JSON.stringify(value)}`)
        .join('');

function* json({ job, columns, results }: ComputedSweep): Generator<string> {
  const { axes, measures, section } = columns;
  const { document, set, scheme, h, plan } = job;
  const directions = sweepDirections(job);
  const count = countPoints(plan);
  const head = {
    title: document.title,
    scheme: scheme ?? document.simulation.scheme,
    ...(h !== undefined && { h }),
    ...(set !== undefined && { set }),
    ...(job.section !== undefined && { section: job.section.section }),
    parameters: axes,
    measures,
    signals: section,
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "points": [`;
  let separator = '';
  for (const [index, values] of resultPoints(job).entries()) {
    const result = results.get(index);
    if (result === undefined) continue;
    const rows: string[] = [];
    for (let at = 0; at < result.section.length; at += section.length)
      rows.push(numbers(result.section.subarray(at, at + section.length)));
    const error = result.error === undefined ? '' : `, "error": ${JSON.stringify(result.error.message)}`;
    const points = section.length === 0 ? '' : `, "section": [${rows.join(', ')}]`;
    const direction =
      directions.length > 1 ? `"direction": "${directions[Math.floor(index / count)]}", ` : '';
    yield `${separator}\n    { ${direction}"values": ${numbers(values)}, "status": "${result.status}"${error}${verdict(result)}, "measures": ${numbers(result.measures)}${points} }`;
    separator = ',';
  }
  yield '\n  ]\n}\n';
}
