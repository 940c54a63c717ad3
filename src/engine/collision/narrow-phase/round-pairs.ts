/**
 * Pairs of round shapes in closed form: points and segments with radii. Sphere and sphere, sphere and
 * capsule, disc and disc are the distance of a point from a point or from a segment, less the radii.
 */
import { rotateByFrame, rotateBackByFrame } from '../frame';
import type { CylinderShape, RoundedShape } from '../shapes/shape';
import { edgeKey, faceKey, vertexKey } from './feature-polygon';
import type { PairContacts } from './pair-contacts';
import { CYLINDER_KEYS } from './placed-cylinder';
import { NEAR_EDGE } from './placed-polytope';

/** Below this distance, relative to the radii, the direction between two cores is rounding. */
const COINCIDENT = 1e-14;

/**
 * One contact from the vector d between the nearest points of two cores, from the first to the second. Where
 * they coincide any normal is as good as another: that of the z axis is taken, in the plane that of y.
 * @param out in its entry 4 … 6 of the contact to come stands the nearest point of the first core
 */
function addRoundContact(
  first: RoundedShape,
  second: RoundedShape,
  point: Float64Array,
  d: Float64Array,
  firstKey: number,
  secondKey: number,
  out: PairContacts,
): void {
  const distance = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  const gap = distance - first.radius - second.radius;
  if (gap > out.margin[0]) return;
  const at = out.add(firstKey, secondKey);
  const { values } = out;
  values[at] = gap;
  const isPoint = distance <= COINCIDENT * (first.radius + second.radius);
  values[at + 1] = isPoint ? 0 : d[0] / distance;
  values[at + 2] = isPoint ? (first.core.dimension === 2 ? 1 : 0) : d[1] / distance;
  values[at + 3] = isPoint ? (first.core.dimension === 2 ? 0 : 1) : d[2] / distance;
  for (let k = 0; k < 3; k++) values[at + 4 + k] = point[k] + first.radius * values[at + 1 + k];
  out.complete(at);
}

const point = new Float64Array(3);
const between = new Float64Array(3);

/** Sphere and sphere, disc and disc. */
export function pointPoint(first: RoundedShape, second: RoundedShape, out: PairContacts): void {
  point.fill(0);
  addRoundContact(first, second, point, out.relative, vertexKey(0), vertexKey(0), out);
}

/** Sphere and capsule: the nearest point of the capsule's segment. */
export function pointSegment(
  first: RoundedShape,
  second: RoundedShape,
  frame: Float64Array,
  at: number,
  out: PairContacts,
): void {
  const { relative } = out;
  const h = second.core.vertices[5];
  const ax = frame[at + 5];
  const ay = frame[at + 8];
  const az = frame[at + 11];
  const t = Math.max(-h, Math.min(h, -(ax * relative[0] + ay * relative[1] + az * relative[2])));
  between[0] = relative[0] + t * ax;
  between[1] = relative[1] + t * ay;
  between[2] = relative[2] + t * az;
  point.fill(0);
  const key = t === h ? vertexKey(1) : t === -h ? vertexKey(0) : edgeKey(0, 1);
  addRoundContact(first, second, point, between, vertexKey(0), key, out);
}

/*
 * Capsule and capsule: the least distance of two segments x₁ + s a, |s| ≤ h, and x₂ + t b, |t| ≤ k, less the
 * radii. With r = x₂ − x₁ and c = a·b, the unconstrained minimum has
 *
 *     s (1 − c²) = a·r − c (b·r),    t = c s − b·r.
 *
 * The square of the distance is convex in (s, t): clamp s, take the best t for it, clamp that, and take the
 * best s for it (Ericson 2005 §5.1.9). 1 − c² is formed as |a × b|², which does not cancel. Of segments that
 * are nearly parallel there are two contacts, at the ends of what they have in common, as of a cylinder on
 * its side.
 */

/** Segments at a smaller angle than this one, rad, are parallel to rounding. */
const PARALLEL = 1e-12;

const a = new Float64Array(3);
const b = new Float64Array(3);
/** [0], [1] s and t; [2] c; [3] a·r; [4] b·r; [5], [6] h and k */
const work = new Float64Array(7);

