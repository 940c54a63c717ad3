/** Hysteresis of many relays in a script: what a step asks of it does not grow with their number. */
import { expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { start } from '../../support/run';
import { documentOf, nonlinear } from './support';

/** Preisach: relays that go up at different levels and down at their opposites, in a script with a memory. */
const script = (relays: number): string => `
const up = [];
for (let k = 0; k < ${relays}; k++) up.push(-1);
export const f: Rate = (t, x, out, p) => {
  console.log('call');
  let sum = 0;
  for (let k = 0; k < ${relays}; k++) {
    if (x[0] > 2 + k) up[k] = 1;
    if (x[0] < -2 - k) up[k] = -1;
    sum += up[k];
  }
  out[0] = x[1];
  out[1] = -x[0] + 1e-3 * sum / ${relays};
};`;

function callsOf(relays: number): { calls: number; x: number } {
  let calls = 0;
  const document = documentOf({
    systems: [
      {
        ...nonlinear([1, 0]),
        jacobian: [
          [0, 1],
          [-1, 0],
        ],
      },
    ],
    script: script(relays),
    simulation: { tEnd: 2, h: 0.1 },
  });
  const { session, column } = start(document, {
    sandbox: () =>
      createSandbox(() => {
        calls++;
      }),
  });
  expect(session.advance(1e9), session.error?.message).toBe('done');
  return { calls, x: column('c.x[0]').at(-1) ?? Number.NaN };
}

it('asks a script once for all its conditions at a state', () => {
  const [few, many] = [callsOf(2), callsOf(40)];
  expect(many.calls).toBeLessThan(1.5 * few.calls);
  // All relays are down: ẍ = −x − 1e−3.
  const exact = (1 + 1e-3) * Math.cos(2) - 1e-3;
  expect(Math.abs(many.x - exact)).toBeLessThan(1e-9);
  expect(Math.abs(few.x - exact)).toBeLessThan(1e-9);
});
