/**
 * A load that is a function of time and of the state of its body: of a rigid one force in the world's frame and moment in the body's; of a pseudo-rigid
 * one the force, and Σ f⊗ξ row by row of the forces f at points ξ.
 */
import type { BodyPlaces, SpatialLoad } from '../body';

/** Fills the force by velocities, as many numbers as the body has velocities, from its q and v. */
type BodyForceFunction = (clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array) => void;

export interface BodyForceDescription {
  type: 'bodyForce';
  id: string;
  /** id of the body */
  on: string;
  value: BodyForceFunction;
}

/** @param body its number */
export function buildBodyForce(
  { id, value }: BodyForceDescription,
  body: number,
  { bodies, positionsAt, velocitiesAt }: BodyPlaces,
): SpatialLoad {
  const { positions, velocities } = bodies[body];
  const position = positionsAt[body];
  const velocity = velocitiesAt[body];
  // Copies: a function of the user's must not write into the state.
  const own = new Float64Array(positions);
  const rate = new Float64Array(velocities);
  const load = new Float64Array(velocities);
  return {
    id,
    addForce(clock, q, v, out) {
      for (let i = 0; i < positions; i++) own[i] = q[position + i];
      for (let i = 0; i < velocities; i++) rate[i] = v[velocity + i];
      value(clock, own, rate, load);
      for (let i = 0; i < velocities; i++) out[velocity + i] += load[i];
    },
  };
}
