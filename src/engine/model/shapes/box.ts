/** Box with its sides along the axes of its frame, half lengths a, b, c: I_x = m (b² + c²)/3 and so on. */
import { polytopeBounds, solidPolytope } from '../../collision/shapes/polytope';
import {
  type RoundedShape,
  principalProperties,
  requireDensity,
  requirePositive,
} from '../../collision/shapes/shape';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

/** Vertex k has the upper sign along axis i where bit i of k is set. */
const FACES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
];
const NORMALS = [-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1];

/**
 * @param a, b, c half lengths along x, y, z, m
 * @throws {EngineError} `shape-size`
 */
export function box(a: number, b: number, c: number): RoundedShape {
  requirePositive('box', 'half length along x', a);
  requirePositive('box', 'half length along y', b);
  requirePositive('box', 'half length along z', c);
  const vertices = new Float64Array(24);
  for (let k = 0; k < 8; k++) {
    vertices[3 * k] = (k & 1) === 0 ? -a : a;
    vertices[3 * k + 1] = (k & 2) === 0 ? -b : b;
    vertices[3 * k + 2] = (k & 4) === 0 ? -c : c;
  }
  const core = solidPolytope(vertices, FACES, Float64Array.from(NORMALS));
  return {
    kind: 'box',
    dimensions: [3],
    core,
    radius: 0,
    halfExtents: Float64Array.of(a, b, c),
    bounds: (frame, at, out, outAt) => polytopeBounds(core, 0, frame, at, out, outAt),
    massProperties(density) {
      requireDensity(density);
      const mass = 8 * density * a * b * c;
      const third = mass / 3;
      return principalProperties(
        mass,
        third * (b * b + c * c),
        third * (a * a + c * c),
        third * (a * a + b * b),
      );
    },
  };
}

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
  const reported = fields.defectCount;
  const [a, b, c] = fields.vector('size', 3).map((side) => 0.5 * side);
  if (fields.defectCount > reported) return null;
  return buildShape(fields, 'size', () => ({
    shape: box(a, b, c),
    geometry: { kind: 'box', halfLengths: [a, b, c] },
  }));
}
