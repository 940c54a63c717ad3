/** Documents of 3D bodies: each rule by its breach, and what the parts of a document become. */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument, TypedElement } from '@engine/document/types';
import { readDocument } from '@engine/document/read';
import { writeDocument } from '@engine/document/write';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from '../support/issues';
import { model, particle } from '../support/models';
import { run } from '../support/run';
import { floor, joint, rigid, spaceModel, touch } from '../support/space';

const one = (fields: Parameters<typeof rigid>[2]): ModelDocument =>
  spaceModel([rigid('body', [0, 0, 1], fields)], []);
const shaped = (shape: TypedElement): ModelDocument => one({ mass: 1, inertia: [1, 1, 1], shapes: [shape] });
const hinged = (relation: TypedElement): ModelDocument =>
  spaceModel([rigid('body', [0, 0, 1])], [joint('pin', ['body'], relation)]);
const set = (change: (document: ModelDocument) => void): ModelDocument => {
  const document = spaceModel([floor(), rigid('body', [0, 0, 1])], [touch('ground', ['floor', 'body'])]);
  change(document);
  return document;
};

const POINTS = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 0],
];

describe('a document is refused', () => {
  it.each<[string, ModelDocument, Partial<DocumentIssue>]>([
    [
      'without mass and density',
      one({ density: undefined }),
      { code: 'mass-missing', pointer: '/systems/0/mass' },
    ],
    ['with both', one({ density: 1, mass: 1 }), { code: 'mass-twice', pointer: '/systems/0/density' }],
    [
      'with a mass, no inertia and no shape',
      one({ density: undefined, mass: 1, shapes: [] }),
      { code: 'inertia-missing', pointer: '/systems/0/inertia' },
    ],
    [
      'with a density, an inertia and no shape',
      one({ inertia: [1, 1, 1], shapes: [] }),
      { code: 'inertia-missing', pointer: '/systems/0/mass' },
    ],
    ['with a negative mass', one({ mass: -1 }), { code: 'out-of-range', pointer: '/systems/0/mass' }],
    ['with a density of zero', one({ density: 0 }), { code: 'out-of-range', pointer: '/systems/0/density' }],
    [
      'with a negative moment of inertia',
      one({ mass: 1, inertia: [1, -1, 1] }),
      { code: 'inertia-not-positive', pointer: '/systems/0/inertia' },
    ],
    [
      'with an inertia that is not symmetric',
      one({ mass: 1, inertia: [1, 0.1, 0, 0, 1, 0, 0, 0, 1] }),
      { code: 'inertia-not-positive', pointer: '/systems/0/inertia' },
    ],
    [
      'with an inertia that is not positive definite',
      one({ mass: 1, inertia: [1, 2, 0, 2, 1, 0, 0, 0, 1] }),
      { code: 'inertia-not-positive', pointer: '/systems/0/inertia' },
    ],
    [
      'with an inertia of five entries',
      one({ mass: 1, inertia: [1, 2, 3, 4, 5] }),
      { code: 'inertia-size', pointer: '/systems/0/inertia' },
    ],
    [
      'with an orientation of zeros',
      one({ orientation: [0, 0, 0, 0] }),
      { code: 'orientation-zero', pointer: '/systems/0/orientation' },
    ],
    [
      'with an orientation of three numbers',
      one({ orientation: [1, 0, 0] }),
      { code: 'vector-length', pointer: '/systems/0/orientation' },
    ],
    [
      'with shapes whose mass centre is not the origin',
      one({ shapes: [{ type: 'Sphere', radius: 1, position: [1, 0, 0] }] }),
      { code: 'shapes-off-centre', pointer: '/systems/0/shapes' },
    ],
    [
      'with a plane on a body that moves',
      shaped({ type: 'Plane' }),
      { code: 'shape-on-body', pointer: '/systems/0/shapes/0' },
    ],
    [
      'with a sphere without radius',
      shaped({ type: 'Sphere' }),
      { code: 'missing-field', pointer: '/systems/0/shapes/0/radius', element: 'body' },
    ],
    [
      'with a sphere of radius 0',
      shaped({ type: 'Sphere', radius: 0 }),
      { code: 'out-of-range', pointer: '/systems/0/shapes/0/radius', element: 'body' },
    ],
    [
      'with a shape that is not known',
      shaped({ type: 'Torus' }),
      { code: 'unknown-type', pointer: '/systems/0/shapes/0/type', element: 'body' },
    ],
    [
      'with a flat box',
      shaped({ type: 'Box', size: [1, 0, 1] }),
      { code: 'shape-size', pointer: '/systems/0/shapes/0/size', element: 'body' },
    ],
    [
      'with a polyhedron of three points',
      shaped({ type: 'Polyhedron', points: POINTS.slice(0, 3) }),
      { code: 'polyhedron-too-few-points', pointer: '/systems/0/shapes/0/points' },
    ],
    [
      'with a flat polyhedron',
      shaped({ type: 'Polyhedron', points: POINTS }),
      { code: 'polyhedron-flat', pointer: '/systems/0/shapes/0/points' },
    ],
    [
      'with a height field of one row',
      set(({ systems }) => (systems[0].shapes = [{ type: 'HeightField', heights: [[0, 1]], spacing: 1 }])),
      { code: 'height-field-grid', pointer: '/systems/0/shapes/0/heights' },
    ],
    [
      'with a plane without normal',
      set(({ systems }) => (systems[0].shapes = [{ type: 'Plane', normal: [0, 0, 0] }])),
      { code: 'plane-without-normal', pointer: '/systems/0/shapes/0/normal' },
    ],
    [
      'with negative friction',
      set(({ interactions }) => (interactions[0].law.mu = -0.1)),
      { code: 'out-of-range', pointer: '/interactions/0/law/mu', element: 'ground' },
    ],
    [
      'with a restitution above one',
      set(({ interactions }) => (interactions[0].law.e = 1.1)),
      { code: 'out-of-range', pointer: '/interactions/0/law/e', element: 'ground' },
    ],
    [
      'with a joint’s law on a contact',
      set(({ interactions }) => (interactions[0].law = { type: 'Equality' })),
      { code: 'law-of-contact', pointer: '/interactions/0/law/type' },
    ],
    [
      'with a contact law on a joint',
      set(({ interactions }) => (interactions[0].relation = { type: 'BallJoint' })),
      { code: 'law-of-joint', pointer: '/interactions/0/law/type' },
    ],
    [
      'with a law of gaps on a contact in space',
      set(({ interactions }) => (interactions[0].law = { type: 'NewtonImpact', e: 0 })),
      { code: 'law-order', pointer: '/interactions/0/law/type' },
    ],
    [
      'with a contact of one body',
      set(({ interactions }) => (interactions[0].systems = ['body'])),
      { code: 'relation-links', pointer: '/interactions/0/systems' },
    ],
    [
      'with a contact of a body without shape',
      set(
        ({ systems }) => (systems[1] = rigid('body', [0, 0, 1], { mass: 1, inertia: [1, 1, 1], shapes: [] })),
      ),
      { code: 'contact-without-shape', pointer: '/interactions/0/systems/1' },
    ],
    [
      'with a contact of a floor without shape',
      set(({ systems }) => (systems[0].shapes = [])),
      { code: 'contact-without-shape', pointer: '/interactions/0/systems/0' },
    ],
    [
      'with a contact of two floors',
      spaceModel([floor(), floor('wall'), rigid('body', [0, 0, 1])], [touch('none', ['floor', 'wall'])]),
      { code: 'nothing-moves', pointer: '/interactions/0/systems' },
    ],
    [
      'with a joint to a floor alone',
      spaceModel([floor(), rigid('body', [0, 0, 1])], [joint('pin', ['floor'], { type: 'BallJoint' })]),
      { code: 'nothing-moves', pointer: '/interactions/0/systems' },
    ],
    ['with nothing that moves', spaceModel([floor()], []), { code: 'nothing-moves', pointer: '/systems/0' }],
    [
      'where two interactions of one size link the same bodies',
      set(({ interactions }) => interactions.push(touch('again', ['body', 'floor']))),
      { code: 'contact-ambiguous', pointer: '/interactions/1', element: 'again' },
    ],
    [
      'with an axis of length zero',
      hinged({ type: 'RevoluteJoint', axis: [0, 0, 0] }),
      { code: 'axis-zero', pointer: '/interactions/0/relation/axis' },
    ],
    [
      'with a direction along the axis',
      hinged({ type: 'PlanarJoint', direction: [0, 0, 2] }),
      { code: 'directions-parallel', pointer: '/interactions/0/relation/direction' },
    ],
    [
      'with stops that are crossed',
      hinged({ type: 'RevoluteJoint', angleMin: 1, angleMax: 0 }),
      { code: 'joint-limits-crossed', pointer: '/interactions/0/relation/angleMax' },
    ],
    [
      'with a motor that has no speed',
      hinged({ type: 'RevoluteJoint', angleLimit: 1 }),
      { code: 'motor-without-speed', pointer: '/interactions/0/relation/angleLimit' },
    ],
    [
      'with negative dry friction',
      hinged({ type: 'RevoluteJoint', angleFriction: -1 }),
      { code: 'out-of-range', pointer: '/interactions/0/relation/angleFriction' },
    ],
    [
      'with a rod between points in one place',
      hinged({ type: 'DistanceJoint', point: [0, 0, 1] }),
      { code: 'length-not-positive', pointer: '/interactions/0/relation/point2' },
    ],
    [
      'with a joint that does not fit',
      hinged({ type: 'BallJoint', given: 'bodies' }),
      { code: 'joint-open', pointer: '/interactions/0', element: 'pin' },
    ],
    [
      'with a particle beside a 3D body',
      set(({ systems }) => systems.push(particle('point', 0, 0))),
      { code: 'mixed-space', pointer: '/systems/2/type', element: 'point' },
    ],
    [
      'with a relation of another order',
      set(
        ({ interactions }) =>
          (interactions[0] = {
            ...interactions[0],
            relation: { type: 'LagrangianLinear', H: [[1]] },
            law: { type: 'NewtonImpact', e: 0 },
            systems: ['body'],
          }),
      ),
      { code: 'relation-order', pointer: '/interactions/0/systems/0' },
    ],
    [
      'with a solver of complementarity problems',
      set(({ simulation }) => (simulation.solver = { type: 'Lemke' })),
      { code: 'solver-without-space', pointer: '/simulation/solver/type' },
    ],
    [
      'with a complementarity problem',
      set(({ simulation }) => (simulation.problem = { type: 'LCP' })),
      { code: 'problem-without-space', pointer: '/simulation/problem/type' },
    ],
    [
      'with a solver of friction and no 3D body',
      { ...model([particle('p', 0, 0)]), simulation: { ...model([]).simulation, solver: { type: 'NSGS' } } },
      { code: 'solver-of-space', pointer: '/simulation/solver/type' },
    ],
    [
      'with the friction problem and no 3D body',
      {
        ...model([particle('p', 0, 0)]),
        simulation: { ...model([]).simulation, problem: { type: 'FrictionContact' } },
      },
      { code: 'problem-of-space', pointer: '/simulation/problem/type' },
    ],
    [
      'with an integrator of another order',
      set(({ simulation }) => (simulation.integrators = [{ type: 'SchatzmanPaoli', systems: ['body'] }])),
      { code: 'integrator-order', pointer: '/simulation/integrators/0/systems/0' },
    ],
  ])('%s', (_, document, expected) => {
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues.filter(({ severity }) => severity === 'error')).toHaveLength(1);
    expect(issues[0]).toMatchObject(expected);
  });

  it('with two integrators of all bodies', () => {
    const document = set(({ simulation }) => {
      simulation.integrators = [{ type: 'MoreauHalfStep' }, { type: 'MoreauHalfStep' }];
    });
    const codes = reportDocument(document).issues.map(({ code }) => code);
    expect(codes).toContain('integrators-of-space');
  });

  it('with different integrators for its bodies', () => {
    const document = set(({ systems, simulation }) => {
      simulation.integrators = [{ type: 'MoreauJean', systems: [systems[0].id] }];
    });
    expectComplete(reportDocument(document).issues);
    expect(reportDocument(document).issues).toMatchObject([
      { severity: 'error', code: 'integrators-of-space', pointer: '/simulation/integrators/0' },
    ]);
  });

  it.each([
    ['massPoint', 'end', 'Lagrangian'],
    ['activation', 'always', 'Lagrangian'],
  ])('but warns of “%s”, which its systems have no use for', (key, value, order) => {
    const document = set(({ simulation }) => {
      simulation.integrators = [{ type: 'MoreauJean', [key]: value }];
    });
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues).toMatchObject([
      { severity: 'warning', code: 'setting-of-order', pointer: `/simulation/integrators/0/${key}` },
    ]);
    expect(issues[0].message).toContain(order);
  });
});

