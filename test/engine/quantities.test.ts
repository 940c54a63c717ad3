/**
 * Numbers with suffixes and units in expressions, against mathjs’ own units and plain arithmetic; and that
 * nothing that was an expression before means anything else.
 */
import { describe, expect, it } from 'vitest';
import { ExpressionError, expressionNames } from '@engine/document/expressions';
import { evaluateParameters, evaluateWith } from '@engine/document/parameters';
import { NUMBER_SUFFIXES, UNIT_NAMES, findQuantities, unitNamed } from '@engine/document/quantities';
import { conversion } from '@engine/units/conversion';
import { example, exampleNames } from './support/example';
import { seeded } from './support/random';

const NONE: ReadonlySet<string> = new Set();

const inUnit = (text: string, unit?: string, values: Record<string, number> = {}): number =>
  evaluateWith(text, values, NONE, { unit });

/** Why a text is refused. @throws where it is not */
function refusal(text: string, unit?: string, values: Record<string, number> = {}): string {
  try {
    inUnit(text, unit, values);
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
  throw new Error(`“${text}” was accepted`);
}

describe('a suffix', () => {
  it.each([
    ['47u', 4.7e-5],
    ['47µ', 4.7e-5],
    ['4.7k', 4700],
    ['1meg', 1e6],
    ['1M', 1e6],
    ['5m', 5e-3],
    ['10n', 1e-8],
    ['2.2p', 2.2e-12],
    ['1G', 1e9],
    ['3T', 3e12],
    ['100f', 1e-13],
    ['1.5e3k', 1.5e6],
    ['.5m', 5e-4],
    ['-47u', -4.7e-5],
    ['2*47u + 1m', 2 * 4.7e-5 + 1e-3],
    ['1/4.7k', 1 / 4700],
    ['2^3k', 2 ** 3000],
  ])('of %s multiplies by its power of ten, rounded once', (text, value) => {
    expect(inUnit(text)).toBe(value);
  });

  it('is refused where the letter is a name of the model', () => {
    for (const [suffix] of NUMBER_SUFFIXES.filter(([text]) => /^[A-Za-z]+$/.test(text))) {
      expect(refusal(`5${suffix}`, undefined, { [suffix]: 3 })).toContain('has two meanings');
      expect(inUnit(`5*${suffix}`, undefined, { [suffix]: 3 })).toBe(15);
    }
  });

  it('is refused where a unit of the field is written alike', () => {
    expect(refusal('5m', 'm')).toContain('could be a number with a suffix or one with a unit');
    expect(inUnit('5 m', 'm')).toBe(5);
    expect(inUnit('5m', 's')).toBe(5e-3);
    expect(inUnit('5mm', 'm')).toBe(5e-3);
  });

  it('goes with a unit behind it', () => {
    expect(inUnit('4.7k Ω', 'Ω')).toBe(4700);
    expect(inUnit('47uF', 'F')).toBe(4.7e-5);
    expect(inUnit('10n s', 's')).toBe(1e-8);
  });
});

describe('a unit', () => {
  it.each<[string, string, number]>([
    ['10 mm', 'm', 0.01],
    ['5 ms', 's', 0.005],
    ['3 kV', 'V', 3000],
    ['20 deg', 'rad', (20 * Math.PI) / 180],
    ['20°', 'rad', (20 * Math.PI) / 180],
    ['100 rpm', 'rad/s', (100 * Math.PI) / 30],
    ['2 in', 'm', 0.0508],
    ['9.81 m/s^2', 'm/s²', 9.81],
    ['5 N/mm', 'N/m', 5000],
    ['3 kN s/m', 'N s/m', 3000],
    ['2*10 mm + 3 cm', 'm', 0.05],
    ['(1 m)/(2 s)', 'm/s', 0.5],
    ['1 cm', 'mm', 10],
    ['sin(30 deg)', '', 0.49999999999999994],
    ['sqrt(4 m^2)', 'm', 2],
    ['max(3 mm, 1 cm)', 'm', 0.01],
    ['1/(10 ms)', 'Hz', 100],
    ['2 kg * 9.81 m/s²', 'N', 19.62],
    ['-5 mm', 'm', -0.005],
    ['0 + 5 mm', 'm', 0.005],
    ['1 h', 's', 3600],
    ['1 min', 's', 60],
    ['min(2, 3)', '', 2],
  ])('of %s is converted into %s', (text, unit, value) => {
    if (unit === '' && text.includes('deg')) expect(inUnit(text, '1')).toBeCloseTo(value, 15);
    else expect(inUnit(text, unit)).toBeCloseTo(value, 12);
  });

  it.each([
    ['5 s', 'm', '“5 s” is in s, and m is wanted'],
    ['10 mm + 5 ms', 'm', 'm and s do not go together in “10 mm + 5 ms”'],
    ['10 mm + 3', 'm', 'm and a number without unit do not go together'],
    ['5 mm', '', '“5 mm” has a unit, and what stands here is a number without one'],
    ['1/2 in', 'm', '“1/2 in” is in 1/m, and m is wanted'],
    ['exp(3 mm)', '1', '“exp” takes a number without unit, not m'],
    ['100 rpm', 'Hz', 'is in rad/s, and Hz is wanted'],
    ['2^(3 mm)', undefined, 'an exponent in “2^(3 mm)” has a unit'],
    ['5 V', 'Ω', '“5 V” is in V, and Ω is wanted'],
  ])('of %s is refused in %s', (text, unit, said) => {
    expect(refusal(text, unit)).toContain(said);
  });

  it('is the one of mathjs', () => {
    const random = seeded(3);
    const prefixes = ['', 'm', 'k', 'µ', 'M', 'n'];
    for (const name of UNIT_NAMES)
      for (const prefix of prefixes) {
        const unit = `${prefix}${name}`;
        const known = unitNamed(unit);
        if (known === null || name === 'T' || name === 'L') continue;
        const base = unitNamed(name);
        expect(base).not.toBeNull();
        const found = conversion(unit, name);
        if (!('factor' in found)) continue;
        expect(known.scale / (base?.scale ?? 1) / found.factor, unit).toBeCloseTo(1, 12);
      }
    const pairs = [
      ['in', 'm'],
      ['ft', 'm'],
      ['lb', 'kg'],
      ['lbf', 'N'],
      ['psi', 'Pa'],
      ['hp', 'W'],
      ['rpm', 'rad/s'],
      ['°/s', 'rad/s'],
      ['N/mm²', 'Pa'],
      ['kN s/mm', 'N s/m'],
      ['g cm²', 'kg m²'],
      ['1/min', '1/s'],
      ['bar', 'Pa'],
      ['L', 'm³'],
    ];
    for (const [from, to] of pairs) {
      const x = Math.round(random.uniform(1, 1000)) / 10;
      const found = conversion(from, to);
      if (!('factor' in found)) throw new Error(from);
      if (from.startsWith('1/')) continue;
      expect(inUnit(`${x} ${from}`, to) / (x * found.factor), from).toBeCloseTo(1, 9);
    }
  });
});

describe('parameters', () => {
  const list = (
    ...all: [name: string, value: number | string, unit?: string][]
  ): Parameters<typeof evaluateParameters>[0] =>
    all.map(([name, value, unit]) => ({ name, value, ...(unit === undefined ? {} : { unit }) }));

  it('take units when they have their own', () => {
    const { values, issues } = evaluateParameters(
      list(['L', '10 mm', 'm'], ['T', '5 ms', 'ms'], ['C', '47u', 'F'], ['v', 'L/(2 ms)', 'm/s']),
    );
    expect(issues).toEqual([]);
    expect(values).toEqual({ L: 0.01, T: 5, C: 4.7e-5, v: 5 });
  });

  it('refuse units when they have none, and those of others', () => {
    const { issues } = evaluateParameters(list(['L', '10 mm'], ['T', '5 mm', 's']));
    expect(issues.map(({ message }) => message)).toEqual([
      'Parameter “L” = “10 mm”: “10 mm” has a unit, and what stands here is a number without one.',
      'Parameter “T” = “5 mm”: “5 mm” is in m, and s is wanted.',
    ]);
  });

  it('in other units than those of SI are not mixed with quantities', () => {
    const { issues } = evaluateParameters(list(['A', 5, 'mm'], ['B', 'A + 10 mm', 'm']));
    expect(issues[0].message).toContain('“A” counts in mm, and “10 mm” is taken in units of SI');
  });

  it('take them by values that are set', () => {
    const { values } = evaluateParameters(list(['L', 1, 'm']), { L: '2 in' });
    expect(values.L).toBe(0.0508);
  });

  it('make a word behind a number ambiguous wherever they stand', () => {
    const { issues } = evaluateParameters(list(['a', '5 m', 'm'], ['m', 2, 'kg']));
    expect(issues[0].message).toContain('“5 m” has two meanings');
  });
});

/** Texts of a document where expressions may stand. */
function texts(value: unknown, key = ''): string[] {
  if (typeof value === 'string')
    return ['id', 'type', 'title', 'name', 'description'].includes(key) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((one) => texts(one, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    ['scripts', 'views', 'references', 'layout', 'dashboards'].includes(name) ? [] : texts(one, name),
  );
}

describe('what was an expression before', () => {
  const documents = exampleNames.map(example);

  it('has no quantities in the gallery', () => {
    let count = 0;
    for (const document of documents)
      for (const text of texts(document)) {
        count++;
        expect(findQuantities(text, () => false).quantities, text).toEqual([]);
      }
    expect(count).toBeGreaterThan(300);
  });

  it('keeps its meaning or is refused, for every name of the gallery behind a number', () => {
    const names = new Set(documents.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
    expect(names.size).toBeGreaterThan(100);
    for (const name of [...names, 'x', 'y', 'q', 's', 'H', 'S'])
      for (const [before, after] of [
        ['2', ''],
        ['2 ', ''],
        ['3*2 ', '^2'],
        ['1/2 ', ''],
        ['other/2 ', ''],
        ['2 ', '/3'],
      ]) {
        const values = { [name]: 3.7, other: 5 };
        let value: number | null = null;
        try {
          value = inUnit(`${before}${name}${after}`, 'm', values);
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          expect(error.message).toContain('has two meanings');
        }
        // The same with a name that is neither a unit nor a suffix.
        const plain = inUnit(`${before}zz${after}`, 'm', { zz: 3.7, other: 5 });
        if (value !== null) expect(value, `${before}${name}${after}`).toBe(plain);
      }
  });

  it('is read or refused, never a crash, whatever the text is', () => {
    const random = seeded(17);
    const parts = [
      '5',
      '2.5e3',
      'k',
      ' mm',
      ' N',
      '/s',
      '^2',
      '(',
      ')',
      '+',
      '*',
      ' ',
      'm',
      '°',
      'µ',
      '$',
      '0',
      '.',
      ',',
      'min',
      'sin(',
      '?',
      ':',
      '²',
      '⁻¹',
      'x[1]',
      '5x',
    ];
    for (let i = 0; i < 3000; i++) {
      const text = Array.from(
        { length: random.integer(1, 8) },
        () => parts[random.integer(0, parts.length - 1)],
      ).join('');
      for (const attempt of [() => inUnit(text, 'm', { x: 1 }), () => expressionNames(text)])
        try {
          attempt();
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw new Error(text, { cause: error });
        }
    }
  });

  it('agrees with arithmetic on random sums of lengths', () => {
    const random = seeded(29);
    const units: [string, number][] = [
      ['mm', 1e-3],
      ['cm', 1e-2],
      ['m', 1],
      ['km', 1e3],
      ['in', 0.0254],
      ['ft', 0.3048],
      ['µm', 1e-6],
    ];
    for (let i = 0; i < 300; i++) {
      let value = 0;
      const terms = Array.from({ length: random.integer(1, 4) }, () => {
        const [unit, factor] = units[random.integer(0, units.length - 1)];
        const x = random.integer(1, 9999) / 100;
        const n = random.integer(1, 9);
        value += n * x * factor;
        return `${n}*${x} ${unit}`;
      });
      expect(inUnit(terms.join(' + '), 'm') / value).toBeCloseTo(1, 12);
    }
  });
});
