/** Means, ripple, fundamental and distortion over whole periods, against closed forms. */
import { describe, expect, it } from 'vitest';
import { powerBalance, powerSignals } from '@contract/power-balance';
import { MemoryChunks } from '@engine/recording/chunks';
import { periodMeasures } from '@engine/recording/period-measures';
import { Recorder } from '@engine/recording/recorder';

function recorded(rows: readonly (readonly [number, number])[]): MemoryChunks {
  const sink = new MemoryChunks();
  const recorder = new Recorder(sink, Int32Array.of(0, 1));
  for (const row of rows) recorder.record(Float64Array.from(row));
  recorder.publish();
  return sink;
}

const sampled = (f: (t: number) => number, end: number, count: number): MemoryChunks =>
  recorded(Array.from({ length: count + 1 }, (_, k) => [(end * k) / count, f((end * k) / count)] as const));

describe('over whole periods', () => {
  it('a square wave has a distortion of 48.34 %, exactly', () => {
    const rows = Array.from({ length: 20 }, (_, k): (readonly [number, number])[] => {
      const value = k % 2 === 0 ? 3 : -3;
      return [
        [k / 2, value],
        [(k + 1) / 2, value],
      ];
    }).flat();
    for (const period of [1, 'found'] as const) {
      const found = periodMeasures(recorded(rows), 1, undefined, undefined, period);
      expect(found?.period).toBeCloseTo(1, 12);
      expect(found?.thd).toBeCloseTo(Math.sqrt(Math.PI ** 2 / 8 - 1), 12);
      expect(found?.fundamental).toBeCloseTo(12 / Math.PI, 12);
      expect([found?.mean, found?.rms, found?.ripple]).toEqual([0, 3, 6]);
    }
  });

  it('a triangle has one of 12.1 %, and a half-wave an RMS of A/2 and a mean of A/π', () => {
    const triangle = Array.from({ length: 9 }, (_, k) => [k, k % 2 === 0 ? -1 : 1] as const);
    const of = periodMeasures(recorded(triangle), 1, undefined, undefined, 2);
    expect(of?.fundamental).toBeCloseTo(8 / Math.PI ** 2, 13);
    expect(of?.thd).toBeCloseTo(Math.sqrt(Math.PI ** 4 / 96 - 1), 10);
    const half = sampled((t) => Math.max(0, 5 * Math.sin(2 * Math.PI * 50 * t)), 0.1, 10_000);
    const found = periodMeasures(half, 1, undefined, undefined, 0.02);
    expect(found?.rms).toBeCloseTo(2.5, 5);
    expect(found?.mean).toBeCloseTo(5 / Math.PI, 5);
    expect(found?.fundamental).toBeCloseTo(2.5, 5);
  });

  it('a sine is off by what its curve is', () => {
    const n = 200;
    const sine = sampled((t) => Math.sin(2 * Math.PI * t), 4, 4 * n);
    const found = periodMeasures(sine, 1, 0.1, 3.9, 'found');
    const step = ((2 * Math.PI) / n) ** 2;
    expect(Math.abs((found?.fundamental ?? 0) - 1)).toBeLessThan(step / 11);
    expect(found?.thd).toBeLessThan(step / 10);
    expect(found?.end).toBe(3.9);
    expect((found?.end ?? 0) - (found?.begin ?? 0)).toBeCloseTo(3, 9);
  });

  it('a small ripple on a large mean has the distortion that it has alone', () => {
    const ripple = (t: number): number => Math.sin(2 * Math.PI * t) + 0.2 * Math.sin(6 * Math.PI * t);
    const of = (f: (t: number) => number): number =>
      periodMeasures(sampled(f, 4, 4000), 1, undefined, undefined, 1)?.thd ?? NaN;
    expect(of(ripple)).toBeCloseTo(0.2, 4);
    expect(Math.abs(of((t) => 1e4 + 1e-4 * ripple(t)) - of(ripple))).toBeLessThan(1e-6);
  });

  it('takes whole periods that end with the span, cut between rows, and none where there is none', () => {
    const saw = sampled((t) => t, 10, 10);
    expect(periodMeasures(saw, 1, 0, 7.25, 2)).toMatchObject({
      begin: 1.25,
      end: 7.25,
      ripple: 6,
      mean: 4.25,
    });
    expect(periodMeasures(saw, 1, 0, 10, 11)).toBeNull();
    expect(periodMeasures(saw, 1, 0, 10, 'found')).toBeNull();
    expect(
      periodMeasures(
        sampled(() => 2, 1, 4),
        1,
        undefined,
        undefined,
        'found',
      ),
    ).toBeNull();
    expect(
      periodMeasures(
        sampled(() => 2, 1, 4),
        1,
        undefined,
        undefined,
        0.5,
      ),
    ).toMatchObject({ thd: null, rms: 2 });
  });
});

