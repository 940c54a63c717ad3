/** Every construct of the language that is followed, against extrapolated finite differences. */
import { describe, expect, it } from 'vitest';
import { differentiate, withDerivatives } from '@engine/script/differentiate/differentiate';
import { derive, expectJacobian, sandbox, transpile, type Call } from './support';

/** Body of a function of x (three numbers) that fills out (two). */
const body = (text: string, before = ''): string =>
  `${before}\nexport function f(x: Float64Array, out: Float64Array): void {\n${text}\n}`;

const POINT = [0.7, -0.4, 1.3];

const CASES: Record<string, string | [string, string]> = {
  arithmetic: 'out[0] = (x[0] + 2 * x[1] - x[2] / 3) / (1 + x[0] * x[0]); out[1] = -x[0] - -x[1] + +x[2];',
  'powers by base and exponent':
    'out[0] = x[2] ** 3 + x[0] ** -2 + x[2] ** x[1]; out[1] = 2 ** x[0] + x[2] ** 0.5;',
  remainder: 'out[0] = (7 * x[2]) % 2 + (5.3 % x[0]); out[1] = (-9 * x[0]) % x[2];',
  'compound assignment':
    'let s = x[0]; s += x[1]; s *= x[2]; s -= 3; s /= x[0] + 2; s **= 2; out[0] = s; out[1] += s * x[1]; out[1] -= x[0];',
  increments:
    'let s = x[0]; s++; --s; const a = s++ * x[1]; out[0] = a * ++s; out[1] = x[2]; out[1]++; out[1] = out[1]-- * x[0];',
  'a conditional expression':
    'out[0] = x[0] > 0 ? x[1] * x[2] : x[1]; out[1] = x[1] > 0 ? 1 : (x[0] < 3 ? Math.sin(x[0]) : 0);',
  'logical operators':
    'out[0] = (x[5] || x[0] * x[1]) + (x[0] && x[2]); out[1] = (x[7] ?? x[2] ** 2) + (x[1] || 4);',
  'logical assignment':
    'let a; a ??= x[0] * 2; let b = 0; b ||= x[1] * x[0]; let c = x[2]; c &&= c * c; out[0] = a * b; out[1] = c;',
  'if and else':
    'if (x[0] > 1) out[0] = x[1]; else if (x[1] < 0) { out[0] = x[0] * x[1]; } else out[0] = 0; if (x[2]) out[1] = x[2] ** 3;',
  switch:
    'switch (x.length) { case 1: out[0] = 1; break; case 3: out[0] = x[0] * x[1]; default: out[1] = x[2] * x[0]; }',
  for: 'let s = 0; for (let i = 0; i < x.length; i++) s += x[i] * x[i] * i; out[0] = s; for (let i = 0, p = x[0]; i < 3; i++, p *= x[1]) out[1] += p;',
  'for-of':
    'for (const e of x) out[0] += e * e; let k = 0; for (let e of [x[0], x[1] * x[2]]) { e *= 2; out[1] += e * ++k; }',
  'for-of over constants':
    'for (let w of [1, 2, 3]) { w = w * x[0]; out[0] += w; } for (const w of new Set([1, 2])) out[1] += w * x[1];',
  'for-of with a pattern':
    'const pairs = [[x[0], 1], [x[1], 2]]; for (const [v, w] of pairs) out[0] += v * v * w; out[1] = x[2];',
  'for-in': 'const o = { a: x[0], b: x[1] }; for (const k in o) out[0] += o[k] * o[k]; out[1] = x[2];',
  while:
    'let s = x[2]; let n = 0; while (s < 5 && n < 20) { s = s * 1.5 + x[0]; n++; } out[0] = s; do { s -= x[1]; n--; } while (n > 3); out[1] = s;',
  'break and continue':
    'for (let i = 0; i < 9; i++) { if (i === 1) continue; if (i > 2) break; out[0] += x[i] * x[0]; } outer: for (;;) { for (;;) { out[1] = x[1]; break outer; } }',
  'labelled for-of':
    'outer: for (const a of x) { for (const b of x) { if (b > a) continue outer; out[0] += a * b; } } out[1] = x[0];',
  'early return': 'out[1] = x[1] ** 2; if (x[0] < 2) { out[0] = x[0] * x[2]; return; } out[0] = 100 * x[0];',
  'var in a loop':
    'for (var i = 0; i < 3; i++) { var s = (s || 0) + x[i] * x[i]; } out[0] = s; out[1] = i * x[0];',
  'typed arrays':
    'const w = new Float64Array(3); w.set(x); w[1] *= w[0]; const v = new Float64Array(w); v[2] = w[1] * v[2]; out[0] = v[2] + w[2]; out[1] = v.length * v[1];',
  'single precision arrays':
    'const w = new Float32Array(2); w[0] = 1; out[0] = w[0] * x[0]; out[1] = x[1] * w[1] + x[2];',
  'array literals':
    'const a = [x[0], 2, x[1] * x[2]]; a[1] = a[0] * a[2]; out[0] = a[1]; out[1] = a[0] + a[2];',
  'nested arrays':
    'const m = [[x[0], x[1]], [0, x[2]]]; m[1][0] = m[0][0] * m[0][1]; let s = 0; for (let i = 0; i < 2; i++) for (let j = 0; j < 2; j++) s += m[i][j] * m[j][i]; out[0] = s; out[1] = m[1][0];',
  'computed indices':
    'const a = [0, 0, 0]; for (let i = 0; i < 3; i++) a[(i * 2) % 3] = x[i] * (i + 1); out[0] = a[0] * a[1]; out[1] = a[Math.floor(2.5)];',
  'overwriting with constants':
    'const a = [x[0], x[1]]; for (let i = 0; i < 2; i++) if (i === 1) a[i] = 5; let s = x[2]; out[1] = s; s = 3; out[0] = a[0] * a[1] * s;',
  'fill, slice, subarray':
    'const w = new Float64Array(4).fill(x[0]); w.subarray(1, 3)[0] = x[1]; w.fill(x[2] ** 2, 3); const s = w.slice(1); s[0] *= 2; out[0] = s[0] + s[2] * w[1]; w.fill(0); out[1] = w[0] + x[1] * s[1];',
  'set with constants':
    'const w = Float64Array.from(x); w.set([7, 8], 1); out[0] = w[0] * w[1] + w[2]; out[1] = x[2];',
  'push, pop, shift':
    'const a: number[] = []; for (const e of x) a.push(e * e); a.unshift(4); const p = a.pop()!; a.shift(); out[0] = p * a[0]; out[1] = a.length * a[1]; a.push(x[0], 3); out[1] += a.at(-2)! * a.at(-1)!;',
  'concat, reverse, spread':
    'const a = [1, x[0]].concat([x[1]], x[2] * 2); a.reverse(); const b = [...a, ...[5], ...x]; out[0] = b[0] * b[2] * b[4]; out[1] = b[5] * b[6] + b.length;',
  'map, forEach, reduce':
    'const a = [...x].map((e, i) => e * e + i); a.forEach((e, i) => { out[0] += e * i * x[0]; }); out[1] = a.reduce((s, e) => s * e) + x.reduce((s, e, i) => s + i * e, x[0]);',
  'callbacks over constants': [
    'out[0] = K.map((k) => k * x[0]).reduce((a, b) => a + b, 0); K.forEach((k, i) => { out[1] += k * x[i]; });',
    'const K = [1, 2, 4];',
  ],
  'typed map':
    'const w = x.map((e) => Math.sin(e)); out[0] = w[0] * w[1]; out[1] = w.map(() => 2)[0] * x[0];',
  'Array.from and of':
    'const a = Array.from({ length: 3 }, (_, i) => x[i] * i); const b = Float64Array.of(x[0], 1, a[2]); const c = Array.from(x, (e) => e * 2); out[0] = a[1] * b[2]; out[1] = b[0] * c[2] + Array.of(x[1])[0];',
  'some, every, indexOf':
    'out[0] = x.some((e) => e > 1) ? x[0] ** 2 : 0; out[1] = [...x].every((e) => e > 0) ? 1 : x[1] * x.indexOf(x[2]);',
  destructuring:
    'const [a, , b] = x; let c = 0, d = 1; [c, d] = [d + a, c + b]; [c, d] = [d, c]; const { p, q: { r = 2, s } } = { p: a * b, q: { s: [a, d] } } as any; out[0] = c * d + p; out[1] = r * s[0] * s[1];',
  'defaults and rest in patterns':
    'const [a, b = a * 2, ...c] = [x[0], undefined, x[1], x[2]]; out[0] = a * b!; out[1] = c[0]! * c[1]!;',
  objects:
    'const o: any = { a: x[0], n: 3, v: [x[1], 1], ["k" + 1]: x[2] }; o.a *= o.n; o.b = o.a * o.v[0]; const u = { ...o, n: x[2] }; out[0] = o.b * o.k1; out[1] = u.n * u.a;',
  'objects with shorthand and methods':
    'const a = x[0]; const o = { a, twice: (e: number) => 2 * e * a, half(e: number) { return e / 2; } }; out[0] = o.twice(x[1]) * o.a; out[1] = o.half(x[2]);',
  'helper functions': [
    'out[0] = sq(x[0]) + sq(3) + add(x[1], x[2]); norm(x, out, 1);',
    'const sq = (a: number) => a * a; function add(a: number, b = 2 * a, c = 1) { return a * b * c; }\nconst norm = (v: Float64Array, o: Float64Array, i: number) => { o[i] = Math.sqrt(dot(v, v)); };\nconst dot = (a: Float64Array, b: Float64Array) => { let s = 0; for (let i = 0; i < a.length; i++) s += a[i] * b[i]; return s; };',
  ],
  'default parameters': [
    'out[0] = g(x[0]) * g(x[1], 2); out[1] = h([x[2]]) + h([x[0], x[1]]);',
    'const g = (a: number, b = a * a) => a + b; const h = ([a, b = 3 * a]: number[]) => a * b;',
  ],
  'helpers that return arrays and objects': [
    'const r = rotate([x[0], x[1]], x[2]); const [u, v] = r; out[0] = u * v; const s = split(x); out[1] = s.sum * s.parts[1];',
    'const rotate = ([a, b]: number[], t: number): [number, number] => [a * Math.cos(t) - b * Math.sin(t), a * Math.sin(t) + b * Math.cos(t)];\nfunction split(v: Float64Array) { return { sum: v[0] + v[1] * v[2], parts: v.slice(1) }; }',
  ],
  recursion: [
    'out[0] = power(x[0], 5); out[1] = chebyshev(4, x[1]);',
    'function power(a: number, n: number): number { return n === 0 ? 1 : a * power(a, n - 1); }\nconst chebyshev = (n: number, a: number): number => n < 2 ? (n === 0 ? 1 : a) : 2 * a * chebyshev(n - 1, a) - chebyshev(n - 2, a);',
  ],
  'mutual recursion': [
    'out[0] = even(x[0], 6); out[1] = x[1];',
    'const even = (a: number, n: number): number => n === 0 ? 1 : a * odd(a, n - 1); const odd = (a: number, n: number): number => n === 0 ? a : (a + 1) * even(a, n - 1);',
  ],
  'local functions and closures':
    'let s = 0; const add = (e: number) => { s += e * x[0]; return s; }; function twice(e: number) { return add(e) + add(e); } out[0] = twice(x[1]) * x[2]; out[1] = s + late(x[2]); function late(e: number) { return e * e; }',
  'functions as arguments': [
    'out[0] = integrate((t) => Math.sin(t * x[0]), 0, x[1]); out[1] = integrate(cube, x[0], x[2]);',
    'const cube = (t: number) => t ** 3;\nfunction integrate(g: (t: number) => number, a: number, b: number): number { let s = 0; for (let i = 0; i < 4; i++) s += g(a + ((i + 0.5) * (b - a)) / 4); return (s * (b - a)) / 4; }',
  ],
  'one function as argument': [
    'out[0] = mean((t) => Math.sin(t * x[0]), x[1]); out[1] = x[2];',
    'function mean(g: (t: number) => number, b: number): number { let s = 0; for (let i = 0; i < 4; i++) s += g(b * i); return s / 4; }',
  ],
  'exported helpers and constants': [
    'out[0] = twice(x[0]) * GAIN; out[1] = table[1] * x[1] + twice(table[0]);',
    'export const twice = (a: number) => 2 * a * a; export const GAIN = 3; export const table = [4, 5];',
  ],
  'constants of the script': [
    'const row = K[1]; out[0] = row[0] * x[0] + K[0][1] * x[1]; out[1] = dot(K[0], x) + dot(x, K[0]);',
    'const K = [[1, 2, 3], make()]; function make() { return new Float64Array([4, 5, 6]); }\nconst dot = (a: ArrayLike<number>, b: ArrayLike<number>) => { let s = 0; for (let i = 0; i < a.length; i++) s += a[i] * b[i]; return s; };',
  ],
  'functions of Math by other names': [
    'const { hypot } = Math; const M = Math; out[0] = sin(x[0]) * hypot(x[1], x[2]); out[1] = M.cos(x[0]) * PI * root(x[2]);',
    'const { sin, PI } = Math; const root = Math.sqrt;',
  ],
  enumerations: ['out[0] = Axis.Y * x[Axis.Y]; out[1] = x[Axis.X];', 'enum Axis { X, Y = 2 }'],
  'comma and void': 'let s = 0; out[0] = (s = x[0] * 2, s * x[1]); void x[0]; out[1] = x[2];',
  'order of evaluation':
    'let a = x[0]; const b = a * (a = x[1]) + a; let i = 0; const w = [0, 0, 0]; w[i++] = x[i++] * x[i]; const g = () => { a *= 2; return a; }; out[0] = b + a * g() * a; out[1] = w[0] + g() * a;',
  'reading and writing an argument':
    'x[0] = x[0] * x[1]; x[2] += x[0]; out[0] = x[0] * x[2]; out[1] = x[0] + x[1];',
  'relying on zeros in out': 'out[0] += x[0] * x[0]; out[0] *= x[1]; out[1] -= x[2] + out[0];',
  'bit operations on indices':
    'const n = (x.length << 1) | 1; out[0] = n * x[n & 1]; out[1] = x[~~2.7] * (x[0] | 0);',
  'tests of numbers':
    'out[0] = Number.isFinite(x[0]) && !isNaN(x[1]) ? x[0] * x[1] : 0; out[1] = Array.isArray(x) ? 0 : Number(x[2]) * 2;',
  'what a throw says':
    'if (x[0] > 100) throw new Error(`too large: ${x[0]}`); out[0] = x[0] ** 2; out[1] = x[1];',
  'constants that are not followed': [
    'const m = new Map([["a", 2]]); out[0] = m.get("a")! * x[0]; out[1] = lookup(3) * x[1] + "abc".length * x[2];',
    'const cache = new Map<number, number>([[3, 7]]); const lookup = (k: number): number => { for (const [a, b] of cache) { if (a === k) return b; } return 0; };',
  ],
  'frozen objects':
    'const o = Object.freeze({ a: x[0] * x[1], b: Object.freeze([x[2]]) }); out[0] = o.a; out[1] = o.b[0] * o.a;',
  'sparse arrays by key':
    'const s: number[] = []; for (let i = 0; i < 6; i++) s[i % 2] = (s[i % 2] || 0) + x[i % 3] * i; out[0] = s[0]; out[1] = s[1] * s[0];',
  'going through keys of constants and results':
    'const o: any = { n: 3, a: x[0] }; o.m = 4; o.b = o.a * x[1]; for (const k in o) out[0] += o[k] * o[k]; out[1] = x[2];',
  'arrays that grow by constants':
    'const a: number[] = []; a[1] = x[0]; a[2] = 5; const p = a.pop()!; a[0] = 2; a[3] = x[1]; out[0] = p * a[1] * a.length; out[1] = a.slice(2)[1] * a[0] * x[2];',
  'chained assignments':
    'let a, b; a = b = x[0] * x[1]; b *= 2; out[0] = out[1] = a * b; const w = new Float32Array(1); out[1] += (w[0] = 2) * x[2];',
  'channels of nested calls': [
    'out[0] = g(g(x[0]) * g(x[1])) + h([g(x[2])])[0]; out[1] = [x[0], x[1]].map((e) => [g(e), h([e])[0]]).reduce((s, [a, b]) => s + a * b, 0);',
    'const g = (a: number) => Math.sin(a); const h = (v: number[]) => v.map((e) => g(e) * e);',
  ],
  'functions that are never called':
    'function idle() { return x[0]; } const g = idle; const o = { g, h: () => x[1] }; out[0] = x[0] * x[1]; out[1] = o === null ? 0 : x[2];',
  sizes:
    'const { length } = x; const w = x.slice(); out[0] = (x[0] * x.byteLength) / x.BYTES_PER_ELEMENT; out[1] = length * w.byteLength * w[1];',
  'swapping arrays':
    'let a = [x[0], x[1]], b = [x[2], 0]; for (let i = 0; i < 3; i++) { b[1] = a[0] * a[1]; [a, b] = [b, a]; } out[0] = a[0] + a[1]; out[1] = b[0];',
  'single statement bodies':
    'for (const i of [0, 1]) for (let j = 0; j < 2; j++) if (i <= j) out[i] += x[j]; else out[i] -= x[j] * x[i];',
};

