/**
 * What cannot be differentiated is refused at its line, and nothing a script does gives silently wrong
 * derivatives.
 */
import { describe, expect, it } from 'vitest';
import { differentiate, withDerivatives } from '@engine/script/differentiate/differentiate';
import { derive, expectJacobian, refusalOf, sandbox, transpile, type Call } from './support';

/** Four lines of types first: the defect of the statement is on line 7. */
const at7 = (statement: string, before = ''): string =>
  [
    'interface Long {',
    '  a: number;',
    '  b: Float64Array | null;',
    '}',
    before,
    'export function f(x: Float64Array, out: Float64Array): void {',
    statement,
    '}',
  ].join('\n');

const REFUSED: Record<string, [code: string, statement: string, before?: string]> = {
  'a variable of the script': ['derivative-outer-state', 'last = x[0]; out[0] = last;', 'let last = 0;'],
  'a counter of the script': ['derivative-outer-state', 'calls++; out[0] = x[0];', 'let calls = 0;'],
  'an array of the script': [
    'derivative-outer-state',
    'work[0] = x[0]; out[0] = work[0];',
    'const work = new Float64Array(2);',
  ],
  'an array of the script by another name': [
    'derivative-outer-state',
    'const w = work; w.fill(x[0]); out[0] = w[1];',
    'const work = [0, 0];',
  ],
  'an export of the script': ['derivative-outer-state', 'last += x[0]; out[0] = 1;', 'export let last = 0;'],
  'a property of a function': [
    'derivative-outer-state',
    'g.last = x[0]; out[0] = g.last;',
    'const g: any = () => 0;',
  ],
  'an unknown global': ['derivative-unknown', 'out[0] = parseFloat(String(x[0]));'],
  'a number made text': ['derivative-unknown', 'out[0] = +`${x[0]}`;'],
  'a number added to text': ['derivative-unknown', 'const s = "1" + x[0]; out[0] = Number(s);'],
  'an unknown method': ['derivative-unknown', 'out[0] = +x[0].toFixed(3);'],
  'an unknown array method': ['derivative-unknown', 'out[0] = [...x].sort()[0];'],
  JSON: ['derivative-unknown', 'out[0] = JSON.parse(JSON.stringify([x[0]]))[0];'],
  'a map': ['derivative-unknown', 'const m = new Map(); m.set(1, x[0]); out[0] = m.get(1);'],
  'a map of constants with an active key': [
    'derivative-unknown',
    'out[0] = K.get(x[0]) ?? 0;',
    'const K = new Map([[1, 2]]);',
  ],
  'spread arguments': ['derivative-unknown', 'out[0] = Math.max(...x);'],
  'an optional chain': ['derivative-unknown', 'const o: any = { a: x[0] }; out[0] = o?.a;'],
  delete: ['derivative-unknown', 'const o: any = { a: x[0] }; delete o.a; out[0] = o.a ?? x[1];'],
  'a buffer': [
    'derivative-unknown',
    'const w = x.slice(); const v = new Float64Array(w.buffer); out[0] = v[0];',
  ],
  'Object.assign': ['derivative-unknown', 'const o: any = Object.assign({}, { a: x[0] }); out[0] = o.a;'],
  'Object.values': ['derivative-unknown', 'out[0] = Object.values({ a: x[0] })[0];'],
  iterators: ['derivative-unknown', 'for (const [i, e] of x.entries()) out[i] = e;'],
  'a callback that is not a function of the script': [
    'derivative-unknown',
    'out[0] = [...x].map(Number)[0];',
  ],
  'a bound function': [
    'derivative-unknown',
    'out[0] = g.call(null, x[0]);',
    'const g = (a: number) => a * a;',
  ],
  'a function made by a function': [
    'derivative-unknown',
    'out[0] = g(x[0]);',
    'const g = ((k: number) => (a: number) => a * k)(2);',
  ],
  'a search that keeps a result': [
    'derivative-unknown',
    'let s = 0; x.some((e) => { s += e; return false; }); out[0] = s;',
  ],
  'random numbers': ['derivative-random', 'out[0] = x[0] * Math.random();'],
  'random numbers by another name': [
    'derivative-random',
    'out[0] = x[0] + random();',
    'const { random } = Math;',
  ],
  'random numbers in a test': ['derivative-random', 'if (Math.random() > 0.5) out[0] = x[0];'],
  try: ['derivative-try', 'try { out[0] = x[0]; } catch { out[0] = 0; }'],
  'a class': ['derivative-construct', 'class A { v = x[0]; } out[0] = new A().v;'],
  'an instance of a class of the script': [
    'derivative-unknown',
    'out[0] = new A(x[0]).v;',
    'class A { constructor(readonly v: number) {} }',
  ],
  'an accessor': ['derivative-accessor', 'const o = { get a() { return x[0]; } }; out[0] = o.a;'],
  'a prototype in a literal': [
    'derivative-accessor',
    'const o: any = { __proto__: { a: x[0] } }; out[0] = o.a;',
  ],
  'a prototype that is assigned': [
    'derivative-prototype',
    'const o: any = {}; o.__proto__ = { a: x[0] }; out[0] = o.a;',
  ],
  'a constructor': ['derivative-unknown', 'out[0] = new (x as any).constructor([x[0]])[0];'],
  arguments: ['derivative-arguments', 'out[0] = arguments[0][0];'],
  this: ['derivative-this', 'out[0] = (function (this: any) { return this ? 1 : x[0]; })();'],
  'an array as a number': ['derivative-object-arithmetic', 'out[0] = ([x[0]] as any) * 2;'],
  'an object with a value of its own': [
    'derivative-object-arithmetic',
    'out[0] = ({ valueOf: () => x[0] } as any) * 2;',
  ],
  'a function that returns now a number, now an array': [
    'derivative-object-arithmetic',
    'out[0] = (pick(x, x[0] > 0) as number) * 2;',
    'const pick = (v: Float64Array, b: boolean) => (b ? v[0] : [v[1]]);',
  ],
  'an integer array': ['derivative-rounding', 'const n = new Int32Array(1); n[0] = x[0] * 9; out[0] = n[0];'],
  'a length': ['derivative-length', 'out[0] = new Float64Array(x[0] + 1).length;'],
  'a generator': ['derivative-generator', 'for (const e of (function* () { yield x[0]; })()) out[0] = e;'],
  'an array that cannot be told': [
    'derivative-unknown-target',
    'const w = lists[0]; w[0] = 3; out[0] = x[0];',
    'const lists: number[][] = []; setup(); function setup() { lists.push([0]); }',
  ],
  'a length that is set': [
    'derivative-length',
    'const a = [x[0], x[1]]; a.length = 1; a.push(x[1]); out[0] = a[1];',
  ],
  'the buffer of the argument': ['derivative-unknown', 'out[0] = new Float64Array(x.buffer)[0];'],
  symbols: [
    'derivative-unknown',
    'const a: any = [x[0]]; a[Symbol.iterator] = function* () { yield 2; }; out[0] = [...a][0];',
  ],
  'a map of arrays': [
    'derivative-unknown',
    'const m = new Map(); const w = [0]; m.set(1, w); w[0] = x[0]; out[0] = m.get(1)[0];',
  ],
  'a property with an accessor': [
    'derivative-unknown',
    'const o: any = {}; Object.defineProperty(o, "a", { get: () => x[0] }); out[0] = o.a;',
  ],
  eval: ['derivative-unknown', 'eval("out[0] = x[0]");'],
  'the Function constructor': ['derivative-unknown', 'out[0] = new Function("a", "return a * a")(x[0]);'],
  'the global object': ['derivative-unknown', 'out[0] = (globalThis as any).Math.sin(x[0]);'],
  'a variable called Math': [
    'derivative-redefined',
    'const Math = { sin: (a: number) => a }; out[0] = Math.sin(x[0]);',
  ],
  'a parameter called Float64Array': [
    'derivative-redefined',
    'const g = (Float64Array: any) => x[0]; out[0] = g(0);',
  ],
  'Math assigned to': [
    'derivative-redefined',
    '(Math as any) = { sin: (a: number) => a }; out[0] = Math.sin(x[0]);',
  ],
};

