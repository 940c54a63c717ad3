/** NetCDF files, as the NetCDF library of Unidata reads them: dimensions, coordinates, attributes, names. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { exportTable } from '@main/export/export-table';
import { netcdfNames } from '@main/export/netcdf';
import type { Provenance, TableColumn, TableSource } from '@main/export/table-source';

const PYTHON = '/usr/bin/python3';
const READER = fileURLToPath(new URL('python/read_netcdf.py', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'moreau-netcdf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Found {
  missing?: string;
  model: string;
  dimensions: Record<string, [size: number, isUnlimited: boolean]>;
  attributes: Record<string, string | number>;
  variables: Record<
    string,
    { over: string[]; type: string; attributes: Record<string, string>; values: string[] | string }
  >;
  added: string[];
}

const provenance: Provenance = {
  title: 'Höhe',
  run: 'Run 1',
  status: 'done',
  engineVersion: '1.2.3',
  scheme: 'time-stepping',
  h: 1e-3,
  t0: 0,
  tEnd: 2,
  // Longer than the 64 KiB of attributes in files of HDF5 1.6.
  parameters: Object.fromEntries(Array.from({ length: 5000 }, (_, k) => [`parameter${k}`, k / 3])),
  certificate: { dynamics: 1e-15 },
  model: { title: 'the model', padding: 'x'.repeat(100_000) },
};

const TIME: TableColumn = { name: 't', unit: 's', description: 'Time' };

function tableOf(columns: readonly TableColumn[], values: readonly (readonly number[])[]): TableSource {
  return {
    columns,
    rows: values[0].length,
    provenance,
    read: (wanted, firstRow, count) =>
      Promise.resolve(wanted.map((k) => Float64Array.from(values[k].slice(firstRow, firstRow + count)))),
  };
}

async function found(table: TableSource, name: string, context: TestContext): Promise<Found> {
  const path = join(folder, name);
  await exportTable(table, path);
  if (!existsSync(PYTHON)) return context.skip('Python is not installed');
  const read = JSON.parse(execFileSync(PYTHON, [READER, path], { encoding: 'utf8' })) as Found;
  if (read.missing !== undefined) return context.skip(`${read.missing} is not installed`);
  return read;
}

describe('a NetCDF file', () => {
  it('has time as its coordinate where time ascends, units and what made it', async (context) => {
    const columns = [TIME, { name: 'ball.q[0]', unit: 'm', description: 'Höhe' }];
    const table = tableOf(columns, [
      [0, 0.5, 1],
      [NaN, -0, 5e-324],
    ]);
    const { model, dimensions, attributes, variables, added } = await found(table, 'run.nc', context);
    expect(model).toBe('NETCDF4');
    expect(dimensions).toEqual({ t: [3, true] });
    expect(attributes).toMatchObject({
      Conventions: 'CF-1.10',
      title: 'Höhe',
      source: 'Moreau 1.2.3',
      scheme: 'time-stepping',
      h: 1e-3,
      parameters: JSON.stringify(provenance.parameters),
    });
    expect(Object.keys(variables)).toEqual(['t', 'ball.q[0]', 'model']);
    expect(variables['t']).toEqual({
      over: ['t'],
      type: 'float64',
      attributes: { units: 's', long_name: 'Time', signal: 't' },
      values: ['0.0', '0.5', '1.0'],
    });
    expect(variables['ball.q[0]']).toEqual({
      over: ['t'],
      type: 'float64',
      attributes: { units: 'm', long_name: 'Höhe', signal: 'ball.q[0]' },
      values: ['nan', '-0.0', '5e-324'],
    });
    expect(variables['model']?.values).toBe(JSON.stringify(provenance.model));
    expect(added).toEqual(['0.0', '1.0', '2.0']);
  });

  it.for([
    ['two rows at one time, as of an event', [0, 1, 1]],
    ['a time that is no number', [0, NaN, 1]],
    ['a time that falls', [0, 2, 1]],
  ] as const)('has rows as its dimension, and time beside the values, for %s', async ([, times], context) => {
    const columns = [{ name: 'row', unit: '', description: '' }, TIME];
    const { dimensions, variables } = await found(tableOf(columns, [[7, 8, 9], times]), 'events.nc', context);
    expect(dimensions).toEqual({ row: [3, true] });
    expect(variables['t']).toMatchObject({ over: ['row'], attributes: { units: 's', signal: 't' } });
    expect(variables['t']?.attributes).not.toHaveProperty('coordinates');
    expect(variables['row_2']).toMatchObject({
      over: ['row'],
      attributes: { long_name: 'row', signal: 'row', coordinates: 't' },
      values: ['7.0', '8.0', '9.0'],
    });
    expect(variables['row_2']?.attributes).not.toHaveProperty('units');
  });

  it('has all names, also those that NetCDF does not allow, and no row', async (context) => {
    const names = ['a/b', 'a∕b', ' x ', '(x)', 'model', '.', 'μ', 'e\u0301', 'tab\there', '𝒙'.repeat(100)];
    const columns = [TIME, ...names.map((name) => ({ name, unit: 'm', description: '' }))];
    const table = tableOf(
      columns,
      columns.map(() => []),
    );
    const { dimensions, variables, added } = await found(table, 'names.nc', context);
    expect(dimensions).toEqual({ t: [0, true] });
    const signals = Object.values(variables).filter(({ attributes }) => 'signal' in attributes);
    expect(signals.map(({ attributes }) => attributes['signal'])).toEqual(['t', ...names]);
    expect(Object.keys(variables)).toEqual([...netcdfNames(['t', ...names], ['model']), 'model']);
    expect(added).toEqual([]);
  });
});

it('names variables as NetCDF allows, each once', () => {
  expect(netcdfNames(['ball.q[0]', 'a/b', 'a∕b', 'row', ' ', '', 'e\u0301', 'm/s '], ['row'])).toEqual([
    'ball.q[0]',
    'a∕b',
    'a∕b_2',
    'row_2',
    '_',
    '__2',
    'é',
    'm∕s_',
  ]);
  const long = netcdfNames(['𝒙'.repeat(100), '𝒙'.repeat(101)], []);
  expect(long.map((name) => Buffer.byteLength(name))).toEqual([252, 246]);
});
