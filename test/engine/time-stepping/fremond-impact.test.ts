/** Frémond's law of impact on coordinates: closed forms, the certificate, energy, and what is refused. */
import { describe, expect, it } from 'vitest';
import { isCertified } from '@contract/verdict';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { LawCheck } from '@engine/time-stepping/certificate/laws';
import { expectComplete } from '../support/issues';
import { model } from '../support/models';
import { refusal, run } from '../support/run';

const G = 10;
const M = 2;

/** A point that falls on the ground from 0.2 m, with a velocity along it. */
function falling(
  law: TypedElement,
  vx = 0,
  simulation: Partial<ModelDocument['simulation']> = {},
): ModelDocument {
  const document = model(
    [
      {
        id: 'point',
        type: 'LagrangianLinearTI',
        ndof: 2,
        mass: [
          [M, 0],
          [0, M],
        ],
        q0: [0, 0.2],
        v0: [vx, 0],
        fExt: [0, -M * G],
      },
    ],
    [
      {
        id: 'ground',
        systems: ['point'],
        relation: {
          type: 'LagrangianLinear',
          H:
            law.dimension === 1
              ? [[0, 1]]
              : [
                  [0, 1],
                  [1, 0],
                ],
        },
        law,
      },
    ],
    { h: 1e-3, tEnd: 0.3 },
  );
  return { ...document, simulation: { ...document.simulation, problem: { type: 'auto' }, ...simulation } };
}

const percussion = (fields: Partial<TypedElement> = {}): TypedElement => ({
  type: 'FremondImpactFriction',
  k: 6,
  mu: 0,
  ...fields,
});

/** Velocities before and after the first impact, and its impulses. */
function impact(document: ModelDocument): {
  before: number[];
  after: number[];
  session: ReturnType<typeof run>['session'];
} {
  const { column, session } = run(document);
  const lambda = column(
    document.interactions[0].law.dimension === 1 ? 'ground.impulse' : 'ground.normalImpulse',
  );
  const k = lambda.findIndex((x) => x > 0.5);
  const velocity = (at: number): number[] => [0, 1].map((i) => column(`point.v[${i}]`)[at]);
  return { before: velocity(k - 1), after: velocity(k), session };
}

describe('a point that falls', () => {
  it.each([
    ['springs back with (k − m)/(k + m)', 6, (6 - M) / (6 + M)],
    ['stays where k is below its mass', 1, 0],
  ])('%s', (_, k, e) => {
    for (const dimension of [1, 2]) {
      const { before, after, session } = impact(falling(percussion({ k, dimension })));
      // The load of the step, m g h, is in the impulse: u⁺ = max(0, …) of u⁻ and of what it would be.
      const free = before[1] - 1e-3 * G;
      const exact = k > M ? (M * free - k * before[1]) / (M + k) : 0;
      expect(after[1]).toBeCloseTo(Math.max(0, exact), 12);
      expect(after[1] / -before[1]).toBeCloseTo(e, 2);
      expect(isCertified(session.certificate)).toBe(true);
    }
  });

  it('slides with μ λ_n, and loses what the mean velocity says', () => {
    const { before, after, session } = impact(falling(percussion({ mu: 0.2 }), 3));
    const normal = M * (after[1] - before[1] + 1e-3 * G);
    expect(after[0]).toBeCloseTo(3 - (0.2 * normal) / M, 12);
    expect(isCertified(session.certificate)).toBe(true);
  });

  it('is turned round where friction could hold it: its mean velocity along the ground is zero', () => {
    const { before, after } = impact(falling(percussion({ mu: 1 }), 0.5));
    expect(before[0]).toBe(0.5);
    expect(after[0]).toBeCloseTo(-0.5, 12);
  });

  it('that stays stops sliding for good, and does not tremble', () => {
    const { column, session } = run(falling(percussion({ k: 1, mu: 0.3 }), 0.8, { tEnd: 0.9 }));
    const v = column('point.v[0]');
    expect(v[v.length - 1]).toBe(0);
    expect(v[v.length - 50]).toBe(0);
    expect(isCertified(session.certificate)).toBe(true);
  });
});

it('half steps know it as well', () => {
  const { before, after, session } = impact(
    falling(percussion(), 0, { integrators: [{ type: 'MoreauHalfStep', systems: ['point'] }] }),
  );
  expect(after[1] / -before[1]).toBeCloseTo(0.5, 2);
  expect(isCertified(session.certificate)).toBe(true);
});

