/**
 * Steps that are ordinary in a model and degenerate in numbers: slopes without bound, masses that differ by
 * nine orders.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { model, particle, withFunctions } from '../support/models';
import { maximum } from '../support/order';
import { seeded } from '../support/random';
import { run, runFailure } from '../support/run';
import { sample } from '../../support/prove';

interface Twist {
  x0?: number[];
  k1?: number;
  k2?: number;
}

/**
 * ẋ₁ = x₂ + k₁ √|x₁| λ, ẋ₂ = ½ sin t + k₂ λ, −x₁ ∈ N_[−1, 1](λ): both states are taken to zero in finite time
 * and kept there.
 */
const superTwisting = (
  h: number,
  tEnd: number,
  { x0 = [1, 0], k1 = 1.5, k2 = 1.1 }: Twist = {},
): ModelDocument => {
  const document = withFunctions(
    model(
      [
        {
          id: 'error',
          type: 'FirstOrderLinear',
          n: 2,
          x0,
          A: [
            [0, 1],
            [0, 0],
          ],
          b: { function: 'disturbance' },
        },
      ],
      [
        {
          id: 'twist',
          systems: ['error'],
          relation: {
            type: 'FirstOrderNonLinearR',
            size: 1,
            h: { function: 'first' },
            g: { function: 'input' },
          },
          law: { type: 'Relay', lower: [-1], upper: [1] },
        },
      ],
      { h, tEnd },
    ),
    'export const disturbance: TimeVector = (t, out) => { out[0] = 0; out[1] = 0.5 * Math.sin(t); };',
    'export const first: Output = (t, x, lambda, out) => { out[0] = x[0]; };',
    'export const input: Input = (t, x, lambda, out) => {',
    `  out[0] = ${k1} * Math.sqrt(Math.abs(x[0])) * lambda[0];`,
    `  out[1] = ${k2} * lambda[0];`,
    '};',
  );
  const { simulation } = document;
  return {
    ...document,
    simulation: { ...simulation, integrators: [{ type: 'EulerMoreau' }], problem: { type: 'auto' } },
  };
};

describe('an input with √|x| at 0', () => {
  it.each([1e-2, 3e-3, 2e-3, 1e-3, 5e-4])('is taken to zero and stays there, h = %s', (h) => {
    const { column, session } = run(superTwisting(h, 3), { sandbox: createSandbox });
    const rest = Math.round(2.6 / h);
    expect(maximum(column('error.x[0]').slice(rest))).toBeLessThan(1e-12);
    expect(maximum(column('error.x[1]').slice(rest))).toBeLessThan(1e-6);
    // The relay balances the disturbance.
    const lambda = column('twist.lambda');
    expect(Math.abs((lambda.at(-1) ?? NaN) + (0.5 * Math.sin(3)) / 1.1)).toBeLessThan(1e-6);
    expect(session.certificate.dynamics).toBeLessThan(1e-9);
  });

  it('whatever the step, the start and the gains are', () => {
    const random = seeded(3);
    for (let k = 0; k < sample(12, 400); k++) {
      const h = 10 ** random.uniform(-3.3, -1.5);
      const twist = {
        x0: [random.uniform(-1, 1), random.uniform(-1, 1)],
        k1: random.uniform(1.5, 3),
        k2: random.uniform(0.8, 1.6),
      };
      const { column } = run(superTwisting(h, 8, twist), { sandbox: createSandbox });
      const place = `h = ${h}, ${JSON.stringify(twist)}`;
      expect(Math.abs(column('error.x[0]').at(-1) ?? NaN), place).toBeLessThan(1e-9);
      expect(
        Math.abs((column('twist.lambda').at(-1) ?? NaN) + Math.sin(8) / 2 / twist.k2),
        place,
      ).toBeLessThan(h);
    }
  });
});

describe('a light pulley on two ropes', () => {
  const pulley = (mass: number): ModelDocument => {
    const weight = (m: number): { mass: number[][]; fExt: number[] } => ({ mass: [[m]], fExt: [-9.81 * m] });
    const document = model(
      [
        particle('a', 0, 0, weight(1)),
        particle('pulley', 0, 0, weight(mass)),
        particle('b', -1, 0, weight(3)),
      ],
      [
        {
          id: 'rope',
          systems: ['a', 'pulley'],
          relation: { type: 'LagrangianLinear', H: [[1, 2]] },
          law: { type: 'Equality' },
        },
        {
          id: 'hook',
          systems: ['pulley', 'b'],
          relation: { type: 'LagrangianLinear', H: [[1, -1]], b: [-1] },
          law: { type: 'Equality' },
        },
      ],
    );
    return { ...document, simulation: { ...document.simulation, problem: { type: 'auto' } } };
  };

  it('goes as the weights do, whatever it weighs', () => {
    // The weights alone: a goes up twice as fast as b goes down, (1 · 4 + 3) v̇ = −(3 − 2) 9.81 of b.
    for (const mass of [1e-3, 1e-6, 1e-9]) {
      const exact = (-9.81 * (1 + mass)) / (7 + mass);
      const { column } = run(pulley(mass));
      expect(Math.abs((column('pulley.v').at(-1) ?? NaN) - exact)).toBeLessThan(1e-6);
    }
  });

  it('too light for the digits of a number is reported as that', () => {
    const { error } = runFailure(pulley(1e-18));
    expect(error.message).toMatch(/rows are equations that contradict each other, or differ by less than/);
    expect(error.remedy).toMatch(/masses/);
  });
});
