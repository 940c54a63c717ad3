/** Capsule along the z axis of its frame: a cylinder between two hemispheres. */
import { capsule } from '../../collision/shapes/capsule';
import type { FieldReader } from '../field-reader';
import { buildShape, length, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition(
  'Capsule',
  'Capsule',
  'A rod with round ends, along z of its frame.',
  '\\operatorname{dist}(x, [-\\tfrac12 l\\, e_z, \\tfrac12 l\\, e_z]) \\le r',
  [
    length('radius', 'Radius', 'r', 'Of the rod and of its ends.'),
    length('length', 'Length', 'l', 'Between the centres of its ends.'),
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const radius = fields.number('radius');
  const halfLength = 0.5 * fields.number('length');
  if (fields.issueCount > reported) return null;
  return buildShape(fields, 'radius', () => ({
    shape: capsule(radius, halfLength),
    geometry: { kind: 'capsule', radius, halfLength },
  }));
}