describe('the certificate', () => {
  /** Largest residual of a contact with k = 6 kg and W = ½ that comes with −1 m/s. */
  const residual = (after: number, lambda: number): number => {
    const check = new LawCheck([{ kind: 'percussion', viscosity: 6 }], Uint8Array.of(0), Float64Array.of(1));
    let worst = 0;
    const maxima = {
      enter: (_quantity: number, { entry }: { entry: Float64Array }): void => {
        worst = Math.max(worst, entry[0]);
      },
    };
    check.check(
      Float64Array.of(after),
      Float64Array.of(lambda),
      Float64Array.of(0.5),
      Float64Array.of(-1),
      Uint8Array.of(1),
      new Float64Array(1),
      maxima as unknown as Parameters<LawCheck['check']>[6],
    );
    return worst;
  };

  it.each([
    ['too large an impulse', 0.5, 3.1],
    ['one that does not dissipate enough', 0.6, 3.2],
    ['none', -1, 0],
    ['a pull', 0.5, -3],
  ])('objects to %s', (_, after, lambda) => {
    expect(residual(0.5, 3)).toBeLessThan(1e-15);
    expect(residual(after, lambda)).toBeGreaterThan(1e-3);
  });
});

/*
 * A rod that strikes the ground with one end: by Newton's law with friction it gains energy (Kane and
 * Levinson 1985), by Frémond's never.
 */
it('a rod that strikes with its end gains energy by Newton’s law, and never by this one', () => {
  const rod = (law: TypedElement, vx: number): ModelDocument => {
    const [length, angle] = [1, 0.7];
    const [rx, ry] = [-0.5 * length * Math.cos(angle), -0.5 * length * Math.sin(angle)];
    const document = model(
      [
        {
          id: 'rod',
          type: 'LagrangianLinearTI',
          ndof: 3,
          mass: [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1 / 12],
          ],
          q0: [0, 1e-4, 0],
          v0: [vx, -1, 0],
        },
      ],
      [
        {
          id: 'ground',
          systems: ['rod'],
          relation: {
            type: 'LagrangianLinear',
            H: [
              [0, 1, rx],
              [1, 0, -ry],
            ],
          },
          law,
        },
      ],
      { h: 1e-3, tEnd: 2e-3 },
    );
    return { ...document, simulation: { ...document.simulation, problem: { type: 'auto' } } };
  };
  const energy = (law: TypedElement, vx: number): number => {
    const { column } = run(rod(law, vx));
    const v = [0, 1, 2].map((i) => column(`rod.v[${i}]`));
    const at = (k: number): number => 0.5 * (v[0][k] ** 2 + v[1][k] ** 2 + v[2][k] ** 2 / 12);
    return at(v[0].length - 1) - at(0);
  };
  const speeds = [-2, -1, -0.6, -0.3, -0.1, 0.1, 0.3, 0.6, 1, 2];
  const newton = { type: 'NewtonImpactFriction', mu: 0.5, e: 0.9 };
  expect(Math.max(...speeds.map((vx) => energy(newton, vx)))).toBeGreaterThan(0);
  for (const vx of speeds) expect(energy(percussion({ k: 3, mu: 0.5 }), vx)).toBeLessThan(1e-12);
});

describe('it is refused', () => {
  it('with friction and without a slip', () => {
    const { issues } = reportDocument(falling(percussion({ mu: 0.1, dimension: 1 })));
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'friction-without-slip', pointer: '/interactions/0/law/mu' }]);
  });

  it('without a viscosity', () => {
    const { issues } = reportDocument(falling(percussion({ k: 0 })));
    expect(issues.some(({ pointer }) => pointer === '/interactions/0/law/k')).toBe(true);
  });

  it('by schemes that have no velocities before and after', () => {
    const onPositions = falling(percussion());
    onPositions.simulation.integrators = [{ type: 'SchatzmanPaoli', theta: 0.5, systems: ['point'] }];
    expect(refusal(onPositions)).toMatchObject({ code: 'percussion-on-positions', where: 'ground' });
    const driven = falling(percussion(), 0, { scheme: 'event-driven' });
    const found = refusal(driven);
    expect(found.where).toBe('ground');
    expect(found.message).toContain('Frémond');
  });
});
