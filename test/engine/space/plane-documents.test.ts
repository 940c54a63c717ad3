/**
 * Documents of discs and polygons: whatever leads out of their plane is refused, with its place and what to
 * do.
 */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, FieldValue, ModelDocument, TypedElement } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from '../support/issues';
import { disc, HEIGHT, plate, rectangle, slope } from '../support/plane';
import { joint, rigid, spaceModel, touch, turned } from '../support/space';

const model = (fields: Record<string, FieldValue | undefined>, ...relations: TypedElement[]): ModelDocument =>
  spaceModel(
    [slope(0), plate('body', 0, 1, fields), plate('other', 1, 1)],
    [
      touch('ground', ['slope', 'body', 'other']),
      ...relations.map((relation, k) => joint(`joint${k}`, ['body'], relation)),
    ],
  );
const grounded = (shape: TypedElement, fields: Record<string, FieldValue> = {}): ModelDocument => {
  const document = model({});
  document.systems[0] = { ...slope(0), ...fields, shapes: [shape] };
  return document;
};
/** With a second body that deforms, and has no shape. */
const soft = (): ModelDocument => {
  const document = model({});
  document.interactions[0].systems = ['slope', 'body'];
  document.systems[2] = {
    id: 'other',
    type: 'PseudoRigidBody',
    mass: 1,
    euler: [1, 1, 1],
    volume: 1,
    young: 1e3,
    poisson: 0.3,
    position: [1, 1, HEIGHT],
  };
  return document;
};
/** With the second body at another height. */
const lifted = (): ModelDocument => {
  const document = model({});
  document.systems[2]['position'] = [1, 1, 0];
  return document;
};
/** With a first body whose motion is prescribed. */
const driven = (fields: Record<string, number[]>): ModelDocument => {
  const document = model({});
  Object.assign(document.systems[0], fields);
  return document;
};
const shaped = (...points: number[][]): ModelDocument =>
  model({ mass: 1, inertia: [1], shapes: [{ type: 'Polygon', points }] });

