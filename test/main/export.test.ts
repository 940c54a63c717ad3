import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Dispatcher, RunInfo } from '@contract/methods';
import { exportTable } from '@main/export/export-table';
import { matlabNames } from '@main/export/mat';
import { blocksPerGroup } from '@main/export/parquet';
import { formatOf, tableFormats } from '@main/export/registry';
import { runTable, type TableChoice } from '@main/export/run-table';
import { TextBuffer } from '@main/export/text-buffer';
import { failure, temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Values that are hard to write: tiny, huge, long, not finite. */
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
/** More than one block. */
const ROWS = 200_003;
const value = (row: number, column: number): number =>
  column === 0 ? row * 1e-3 : HARD[(row + column) % HARD.length];

const SIGNALS = [
  { name: 't', unit: 's', kind: 'time', description: 'Time' },
  { name: 'ball.q', unit: 'm', kind: 'position', description: '' },
  { name: 'say "hi", you', unit: '', kind: 'observable', description: '' },
] as const;

const RUN = {
  runId: 'run-1',
  name: 'Run 1',
  title: 'Ball',
  state: 'done',
  scheme: 'time-stepping',
  engineVersion: '1.2.3',
  startedAt: '2026-01-05T09:30:00.000Z',
  t0: 0,
  tEnd: 200,
  h: 1e-3,
  parameters: { g: 9.81 },
  signals: [...SIGNALS],
  sections: [],
  statistics: { rows: ROWS, certificate: {}, energyDrift: null },
} as unknown as RunInfo;

/** A host that has just this run. @param failAt row at which reading fails */
function dispatcher(failAt = Infinity): Dispatcher {
  return {
    dispatch: (method, params) => {
      if (method === 'run.document') return Promise.resolve({ document: { title: 'Ball' } } as never);
      const query = params as { signals: string[]; firstRow: number; count: number; every?: number };
      const { signals, firstRow, count, every = 1 } = query;
      if (firstRow >= failAt) return Promise.reject(new Error('the reader is gone'));
      const rows = Math.ceil(Math.min(count, ROWS - firstRow) / every);
      const columns = signals.map((name) => {
        const c = SIGNALS.findIndex((signal) => signal.name === name);
        return Float64Array.from({ length: rows }, (_x, i) => value(firstRow + i * every, c));
      });
      return Promise.resolve({ firstRow, columns } as never);
    },
    onEvent: () => () => undefined,
  };
}

async function exportRun(
  host: Dispatcher,
  run: RunInfo,
  path: string,
  choice?: TableChoice,
): Promise<number> {
  const table = await runTable(host, run, choice);
  await exportTable(table, path);
  return table.rows;
}

describe('CSV', () => {
  it('has a header with units, and numbers that read back to the same bits', async () => {
    const path = join(folder.path, 'run.csv');
    expect(await exportRun(dispatcher(), RUN, path)).toBe(ROWS);
    const lines = readFileSync(path, 'utf8').split('\r\n');
    expect(lines[0]).toBe('t [s],ball.q [m],"say ""hi"", you"');
    expect(lines).toHaveLength(ROWS + 2);
    expect(lines.at(-1)).toBe('');
    for (let row = 0; row < ROWS; row += row < 50 ? 1 : 9973) {
      const fields = lines[row + 1].split(',').map(Number);
      // Its sign, too, where it is −0.
      fields.forEach((field, c) => expect(field).toBe(value(row, c)));
    }
  });

  it('has what made it above the header where that is asked for, each fact in a line', async () => {
    const plain = join(folder.path, 'plain.csv');
    const path = join(folder.path, 'run.csv');
    const table = await runTable(dispatcher(), { ...RUN, title: 'Ball\r\n1,2,3' }, { to: 0.01 });
    await exportTable(table, plain);
    await exportTable(table, path, undefined, { comments: true });
    const lines = readFileSync(path, 'utf8').split('\r\n');
    const facts = lines.filter((line) => line.startsWith('# '));
    expect(lines.slice(facts.length).join('\r\n')).toBe(readFileSync(plain, 'utf8'));
    const known = Object.fromEntries(
      facts.map((line) => {
        const [, key, json] = /^# (\w+): (.*)$/.exec(line) ?? [];
        return [key, JSON.parse(json ?? '')];
      }),
    ) as Record<string, unknown>;
    expect(known).toMatchObject({
      title: 'Ball\r\n1,2,3',
      parameters: { g: 9.81 },
      model: { title: 'Ball' },
    });
    expect(known['signals']).toEqual(
      SIGNALS.map(({ name, unit, description }) => ({ name, unit, description })),
    );
  });
});

describe('JSON', () => {
  it('is one object with signals and rows; what is not finite reads back, too', async () => {
    const path = join(folder.path, 'run.json');
    await exportRun(dispatcher(), RUN, path);
    const content = JSON.parse(readFileSync(path, 'utf8')) as {
      title: string;
      signals: unknown[];
      parameters: unknown;
      rows: (number | string)[][];
    };
    expect(content.title).toBe('Ball');
    expect(content.parameters).toEqual({ g: 9.81 });
    expect(content.signals).toEqual(
      SIGNALS.map(({ name, unit, description }) => ({ name, unit, description })),
    );
    expect(content.rows).toHaveLength(ROWS);
    for (const row of [0, 1, 2, 5, 6, 7, 9, 54_321, ROWS - 1]) {
      const expected = SIGNALS.map((_s, c) => value(row, c));
      expect(content.rows[row].map(Number)).toEqual(expected);
    }
  });

  it('is valid without any row', async () => {
    const path = join(folder.path, 'run.json');
    await exportRun(dispatcher(), { ...RUN, statistics: { ...RUN.statistics, rows: 0 } }, path);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ rows: [] });
  });
});

