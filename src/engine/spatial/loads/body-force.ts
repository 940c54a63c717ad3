/** A load that is a function of time and of the state of its body: force in the world's frame, moment in the body's. */
import type { SpatialLoad } from '../load';
import { POSITIONS, VELOCITIES } from '../rigid-body';

/** Fills (F, M), 6 numbers, from q (7) and v (6) of the body. */
export type BodyForceFunction = (
  clock: Float64Array,
  q: Float64Array,
  v: Float64Array,
  out: Float64Array,
) => void;

export interface BodyForceDescription {
  type: 'bodyForce';
  id: string;
  /** id of the body */
  on: string;
  value: BodyForceFunction;
}

/** @param body number of the body */
export function buildBodyForce({ id, value }: BodyForceDescription, body: number): SpatialLoad {
  const position = POSITIONS * body;
  const velocity = VELOCITIES * body;
  // Copies: a function of the user's must not write into the state.
  const own = new Float64Array(POSITIONS);
  const rate = new Float64Array(VELOCITIES);
  const load = new Float64Array(VELOCITIES);
  return {
    id,
    addForce(clock, q, v, out) {
      for (let i = 0; i < POSITIONS; i++) own[i] = q[position + i];
      for (let i = 0; i < VELOCITIES; i++) rate[i] = v[velocity + i];
      value(clock, own, rate, load);
      for (let i = 0; i < VELOCITIES; i++) out[velocity + i] += load[i];
    },
  };
}
