import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Dispatcher, RunInfo } from '@contract/methods';
import { exportRun } from '@main/export/export-run';
import { formatOf, tableFormats } from '@main/export/registry';
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
const ROWS = 100_003;
const value = (row: number, column: number): number =>
  column === 0 ? row * 1e-3 : HARD[(row + column) % HARD.length];

const SIGNALS = [
  { name: 't', unit: 's', kind: 'time', description: '' },
  { name: 'ball.q', unit: 'm', kind: 'position', description: '' },
  { name: 'say "hi", you', unit: '', kind: 'observable', description: '' },
] as const;

const RUN = {
  runId: 'run-1',
  name: 'Run 1',
  title: 'Ball',
  state: 'done',
  scheme: 'time-stepping',
  h: 1e-3,
  parameters: { g: 9.81 },
  signals: [...SIGNALS],
  statistics: { rows: ROWS },
} as unknown as RunInfo;

/** A host that has just this run. @param failAt row at which reading fails */
function dispatcher(failAt = Infinity): Dispatcher {
  return {
    dispatch: (_method, params) => {
      const { signals, firstRow, count } = params as { signals: string[]; firstRow: number; count: number };
      if (firstRow >= failAt) return Promise.reject(new Error('the reader is gone'));
      const rows = Math.min(count, ROWS - firstRow);
      const columns = signals.map((_name, c) =>
        Float64Array.from({ length: rows }, (_x, i) => value(firstRow + i, c)),
      );
      return Promise.resolve({ firstRow, columns } as never);
    },
    onEvent: () => () => undefined,
  };
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
      // −0 is written as 0: no reader of the file could use the difference.
      fields.forEach((field, c) => expect(field).toBe(value(row, c) + 0));
    }
  });
});

describe('JSON', () => {
  it('is one object with signals and rows; what is not finite is null', async () => {
    const path = join(folder.path, 'run.json');
    await exportRun(dispatcher(), RUN, path);
    const content = JSON.parse(readFileSync(path, 'utf8')) as {
      title: string;
      signals: unknown[];
      parameters: unknown;
      rows: (number | null)[][];
    };
    expect(content.title).toBe('Ball');
    expect(content.parameters).toEqual({ g: 9.81 });
    expect(content.signals).toEqual(SIGNALS.map(({ name, unit }) => ({ name, unit })));
    expect(content.rows).toHaveLength(ROWS);
    for (const row of [0, 1, 2, 9, 54_321, ROWS - 1]) {
      const expected = SIGNALS.map((_s, c) => (Number.isFinite(value(row, c)) ? value(row, c) + 0 : null));
      expect(content.rows[row]).toEqual(expected);
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
    await expect(exportRun(dispatcher(50_000), RUN, path)).rejects.toThrow('the reader is gone');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each(['run.h5', 'run.npz', 'run.mat', 'run', 'run.CSVX'])(
    'refuses %s and says what it can write',
    async (name) => {
      const details = await failure(exportRun(dispatcher(), RUN, join(folder.path, name)));
      expect(details.code).toBe('unknown-format');
      for (const { extension } of tableFormats) expect(details.remedy).toContain(extension);
    },
  );

  it('takes the ending in any case', () => {
    expect(formatOf('RUN.CSV').extension).toBe('.csv');
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
