/** Which scripts keep something from one call to the next, as far as their text shows it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { ScriptSources } from '@engine/script/link';
import { areMemoryless } from '@engine/script/memoryless';

const ofSource = (...source: string[]): boolean =>
  areMemoryless(new ScriptSources([{ name: 'a.ts', role: 'functions', source }]));

const FORCE = 'export const force: ExternalForce = (t, out, p) => {';

describe('scripts', () => {
  it.each([
    ['a formula', [FORCE, '  out[0] = p.k * Math.sin(t);', '};']],
    [
      'constants',
      ['const k = 2 * Math.PI;', 'const c = -k / Math.sqrt(3);', FORCE, '  out[0] = k * c * t;', '};'],
    ],
    ['helpers', ['function f(x: number): number { return x * x; }', FORCE, '  out[0] = f(t);', '};']],
    [
      'other functions of theirs',
      ['export const g: Observable = (t) => t;', FORCE, '  out[0] = g(t, out, out, p);', '};'],
    ],
    ['a table', ['const table = [1, 2, 3];', FORCE, '  out[0] = table[Math.floor(t)] + table.length;', '};']],
    ['rows of a table', ['const table = [[1, 2], [3, 4]];', FORCE, '  out[0] = table[0][1];', '};']],
    [
      'numbers of their own',
      ['const n = 3;', FORCE, '  const x = new Float64Array(n);', '  x[0]++;', '  out[0] = x[0];', '};'],
    ],
  ])('that keep nothing: %s', (_, source) => {
    expect(ofSource(...source)).toBe(true);
  });

  it.each([
    ['a counter', ['let calls = 0;', FORCE, '  calls++;', '  out[0] = calls;', '};']],
    ['an entry', ['const last = [0];', FORCE, '  out[0] = last[0];', '  last[0] = t;', '};']],
    ['a name of an entry', ['const last = { t: 0 };', FORCE, '  last.t += 1;', '  out[0] = last.t;', '};']],
    [
      'what they pass on',
      [
        'const last = [0];',
        'function f(x: number[]): number { return x[0]++; }',
        FORCE,
        '  out[0] = f(last);',
        '};',
      ],
    ],
    [
      'a row that they name',
      ['const rows = [[0]];', FORCE, '  const row = rows[0];', '  row[0]++;', '  out[0] = row[0];', '};'],
    ],
    ['a list', ['const list: number[] = [1];', FORCE, '  list.push(t);', '  out[0] = list.length;', '};']],
    [
      'a map',
      ['const seen = new Map<number, number>();', FORCE, '  seen.set(t, 1);', '  out[0] = seen.size;', '};'],
    ],
    [
      'a property of a function',
      ['function f(): number { return 1; }', FORCE, '  (f as any).n = t;', '  out[0] = (f as any).n;', '};'],
    ],
    [
      'a variable of a maker',
      [
        'function make() { let n = 0; return (t: number, out: Float64Array) => { out[0] = n++; }; }',
        'export const force: ExternalForce = make();',
      ],
    ],
    [
      'a helper that was made',
      [
        'function make() { let n = 0; return () => n++; }',
        'const next = make();',
        FORCE,
        '  out[0] = next();',
        '};',
      ],
    ],
    [
      'a property of a function that they hand on',
      [
        'function f(): number { return 1; }',
        'function count(of: any): number { return (of.n = (of.n ?? 0) + 1); }',
        FORCE,
        '  out[0] = count(f);',
        '};',
      ],
    ],
    [
      'a property of themselves',
      [
        'export const force: ExternalForce = function own(t, out) {',
        '  out[0] = (own as any).n = ((own as any).n ?? 0) + 1;',
        '};',
      ],
    ],
    [
      'another function for the next call',
      [
        'const g = () => 1;',
        FORCE,
        '  out[0] = force2(t);',
        '  (exports as any).force2 = g;',
        '};',
        'export const force2: any = (t: number) => t;',
      ],
    ],
    [
      'the random generator by another name',
      ['const next = Math.random;', FORCE, '  out[0] = next();', '};'],
    ],
    ['Math by another name', [FORCE, '  const m = Math;', '  out[0] = m.random();', '};']],
    ['the random generator', [FORCE, '  out[0] = Math.random();', '};']],
    ['a global', [FORCE, '  (globalThis as any).n = t;', '  out[0] = 1;', '};']],
  ])('that keep something: %s', (_, source) => {
    expect(ofSource(...source)).toBe(false);
  });

  it('knows that those of the gallery keep nothing', () => {
    const folder = fileURLToPath(new URL('../../resources/examples/', import.meta.url));
    const keeping = readdirSync(folder)
      .filter((name) => name.endsWith('.moreau.json'))
      .filter((name) => {
        const { scripts } = JSON.parse(readFileSync(folder + name, 'utf8')) as ModelDocument;
        return !areMemoryless(new ScriptSources(scripts));
      });
    expect(keeping).toEqual([]);
  });
});
