/**
 * Zero-order hold, Schatzman–Paoli, time-dependent systems, graphs as laws, and several integrators in one
 * model.
 */
import { describe, expect, it } from 'vitest';
import type { AssignedIntegrator } from '@engine/integrators/registry';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';

const held = (systems: readonly number[]): AssignedIntegrator => ({
  type: 'ZeroOrderHold',
  numbers: {},
  choices: {},
  systems,
});
const schatzmanPaoli = (systems: readonly number[], theta = 0.5): AssignedIntegrator => ({
  type: 'SchatzmanPaoli',
  numbers: { theta },
  choices: {},
  systems,
});

function advance(simulation: TimeStepping, steps: number): Float64Array {
  for (let k = 0; k < steps; k++) simulation.advance();
  return simulation.state;
}

const worst = (simulation: TimeStepping): number => {
  const { dynamics, complementarity, coneViolation } = simulation.certificate.report;
  return Math.max(dynamics, complementarity, coneViolation);
};

describe('the zero-order hold', () => {
  it('is exact for a damped oscillator with a constant source, whatever the step', () => {
    const [omega, decay] = [3, 0.4];
    const A = [
      [0, 1],
      [-(omega * omega + decay * decay), -2 * decay],
    ];
    for (const h of [0.01, 0.1, 0.7]) {
      const simulation = forms.simulate(
        { systems: [forms.system('s', forms.linearFirstOrder(A, [1, 0]))], interactions: [] },
        { h, integrators: [held([0])] },
      );
      const steps = Math.round(7 / h);
      const state = advance(simulation, steps);
      const t = steps * h;
      const exact = Math.exp(-decay * t) * (Math.cos(omega * t) + (decay / omega) * Math.sin(omega * t));
      expect(state[1]).toBeCloseTo(exact, 12);
      expect(worst(simulation)).toBeLessThan(1e-13);
    }
  });

  it('is exact for a source that is linear in time, with M ≠ I', () => {
    // 2 ẋ = −x + t: x = e^{−t/2}(x₀ + 2) + t − 2
    const simulation = forms.simulate(
      {
        systems: [
          forms.system('s', forms.linearFirstOrder([[-1]], [0.5], { mass: [[2]], source: (t) => [t] })),
        ],
        interactions: [],
      },
      { h: 0.3, integrators: [held([0])] },
    );
    const state = advance(simulation, 10);
    expect(state[1]).toBeCloseTo(2.5 * Math.exp(-1.5) + 1, 13);
    expect(worst(simulation)).toBeLessThan(1e-13);
  });

  it('keeps a relay in discrete sliding mode', () => {
    const simulation = forms.simulate(
      {
        systems: [
          forms.system(
            's',
            forms.linearFirstOrder(
              [
                [0, 1],
                [-2, -3],
              ],
              [0.4, -0.2],
            ),
          ),
        ],
        interactions: [
          forms.interaction('sgn', [0], forms.linearRelation([[1, 1]], [[0], [1]]), forms.relay(-5, 5)),
        ],
      },
      { h: 0.05, integrators: [held([0])], solver: 'Lemke' },
    );
    advance(simulation, 40);
    for (let k = 0; k < 100; k++) expect(Math.abs(advance(simulation, 1)[5])).toBeLessThan(1e-13);
    expect(worst(simulation)).toBeLessThan(1e-12);
  });

  it('refuses a system that is not linear, by name', () => {
    const rate = (_t: number, x: Float64Array, out: Float64Array): void => {
      out[0] = -(x[0] ** 3);
    };
    const model = {
      systems: [forms.system('cubic', forms.nonlinearFirstOrder([1], rate, rate))],
      interactions: [],
    };
    expect(() => forms.simulate(model, { h: 0.1, integrators: [held([0])] })).toThrow(/“cubic”/);
  });
});

