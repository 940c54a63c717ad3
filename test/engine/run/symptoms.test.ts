/** Defects that were found, each by the symptom it showed. */
import { describe, expect, it } from 'vitest';
import type { RelationForm } from '@engine/model/forms';
import { AffineVariationalInequality } from '@engine/problems/avi';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import * as forms from '../support/forms';

/** y = h(q) in the plane of a unit circle: inside it with sign −1, outside with +1. */
function circle(sign: number): RelationForm {
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
      out[0] = sign * (Math.hypot(q[0], q[1]) - 1);
    },
    outputJacobians: (_clock, q, _lambda, outC) => {
      const r = Math.hypot(q[0], q[1]);
      outC.set([(sign * q[0]) / r, (sign * q[1]) / r]);
    },
    timeDerivative: (_clock, _q, out) => {
      out.fill(0);
    },
    input: () => undefined,
    inputJacobians: () => undefined,
  };
}

const IDENTITY = [
  [1, 0],
  [0, 1],
];
const falling = (q: number[], v: number[]): ReturnType<typeof forms.linearLagrangian> =>
  forms.linearLagrangian(q, v, IDENTITY, { force: [0, -9.81] });

const certificateOf = (simulation: TimeStepping): number => {
  const { dynamics, complementarity, coneViolation } = simulation.certificate.report;
  return Math.max(dynamics, complementarity, coneViolation);
};

describe('a contact that opens while a step is repeated', () => {
  it('leaves no multiplier behind', () => {
    const simulation = forms.simulate(
      {
        systems: [forms.system('sled', falling([0, 1], [1, 0]))],
        interactions: [forms.interaction('hill', [0], circle(1), forms.impact(0))],
      },
      {
        h: 1e-3,
        tEnd: 0.5,
        integrators: [forms.moreauJean([0])],
        stepControl: { tolerance: 1e-3, hMin: 1e-3, hMax: 0.1 },
      },
    );
    while (!simulation.isAtEnd) {
      simulation.advance();
      if (simulation.oneStep.activeCount === 0) expect(simulation.state.at(-3)).toBe(0);
    }
    expect(certificateOf(simulation)).toBeLessThan(1e-11);
  });
});

describe('a rod at position level', () => {
  it.each([1e-6, 1e-10])('meets the tolerance of Newton’s method, %f', (tolerance) => {
    const simulation = forms.simulate(
      {
        systems: [forms.system('bob', falling([1, 0], [0, 0]))],
        interactions: [forms.interaction('rod', [0], circle(1), forms.equality())],
      },
      { h: 0.05, integrators: [forms.moreauJean([0], 1)], newton: { tolerance, maxIterations: 50 } },
    );
    for (let k = 0; k < 100; k++) simulation.advance();
    expect(simulation.certificate.report.dynamics).toBeLessThan(tolerance);
  });
});

describe('a rod at velocity level, taken at the end of the step', () => {
  it('converges although its velocity is zero to rounding', () => {
    const law = { ...forms.equality(), level: 'velocity', multiplier: 'impulse' } as const;
    const simulation = forms.simulate(
      {
        systems: [forms.system('bob', falling([1, 0], [0, 0]))],
        interactions: [forms.interaction('rod', [0], circle(1), law)],
      },
      {
        h: 0.01,
        integrators: [forms.moreauJean([0], 0.5, { relationPoint: 'end' })],
        newton: { tolerance: 1e-10, maxIterations: 50 },
      },
    );
    for (let k = 0; k < 300; k++) simulation.advance();
    expect(certificateOf(simulation)).toBeLessThan(1e-8);
  });

  it('cannot stand beside an integrator that takes relations elsewhere', () => {
    const mass = (id: string): ReturnType<typeof forms.system> =>
      forms.system(id, forms.linearLagrangian([0], [0], [[1]]));
    expect(() =>
      forms.simulate(
        { systems: [mass('a'), mass('b')], interactions: [] },
        {
          h: 0.1,
          integrators: [
            forms.moreauJean([0], 0.5, { relationPoint: 'end' }),
            forms.moreauJean([1], 0.5, { relationPoint: 'predicted' }),
          ],
        },
      ),
    ).toThrow(/“a”/);
  });
});

describe('an operator that is symmetric at a step of one second only', () => {
  it('is not taken for symmetric when the step changes', () => {
    const joint = { ...forms.equality(), level: 'velocity', multiplier: 'impulse' } as const;
    const friction = { ...forms.relay(-2, 2), level: 'velocity' } as const;
    const simulation = forms.simulate(
      {
        systems: [
          forms.system(
            'pair',
            forms.linearLagrangian(
              [0, 0],
              [1, -1],
              [
                [2, 0.5],
                [0.5, 1],
              ],
              { force: [3, 1] },
            ),
          ),
        ],
        interactions: [
          forms.interaction('joint', [0], forms.lagrangianRelation([[1, -1]]), joint),
          forms.interaction('friction', [0], forms.lagrangianRelation([[1, 0.3]]), friction),
        ],
      },
      {
        h: 1,
        tEnd: 4,
        integrators: [forms.moreauJean([0])],
        stepControl: { tolerance: 1e-4, hMin: 1e-4, hMax: 1 },
      },
    );
    while (!simulation.isAtEnd) simulation.advance();
    expect(certificateOf(simulation)).toBeLessThan(1e-11);
  });
});

