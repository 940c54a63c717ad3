/** Numbers as the window writes them. */
import { describe, expect, it } from 'vitest';
import { formatFigure } from '@renderer/components/numbers';

describe('figures of a narrow column', () => {
  it.each([
    [0, '0'],
    [-0.146607, '-0.14661'],
    [-0.00845781, '-8.458e-3'],
    [5.55112e-17, '5.55e-17'],
    [-12345.678, '-12346'],
    [-99999.7, '-1.000e5'],
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
  ])('%d is written %s', (value, written) => {
    expect(formatFigure(value)).toBe(written);
  });

  it('have at most nine characters and lose no sign and no exponent', () => {
    for (let exponent = -99; exponent <= 99; exponent++) {
      for (const mantissa of [-1.23456789, -9.99999999, 5.5]) {
        const value = mantissa * 10 ** exponent;
        const written = formatFigure(value);
        expect(written.length).toBeLessThanOrEqual(9);
        expect(Math.abs(Number(written) / value - 1)).toBeLessThan(5e-3);
      }
    }
  });
});