describe('refused, at the line of the user', () => {
  it.each(Object.entries(REFUSED))('%s', (_, [code, statement, before]) => {
    const defect = refusalOf(at7(statement, before));
    expect(defect).toMatchObject({ code, line: 7 });
    expect(defect.message.length).toBeGreaterThan(10);
    expect(defect.remedy.length).toBeGreaterThan(5);
    expect(defect.column).toBeGreaterThan(0);
  });

  it('rest parameters, where they stand', () => {
    const defect = refusalOf(
      at7('out[0] = g(x[0], x[1]);', 'const g = (...list: number[]) => list[0] * list[1];'),
    );
    expect(defect).toMatchObject({ code: 'derivative-rest', line: 5 });
  });

  it('the column is that of the source with its types', () => {
    const source =
      'export const f = (x: Float64Array, out: Float64Array): void => { out[0] = x[0] * Math.sin(x[0] * Math.random()); };';
    expect(refusalOf(source).column).toBe(source.indexOf('Math.random') + 1);
  });

  it('a helper, where the trouble is and not where it is called', () => {
    const defect = refusalOf(
      'const g = (a: number) =>\n  a * Math.random();\nexport const f = (x: Float64Array, out: Float64Array) => {\n  out[0] = g(x[0]);\n};',
    );
    expect(defect).toMatchObject({ code: 'derivative-random', line: 2 });
  });

  it('a module variable that others change, when it is mixed with what is computed', () => {
    const defect = refusalOf(
      'let gain = [1];\nexport function set(k: number) { gain = [k]; }\nexport function f(x: Float64Array, out: Float64Array) {\n  const w = x[0] > 0 ? gain : [x[0]];\n  out[0] = w[0];\n}',
    );
    expect(defect).toMatchObject({ code: 'derivative-outer-state', line: 2 });
  });
});

