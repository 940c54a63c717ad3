/** Extrema and means of signals in a span of time, against closed forms and against sums over plain rows. */
import { describe, expect, it } from 'vitest';
import { MemoryChunks } from '@engine/recording/chunks';
import { Recorder } from '@engine/recording/recorder';
import { spanStatistics } from '@engine/recording/span-statistics';

function recorded(rows: readonly (readonly [number, number, number])[]): MemoryChunks {
  const sink = new MemoryChunks();
  const recorder = new Recorder(sink, Int32Array.of(0, 1, 2));
  for (const row of rows) recorder.record(Float64Array.from(row));
  recorder.publish();
  return sink;
}

/** Rows at this many equal distances over [0, 10]. */
const sampled = (count: number): MemoryChunks =>
  recorded(
    Array.from({ length: count + 1 }, (_, k) => {
      const t = (10 * k) / count;
      return [t, Math.sin(2 * Math.PI * t), 3 + t] as const;
    }),
  );

describe('the statistics of a span', () => {
  it('are those of a harmonic and of a line, over many chunks', () => {
    const { rows, begin, end, signals } = spanStatistics(sampled(200_000), [1, 2], undefined, undefined);
    expect({ rows, begin, end }).toEqual({ rows: 200_001, begin: 0, end: 10 });
    const [wave, line] = signals;
    expect(wave.mean).toBeCloseTo(0, 12);
    // Of straight lines between samples of a sine, θ apart, the mean square is (2 + cos θ)/6.
    expect(wave.rms).toBeCloseTo(Math.sqrt((2 + Math.cos((20 * Math.PI) / 200_000)) / 6), 13);
    expect([wave.least, wave.greatest]).toEqual([-1, 1]);
    expect([wave.leastAt, wave.greatestAt]).toEqual([0.75, 0.25]);
    expect(line).toMatchObject({ least: 3, leastAt: 0, greatest: 13, greatestAt: 10, first: 3, last: 13 });
    expect(line.mean).toBeCloseTo(8, 13);
    // ∫ (3 + t)² dt = (13³ − 3³)/3, exactly what the rule gives for a line.
    expect(line.rms).toBeCloseTo(Math.sqrt((13 ** 3 - 27) / 30), 13);
  });

  it('weigh rows by their time, and an upright jump not at all', () => {
    // 1 for a second, a jump to 5 with many rows around it, 5 for a second.
    const crowd = Array.from({ length: 50 }, (_, k) => [1, k % 2 === 0 ? 1 : 5, 0] as const);
    const source = recorded([[0, 1, 0], ...crowd, [1, 5, 0], [2, 5, 0]]);
    const [signal] = spanStatistics(source, [1], undefined, undefined).signals;
    expect(signal.mean).toBe(3);
    expect(signal.rms).toBeCloseTo(Math.sqrt(13), 14);
  });

  it('take the rows inside, and say where they begin and end', () => {
    const source = sampled(1000);
    const { rows, begin, end, signals } = spanStatistics(source, [2], 2.005, 4.0001);
    expect({ rows, begin, end }).toEqual({ rows: 200, begin: 2.01, end: 4 });
    expect(signals[0].mean).toBeCloseTo(3 + (2.01 + 4) / 2, 12);
    expect(spanStatistics(source, [1], 4.001, 4.009)).toEqual({
      rows: 0,
      begin: null,
      end: null,
      signals: [],
    });
    expect(spanStatistics(source, [1], 20, 30).rows).toBe(0);
    const moment = spanStatistics(source, [2], 4, 4);
    expect(moment).toMatchObject({ rows: 1, begin: 4, end: 4 });
    expect(moment.signals[0]).toMatchObject({ least: 7, greatest: 7, mean: null, rms: null });
  });
});
