/**
 * Sphere and box: the centre c of the sphere, seen in the box, against |x_i| ≤ a_i. Outside, the nearest point of the box is c clamped to
 * it. Inside, the way out is through the nearest side, and the gap is minus the depth of the centre, less the radius.
 */
import type { RoundedShape } from '../shapes/shape';
import { edgeKey, faceKey, vertexKey } from './feature-key';
import type { PairContacts } from './pair-contacts';
import { rotate, rotateBack } from '../frame';

const centre = new Float64Array(3);
const nearest = new Float64Array(3);
const local = new Float64Array(3);
const world = new Float64Array(3);

/** The sphere is the first shape. */
export function pointBox(
  sphere: RoundedShape,
  box: RoundedShape,
  half: Float64Array,
  frame: Float64Array,
  at: number,
  out: PairContacts,
): void {
  for (let k = 0; k < 3; k++) world[k] = -out.relative[k];
  rotateBack(frame, at, world, 0, centre, 0);
  let isOutside = false;
  let depth = Infinity;
  let axis = 0;
  // Which vertices the nearest part of the box has: bits that are fixed, and free ones.
  let bits = 0;
  let free = 0;
  for (let k = 0; k < 3; k++) {
    const c = centre[k];
    const a = half[k];
    nearest[k] = Math.max(-a, Math.min(a, c));
    if (nearest[k] !== c) {
      isOutside = true;
      if (c > 0) bits |= 1 << k;
    } else free |= 1 << k;
    if (a - Math.abs(c) < depth) {
      depth = a - Math.abs(c);
      axis = k;
    }
  }
  let gap = -depth;
  if (isOutside) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      local[k] = nearest[k] - centre[k];
      square += local[k] * local[k];
    }
    gap = Math.sqrt(square);
    for (let k = 0; k < 3; k++) local[k] /= gap;
  } else {
    local.fill(0);
    const side = centre[axis] < 0 ? -1 : 1;
    local[axis] = -side;
    nearest[axis] = side * half[axis];
    bits = side > 0 ? 1 << axis : 0;
    free = 7 & ~(1 << axis);
  }
  gap -= sphere.radius + box.radius;
  if (gap > out.margin[0]) return;
  const contact = out.add(vertexKey(0), boxPart(bits, free));
  const { values } = out;
  values[contact] = gap;
  rotate(frame, at, local, 0, values, contact + 1);
  for (let k = 1; k <= 3; k++) values[contact + 3 + k] = sphere.radius * values[contact + k];
  out.complete(contact);
}

/** Name of the face, edge or vertex of a box whose vertices have the bits `bits`, and any bits of `free`. */
function boxPart(bits: number, free: number): number {
  if (free === 0) return vertexKey(bits);
  if (free === 1 || free === 2 || free === 4) return edgeKey(bits, bits | free);
  const axis = free === 6 ? 0 : free === 5 ? 1 : 2;
  return faceKey(2 * axis + (bits === 0 ? 0 : 1));
}