describe('how far rows are apart', () => {
  it('is seen: the error that is said is above the true one, of spikes, too', () => {
    // A capacitor that is charged every second through R: spikes exp(−t/τ), with two rows at each switching.
    const tau = 0.02;
    const mean = (tau * (1 - Math.exp(-1 / tau))) / 1;
    const rms = Math.sqrt((tau / 2) * (1 - Math.exp(-2 / tau)));
    for (const rows of [1, 2, 5, 10, 40, 200, 1000]) {
      const spikes = Array.from({ length: 8 }, (_, period) =>
        Array.from({ length: rows + 1 }, (_, k) => [period + k / rows, Math.exp(-k / rows / tau)] as const),
      ).flat();
      const found = periodMeasures(recorded(spikes), 1, undefined, undefined, 1);
      const error = found?.error ?? { mean: 0, rms: 0 };
      expect(Math.abs((found?.mean ?? 0) - mean), `mean of ${rows}`).toBeLessThan(error.mean);
      expect(Math.abs((found?.rms ?? 0) - rms), `RMS of ${rows}`).toBeLessThan(error.rms);
    }
  });

  it('is measured at the order of the curve, and is nothing where that is the signal', () => {
    for (const n of [50, 200, 800]) {
      const sine = sampled((t) => 2 + Math.sin(2 * Math.PI * t), 3, 3 * n);
      const found = periodMeasures(sine, 1, undefined, undefined, 1);
      const off = Math.abs((found?.rms ?? 0) - Math.sqrt(4.5));
      expect(found?.error.rms).toBeGreaterThan(off);
      expect(found?.error.rms).toBeLessThan(4 * off);
      expect(found?.error.thd).toBeGreaterThan(found?.thd ?? Infinity);
    }
    const saw = Array.from({ length: 10 }, (_, k) =>
      [0, 0.25, 0.5, 0.75, 1].map((part) => [k + part, part] as const),
    ).flat();
    const { mean, rms } = periodMeasures(recorded(saw), 1, undefined, undefined, 1)?.error ?? {};
    expect(mean).toBeLessThan(1e-15);
    expect(rms).toBeLessThan(1e-15);
  });
});

describe('powers', () => {
  const stores = false;
  const error = 0;

  it('are those of devices: what a meter reads is no device', () => {
    const info = (name: string, element: string, power?: 'taken' | 'stored') => ({
      ...{ name, element },
      ...(power !== undefined && { power }),
    });
    expect(
      powerSignals([
        info('R1.p', 'R1', 'taken'),
        info('R1.v', 'R1'),
        info('PM1.p', 'PM1'),
        info('C1.p', 'C1', 'stored'),
      ]),
    ).toEqual([
      { name: 'R1.p', element: 'R1', stores: false },
      { name: 'C1.p', element: 'C1', stores: true },
    ]);
  });

  it('balance', () => {
    const powers = [
      { element: 'V1', power: -10, stores, error },
      { element: 'R1', power: 8, stores, error },
      { element: 'D1', power: 2, stores, error },
    ];
    expect(powerBalance(powers, null)).toMatchObject({
      ...{ delivered: 10, stored: 0, balance: 0, efficiency: 0.8, efficiencyError: 0, losses: 2 },
    });
    expect(powerBalance(powers, ['D1']).efficiency).toBe(0.2);
    expect(powerBalance([], null)).toMatchObject({ efficiency: null, losses: null });
  });

  it('windings hand on what they take, and what is stored is neither delivered nor lost', () => {
    const powers = [
      { element: 'V1', power: -51, stores, error: 0.1 },
      { element: 'L1', power: 52, stores: true, error: 5 },
      { element: 'L2', power: -51.5, stores: true, error: 5 },
      { element: 'R1', power: 50, stores, error: 0.2 },
      { element: 'D1', power: 0.5, stores, error: 0 },
    ];
    const found = powerBalance(powers, null);
    expect(found).toMatchObject({ loads: ['R1'], delivered: 51, stored: 0.5, losses: 0.5 });
    expect(found.efficiency).toBeCloseTo(50 / 51, 14);
    expect(found.efficiencyError).toBeCloseTo(0.8 / 51, 14);
  });
});
