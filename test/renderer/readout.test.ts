import type { ReadResult } from '@contract/methods';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CursorReader, type CursorWindow } from '@renderer/dashboard/time/cursor-reader';
import { type Sample, sampleNear, timeDigits } from '@renderer/dashboard/plot/readout';

const result = (t: readonly number[], rowsPerBucket = 1): ReadResult => ({
  runId: 'run-1',
  rows: t.length,
  rowsPerBucket,
  recordedFrom: 0,
  recordedTo: 10,
  signals: [
    { name: 'q', t: Float64Array.from(t), y: Float64Array.from(t, (time) => 10 * time) },
    { name: 'v', t: Float64Array.from(t), y: Float64Array.from(t, (time) => -time) },
  ],
});

describe('sample under the cursor', () => {
  it('is the nearest recorded one, with its own time', () => {
    const near = sampleNear(result([0, 1, 2]), 0.6);
    expect(near?.t).toBe(1);
    expect(near?.values).toEqual(
      new Map([
        ['q', 10],
        ['v', -1],
      ]),
    );
    expect(sampleNear(result([0, 1, 2]), 0.4)?.t).toBe(0);
  });

  it('does not exist far from the data or without any', () => {
    expect(sampleNear(result([0, 1, 2]), 10)).toBeNull();
    expect(sampleNear(result([]), 0)).toBeNull();
    expect(sampleNear({ ...result([]), signals: [] }, 0)).toBeNull();
  });

  it('is never taken from the extremes of a decimated curve', () => {
    expect(sampleNear(result([0, 1, 2], 240), 1)).toBeNull();
  });

  it('leaves out a signal that has no value at that instant', () => {
    const uneven = result([0, 1, 2]);
    uneven.signals[1] = { name: 'v', t: Float64Array.of(0, 1.4, 2), y: Float64Array.of(1, 2, 3) };
    expect([...(sampleNear(uneven, 1)?.values.keys() ?? [])]).toEqual(['q']);
  });

  it('has as many digits of time as tell it from its neighbour', () => {
    expect(timeDigits(12.34567, 1e-5)).toBe(7);
    expect(timeDigits(0.5, 0.01)).toBe(6);
    expect(timeDigits(0, 1e-5)).toBe(6);
  });
});

describe('cursor reader', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const question = (t: number) => ({ runId: 'run-1', signals: ['q', 'v'], t, spacing: 0.001 });

  function reader(): {
    windows: CursorWindow[];
    samples: (Sample | null)[];
    answer: (index: number, reading: ReadResult) => void;
    cursor: CursorReader;
  } {
    const windows: CursorWindow[] = [];
    const samples: (Sample | null)[] = [];
    const answers: ((reading: ReadResult) => void)[] = [];
    const cursor = new CursorReader(
      (window) => {
        windows.push(window);
        return new Promise((resolve) => answers.push(resolve));
      },
      (sample) => samples.push(sample),
      () => undefined,
    );
    return { windows, samples, cursor, answer: (index, reading) => answers[index]?.(reading) };
  }

  it('asks for a few rows around the place where the cursor rests', async () => {
    const { windows, samples, answer, cursor } = reader();
    cursor.move(question(1));
    cursor.move(question(2));
    await vi.runAllTimersAsync();
    expect(windows).toHaveLength(1);
    expect(windows[0]?.from).toBeCloseTo(1.996);
    expect(windows[0]?.to).toBeCloseTo(2.004);
    answer(0, result([1.999, 2, 2.001]));
    await vi.runAllTimersAsync();
    expect(samples.map((sample) => sample?.t)).toEqual([2]);
  });

  it('has one question in flight, and asks the latest next', async () => {
    const { windows, answer, cursor } = reader();
    for (const t of [1, 2, 3]) {
      cursor.move(question(t));
      await vi.runAllTimersAsync();
    }
    expect(windows).toHaveLength(1);
    answer(0, result([1]));
    await vi.runAllTimersAsync();
    expect(windows).toHaveLength(2);
    expect(windows[1]?.to).toBeCloseTo(3.004);
  });

  it('asks nothing once the cursor has left', async () => {
    const { windows, cursor } = reader();
    cursor.move(question(1));
    cursor.move(null);
    await vi.runAllTimersAsync();
    expect(windows).toHaveLength(0);
  });
});
