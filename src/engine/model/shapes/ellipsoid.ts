/**
 * Ellipsoid with its axes along those of its frame, Σ (x_k/a_k)² ≤ 1: I_x = m (b² + c²)/5. Its point farthest
 * along a unit vector m of its frame is A² m/|A m| with A = diag(a, b, c), at the distance |A m|.
 */
import {
  type EllipsoidShape,
  principalProperties,
  requireDensity,
  requirePositive,
} from '../../collision/shapes/shape';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

/**
 * @param semiAxes a, b, c, m
 * @throws {EngineError} `shape-size`
 */
export function ellipsoid(semiAxes: ArrayLike<number>): EllipsoidShape {
  const axes = Float64Array.from(semiAxes);
  for (const axis of axes) requirePositive('ellipsoid', 'semi-axis', axis);
  const [a, b, c] = axes;
  return {
    kind: 'ellipsoid',
    dimensions: [3],
    semiAxes: axes,
    bounds(frame, at, out, outAt) {
      for (let r = 0; r < 3; r++) {
        const row = at + 3 + 3 * r;
        const extent = Math.hypot(a * frame[row], b * frame[row + 1], c * frame[row + 2]);
        out[outAt + r] = frame[at + r] - extent;
        out[outAt + 3 + r] = frame[at + r] + extent;
      }
    },
    massProperties(density) {
      requireDensity(density);
      const mass = density * (4 / 3) * Math.PI * a * b * c;
      const [x, y, z] = [a * a, b * b, c * c].map((square) => (mass * square) / 5);
      return principalProperties(mass, y + z, z + x, x + y);
    },
  };
}

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
  const reported = fields.defectCount;
  const [a, b, c] = fields.vector('semiAxes', 3);
  if (fields.defectCount > reported) return null;
  return buildShape(fields, 'semiAxes', () => ({
    shape: ellipsoid([a, b, c]),
    geometry: { kind: 'ellipsoid', halfLengths: [a, b, c] },
  }));
}
