/** Disc in the plane, about the origin of its frame. */
import { disc } from '../../collision/shapes/disc';
import type { FieldReader } from '../field-reader';
import { buildShape, length, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition(
  'Disc',
  'Disc in the plane',
  'A round plate. All shapes of the model are discs, polygons and planes then, and all bodies move in one plane z = const.',
  'x_1^2 + x_2^2 \\le r^2',
  [length('radius', 'Radius', 'r', 'Of the disc.')],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const radius = fields.number('radius');
  if (fields.issueCount > reported) return null;
  return buildShape(fields, 'radius', () => ({ shape: disc(radius), geometry: { kind: 'disc', radius } }));
}
