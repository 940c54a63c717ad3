/** Bodies of a system, and where their numbers stand among those of all: one after the other, in q as in v. */
import type { SpatialBody } from './body';

export interface BodyPlaces {
  readonly bodies: readonly SpatialBody[];
  /** where the positions and the velocities of each body begin */
  readonly positionsAt: Int32Array;
  readonly velocitiesAt: Int32Array;
  /** numbers of all positions and of all velocities */
  readonly positions: number;
  readonly velocities: number;
}

export function placeBodies(bodies: readonly SpatialBody[]): BodyPlaces {
  const positionsAt = new Int32Array(bodies.length);
  const velocitiesAt = new Int32Array(bodies.length);
  let positions = 0;
  let velocities = 0;
  bodies.forEach((body, k) => {
    positionsAt[k] = positions;
    velocitiesAt[k] = velocities;
    positions += body.positions;
    velocities += body.velocities;
  });
  return { bodies, positionsAt, velocitiesAt, positions, velocities };
}
