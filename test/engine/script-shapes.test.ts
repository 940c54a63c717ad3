/**
 * Script functions that would pass for a force of zero are refused at their line; others are let alone,
 * however they are written.
 */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { model, particle } from './support/models';
import { refusal, run } from './support/run';

const sandbox = createSandbox;

/** A particle under the force `pull`, with the lines of the script. */
const pulled = (...source: string[]): ModelDocument => ({
  ...model([particle('ball', 1, 0, { fExt: { function: 'pull' } })], [], { h: 0.5, tEnd: 1 }),
  scripts: [{ name: 'forces.ts', role: 'functions', source }],
});

/** The same, with an observable `height` of the lines. */
const observed = (...source: string[]): ModelDocument => ({
  ...model([particle('ball', 1, 0)], [], { h: 0.5, tEnd: 1 }),
  observables: [{ name: 'height', function: 'height', system: 'ball' }],
  scripts: [{ name: 'forces.ts', role: 'functions', source }],
});

const errors = (document: ModelDocument): DocumentIssue[] =>
  reportDocument(document).issues.filter(({ severity }) => severity === 'error');

describe('is refused before a run, at its line', () => {
  it.each<[string, string, number, string[]]>([
    [
      'an arrow that is its value',
      'script-returns-value',
      2,
      ['', 'export const pull = (t, out, p) => -9.81;'],
    ],
    [
      'a value returned in a branch',
      'script-returns-value',
      3,
      ['export const pull: ExternalForce = (t, out) => {', '  out[0] = 1;', '  if (t > 1) return [2];', '};'],
    ],
    [
      'a list returned',
      'script-returns-value',
      2,
      ['export function pull(t: number) {', '  return [t];', '}'],
    ],
    [
      'a mapped copy returned',
      'script-returns-value',
      1,
      ['export const pull = (t, out) => out.map((_, i) => i + t);'],
    ],
    ['a generator', 'script-generator', 1, ['export const pull: any = function* (t, out) { out[0] = 1; };']],
    [
      'a generator that is declared',
      'script-generator',
      2,
      ['', 'export function* pull(t, out) { out[0] = 1; }'],
    ],
    ['an async function', 'script-async', 1, ['export async function pull(t, out) { out[0] = 1; }']],
    ['an async arrow', 'script-async', 1, ['export const pull = async (t, out) => { out[0] = 1; };']],
    [
      'another array in the variable',
      'script-out-reassigned',
      2,
      ['export const pull = (t, out) => {', '  out = [1];', '};'],
    ],
    [
      'another array by a pattern',
      'script-out-reassigned',
      1,
      ['export const pull = (t, out) => { [out] = [[1]]; };'],
    ],
    [
      'another array by a declaration',
      'script-out-reassigned',
      1,
      ['export function pull(t, out) { var out = [1]; }'],
    ],
    [
      'nothing of what it computes',
      'script-out-not-written',
      1,
      ['export const pull = (t) => { -9.81 * t; };'],
    ],
    [
      'values that are kept to itself',
      'script-out-not-written',
      1,
      ['export const pull = (t, out) => { const f = [out[0] + t]; };'],
    ],
    [
      'writing to what was taken out of it',
      'script-out-not-written',
      1,
      ['export const pull = (t, [f]) => { f = 1; };'],
    ],
    [
      'writing to a copy',
      'script-out-not-written',
      1,
      ['export const pull = (t, out) => { const f = [...out]; f[0] = 1; };'],
    ],
    [
      'writing to a copy made by a method',
      'script-out-not-written',
      1,
      ['export const pull = (t, out) => { out.slice().fill(1); const [a] = out; };'].map((line) =>
        line.replace('out.slice().fill(1)', 'const f = out.slice(); f.fill(1)'),
      ),
    ],
    [
      'a comparison in place of an assignment',
      'script-out-not-written',
      1,
      ['export const pull = (t, out) => { out[0] == 1; };'],
    ],
    [
      'a helper that only reads',
      'script-out-not-written',
      2,
      [
        'function weigh(o: Float64Array) { return o[0] + o.length; }',
        'export const pull = (t, out) => { weigh(out); };',
      ],
    ],
    [
      'a name for another function',
      'script-returns-value',
      1,
      ['const weight = (t, out) => -9.81;', 'export { weight as pull };'],
    ],
    [
      'a function that is made by another',
      'script-returns-value',
      1,
      ['const constant = (value: number) => () => value;', 'export const pull = constant(2);'],
    ],
  ])('%s', (_, code, line, source) => {
    const document = pulled(...source);
    const [issue, ...others] = errors(document);
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ code, script: { name: 'forces.ts', line } });
    expect(issue.pointer).toBe(`/scripts/0/source/${line - 1}`);
    expect(issue.message).toContain('“pull”');
    expect(issue.remedy.length).toBeGreaterThan(20);
    expect(refusal(document, { sandbox }).script).toMatchObject({ name: 'forces.ts', line });
  });

  it.each<[string, string, string[]]>([
    ['a generator', 'script-generator', ['export const height = function* (t, q) { return q[0]; };']],
    ['an async function', 'script-async', ['export const height: Observable = async (t, q) => q[0];']],
    ['no value', 'script-returns-nothing', ['export const height = (t, q) => { q[0]; };']],
    ['a return without a value', 'script-returns-nothing', ['export const height = (t, q) => { return; };']],
  ])('of a function that returns its value: %s', (_, code, source) => {
    expect(errors(observed(...source))).toMatchObject([{ code, script: { line: 1 } }]);
  });

  it('at the column of what is wrong, as it was written', () => {
    const line = 'export const pull: ExternalForce = (t: number, out: Float64Array) => -9.81 * t;';
    expect(errors(pulled(line))[0].script?.column).toBe(line.indexOf('-9.81') + 1);
    const other = '  out = [t as number];';
    const [issue] = errors(pulled('export const pull = (t: number, out) => {', other, '};'));
    expect(issue.script).toMatchObject({ line: 2, column: 3 });
  });

  it('once, where several elements use it', () => {
    const document = pulled('export const pull = () => 1;');
    document.systems.push(particle('other', 1, 0, { fExt: { function: 'pull' } }));
    expect(errors(document)).toHaveLength(1);
  });

  it('in the script that it is imported from', () => {
    const document = pulled("import { weight } from './weights';", 'export const pull = weight;');
    document.scripts.push({
      name: 'weights.ts',
      role: 'functions',
      source: ['', 'export const weight = (t: number, out: Float64Array) => [t];'],
    });
    expect(errors(document)).toMatchObject([
      {
        code: 'script-returns-value',
        pointer: '/scripts/1/source/1',
        script: { name: 'weights.ts', line: 2 },
      },
    ]);
  });
});

