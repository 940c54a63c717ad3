/** Vectors that a polytope confines, in runs: closed forms, the solvers that suit, and what is refused. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SystemDocument, TypedElement } from '@engine/document/types';
import { model } from '../support/models';
import { refusal, run } from '../support/run';

const IDENTITY = [
  [1, 0],
  [0, 1],
];

const puck = (v0: number[], fields: Partial<SystemDocument> = {}): SystemDocument => ({
  id: 'puck',
  type: 'LagrangianLinearTI',
  ndof: 2,
  mass: IDENTITY,
  q0: [0, 0],
  v0,
  ...fields,
});

function withLaw(
  system: SystemDocument,
  law: TypedElement,
  options: Parameters<typeof model>[2] = {},
  problem = 'auto',
): ModelDocument {
  const document = model(
    [system],
    [{ id: 'wall', systems: ['puck'], relation: { type: 'LagrangianLinear', H: IDENTITY }, law }],
    options,
  );
  return { ...document, simulation: { ...document.simulation, problem: { type: problem } } };
}

/** |λ_x|/2 + |λ_y| ≤ 1 */
const rhombus: TypedElement = {
  type: 'NormalConePolytope',
  A: [
    [0.5, 1],
    [0.5, -1],
    [-0.5, 1],
    [-0.5, -1],
  ],
  b: [1, 1, 1, 1],
  confines: 'lambda',
};

const triangle: TypedElement = {
  type: 'NormalConePolytope',
  A: [
    [1, 0],
    [-0.5, 0.75],
    [-0.5, -0.75],
  ],
  b: [1, 1, 1],
};

/**
 * From (3, 1) a corner of the rhombus holds back along x with 2 until v = (½, 1) at 1.25; then v keeps the
 * direction (1, 2) of a side’s normal under (−0.4, −0.8) and ends at 2.5.
 */
function expectRhombus(document: ModelDocument): void {
  const { session, column } = run(document);
  const [vx, vy] = [column('puck.v[0]'), column('puck.v[1]')];
  const at = (t: number): number => Math.round(t / 1e-3);
  expect(vx[at(1)]).toBeCloseTo(1, 9);
  expect(vy[at(1)]).toBeCloseTo(1, 9);
  expect(vx[at(2)]).toBeCloseTo(0.2, 3);
  expect(vy[at(2)]).toBeCloseTo(0.4, 3);
  expect(Math.abs(vx[at(2.51)]) + Math.abs(vy[at(2.51)])).toBeLessThan(1e-12);
  const { complementarity, coneViolation, dynamics } = session.certificate;
  expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-9);
}

describe('a puck under friction with a rhombus of forces', () => {
  it.each(['auto', 'Lemke', 'InteriorPoint', 'NewtonFischerBurmeister', 'NewtonMin', 'Enumeration'])(
    'slides along a bent path and stops, by %s',
    (solver) => {
      expectRhombus(withLaw(puck([3, 1]), rhombus, { tEnd: 2.6, solver }));
    },
  );

  it.each(['MLCP', 'AVI'])('is expressed by %s', (problem) => {
    expectRhombus(withLaw(puck([3, 1]), rhombus, { tEnd: 2.6 }, problem));
  });

  it.each(['LCP', 'Relay', 'QP'])('is not expressed by %s', (problem) => {
    expect(refusal(withLaw(puck([3, 1]), rhombus, {}, problem))).toMatchObject({
      code: 'problem-unsuitable',
      where: 'wall',
    });
  });
});

describe('a puck in a pen with three walls', () => {
  it.each(['LCP', 'MLCP', 'AVI', 'QP'])('stays within it, by %s', (problem) => {
    const { session, column } = run(
      withLaw(puck([1, 0.3], { fExt: [0.5, -1] }), triangle, { tEnd: 4, theta: 1 }, problem),
    );
    const [x, y] = [column('wall.y[0]'), column('wall.y[1]')];
    expect(Math.max(...x)).toBeLessThan(1 + 1e-9);
    x.forEach((value, k) => {
      expect(Math.max(-0.5 * value + 0.75 * y[k], -0.5 * value - 0.75 * y[k])).toBeLessThan(1 + 1e-9);
    });
    expect([x[4000], y[4000]].map((value) => Number(value.toFixed(6)))).toEqual([1, -2]);
    const { complementarity, coneViolation, dynamics } = session.certificate;
    expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-9);
  });

  it.each(['PGS', 'CPG', 'ConvexQP', 'PrincipalPivoting', 'LeastIndex'])(
    'does so by %s, which is for symmetric or regular operators',
    (solver) => {
      const { column } = run(
        withLaw(puck([1, 0.3], { fExt: [0.5, -1] }), triangle, { tEnd: 0.5, theta: 1, solver }),
      );
      expect(column('puck.q[0]')[500]).toBeGreaterThan(0.5);
    },
  );

  it('on velocities keeps its rate within the polytope', () => {
    const law = { ...triangle, level: 'velocity' };
    const { column } = run(withLaw(puck([0, 0], { fExt: [5, 0] }), law, { tEnd: 1 }));
    expect(column('puck.v[0]')[1000]).toBeCloseTo(1, 9);
    expect(column('wall.lambda[0]')[900]).toBeCloseTo(-5, 6);
  });

  it('is refused from event to event, with a way out', () => {
    const document = withLaw(puck([1, 0]), triangle);
    const error = refusal({ ...document, simulation: { ...document.simulation, scheme: 'event-driven' } });
    expect(error).toMatchObject({ code: 'event-driven-unsupported', where: 'wall' });
    expect(error.message).toContain('polytope');
    expect(error.remedy).toContain('time-stepping');
  });
});