describe('Schatzman–Paoli', () => {
  const drop = (h: number, e: number): TimeStepping =>
    forms.simulate(
      {
        systems: [forms.system('ball', forms.linearLagrangian([1], [0], [[2]], { force: [-2 * 9.81] }))],
        interactions: [forms.interaction('floor', [0], forms.lagrangianRelation([[1]]), forms.impact(e))],
      },
      { h, integrators: [schatzmanPaoli([0])], solver: 'Lemke' },
    );

  it('follows a free fall exactly: its differences are those of a parabola', () => {
    const simulation = drop(0.01, 0.5);
    const state = advance(simulation, 40);
    expect(state[1]).toBeCloseTo(1 - 0.5 * 9.81 * 0.4 * 0.4, 12);
    expect(worst(simulation)).toBeLessThan(1e-9);
  });

  it('bounces with the coefficient of restitution, to first order', () => {
    const e = 0.8;
    const peak = (h: number): number => {
      const simulation = drop(h, e);
      let top = 0;
      const fall = Math.sqrt(2 / 9.81);
      advance(simulation, Math.ceil((fall + 0.05) / h));
      while (simulation.state[0] < fall + 2 * e * fall - 0.05) top = Math.max(top, advance(simulation, 1)[1]);
      return top;
    };
    expect(Math.abs(peak(1e-4) - e * e)).toBeLessThan(2e-3);
    expect(Math.abs(peak(1e-5) - e * e)).toBeLessThan(2e-4);
  });

  it.each([
    [0, 0, 2],
    [0.5, 0.8, 1],
    [1, 0.8, 1],
  ])('on a spring at θ = %f with damping %f has order %i', (theta, c, expected) => {
    const [m, k] = [2, 50];
    const error = (h: number): number => {
      const simulation = forms.simulate(
        {
          systems: [
            forms.system(
              'spring',
              forms.linearLagrangian([1], [0.5], [[m]], { damping: [[c]], stiffness: [[k]] }),
            ),
          ],
          interactions: [],
        },
        { h, integrators: [schatzmanPaoli([0], theta)] },
      );
      const decay = c / (2 * m);
      const omega = Math.sqrt(k / m - decay * decay);
      const state = advance(simulation, Math.round(1 / h));
      expect(worst(simulation)).toBeLessThan(1e-9);
      const exact = Math.exp(-decay) * (Math.cos(omega) + ((0.5 + decay) / omega) * Math.sin(omega));
      return Math.abs(state[1] - exact);
    };
    expect(Math.abs(Math.log2(error(2e-3) / error(1e-3)) - expected)).toBeLessThan(0.1);
  });

  it('and Moreau–Jean cannot share one impact', () => {
    const mass = (id: string): ReturnType<typeof forms.system> =>
      forms.system(id, forms.linearLagrangian([0], [0], [[1]]));
    const model = {
      systems: [mass('a'), mass('b')],
      interactions: [forms.interaction('hit', [0, 1], forms.lagrangianRelation([[-1, 1]]), forms.impact(1))],
    };
    expect(() =>
      forms.simulate(model, { h: 0.1, integrators: [schatzmanPaoli([0]), forms.moreauJean([1])] }),
    ).toThrow(/“hit”/);
  });
});