describe('is no fault', () => {
  it.each<[string, string[]]>([
    ['writing an entry', ['export const pull: ExternalForce = (t, out) => { out[0] = 2; };']],
    ['an assignment that is the value of an arrow', ['export const pull = (t, out) => (out[0] = 2);']],
    ['void before it', ['export const pull = (t, out) => void (out[0] = 2);']],
    ['a method that is the value of an arrow', ['export const pull = (t, out) => out.fill(2);']],
    ['set', ['export const pull = (t, out) => { out.set([2]); };']],
    ['adding to an entry', ['export const pull = (t, out) => { out[0] += 2; };']],
    ['counting up', ['export const pull = (t, out) => { out[0]++; ++out[0]; };']],
    ['a pattern', ['export const pull = (t, out) => { [out[0]] = [2]; };']],
    ['a pattern with names', ['export const pull = (t, out) => { ({ f: out[0] } = { f: 2 }); };']],
    ['a loop over a target', ['export const pull = (t, out) => { for (out[0] of [1, 2]); };']],
    ['another name for it', ['export const pull = (t, out) => { const o = out; o[0] = 2; };']],
    ['another name given later', ['export const pull = (t, out) => { let o; o = out; o[0] = 2; };']],
    ['a part of it', ['export const pull = (t, out) => { const o = out.subarray(0, 1); o[0] = 2; };']],
    ['its memory', ['export const pull = (t, out) => { new Float64Array(out.buffer)[0] = 2; };']],
    [
      'a function inside',
      ['export const pull = (t, out) => { const add = (f) => { out[0] += f; }; add(2); };'],
    ],
    ['a method of a list', ['export const pull = (t, out) => { [2].forEach((f, i) => { out[i] = f; }); };']],
    [
      'its own method with the array itself',
      ['export const pull = (t, out) => { out.forEach((_, i, o) => { o[i] = 2; }); };'],
    ],
    ['a helper', ['function fill(o) { o[0] = 2; }', 'export const pull = (t, out) => fill(out);']],
    [
      'a helper that is returned',
      ['const fill = (o) => { o.set([2]); };', 'export function pull(t, out) { return fill(out); }'],
    ],
    [
      'a helper of a helper',
      [
        'const a = (o) => b(o);',
        'const b = (o) => { o[0] = 2; };',
        'export const pull = (t, out) => { a(out); };',
      ],
    ],
    [
      'a helper that calls itself',
      [
        'function a(o, n) { if (n > 0) a(o, n - 1); else o[0] = 2; }',
        'export const pull = (t, out) => { a(out, 3); };',
      ],
    ],
    ['an object with it', ['export const pull = (t, out) => { const x = { out }; x.out[0] = 2; };']],
    ['a list with it', ['export const pull = (t, out) => { const [o] = [out]; o[0] = 2; };']],
    ['arguments', ['export function pull() { arguments[1][0] = 2; }']],
    ['all arguments', ['export const pull = (...all) => { all[1][0] = 2; };']],
    ['a default', ['export const pull = (t, out = new Float64Array(1)) => { out[0] = 2; };']],
    ['a chosen array', ['export const pull = (t, out) => { (t > -1 ? out : [0])[0] = 2; };']],
    ['a method by its text', ["export const pull = (t, out) => { out['fill'](2); };"]],
    [
      'a method that is kept',
      ['export const pull = (t, out) => { const { fill } = out; fill.call(out, 2); };'],
    ],
    ['Reflect', ['export const pull = (t, out) => { Reflect.set(out, 0, 2); };']],
    [
      'early returns',
      ['export const pull = (t, out) => { if (t < -1) return; out[0] = 2; return undefined; };'],
    ],
    ['returning the array', ['export const pull = (t, out) => { out[0] = 2; return out; };']],
    ['another name', ['export const pull = (t, force) => { force[0] = 2; };']],
    [
      'a function that is made',
      ['const constant = (f) => (t, out) => { out[0] = f; };', 'export const pull = constant(2);'],
    ],
    [
      'a function that is chosen',
      ['const a = (t, out) => { out[0] = 2; };', 'export const pull = 1 > 0 ? a : a;'],
    ],
    [
      'a method of an object',
      ['const all = { pull(t, out) { out[0] = 2; } };', 'export const pull = all.pull;'],
    ],
    [
      'types all over',
      [
        'export const pull = (<F extends Float64Array>(t: number, out: F): void => { (out as F)[0] = 2; }) as ExternalForce;',
      ],
    ],
  ])('%s', (_, source) => {
    const document = pulled(...source);
    expect(errors(document)).toEqual([]);
    expect(run(document, { sandbox }).column('ball.v').at(-1)).toBe(2);
  });

  it.each([
    ['an expression', 'export const height = (t, q) => q[0];'],
    ['a return in a branch', 'export function height(t, q) { if (t < 0) return 0; return q[0]; }'],
    ['a helper', 'const h = (q) => q[0]; export const height: Observable = (t, q) => h(q);'],
  ])('of a function that returns its value: %s', (_, source) => {
    expect(errors(observed(source))).toEqual([]);
  });

  // The run tells it, at its line.
  it.each([
    "throw new Error('not yet');",
    "fetch('http://127.0.0.1');",
    'process.exit(1);',
    "(() => 0).constructor('return 1')();",
    'for (;;);',
    'while (true) { t; }',
  ])('a function that does nothing but fail: %s', (source) => {
    expect(errors(pulled(`export const pull = (t, out) => { ${source} };`))).toEqual([]);
  });

  it('a function without a statement, which is zero', () => {
    expect(errors(pulled('export const pull = () => {};'))).toEqual([]);
  });

  it('a function that nothing uses', () => {
    const spare = 'export const spare = () => 3;';
    expect(errors(pulled('export const pull = (t, out) => { out[0] = 2; };', spare))).toEqual([]);
  });
});