describe('derivatives of', () => {
  it.each(Object.entries(CASES))('%s', (_, text) => {
    const source = typeof text === 'string' ? body(text) : body(text[0], text[1]);
    const jacobian = expectJacobian(source, POINT, 2);
    // A case that does not depend on the argument would prove nothing.
    expect(jacobian.some((entry) => entry !== 0)).toBe(true);
  });
});

describe('forms', () => {
  it('a number that is returned', () => {
    const source =
      'export const f = (t: number, q: Float64Array, v: Float64Array, p: any): number => p.m * v[0] * v[0] / 2 + p.g * q[0] * t;';
    const { derivative } = derive(source, { function: 'f', argument: 1, result: 'return' });
    const jacobian = new Float64Array(2);
    derivative(2, Float64Array.of(3, 4), Float64Array.of(5, 6), { m: 2, g: 10 }, jacobian);
    expect([...jacobian]).toEqual([20, 0]);
  });

  it('a number that is differentiated by', () => {
    const source =
      'export const f = (t: number, out: Float64Array, p: any) => { out[0] = Math.sin(p.w * t); out[1] = t ** 3; };';
    const { derivative } = derive(source, { function: 'f', argument: 0, shape: 'scalar', result: 1 });
    const jacobian = new Float64Array(2);
    const out = new Float64Array(2);
    derivative(0.5, out, { w: 3 }, jacobian);
    expect([...jacobian]).toEqual([Math.cos(1.5) * 3, 3 * (0.5 * 0.5)]);
    expect([...out]).toEqual([Math.sin(1.5), 0.125]);
  });

  it('no dependence at all', () => {
    const source = 'export const f = (t: number, q: Float64Array, out: Float64Array) => { out[0] = t; };';
    const { derivative } = derive(source, { function: 'f', argument: 1, result: 2 });
    const jacobian = new Float64Array(2).fill(7);
    const out = new Float64Array(1);
    derivative(3, new Float64Array(2), out, jacobian);
    expect([...jacobian, ...out]).toEqual([0, 0, 3]);
  });

  it.each([0, 1, 3, 4, 5, 8, 9])('%d columns', (n) => {
    const source =
      'export function f(x: Float64Array, out: Float64Array) { for (let i = 0; i < x.length; i++) out[i] = x[i] * x[(i + 1) % x.length]; out[x.length] = 1; }';
    const { derivative } = derive(source, { function: 'f', argument: 0, result: 1 });
    const x = Float64Array.from({ length: n }, (_, i) => i + 1);
    const jacobian = new Float64Array((n + 1) * n).fill(Number.NaN);
    const out = new Float64Array(n + 1);
    for (let round = 0; round < 2; round++) {
      out.fill(0);
      derivative(x, out, jacobian);
      const expected = new Float64Array((n + 1) * n);
      for (let i = 0; i < n; i++) {
        expected[i * n + i] += x[(i + 1) % n];
        expected[i * n + ((i + 1) % n)] += x[i];
      }
      expect(jacobian).toEqual(expected);
      expect(out[n]).toBe(1);
    }
  });

  it('fewer and more parameters than the call has arguments', () => {
    const request = { function: 'f', arguments: 3, argument: 0, result: 1 } as const;
    const jacobian = new Float64Array(1);
    const fewer = derive(
      'export const f = (x: Float64Array, out: Float64Array) => { out[0] = x[0] ** 2; };',
      request,
    );
    fewer.derivative(Float64Array.of(3), new Float64Array(1), {}, jacobian);
    expect(jacobian[0]).toBe(6);
    const more = derive(
      'export const f = (x: Float64Array, out: Float64Array, p: any, n = x[0] * p.k) => { out[0] = x[0] * n; };',
      request,
    );
    more.derivative(Float64Array.of(3), new Float64Array(1), { k: 5 }, jacobian);
    expect(jacobian[0]).toBe(30);
  });

  it('long sums', () => {
    const terms = Array.from({ length: 500 }, (_, i) => `${i} * x[${i % 3}]`).join(' + ');
    expectJacobian(
      `export function f(x: Float64Array, out: Float64Array) { out[0] = ${terms}; }`,
      [1, 2, 3],
      1,
    );
  });

  it('several derivatives in one compartment', () => {
    const script = transpile(
      'const g = (a: number) => a * a; export const f = (t: number, x: Float64Array, v: Float64Array, out: Float64Array) => { out[0] = t * g(x[0]) * g(v[0]); };',
    );
    const requests = [
      { function: 'f', argument: 0, shape: 'scalar', result: 3 },
      { function: 'f', argument: 1, result: 3 },
      { function: 'f', argument: 2, result: 3 },
      { function: 'f', argument: 2, result: 3 },
    ] as const;
    const derivatives = requests.map((request) => {
      const result = differentiate(script, request);
      if (!result.ok) throw new Error(result.defect.message);
      return result;
    });
    const exports = sandbox.evaluate(withDerivatives(script, derivatives)) as Record<string, Call>;
    const values = derivatives.map(({ name }) => {
      const jacobian = new Float64Array(1);
      exports[name](2, Float64Array.of(3), Float64Array.of(5), new Float64Array(1), jacobian);
      return jacobian[0];
    });
    expect(values).toEqual([225, 300, 180, 180]);
  });

  it('several lengths one after the other', () => {
    const source =
      'export function f(x: Float64Array, out: Float64Array) { for (let i = 0; i < x.length; i++) out[0] += x[i] * x[i]; }';
    const { derivative } = derive(source, { function: 'f', argument: 0, result: 1 });
    for (const n of [2, 6, 1, 6]) {
      const x = Float64Array.from({ length: n }, (_, i) => i + 1);
      const jacobian = new Float64Array(n);
      derivative(x, new Float64Array(1), jacobian);
      expect([...jacobian]).toEqual([...x].map((e) => 2 * e));
    }
  });
});

