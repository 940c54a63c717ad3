import { describe, expect, it } from 'vitest';
import { pythonExpression } from '@engine/siconos/python/expression';
import { PythonNames } from '@engine/siconos/python/names';
import { translateScript } from '@engine/siconos/python/translate-script';
import { ScriptLinks, readScripts } from '@engine/script/link';
import { transpileScript } from '@engine/script/transpile';

function translated(...source: string[]): ReturnType<typeof translateScript> {
  const result = transpileScript({ name: 'forces.ts', role: 'functions', source }, 0);
  if (!result.ok) throw new Error(result.issue.message);
  return translateScript(result.script, new PythonNames());
}
const python = (...source: string[]): string => translated(...source).lines.join('\n');

describe('expressions in Python', () => {
  const scope = { parameter: (name: string) => name, helper: () => undefined };
  it.each([
    ['2*pi*rpm/60', '2*math.pi*rpm/60'],
    ['-(a + b)^2', '-(a + b)**2'],
    ['a - (b - c)', 'a - (b - c)'],
    ['a/(b*c)', 'a/(b*c)'],
    ['2^-k', '2**-k'],
    ['a > 0 ? sqrt(a) : 0', 'math.sqrt(a) if a > 0 else 0'],
    ['max(a, atan2(b, c))', 'max(a, math.atan2(b, c))'],
  ])('%s becomes %s', (expression, text) => {
    expect(pythonExpression(expression, scope)).toBe(text);
  });
});

describe('scripts in Python', () => {
  it('translates branches, loops, arrays and functions', () => {
    const text = python(
      'const table = [1, 2, 3];',
      'function sum(values: number[]): number {',
      '  let total = 0;',
      '  for (const value of values) total += value;',
      '  return total;',
      '}',
      'export const force: ExternalForce = (t, out, p) => {',
      '  for (let i = 0; i < out.length; i++) {',
      '    if (t > 1 && p.on !== 0) out[i] = sum(table) * Math.cos(p.omega * t) ** 2;',
      '    else if (t < 0) out[i] = -1;',
      '    else out[i] = 0;',
      '  }',
      '};',
    );
    expect(text).toContain('for i in range(int(len(out))):');
    expect(text).toContain('if t > 1 and p.on != 0:');
    expect(text).toContain('elif t < 0:');
    expect(text).toContain('out[i] = sum_(table) * cos(p.omega * t)**2');
    expect(text).toContain('total += value');
  });

  it('keeps inner variables apart that Python would mix up', () => {
    const text = python(
      'export const f: ExternalForce = (t, out) => {',
      '  const x = 1;',
      '  if (t > 0) { const x = 2; out[0] = x; }',
      '  out[1] = x;',
      '};',
    );
    expect(text).toContain('out[0] = x_2');
    expect(text).toContain('out[1] = x');
  });

  it('writes what a script imports beside it, under the names of the model, and tells the place of what is missing', () => {
    const { read } = readScripts([
      {
        name: 'a.ts',
        role: 'functions',
        source: ['const k = 2;', 'export const ramp = (t: number) => k * t;'],
      },
      {
        name: 'b.ts',
        role: 'functions',
        source: [
          "import { ramp } from './a';",
          'const k = 3;',
          'export const force: ExternalForce = (t, out) => { out[0] = k * ramp(t); };',
          'export const bad: ExternalForce = (t, out) => { out[0] = Date.now(); };',
        ],
      },
    ]);
    const [{ script }] = new ScriptLinks(read, new Set(['a.ts', 'b.ts'])).groups(['a.ts', 'b.ts']);
    const { lines, functions, missing } = translateScript(script, new PythonNames());
    const text = lines.join('\n');
    expect(text).toContain('k_a = 2');
    expect(text).toContain('return k_a * t');
    expect(text).toContain('out[0] = k_b * ramp(t)');
    expect(text).not.toContain('require');
    expect([...functions]).toEqual(
      expect.arrayContaining([
        ['ramp', 'ramp'],
        ['force', 'force'],
      ]),
    );
    expect(missing.map(({ message }) => message).join()).toContain('“bad” of b.ts, line 4');
  });

  it('leaves what it cannot translate as a comment that stops the script, and says so', () => {
    const { lines, missing } = translated(
      'export const good: ExternalForce = (t, out) => { out[0] = t; };',
      'export const bad: ExternalForce = (t, out) => {',
      '  out[0] = [1, 2].map((x) => x * t).length;',
      '};',
    );
    const text = lines.join('\n');
    expect(missing).toEqual([
      {
        name: 'bad',
        message: '“bad” of forces.ts, line 3: a function that is handed to another has no Python here.',
      },
    ]);
    expect(text).toContain('def good(t, out, *_):');
    expect(text).toContain('    #     out[0] = [1, 2].map((x) => x * t).length;');
    expect(text).toContain('raise NotImplementedError(');
  });

  it.each([
    ['let n = 0; export const f = (t, out) => { n += 1; out[0] = n; };', 'an assignment to n'],
    ['export const f = (t, out) => { out[0] = t >> 1; };', 'the operator >>'],
    ['export const f = (t, out) => { out[0] = Date.now(); };', 'the method now'],
    ['export const f = (t, out) => { out[0] = Math.random(); };', 'Math.random'],
    ['export const f = (t, out) => { let i = 0; out[i++] = t; };', 'an assignment inside an expression'],
    ['export const f = (t, out) => { switch (t) { case 1: out[0] = 1; } };', 'a SwitchStatement'],
    [
      'export const f = (t, out) => { for (let i = 9; i > 0; i--) { if (i === t) continue; out[0] = i; } };',
      'continue',
    ],
  ])('refuses %s', (source, reason) => {
    expect(
      translated(source)
        .missing.map(({ message }) => message)
        .join(),
    ).toContain(reason);
  });
});