describe('a law given by a graph', () => {
  /** m q̈ = F + λ with λ on a graph of y = q. */
  const held1 = (law: ReturnType<typeof forms.graph>, force: number, c = 2): TimeStepping =>
    forms.simulate(
      {
        systems: [
          forms.system('mass', forms.linearLagrangian([0.5], [0], [[1]], { damping: [[c]], force: [force] })),
        ],
        interactions: [forms.interaction('law', [0], forms.lagrangianRelation([[1]]), law)],
      },
      { h: 0.01, integrators: [forms.moreauJean([0], 1)], solver: 'auto' },
    );

  it('as an elastic stop with backlash rests where its force balances the load', () => {
    // No force for |y| < 1, stiffness 100 outside.
    const law = forms.graph(
      [
        [-1, 0],
        [1, 0],
      ],
      [1, -100],
      [1, -100],
    );
    const simulation = held1(law, 30);
    const state = advance(simulation, 4000);
    expect(state[1]).toBeCloseTo(1.3, 9);
    expect(state[5]).toBeCloseTo(-30, 8);
    expect(worst(simulation)).toBeLessThan(1e-11);
  });

  it('as complementarity gives what the box law gives', () => {
    const law = forms.graph([[0, 0]], [-1, 0], [0, 1]);
    const [a, b] = [held1(law, -9), held1(forms.complementarity(), -9)];
    for (let k = 0; k < 300; k++) {
      advance(a, 1);
      advance(b, 1);
      expect(a.state[1]).toBeCloseTo(b.state[1], 12);
      expect(a.state[5]).toBeCloseTo(b.state[5], 9);
    }
    expect(worst(a)).toBeLessThan(1e-11);
  });

  it('is the same whichever way its points are listed', () => {
    const forwards = forms.graph(
      [
        [-1, 2],
        [0, 0],
        [2, -1],
      ],
      [0, -1],
      [1, 0],
    );
    const backwards = forms.graph(
      [
        [2, -1],
        [0, 0],
        [-1, 2],
      ],
      [-1, 0],
      [0, 1],
    );
    const [a, b] = [held1(forwards, -1), held1(backwards, -1)];
    for (let k = 0; k < 200; k++) {
      advance(a, 1);
      advance(b, 1);
      expect(a.state[1]).toBeCloseTo(b.state[1], 12);
    }
  });
});

describe('several integrators in one model', () => {
  it('advance a circuit, a held controller and two mechanisms side by side as each alone', () => {
    const systems = [
      forms.system('circuit', forms.linearFirstOrder([[-2]], [1])),
      forms.system('ball', forms.linearLagrangian([0.2], [0], [[1]], { force: [-9.81] })),
      forms.system('held', forms.linearFirstOrder([[-1]], [1])),
      forms.system('other', forms.linearLagrangian([0.3], [0], [[1]], { force: [-9.81] })),
    ];
    const floor = (id: string, s: number): ReturnType<typeof forms.interaction> =>
      forms.interaction(id, [s], forms.lagrangianRelation([[1]]), forms.impact(0.5));
    const diode = forms.interaction(
      'diode',
      [0],
      forms.linearRelation([[1]], [[1]], { e: [-0.5] }),
      forms.complementarity(),
    );
    const h = 0.01;
    const together = forms.simulate(
      { systems, interactions: [floor('a', 1), diode, floor('b', 3)] },
      {
        h,
        integrators: [forms.eulerMoreau([0]), forms.moreauJean([1]), held([2]), schatzmanPaoli([3])],
        solver: 'auto',
      },
    );
    const alone = [
      forms.simulate(
        { systems: [systems[0]], interactions: [{ ...diode, systems: [0] }] },
        { h, integrators: [forms.eulerMoreau([0])], solver: 'auto' },
      ),
      forms.simulate(
        { systems: [systems[1]], interactions: [floor('a', 0)] },
        { h, integrators: [forms.moreauJean([0])], solver: 'auto' },
      ),
      forms.simulate({ systems: [systems[2]], interactions: [] }, { h, integrators: [held([0])] }),
      forms.simulate(
        { systems: [systems[3]], interactions: [floor('b', 0)] },
        { h, integrators: [schatzmanPaoli([0])], solver: 'auto' },
      ),
    ];
    for (let k = 0; k < 100; k++) {
      advance(together, 1);
      alone.forEach((simulation, i) => {
        advance(simulation, 1);
        expect(together.state[1 + i]).toBeCloseTo(simulation.state[1], 13);
      });
    }
    expect(worst(together)).toBeLessThan(1e-11);
  });
});