describe('second derivatives', () => {
  const source =
    'const { sin, cos } = Math;\nfunction square(a: number) { return a * a; }\n' +
    'export function f(q: Float64Array, out: Float64Array) { out[0] = sin(q[0]) * square(q[1]) + q[0] ** 3; const w = [q[0], q[1]]; out[1] = w.map((e) => e * e * e).reduce((a, b) => a * b, 1) + Math.hypot(q[0], cos(q[1])); }';

  it('are derivatives of a derivative along a direction', () => {
    const first = derive(source, { function: 'f', argument: 0, result: 1, kind: 'direction' });
    const second = derive(first.script, { function: first.name, argument: 0, result: 3 });
    const q = Float64Array.of(0.4, 1.2);
    const v = Float64Array.of(0.9, -0.3);
    const out = new Float64Array(2);
    const tangent = new Float64Array(2);
    const jacobian = new Float64Array(4);
    second.derivative(q, out, v, tangent, jacobian);
    // ∂/∂q of (∇f v): compare with differences of the first derivative.
    const h = 1e-5;
    for (let j = 0; j < 2; j++) {
      const [above, below] = [1, -1].map((sign) => {
        const moved = q.slice();
        moved[j] += sign * h;
        const result = new Float64Array(2);
        first.derivative(moved, new Float64Array(2), v, result);
        return result;
      });
      for (let i = 0; i < 2; i++) {
        expect(jacobian[2 * i + j]).toBeCloseTo((above[i] - below[i]) / (2 * h), 7);
      }
    }
    const direct = new Float64Array(2);
    first.derivative(q, new Float64Array(2), v, direct);
    expect([...tangent]).toEqual([...direct]);
    expect([...out]).not.toEqual([0, 0]);
  });

  it('of functions that store in their arguments and mix them with constants', () => {
    const text =
      'const K = [2, 3];\nexport function f(q: Float64Array, v: Float64Array, out: Float64Array) { q[0] *= q[1]; const w = q[0] > 100 ? K : v; out[0] = dot(w, q) * dot(K, q); }\n' +
      'function dot(a: ArrayLike<number>, b: ArrayLike<number>) { return a[0] * b[0] + a[1] * b[1]; }';
    const first = derive(text, { function: 'f', argument: 0, result: 2, kind: 'direction' });
    const second = derive(first.script, { function: first.name, argument: 0, result: 4 });
    const q = [0.4, 1.2];
    const v = Float64Array.of(0.9, -0.3);
    const jacobian = new Float64Array(2);
    second.derivative(Float64Array.from(q), v.slice(), new Float64Array(1), v, new Float64Array(1), jacobian);
    const along = (moved: number[]): number => {
      const tangent = new Float64Array(1);
      first.derivative(Float64Array.from(moved), v.slice(), new Float64Array(1), v, tangent);
      return tangent[0];
    };
    const h = 1e-5;
    expect(jacobian[0]).toBeCloseTo((along([q[0] + h, q[1]]) - along([q[0] - h, q[1]])) / (2 * h), 7);
    expect(jacobian[1]).toBeCloseTo((along([q[0], q[1] + h]) - along([q[0], q[1] - h])) / (2 * h), 7);
  });

  it('along a direction again give the second time derivative', () => {
    const first = derive(source, { function: 'f', argument: 0, result: 1, kind: 'direction' });
    const second = derive(first.script, { function: first.name, argument: 0, result: 3, kind: 'direction' });
    const q = Float64Array.of(0.4, 1.2);
    const v = Float64Array.of(0.9, -0.3);
    const rate = new Float64Array(2);
    second.derivative(q, new Float64Array(2), v, new Float64Array(2), v, rate);
    const along = (s: number): Float64Array => {
      const out = new Float64Array(2);
      first.derivative(Float64Array.of(q[0] + s * v[0], q[1] + s * v[1]), new Float64Array(2), v, out);
      return out;
    };
    const h = 1e-5;
    for (let i = 0; i < 2; i++) expect(rate[i]).toBeCloseTo((along(h)[i] - along(-h)[i]) / (2 * h), 7);
  });
});
