import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import { exportTable } from '@main/export/export-table';
import { tableFormats } from '@main/export/registry';
import type { TableSource } from '@main/export/table-source';
import { EXIT } from '../command';
import type { Benchmark, BenchmarkOptions, Measurement } from './benchmark';

const ROWS = 1e8;
/** Time and one signal. */
const COLUMNS = 2;
/** Memory that an export may take, of any length, MB: a table of 10⁸ rows of two columns has 1600. */
const MOST_MB = 600;
/**
 * Most bytes of a value: those of a float64, and of the texts of two hard ones and what stands between them.
 */
const BINARY_BYTES = 8;
const TEXT_BYTES = 26;
const MB = 1e6;

interface Size {
  readonly rows: number;
  readonly columns: number;
  /** most that may be taken, MB */
  readonly memory: number;
}

/** Rows that are made when they are read, with all the digits that numbers may have. */
function tableOf(rows: number, columns: number): TableSource {
  return {
    columns: Array.from({ length: columns }, (_, k) => ({
      name: k === 0 ? 't' : `x${k}`,
      unit: k === 0 ? 's' : 'm',
      description: '',
    })),
    rows,
    provenance: {
      title: 'Benchmark',
      run: 'Benchmark',
      status: 'done',
      engineVersion: '',
      scheme: 'time-stepping',
      h: 1e-3,
      t0: 0,
      tEnd: rows * 1e-3,
      startedAt: '1970-01-01T00:00:00.000Z',
      parameters: {},
      certificate: {},
      model: {},
    },
    read: (wanted, firstRow, count) =>
      Promise.resolve(
        wanted.map((k) => {
          const values = new Float64Array(count);
          for (let i = 0; i < count; i++)
            values[i] = k === 0 ? (firstRow + i) * 1e-3 : Math.sqrt(firstRow + i + k);
          return values;
        }),
      ),
  };
}

/** @throws {MoreauError} where the file would fill the disk */
async function checkSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize > bytes) return;
  throw new MoreauError({
    code: 'no-space',
    message: `The benchmark writes up to ${Math.ceil(bytes / MB)} MB into ${folder}, where ${Math.floor((bavail * bsize) / MB)} MB are free.`,
    remedy: 'Give fewer --rows, or another folder by the variable TMPDIR.',
  });
}

/** Writes the table in this process, whose peak of memory is then that of the format. The file goes again. */
async function measureHere(format: string, { rows, columns, memory }: Size): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'moreau-bench-'));
  const clean = (): void => rmSync(folder, { recursive: true, force: true });
  // Gigabytes are not left behind by who does not want to wait.
  const stop = (): never => process.exit(EXIT.cancelled);
  process.once('exit', clean);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const isText = format === '.csv' || format === '.json';
    await checkSpace(folder, rows * columns * (isText ? TEXT_BYTES : BINARY_BYTES) + MB);
    const path = join(folder, `table${format}`);
    const began = performance.now();
    await exportTable(tableOf(rows, columns), path);
    const seconds = (performance.now() - began) / 1000;
    const peak = (process.resourceUsage().maxRSS * 1024) / MB;
    return [
      { quantity: `${format}: time`, value: seconds, unit: 's' },
      { quantity: `${format}: file`, value: statSync(path).size / MB, unit: 'MB' },
      { quantity: `${format}: peak memory`, value: peak, unit: 'MB', most: memory },
    ];
  } catch (error) {
    // A format that cannot hold so much says so, which is a result.
    if (!(error instanceof MoreauError) || error.details.code !== 'table-too-long') throw error;
    return [{ quantity: `${format}: refused`, value: null, unit: '', note: error.message }];
  } finally {
    process.off('exit', clean);
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    clean();
  }
}

/** The same in a process of its own: peaks of memory are those of whole processes. */
function measureApart(commandLine: string, format: string, size: Size): Promise<Measurement[]> {
  const given = Object.entries(size).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
  const argv = [commandLine, 'bench', 'export', '--format', format, ...given, '--json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, argv, (error, out, notes) => {
      // Beyond the bound it ends with an exit code, and has said how far.
      const content = out.trimStart().startsWith('{') ? (JSON.parse(out) as Printed) : null;
      if (content !== null) resolve(content.benchmarks.flatMap(({ measurements }) => measurements));
      else reject(new Error(`${format}: ${notes.trim() || (error?.message ?? 'it said nothing')}`));
    });
  });
}

interface Printed {
  benchmarks: { measurements: Measurement[] }[];
}

/** Writing a long table in each format: time, size, and whether memory stays bounded. */
export const exportBenchmark: Benchmark = {
  name: 'export',
  summary: 'writing 1e8 rows in each data format, in bounded memory',
  onlyWhenNamed: true,
  async measure(
    { commandLine },
    { rows = ROWS, columns = COLUMNS, memory = MOST_MB, format }: BenchmarkOptions,
  ) {
    const size = { rows, columns, memory };
    if (format !== undefined) return measureHere(format, size);
    const all: Measurement[] = [];
    // One after the other: they would share the disk.
    for (const { extension } of tableFormats) all.push(...(await measureApart(commandLine, extension, size)));
    return all;
  },
};
