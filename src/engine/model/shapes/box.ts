/** Box with its sides along the axes of its frame, whose origin is its middle. */
import { box } from '../../collision/shapes/box';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition(
  'Box',
  'Box',
  'A block with its sides along the axes of its frame.',
  '|x_i| \\le \\tfrac12 l_i',
  [
    {
      key: 'size',
      kind: 'vector',
      length: 3,
      label: 'Lengths of the sides',
      symbol: 'l',
      unit: 'm',
      required: true,
      help: 'Along x, y and z of its frame, from face to face.',
    },
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const [a, b, c] = fields.vector('size', 3).map((side) => 0.5 * side);
  if (fields.issueCount > reported) return null;
  return buildShape(fields, 'size', () => ({
    shape: box(a, b, c),
    geometry: { kind: 'box', halfLengths: [a, b, c] },
  }));
}
