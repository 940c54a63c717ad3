import { expect, test } from 'vitest';
import { alternately, twin } from '../../src/cli/bench/twin';

test('without a compiler, a twin says so', () => {
  expect(twin('bouncing-ball', { CC: 'no-such-compiler' })).toEqual({
    ok: false,
    reason: 'no C compiler (no-such-compiler)',
  });
});

test('a twin computes what it is given', () => {
  const ball = twin('bouncing-ball');
  if (!ball.ok) return;
  const given = { m: 1, g: 9.81, height: 0.9, e: 0.9, h: 1e-4, theta: 0.5, warm: 0, steps: 1000 };
  const { ns, state } = ball.run(given);
  expect(ns).toBeGreaterThan(0);
  expect(state[0]).toBeCloseTo(0.9 - (9.81 * 0.1 ** 2) / 2, 10);
  expect(state[1]).toBeCloseTo(-0.981, 10);
  expect(() => ball.run({ m: 1 })).toThrow('missing argument');
});

test('two programs take turns', () => {
  const turns: string[] = [];
  const results = alternately(
    () => turns.push('a'),
    () => turns.push('b'),
    2,
  );
  expect(turns).toEqual(['a', 'b', 'a', 'b']);
  expect(results).toEqual([
    [1, 3],
    [2, 4],
  ]);
});
