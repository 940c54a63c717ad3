/** The benchmark of exports: each format in a process of its own, against a bound of memory. */
import { describe, expect, it } from 'vitest';
import type { Measurement } from '@cli/bench/benchmark';
import { benchmarks } from '@cli/bench/registry';
import { tableFormats } from '@main/export/registry';
import { moreau } from './support';

const measured = (out: string): Measurement[] =>
  (JSON.parse(out) as { benchmarks: { measurements: Measurement[] }[] }).benchmarks[0].measurements;

describe('moreau bench export', () => {
  it('measures time, size and memory of each format', async () => {
    const { code, out } = await moreau(['bench', 'export', '--rows', '3000', '--columns', '3', '--json']);
    expect(code).toBe(0);
    const found = measured(out);
    for (const { extension: format } of tableFormats) {
      const value = (quantity: string): number =>
        found.find((one) => one.quantity === `${format}: ${quantity}`)?.value ?? NaN;
      expect(value('time')).toBeGreaterThan(0);
      // At least two bytes a value, in text, too.
      expect(value('file')).toBeGreaterThan(0.018);
      expect(value('peak memory')).toBeGreaterThan(20);
    }
  });

  it('ends with 3, and says why, where memory is not enough', async () => {
    const bound = ['--rows', '10', '--format', '.csv', '--memory', '1'];
    const { code, out, notes } = await moreau(['bench', 'export', ...bound]);
    expect(code).toBe(3);
    expect(out).toContain('(at most 1)');
    expect(notes).toContain('.csv: peak memory is more than 1 MB');
  });

  it('says where a table is too long for a format', async () => {
    const { code, out } = await moreau([
      ...['bench', 'export', '--rows', '10000', '--columns', '100000', '--format', '.parquet', '--json'],
    ]);
    expect(code).toBe(0);
    expect(measured(out)).toMatchObject([
      { value: null, note: expect.stringContaining('at most') as string },
    ]);
  });

  it('writes gigabytes only when it is named, as that runs which asks for other packages', () => {
    expect(benchmarks.filter(({ onlyWhenNamed }) => onlyWhenNamed).map(({ name }) => name)).toEqual([
      'export',
      'bodies-peers',
    ]);
  });
});