describe('functions that are not there', () => {
  it.each<[string, string]>([
    ['no export', 'const g = 1;'],
    ['a constant', 'export const f = 3;'],
    ['the result of a call', 'const make = () => (x: Float64Array) => x; export const f = make();'],
    ['one that is assigned twice', 'let f = (x: number) => x; f = (x) => 2 * x; export { f };'],
    ['an asynchronous one', 'export async function f(x: Float64Array, out: Float64Array) { out[0] = x[0]; }'],
  ])('%s', (_, source) => {
    const { code } = refusalOf(source);
    expect(['derivative-no-function', 'derivative-generator']).toContain(code);
  });

  it.each([8000, 30_000])('sums of %d terms', (length) => {
    const sum = Array.from({ length }, () => 'x[0]').join(' + ');
    const code = `exports.f = (x, out) => { out[0] = ${sum}; };`;
    const result = differentiate(
      { name: 'a.ts', code, exports: ['f'] },
      { function: 'f', argument: 0, result: 1 },
    );
    expect(result).toMatchObject({ ok: false, defect: { code: 'derivative-too-deep' } });
  });

  it('a returned array', () => {
    expect(refusalOf('export const f = (x: Float64Array) => [x[0]];', { result: 'return' }).code).toBe(
      'derivative-result',
    );
  });

  it('code that cannot be parsed', () => {
    const result = differentiate(
      { name: 'a.ts', code: 'exports.f = (x => ', exports: ['f'] },
      { function: 'f', argument: 0, result: 1 },
    );
    expect(result).toMatchObject({ ok: false, defect: { code: 'derivative-syntax' } });
  });
});