export function segmentSegment(
  first: RoundedShape,
  firstFrame: Float64Array,
  firstAt: number,
  second: RoundedShape,
  secondFrame: Float64Array,
  secondAt: number,
  out: PairContacts,
): void {
  const { relative } = out;
  for (let k = 0; k < 3; k++) {
    a[k] = firstFrame[firstAt + 5 + 3 * k];
    b[k] = secondFrame[secondAt + 5 + 3 * k];
  }
  const h = first.core.vertices[5];
  const k = second.core.vertices[5];
  const c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const ar = a[0] * relative[0] + a[1] * relative[1] + a[2] * relative[2];
  const br = b[0] * relative[0] + b[1] * relative[1] + b[2] * relative[2];
  work[2] = c;
  work[3] = ar;
  work[4] = br;
  work[5] = h;
  work[6] = k;
  const x = a[1] * b[2] - a[2] * b[1];
  const y = a[2] * b[0] - a[0] * b[2];
  const z = a[0] * b[1] - a[1] * b[0];
  const square = x * x + y * y + z * z;
  // The part of the first segment that is beside the second, by its ends' projections.
  const p = ar - Math.abs(c) * k;
  const q = ar + Math.abs(c) * k;
  const from = Math.max(-h, p);
  const to = Math.min(h, q);
  if (square < NEAR_EDGE * NEAR_EDGE && from < to) {
    const lowKey = p > -h ? edgeKey(0, 1) : vertexKey(0);
    const highKey = q < h ? edgeKey(0, 1) : vertexKey(1);
    const otherLow = c > 0 ? 0 : 1;
    work[0] = from;
    addAt(first, second, lowKey, lowKey === vertexKey(0) ? edgeKey(0, 1) : vertexKey(otherLow), out);
    work[0] = to;
    addAt(first, second, highKey, highKey === vertexKey(1) ? edgeKey(0, 1) : vertexKey(1 - otherLow), out);
    // The nearest points of segments that cross at a small angle are between these two.
    if (square > PARALLEL * PARALLEL) {
      const s = (ar - c * br) / square;
      if (s > from && s < to && Math.abs(c * s - br) < k) {
        work[0] = s;
        addAt(first, second, edgeKey(0, 1), edgeKey(0, 1), out);
      }
    }
    return;
  }
  let s =
    square > PARALLEL * PARALLEL ? (ar - c * br) / square : Math.max(-h, Math.min(h, 0.5 * (from + to)));
  s = Math.max(-h, Math.min(h, s));
  let t = c * s - br;
  if (t > k || t < -k) {
    t = Math.max(-k, Math.min(k, t));
    s = Math.max(-h, Math.min(h, c * t + ar));
  }
  work[0] = s;
  work[1] = t;
  addPair(first, second, endKey(0, 5), endKey(1, 6), out);
}

/** The contact at s, in work[0], of the first segment and the point of the second that is nearest to it. */
function addAt(
  first: RoundedShape,
  second: RoundedShape,
  firstKey: number,
  secondKey: number,
  out: PairContacts,
): void {
  work[1] = Math.max(-work[6], Math.min(work[6], work[2] * work[0] - work[4]));
  addPair(first, second, firstKey, secondKey, out);
}

function addPair(
  first: RoundedShape,
  second: RoundedShape,
  firstKey: number,
  secondKey: number,
  out: PairContacts,
): void {
  for (let i = 0; i < 3; i++) {
    point[i] = work[0] * a[i];
    between[i] = out.relative[i] + work[1] * b[i] - point[i];
  }
  addRoundContact(first, second, point, between, firstKey, secondKey, out);
}

/** Name of the place work[at] on a segment of half length work[half]. */
function endKey(at: number, half: number): number {
  return work[at] === work[half] ? vertexKey(1) : work[at] === -work[half] ? vertexKey(0) : edgeKey(0, 1);
}

/*
 * Sphere and box: the centre c of the sphere, seen in the box, against |x_i| ≤ a_i. Outside, the nearest
 * point of the box is c clamped to it. Inside, the way out is through the nearest side, and the gap is minus
 * the depth of the centre, less the radius.
 */

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
  rotateBackByFrame(frame, at, world, 0, centre, 0);
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
  rotateByFrame(frame, at, local, 0, values, contact + 1);
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

/*
 * Sphere and cylinder: in the half-plane of the axis and the sphere's centre, a point (ρ, z) against the
 * rectangle ρ ≤ R, |z| ≤ h. ρ is the length of the part across the axis, which keeps its digits however long
 * the cylinder is.
 */

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
  rotateBackByFrame(frame, at, world, 0, centre, 0);
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
  rotateByFrame(frame, at, local, 0, values, contact + 1);
  for (let k = 1; k <= 3; k++) values[contact + 3 + k] = sphere.radius * values[contact + k];
  out.complete(contact);
}
