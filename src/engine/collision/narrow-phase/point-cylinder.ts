/**
 * Sphere and cylinder: in the half-plane of the axis and the sphere's centre, a point (ρ, z) against the rectangle ρ ≤ R, |z| ≤ h. ρ is
 * the length of the part across the axis, which keeps its digits however long the cylinder is.
 */
import type { CylinderShape, RoundedShape } from '../shapes/shape';
import { rotate, rotateBack } from '../frame';
import { CYLINDER_KEYS } from './placed-cylinder';
import { vertexKey } from './feature-key';
import type { PairContacts } from './pair-contacts';

const centre = new Float64Array(3);
const local = new Float64Array(3);
const world = new Float64Array(3);

/** The sphere is the first shape. */
export function pointCylinder(
  sphere: RoundedShape,
  cylinder: CylinderShape,
  frame: Float64Array,
  at: number,
  out: PairContacts,
): void {
  const { radius, halfHeight } = cylinder;
  for (let k = 0; k < 3; k++) world[k] = -out.relative[k];
  rotateBack(frame, at, world, 0, centre, 0);
  const rho = Math.sqrt(centre[0] * centre[0] + centre[1] * centre[1]);
  const z = Math.abs(centre[2]);
  const cap = centre[2] < 0 ? 0 : 1;
  const beside = rho - radius;
  const above = z - halfHeight;
  // Towards the cylinder: `inwards` across the axis, `down` along it, one of them zero except at the rim.
  let inwards = 0;
  let down = 0;
  let gap = 0;
  let key = 0;
  if (beside > 0 && above > 0) {
    gap = Math.sqrt(beside * beside + above * above);
    inwards = beside / gap;
    down = above / gap;
    key = CYLINDER_KEYS.rim(cap);
  } else if (beside > above) {
    gap = beside;
    inwards = 1;
    key = CYLINDER_KEYS.side;
  } else {
    gap = above;
    down = 1;
    key = CYLINDER_KEYS.cap(cap);
  }
  gap -= sphere.radius;
  if (gap > out.margin[0]) return;
  const contact = out.add(vertexKey(0), key);
  const { values } = out;
  values[contact] = gap;
  local[0] = rho > 0 ? (-inwards * centre[0]) / rho : -inwards;
  local[1] = rho > 0 ? (-inwards * centre[1]) / rho : 0;
  local[2] = cap === 1 ? -down : down;
  rotate(frame, at, local, 0, values, contact + 1);
  for (let k = 1; k <= 3; k++) values[contact + 3 + k] = sphere.radius * values[contact + k];
  out.complete(contact);
}
