/** Sphere of radius r about the origin of its frame: I = (2/5) m r². */
import { pointPolytope, polytopeBounds } from '../../collision/shapes/polytope';
import {
  type RoundedShape,
  principalProperties,
  requireDensity,
  requirePositive,
} from '../../collision/shapes/shape';
import type { FieldReader } from '../field-reader';
import { buildShape, length, shapeDefinition, type ShapeParts } from './shape-type';

/**
 * @param radius m
 * @throws {EngineError} `shape-size`
 */
export function sphere(radius: number): RoundedShape {
  requirePositive('sphere', 'radius', radius);
  const core = pointPolytope(3);
  return {
    kind: 'sphere',
    dimensions: [3],
    core,
    radius,
    bounds: (frame, at, out, outAt) => polytopeBounds(core, radius, frame, at, out, outAt),
    massProperties(density) {
      requireDensity(density);
      const mass = density * (4 / 3) * Math.PI * radius ** 3;
      const inertia = 0.4 * mass * radius * radius;
      return principalProperties(mass, inertia, inertia, inertia);
    },
  };
}

export const definition = shapeDefinition('Sphere', 'Sphere', 'A ball.', '|x| \\le r', [
  length('radius', 'Radius', 'r', 'Of the sphere.'),
]);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.defectCount;
  const radius = fields.number('radius');
  if (fields.defectCount > reported) return null;
  return buildShape(fields, 'radius', () => ({
    shape: sphere(radius),
    geometry: { kind: 'sphere', radius },
  }));
}
