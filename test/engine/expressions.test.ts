/** The expression language: what it computes, and what it refuses. */
import { describe, expect, it } from 'vitest';
import { EXPRESSION_CONSTANTS, EXPRESSION_FUNCTIONS } from '@engine/document/expression-language';
import {
  compileExpression,
  evaluateExpression,
  ExpressionError,
  expressionNames,
} from '@engine/document/expressions';
import { evaluateWith } from '@engine/document/parameters';

/** Why a text is refused. @throws when it is not, or for another reason than being no expression */
function refusal(text: string, values: Record<string, number> = {}): string {
  try {
    evaluateWith(text, values);
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
  throw new Error(`“${text}” was accepted`);
}

describe('arithmetic', () => {
  it.each<[string, number]>([
    ['1 + 2*3', 7],
    ['(1 + 2)*3', 9],
    ['2^3^2', 512],
    ['-2^2', -4],
    ['7 - 4 - 2', 1],
    ['8/4/2', 1],
    ['1.5e-3', 0.0015],
    ['.5', 0.5],
    ['+3', 3],
    ['- -3', 3],
    ['7 mod 3', 1],
    ['-1 mod 3', 2],
    ['2 pi', 2 * Math.PI],
    ['tau', 2 * Math.PI],
    ['1 < 2', 1],
    ['2 <= 1', 0],
    ['2 > 1', 1],
    ['1 >= 2', 0],
    ['1 > 2 ? 10 : 20', 20],
    ['1 < 2 ? 10 : 20', 10],
    ['1/0', Number.POSITIVE_INFINITY],
    ['atan2(1, -1)', (3 * Math.PI) / 4],
    ['min(3, 2) + max(3, 2)', 5],
    ['hypot(3, 4)', 5],
    ['pow(2, 10)', 1024],
    ['cbrt(27)', 3],
    ['sign(-2)', -1],
    ['floor(2.7) + ceil(2.2) + round(2.5)', 8],
  ])('%s = %d', (text, value) => {
    expect(evaluateWith(text, {})).toBeCloseTo(value, 14);
  });

  it('0/0 and roots of negative numbers are NaN, not an error', () => {
    expect(evaluateWith('0/0', {})).toBeNaN();
    expect(evaluateWith('sqrt(-1)', {})).toBeNaN();
    expect(evaluateWith('log(-1)', {})).toBeNaN();
  });

  it('numbers stand for themselves', () => {
    expect(evaluateWith(-3.5, {})).toBe(-3.5);
  });

  it('agrees with the language on every function', () => {
    for (const { name } of EXPRESSION_FUNCTIONS.filter((known) => known.name in Math)) {
      const call = (Math as unknown as Record<string, (...x: number[]) => number>)[name];
      const two = call.length === 2;
      expect(evaluateWith(two ? `${name}(0.3, 0.7)` : `${name}(0.3)`, {})).toBe(
        two ? call(0.3, 0.7) : call(0.3),
      );
    }
    expect(EXPRESSION_CONSTANTS.map(({ name }) => name)).toEqual(['pi', 'tau']);
  });
});

describe('names', () => {
  it('are parameters, and e is one: the coefficient of restitution, not Euler’s number', () => {
    expect(evaluateWith('2*pi*rpm/60', { rpm: 60 })).toBeCloseTo(2 * Math.PI, 14);
    expect(evaluateWith('e', { e: 0.9 })).toBe(0.9);
    expect(refusal('e')).toContain('“e” is not a parameter');
  });

  it('are found with their paths', () => {
    expect(expressionNames('0.5*m*ball.v^2 + spring.q[0] - pi + ball.v')).toEqual([
      'm',
      'ball.v',
      'spring.q[0]',
    ]);
  });

  it('are listed when one is unknown', () => {
    expect(refusal('k', { mass: 1, damping: 2 })).toBe(
      '“k” is not a parameter of this model; known are mass, damping',
    );
  });

  it('read by position during a run', () => {
    const slots = new Map([
      ['a.q[1]', 2],
      ['b', 0],
    ]);
    const program = compileExpression('a.q[1] - 2*b', (path) => slots.get(path) ?? -1);
    expect(evaluateExpression(program, Float64Array.of(10, 0, 7))).toBe(-13);
    expect(evaluateExpression(program, Float64Array.of(1, 0, 1))).toBe(-1);
  });
});

describe('texts that are not expressions are refused with a sentence', () => {
  it.each([
    '',
    '   ',
    'import("x")',
    'constructor',
    'cos.constructor("x")()',
    'cos.constructor',
    '"".constructor',
    '__proto__',
    'toString',
    'hasOwnProperty("x")',
    'this',
    'globalThis.process',
    'x = 1',
    'a.b = 1',
    'f(x) = x',
    '"a string"',
    "'a string'",
    '"a" + "b"',
    'true',
    'null',
    'undefined',
    '[1, 2]',
    '{a: 1}',
    '1:3',
    '1; 2',
    '1\n2',
    'x[1:2]',
    'cos',
    'sin()',
    'sin(1, 2)',
    'max(1)',
    'eval("1")',
    'parse("1")',
    'evaluate("1")',
    'compile("1")',
    'createUnit("x")',
    'simplify("x")',
    'chain(1)',
    '2 mq',
    '5!',
    '1 and 2',
    'not 1',
    '1 == 1',
    '~1',
    '1 << 2',
    '1 +',
    '(1',
    '1)',
    '1..2',
    '#comment',
    'a["constructor"]',
    '`x`',
    'x => x',
    '()',
  ])('%s', (text) => {
    const message = refusal(text);
    expect(message.length).toBeGreaterThan(10);
    expect(message).not.toMatch(/undefined is not|Cannot read|not a function$/);
  });

  it.each([
    ['1e5 characters', '1+'.repeat(50_000) + '1'],
    ['20 001 characters', ' '.repeat(20_000) + '1'],
    ['a thousand parentheses', '('.repeat(999) + '1' + ')'.repeat(999)],
    ['700 nested parentheses', '('.repeat(700) + '1' + ')'.repeat(700)],
    ['900 signs', '-'.repeat(900) + '1'],
    ['a tower of powers', '2^'.repeat(500) + '2'],
  ])('%s', (_, text) => {
    expect(refusal(text).length).toBeGreaterThan(10);
  });

  it('and functions are reported with those that are known', () => {
    expect(refusal('Math.sin(2)')).toMatch(/“Math.sin” is no function of expressions/);
    expect(refusal('console.log(x)')).toMatch(/“console.log” is no function/);
    expect(refusal('gamma(2)')).toMatch(/“gamma” is not known; known are abs, sqrt/);
  });
});
