/** Plasticity by Mohr and Coulomb in runs: closed forms, both orders, solvers, and what is refused. */
import { describe, expect, it } from 'vitest';
import { isCertified, worstOf } from '@contract/verdict';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { model } from '../support/models';
import { refusal, run } from '../support/run';

const [PHI, PSI] = [0.6, 0.25];
const G = 10;

/**
 * A block of 2 kg on a layer of soil 1 m thick that carries it as one point: with the shear ẋ and the
 * expansion ẏ, ε̇_yy = ẏ and 2 ε̇_xy = ẋ. A third coordinate is
 * the lateral strain, which a joint holds: three stresses act on two freedoms.
 */
function onSoil(
  push: number,
  law: TypedElement,
  simulation: Partial<ModelDocument['simulation']> = {},
): ModelDocument {
  const document = model(
    [
      {
        id: 'block',
        type: 'LagrangianLinearTI',
        ndof: 3,
        mass: [
          [2, 0, 0],
          [0, 2, 0],
          [0, 0, 2],
        ],
        q0: [0, 0, 0],
        v0: [0, 0, 0],
        fExt: [push, -2 * G, 0],
      },
    ],
    [
      {
        id: 'soil',
        systems: ['block'],
        relation: {
          type: 'LagrangianLinear',
          H: [
            [0, 1, 1],
            [0, -1, 1],
            [1, 0, 0],
          ],
        },
        law,
      },
      {
        id: 'sides',
        systems: ['block'],
        relation: { type: 'LagrangianLinear', H: [[0, 0, 1]] },
        law: { type: 'Equality' },
      },
    ],
    { tEnd: 0.2 },
  );
  return { ...document, simulation: { ...document.simulation, problem: { type: 'auto' }, ...simulation } };
}

const soil = { type: 'MohrCoulomb', phi: PHI, psi: PSI };

describe('a block on soil', () => {
  /** Shear over pressure on horizontal planes in simple shear (Davis 1968). */
  const ratio = (Math.sin(PHI) * Math.cos(PSI)) / (1 - Math.sin(PHI) * Math.sin(PSI));

  it.each(['auto', 'NSGS', 'SemiSmoothNewton', 'ADMM', 'FrictionInteriorPoint', 'Proximal'])(
    'is pushed off by more than Davis’ ratio, and rises by the angle of dilatancy, by %s',
    (type) => {
      const push = 20;
      const { session, column } = run(onSoil(push, soil, { solver: { type } }));
      const [vx, vy] = ['block.v[0]', 'block.v[1]'].map(column);
      // 2 ẍ = F − k N with N = 2 g + 2 ÿ and ÿ = ẍ tan ψ.
      const acceleration = (push - ratio * 2 * G) / (2 * (1 + ratio * Math.tan(PSI)));
      expect(vy[200] / vx[200]).toBeCloseTo(Math.tan(PSI), 5);
      expect(vx[200]).toBeCloseTo(0.2 * acceleration, 5);
      expect(isCertified(session.certificate)).toBe(true);
    },
  );

  it('stands under less, to rounding', () => {
    const { session, column } = run(onSoil(0.95 * ratio * 2 * G, soil));
    expect(Math.max(...column('block.v[0]').map(Math.abs))).toBeLessThan(1e-9);
    expect(worstOf(session.certificate)).toBeLessThan(1e-8);
  });

  it('stands under more with cohesion', () => {
    const { column } = run(onSoil(1.2 * ratio * 2 * G, { ...soil, c: 6 }));
    expect(Math.max(...column('block.v[0]').map(Math.abs))).toBeLessThan(1e-9);
  });

  it('keeps its height without dilatancy', () => {
    const { column } = run(onSoil(20, { ...soil, psi: 0 }));
    expect(column('block.v[0]')[200]).toBeGreaterThan(0.1);
    expect(Math.abs(column('block.v[1]')[200])).toBeLessThan(1e-8);
  });

  it('is refused from event to event, with a way out', () => {
    const error = refusal(onSoil(20, soil, { scheme: 'event-driven' }));
    expect(error).toMatchObject({ code: 'event-driven-unsupported', where: 'soil' });
    expect(error.message).toContain('plasticity');
    expect(error.remedy).toContain('time-stepping');
  });
});

it('rates of strain of first order come to rest on the surface of the cone', () => {
  const document = model(
    [
      {
        id: 'rates',
        type: 'FirstOrderLinear',
        n: 3,
        x0: [0, 0, 0],
        A: [
          [-1, 0, 0],
          [0, -1, 0],
          [0, 0, -1],
        ],
        b: [-1, 0.9, 1.2],
      },
    ],
    [
      {
        id: 'sand',
        systems: ['rates'],
        relation: {
          type: 'FirstOrderLinearTI',
          C: [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
          B: [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
        },
        law: { type: 'MohrCoulomb', phi: 0.5, psi: 0.1 },
      },
    ],
    { tEnd: 20, h: 0.01 },
  );
  const { session, column } = run({
    ...document,
    simulation: {
      ...document.simulation,
      integrators: [{ type: 'EulerMoreau', theta: 1, thetaR: 1 }],
      problem: { type: 'FrictionContact' },
    },
  });
  const [yn, y1, y2] = [0, 1, 2].map((k) => column(`sand.y[${k}]`)[2000]);
  const [ln, l1, l2] = [0, 1, 2].map((k) => column(`sand.lambda[${k}]`)[2000]);
  // At rest λ = y − b: y = γ (sin ψ, 0.6, 0.8), and |λ_t| = 1.5 − γ = λ_n sin φ with λ_n = 1 + γ sin ψ.
  const gamma = (1.5 - Math.sin(0.5)) / (1 + Math.sin(0.5) * Math.sin(0.1));
  expect([yn, y1, y2].map((value) => value / gamma)).toEqual(
    [Math.sin(0.1), 0.6, 0.8].map((value) => expect.closeTo(value, 6) as number),
  );
  expect(Math.hypot(l1, l2)).toBeCloseTo(Math.sin(0.5) * ln, 8);
  expect(isCertified(session.certificate)).toBe(true);
});
