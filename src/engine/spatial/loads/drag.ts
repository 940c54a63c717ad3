/** Linear drag: a force −c Ṗ at a point of a body, and a moment −κ Ω about its mass centre. */
import type { SpatialAttachment } from '../joint';
import type { SpatialLoad } from '../body';
import type { SpatialMarker } from '../marker';

export interface DragDescription {
  type: 'drag';
  id: string;
  on: SpatialAttachment;
  /** c, N s/m */
  translational: number;
  /** κ, N m s; 0 when left out */
  rotational?: number;
}

export function buildDrag(
  { id, on, translational, rotational = 0 }: DragDescription,
  markerOf: (attachment: SpatialAttachment) => SpatialMarker,
): SpatialLoad {
  const marker = markerOf(on);
  const { velocities: at } = marker;
  const force = new Float64Array(3);
  return {
    id,
    addForce(_, q, v, out) {
      if (marker.body < 0) return;
      marker.move(q, v);
      for (let i = 0; i < 3; i++) force[i] = -translational * marker.velocity[i];
      marker.addForce(force, 0, out);
      for (let i = 3; i < 6; i++) out[at + i] -= rotational * v[at + i];
    },
  };
}
