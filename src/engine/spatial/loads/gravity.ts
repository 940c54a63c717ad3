/** Weight of all bodies, or of one: F = m g, potential −m g·x. */
import type { BodyPlaces, SpatialLoad } from '../body';

export interface GravityDescription {
  type: 'gravity';
  id: string;
  /** g, m/s², world's frame */
  acceleration: readonly [number, number, number];
  /** id of the body; all bodies when left out */
  on?: string;
}

export function buildGravity(
  { id, acceleration, on }: GravityDescription,
  { bodies, positionsAt, velocitiesAt }: BodyPlaces,
): SpatialLoad {
  const g = Float64Array.from(acceleration);
  const only = bodies.findIndex((body) => body.id === on);
  const first = only < 0 ? 0 : only;
  const end = only < 0 ? bodies.length : only + 1;
  return {
    id,
    addForce(_, __, ___, out) {
      for (let k = first; k < end; k++)
        for (let i = 0; i < 3; i++) out[velocitiesAt[k] + i] += bodies[k].mass * g[i];
    },
    potential(_, q) {
      let sum = 0;
      for (let k = first; k < end; k++)
        for (let i = 0; i < 3; i++) sum -= bodies[k].mass * g[i] * q[positionsAt[k] + i];
      return sum;
    },
  };
}
