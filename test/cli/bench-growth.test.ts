/** The growth of the time per step that the benchmarks state. */
import { describe, expect, it } from 'vitest';
import { type BenchmarkResult, exponent, growthResults, TIME_PER_STEP } from '@cli/bench/growth';
import { benchmarks } from '@cli/bench/registry';

const result = (name: string, value: number | null): BenchmarkResult => ({
  name,
  measurements: [
    { quantity: 'time per step, least', value: 1, unit: 'ns' },
    { quantity: TIME_PER_STEP, value, unit: 'ns' },
  ],
});

describe('the growth of the time per step', () => {
  it('is the exponent of a power, and the mean slope of what is none', () => {
    expect(exponent([10, 100, 1000].map((size) => ({ size, time: 7 * size ** 1.5 })))).toBeCloseTo(1.5, 12);
    // Slopes 0 and 2 on decades of equal length.
    const times = [5, 5, 500];
    expect(exponent([10, 100, 1000].map((size, i) => ({ size, time: times[i] })))).toBeCloseTo(1, 12);
  });

  it('is given from each size to the next and over all, in the order of the sizes', () => {
    const [growth, ...others] = growthResults([
      result('bead-column-1000', 900),
      result('bouncing-ball', 1),
      result('bead-column-10', 10),
      result('bead-column-100', 90),
    ]);
    expect(others).toEqual([]);
    expect(growth.name).toBe('bead-column, growth');
    expect(growth.measurements.map(({ quantity }) => quantity)).toEqual([
      'p in ns/step ~ N^p, N = 10 … 100',
      'p in ns/step ~ N^p, N = 100 … 1000',
      'p in ns/step ~ N^p, N = 10 … 1000',
    ]);
    const [first, second, all] = growth.measurements.map(({ value }) => value ?? 0);
    expect(first).toBeCloseTo(Math.log10(9), 12);
    expect(second).toBeCloseTo(1, 12);
    expect(all).toBeCloseTo((first + second) / 2, 12);
  });

  it('is not told of one size, or of what was not measured', () => {
    expect(growthResults([result('bead-column-10', 10)])).toEqual([]);
    expect(growthResults([result('bead-column-10', 10), result('bead-column-100', null)])).toEqual([]);
    expect(growthResults([])).toEqual([]);
  });

  it('covers the columns there are', () => {
    const names = benchmarks.map(({ name }) => name);
    const columns = names.filter((name) => name.startsWith('bead-column'));
    expect(columns).toEqual([10, 100, 1000, 10_000].map((beads) => `bead-column-${beads}`));
    expect(growthResults(names.map((name) => result(name, 1)))[0].measurements).toHaveLength(4);
  });
});
