/**
 * Results of a sweep as a table. With a section, one row for each of its points: values of what is varied, measures, signals. Without, one
 * row for each point of the sweep. Points that failed have NaN.
 */
import { extname } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { sweepPoints } from '@engine/analysis/sweep/points';
import { AtomicFile } from '../files/atomic';

/** Text that is handed to the file at once, characters. */
const BLOCK = 2 ** 18;

type SweepTable = (
  job: SweepJob,
  columns: SweepColumns,
  results: ReadonlyMap<number, PointResult>,
) => Generator<string>;

const FORMATS: Readonly<Record<string, SweepTable>> = { '.csv': csv, '.json': json };

/** @throws {MoreauError} `unknown-format` */
export function tableFormat(path: string): SweepTable {
  const format = FORMATS[extname(path).toLowerCase()];
  if (format !== undefined) return format;
  throw new MoreauError({
    code: 'unknown-format',
    message: `Results of sweeps are not written as “${extname(path) || path}”.`,
    where: path,
    remedy: `Let the name end in ${Object.keys(FORMATS).join(' or ')}.`,
  });
}

/** The file appears complete or not at all. @throws {MoreauError} why it cannot be written */
export async function writeSweep(
  path: string,
  job: SweepJob,
  columns: SweepColumns,
  results: ReadonlyMap<number, PointResult>,
): Promise<void> {
  const format = tableFormat(path);
  const file = await AtomicFile.create(path, { backup: false });
  try {
    let text = '';
    for (const part of format(job, columns, results)) {
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

const heading = (name: string, unit: string): string => {
  const text = unit === '' ? name : `${name} [${unit}]`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

function* csv(
  job: SweepJob,
  { axes, measures, section }: SweepColumns,
  results: ReadonlyMap<number, PointResult>,
): Generator<string> {
  yield `${[...axes, ...measures, ...section].map(({ name, unit }) => heading(name, unit)).join(',')}\r\n`;
  const width = section.length;
  for (const [index, values] of sweepPoints(job.plan).entries()) {
    const result = results.get(index);
    if (result === undefined) continue;
    const head = [...values, ...result.measures].join(',');
    if (width === 0 || result.section.length === 0) {
      yield `${head}${',NaN'.repeat(width)}\r\n`;
      continue;
    }
    let text = '';
    for (let at = 0; at < result.section.length; at += width)
      text += `${[head, ...result.section.subarray(at, at + width)].filter((part) => part !== '').join(',')}\r\n`;
    yield text;
  }
}

/** JSON has no word for values that are not finite. */
const numbers = (values: Float64Array): string =>
  `[${Array.from(values, (value) => (Number.isFinite(value) ? String(value) : 'null')).join(', ')}]`;

function* json(
  job: SweepJob,
  { axes, measures, section }: SweepColumns,
  results: ReadonlyMap<number, PointResult>,
): Generator<string> {
  const { document, set, scheme, h, plan } = job;
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
  for (const [index, values] of sweepPoints(plan).entries()) {
    const result = results.get(index);
    if (result === undefined) continue;
    const rows: string[] = [];
    for (let at = 0; at < result.section.length; at += section.length)
      rows.push(numbers(result.section.subarray(at, at + section.length)));
    const error = result.error === undefined ? '' : `, "error": ${JSON.stringify(result.error.message)}`;
    const points = section.length === 0 ? '' : `, "section": [${rows.join(', ')}]`;
    yield `${separator}\n    { "values": ${numbers(values)}, "status": "${result.status}"${error}, "measures": ${numbers(result.measures)}${points} }`;
    separator = ',';
  }
  yield '\n  ]\n}\n';
}