describe('a step after one that failed', () => {
  it('is refused: it would start from a half computed state', () => {
    const rate = (_t: number, x: Float64Array, out: Float64Array): void => {
      out[0] = x[0] * x[0];
    };
    const simulation = forms.simulate(
      {
        systems: [
          forms.system(
            'flame',
            forms.nonlinearFirstOrder([1], rate, (_t, x, out) => {
              out[0] = 2 * x[0];
            }),
          ),
        ],
        interactions: [],
      },
      { h: 0.2, integrators: [forms.eulerMoreau([0])] },
    );
    expect(() => {
      for (let k = 0; k < 10; k++) simulation.advance();
    }).toThrow(/Newton/);
    expect(() => {
      simulation.advance();
    }).toThrow(/step/);
  });
});

describe('the certificate', () => {
  it('raises no alarm for a zero-order hold with a small mass', () => {
    const simulation = forms.simulate(
      {
        systems: [forms.system('fast', forms.linearFirstOrder([[-1]], [1], { mass: [[1e-3]] }))],
        interactions: [],
      },
      { h: 0.1, integrators: [{ type: 'ZeroOrderHold', numbers: {}, choices: {}, systems: [0] }] },
    );
    for (let k = 0; k < 5; k++) simulation.advance();
    expect(certificateOf(simulation)).toBeLessThan(1e-12);
  });

  it('sees a wrong step of a state with a tiny mass', () => {
    const simulation = forms.simulate(
      {
        systems: [forms.system('capacitor', forms.linearFirstOrder([[-1e-9]], [1], { mass: [[1e-9]] }))],
        interactions: [],
      },
      { h: 1e-3, integrators: [forms.eulerMoreau([0])], loop: 'general' },
    );
    const [integrator] = simulation.integrators;
    const compute = integrator.computeFree.bind(integrator);
    integrator.computeFree = () => {
      compute();
      simulation.state[1] += simulation.state[1] - simulation.context.start[1];
    };
    simulation.advance();
    expect(certificateOf(simulation)).toBeGreaterThan(0.1);
  });

  it('raises no alarm where short steps change a fast body little', () => {
    const simulation = forms.simulate(
      {
        systems: [forms.system('glider', forms.linearLagrangian([0], [7.5], [[3]], { damping: [[1e-3]] }))],
        interactions: [],
      },
      { h: 1e-6, integrators: [forms.moreauJean([0])] },
    );
    for (let k = 0; k < 1000; k++) simulation.advance();
    expect(certificateOf(simulation)).toBeLessThan(1e-9);
  });
});

describe('NaN in one row of a problem', () => {
  it.each([
    [Number.NaN, 1],
    [1, Number.NaN],
  ])('is not hidden by the other, z = [%f, %f]', (a, b) => {
    const problem = AffineVariationalInequality.dense(Float64Array.of(1, 0, 0, 1), Float64Array.of(-1, -1));
    problem.z.set([a, b]);
    problem.certify();
    expect(problem.measure[0]).toBeNaN();
  });
});

describe('bodies that are pressed together and fly far', () => {
  it.each(['general', 'straight-line'] as const)(
    'stay closed and do not sink into each other (%s)',
    (loop) => {
      const speed = 1e3 / 7;
      const body = (id: string, mass: number, force: number): ReturnType<typeof forms.system> =>
        forms.system(id, forms.linearLagrangian([0], [speed], [[mass]], { force: [force] }));
      const simulation = forms.simulate(
        {
          systems: [body('rear', 1, 1), body('front', 0.3, -1 / 3)],
          interactions: [
            forms.interaction('touch', [0, 1], forms.lagrangianRelation([[-1, 1]]), forms.impact(0)),
          ],
        },
        { h: 1e-2, integrators: [forms.moreauJean([0, 1])], loop },
      );
      let deepest = 0;
      let leftOut = 0;
      for (let k = 0; k < 10_000; k++) {
        simulation.advance();
        leftOut += 1 - simulation.oneStep.active[0];
        deepest = Math.min(deepest, simulation.state[1 + 1] - simulation.state[1]);
      }
      expect(leftOut).toBe(0);
      // 1.7·10⁴ m have roundings of 4·10⁻¹² m, one in most steps.
      expect(deepest).toBeGreaterThan(-1e-8);
    },
  );
});
