/** Shapes of bodies in space, one line for each type. */
import * as box from '../shapes/box';
import * as capsule from '../shapes/capsule';
import * as cylinder from '../shapes/cylinder';
import * as disc from '../shapes/disc';
import * as ellipsoid from '../shapes/ellipsoid';
import * as heightField from '../shapes/height-field';
import * as plane from '../shapes/plane';
import * as polygon from '../shapes/polygon';
import * as polyhedron from '../shapes/polyhedron';
import type { ShapeType } from '../shapes/shape-type';
import * as sphere from '../shapes/sphere';
import type { Shape } from '../../collision/shapes/shape';
import type { FieldDefinition, FieldReader } from '../definition';
import { readPose } from './frames';
import type { BodyShape } from './space';

/* The shapes of a body as its field lists them. */

export const shapesField: FieldDefinition = {
  key: 'shapes',
  kind: 'elements',
  of: 'shapes',
  one: 'shape',
  many: 'shapes',
  label: 'Shapes',
  symbol: '',
  unit: '',
  required: false,
  help: 'What the body is made of: its form for contacts and for the animation. Several make one body together.',
};

/** Types of shapes that have their place in a motion in the plane only. */
const FLAT: ReadonlySet<string> = new Set([disc.definition.type, polygon.definition.type]);

/** Whether a body lists any of them, be they sound or not. */
export const listsFlatShapes = (fields: FieldReader): boolean =>
  fields.elements(shapesField.key).some(({ type }) => FLAT.has(type));

/** The same of a shape that has been built. */
export const isFlat = ({ dimensions }: Shape): boolean => !dimensions.includes(3);

/** Shapes of the field `shapes`; those with defects, which have been reported, are left out. */
export function readShapes(fields: FieldReader): BodyShape[] {
  return fields.elements(shapesField.key).flatMap(({ type, fields: own }) => {
    const parts = shapeTypes.get(type)?.build(own);
    const pose = readPose(own);
    if (parts === null || parts === undefined) return [];
    const [x, y, z, q0, q1, q2, q3] = pose;
    const { shape, geometry } = parts;
    return [{ shape, pose, scene: { geometry, position: [x, y, z], orientation: [q0, q1, q2, q3] } }];
  });
}

const types: readonly ShapeType[] = [
  sphere,
  box,
  capsule,
  cylinder,
  ellipsoid,
  polyhedron,
  plane,
  heightField,
  disc,
  polygon,
];

export const shapeTypes: ReadonlyMap<string, ShapeType> = new Map(
  types.map((type) => [type.definition.type, type]),
);
