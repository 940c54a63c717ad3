/**
 * Each system is measured by its own scale: nothing hides beside a heavy one, and rounding alone raises no
 * alarm.
 */
import { describe, expect, it } from 'vitest';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';
import { settingsFor, start } from '../support/live';

const body = (
  id: string,
  mass: number,
  q: number,
  v: number,
  force: number,
): ReturnType<typeof forms.system> =>
  forms.system(id, forms.linearLagrangian([q], [v], [[mass]], { force: [force] }));
const between = (id: string, a: number, b: number, e: number): ReturnType<typeof forms.interaction> =>
  forms.interaction(id, [a, b], forms.lagrangianRelation([[-1, 1]], [-1]), forms.impact(e));

const all = (model: NonSmoothDynamicalSystem, h = 1e-3, theta = 0.5): TimeStepping =>
  start(
    model,
    settingsFor(
      [
        forms.moreauJean(
          model.systems.map((_, k) => k),
          theta,
        ),
      ],
      h,
      { loop: 'general' },
    ),
  );
const dynamics = (simulation: TimeStepping, steps: number): number => {
  for (let k = 0; k < steps; k++) simulation.advance();
  return simulation.certificate.report.dynamics;
};

describe('a light body beside a heavy one', () => {
  const light = 1e-4;
  const heavy = 1e6;
  const model = {
    systems: [
      body('light', light, 1, 0, -9.81 * light),
      // As far away as it is heavy, so that neither impulse nor way of the light one counts beside it.
      body('heavy', heavy, 1e6, 0, -9.81 * heavy),
    ],
    interactions: [forms.interaction('floor', [0], forms.lagrangianRelation([[1]]), forms.impact(0.5))],
  };

  it('satisfies its equations to rounding', () => {
    const simulation = all(model);
    expect(dynamics(simulation, 2000)).toBeLessThan(1e-14);
    expect(simulation.events).toBeGreaterThan(3);
  });

  it.each<[string, 'computeFree' | 'complete', 'q' | 'v', number]>([
    ['a velocity that is wrong by 10⁻⁶ of what gravity adds', 'computeFree', 'v', 1e-8],
    ['a position that is wrong by 10⁻⁷ m', 'complete', 'q', 1e-7],
  ])('is found out with %s', (_, phase, variable, error) => {
    const simulation = all(model);
    const [integrator] = simulation.integrators;
    const honest = integrator[phase].bind(integrator);
    integrator[phase] = () => {
      honest();
      simulation.state[simulation.context[variable]] += error;
    };
    expect(dynamics(simulation, 5)).toBeGreaterThan(1e-9);
    expect(simulation.certificate.report.worstElement).toBe('light');
  });
});

describe('a body on which all terms cancel', () => {
  it('between two that press on it raises no alarm', () => {
    const simulation = all({
      systems: [
        body('left', 30, 0, 0, 100),
        body('feather', 1e-4, 1, 0, 0),
        body('right', 70, 2, 0, -100),
        body('flying', 1, 0, 7, 1),
      ],
      interactions: [between('a', 0, 1, 0), between('b', 1, 2, 0)],
    });
    expect(dynamics(simulation, 2000)).toBeLessThan(1e-12);
    // The feather is pressed, and what it feels is the difference of two large impulses.
    expect(Math.abs(simulation.state[simulation.context.v + 1])).toBeLessThan(1e-9);
    expect(simulation.state.at(-3)).toBeGreaterThan(0.09);
  });

  it('through which an impact passes raises no alarm', () => {
    const count = 6;
    const chain = {
      systems: Array.from({ length: count }, (_, k) => body(`ball-${k}`, 0.3, k, k === 0 ? 0.7 : 0, 0)),
      interactions: Array.from({ length: count - 1 }, (_, k) => between(`gap-${k}`, k, k + 1, 0)),
    };
    const simulation = all(chain);
    expect(dynamics(simulation, 500)).toBeLessThan(1e-12);
    expect(simulation.events).toBeGreaterThan(0);
  });

  it('stretched nowhere, far from where its springs are measured, raises no alarm', () => {
    const [a, b, c] = [4e4 / 3, 1e4 / 7, 2e4 / 11];
    const springs = [
      [a + b, -a, -b],
      [-a, a + c, -c],
      [-b, -c, b + c],
    ];
    const masses = [
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 3],
    ];
    const far = new Array<number>(3).fill(1e5 / 3);
    const fast = new Array<number>(3).fill(1e-2 / 7);
    const form = forms.linearLagrangian(far, fast, masses, { damping: springs, stiffness: springs });
    const model = { systems: [forms.system('train', form)], interactions: [] };
    expect(dynamics(all(model), 1000)).toBeLessThan(1e-10);
  });
});

describe('a circuit that has nothing left to do', () => {
  const held = (
    A: number[][],
    x0: number[],
    h: number,
    theta: number,
    loop: 'straight-line' | 'general',
  ): number => {
    const model = { systems: [forms.system('stores', forms.linearFirstOrder(A, x0))], interactions: [] };
    return dynamics(start(model, settingsFor([forms.eulerMoreau([0], theta)], h, { loop })), 300);
  };

  it.each([0.5, 1])('raises no alarm where large currents cancel in it, with θ = %d', (theta) => {
    const x0 = [1 / 3, 1 / 7, 1 / 11];
    const links = [
      [0, 4e6 / 3, 1e6 / 7],
      [4e6 / 3, 0, 2e6 / 11],
      [1e6 / 7, 2e6 / 11, 0],
    ];
    // Rows of A x₀ vanish but for rounding.
    const A = links.map((row, i) =>
      row.map((g, j) => (i === j ? -row.reduce((sum, other) => sum + other, 0) / x0[i] : g / x0[j])),
    );
    for (const loop of ['straight-line', 'general'] as const)
      expect(held(A, x0, 1, theta, loop)).toBeLessThan(1e-10);
  });
});
