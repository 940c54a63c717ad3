/**
 * A plane and any convex shape; the plane is the first shape. With the outward normal n and the offset d the
 * gap of a vertex x of a polytope with radius r is n·x − d − r: exact, in all positions. Every vertex within
 * the margin is a contact.
 *
 * Of a cylinder with axis a the lowest point of a rim is straight down the slope of its cap, u = −(n − (n·a)
 * a)/|…|. The contacts are the lowest points of both rims, and the points of the lower rim at 90°, 180° and
 * 270° from there. Lying on its side it has two, standing four, tilted it has the lowest point and others as
 * they come within the margin.
 *
 * A standing cylinder's lowest point may be anywhere from step to step, as rounding tilts it. Its four points
 * are therefore those of its own x and y axes, of which the one nearest to the lowest point moves there, by
 * up to 45°; the others stay where they are.
 */
import type { CylinderShape, EllipsoidShape, PlaneShape, RoundedShape } from '../shapes/shape';
import { rotateByFrame } from '../frame';
import { faceKey, vertexKey } from './feature-polygon';
import type { PairContacts } from './pair-contacts';
import { CYLINDER_KEYS } from './placed-cylinder';
import { NEAR_FACE } from './placed-polytope';

/** Relative to the cylinder: points whose heights differ by less are level. */
const ROUNDING = 1e-14;
/**
 * A cap this level, rad, has no lowest point: the slope is rounding. Then points are counted from the x axis
 * of the cylinder.
 */
const LEVEL = 1e-13;

const normal = new Float64Array(3);
const u = new Float64Array(3);
const w = new Float64Array(3);
const point = new Float64Array(3);

/** [0] of the second shape's origin over the plane; [1] slope of a cylinder's caps */
const height = new Float64Array(2);

function placePlane(plane: PlaneShape, frame: Float64Array, at: number, out: PairContacts): void {
  rotateByFrame(frame, at, plane.normal, 0, normal, 0);
  height[0] = -plane.offset;
  for (let k = 0; k < 3; k++) height[0] += normal[k] * out.relative[k];
}

/**
 * The contact of the point that is `point` from the second shape's origin, if it is within the margin of the
 * plane.
 */
function add(radius: number, key: number, out: PairContacts): void {
  const gap = height[0] + normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] - radius;
  if (gap > out.margin[0]) return;
  const contact = out.add(faceKey(0), key);
  const { values, relative } = out;
  values[contact] = gap;
  for (let k = 0; k < 3; k++) {
    values[contact + 1 + k] = normal[k];
    values[contact + 4 + k] = relative[k] + point[k] - (gap + radius) * normal[k];
  }
  out.complete(contact);
}

export function planePolytope(
  plane: PlaneShape,
  planeFrame: Float64Array,
  planeAt: number,
  shape: RoundedShape,
  frame: Float64Array,
  at: number,
  out: PairContacts,
): void {
  placePlane(plane, planeFrame, planeAt, out);
  const { vertices, vertexCount } = shape.core;
  const start = out.count;
  for (let k = 0; k < vertexCount; k++) {
    rotateByFrame(frame, at, vertices, 3 * k, point, 0);
    add(shape.radius, vertexKey(k), out);
  }
  out.reduce(start);
}

/** Its one contact is the lowest point, −A² m/|A m| with m the normal in its frame and A its semi-axes. */
export function planeEllipsoid(
  plane: PlaneShape,
  planeFrame: Float64Array,
  planeAt: number,
  { semiAxes }: EllipsoidShape,
  frame: Float64Array,
  at: number,
  out: PairContacts,
): void {
  placePlane(plane, planeFrame, planeAt, out);
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const along =
      normal[0] * frame[at + 3 + k] + normal[1] * frame[at + 6 + k] + normal[2] * frame[at + 9 + k];
    u[k] = -semiAxes[k] * semiAxes[k] * along;
    square += semiAxes[k] * semiAxes[k] * along * along;
  }
  const reach = Math.sqrt(square);
  for (let k = 0; k < 3; k++) u[k] /= reach;
  rotateByFrame(frame, at, u, 0, point, 0);
  add(0, vertexKey(0), out);
}

