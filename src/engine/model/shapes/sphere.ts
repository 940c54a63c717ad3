/** Sphere about the origin of its frame. */
import { sphere } from '../../collision/shapes/sphere';
import type { FieldReader } from '../field-reader';
import { buildShape, length, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition('Sphere', 'Sphere', 'A ball.', '|x| \\le r', [
  length('radius', 'Radius', 'r', 'Of the sphere.'),
]);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const radius = fields.number('radius');
  if (fields.issueCount > reported) return null;
  return buildShape(fields, 'radius', () => ({
    shape: sphere(radius),
    geometry: { kind: 'sphere', radius },
  }));
}
