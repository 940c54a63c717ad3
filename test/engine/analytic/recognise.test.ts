/**
 * Functions of time whose source says that they are sums of t^k e^(σt) (p cos ωt + q sin ωt), and functions
 * that are none.
 */
import { describe, expect, it } from 'vitest';
import { recognise } from '@engine/script/analytic/recognise';
import { executed, type Parameters, read, recognised, valuesAt } from './support';

const TIMES = [0, 0.1, 0.37, 1, 2.5, 7.125, 19.3];
const PARAMETERS: Parameters = { pull: 15, omega: 3, m: 2, g: 9.81, tau: 0.7, mode: 1, count: 3 };

/** Body of `f`, whose entries are recognised with the values that it has. */
function agrees(source: string, length = 1): void {
  const f = recognised(source, length, PARAMETERS);
  const call = executed(source, length, PARAMETERS);
  const values = TIMES.map(call);
  // Not a function that is zero, which anything agrees with.
  expect(values.flat().some((value) => value !== 0)).toBe(true);
  for (let i = 0; i < length; i++) {
    const largest = Math.max(...values.map((value) => Math.abs(value[i])));
    TIMES.forEach((t, k) => {
      expect(Math.abs(valuesAt(f, t)[i] - values[k][i])).toBeLessThanOrEqual(1e-13 * largest);
    });
  }
}

const body = (...lines: string[]): string =>
  ['export const f = (t: number, out: Float64Array, p: any): void => {', ...lines, '};'].join('\n');

describe('recognised are', () => {
  it.each([
    ['a constant', 'out[0] = -p.m * p.g;'],
    ['a polynomial', 'out[0] = 1 - 2 * t + 3 * t * t - t ** 3 / 4;'],
    ['a polynomial in brackets', 'out[0] = (t - 2) * (t + 1) * -t;'],
    ['a pull and a weight', 'out[0] = p.pull * Math.sin(p.omega * t) - p.m * p.g;'],
    ['a phase', 'out[0] = Math.sin(2 * t - 0.4) + Math.cos(0.3 - 5 * t);'],
    ['a time that has been shifted', 'out[0] = Math.sin(p.omega * (t - 0.25));'],
    ['resonance', 'out[0] = t * Math.sin(p.omega * t);'],
    ['a decay', 'out[0] = 4 * Math.exp(-t / p.tau);'],
    ['a quotient of exponentials', 'out[0] = Math.cos(t) / Math.exp(0.1 * t);'],
    ['a decaying swing', 'out[0] = Math.exp(1 - t / 3) * t ** 2 * Math.cos(4 * t + 1);'],
    ['a product of sines', 'out[0] = Math.sin(3 * t) * Math.cos(5 * t) * Math.sin(t);'],
    ['powers of sines', 'out[0] = Math.sin(t) ** 3 + Math.pow(Math.cos(2 * t), 2);'],
    ['a square that cancels in part', 'out[0] = (Math.sin(2 * t) + Math.cos(2 * t)) ** 2;'],
    ['constants of Math', 'out[0] = Math.sin(2 * Math.PI * t) + Math.sqrt(p.m) * Math.abs(-p.g) * Math.E;'],
    ['a remainder of numbers', 'out[0] = t * (7 % 4);'],
    ['a choice between numbers', 'out[0] = p.mode > 0 && p.m !== 5 ? t : t * t;'],
    ['a sign', 'out[0] = -(+t);'],
  ])('%s', (_what, line) => {
    agrees(body(line));
  });

  it('several entries, and those that are not written are zero', () => {
    const source = body('out[2] = t;', 'out[0] = Math.sin(t);');
    agrees(source, 3);
    expect(recognised(source, 3)[1]).toEqual([]);
  });

  it('local variables, and those that change', () => {
    agrees(
      body(
        'const phase = p.omega * t;',
        'let sum = 0;',
        'sum += Math.sin(phase);',
        'sum -= 2;',
        'sum *= t;',
        'sum /= p.m;',
        'out[0] = sum;',
        'out[0] += t;',
      ),
    );
  });

  it('loops over numbers', () => {
    agrees(
      body(
        'for (let i = 0; i < out.length; i++) {',
        '  for (let k = 1; k <= p.count; ++k) out[i] += Math.sin(k * t) / (k + i);',
        '}',
      ),
      4,
    );
  });

  it('places that are counted while they are written, each once', () => {
    agrees(
      body('let i = 0;', 'out[i++] = (i + 1) * t;', 'out[i++] += i * t;', 'out[i++]++;', 'out[i] = i;'),
      4,
    );
    agrees(body('let i = 0;', 'i = (i += 2) + i++;', 'out[0] = i * t;', 'i += i++ * 2;', 'out[1] = i;'), 2);
  });

  it('branches on numbers', () => {
    agrees(
      body(
        'if (p.mode === 1) { out[0] = t; } else { out[0] = Math.abs(t); }',
        'if (!(p.count >= 3)) out[0] = 0;',
        'if (p.mode) return;',
        'out[0] = 7;',
      ),
    );
  });

  it('functions and constants of the script', () => {
    agrees(
      [
        'const OMEGA = 2 * Math.PI;',
        'export const GAIN = 3;',
        'const wave = (t: number, k: number): number => Math.sin(k * OMEGA * t);',
        'export function twice(x: number): number { const y = x; return y + x; }',
        'export function f(t: number, out: Float64Array, { m, omega: w }: any): void {',
        '  const inner = (x: number) => w * x;',
        '  function outer(x: number) { return inner(x) + 1; }',
        '  out[0] = GAIN * m * wave(t, 1) + twice(outer(t));',
        '}',
      ].join('\n'),
    );
    agrees(
      [
        'const fill = (out: Float64Array, p: any, value: number) => { out[1] = p.m * value; };',
        'export const f = function (t: number, out: Float64Array, p: any) { const { m } = p; fill(out, p, m * t); };',
      ].join('\n'),
      2,
    );
  });

  it('arrays that are filled or set at once', () => {
    agrees(body('out.fill(t);', 'out[1] = 2;'), 3);
    agrees(body('out.set([t, Math.sin(t)]);'), 3);
  });

  it('with the phase and the terms that they have', () => {
    const [terms] = recognised(body('out[0] = p.a * Math.sin(p.w * t) - 9.81;'), 1, { a: 15, w: 3 });
    expect(terms).toHaveLength(2);
    expect(terms).toContainEqual({ power: 0, rate: 0, frequency: 3, cosine: 0, sine: 15 });
    expect(terms).toContainEqual({ power: 0, rate: 0, frequency: 0, cosine: -9.81, sine: 0 });
    // sin² t = (1 − cos 2t)/2, and sin² + cos² is a number
    const [square] = recognised(body('out[0] = Math.sin(t) ** 2;'));
    expect(square.map(({ frequency, cosine }) => [frequency, cosine]).sort()).toEqual([
      [0, 0.5],
      [2, -0.5],
    ]);
    expect(recognised(body('out[0] = Math.sin(t) ** 2 + Math.cos(t) ** 2;'))[0]).toHaveLength(1);
    expect(recognised(body('out[0] = t - t;'))[0]).toEqual([]);
  });
});

