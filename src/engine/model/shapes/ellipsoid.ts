/** Ellipsoid with its axes along those of its frame. */
import { ellipsoid } from '../../collision/shapes/ellipsoid';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition(
  'Ellipsoid',
  'Ellipsoid',
  'A pebble, an egg or a rattleback. It touches planes.',
  '\\tfrac{x^2}{a^2} + \\tfrac{y^2}{b^2} + \\tfrac{z^2}{c^2} \\le 1',
  [
    {
      key: 'semiAxes',
      kind: 'vector',
      length: 3,
      label: 'Semi-axes',
      symbol: 'a, b, c',
      unit: 'm',
      required: true,
      help: 'Along the axes of its frame.',
    },
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const [a, b, c] = fields.vector('semiAxes', 3);
  if (fields.issueCount > reported) return null;
  return buildShape(fields, 'semiAxes', () => ({
    shape: ellipsoid([a, b, c]),
    geometry: { kind: 'ellipsoid', halfLengths: [a, b, c] },
  }));
}
