/** Values beside symbols: prefixes of units where the unit takes them. */
import { engineering, parseEngineering, valueText } from '@figures/circuit/values';
import { describe, expect, it } from 'vitest';

describe('values with prefixes', () => {
  it.each([
    [4700, 'Ω', '4.7 kΩ'],
    [47e-6, 'F', '47 µF'],
    [0.015, 'rad', '15 mrad'],
    [2000, 'N/m', '2 kN/m'],
    [0.002, 'kg m²', '0.002 kg m²'],
    [5000, 'kg', '5000 kg'],
    [0.02, '1/s', '0.02 1/s'],
    [1e-4, 'm²', '0.0001 m²'],
    [12_000, '°C', '12000 °C'],
    [0, 'V', '0 V'],
    [0.25, '', '0.25'],
  ])('%d of %s is %s', (value, unit, text) => {
    expect(engineering(value, unit)).toBe(text);
  });

  it('what is shown is read as the same value', () => {
    for (const unit of ['Ω', 'V', 'F', 'kg', 'kg m²', '1/s', 'rad', 'N m'])
      for (const value of [4.7e-12, 0.002, 1, 33, 5600, 1e6])
        expect(parseEngineering(engineering(value, unit), unit), `${String(value)} ${unit}`).toBe(value);
  });

  it('a formula stands with its value, a number written with a prefix alone', () => {
    expect(valueText({ unit: 'V' }, 'U/2', 200)).toBe('U/2 = 200 V');
    expect(valueText({ unit: 'F' }, '1u')).toBe('1 µF');
  });
});
