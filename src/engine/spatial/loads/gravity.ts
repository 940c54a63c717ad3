/** Weight of all bodies: F = m g, potential −m g·x. */
import type { SpatialLoad } from '../load';
import { POSITIONS, type RigidBody, VELOCITIES } from '../rigid-body';

export interface GravityDescription {
  type: 'gravity';
  id: string;
  /** g, m/s², world's frame */
  acceleration: readonly [number, number, number];
}

export function buildGravity(
  { id, acceleration }: GravityDescription,
  bodies: readonly RigidBody[],
): SpatialLoad {
  const g = Float64Array.from(acceleration);
  return {
    id,
    addForce(_, __, ___, out) {
      for (let k = 0; k < bodies.length; k++)
        for (let i = 0; i < 3; i++) out[VELOCITIES * k + i] += bodies[k].mass * g[i];
    },
    potential(_, q) {
      let sum = 0;
      for (let k = 0; k < bodies.length; k++)
        for (let i = 0; i < 3; i++) sum -= bodies[k].mass * g[i] * q[POSITIONS * k + i];
      return sum;
    },
  };
}
