/** Shapes of 3D bodies, one line for each type, and how a body lists them. */
import type { Shape } from '../../collision/shapes/shape';
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { readPose } from '../space/pose';
import type { BodyShape } from '../space/space';
import * as box from './box';
import * as capsule from './capsule';
import * as cylinder from './cylinder';
import * as disc from './disc';
import * as ellipsoid from './ellipsoid';
import * as heightField from './height-field';
import * as plane from './plane';
import * as polygon from './polygon';
import * as polyhedron from './polyhedron';
import type { ShapeType } from './shape-type';
import * as sphere from './sphere';

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
