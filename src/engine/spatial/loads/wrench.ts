/**
 * A force at a point of a body and a moment, both in the world's frame or both in that of the body. Constant, or functions of time. In the
 * generalised forces a force f at the arm s′ is (f, s′×ᵗR f), with f in the world's frame.
 */
import type { SpatialAttachment } from '../joint';
import type { SpatialLoad } from '../body';
import type { SpatialMarker } from '../marker';

/** Fills force (N) and moment (N m), 6 numbers, at clock[0]. */
type WrenchFunction = (clock: Float64Array, out: Float64Array) => void;

export interface WrenchDescription {
  type: 'wrench';
  id: string;
  /** point that the force acts at; with `frame: 'body'` directions are those of the attachment's frame */
  on: SpatialAttachment;
  frame: 'world' | 'body';
  /** (F, M), 6 numbers */
  value: readonly number[] | WrenchFunction;
}

export function buildWrench(
  { id, on, frame, value }: WrenchDescription,
  markerOf: (attachment: SpatialAttachment) => SpatialMarker,
): SpatialLoad {
  const marker = markerOf(on);
  const given = new Float64Array(6);
  const world = new Float64Array(6);
  if (typeof value !== 'function') given.set(value);
  return {
    id,
    addForce(clock, q, _, out) {
      if (typeof value === 'function') value(clock, given);
      marker.place(q);
      if (frame === 'world') world.set(given);
      else {
        const { axes } = marker;
        for (let part = 0; part < 6; part += 3) {
          for (let i = 0; i < 3; i++)
            world[part + i] =
              axes[i] * given[part] + axes[3 + i] * given[part + 1] + axes[6 + i] * given[part + 2];
        }
      }
      marker.addForce(world, 0, out);
      marker.addMoment(world, 3, out);
    },
  };
}
