/** Sliding-mode controllers: chattering of explicit laws, and none of implicit ones. */
import { describe, expect, it } from 'vitest';
import type { SystemDocument } from '@engine/document/types';
import { run } from '../support/run';
import { silent } from '../support/accuracy';
import { withFunctions } from '../support/models';
import { controlled, SCHEMES } from './documents';

const A = [
  [0, 1],
  [19, -2],
];
const B = [[0], [1]];

const sliding = (more: Record<string, unknown>, every: number): SystemDocument => ({
  id: 'smc',
  type: 'SlidingModeControl',
  x: ['plant.x[0]', 'plant.x[1]'],
  A,
  B,
  C: [[1, 1]],
  every,
  ...(more as object),
});

const surface = (column: (name: string) => Float64Array): Float64Array => {
  const [a, b] = [column('plant.x[0]'), column('plant.x[1]')];
  return a.map((x, i) => x + b[i]);
};

describe.each(SCHEMES)('%s', (scheme) => {
  it.each([1e-2, 1e-3, 1e-4, 1e-5])(
    'the implicit law is exactly on its surface after a finite time, T = %s',
    (T) => {
      const document = controlled({ A, T: B, u: ['smc.u'], x0: [0.2, 0.1] }, [sliding({}, T)], {
        h: T,
        tEnd: T < 1e-4 ? 0.4 : 1,
      });
      const { column } = run(document, { scheme, every: 1 });
      const sigma = surface(column);
      const u = column('smc.u');
      const reached = sigma.findIndex((value) => Math.abs(value) < 1e-10);
      expect(column('t')[reached]).toBeLessThan(0.35);
      for (let i = reached + 2; i < sigma.length; i++) expect(Math.abs(sigma[i])).toBeLessThan(2e-14);
      // The control is as smooth as the motion: no jump beyond what its rate makes of a period.
      for (let i = reached + 4; i < u.length; i++) expect(Math.abs(u[i] - u[i - 1])).toBeLessThan(12 * T);
    },
  );
});

it('the explicit law chatters, with an amplitude proportional to the period', () => {
  const amplitude = (T: number): number => {
    const document = controlled(
      { A, T: B, u: ['smc.u'], x0: [0.2, 0.1] },
      [sliding({ method: 'explicit' }, T)],
      { h: T, tEnd: 1 },
    );
    const { column } = run(document);
    const sigma = surface(column);
    let largest = 0;
    for (let i = Math.floor(0.8 * sigma.length); i < sigma.length; i++)
      largest = Math.max(largest, Math.abs(sigma[i]));
    return largest / T;
  };
  const [coarse, fine] = [amplitude(1e-2), amplitude(1e-4)];
  expect(coarse).toBeGreaterThan(0.3);
  expect(fine / coarse).toBeGreaterThan(0.7);
  expect(fine / coarse).toBeLessThan(1.4);
});

/** ẋ = u + 0.5 sin 4t */
const disturbed = (block: SystemDocument, T: number) =>
  withFunctions(
    controlled(
      { A: [[0]], T: [[1]], u: [`${block.id}.u`], x0: [1], b: { function: 'disturbance' } },
      [block],
      {
        h: T / 4,
        tEnd: 4,
      },
    ),
    'export const disturbance: TimeVector = (t, out) => { out[0] = 0.5 * Math.sin(4 * t); };',
  );

/** Largest |x| over the last second. */
const rest = (block: SystemDocument, T: number): number => {
  const { column } = run(disturbed(block, T), { sandbox: silent });
  const [t, x] = [column('t'), column('plant.x')];
  return x.reduce((largest, value, i) => (t[i] > 3 ? Math.max(largest, Math.abs(value)) : largest), 0);
};

it('order 2: a smooth disturbance leaves the square of the period', () => {
  const control = (every: number): SystemDocument => ({
    id: 'ot2',
    type: 'SlidingModeOT2',
    x: ['plant.x'],
    A: [[0]],
    B: [[1]],
    C: [[1]],
    alpha: 2,
    every,
  });
  const errors = [0.04, 0.02, 0.01].map((T) => rest(control(T), T));
  for (let k = 1; k < errors.length; k++) {
    const order = Math.log2(errors[k - 1] / errors[k]);
    expect(order).toBeGreaterThan(1.85);
    expect(order).toBeLessThan(2.15);
  }
});

it('super-twisting: the implicit control changes as fast as the disturbance, the explicit one chatters', () => {
  const T = 0.01;
  const found = ['implicit', 'explicit'].map((method) => {
    const block = { id: 'st', type: 'SuperTwisting', sigma: ['plant.x'], k1: 3, k2: 4, method, every: T };
    const { column } = run(disturbed(block, T), { sandbox: silent });
    const [t, x, u] = [column('t'), column('plant.x'), column('st.u')];
    let [rest, jump] = [0, 0];
    for (let i = 1; i < t.length; i++) {
      if (t[i] <= 3) continue;
      rest = Math.max(rest, Math.abs(x[i]));
      jump = Math.max(jump, Math.abs(u[i] - u[i - 1]));
    }
    return { rest, jump };
  });
  const [implicit, explicit] = found;
  // The rate of the disturbance is 2 cos 4t. One period of it is what the control comes too late for.
  expect(implicit.jump).toBeLessThan(2 * T * 1.01);
  expect(explicit.jump).toBeGreaterThan(3 * implicit.jump);
  expect(implicit.rest).toBeLessThan(0.5 * T * 1.01);
});

it('super-twisting, implicit: without a disturbance the variable is exactly zero after a finite time', () => {
  const T = 0.01;
  const { column } = run(
    controlled(
      { A: [[0]], T: [[1]], u: ['st.u'], x0: [1] },
      [{ id: 'st', type: 'SuperTwisting', sigma: ['plant.x'], k1: 3, k2: 4, every: T }],
      { h: T, tEnd: 3 },
    ),
  );
  const x = column('plant.x');
  const reached = x.findIndex((value) => Math.abs(value) < 1e-15);
  expect(reached).toBeGreaterThan(0);
  for (let i = reached + 1; i < x.length; i++) expect(Math.abs(x[i])).toBeLessThan(1e-15);
});

it.each(SCHEMES)('twisting, implicit: both variables are exactly zero after a finite time (%s)', (scheme) => {
  const T = 1e-3;
  const document = controlled(
    {
      A: [
        [0, 1],
        [0, 0],
      ],
      T: [[0], [1]],
      u: ['tw.u'],
      x0: [0.5, -0.2],
    },
    [
      {
        id: 'tw',
        type: 'Twisting',
        x: ['plant.x[0]', 'plant.x[1]'],
        gain: 10,
        beta: 0.4,
        every: T,
      },
    ],
    { h: T, tEnd: 4 },
  );
  const { column } = run(document, { scheme });
  const [x, v, u] = [column('plant.x[0]'), column('plant.x[1]'), column('tw.u')];
  const reached = x.findIndex((value, i) => Math.abs(value) < 1e-12 && Math.abs(v[i]) < 1e-12);
  expect(reached).toBeGreaterThan(0);
  for (let i = reached + 2; i < x.length; i++) {
    expect(Math.abs(x[i])).toBeLessThan(1e-12);
    expect(Math.abs(v[i])).toBeLessThan(1e-11);
    expect(Math.abs(u[i])).toBeLessThan(1e-8);
  }
});
