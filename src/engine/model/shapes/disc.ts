/** Disc of radius r in the plane, about the origin of its frame: I_z = m r²/2, I_x = I_y = m r²/4. */
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
export function disc(radius: number): RoundedShape {
  requirePositive('disc', 'radius', radius);
  const core = pointPolytope(2);
  return {
    kind: 'disc',
    dimensions: [2],
    core,
    radius,
    bounds: (frame, at, out, outAt) => polytopeBounds(core, radius, frame, at, out, outAt),
    massProperties(density) {
      requireDensity(density);
      const mass = density * Math.PI * radius * radius;
      const across = 0.25 * mass * radius * radius;
      return principalProperties(mass, across, across, 2 * across);
    },
  };
}

export const definition = shapeDefinition(
  'Disc',
  'Disc in the plane',
  'A round plate. All shapes of the model are discs, polygons and planes then, and all bodies move in one plane z = const.',
  'x_1^2 + x_2^2 \\le r^2',
  [length('radius', 'Radius', 'r', 'Of the disc.')],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.defectCount;
  const radius = fields.number('radius');
  if (fields.defectCount > reported) return null;
  return buildShape(fields, 'radius', () => ({ shape: disc(radius), geometry: { kind: 'disc', radius } }));
}
