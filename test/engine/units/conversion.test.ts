import { describe, expect, it } from 'vitest';
import { unitChoices, displayUnitIssues } from '@engine/units/display';
import { conversion } from '@engine/units/conversion';
import { readDocument } from '@engine/document/read';
import { writeDocument } from '@engine/document/write';

const factor = (from: string, to: string): number | null => {
  const found = conversion(from, to);
  return 'factor' in found ? found.factor : null;
};
const problem = (from: string, to: string): unknown => {
  const found = conversion(from, to);
  return 'problem' in found ? found.problem : null;
};

describe('conversion of units', () => {
  it('knows the units of models in their notations', () => {
    const pairs: [string, string, number][] = [
      ['m', 'mm', 1000],
      ['m', 'µm', 1e6],
      ['s', 'ms', 1000],
      ['N', 'kN', 0.001],
      ['Pa', 'MPa', 1e-6],
      ['Pa', 'N/mm²', 1e-6],
      ['rad', '°', 180 / Math.PI],
      ['rad/s', 'rpm', 30 / Math.PI],
      ['1/min', 'Hz', 1 / 60],
      ['1/min', '1/s', 1 / 60],
      ['N/m', 'N/mm', 0.001],
      ['N s/m', 'N·s/mm', 0.001],
      ['N s', 'kg m/s', 1],
      ['kg m²', 'g*cm^2', 1e7],
      ['m/s²', 'mm s⁻²', 1000],
      ['Ω', 'kΩ', 0.001],
      ['m/s', 'km/h', 3.6],
      ['N m', 'J', 1],
    ];
    for (const [from, to, expected] of pairs) {
      const found = factor(from, to);
      expect(found, `${from} → ${to}`).not.toBeNull();
      expect(Math.abs((found ?? NaN) / expected - 1), `${from} → ${to}`).toBeLessThan(1e-15);
      expect(Math.abs((found ?? NaN) * (factor(to, from) ?? NaN) - 1), `${to} → ${from}`).toBeLessThan(1e-15);
    }
    expect(factor('m', 'mm')).toBe(1000);
    expect(factor('N/mm', 'N/m')).toBe(1000);
  });

  it('refuses what is no unit, another quantity, or has another zero', () => {
    expect(problem('m', 's')).toEqual({ kind: 'incompatible' });
    expect(problem('rad/s', '1/s')).toEqual({ kind: 'incompatible' });
    expect(problem('K', '°C')).toEqual({ kind: 'offset', unit: '°C' });
    expect(problem('N m', 'kNm')).toEqual({ kind: 'unknown', unit: 'kNm', instead: 'kN m' });
    for (const text of ['', '5 mm', '2', 'smoot', '__proto__', 'constructor', '(m)', '1e3 m']) {
      expect(problem('m', text), text).toMatchObject({ kind: 'unknown' });
    }
    // What is not known can still be shown as it is.
    expect(factor('widths', 'widths')).toBe(1);
    expect(problem('widths', 'mm')).toEqual({ kind: 'unknown', unit: 'widths' });
  });

  it('offers common units of the quantity that is meant, the own unit first', () => {
    const offered = (unit: string): string[] => unitChoices(unit).map((choice) => choice.unit);
    expect(offered('m').slice(0, 3)).toEqual(['m', 'cm', 'mm']);
    expect(offered('N m')).toContain('kN m');
    expect(offered('N m')).not.toContain('kJ');
    expect(offered('J')).toContain('kJ');
    expect(offered('mm')).toEqual(['mm', 'm', 'cm', 'µm', 'km', 'in', 'ft']);
    expect(offered('kg m²/s')).toContain('g m²/s');
    expect(offered('widths')).toEqual(['widths']);
    for (const unit of ['m', 's', 'rad', 'rad/s', 'N', 'Pa', 'V', 'Ω', 'F', 'H', 'kg m²', 'N m/rad', '1/s'])
      expect(unitChoices(unit).length, unit).toBeGreaterThan(2);
  });
});

describe('defects of display units', () => {
  it('are warnings with a place and a remedy', () => {
    const issues = displayUnitIssues({
      parameters: [
        { name: 'k', value: 1, unit: 'N/m' },
        { name: 'e', value: 0.5 },
      ],
      displayUnits: {
        units: { m: 'mm', 'm/s': 's', K: '°C' },
        parameters: { k: 'N/mm', e: 'mm', gone: 'mm' },
      },
    });
    expect(issues.map(({ pointer, severity, element }) => [pointer, severity, element])).toEqual([
      ['/displayUnits/units/m~1s', 'warning', undefined],
      ['/displayUnits/units/K', 'warning', undefined],
      ['/displayUnits/parameters/e', 'warning', 'e'],
      ['/displayUnits/parameters/gone', 'warning', undefined],
    ]);
    for (const { message, remedy } of issues) expect([message, remedy]).not.toContain('');
    expect(displayUnitIssues({ parameters: [] })).toEqual([]);
  });

  it('leave a document readable, with the same bytes after reading and writing', () => {
    const text = writeDocument({
      formatVersion: 3,
      title: 'Shown in millimetres',
      parameters: [{ name: 'x0', value: 0.012, unit: 'm' }],
      systems: [],
      interactions: [],
      simulation: {
        scheme: 'time-stepping',
        t0: 0,
        tEnd: 1,
        h: 0.001,
        integrators: [],
        problem: { type: 'LCP' },
        solver: { type: 'Lemke' },
      },
      observables: [],
      scripts: [],
      views: [],
      displayUnits: { parameters: { x0: 'µm' }, units: { s: 'ms', m: 'mm' } },
      layout: { nodes: {} },
    });
    const { document, issues } = readDocument(text);
    expect(issues.filter(({ pointer }) => pointer.startsWith('/displayUnits'))).toEqual([]);
    expect(document === null ? '' : writeDocument(document)).toBe(text);
    expect(text.indexOf('"displayUnits"')).toBeLessThan(text.indexOf('"layout"'));
    for (const broken of ['"mm"', '{ "units": [] }', '{ "parameters": { "x0": 1 } }']) {
      const [issue] = readDocument(
        text.replace(/"displayUnits": \{[^]*?\n {2}\}/, `"displayUnits": ${broken}`),
      ).issues;
      expect(issue?.code, broken).toBe('wrong-section');
      expect(issue?.pointer, broken).toMatch(/^\/displayUnits/);
    }
  });
});
