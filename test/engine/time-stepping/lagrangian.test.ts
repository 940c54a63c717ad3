/**
 * Non-linear Lagrangian systems: a double pendulum with M(q), scleronomous and compliant relations. Items 5,
 * 8, 10.
 */
import { describe, expect, it } from 'vitest';
import type { LagrangianForm, RelationForm } from '@engine/model/forms';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';

const G = 9.81;

/** Two unit point masses on unit massless rods, angles from the downward vertical. */
function doublePendulum(q0: readonly [number, number]): LagrangianForm {
  const force = (q: Float64Array, v: Float64Array): [number, number] => {
    const s = Math.sin(q[0] - q[1]);
    return [-s * v[1] ** 2 - 2 * G * Math.sin(q[0]), s * v[0] ** 2 - G * Math.sin(q[1])];
  };
  return {
    order: 2,
    size: 2,
    q0: Float64Array.from(q0),
    v0: new Float64Array(2),
    constantMass: null,
    linear: null,
    mass: (q, out) => {
      const c = Math.cos(q[0] - q[1]);
      out.set([2, c, c, 1]);
    },
    force: (_clock, q, v, out) => {
      out.set(force(q, v));
    },
    forceJacobians: (_clock, q, v, outQ, outV) => {
      const [s, c] = [Math.sin(q[0] - q[1]), Math.cos(q[0] - q[1])];
      outQ.set([
        -c * v[1] ** 2 - 2 * G * Math.cos(q[0]),
        c * v[1] ** 2,
        c * v[0] ** 2,
        -c * v[0] ** 2 - G * Math.cos(q[1]),
      ]);
      outV.set([0, -2 * s * v[1], 2 * s * v[0], 0]);
    },
  };
}

const energy = (state: Float64Array): number => {
  const [a, b, va, vb] = state.slice(1, 5);
  const kinetic = va * va + 0.5 * vb * vb + va * vb * Math.cos(a - b);
  return kinetic - 2 * G * Math.cos(a) - G * Math.cos(b);
};

function swing(h: number, theta: number, massPoint: string, t = 1): TimeStepping {
  const simulation = forms.simulate(
    { systems: [forms.system('pendulum', doublePendulum([1, 0.5]))], interactions: [] },
    { h, integrators: [forms.moreauJean([0], theta, { massPoint })] },
  );
  while (simulation.time < t - h / 2) simulation.advance();
  return simulation;
}

/** Angle of the first rod after 1 s, by Richardson extrapolation of the midpoint scheme. */
const reference = ((): number => {
  const [a, b] = [swing(2e-4, 0.5, 'midpoint').state[1], swing(1e-4, 0.5, 'midpoint').state[1]];
  return (4 * b - a) / 3;
})();

const order = (theta: number, massPoint: string): number => {
  const error = (h: number): number => Math.abs(swing(h, theta, massPoint).state[1] - reference);
  return Math.log2(error(4e-3) / error(2e-3));
};

describe('a double pendulum', () => {
  it('is of order 2 at θ = ½ with the mass at the middle of the step, of order 1 with it at the end or at θ = 1', () => {
    expect(order(0.5, 'midpoint')).toBeCloseTo(2, 1);
    expect(order(0.5, 'end')).toBeCloseTo(1, 1);
    expect(order(1, 'midpoint')).toBeCloseTo(1, 1);
  });

  it('keeps its energy to second order, and its certificate to rounding', () => {
    const drift = (h: number): number =>
      Math.abs(energy(swing(h, 0.5, 'midpoint').state) - energy(Float64Array.of(0, 1, 0.5, 0, 0)));
    expect(drift(2e-3) / drift(1e-3)).toBeGreaterThan(3.5);
    expect(swing(1e-3, 0.5, 'midpoint').certificate.report.dynamics).toBeLessThan(1e-11);
  });
});

/** Height of the second mass above y = level. */
function height(level: number): RelationForm {
  return {
    order: 2,
    size: 1,
    columns: 2,
    C: null,
    D: null,
    B: null,
    hasFeedthrough: false,
    hasStateInput: false,
    isAffine: false,
    isTimeDependent: false,
    output: (_clock, q, _lambda, out) => {
      out[0] = -Math.cos(q[0]) - Math.cos(q[1]) - level;
    },
    outputJacobians: (_clock, q, _lambda, outC) => {
      outC[0] = Math.sin(q[0]);
      outC[1] = Math.sin(q[1]);
    },
    timeDerivative: (_clock, _q, out) => {
      out.fill(0);
    },
    input: () => undefined,
    inputJacobians: () => undefined,
  };
}

describe('a double pendulum over a floor', () => {
  const model = {
    systems: [forms.system('pendulum', doublePendulum([1.4, 1.4]))],
    interactions: [forms.interaction('floor', [0], height(-1.7), forms.impact(0.5))],
  };
  const fall = (choices: Record<string, string>, h = 1e-3): TimeStepping => {
    const simulation = forms.simulate(model, { h, integrators: [forms.moreauJean([0], 0.5, choices)] });
    while (simulation.time < 1.5) simulation.advance();
    return simulation;
  };

  it.each(['start', 'predicted', 'end'])(
    'bounces, with relations linearised at the %s position',
    (relationPoint) => {
      const simulation = fall({ relationPoint });
      expect(simulation.events).toBeGreaterThan(0);
      const { dynamics, complementarity, coneViolation } = simulation.certificate.report;
      expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(1e-9);
      expect(energy(simulation.state)).toBeLessThan(energy(Float64Array.of(0, 1.4, 1.4, 0, 0)));
    },
  );

  it('does the same with both, to the order of the step, until the first impact is over', () => {
    const until = (relationPoint: string, h: number): number => {
      const simulation = forms.simulate(model, {
        h,
        integrators: [forms.moreauJean([0], 0.5, { relationPoint })],
      });
      while (simulation.events === 0) simulation.advance();
      return simulation.state[3];
    };
    const difference = (h: number): number => Math.abs(until('predicted', h) - until('end', h));
    expect(difference(1e-3)).toBeLessThan(5e-2);
    expect(difference(1e-4)).toBeLessThan(5e-3);
  });
});

