/** Cylinder about the z axis of its frame, whose origin is its middle. */
import { cylinder } from '../../collision/shapes/cylinder';
import type { FieldReader } from '../field-reader';
import { buildShape, length, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition(
  'Cylinder',
  'Cylinder',
  'A wheel, disc or column about z of its frame.',
  'x^2 + y^2 \\le r^2,\\; |z| \\le \\tfrac12 h',
  [
    length('radius', 'Radius', 'r', 'Of the cylinder.'),
    length('height', 'Height', 'h', 'From face to face.'),
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const radius = fields.number('radius');
  const halfHeight = 0.5 * fields.number('height');
  if (fields.issueCount > reported) return null;
  return buildShape(fields, 'radius', () => ({
    shape: cylinder(radius, halfHeight),
    geometry: { kind: 'cylinder', radius, halfHeight },
  }));
}
