/** Pseudo-rigid bodies in documents: from fields to motion, signals and scene; what is refused. */
import { describe, expect, it } from 'vitest';
import { EngineError } from '@engine/errors';
import { prepare } from '@engine/preparation/prepare';
import { sceneOf } from '@engine/preparation/spatial/scene-of';
import type { DocumentIssue, FieldValue, ModelDocument, SystemDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { run, runFailure } from '../support/run';
import { withFunctions } from '../support/models';
import { floor, G, joint, rigid, spaceModel, touch, turned } from '../support/space';
import { expectSentence } from '../support/issues';

/** A soft cube of 8 kg. */
const soft = (
  id: string,
  position: number[],
  fields: Record<string, FieldValue | undefined> = {},
): SystemDocument => ({
  id,
  type: 'PseudoRigidBody',
  density: 1000,
  young: 2e5,
  poisson: 0.3,
  relaxation: 2e-3,
  position,
  gravity: [0, 0, -G],
  shapes: [{ type: 'Box', size: [0.2, 0.2, 0.2] }],
  ...fields,
});

const issuesOf = (document: ModelDocument): readonly DocumentIssue[] =>
  prepare(document, {
    functions: () => null,
    functionNames: [],
    derivatives: () => {
      throw new EngineError({ code: 'none', message: 'nothing is differentiated' });
    },
  }).issues;

describe('a soft cube', () => {
  it('on the floor is shortened by half its weight, and its energies balance', () => {
    const { column, session } = run(
      spaceModel([floor(), soft('cube', [0, 0, 0.1])], [touch('ground', ['floor', 'cube'], 0)], { tEnd: 1 }),
    );
    const last = (name: string): number => column(name)[session.rows - 1];
    const s = last('cube.q[11]');
    // Y A s ½ (s² − 1) = −½ m g
    expect(2e5 * 0.04 * s * 0.5 * (s * s - 1)).toBeCloseTo(-0.5 * 8 * G, 4);
    expect(last('cube.q[2]')).toBeCloseTo(0.1 * s, 7);
    // ½ V σ²/Y with σ = ½ m g/A, up to the strain itself
    const elastic = (0.5 * 0.008 * (0.5 * 8 * G) ** 2) / (0.04 ** 2 * 2e5);
    expect(last('energy.strain') / elastic).toBeCloseTo(1, 1);
    expect(last('energy.damping')).toBeLessThan(-0.5 * elastic);
    const names = ['kinetic', 'potential', 'strain', 'loads', 'damping', 'contactNormal', 'numerical'];
    const at = (row: number): Record<string, number> =>
      Object.fromEntries(names.map((name) => [name, column(`energy.${name}`)[row]]));
    const [start, end] = [at(0), at(session.rows - 1)];
    const stored = (e: Record<string, number>): number => e.kinetic + e.potential + e.strain;
    const works = end.loads + end.damping + end.contactNormal + end.numerical;
    expect(stored(end)).toBeCloseTo(stored(start) + works, 12);
    expect(session.certificate.dynamics).toBeLessThan(1e-10);
  });

  it('thrown through the air turns as its spin says, with a deformation at the start that vibrates', () => {
    const stretch = [1.1, 0, 0, 0, 1, 0, 0, 0, 1];
    const document = spaceModel(
      [
        soft('cube', [0, 0, 0], {
          relaxation: undefined,
          gravity: undefined,
          velocity: [1, 2, 3],
          spin: [0, 0, 2],
          orientation: turned(2, 0.3),
          deformation: stretch,
        }),
      ],
      [],
      { tEnd: 0.2 },
    );
    const { column } = run(document);
    const F = [0, 1, 3, 4].map((k) => column(`cube.q[${3 + k}]`)[0]);
    const [c, s] = [Math.cos(0.3), Math.sin(0.3)];
    [1.1 * c, -s, 1.1 * s, c].forEach((x, k) => expect(F[k]).toBeCloseTo(x, 14));
    // Ḟ = R skew(Ω) D
    expect(column('cube.v[3]')[0]).toBeCloseTo(-2 * s * 1.1, 14);
    const x = column('cube.q[0]');
    expect(x[x.length - 1]).toBeCloseTo(0.2, 12);
    const [kinetic, strain] = [column('energy.kinetic'), column('energy.strain')];
    const total = kinetic.map((t, k) => t + strain[k]);
    expect(Math.min(...strain)).toBeLessThan(0.1 * strain[0]);
    expect(Math.max(...total) - Math.min(...total)).toBeLessThan(0.02 * total[0]);
  });

  it('is moved by forces and by loads of functions', () => {
    const source =
      'export const pull = (t: number, q: Float64Array, v: Float64Array, out: Float64Array) => { out.fill(0); out[1] = 16; };';
    const document = withFunctions(
      spaceModel(
        [soft('cube', [0, 0, 0], { gravity: undefined, force: [8, 0, 0], load: { function: 'pull' } })],
        [],
        { tEnd: 0.1 },
      ),
      source,
    );
    const { column } = run(document, { sandbox: createSandbox });
    const [x, y] = [column('cube.v[0]'), column('cube.v[1]')];
    expect(x[x.length - 1]).toBeCloseTo(0.1, 12);
    expect(y[y.length - 1]).toBeCloseTo(0.2, 12);
  });

  it('hangs on a ball joint and on a rod as its weight says', () => {
    const document = spaceModel(
      [soft('cube', [0, 0, 0], { relaxation: 4e-3 }), rigid('anchor', [0, 0, 0.5], { gravity: undefined })],
      [
        joint('pin', ['cube'], { type: 'BallJoint', point: [0, 0, 0.1] }),
        joint('hold', ['anchor'], { type: 'FixedJoint', point: [0, 0, 0.5] }),
      ],
      { tEnd: 1 },
    );
    const { column, session } = run(document);
    const s = column('cube.q[11]')[session.rows - 1];
    // Held at the top: lengthened by half the weight.
    expect(2e5 * 0.04 * s * 0.5 * (s * s - 1)).toBeCloseTo(0.5 * 8 * G, 5);
    expect(column('pin.forceZ')[session.rows - 1]).toBeCloseTo(8 * G, 5);
  });

  it('is held where its points are, also when it is deformed at the start', () => {
    // Stretched along z and sheared, then turned about x: ξ = (0, 0, 0.1) is at x̄ + R D ξ.
    const deformation = [1, 0, 0, 0, 1, 0.2, 0, 0, 1.1];
    const held = { gravity: undefined, relaxation: undefined, orientation: turned(0, 0.3), deformation };
    const [c, s] = [Math.cos(0.3), Math.sin(0.3)];
    const corner = [0, 0.02 * c - 0.11 * s, 0.02 * s + 0.11 * c];
    const document = spaceModel(
      [soft('cube', [0, 0, 0], held), soft('twin', [0, 0, 1], held)],
      [
        joint('pin', ['cube'], { type: 'BallJoint', point: corner }),
        joint('rod', ['cube', 'twin'], { type: 'DistanceJoint', given: 'bodies', point: [0, 0, 0.1] }),
      ],
      { tEnd: 0.02 },
    );
    const { column, session } = run(document);
    expect(session.warnings).toEqual([]);
    const at = (id: string, k: number, row: number): number => column(`${id}.q[${k}]`)[row];
    const point = (id: string, row: number): number[] =>
      [0, 1, 2].map((i) => at(id, i, row) + 0.1 * at(id, 5 + 3 * i, row));
    const rod = Math.hypot(corner[1], 1 - corner[2]);
    for (const row of [0, session.rows - 1]) {
      corner.forEach((x, i) => expect(point('cube', row)[i]).toBeCloseTo(x, 12));
      const [x, y, z] = corner.map((p, i) => at('twin', i, row) - p);
      expect(Math.hypot(x, y, z)).toBeCloseTo(rod, 9);
    }
    // It has begun to swing back into shape.
    expect(Math.abs(at('cube', 11, session.rows - 1) - at('cube', 11, 0))).toBeGreaterThan(0.01);
  });

  it('is carried by a belt, beside a rigid one', () => {
    const { column, session } = run(
      spaceModel(
        [floor('belt', { velocity: [0.5, 0, 0] }), soft('cube', [0, 0, 0.1]), rigid('box', [1, 0, 0.1])],
        [touch('contact', ['belt', 'cube', 'box'], 0.4)],
        { tEnd: 0.5 },
      ),
    );
    const last = (name: string): number => column(name)[session.rows - 1];
    expect(last('box.v[0]')).toBeCloseTo(0.5, 9);
    expect(last('contact.contacts')).toBe(8);
    // Four corners of the soft one keep to the belt, which has gone on by 0.25 m.
    const corner = (row: number): number =>
      column('cube.q[0]')[row] + 0.1 * column('cube.q[3]')[row] - 0.1 * column('cube.q[5]')[row];
    expect(corner(session.rows - 1) - corner(session.rows - 101)).toBeCloseTo(0.05, 4);
    expect(session.certificate.complementarity).toBeLessThan(1e-6);
  });
});

it('the scene names the twelve signals, and the deformation at the start', () => {
  const document = spaceModel([floor(), soft('cube', [0, 0, 1])], [touch('ground', ['floor', 'cube'])]);
  const { prepared } = prepare(document, {
    functions: () => null,
    functionNames: [],
    derivatives: () => {
      throw new EngineError({ code: 'none', message: 'nothing is differentiated' });
    },
  });
  if (prepared === null) throw new Error('refused');
  const [, body] = sceneOf(prepared)?.bodies ?? [];
  expect(body.motion).toEqual({
    kind: 'affine',
    signals: Array.from({ length: 12 }, (_, k) => `cube.q[${k}]`),
  });
  expect(body.deformation).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
});

describe('is refused', () => {
  const refused = (fields: Record<string, FieldValue | undefined>, code: string, pointer: string): void => {
    const found = issuesOf(spaceModel([soft('cube', [0, 0, 1], fields)], [])).filter(
      ({ severity }) => severity === 'error',
    );
    expect(found.map((issue) => [issue.code, issue.pointer])).toContainEqual([code, `/systems/0/${pointer}`]);
    for (const { message, remedy } of found) {
      expectSentence(message);
      expectSentence(remedy);
    }
  };

  it('with shapes that would not keep their kind', () => {
    refused({ shapes: [{ type: 'Sphere', radius: 0.1 }] }, 'shape-not-deformable', 'shapes/0');
    refused({ shapes: [{ type: 'Cylinder', radius: 0.1, height: 0.1 }] }, 'shape-not-deformable', 'shapes/0');
  });

  it('without a volume, mass or Euler tensor that it could have', () => {
    const bare = { shapes: undefined, density: undefined, mass: 1 };
    refused({ ...bare, euler: [1, 1, 1] }, 'volume-missing', 'volume');
    refused({ ...bare, volume: 1 }, 'inertia-missing', 'euler');
    refused({ ...bare, volume: 1, euler: [1, 0, 0, 0, 1, 0, 0, 0, 0] }, 'inertia-not-positive', 'euler');
    refused({ ...bare, volume: 1, euler: [1, 1] }, 'inertia-size', 'euler');
    const whole = spaceModel([soft('cube', [0, 0, 1], { ...bare, volume: 1, euler: [1, 2, 3] })], []);
    expect(issuesOf(whole).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('at a Poisson’s ratio of ½', () => {
    refused({ poisson: 0.5 }, 'poisson-incompressible', 'poisson');
  });

  it('inside out at the start, with a step above the critical one, and on a hinge', () => {
    const inverted = spaceModel([soft('cube', [0, 0, 1], { deformation: [1, 0, 0, 0, 1, 0, 0, 0, -1] })], []);
    expect(issuesOf(inverted).map(({ code, element }) => [code, element])).toEqual([
      ['deformation-not-positive', 'cube'],
    ]);
    const slow = spaceModel([soft('cube', [0, 0, 1], { relaxation: undefined })], [], { h: 0.01 });
    const [found] = issuesOf(slow).filter(({ severity }) => severity === 'error');
    expect(found).toMatchObject({ code: 'step-above-critical', pointer: '/simulation/h', element: 'cube' });
    expectSentence(found.message);
    const varying = spaceModel([soft('cube', [0, 0, 1], { relaxation: undefined })], [], { h: 1e-4 });
    varying.simulation.stepControl = { tolerance: 1e-3, hMin: 1e-5, hMax: 0.01 };
    expect(issuesOf(varying).filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'step-above-critical', pointer: '/simulation/stepControl/hMax', element: 'cube' },
    ]);
    const hinge = spaceModel(
      [soft('cube', [0, 0, 1])],
      [joint('hinge', ['cube'], { type: 'RevoluteJoint', point: [0, 0, 1], axis: [0, 0, 1] })],
    );
    const [link] = issuesOf(hinge).filter(({ severity }) => severity === 'error');
    expect(link.pointer).toContain('/interactions/0');
  });
});

it('a run that presses a body flat ends, and names it', () => {
  const { error } = runFailure(
    spaceModel(
      [floor(), soft('cube', [0, 0, 0.1], { young: 2e3, relaxation: undefined, velocity: [0, 0, -50] })],
      [touch('ground', ['floor', 'cube'])],
    ),
  );
  expect(error).toMatchObject({ code: 'space-inverted', where: 'cube' });
  expectSentence(error.message);
  expectSentence(error.remedy ?? '');
});
