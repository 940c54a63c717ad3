/** Convex polyhedron by its corners: the convex hull of points. */
import { convexHull } from '../../collision/shapes/convex-hull';
import { polyhedron } from '../../collision/shapes/polyhedron';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition(
  'Polyhedron',
  'Convex polyhedron',
  'A block of any convex form, given by its corners; faces are found from them.',
  'x \\in \\operatorname{conv}\\{p_1, \\dots, p_n\\}',
  [
    {
      key: 'points',
      kind: 'matrix',
      rows: 'any',
      columns: 3,
      label: 'Corners',
      symbol: 'p',
      unit: 'm',
      required: true,
      help: 'A row x, y, z for each, in any order; four or more that do not lie in one plane.',
    },
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const points = fields.matrix('points', fields.matrixRows('points'), 3);
  if (points === null || fields.issueCount > reported) return null;
  return buildShape(fields, 'points', () => {
    const { vertices, faces } = convexHull([...points]);
    return { shape: polyhedron(vertices, faces), geometry: { kind: 'polyhedron', vertices, faces } };
  });
}