describe('not recognised is', () => {
  const BRANCH = 'a place or a choice depends on time';
  it.each([
    ['a branch on time', 'out[0] = t > 1 ? 1 : 0;', BRANCH],
    ['a condition on time', 'if (Math.sin(t)) out[0] = 1;', 'a condition depends on time'],
    ['an absolute value', 'out[0] = Math.abs(Math.sin(t));', 'Math.abs of time'],
    ['a root', 'out[0] = Math.sqrt(t);', 'Math.sqrt of time'],
    ['a maximum', 'out[0] = Math.max(0, Math.sin(t));', 'Math.max of time'],
    ['a tangent', 'out[0] = Math.tan(t);', 'Math.tan of time'],
    ['a frequency that changes', 'out[0] = Math.sin(t * t);', 'not linear in time'],
    ['a sine of a sine', 'out[0] = Math.sin(Math.sin(t));', 'not linear in time'],
    ['a bell curve', 'out[0] = Math.exp(-t * t);', 'not linear in time'],
    ['a quotient', 'out[0] = 1 / (1 + t);', 'divides by a function of time'],
    ['a sine as divisor', 'out[0] = 1 / Math.sin(t);', 'divides by a function of time'],
    ['a division by zero', 'out[0] = t / 0;', 'divides by zero'],
    ['a fractional power', 'out[0] = t ** 1.5;', 'to the power 1.5'],
    ['a negative power', 'out[0] = t ** -1;', 'to the power -1'],
    ['an exponent of time', 'out[0] = 2 ** t;', 'an exponent depends on time'],
    ['a remainder of time', 'out[0] = t % 1;', '“%”'],
    ['arithmetic with bits', 'out[0] = t | 0;', '“|”'],
    ['a high power', 'out[0] = t ** 9;', 'power of time above 8'],
    [
      'too many terms',
      'out[0] = (1 + Math.sin(t) + Math.cos(7.1 * t) + Math.sin(50.3 * t)) ** 4;',
      'more than 32 terms',
    ],
    ['what overflows', 'out[0] = Math.exp(1000 - t);', 'not finite'],
    ['chance', 'out[0] = Math.random();', 'Math.random'],
    ['a loop until a time', 'for (let s = 0; s < t; s++) out[0] += s;', BRANCH],
    ['a loop without end', 'for (;;) { out[0] = t; }', 'too many steps'],
    ['a loop of another kind', 'while (out[0] < 1) out[0] += 1;', 'more than arithmetic'],
    ['a parameter that is missing', 'out[0] = p.missing * t;', 'no parameter “missing”'],
    ['an array of its own', 'const a = [1, t]; out[0] = a[1];', 'more than arithmetic'],
    ['a place beside the array', 'out[1] = t;', 'beside the array'],
    ['a place that depends on time', 'out[t] = 1;', 'a place or a choice depends on time'],
    ['a text', 'out["0"] = t;', 'uses a text'],
    ['a name that is not known', 'out[0] = omega * t;', '“omega” is not known'],
    ['a variable of the whole function', 'var x = t; out[0] = x;', '“var”'],
    ['a variable without a value', 'let x; out[0] = x;', 'not a number'],
    ['a spread', 'out[0] = Math.sin(...[t]);', 'more than arithmetic'],
    ['an argument that is missing', 'out[0] = Math.sin();', 'Math.sin'],
    ['a function of nothing', 'out[0] = p.f(t);', 'no parameter “f”'],
    ['an error', 'throw new Error("cold");', 'more than arithmetic'],
    ['a number that is none', 'out[0] = 0 * Math.log(-1);', 'not finite'],
  ])('%s', (_what, line, reason) => {
    const found = read(body('', line));
    expect(found.ok).toBe(false);
    if (found.ok) return;
    expect(found.reason).toContain(reason);
    expect(found.line).toBe(3);
  });

  it.each([
    [
      'a variable that another call may change',
      'let k = 1;\nexport const f = (t, out) => { k += 1; out[0] = k * t; };',
      'not constant',
    ],
    [
      'a variable that something changes',
      'let k = 1;\nexport const g = () => { k = 2; };\nexport const f = (t, out) => { out[0] = k * t; };',
      '“k” is not constant',
    ],
    [
      'an export that something changes',
      'export let k = 1;\nexport const g = () => { k = 2; };\nexport const f = (t, out) => { out[0] = k * t; };',
      '“k” is not constant',
    ],
    [
      'a function that calls itself',
      'const g = (t) => g(t);\nexport const f = (t, out) => { out[0] = g(t); };',
      'calls itself',
    ],
    [
      'a Math of its own',
      'const Math = { sin: (x) => x * x };\nexport const f = (t, out) => { out[0] = Math.sin(t); };',
      'more than arithmetic',
    ],
    [
      'a function made by another',
      'const make = (a) => (t) => a * t;\nexport const f = (t, out) => { const g = make(1); out[0] = make(2)(t) + g(t); };',
      '“a” is not constant',
    ],
    ['a generator', 'export const f = function* (t, out) { out[0] = t; };', 'generator'],
    ['no function', 'export const f = 3;', 'no function'],
    ['nothing', 'export const g = 3;', '“f” is not constant'],
    [
      'a parameter with a value of its own',
      'export const f = (t, out, { m = 2 }) => { out[0] = m * t; };',
      'takes apart',
    ],
    [
      'the rest of the parameters',
      'export const f = (t, out, { ...p }) => { out[0] = p.m * t; };',
      'takes apart',
    ],
  ])('%s', (_what, source, reason) => {
    const found = read(source, 1, PARAMETERS);
    expect(found.ok).toBe(false);
    if (!found.ok) expect(found.reason).toContain(reason);
  });

  it('what nests too deeply', () => {
    const deep = `${'('.repeat(20_000)}t${')'.repeat(20_000)}`;
    const code = `const f = (t, out) => { out[0] = ${deep}; }; exports.f = f;`;
    expect(recognise({ name: 'deep.ts', code, exports: ['f'] }, 'f', 1, {})).toEqual({
      ok: false,
      line: 1,
      reason: 'the script cannot be read',
    });
  });
});