it.each(['(t) => -9.81', 'async () => 1', 'function* () {}', '() => [1]'])(
  'a function whose source cannot be found and that returns its value ends the run: %s',
  (source) => {
    const document = pulled(`const made = [${source}]; export const pull = made[0];`);
    expect(errors(document)).toEqual([]);
    const error = refusal(document, { sandbox });
    expect(error.message).toContain('wrote nothing into “out”');
    expect(error.call?.function).toBe('pull');
  },
);

describe('a parameter that the model has not', () => {
  const reading = (...source: string[]): ModelDocument => ({
    ...pulled(...source),
    parameters: [
      { name: 'tOff', value: 1 },
      { name: 'F', value: 2 },
    ],
  });

  it.each<[string, number, string, string[]]>([
    [
      'in a comparison, where it is silently false',
      2,
      'tof',
      ['export const pull: ExternalForce = (t, out, p) => {', '  out[0] = t > p.tof ? 0 : p.F;', '};'],
    ],
    [
      'in a branch that a run comes to late',
      3,
      'G',
      [
        'export const pull: ExternalForce = (t, out, p) => {',
        '  out[0] = p.F;',
        '  if (t > p.tOff) out[0] = p.G;',
        '};',
      ],
    ],
    ['in a pattern', 1, 'f', ['export const pull = (t, out, { f }) => { out[0] = f; };']],
    [
      'in a pattern within',
      2,
      'toff',
      ['export const pull = (t, out, p) => {', '  const { F, toff } = p;', '  out[0] = F * toff;', '};'],
    ],
    [
      'in a function that is called, under another name',
      1,
      'tof',
      [
        'const size = (t: number, all: Parameters) => (t > all.tof ? 0 : 1);',
        'export const pull: ExternalForce = (t, out, p) => {',
        '  const q = p;',
        '  out[0] = size(t, q);',
        '};',
      ],
    ],
    ['by its text', 1, 'f g', ['export const pull = (t, out, p) => { out[0] = p["f g"]; };']],
  ])('%s', (_name, line, name, source) => {
    const [{ code, message, pointer }, ...others] = errors(reading(...source));
    expect(code).toBe('script-unknown-parameter');
    expect(message).toContain(`“${name}”`);
    expect(pointer).toBe(`/scripts/0/source/${line - 1}`);
    expect(others).toEqual([]);
  });

  it('is corrected, where one differs by little', () => {
    const remedy = (name: string): string =>
      errors(reading(`export const pull = (t, out, p) => { out[0] = p.${name}; };`))[0].remedy;
    expect(remedy('tof')).toContain('It has “tOff”');
    expect(remedy('f')).toContain('It has “F”');
    expect(remedy('stiffness')).toContain('there are tOff, F');
  });

  it.each<[string, string[]]>([
    ['with a value in its place', ['export const pull = (t, out, p) => { out[0] = p.G ?? 1; };']],
    ['with a default in a pattern', ['export const pull = (t, out, { G = 1 }) => { out[0] = G; };']],
    ['by a name that is computed', ['export const pull = (t, out, p) => { out[0] = p["F" + ""]; };']],
    [
      'of something else called p',
      ['export const pull = (t, out) => {', '  const p = { a: 1 };', '  out[0] = p.a;', '};'],
    ],
  ])('is let alone: %s', (_name, source) => {
    expect(errors(reading(...source))).toEqual([]);
  });
});
