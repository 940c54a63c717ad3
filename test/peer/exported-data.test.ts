/**
 * Exported data, read back by the libraries that its users read it with: the same bits, with names and units.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, it } from 'vitest';
import { exportTable } from '@main/export/export-table';
import type { TableSource } from '@main/export/table-source';

const PYTHON = '/usr/bin/python3';
const READER = fileURLToPath(new URL('python/read_tables.py', import.meta.url));

const HARD = [
  0,
  -0,
  0.1 + 0.2,
  1 / 3,
  5e-324,
  -1.7976931348623157e308,
  NaN,
  Infinity,
  -Infinity,
  123456789.01234567,
];
/** More than one block, and no multiple of anything. */
const ROWS = 200_003;
const value = (row: number, column: number): number =>
  column === 0 ? row * 1e-3 : HARD[(row + column) % HARD.length];

const table: TableSource = {
  columns: [
    { name: 't', unit: 's', description: 'Time' },
    { name: 'ball.q[0]', unit: 'm', description: 'Höhe' },
    { name: 'ball.v', unit: 'm/s', description: '' },
    { name: 'μ', unit: '', description: 'a name beyond ASCII' },
  ],
  rows: ROWS,
  provenance: {
    title: 'Ball – “drop”',
    run: 'Run 1',
    status: 'done',
    engineVersion: '1.2.3',
    scheme: 'event-driven',
    h: 1e-3,
    t0: 0,
    tEnd: 200,
    startedAt: '2026-01-05T09:30:00.000Z',
    parameters: { g: 9.81 },
    certificate: { dynamics: 1e-15 },
    model: { title: 'the model', padding: 'x'.repeat(100_000) },
  },
  read: (columns, firstRow, count) =>
    Promise.resolve(
      columns.map((column) => Float64Array.from({ length: count }, (_, i) => value(firstRow + i, column))),
    ),
};

const folder = mkdtempSync(join(tmpdir(), 'moreau-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface ReadTable {
  missing?: string;
  names: string[];
  units: string[];
  title?: string;
  model?: string;
  columns: string[][];
}

/** A float64 as Python writes it in hexadecimal. */
function hex(number: number): string {
  if (Number.isNaN(number)) return 'nan';
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf';
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(number));
  const high = bits.getUint32(0);
  const exponent = high >>> 20;
  const mantissa =
    (high & 0xfffff).toString(16).padStart(5, '0') + bits.getUint32(4).toString(16).padStart(8, '0');
  const sign = number < 0 || Object.is(number, -0) ? '-' : '';
  if (number === 0) return `${sign}0x0.0p+0`;
  if (exponent === 0) return `${sign}0x0.${mantissa}p-1022`;
  const power = exponent - 1023;
  return `${sign}0x1.${mantissa}p${power < 0 ? '' : '+'}${power}`;
}

describe('exported data', () => {
  it.for(['h5', 'nc', 'npz', 'mat', 'csv', 'json', 'parquet'])(
    'has the same bits, names and units in .%s',
    async (ending, context) => {
      const path = join(folder, `run.${ending}`);
      await exportTable(table, path);
      if (!existsSync(PYTHON)) return context.skip('Python is not installed');
      const output = execFileSync(PYTHON, [READER, ending, path], { encoding: 'utf8', maxBuffer: 2 ** 28 });
      const read = JSON.parse(output) as ReadTable;
      if (read.missing !== undefined) return context.skip(`${read.missing} is not installed`);
      expect(read.names).toEqual(table.columns.map(({ name }) => name));
      expect(read.units).toEqual(table.columns.map(({ unit }) => unit));
      if (ending !== 'csv') {
        expect(read.title).toBe('Ball – “drop”');
        expect(read.model).toBe('the model');
      }
      for (const [c, column] of read.columns.entries()) {
        expect(column).toHaveLength(ROWS);
        const wrong = column.findIndex((number, row) => number !== hex(value(row, c)));
        expect(wrong < 0 ? 'all the same' : `row ${wrong}: ${column[wrong]}`).toBe('all the same');
      }
    },
  );

  it('has comments in .csv that readers skip when asked to', async (context) => {
    const path = join(folder, 'commented.csv');
    await exportTable({ ...table, rows: 1000 }, path, undefined, { comments: true });
    if (!existsSync(PYTHON)) return context.skip('Python is not installed');
    const read = JSON.parse(
      execFileSync(PYTHON, [READER, 'commented', path], { encoding: 'utf8', maxBuffer: 2 ** 28 }),
    ) as ReadTable;
    if (read.missing !== undefined) return context.skip(`${read.missing} is not installed`);
    expect(read).toMatchObject({ names: table.columns.map(({ name }) => name), model: 'the model' });
    read.columns.forEach((column, c) =>
      expect(column).toEqual(Array.from({ length: 1000 }, (_, row) => hex(value(row, c)))),
    );
  });

  it('has the same bits in Parquet where row groups are of several blocks', async () => {
    const path = join(folder, 'wide.parquet');
    const columns = Array.from({ length: 10_000 }, (_, k) => ({ name: `x${k}`, unit: '', description: '' }));
    await exportTable({ ...table, columns, rows: 200 }, path);
    const bytes = readFileSync(path);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    expect(parquetMetadata(file).row_groups.map(({ num_rows: rows }) => Number(rows))).toEqual([104, 96]);
    const read = (await parquetReadObjects({ file, columns: ['x1', 'x9999'] })) as Record<string, number>[];
    expect(read).toEqual(
      Array.from({ length: 200 }, (_, row) => ({ x1: value(row, 1), x9999: value(row, 9999) })),
    );
  });

  it('has the same bits in Parquet for a reader of its own', async () => {
    const path = join(folder, 'own.parquet');
    await exportTable(table, path);
    const bytes = readFileSync(path);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { key_value_metadata: about, num_rows: rows } = parquetMetadata(file);
    expect(Number(rows)).toBe(ROWS);
    expect(JSON.parse(about?.find(({ key }) => key === 'moreau')?.value ?? '')).toMatchObject({
      signals: table.columns,
      provenance: { title: 'Ball – “drop”' },
    });
    const read = (await parquetReadObjects({ file, rowStart: 131_000, rowEnd: 131_200 })) as Record<
      string,
      number
    >[];
    read.forEach((row, i) =>
      table.columns.forEach(({ name }, c) => expect(row[name]).toBe(value(131_000 + i, c))),
    );
  });
});