it('warns of moments of inertia that no body has, and goes on', () => {
  const { issues, signals } = reportDocument(one({ density: undefined, mass: 1, inertia: [1, 1, 3] }));
  expectComplete(issues);
  expect(issues).toMatchObject([{ severity: 'warning', code: 'inertia-impossible' }]);
  expect(signals.length).toBeGreaterThan(10);
});

it('runs with the moments of inertia that it warns of', () => {
  const inertia = [0.02, 0.05, 0.09];
  const spinning = one({ density: undefined, mass: 1, inertia, spin: [3, 2, 1] });
  const energy = 0.5 * (0.02 * 9 + 0.05 * 4 + 0.09);
  expect(run(spinning).column('energy.kinetic')[0]).toBeCloseTo(energy, 14);
});

it('is written and read again without a change', () => {
  const document = spaceModel(
    [
      floor(),
      rigid('body', [0, 0, '1 + 1'], {
        shapes: [
          { type: 'Box', size: [1, 2, 3] },
          { type: 'Polyhedron', points: [...POINTS, [0, 0, 1]] },
        ],
      }),
    ],
    [
      touch('ground', ['floor', 'body']),
      joint('pin', ['body'], { type: 'KneeJoint', bendMax: 1, axis: [0, 0, 1] }),
    ],
  );
  const text = writeDocument(document);
  const read = readDocument(text);
  expect(read.issues).toEqual([]);
  expect(writeDocument(read.document!)).toBe(text);
  // A shape says its type first.
  expect(text).toMatch(/"shapes": \[\n +\{\n +"type": "Box",\n +"size": \[1, 2, 3\]/);
});

it('names the signals of bodies, joints, contacts and energies', () => {
  const { signals } = reportDocument(
    spaceModel(
      [floor(), rigid('a', [0, 0, 1])],
      [touch('ground', ['floor', 'a']), joint('slide', ['a'], { type: 'CylindricalJoint' })],
    ),
  );
  const found = signals.map(({ name, unit }) => `${name} ${unit}`.trim());
  expect(found.slice(0, 14)).toEqual([
    't s',
    ...['a.q[0] m', 'a.q[1] m', 'a.q[2] m', 'a.q[3]', 'a.q[4]', 'a.q[5]', 'a.q[6]'],
    ...['a.v[0] m/s', 'a.v[1] m/s', 'a.v[2] m/s', 'a.v[3] rad/s', 'a.v[4] rad/s', 'a.v[5] rad/s'],
  ]);
  for (const name of [
    'slide.displacement m',
    'slide.displacementRate m/s',
    'slide.angle rad',
    'slide.angleRate rad/s',
    'ground.contacts',
    'ground.overlap m',
    'ground.normalImpulse N s',
    'ground.slip m/s',
    'energy.kinetic J',
    'energy.potential J',
  ])
    expect(found).toContain(name);
});

describe('the scene', () => {
  it('has bodies, shapes and joints where they are', () => {
    const { scene } = reportDocument(
      spaceModel(
        [
          floor('slope', { orientation: [2, 0, 0, 0], position: [0, 0, -1] }),
          rigid('a', [1, 2, 3], { shapes: [{ type: 'Capsule', radius: 0.1, length: 0.4 }] }),
          rigid('b', [1, 2, 4], { orientation: [0, 0, 0, 1] }),
        ],
        [
          joint('pin', ['a', 'b'], { type: 'RevoluteJoint', point: [1, 2, 3.5], axis: [1, 0, 0] }),
          joint('rail', ['slope', 'a'], { type: 'PrismaticJoint', axis: [0, 2, 0] }),
        ],
      ),
    );
    expect(scene?.bodies.map(({ id }) => id)).toEqual(['slope', 'a', 'b']);
    expect(scene?.bodies[0]).toMatchObject({ motion: null, position: [0, 0, -1], orientation: [1, 0, 0, 0] });
    expect(scene?.bodies[1].motion).toEqual({
      kind: 'spatial',
      signals: ['a.q[0]', 'a.q[1]', 'a.q[2]', 'a.q[3]', 'a.q[4]', 'a.q[5]', 'a.q[6]'],
    });
    expect(scene?.bodies[1].shapes[0].geometry).toEqual({ kind: 'capsule', radius: 0.1, halfLength: 0.2 });
    const [pin, rail] = scene?.joints ?? [];
    expect(pin.bodies).toEqual([1, 2]);
    expect(pin.points[0]).toEqual([0, 0, 0.5]);
    // b is turned by 180° about z: x and y of its frame point the other way.
    expect(pin.points[1].map((x) => x + 0)).toEqual([0, 0, -0.5]);
    expect(pin.axis?.map((x) => Math.round(x * 1e12) / 1e12)).toEqual([1, 0, 0]);
    // A fixed body is the ground, in world coordinates.
    expect(rail.bodies).toEqual([-1, 1]);
    expect(rail.axis?.map((x) => Math.round(x * 1e12) / 1e12 + 0)).toEqual([0, 1, 0]);
  });

  it('is none of a model without 3D bodies', () => {
    expect(reportDocument(model([particle('p', 0, 0)])).scene).toBeUndefined();
  });
});

describe('an orientation that is no unit quaternion', () => {
  it.each<[string, number[], number]>([
    ['is reported with its length', [2, 0, 0, 0.5], Math.sqrt(4.25)],
    ['is reported where a number is missing', [0.7071, 0, 0, 0], 0.7071],
  ])('%s, and the one in its direction is taken', (_, orientation, length) => {
    const document = one({ orientation });
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      severity: 'warning',
      code: 'orientation-not-unit',
      pointer: '/systems/0/orientation',
    });
    expect(issues[0].message).toContain(`length ${Number(length.toPrecision(6))},`);
    const [w, x, y, z] = [3, 4, 5, 6].map((k) => run(document).column(`body.q[${k}]`)[0]);
    expect(Math.hypot(w, x, y, z)).toBeCloseTo(1, 15);
    expect(z / w).toBeCloseTo(orientation[3] / orientation[0], 15);
  });

  it.each([
    ['to seven digits', [0.7071068, 0, 0.7071068, 0]],
    ['with a minus', [-1, 0, 0, 0]],
    ['from an expression', ['cos(0.3)', 0, 0, 'sin(0.3)']],
  ])('is not what is given %s', (_, orientation) => {
    expect(reportDocument(one({ orientation })).issues).toEqual([]);
  });

  it('is reported shapes and of fixed bodies, too', () => {
    const document = set(({ systems }) => {
      systems[0].orientation = [2, 0, 0, 0];
      systems[1].shapes = [{ type: 'Box', size: [1, 1, 1], orientation: [0, 0, 3, 0] }];
    });
    const { issues } = reportDocument(document);
    expect(issues.map(({ pointer }) => pointer)).toEqual([
      '/systems/0/orientation',
      '/systems/1/shapes/0/orientation',
    ]);
  });
});
