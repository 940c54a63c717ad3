/** Ground with hills: heights over a grid. */
import { heightField } from '../../collision/shapes/height-field';
import type { FieldReader } from '../field-reader';
import { buildShape, length, shapeDefinition, type ShapeParts } from './shape-type';

export const definition = shapeDefinition(
  'HeightField',
  'Height field',
  'Uneven ground: heights at the points of a grid, two triangles in each of its cells. On bodies that do not move.',
  'z \\le f(x, y)',
  [
    {
      key: 'heights',
      kind: 'matrix',
      rows: 'any',
      columns: 'any',
      label: 'Heights',
      symbol: 'f',
      unit: 'm',
      required: true,
      help: 'One row of the matrix for each y, one column for each x; the first point is the origin of its frame.',
    },
    length('spacing', 'Spacing', '\\Delta', 'Distance of the points along x and along y.'),
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.issueCount;
  const rows = fields.matrixRows('heights');
  const columns = fields.matrixColumns('heights');
  const values = fields.matrix('heights', rows, columns);
  const spacing = fields.number('spacing');
  if (values === null || fields.issueCount > reported) return null;
  return buildShape(fields, 'heights', () => ({
    shape: heightField(columns, rows, spacing, spacing, values),
    geometry: {
      kind: 'heightField',
      columns,
      rows,
      spacingX: spacing,
      spacingY: spacing,
      heights: [...values],
    },
  }));
}