describe('an export', () => {
  it('leaves no file when it fails on the way', async () => {
    const path = join(folder.path, 'run.csv');
    await expect(exportRun(dispatcher(100_000), RUN, path)).rejects.toThrow('the reader is gone');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each(['run.xlsx', 'run', 'run.CSVX'])('refuses %s and says what it can write', async (name) => {
    const details = await failure(exportRun(dispatcher(), RUN, join(folder.path, name)));
    expect(details.code).toBe('unknown-format');
    for (const { extension } of tableFormats) expect(details.remedy).toContain(extension);
  });

  it.each(tableFormats.map(({ extension }) => extension))(
    'of no row is a file all the same: %s',
    async (extension) => {
      const path = join(folder.path, `none${extension}`);
      await exportRun(dispatcher(), { ...RUN, statistics: { ...RUN.statistics, rows: 0 } }, path);
      expect(readFileSync(path).byteLength).toBeGreaterThan(0);
    },
  );

  it.each(tableFormats.map(({ extension }) => extension))(
    'leaves no file when it is no longer wanted: %s',
    async (extension) => {
      const table = await runTable(dispatcher(), RUN);
      const stop = (part: number): void => {
        if (part > 0.3) throw new Error('cancelled');
      };
      await expect(exportTable(table, join(folder.path, `run${extension}`), stop)).rejects.toThrow(
        'cancelled',
      );
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );

  it('can be of some signals, a span of time, and every n-th row', async () => {
    const path = join(folder.path, 'part.csv');
    const choice = { signals: ['t'], from: 10, to: 10.1, every: 25 };
    expect(await exportRun(dispatcher(), RUN, path, choice)).toBe(5);
    expect(readFileSync(path, 'utf8').split('\r\n').slice(0, 6)).toEqual([
      't [s]',
      ...[10_000, 10_025, 10_050, 10_075, 10_100].map((row) => String(row * 1e-3)),
    ]);
  });

  it.each<[string, TableChoice, string]>([
    ['an unknown signal', { signals: ['boll.q'] }, 'unknown-signal'],
    ['an unknown section', { section: 'clock' }, 'unknown-section'],
    ['a span without rows', { from: 10.0001, to: 10.0002 }, 'empty-range'],
  ])('says what is wrong with %s', async (_, choice, code) => {
    expect((await failure(runTable(dispatcher(), RUN, choice))).code).toBe(code);
  });

  it('of very many rows to MAT names another format', async () => {
    const table = { ...(await runTable(dispatcher(), RUN)), rows: 300_000_000 };
    const details = await failure(exportTable(table, join(folder.path, 'run.mat')));
    expect(details).toMatchObject({
      code: 'table-too-long',
      remedy: expect.stringContaining('.h5') as string,
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('gives MATLAB names that it allows, each once', () => {
    const long = `q${'x'.repeat(80)}`;
    const names = matlabNames(['ball.q[0]', 'ball.q.0', '2nd', 'provenance', long, `${long}y`]);
    expect(names.slice(0, 4)).toEqual(['ball_q_0', 'ball_q_0_2', 's_2nd', 'provenance_2']);
    expect(new Set(names).size).toBe(6);
    for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,62}$/);
  });

  it('takes the ending in any case', () => {
    expect(formatOf('RUN.CSV').extension).toBe('.csv');
  });
});

describe('Parquet', () => {
  it('has larger row groups for wide tables, so that its metadata stays small, and refuses what it cannot hold', async () => {
    // Entries of the metadata are columns of row groups.
    const entries = (rows: number, columns: number): number => {
      const block = Math.max(1, Math.floor(2 ** 19 / columns));
      return Math.ceil(rows / (block * blocksPerGroup(block, { rows, columns }))) * columns;
    };
    expect(entries(1e8, 2)).toBe(2 * Math.ceil(1e8 / 2 ** 18));
    expect(entries(1e5, 1000)).toBeLessThan(2 ** 15 + 1000);
    for (const [rows, columns] of [
      [1e8, 10],
      [5e5, 1000],
      [50, 1e5],
    ])
      expect(entries(rows, columns)).toBeLessThanOrEqual(Math.max(2 ** 16, columns));
    const table = { ...(await runTable(dispatcher(), RUN)), rows: 1e7 };
    const columns = Array.from({ length: 2000 }, (_, k) => ({ name: `x${k}`, unit: '', description: '' }));
    const details = await failure(exportTable({ ...table, columns }, join(folder.path, 'wide.parquet')));
    expect(details).toMatchObject({
      code: 'table-too-long',
      remedy: expect.stringContaining('.h5') as string,
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('the text buffer', () => {
  it('grows, and is empty after it was taken', () => {
    const buffer = new TextBuffer(4);
    buffer.text('Stößel');
    buffer.number(-1.7976931348623157e308);
    expect(Buffer.from(buffer.take()).toString()).toBe('Stößel-1.7976931348623157e+308');
    buffer.number(1);
    expect(Buffer.from(buffer.take()).toString()).toBe('1');
  });
});
