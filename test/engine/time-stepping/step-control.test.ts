/** Step control: errors near the tolerance in smooth motion, impacts located to the smallest step. */
import { describe, expect, it } from 'vitest';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';

const control = (tolerance: number): { tolerance: number; hMin: number; hMax: number } => ({
  tolerance,
  hMin: 1e-7,
  hMax: 0.5,
});

function runTo(simulation: TimeStepping): TimeStepping {
  while (!simulation.isAtEnd) simulation.advance();
  return simulation;
}

/** x = e^{−t} (1, 0) + slow part: a fast transient, then little motion. */
const decay = (tolerance: number, theta: number): TimeStepping =>
  forms.simulate(
    {
      systems: [
        forms.system(
          's',
          forms.linearFirstOrder(
            [
              [-50, 0],
              [0, -1],
            ],
            [1, 1],
          ),
        ),
      ],
      interactions: [],
    },
    { h: 1e-4, tEnd: 4, integrators: [forms.eulerMoreau([0], theta)], stepControl: control(tolerance) },
  );

describe('smooth motion', () => {
  it.each([0.5, 1])(
    'ends exactly at the end time, with fewer steps than a constant step needs, θ = %f',
    (theta) => {
      const simulation = runTo(decay(1e-5, theta));
      expect(simulation.time).toBe(4);
      expect(Math.abs(simulation.state[2] - Math.exp(-4))).toBeLessThan(2e-3);
      expect(simulation.step).toBeLessThan(10_000);
      const { dynamics } = simulation.certificate.report;
      expect(dynamics).toBeLessThan(1e-12);
    },
  );

  it('has errors that follow the tolerance', () => {
    const error = (tolerance: number): number =>
      Math.abs(runTo(decay(tolerance, 0.5)).state[2] - Math.exp(-4));
    expect(error(1e-8)).toBeLessThan(0.1 * error(1e-5));
  });

  it('factorises for few lengths of step only', () => {
    const simulation = runTo(decay(1e-6, 0.5));
    expect(simulation.context.counters.factorisations).toBeLessThan(simulation.step / 3);
  });
});

describe('a bouncing ball', () => {
  const ball = (stepControl?: ReturnType<typeof control>): TimeStepping =>
    forms.simulate(
      {
        systems: [forms.system('ball', forms.linearLagrangian([1], [0], [[1]], { force: [-9.81] }))],
        interactions: [forms.interaction('floor', [0], forms.lagrangianRelation([[1]]), forms.impact(0.8))],
      },
      { h: 0.01, tEnd: 1.5, integrators: [forms.moreauJean([0])], ...(stepControl && { stepControl }) },
    );

  it('hits the floor where it should, to the smallest step', () => {
    const simulation = ball(control(1e-6));
    const fall = Math.sqrt(2 / 9.81);
    while (simulation.events === 0) simulation.advance();
    expect(Math.abs(simulation.time - fall)).toBeLessThan(3e-7);
    runTo(simulation);
    // Second flight: up with e v, back after 2 e v / g.
    const t = 1.5 - fall;
    const after = t - 1.6 * fall;
    const exact = after < 0 ? 0.8 * 9.81 * fall * t - 0.5 * 9.81 * t * t : Number.NaN;
    const third = 0.64 * 9.81 * fall * after - 0.5 * 9.81 * after * after;
    expect(Math.abs(simulation.state[1] - (after < 0 ? exact : third))).toBeLessThan(1e-5);
    expect(simulation.rejectedSteps).toBeGreaterThan(10);
  });

  it('is a thousand times nearer than with the constant step it starts from, at a tenth of the steps that would take', () => {
    const simulation = runTo(ball(control(1e-6)));
    expect(simulation.step).toBeLessThan(0.1 * (1.5 / 1e-7));
  });
});

describe('a solution that grows without bound', () => {
  it('is followed with ever shorter steps', () => {
    // ẋ = x² from 1 is 1/(1 − t); a step of Euler's implicit rule has no solution where h x > 1/4.
    const simulation = forms.simulate(
      {
        systems: [
          forms.system(
            's',
            forms.nonlinearFirstOrder(
              [1],
              (_t, x, out) => {
                out[0] = x[0] * x[0];
              },
              (_t, x, out) => {
                out[0] = 2 * x[0];
              },
            ),
          ),
        ],
        interactions: [],
      },
      {
        h: 1e-3,
        tEnd: 0.9,
        integrators: [forms.eulerMoreau([0], 0.5)],
        stepControl: { tolerance: 1e-6, hMin: 1e-7, hMax: 0.5 },
        newton: { tolerance: 1e-12, maxIterations: 20 },
      },
    );
    runTo(simulation);
    expect(Math.abs(simulation.state[1] / 10 - 1)).toBeLessThan(0.01);
    expect(simulation.rejectedSteps).toBeGreaterThan(0);
  });
});

describe('a scheme over three times', () => {
  it('cannot change its step, and says so', () => {
    expect(() =>
      forms.simulate(
        {
          systems: [forms.system('mass', forms.linearLagrangian([0], [0], [[1]]))],
          interactions: [],
        },
        {
          h: 0.01,
          integrators: [{ type: 'SchatzmanPaoli', numbers: { theta: 0.5 }, choices: {}, systems: [0] }],
          stepControl: control(1e-4),
        },
      ),
    ).toThrow(/“mass”/);
  });
});
