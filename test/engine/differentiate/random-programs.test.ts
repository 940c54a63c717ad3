/** Random programs with loops, branches, arrays and helpers, against extrapolated differences. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { expectJacobian } from './support';

/** Numbers that keep programs smooth: no division near zero, no argument outside a domain. */
const FUNCTIONS = [
  (a: string) => `Math.sin(${a})`,
  (a: string) => `Math.cos(${a})`,
  (a: string) => `Math.tanh(${a})`,
  (a: string) => `Math.atan(${a})`,
  (a: string) => `Math.sqrt(1 + (${a}) ** 2)`,
  (a: string) => `Math.exp(-((${a}) ** 2))`,
  (a: string) => `Math.log1p((${a}) * (${a}))`,
  (a: string) => `Math.asinh(${a})`,
  (a: string) => `square(${a})`,
  (a: string) => `-(${a})`,
  (a: string) => `blend(${a})`,
];

const PAIRS = [
  (a: string, b: string) => `(${a}) + (${b})`,
  (a: string, b: string) => `(${a}) - (${b})`,
  (a: string, b: string) => `(${a}) * (${b})`,
  (a: string, b: string) => `(${a}) / (2 + (${b}) ** 2)`,
  (a: string, b: string) => `Math.hypot(1, ${a}, ${b})`,
  (a: string, b: string) => `Math.atan2(${a}, 2 + Math.cos(${b}))`,
  (a: string, b: string) => `(1.5 + Math.sin(${a})) ** Math.cos(${b})`,
  (a: string, b: string) => `dot([${a}, 2], [${b}, ${a}])`,
  (a: string, b: string) => `pair(${a}, ${b}).sum`,
  (a: string, b: string) => `(c = ${a}, c * (${b}))`,
  (a: string, b: string) => `(w[k++ % 3] = ${a}) + (${b})`,
];

const HELPERS = [
  'const square = (a: number) => a * a;',
  'const blend = (a: number, b = 0.5 * a) => { let s = 0; for (let i = 0; i < 3; i++) { s += i % 2 ? a : b * i; } return Math.sin(s); };',
  'function dot(a: number[], b: number[]): number { let s = 0; for (let i = 0; i < a.length; i++) s += a[i] * b[i]; return Math.tanh(s); }',
  'function pair(a: number, b: number) { const parts = [a, b]; parts.push(Math.sin(a * b)); return { parts, sum: parts.reduce((s, e) => s + Math.cos(e), 0) }; }',
].join('\n');

/**
 * Branch conditions by counters and constants: a kink in the argument would have no derivative to compare
 * with.
 */
const conditions = fc.constantFrom(
  'k % 2 === 0',
  'i > 1',
  'p > 2',
  'k < 5 && i !== 2',
  'out.length > 1 || k > 3',
  '!(i === k)',
);
const leaves = fc.constantFrom(
  'x[0]',
  'x[1]',
  'x[2]',
  'a',
  'b',
  'c',
  'w[0]',
  'w[k % 3]',
  'm[1][0]',
  'o.r',
  'p',
  '0.75',
  '2',
  'i',
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaves,
    fc.tuple(fc.constantFrom(...FUNCTIONS), tie('expression')).map(([f, a]) => f(a)),
    fc.tuple(fc.constantFrom(...PAIRS), tie('expression'), tie('expression')).map(([f, a, b]) => f(a, b)),
    fc.tuple(conditions, tie('expression'), tie('expression')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
  ),
}));

const targets = fc.constantFrom(
  'a',
  'b',
  'c',
  'w[0]',
  'w[i % 3]',
  'm[0][1]',
  'm[1][0]',
  'o.r',
  'out[0]',
  'out[1]',
);

/** Products of growing numbers would leave the range in which differences mean anything. */
const bounded = (text: string): string => `Math.sin(${text})`;

const { statement } = fc.letrec<{ statement: string }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.tuple(targets, expression).map(([t, e]) => `${t} = ${bounded(e)};`),
    fc
      .tuple(targets, fc.constantFrom('+=', '-='), expression)
      .map(([t, op, e]) => `${t} ${op} ${bounded(e)};`),
    fc
      .tuple(targets, targets, expression, expression)
      .map(([s, t, d, e]) => `[${s}, ${t}] = [${bounded(d)}, ${bounded(e)}];`),
    fc
      .tuple(conditions, tie('statement'), tie('statement'))
      .map(([c, s, t]) => `if (${c}) { ${s} } else { ${t} }`),
    fc
      .tuple(tie('statement'), conditions)
      .map(([s, c]) => `for (let i = 0; i < 3; i++) { k++; if (${c}) continue; ${s} }`),
    fc
      .tuple(expression, tie('statement'))
      .map(([e, s]) => `for (const e of [${e}, x[1]]) { a += Math.sin(e); ${s} }`),
    fc.tuple(expression).map(([e]) => `w.set([${e}, 1, b]); w.fill(${e}, 2);`),
    fc
      .tuple(expression, tie('statement'))
      .map(([e, s]) => `{ const f = (a: number) => a * (${e}); b = Math.cos(f(c)); ${s} }`),
  ),
}));

const program = fc
  .array(statement, { minLength: 1, maxLength: 6 })
  .map((statements) =>
    [
      HELPERS,
      'export function f(x: Float64Array, out: Float64Array): void {',
      '  let a = x[0], b = 0.5, c = x[1] * 2, k = 0, i = 1; const p = 1.25;',
      '  const w = new Float64Array(3); const m = [[1, x[2]], [0.5, 2]]; const o = { r: x[0] * x[2], n: 1 };',
      ...statements.map((text) => `  ${text}`),
      '  out[0] += a * b + w[0] + w[2] + m[0][1]; out[1] += c + o.r * m[1][0] + w[1];',
      '}',
    ].join('\n'),
  );

/** Hundreds of scripts are transpiled, differentiated and compiled. */
const TIMEOUT_MS = 60_000;

describe('random programs', () => {
  it('have the same bits and the derivative of differences', { timeout: TIMEOUT_MS }, () => {
    const coordinate = fc.double({ min: -1.5, max: 1.5, noNaN: true });
    fc.assert(
      fc.property(program, fc.tuple(coordinate, coordinate, coordinate), (source, x) => {
        expectJacobian(source, x, 2);
      }),
      { seed: 20240607, numRuns: 250 },
    );
  });
});
