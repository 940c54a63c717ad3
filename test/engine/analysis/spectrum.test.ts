/** Spectra against the direct sum, Parseval’s theorem and known harmonics. */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  SPECTRUM_WINDOWS,
  fourier,
  resampled,
  spectrumOf,
  spectrumLines,
  windowWeights,
} from '@engine/analysis/spectrum';

const value = fc.double({ min: -10, max: 10, noNaN: true });

describe('the Fourier transform', () => {
  it.each([2, 3, 4, 5, 7, 8, 12, 16, 31, 60, 64, 97])('of %i values is the direct sum', (n) => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: n, maxLength: n }),
        fc.array(value, { minLength: n, maxLength: n }),
        (a, b) => {
          const re = Float64Array.from(a);
          const im = Float64Array.from(b);
          fourier(re, im);
          for (let k = 0; k < n; k++) {
            let [x, y] = [0, 0];
            for (let i = 0; i < n; i++) {
              const angle = (-2 * Math.PI * ((k * i) % n)) / n;
              x += a[i] * Math.cos(angle) - b[i] * Math.sin(angle);
              y += a[i] * Math.sin(angle) + b[i] * Math.cos(angle);
            }
            expect(re[k]).toBeCloseTo(x, 9);
            expect(im[k]).toBeCloseTo(y, 9);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

const STEP = 1e-3;
const times = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => 2 + i * STEP);
const harmonic = (t: Float64Array, f: number, a: number): Float64Array =>
  t.map((time) => 0.5 + a * Math.cos(2 * Math.PI * f * time));

describe('the spectrum', () => {
  it.each(SPECTRUM_WINDOWS)('of a harmonic on a line has its amplitude, with a %s window', (window) => {
    const t = times(1000);
    const result = spectrumOf(t, harmonic(t, 50, 3), window, 'amplitude');
    const at = result?.f.findIndex((f) => Math.abs(f - 50) < 1e-9) ?? -1;
    expect(result?.values[at]).toBeCloseTo(3, 9);
    expect(result?.values[0]).toBeCloseTo(0.5, 9);
    expect(result?.isResampled).toBe(false);
  });

  it('with a flat top keeps the amplitude between lines to a hundredth of a decibel', () => {
    const t = times(1000);
    const off = (window: 'flatTop' | 'rectangular'): number =>
      Math.abs(
        Math.max(
          ...(spectrumOf(
            t,
            harmonic(t, 50.5, 3).map((y) => y - 0.5),
            window,
            'amplitude',
          )?.values ?? []),
        ) - 3,
      );
    expect(off('flatTop')).toBeLessThan(3 * (10 ** (0.01 / 20) - 1));
    expect(off('rectangular')).toBeGreaterThan(0.5);
  });

  it('as a density sums up to the mean square', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 3, maxLength: 101 }), (list) => {
        const t = times(list.length);
        const y = Float64Array.from(list);
        const result = spectrumOf(t, y, 'rectangular', 'density');
        const df = 1 / (list.length * STEP);
        const total = (result?.values ?? new Float64Array(0)).reduce((sum, s) => sum + s * df, 0);
        const mean = y.reduce((sum, v) => sum + v * v, 0) / list.length;
        expect(total).toBeCloseTo(mean, 8);
      }),
      { numRuns: 60 },
    );
  });

  it('interpolates rows at unequal distances, and says so', () => {
    const t = Float64Array.from([...times(2000), 2.5, 2.5, 3.1]).sort();
    const result = spectrumOf(t, harmonic(t, 10, 2), 'hann', 'amplitude');
    expect(result?.isResampled).toBe(true);
    expect(Math.max(...(result?.values ?? []).slice(5))).toBeCloseTo(2, 2);
    const steps = resampled(Float64Array.of(0, 1, 1, 2), Float64Array.of(0, 1, 5, 5), 5);
    expect([...steps]).toEqual([0, 0.5, 5, 5, 5]);
  });

  it('is none of too little, or of what is not finite', () => {
    expect(spectrumOf(times(2), new Float64Array(2), 'hann', 'amplitude')).toBeNull();
    expect(spectrumOf(times(5), Float64Array.of(1, 2, NaN, 3, 4), 'hann', 'amplitude')).toBeNull();
    expect(spectrumOf(new Float64Array(4), new Float64Array(4), 'hann', 'amplitude')).toBeNull();
  });

  it('keeps every peak when it is thinned', () => {
    const t = times(20_000);
    const whole = spectrumOf(t, harmonic(t, 123.45, 3), 'hann', 'amplitude');
    if (whole === null) throw new Error('none');
    const few = spectrumLines(whole, 'amplitude', 100);
    expect(few.f.length).toBeLessThanOrEqual(200);
    expect(few.peaks[0].f).toBeCloseTo(123.45, 1);
    expect(Math.max(...few.values)).toBe(Math.max(...whole.values));
    expect([...few.f]).toEqual([...few.f].sort((a, b) => a - b));
    expect(few.active).toBeGreaterThan(123);
    expect(few.active).toBeLessThan(126);
    expect(few.highest).toBeCloseTo(500, 6);
    const part = spectrumLines(whole, 'amplitude', 100, { min: 120, max: 121 });
    expect(part.f[1]).toBeCloseTo(120, 9);
    expect(part.f.at(-2)).toBeCloseTo(121, 9);
    expect(part.f).toHaveLength(23);
  });

  it('has windows that are zero at their ends and one in the middle, but for the flat top', () => {
    for (const kind of ['hann', 'blackman'] as const) {
      const weights = windowWeights(kind, 64);
      expect(weights[0]).toBeCloseTo(0, 12);
      expect(weights[32]).toBeCloseTo(1, 12);
    }
  });
});
