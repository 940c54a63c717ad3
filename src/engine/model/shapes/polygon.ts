/** Convex polygon in the plane by its corners. */
import { polygon } from '../../collision/shapes/polygon';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition(
  'Polygon',
  'Convex polygon in the plane',
  'A plate with corners. All shapes of the model are discs, polygons and planes then, and all bodies move in one plane z = const.',
  'x \\in \\operatorname{conv}\\{p_1, \\dots, p_n\\}',
  [
    {
      key: 'points',
      kind: 'matrix',
      rows: 'any',
      columns: 2,
      label: 'Corners',
      symbol: 'p',
      unit: 'm',
      required: true,
      help: 'A row x, y for each, anticlockwise; three or more, none of them on the line between its neighbours. What is not convex is several polygons on one body.',
    },
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const points = fields.matrix('points', fields.matrixRows('points'), 2);
  if (points === null || fields.issueCount > reported) return null;
  const corners = [...points];
  return buildShape(fields, 'points', () => ({
    shape: polygon(corners),
    geometry: { kind: 'polygon', corners },
  }));
}