describe('names that could meet the generated ones', () => {
  it('are kept apart', () => {
    const source =
      'const $f_0_1_J = 3; let $f_0_1_J_0s = 5; const $f_0_1_D = 1;\n' +
      'export function f(x: Float64Array, out: Float64Array) { const jacobian = x[0], $f_0_1_Jt0 = x[1]; const a0 = x[2], i = 2, m = 1, n = 3, f = (s0: number) => s0 * jacobian; ' +
      'out[0] = f($f_0_1_Jt0) * $f_0_1_J + $f_0_1_J_0s * a0 * i * m * n; out[1] = [x[0]].map((r) => r * a0)[0] + $f_0_1_D; }';
    expectJacobian(source, [0.3, 0.5, -0.7], 2);
  });

  it('also as texts of the script that name them', () => {
    const source =
      'export function f(x: Float64Array, out: Float64Array) { const o: any = { "$f_0_1_J_0o": 2, a: x[0] }; out[0] = o["$f_0_1_J_0o"] * o.a; }';
    expectJacobian(source, [0.3], 1);
  });

  it('of other alphabets', () => {
    expectJacobian(
      'export function f(x: Float64Array, out: Float64Array) { const θ = x[0], ẋ = x[1]; out[0] = Math.sin(θ) * ẋ; }',
      [0.3, 0.4],
      1,
    );
  });

  it('shadowed in inner scopes', () => {
    const source =
      'const s = 2;\nexport function f(x: Float64Array, out: Float64Array) { let a = x[0] * s; { let a = x[1]; a *= a; out[1] = a; } for (let a = 0; a < 2; a++) { const s = a; out[0] += s * x[a]; } ' +
      'const g = (a: number) => { a *= 2; return a; }; out[0] += g(a) * a; }';
    expectJacobian(source, [0.3, 0.5], 2);
  });
});

describe('scripts that mean harm', () => {
  it.each([
    'out[0] = (({}).constructor as any).constructor("return process")().pid * x[0];',
    'out[0] = ((x as any).map.constructor as any)("return process")().pid * x[0];',
    'const o: any = { ["__pro" + "to__"]: { toString: 1 } }; o["__pro" + "to__"].polluted = x[0]; out[0] = x[0];',
  ])('%s reaches nothing', (statement) => {
    const script = transpile(`export function f(x: Float64Array, out: Float64Array) { ${statement} }`);
    const result = differentiate(script, { function: 'f', argument: 0, result: 1 });
    let failed = !result.ok;
    if (result.ok) {
      const exports = sandbox.evaluate(withDerivatives(script, [result])) as Record<string, Call>;
      const jacobian = new Float64Array(1);
      try {
        exports[result.name](Float64Array.of(1), new Float64Array(1), jacobian);
        // What is not harmful after all must be right.
        failed = jacobian[0] === 1;
      } catch {
        failed = true;
      }
    }
    expect(failed).toBe(true);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('are not executed by differentiating them', () => {
    const script = transpile(
      'throw new Error("executed");\nexport function f(x: Float64Array, out: Float64Array) { out[0] = x[0]; }',
    );
    expect(differentiate(script, { function: 'f', argument: 0, result: 1 }).ok).toBe(true);
  });

  it('console output of a derivative is left out', () => {
    const { derivative } = derive(
      'export function f(x: Float64Array, out: Float64Array) { console.log(x[0]); if (x[0] > 0) { console.log("a"); } out[0] = x[0]; }',
      { function: 'f', argument: 0, result: 1 },
    );
    const jacobian = new Float64Array(1);
    derivative(Float64Array.of(2), new Float64Array(1), jacobian);
    expect(jacobian[0]).toBe(1);
  });
});

describe('errors while a derivative runs', () => {
  it('name the line of the user', () => {
    const source =
      'interface A {\n  a: number;\n}\nexport function f(x: Float64Array, out: Float64Array) {\n  const w: number[][] = [];\n  let s = x[0] * 2;\n  s += w[3][0] * x[0];\n  out[0] = s;\n}';
    const { derivative } = derive(source, { function: 'f', argument: 0, result: 1 });
    let thrown: unknown;
    try {
      derivative(Float64Array.of(1), new Float64Array(1), new Float64Array(1));
    } catch (error) {
      thrown = error;
    }
    const { details } = sandbox.explain(thrown, {});
    expect(details.script).toMatchObject({ name: 'model.ts', line: 7 });
  });
});
