/** Disc of radius r in the plane, about the origin of its frame: I_z = m r²/2, I_x = I_y = m r²/4. */
import { pointPolytope, polytopeBounds } from './polytope';
import { type RoundedShape, principalProperties, requireDensity, requirePositive } from './shape';

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
