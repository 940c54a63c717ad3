/**
 * Height field: ground over the rectangle [0, (columns − 1) dx] × [0, (rows − 1) dy] of its frame, whose
 * surface has given heights at the points of a grid. Each cell is two triangles, cut from its corner (i, j)
 * to (i + 1, j + 1); what is below them is solid. It has no mass and belongs to the ground.
 */
import {
  type HeightFieldShape,
  refuseShape,
  requireFinite,
  requirePositive,
} from '../../collision/shapes/shape';
import type { FieldReader } from '../field-reader';
import { buildShape, length, shapeDefinition, type ShapeParts } from './shape-type';

/**
 * @param columns, rows points of the grid along x and y, two or more each
 * @param spacingX, spacingY between points, m
 * @param heights rows · columns, m; point (i, j) is entry j · columns + i
 * @throws {EngineError} `shape-size`, `shape-not-finite`, `height-field-grid`
 */
export function heightField(
  columns: number,
  rows: number,
  spacingX: number,
  spacingY: number,
  heights: ArrayLike<number>,
): HeightFieldShape {
  requirePositive('height field', 'spacing along x', spacingX);
  requirePositive('height field', 'spacing along y', spacingY);
  const isGrid = Number.isInteger(columns) && Number.isInteger(rows) && columns >= 2 && rows >= 2;
  if (!isGrid || heights.length !== columns * rows)
    refuseShape(
      'height-field-grid',
      `The height field has ${columns} × ${rows} points and ${heights.length} heights.`,
      'Give two points or more along x and along y, and a height for each.',
    );
  requireFinite('height field', 'heights', heights);
  const own = Float64Array.from(heights);
  const highest = own.reduce((most, value) => Math.max(most, value), -Infinity);
  return {
    kind: 'heightField',
    dimensions: [3],
    columns,
    rows,
    spacingX,
    spacingY,
    heights: own,
    // The ground has no bottom: below it everything overlaps. Where its z axis is the world's, this bounds
    // it.
    bounds(frame, at, out, outAt) {
      const width = (columns - 1) * spacingX;
      const depth = (rows - 1) * spacingY;
      for (let r = 0; r < 3; r++) {
        const x = frame[at + 3 + 3 * r] * width;
        const y = frame[at + 4 + 3 * r] * depth;
        const z = frame[at + 5 + 3 * r];
        const base = frame[at + r] + z * highest;
        out[outAt + r] = z > 0 ? -Infinity : base + Math.min(0, x) + Math.min(0, y);
        out[outAt + 3 + r] = z < 0 ? Infinity : base + Math.max(0, x) + Math.max(0, y);
      }
    },
    massProperties: () => null,
  };
}

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
  const reported = fields.defectCount;
  const rows = fields.matrixRows('heights');
  const columns = fields.matrixColumns('heights');
  const values = fields.matrix('heights', rows, columns);
  const spacing = fields.number('spacing');
  if (values === null || fields.defectCount > reported) return null;
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
