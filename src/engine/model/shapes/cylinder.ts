/**
 * Cylinder about the z axis of its frame: I_z = m r²/2, I_x = I_y = m (r²/4 + h²/3) with the half height h.
 */
import {
  type CylinderShape,
  principalProperties,
  requireDensity,
  requirePositive,
} from '../../collision/shapes/shape';
import type { FieldReader } from '../field-reader';
import { buildShape, length, shapeDefinition, type ShapeParts } from './shape-type';

/**
 * @param radius m
 * @param halfHeight m
 * @throws {EngineError} `shape-size`
 */
export function cylinder(radius: number, halfHeight: number): CylinderShape {
  requirePositive('cylinder', 'radius', radius);
  requirePositive('cylinder', 'half height', halfHeight);
  return {
    kind: 'cylinder',
    dimensions: [3],
    radius,
    halfHeight,
    // Along a world axis that makes the angle α with the cylinder's: h |cos α| + r sin α.
    bounds(frame, at, out, outAt) {
      for (let r = 0; r < 3; r++) {
        const row = at + 3 + 3 * r;
        const across = radius * Math.sqrt(frame[row] * frame[row] + frame[row + 1] * frame[row + 1]);
        const extent = halfHeight * Math.abs(frame[row + 2]) + across;
        out[outAt + r] = frame[at + r] - extent;
        out[outAt + 3 + r] = frame[at + r] + extent;
      }
    },
    massProperties(density) {
      requireDensity(density);
      const square = radius * radius;
      const mass = density * Math.PI * square * 2 * halfHeight;
      const across = mass * (square / 4 + (halfHeight * halfHeight) / 3);
      return principalProperties(mass, across, across, 0.5 * mass * square);
    },
  };
}

export const definition = shapeDefinition(
  'Cylinder',
  'Cylinder',
  'A wheel, disc or column about z of its frame.',
  'x^2 + y^2 \\le r^2,\\; |z| \\le \\tfrac12 h',
  [
    length('radius', 'Radius', 'r', 'Of the cylinder.'),
    length('height', 'Height', 'h', 'From face to face.'),
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.defectCount;
  const radius = fields.number('radius');
  const halfHeight = 0.5 * fields.number('height');
  if (fields.defectCount > reported) return null;
  return buildShape(fields, 'radius', () => ({
    shape: cylinder(radius, halfHeight),
    geometry: { kind: 'cylinder', radius, halfHeight },
  }));
}
