/** Contacts of coordinates with own normal and two tangents: closed forms, solvers, mixtures, refusals. */
import { describe, expect, it } from 'vitest';
import type {
  DocumentIssue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
} from '@engine/document/types';
import { isCertified, worstOf } from '@contract/verdict';
import { frictionSolverDefinitions } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import { model } from '../support/models';
import { refusal, run, runFailure } from '../support/run';

const G = 9.81;
const MU = 0.3;

const puck = (fields: Partial<SystemDocument> = {}): SystemDocument => ({
  id: 'puck',
  type: 'LagrangianLinearTI',
  ndof: 3,
  mass: [
    [2, 0, 0],
    [0, 2, 0],
    [0, 0, 2],
  ],
  q0: [0, 0, 0],
  v0: [0.3, 0.4, 0],
  fExt: [0, 0, -2 * G],
  ...fields,
});

/** A floor whose tangents are turned by an angle. */
const floor = (angle = 0.7, fields: Record<string, number | string> = {}): InteractionDocument => ({
  id: 'floor',
  systems: ['puck'],
  relation: {
    type: 'LagrangianLinear',
    H: [
      [0, 0, 1],
      [Math.cos(angle), Math.sin(angle), 0],
      [-Math.sin(angle), Math.cos(angle), 0],
    ],
  },
  law: { type: 'NewtonImpactFriction', e: 0, mu: MU, dimension: 3, ...fields },
});

function withSettings(
  document: ModelDocument,
  settings: Partial<ModelDocument['simulation']>,
): ModelDocument {
  return { ...document, simulation: { ...document.simulation, problem: { type: 'auto' }, ...settings } };
}

const sliding = (settings: Partial<ModelDocument['simulation']> = {}): ModelDocument =>
  withSettings(model([puck()], [floor()], { tEnd: 0.3 }), settings);

/** From ½ m/s it stops after v²/(2 μ g), at t = v/(μ g), in its direction. */
function expectStop(document: ModelDocument): void {
  const { session, column } = run(document);
  const [x, y, vx, vy] = ['puck.q[0]', 'puck.q[1]', 'puck.v[0]', 'puck.v[1]'].map(column);
  const way = 0.25 / (2 * MU * G);
  expect(Math.hypot(x[300], y[300])).toBeCloseTo(way, 4);
  expect(y[300] / x[300]).toBeCloseTo(4 / 3, 5);
  expect(Math.hypot(vx[100], vy[100])).toBeCloseTo(0.5 - MU * G * 0.1, 5);
  expect(Math.hypot(vx[172], vy[172])).toBeLessThan(1e-6);
  expect(isCertified(session.certificate)).toBe(true);
  expect(worstOf(session.certificate)).toBeLessThan(1e-8);
}

describe('a puck that slides on a floor', () => {
  // Pivots among eight directions come near a direction between them, and no nearer.
  const exact = frictionSolverDefinitions.map(({ type }) => type).filter((type) => type !== 'Faceted');
  it.each(['auto', ...exact])('stops as it should, by %s', (type) => {
    expectStop(sliding({ solver: { type } }));
  });

  it('is not solved by a cone with facets, which says so', () => {
    expect(runFailure(sliding({ solver: { type: 'Faceted' } })).error).toMatchObject({
      code: 'solver-stalled',
      where: 'floor',
    });
  });

  it('is expressed by the friction-contact problem', () => {
    expectStop(sliding({ problem: { type: 'FrictionContact' } }));
  });

  it('moves alike from event to event', () => {
    const { column } = run(sliding({ scheme: 'event-driven' }));
    const [x, y] = ['puck.q[0]', 'puck.q[1]'].map(column);
    expect(Math.hypot(x[300], y[300])).toBeCloseTo(0.25 / (2 * MU * G), 8);
  });

  it('rebounds with e, and with e_t of its slip as far as friction allows', () => {
    const bounced = (fields: Record<string, number>): Float64Array[] => {
      const thrown = puck({ q0: [0, 0, 1e-4], v0: [0.3, 0.4, -1], fExt: [0, 0, 0] });
      const { column } = run(withSettings(model([thrown], [floor(0.2, fields)], { tEnd: 0.02 }), {}));
      return ['puck.v[0]', 'puck.v[1]', 'puck.v[2]'].map(column);
    };
    // |p_t| = μ (1 + e) m |v_n| takes 0.3 · 1.5 of ½ m/s.
    const [vx, vy, vz] = bounced({ e: 0.5 });
    expect(vz[20]).toBeCloseTo(0.5, 9);
    expect(Math.hypot(vx[20], vy[20])).toBeCloseTo(0.5 - MU * 1.5, 9);
    const [ux, uy] = bounced({ e: 0.5, mu: 2, et: 0.4 });
    expect([ux[20], uy[20]].map((value) => Number(value.toFixed(9)))).toEqual([-0.12, -0.16]);
  });
});

