/** Rules of the functions of Math, their conventions at kinks, and where a derivative is infinite. */
import { describe, expect, it } from 'vitest';
import { derive, expectJacobian } from './support';

/** Derivative of an expression in `x`, and with two numbers of one in `x` and `y`. */
function slope(expression: string, ...at: number[]): number[] {
  const source = `export function f(v: Float64Array, out: Float64Array) { const x = v[0], y = v[1]; out[0] = ${expression}; }`;
  const { derivative } = derive(source, { function: 'f', argument: 0, result: 1 });
  const jacobian = new Float64Array(at.length);
  derivative(Float64Array.from(at), new Float64Array(1), jacobian);
  return [...jacobian];
}

const POINTS: Record<string, readonly number[]> = {
  abs: [-1.5, 2],
  sqrt: [0.3, 4],
  cbrt: [-2, 0.7],
  exp: [-1, 2],
  expm1: [-3, 0.2],
  log: [0.4, 3],
  log1p: [-0.5, 2],
  log2: [0.4, 3],
  log10: [0.4, 3],
  sin: [0.4, -2],
  cos: [0.4, -2],
  tan: [0.4, -1.2],
  asin: [0.4, -0.9],
  acos: [0.4, -0.9],
  atan: [0.4, -3],
  sinh: [0.4, -2],
  cosh: [0.4, -2],
  tanh: [0.4, -2],
  asinh: [0.4, -2],
  acosh: [1.4, 3],
  atanh: [0.4, -0.8],
  sign: [-2, 3],
  floor: [1.3, -0.2],
  ceil: [1.3, -0.2],
  round: [1.3, -0.2],
  trunc: [1.3, -1.2],
  clz32: [3.3, 9.1],
};

describe('functions of one argument', () => {
  it.each(Object.entries(POINTS))('%s', (name, points) => {
    for (const x of points) {
      expectJacobian(
        `export function f(x: Float64Array, out: Float64Array) { out[0] = Math.${name}(x[0]); }`,
        [x],
        1,
      );
    }
  });

  it('fround is followed as the number it represents', () => {
    expect(slope('Math.fround(x) * x', 0.5)).toEqual([1]);
  });

  it('keep their digits where the textbook formula loses them', () => {
    expect(slope('Math.expm1(x)', -40)[0]).toBeCloseTo(Math.exp(-40), 30);
    expect(slope('Math.tanh(x)', 20)[0] / (4 * Math.exp(-40))).toBeCloseTo(1, 12);
    expect(slope('Math.asinh(x)', 1e200)).toEqual([1e-200]);
    expect(slope('Math.acos(x)', 1 - 2 ** -53)[0]).toBeCloseTo(-(2 ** 26), 0);
  });
});

describe('functions of several arguments', () => {
  it.each([
    'Math.pow(x, y)',
    'Math.pow(y, 3) * Math.pow(2, x)',
    'Math.atan2(y, x)',
    'Math.atan2(-y, x) + Math.atan2(2, x) + Math.atan2(y, 3)',
    'Math.hypot(x, y)',
    'Math.hypot(x, 2, y, x)',
    'Math.max(x, y, 0.1) * Math.min(3, x, y)',
    'Math.min(x * y, y) + Math.max(x)',
    'Math.hypot(x) + Math.imul(3, 4) * y',
  ])('%s', (expression) => {
    const source = `export function f(v: Float64Array, out: Float64Array) { const x = v[0], y = v[1]; out[0] = ${expression}; }`;
    expectJacobian(source, [0.7, 1.9], 1);
    expectJacobian(source, [1.7, 0.3], 1);
  });

  it('do not overflow where the result does not', () => {
    expect(slope('Math.hypot(x, y)', 3e200, 4e200)).toEqual([
      expect.closeTo(0.6, 15),
      expect.closeTo(0.8, 15),
    ]);
    expect(slope('Math.atan2(y, x)', 3e200, 4e200).map((s) => s * 1e200)).toEqual([
      expect.closeTo(-0.16, 12),
      expect.closeTo(0.12, 12),
    ]);
  });
});

describe('at kinks', () => {
  it.each<[string, number[], number[]]>([
    ['Math.abs(x)', [0], [0]],
    ['Math.abs(x)', [-0], [0]],
    ['Math.max(x, y)', [2, 2], [1, 0]],
    ['Math.max(y, x)', [2, 2], [0, 1]],
    ['Math.min(x, y)', [0, -0], [1, 0]],
    ['Math.max(1, x)', [1, 0], [0, 0]],
    ['x > 0 ? x * x : -x', [0], [-1]],
    ['x >= 0 ? 3 * x : -x', [0], [3]],
    ['Math.hypot(x, y)', [0, 0], [0, 0]],
    ['Math.atan2(y, x)', [0, 0], [0, 0]],
    ['Math.floor(x) * x', [2.5], [2]],
  ])('%s at %j', (expression, at, expected) => {
    // Whether a zero has a sign is of no account.
    expect(slope(expression, ...at).map((s) => s + 0)).toEqual(expected);
  });
});

describe('where the derivative is infinite', () => {
  it('it is, unless the tangent is zero', () => {
    expect(slope('Math.sqrt(x) + y', 0, 1)).toEqual([Infinity, 1]);
    expect(slope('Math.cbrt(x) + y', 0, 1)).toEqual([Infinity, 1]);
    expect(slope('Math.asin(x) * y', 1, 1)).toEqual([Infinity, Math.PI / 2]);
    expect(slope('Math.sqrt(x * x)', 0)).toEqual([0]);
    expect(slope('Math.acosh(1 + x * x) + y', 0, 3)).toEqual([0, 1]);
  });

  it.each<[string, number[], number[]]>([
    ['x ** 2', [0], [0]],
    ['x ** 1', [0], [1]],
    ['x ** 0', [0], [0]],
    ['x ** 3', [-2], [12]],
    ['x ** -1', [2], [-0.25]],
    ['x ** 0.5 + y', [0, 1], [Infinity, 1]],
    ['x ** y', [0, 2], [0, 0]],
    ['x ** y', [0, 1], [1, 0]],
    ['x ** y', [0, 0], [0, 0]],
    ['Math.pow(x, 2)', [0], [0]],
    ['Math.pow(x, y)', [0, 3], [0, 0]],
    ['(-2) ** (3 + 0 * x) + y', [1, 1], [0, 1]],
    ['(x * 0) ** 0.5', [1], [0]],
  ])('powers: %s at %j', (expression, at, expected) => {
    expect(slope(expression, ...at).map((s) => s + 0)).toEqual(expected);
  });
});
