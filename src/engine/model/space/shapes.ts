/** The shapes of a body as its field lists them. */
import type { Shape } from '../../collision/shapes/shape';
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { definition as disc } from '../shapes/disc';
import { definition as polygon } from '../shapes/polygon';
import { readPose } from './pose';
import { shapeTypes } from './shape-registry';
import type { BodyShape } from './space';

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
const FLAT: ReadonlySet<string> = new Set([disc.type, polygon.type]);

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