export function planeCylinder(
  plane: PlaneShape,
  planeFrame: Float64Array,
  planeAt: number,
  shape: CylinderShape,
  frame: Float64Array,
  at: number,
  out: PairContacts,
): void {
  placePlane(plane, planeFrame, planeAt, out);
  const ax = frame[at + 5];
  const ay = frame[at + 8];
  const az = frame[at + 11];
  const along = normal[0] * ax + normal[1] * ay + normal[2] * az;
  u[0] = along * ax - normal[0];
  u[1] = along * ay - normal[1];
  u[2] = along * az - normal[2];
  // Once more, as what is left of a normal nearly along the axis is not across it.
  const rest = u[0] * ax + u[1] * ay + u[2] * az;
  u[0] -= rest * ax;
  u[1] -= rest * ay;
  u[2] -= rest * az;
  const slope = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  height[1] = slope;
  for (let k = 0; k < 3; k++) u[k] = slope > LEVEL ? u[k] / slope : frame[at + 3 + 3 * k];
  w[0] = ay * u[2] - az * u[1];
  w[1] = az * u[0] - ax * u[2];
  w[2] = ax * u[1] - ay * u[0];
  const lower = along < 0 ? 1 : 0;
  const isStanding = Math.abs(along) >= NEAR_FACE;
  for (let cap = 0; cap < 2; cap++) {
    if (isStanding && cap === lower) addStanding(shape, cap, frame, at, out);
    else addTilted(shape, cap, cap === lower ? 4 : 1, frame, at, out);
  }
}

/** The lowest point of a rim, and others from there on. */
function addTilted(
  { radius, halfHeight }: CylinderShape,
  cap: number,
  points: number,
  frame: Float64Array,
  at: number,
  out: PairContacts,
): void {
  const z = cap === 1 ? halfHeight : -halfHeight;
  for (let k = 0; k < points; k++) {
    const c = radius * (k === 0 ? 1 : k === 2 ? -1 : 0);
    const s = radius * (k === 1 ? 1 : k === 3 ? -1 : 0);
    for (let i = 0; i < 3; i++) point[i] = z * frame[at + 5 + 3 * i] + c * u[i] + s * w[i];
    add(0, k === 0 ? CYLINDER_KEYS.rim(cap) : CYLINDER_KEYS.rimPoint(cap, 4 * k + 1), out);
  }
}

/** The points of the lower rim on the cylinder's own axes, one of them at the lowest point instead. */
function addStanding(
  { radius, halfHeight }: CylinderShape,
  cap: number,
  frame: Float64Array,
  at: number,
  out: PairContacts,
): void {
  const z = cap === 1 ? halfHeight : -halfHeight;
  let x = 0;
  let y = 0;
  for (let i = 0; i < 3; i++) {
    x += u[i] * frame[at + 3 + 3 * i];
    y += u[i] * frame[at + 4 + 3 * i];
  }
  const nearest = Math.max(Math.abs(x), Math.abs(y));
  const isLevel = radius * height[1] * (1 - nearest) <= ROUNDING * (radius + halfHeight);
  const lowest = isLevel ? -1 : Math.abs(x) >= Math.abs(y) ? (x > 0 ? 0 : 2) : y > 0 ? 1 : 3;
  for (let k = 0; k < 4; k++) {
    const c = radius * (k === 0 ? 1 : k === 2 ? -1 : 0);
    const s = radius * (k === 1 ? 1 : k === 3 ? -1 : 0);
    for (let i = 0; i < 3; i++) {
      const row = at + 3 + 3 * i;
      const across = k === lowest ? radius * u[i] : c * frame[row] + s * frame[row + 1];
      point[i] = z * frame[row + 2] + across;
    }
    add(0, CYLINDER_KEYS.rimPoint(cap, 4 * k), out);
  }
}
