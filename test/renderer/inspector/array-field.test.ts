/** What an optional field starts with when it is to be given. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { reportDocument } from '@engine/preparation/report';
import type { FieldValue, TypedElement } from '@engine/document/types';
import { newElement } from '@renderer/document/factory';
import { UNIT_SIZES } from '@renderer/document/sizes';
import { freshArray } from '@renderer/inspector/fields/array-field';
import { spatial } from './mounted';

const { systems, relations, shapes } = catalogue();

/** Every vector that the type may leave out, at its start. */
function starts(definitions: typeof systems, type: string): Record<string, FieldValue> {
  const fields = definitions.find((definition) => definition.type === type)?.fields ?? [];
  return Object.fromEntries(
    fields.flatMap((field) => {
      const start = field.required ? undefined : freshArray(field, UNIT_SIZES);
      return start === undefined ? [] : [[field.key, start]];
    }),
  );
}

const element = (definitions: typeof systems, type: string): TypedElement => {
  const definition = definitions.find((candidate) => candidate.type === type);
  if (definition === undefined) throw new Error(`no ${type}`);
  return { ...newElement(definition), ...starts(definitions, type) };
};

const errors = (body: TypedElement, relation?: TypedElement): unknown[] =>
  reportDocument(
    spatial(
      [{ ...element(systems, 'RigidBody'), ...body, id: 'a' }],
      relation === undefined ? [] : [{ id: 'j', systems: ['a'], relation, law: { type: 'Equality' } }],
    ),
  ).issues.filter(({ severity }) => severity === 'error');

describe('the optional vectors of a 3D body', () => {
  it('start with values that mean something', () => {
    expect(starts(systems, 'RigidBody')).toEqual({
      inertia: [0.01, 0.01, 0.01],
      orientation: [1, 0, 0, 0],
      velocity: [0, 0, 0],
      spin: [0, 0, 0],
      gravity: [0, 0, -9.81],
      force: [0, 0, 0],
      moment: [0, 0, 0],
      at: [0, 0, 0],
    });
    expect(errors(element(systems, 'RigidBody'))).toEqual([]);
  });

  it('and of its shapes are valid when all of them are given', () => {
    for (const { type } of shapes) {
      // What has no end is for bodies that stand still.
      const owner = type === 'Plane' || type === 'HeightField' ? 'FixedBody' : 'RigidBody';
      // Discs and polygons are among their like, and stay in their plane.
      const isPlanar = type === 'Disc' || type === 'Polygon';
      const plane = isPlanar ? { gravity: [0, -9.81, 0] } : {};
      const other = isPlanar ? { shapes: [element(shapes, 'Disc')] } : {};
      const document = spatial([
        { ...element(systems, 'RigidBody'), ...plane, ...other, id: 'a' },
        { ...element(systems, owner), ...plane, id: 'b', shapes: [element(shapes, type)] },
      ]);
      expect(reportDocument(document).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    }
  });
});

describe('the optional vectors of a joint in space', () => {
  const joints = relations.filter(
    ({ order, fields }) => order === 'body' && fields.some(({ key }) => key === 'point'),
  );
  // Their points are in one place at the start, and a rod has a length.
  const others = joints.filter(({ type }) => type !== 'DistanceJoint').map(({ type }) => type);

  it.each(others)('of type %s are valid when all of them are given', (type) => {
    expect(errors({ type: 'RigidBody' }, element(relations, type))).toEqual([]);
  });
});
