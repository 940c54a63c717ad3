/** Half-space: a floor, a wall, a slope. */
import { plane } from '../../collision/shapes/plane';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition(
  'Plane',
  'Plane',
  'A floor, wall or slope: solid on the one side without end. On bodies that do not move.',
  'n \\cdot x \\le d',
  [
    {
      key: 'normal',
      kind: 'vector',
      length: 3,
      label: 'Normal',
      symbol: 'n',
      unit: '',
      required: false,
      help: 'Out of the solid, of any length; upwards, (0, 0, 1), when left out.',
    },
    {
      key: 'offset',
      kind: 'number',
      label: 'Offset',
      symbol: 'd',
      unit: 'm',
      required: false,
      default: 0,
      help: 'Distance of the surface from the origin of its frame, along the normal.',
    },
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const [x, y, z] = fields.has('normal') ? fields.vector('normal', 3) : [0, 0, 1];
  const offset = fields.number('offset');
  if (fields.issueCount > reported) return null;
  return buildShape(fields, 'normal', () => {
    const shape = plane([x, y, z], offset);
    const [nx, ny, nz] = shape.normal;
    return { shape, geometry: { kind: 'plane', normal: [nx, ny, nz], offset } };
  });
}