describe('where rows at velocity level are linearised', () => {
  const joint = { ...forms.equality(), level: 'velocity', multiplier: 'impulse' } as const;
  const points = ['start', 'predicted', 'end'] as const;

  it.each(points)('is the %s of the step', (relationPoint) => {
    const h = 1e-2;
    const rod: RelationForm = {
      ...height(0),
      isScleronomous: true,
      output: (_clock, q, _lambda, y) => {
        y[0] = 0.5 * (q[0] ** 2 + q[1] ** 2 - 1);
      },
      outputJacobians: (_clock, q, _lambda, jacobian) => {
        jacobian.set([q[0], q[1]]);
      },
    } as RelationForm;
    const bob = forms.linearLagrangian(
      [1, 0],
      [0, 1],
      [
        [1, 0],
        [0, 1],
      ],
      { force: [0, -G] },
    );
    const simulation = forms.simulate(
      { systems: [forms.system('bob', bob)], interactions: [forms.interaction('rod', [0], rod, joint)] },
      { h, integrators: [forms.moreauJean([0], 0.5, { relationPoint })] },
    );
    const worst = { start: 0, predicted: 0, end: 0 };
    for (let k = 0; k < 50; k++) {
      const [, x, y, u, w] = simulation.state;
      simulation.advance();
      const [, X, Y, U, W] = simulation.state;
      const at = { start: [x, y], predicted: [x + h * u, y + h * w], end: [X, Y] };
      for (const point of points)
        worst[point] = Math.max(worst[point], Math.abs(at[point][0] * U + at[point][1] * W));
    }
    for (const point of points)
      if (point === relationPoint) expect(worst[point]).toBeLessThan(1e-9);
      else expect(worst[point]).toBeGreaterThan(1e-4);
    expect(simulation.certificate.report.dynamics).toBeLessThan(1e-9);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-9);
  });

  it.each(points)('is that time for a prescribed motion, too: %s', (relationPoint) => {
    const h = 1e-2;
    const moved: RelationForm = {
      ...forms.lagrangianRelation([[1]]),
      isTimeDependent: true,
      output: (clock, q, _lambda, y) => {
        y[0] = q[0] - Math.sin(clock[0]);
      },
      timeDerivative: (clock, _q, y) => {
        y[0] = -Math.cos(clock[0]);
      },
    };
    const simulation = forms.simulate(
      {
        systems: [forms.system('slider', forms.linearLagrangian([0], [1], [[2]]))],
        interactions: [forms.interaction('drive', [0], moved, joint)],
      },
      { h, integrators: [forms.moreauJean([0], 0.5, { relationPoint })] },
    );
    for (let k = 0; k < 50; k++) {
      simulation.advance();
      expect(simulation.state[2]).toBeCloseTo(Math.cos((relationPoint === 'start' ? k : k + 1) * h), 12);
    }
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-12);
  });
});

describe('a compliant contact', () => {
  it('rests where the weight has compressed it: y = q + D λ = 0', () => {
    const [m, D] = [2, 1e-3];
    const simulation = forms.simulate(
      {
        systems: [
          forms.system(
            'mass',
            forms.linearLagrangian([0.1], [0], [[m]], { damping: [[20]], force: [-m * G] }),
          ),
        ],
        interactions: [
          forms.interaction('pad', [0], forms.lagrangianRelation([[1]], [0], [[D]]), forms.complementarity()),
        ],
      },
      { h: 1e-3, integrators: [forms.moreauJean([0], 1)] },
    );
    for (let k = 0; k < 5000; k++) simulation.advance();
    expect(simulation.state[1]).toBeCloseTo(-D * m * G, 9);
    expect(simulation.state[5]).toBeCloseTo(m * G, 6);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-10);
  });
});

describe('a joint at velocity level', () => {
  it('keeps two masses together', () => {
    const law = { ...forms.equality(), level: 'velocity', multiplier: 'impulse' } as const;
    const simulation = forms.simulate(
      {
        systems: [
          forms.system('a', forms.linearLagrangian([0], [1], [[2]], { stiffness: [[30]] })),
          forms.system('b', forms.linearLagrangian([0], [1], [[3]])),
        ],
        interactions: [forms.interaction('joint', [0, 1], forms.lagrangianRelation([[-1, 1]]), law)],
      },
      { h: 1e-3, integrators: [forms.moreauJean([0, 1])] },
    );
    for (let k = 0; k < 1000; k++) simulation.advance();
    const omega = Math.sqrt(30 / 5);
    expect(simulation.state[1]).toBeCloseTo(Math.sin(omega) / omega, 5);
    expect(Math.abs(simulation.state[1] - simulation.state[2])).toBeLessThan(1e-13);
  });
});