describe('a contact in space beside other laws', () => {
  const slab = (id: string, v0: number[]): SystemDocument => puck({ id, v0, fExt: [0, 0, -2 * G] });
  const row = (
    id: string,
    systems: string[],
    H: number[][],
    law: InteractionDocument['law'],
  ): InteractionDocument => ({
    id,
    systems,
    relation: { type: 'LagrangianLinear', H },
    law,
  });
  const certified = (document: ModelDocument): ReturnType<typeof run> => {
    const done = run(document);
    const { complementarity, coneViolation, dynamics } = done.session.certificate;
    expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-7);
    return done;
  };

  it('has joints, eliminated: two pucks tied to each other slide as one of both masses', () => {
    const tie = row(
      'tie',
      ['puck', 'other'],
      [
        [1, 0, 0, -1, 0, 0],
        [0, 1, 0, 0, -1, 0],
        [0, 0, 1, 0, 0, -1],
      ],
      { type: 'Equality' },
    );
    const { column } = certified(
      withSettings(
        model([slab('puck', [0.3, 0.4, 0]), slab('other', [0.3, 0.4, 0])], [floor(), tie], { tEnd: 0.1 }),
        {},
      ),
    );
    expect(Math.hypot(column('other.v[0]')[100], column('other.v[1]')[100])).toBeCloseTo(
      0.5 - MU * G * 0.1,
      6,
    );
  });

  it('has walls without friction, and friction with a known bound', () => {
    const wall = row('wall', ['puck'], [[-1, 0, 0]], { type: 'NewtonImpact', e: 0.5 });
    const brake = row('brake', ['puck'], [[0, 1, 0]], { type: 'Relay', lower: [-1], upper: [2] });
    const { column } = certified(
      withSettings(
        model([slab('puck', [0.3, 0.4, 0])], [floor(0, { mu: 0 }), wall, brake], { tEnd: 0.1 }),
        {},
      ),
    );
    // The wall is touched at the start; the brake takes 1 N from 2 kg.
    expect(column('puck.v[0]')[50]).toBeCloseTo(-0.15, 9);
    expect(column('puck.v[1]')[100]).toBeCloseTo(0.4 - 0.05, 9);
  });

  it('has a contact in the plane', () => {
    const side = row(
      'side',
      ['puck'],
      [
        [0, -1, 0],
        [0, 0, 1],
      ],
      { type: 'NewtonImpactFriction', e: 0, mu: 0.2 },
    );
    const { column } = certified(
      withSettings(model([slab('puck', [0.3, 0.4, 0])], [floor(0.3), side], { tEnd: 0.1 }), {}),
    );
    expect(column('puck.v[1]')[100]).toBeCloseTo(0, 9);
  });

  it('has no stop with play', () => {
    const pen = row('pen', ['puck'], [[1, 0, 0]], { type: 'NormalConeBox', lower: [-1], upper: [1] });
    expect(refusal(withSettings(model([puck()], [floor(), pen]), {}))).toMatchObject({
      code: 'cones-beside-graphs',
      where: 'pen',
    });
  });
});

describe('what does not go with a contact in space', () => {
  const issueOf = (document: ModelDocument): DocumentIssue => {
    const [issue] = reportDocument(document).issues.filter(({ severity }) => severity === 'error');
    return issue;
  };

  it.each(['LCP', 'MLCP', 'AVI', 'Relay', 'QP'])('is the formulation %s', (type) => {
    expect(issueOf(sliding({ problem: { type } }))).toMatchObject({
      code: 'problem-without-space',
      pointer: '/simulation/problem/type',
      message: expect.stringContaining('tangent plane') as string,
      remedy: expect.stringContaining('FrictionContact') as string,
    });
  });

  it.each(['Lemke', 'PGS'])('is the solver %s', (type) => {
    expect(issueOf(sliding({ solver: { type } }))).toMatchObject({
      code: 'solver-without-space',
      pointer: '/simulation/solver/type',
      remedy: expect.stringContaining('NSGS') as string,
    });
  });

  it('is Schatzman–Paoli', () => {
    expect(refusal(sliding({ integrators: [{ type: 'SchatzmanPaoli' }] }))).toMatchObject({
      code: 'friction-on-positions',
      where: 'floor',
    });
  });

  it('is a relation of two rows', () => {
    const flat = floor();
    const H = [
      [0, 0, 1],
      [1, 0, 0],
    ];
    const document = model([puck()], [{ ...flat, relation: { type: 'LagrangianLinear', H } }]);
    expect(issueOf(withSettings(document, {}))).toMatchObject({ code: 'law-size' });
  });

  it('are exact arcs from event to event', () => {
    const document = sliding({ scheme: 'event-driven', eventDriven: { flight: { type: 'ExactArcs' } } });
    expect(refusal(document)).toMatchObject({ code: 'event-driven-not-exact', where: 'floor' });
  });
});
