/** The chart of spectra. */
import { describe, expect, it } from 'vitest';
import { LIGHT_PLOT } from '@figures/palette';
import { frequencyRange, spectrumOption, spectrumUnit } from '@views/spectrum/drawing';

const lines = {
  f: Float64Array.of(0, 1, 2, 3),
  values: Float64Array.of(0, 10, 1e-3, 1e-30),
  samples: 6,
  isResampled: false,
  resolution: 1,
  highest: 3,
  active: 1,
  mean: 1,
  peaks: [],
};
const input = {
  curves: [{ name: 'ball.q', unit: 'm', lines }],
  quantity: 'amplitude' as const,
  isLinear: false,
  x: null,
  theme: LIGHT_PLOT,
  width: 600,
  height: 300,
};
interface Shown {
  yAxis: { min: number; max: number; name: string; axisLabel: { formatter: (value: number) => string } };
  dataset: { source: Float64Array }[];
}
const shown = (change: Partial<Parameters<typeof spectrumOption>[0]> = {}): Shown =>
  spectrumOption({ ...input, ...change }) as unknown as Shown;

describe('the chart of a spectrum', () => {
  it('carries logarithms, down to sixteen decades below the highest line', () => {
    const { yAxis, dataset } = shown();
    expect([...dataset[0].source]).toEqual([0, -15, 1, 1, 2, -3, 3, -15]);
    expect(yAxis.max).toBeGreaterThan(1);
    expect(yAxis.min).toBeGreaterThan(-17);
    expect(yAxis.axisLabel.formatter(-3)).toBe('1e-3');
    expect(yAxis.name).toBe('ball.q  [m]');
  });

  it('is linear from zero where that is asked for', () => {
    const { yAxis, dataset } = shown({ isLinear: true });
    expect(dataset[0].source[3]).toBe(10);
    expect(yAxis.min).toBeLessThanOrEqual(0);
    expect(yAxis.max).toBeGreaterThan(10);
  });

  it('of one part is as high as what is seen of it', () => {
    expect(shown({ isLinear: true, x: { min: 1.5, max: 2.5 } }).yAxis.max).toBeLessThan(2e-3);
  });

  it('says the unit of a density', () => {
    expect(spectrumUnit('m', 'density')).toBe('m²/Hz');
    expect(spectrumUnit('m/s', 'density')).toBe('(m/s)²/Hz');
    expect(spectrumUnit('', 'density')).toBe('1/Hz');
    expect(spectrumUnit('N', 'amplitude')).toBe('N');
  });

  it('of nothing is empty, not broken', () => {
    expect(frequencyRange([])).toEqual({ min: 0, max: 1 });
    expect(frequencyRange(input.curves)).toEqual({ min: 0, max: 1.5 });
    expect(() => spectrumOption({ ...input, curves: [] })).not.toThrow();
  });
});
