/** Where friction leaves no acceleration or several, and models with friction that cannot be simulated. */
import { EngineError } from '@engine/errors';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { coulomb, curved } from './friction-support';
import { G, simulateEvents } from './support';

/** What a failure says. */
function failure(action: () => void): EngineError {
  try {
    action();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

describe('Painlevé’s rod', () => {
  // The tip of a rod of length 2 and mass 1 at the angle φ, about which the relation is linear: it slides
  // forward.
  const [s, c] = [Math.sin(1), Math.cos(1)];
  const rod = (mu: number, push: number): NonSmoothDynamicalSystem => ({
    systems: [
      system(
        'rod',
        linearLagrangian(
          [0, 0, 0],
          [-1, 0, 0],
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1 / 3],
          ],
          { force: [0, push, 0] },
        ),
      ),
    ],
    interactions: [
      interaction(
        'tip',
        [0],
        lagrangianRelation([
          [0, 1, -c],
          [1, 0, s],
        ]),
        coulomb(mu),
      ),
    ],
  });
  // W_nn = 1 + 3 c², W_nt = −3 s c; sliding backwards λ_t = μ λ_n: W_nn − 3 μ s c
  const critical = (1 + 3 * c * c) / (3 * s * c);

  it('slides with the friction that it has below the critical coefficient', () => {
    const mu = 0.9 * critical;
    const simulation = simulateEvents(rod(mu, -G), { h: 1e-3 });
    simulation.computeOneStep();
    const lambda = G / (1 + 3 * c * c - 3 * mu * s * c);
    expect(simulation.state[11]).toBeCloseTo(lambda, 9);
    expect(simulation.state[12]).toBeCloseTo(mu * lambda, 9);
  });

  it('has no acceleration above it when it is pressed down', () => {
    const { details, message } = failure(() => simulateEvents(rod(1.1 * critical, -G)));
    expect(details.code).toBe('friction-no-solution');
    expect(details.where).toBe('tip');
    expect(message).toContain(`μ = ${1.1 * critical}`);
    expect(details.remedy).toContain('time-stepping');
  });

  it('has several above it when it is lifted', () => {
    const { details } = failure(() => simulateEvents(rod(1.1 * critical, 1)));
    expect(details.code).toBe('friction-several-solutions');
    expect(details.where).toBe('tip');
  });
});

describe('a contact whose friction grows while it slides', () => {
  it('ends where W_nn − μ W_nt vanishes, and says so', () => {
    // W_nn = 1, W_nt = x/2: λ_n = g/(1 − x) with μ = 2, infinite at x = 1, which a fast body reaches in spite
    // of friction
    const wedge = curved(
      2,
      2,
      (q, out) => {
        out[0] = q[1];
        out[1] = q[0] + (q[0] * q[1]) / 2;
      },
      (q, out) => {
        out.set([0, 1, 1 + q[1] / 2, q[0] / 2]);
      },
    );
    const body = system(
      'body',
      linearLagrangian(
        [0, 0],
        [100, 0],
        [
          [1, 0],
          [0, 1],
        ],
        { force: [0, -G] },
      ),
    );
    const { details } = failure(() => {
      simulateEvents(
        { systems: [body], interactions: [interaction('wedge', [0], wedge, coulomb(2))] },
        { h: 1e-3, tEnd: 0.1 },
      ).run();
    });
    expect(details.code).toBe('friction-no-solution');
    expect(details.where).toBe('wedge');
    // ẋ = 100 + g ln(1 − x)/50 to first order
    expect(details.time).toBeCloseTo(0.01, 4);
  });
});

describe('models that cannot be', () => {
  const body = system(
    'body',
    linearLagrangian(
      [0, 0],
      [0, 0],
      [
        [1, 0],
        [0, 1],
      ],
    ),
  );
  const of = (...interactions: NonSmoothDynamicalSystem['interactions']): (() => void) => {
    return () => simulateEvents({ systems: [body], interactions });
  };
  const flat = lagrangianRelation([
    [0, 1],
    [1, 0],
  ]);

  it.each([
    [
      'a slip that no coordinate changes',
      of(
        interaction(
          'feet',
          [0],
          lagrangianRelation([
            [0, 1],
            [0, 0],
          ]),
          coulomb(0.5),
        ),
      ),
      'slip',
    ],
    [
      'a relation of one row and a half',
      of(
        interaction(
          'feet',
          [0],
          lagrangianRelation([
            [0, 1],
            [1, 0],
            [1, 1],
          ]),
          coulomb(0.5),
        ),
      ),
      'multiple',
    ],
    [
      'friction without restitution',
      of(interaction('feet', [0], flat, { ...coulomb(0.5), restitution: null })),
      'impulse',
    ],
    [
      'Poisson’s and Newton’s restitution at once',
      of(
        interaction('feet', [0], flat, coulomb(0.5, 0.5, { hypothesis: 'poisson' })),
        interaction('hand', [0], flat, coulomb(0.5, 0.5)),
      ),
      'Newton',
    ],
    [
      'tangential restitution with Poisson’s',
      of(interaction('feet', [0], flat, coulomb(0.5, 0.5, { hypothesis: 'poisson', et: 0.5 }))),
      'tangential',
    ],
  ])('%s', (_name, action, word) => {
    const { details, message } = failure(action);
    expect(details.code).toBe('event-driven-unsupported');
    expect(details.where).toBe('feet');
    expect(message).toContain(word);
  });

  it('a slip that vanishes where the contact closes', () => {
    const turning = curved(
      2,
      2,
      (q, out) => {
        out[0] = q[1];
        out[1] = (q[0] * q[0]) / 2;
      },
      (q, out) => {
        out.set([0, 1, q[0], 0]);
      },
    );
    const { details } = failure(of(interaction('feet', [0], turning, coulomb(0.5))));
    expect(details.code).toBe('event-driven-degree');
    expect(details.where).toBe('feet');
  });

  it('friction on a first-order relation', () => {
    const { details } = failure(
      of(interaction('feet', [0], { ...flat, order: 1, B: new Float64Array(4) }, coulomb(0.5))),
    );
    expect(details.code).toBe('event-driven-unsupported');
  });
});