describe('a document with discs or polygons is refused', () => {
  it.each<[string, ModelDocument, string, string]>([
    [
      'with a box beside them',
      model({ shapes: [{ type: 'Box', size: [1, 1, 1] }] }),
      'shapes-mixed',
      '/systems/1/shapes/0',
    ],
    [
      'with a height field',
      grounded({
        type: 'HeightField',
        spacing: 1,
        heights: [
          [0, 0],
          [0, 0],
        ],
      }),
      'shapes-mixed',
      '/systems/0/shapes/0',
    ],
    [
      'with a sphere on the same body',
      model({ mass: 1, inertia: [1], shapes: [disc(1), { type: 'Sphere', radius: 1 }] }),
      'shapes-mixed',
      '/systems/1/shapes/1',
    ],
    [
      'with a floor whose normal is z',
      grounded({ type: 'Plane' }),
      'plane-out-of-plane',
      '/systems/0/shapes/0/normal',
    ],
    [
      'with a wall that is turned out of the plane',
      grounded({ type: 'Plane', normal: [0, 1, 0], orientation: turned(0, 0.1) }),
      'plane-out-of-plane',
      '/systems/0/shapes/0/normal',
    ],
    [
      'with a body that is tilted',
      model({ orientation: turned(0, 0.1) }),
      'pose-out-of-plane',
      '/systems/1/orientation',
    ],
    ['with a body at another height', lifted(), 'pose-out-of-plane', '/systems/2/position'],
    [
      'with a fixed disc at another height',
      grounded(disc(0.1), { position: [0, 0, 0] }),
      'pose-out-of-plane',
      '/systems/0/position',
    ],
    [
      'with a disc above its body',
      model({ shapes: [{ ...disc(1), position: [0, 0, 0.1] }], mass: 1, inertia: [1] }),
      'shape-out-of-plane',
      '/systems/1/shapes/0/position',
    ],
    [
      'with a polygon that is tilted on its body',
      model({ shapes: [{ ...rectangle(1), orientation: turned(1, 0.1) }] }),
      'shape-out-of-plane',
      '/systems/1/shapes/0/orientation',
    ],
    [
      'with a velocity along z',
      model({ velocity: [0, 0, 1] }),
      'velocity-out-of-plane',
      '/systems/1/velocity',
    ],
    ['with a spin about x', model({ spin: [1, 0, 0] }), 'velocity-out-of-plane', '/systems/1/spin'],
    ['with a spin about y', model({ spin: [0, 1, 0] }), 'velocity-out-of-plane', '/systems/1/spin'],
    ['with gravity along z', model({ gravity: [0, 0, -9.81] }), 'load-out-of-plane', '/systems/1/gravity'],
    ['with a force along z', model({ force: [1, 0, 1] }), 'load-out-of-plane', '/systems/1/force'],
    ['with a moment about x', model({ moment: [1, 0, 0] }), 'load-out-of-plane', '/systems/1/moment'],
    ['with a floor that rises along z', driven({ velocity: [0, 0, 1] }), 'motion-out-of-plane', '/systems/0'],
    ['with a floor that turns about x', driven({ spin: [1, 0, 0] }), 'motion-out-of-plane', '/systems/0'],
    [
      'with a surface that slides along z',
      driven({ surfaceVelocity: [0, 0, 1] }),
      'motion-out-of-plane',
      '/systems/0',
    ],
    [
      'with a product of inertia with z',
      model({ mass: 1, inertia: [1, 0, 0.1, 0, 1, 0, 0.1, 0, 1] }),
      'inertia-out-of-plane',
      '/systems/1/inertia',
    ],
    ['with a pseudo-rigid body', soft(), 'pseudo-rigid-in-plane', '/systems/2'],
    [
      'with two moments of inertia',
      model({ mass: 1, inertia: [1, 1] }),
      'inertia-size',
      '/systems/1/inertia',
    ],
    [
      'with a moment of inertia that is not positive',
      model({ mass: 1, inertia: [0] }),
      'inertia-not-positive',
      '/systems/1/inertia',
    ],
    [
      'with a hinge that is tilted',
      model({}, { type: 'RevoluteJoint', axis: [1, 0, 1], point: [0, 0, HEIGHT] }),
      'joint-out-of-plane',
      '/interactions/1/relation',
    ],
    [
      'with a slider that climbs',
      model({}, { type: 'PrismaticJoint', axis: [1, 0, 1] }),
      'joint-out-of-plane',
      '/interactions/1/relation',
    ],
    [
      'with a motor along z',
      model({}, { type: 'CylindricalJoint', axis: [0, 0, 1], displacementSpeed: 1 }),
      'joint-out-of-plane',
      '/interactions/1/relation',
    ],
    [
      'with a polygon of two corners',
      shaped([0, 0], [1, 0]),
      'polygon-too-few-corners',
      '/systems/1/shapes/0/points',
    ],
    [
      'with a flat polygon',
      shaped([0, 0], [1, 1], [2, 2]),
      'polygon-without-area',
      '/systems/1/shapes/0/points',
    ],
    [
      'with a clockwise polygon',
      shaped([0, 0], [0, 1], [1, 0]),
      'polygon-clockwise',
      '/systems/1/shapes/0/points',
    ],
    [
      'with a polygon that crosses itself',
      shaped([0, 0], [1, 1], [1, 0], [0, 1]),
      'polygon-crosses-itself',
      '/systems/1/shapes/0/points',
    ],
    [
      'with a dented polygon',
      shaped([0, 0], [2, 0], [1, 0.5], [2, 2]),
      'polygon-not-convex',
      '/systems/1/shapes/0/points',
    ],
    [
      'with a polygon off the mass centre',
      model({ shapes: [{ ...rectangle(1), position: [1, 0, 0] }] }),
      'shapes-off-centre',
      '/systems/1/shapes',
    ],
    [
      'with a disc of radius 0',
      model({ mass: 1, inertia: [1], shapes: [disc(0)] }),
      'out-of-range',
      '/systems/1/shapes/0/radius',
    ],
  ])('%s', (_, document, code, pointer) => {
    const issues = reportDocument(document).issues.filter(({ severity }) => severity === 'error');
    expectComplete(issues);
    expect(
      issues.map((issue): Partial<DocumentIssue> => ({ code: issue.code, pointer: issue.pointer })),
    ).toEqual([{ code, pointer }]);
  });

  it('says of two moments what is enough in space as well', () => {
    const { issues } = reportDocument(spaceModel([rigid('body', [0, 0, 1], { mass: 1, inertia: [1] })], []));
    expect(issues[0]).toMatchObject({ code: 'inertia-size', pointer: '/systems/0/inertia' });
  });
});

describe('a document with discs or polygons is accepted', () => {
  it.each<[string, ModelDocument]>([
    ['as it stands', model({})],
    ['with walls, and frames for joints anywhere', grounded({ type: 'Plane', normal: [1, 2, 0], offset: 3 })],
    ['with one moment of inertia', model({ mass: 1, inertia: [0.5] })],
    [
      'with joints in the plane',
      model({}, { type: 'RevoluteJoint', axis: [0, 0, -1], point: [0.3, 1, HEIGHT] }),
    ],
    ['with a slider in the plane', model({}, { type: 'PrismaticJoint', axis: [1, 2, 0] })],
    ['with a rope', model({}, { type: 'Rope', point: [0, 3, HEIGHT], point2: [0, 1, HEIGHT], lengthMax: 3 })],
  ])('%s', (_, document) => {
    expect(reportDocument(document).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
