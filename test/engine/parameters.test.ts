/** Parameters: expressions in one another, overrides, and their defects. */
import { describe, expect, it } from 'vitest';
import { evaluateParameters } from '@engine/document/parameters';
import type { Expression, ParameterDocument } from '@engine/document/types';
import { expectComplete } from './support/issues';

const parameters = (values: Record<string, Expression>): ParameterDocument[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

describe('values', () => {
  it('are computed in dependency order, whatever the order of the list', () => {
    const { values, issues } = evaluateParameters(
      parameters({ omega: '2*pi*f', f: 'rpm/60', rpm: 30, period: '1/f' }),
    );
    expect(issues).toEqual([]);
    expect(values).toEqual({ omega: Math.PI, f: 0.5, rpm: 30, period: 2 });
  });

  it('may be replaced for a run, by numbers and by expressions', () => {
    const list = parameters({ a: 1, b: '2*a' });
    expect(evaluateParameters(list, { a: 5 }).values).toEqual({ a: 5, b: 10 });
    expect(evaluateParameters(list, { a: 'pi' }).values).toEqual({ a: Math.PI, b: 2 * Math.PI });
    expect(evaluateParameters(list, { b: 'a + 1' }).values).toEqual({ a: 1, b: 2 });
  });

  it.each(['toString', 'constructor', 'valueOf', 'hasOwnProperty'])('may be called %s', (name) => {
    const { values, issues } = evaluateParameters(parameters({ [name]: 3, x: `2*${name}` }));
    expect(issues).toEqual([]);
    expect(values.x).toBe(6);
    expect(evaluateParameters(parameters({ [name]: 3, x: name }), { [name]: 4 }).values.x).toBe(4);
  });

  it('follow long chains of dependencies', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`p${i}`, i === 499 ? 1 : `p${i + 1} + 1`]),
    );
    expect(evaluateParameters(parameters(chain)).values.p0).toBe(500);
  });
});

describe('defects', () => {
  it('cycles are named with their members, once', () => {
    const { values, issues } = evaluateParameters(parameters({ a: 'b', b: 'c + 1', c: '2*a', d: 1 }));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      code: 'cyclic-expression',
      pointer: '/parameters/0/value',
      element: 'a',
    });
    expect(issues[0].message).toContain('a → b → c → a');
    expectComplete(issues);
    expect(values).toEqual({ d: 1 });
  });

  it('a parameter of itself is a cycle', () => {
    const { issues } = evaluateParameters(parameters({ a: 'a' }));
    expect(issues[0].message).toContain('a → a');
  });

  it('unknown names come with the known ones', () => {
    const { issues } = evaluateParameters(parameters({ mass: 1, weight: 'mass*gravity' }));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      code: 'expression',
      pointer: '/parameters/1/value',
      element: 'weight',
    });
    expect(issues[0].message).toContain('“gravity” is not a parameter of this model; known are mass');
    expectComplete(issues);
  });

  it.each([
    ['2*t', '{"function": "name"}'],
    ['2*pid.u', '{"signals": ["pid.u"]}'],
    ['2 == 3', 'condition ? a : b'],
    ['2*other', 'add the parameter'],
  ])('%s comes with what to do instead', (value, remedy) => {
    const [issue] = evaluateParameters(parameters({ a: value })).issues;
    expect(issue.remedy).toContain(remedy);
  });

  it.each(['0/0', '1/0', '-1/0', 'sqrt(-1)', '1e308*10'])('%s is not finite', (value) => {
    const { issues, values } = evaluateParameters(parameters({ a: value }));
    expect(issues[0]).toMatchObject({ code: 'not-finite', pointer: '/parameters/0/value', element: 'a' });
    expectComplete(issues);
    expect(values).toEqual({});
  });

  it.each([
    'import("x")',
    'cos.constructor("return process")()',
    '__proto__',
    'constructor',
    'b = 3',
    '"text"',
    '1'.repeat(100_000),
  ])('the dangerous text %.40s is an issue at its parameter', (value) => {
    const { issues } = evaluateParameters(parameters({ ok: 1, bad: value }));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ code: 'expression', pointer: '/parameters/1/value', element: 'bad' });
    expectComplete(issues);
  });

  it('an override of nothing is reported with what there is', () => {
    const { issues } = evaluateParameters(parameters({ m: 1 }), { mass: 2 });
    expect(issues[0]).toMatchObject({ code: 'unknown-parameter', element: 'mass' });
    expect(issues[0].remedy).toContain('m');
    expectComplete(issues);
    expect(evaluateParameters([], { mass: 2 }).issues[0].remedy).toContain('no parameters');
  });

  it('every broken parameter is reported beside a cycle', () => {
    const { issues } = evaluateParameters(parameters({ a: 'b', b: 'a', c: 'nowhere' }));
    expect(issues.map(({ element, code }) => [element, code])).toEqual([
      ['a', 'cyclic-expression'],
      ['c', 'expression'],
    ]);
  });

  it('a parameter that depends on a broken one is not reported for it', () => {
    const { issues, values } = evaluateParameters(parameters({ a: '1/0', b: '2*a', c: 'b + 1', d: 3 }));
    expect(issues.map(({ element }) => element)).toEqual(['a']);
    expect(values).toEqual({ d: 3 });
  });
});
