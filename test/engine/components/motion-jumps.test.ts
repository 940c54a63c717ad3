/** Motions that jump are found by their values: what can jump need not. */
import { expect, it } from 'vitest';
import { jumpOf } from '@engine/components/mechanics/jumps';

const time = (text: string, tEnd = 2): number | null => jumpOf(text, [0, tEnd], { parameters: { A: 0.5 } });

it.each([
  ['t < 1.2345 ? 0 : A', 1.2345],
  ['floor(t/0.7)*A', 0.7],
  ['A*((t + 0.3) mod 0.5)', 0.2],
  ['A*sign(t - 1.5)', 1.5],
])('%s', (text, expected) => {
  expect(time(text)).toBeCloseTo(expected, 9);
});

it.each([
  'A*sin(3*t)',
  't < 1 ? 0 : A*(t - 1)',
  'abs((t mod 1) - 0.5)',
  'max(t - 1, 0)',
  'sign(t - 1)*(t - 1)^2',
])('%s does not', (text) => {
  expect(time(text)).toBeNull();
});
