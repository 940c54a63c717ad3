/** Expressions of the time that are affine between breaks: changes of sign against values in between. */
import { describe, expect, it } from 'vitest';
import { compileExpression, evaluateExpression } from '@engine/document/expressions';
import { timedSign } from '@engine/document/piecewise';
import { tablesOf } from '@engine/document/tables';
import type { TimedSign } from '@engine/model/timed-sign';
import { sample } from '../support/prove';
import { type Random, seeded } from './support/random';

const TABLES = tablesOf([
  { id: 'plain', t: [-1, 0.5, 1.25, 1.25, 3, 7], y: [1, -2, 0.5, -0.5, 2, -1] },
  { id: 'wrapped', t: [0, 0.3, 0.3, 1], y: [0, 1, -1, 0.5], period: 1.6 },
]);

function compiled(text: string): { sign: TimedSign | null; at: (t: number) => number } {
  const program = compileExpression(text, () => 0, { tables: TABLES });
  const values = new Float64Array(1);
  return {
    sign: timedSign(program, values, 0),
    at: (t) => evaluateExpression(program, Float64Array.of(t)),
  };
}

/** All changes in [0, end], each with the sign behind it. */
function changesOf({ sign, at }: ReturnType<typeof compiled>, end: number): [number, number][] {
  const found: [number, number][] = [];
  const out = new Float64Array(2);
  const span = Float64Array.of(0, 0, 0, end);
  let side = at(0) < 0 ? -1 : 1;
  for (;;) {
    sign?.change(side, span, out);
    if (out[0] === Infinity) return found;
    side = -side;
    found.push([out[0], side]);
    span[0] = out[0];
  }
}

/** The largest value next to a time: of two equal sides, rounding says which is larger. */
const largest = (value: (t: number) => number, t: number): number =>
  Math.max(...Array.from({ length: 16 }, (_, k) => value(t + (k - 8) * 1e-14)));

const NUMBERS = ['1', '2', '0.5', '0.1', '3', '0.37', '7', '-1', '1.3'];
const pick = (random: Random, list: readonly string[]): string => list[random.integer(0, list.length - 1)];

function expression(random: Random, depth: number): string {
  if (depth === 0) return random.chance(0.6) ? 't' : pick(random, NUMBERS);
  const part = (): string => `(${expression(random, depth - 1)})`;
  const number = (): string => pick(random, NUMBERS);
  const kinds = [
    () => `${part()} + ${part()}`,
    () => `${part()} - ${part()}`,
    () => `${number()} * ${part()}`,
    () => `${part()} / ${number()}`,
    () => `${part()} mod ${number().replace('-', '')}`,
    () => `min(${part()}, ${part()})`,
    () => `max(${part()}, ${part()})`,
    () => `abs(${part()})`,
    () => `${pick(random, ['floor', 'ceil', 'round', 'sign'])}(${part()})`,
    () => `${part()} ${pick(random, ['<', '<=', '>', '>='])} ${part()} ? ${part()} : ${part()}`,
    () => `-${part()}`,
    () => `table(${pick(random, ['plain', 'wrapped'])}, ${part()})`,
    () => `slope(${pick(random, ['plain', 'wrapped'])}, ${part()})`,
  ];
  return kinds[random.integer(0, kinds.length - 1)]();
}

describe('changes of sign', () => {
  it('are where values say', () => {
    const random = seeded(41);
    const END = 10;
    let count = 0;
    for (let k = 0; k < sample(400, 100_000); k++) {
      const text = `${expression(random, random.integer(1, 4))} - ${pick(random, NUMBERS)}`;
      const function_ = compiled(text);
      expect(function_.sign, text).not.toBeNull();
      const changes = changesOf(function_, END);
      count += changes.length;
      const times = [0, ...changes.map(([time]) => time), END];
      for (let i = 0; i + 1 < times.length; i++) {
        const side = i === 0 ? (function_.at(0) < 0 ? -1 : 1) : changes[i - 1][1];
        const [from, to] = [times[i] + 1e-9, times[i + 1] - 1e-9];
        if (to - from < 1e-8) continue;
        const points = Array.from({ length: 40 }, () => random.uniform(from, to));
        // Just behind a change there is the sign it leads to, unless zero lasts.
        if (i > 0)
          expect(
            largest((s) => side * function_.at(s), from),
            `${text} behind ${times[i]}`,
          ).toBeGreaterThan(0);
        for (const t of points)
          expect(
            largest((s) => side * function_.at(s), t),
            `${text} at ${t} behind ${times[i]}`,
          ).toBeGreaterThan(-1e-12);
      }
    }
    expect(count).toBeGreaterThan(sample(200, 50_000));
  });

  it('jump where the function does', () => {
    const out = new Float64Array(2);
    const { sign } = compiled('0.3 - (t mod 1)');
    sign?.change(1, Float64Array.of(0, 0, 0, 5), out);
    expect([...out]).toEqual([0.3, 0]);
    sign?.change(-1, Float64Array.of(0.3, 0, 0, 5), out);
    expect([...out]).toEqual([1, 1]);
    sign?.change(-1, Float64Array.of(0.3, 0, 0, 0.9), out);
    expect(out[0]).toBe(Infinity);
  });

  it('do not depend on where the search began, to the bit', () => {
    const out = new Float64Array(2);
    const { sign } = compiled('min((t mod 5e-5) - 1e-6, 2.5e-5 - (t mod 5e-5))');
    const ends = [0.10003, 0.1000101, 0.10002].map((from) => {
      sign?.change(1, Float64Array.of(from, 0, 0, 1), out);
      return out[0];
    });
    expect(new Set(ends).size).toBe(2);
  });

  it.each(['sin(t)', 't^2 - 1', '1/(t - 2)', 't mod (1 + t)', 't*t - 2', 'exp(t)'])(
    '%s is not affine between breaks',
    (text) => {
      expect(compiled(text).sign).toBeNull();
    },
  );
});
