/**
 * Cylinder about the z axis of its frame: I_z = m r²/2, I_x = I_y = m (r²/4 + h²/3) with the half height h.
 */
import { type CylinderShape, principalProperties, requireDensity, requirePositive } from './shape';

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
