/**
 * A plane and any convex shape; the plane is the first shape. With the outward normal n and the offset d the gap of a vertex x of a
 * polytope with radius r is n·x − d − r: exact, in all positions. Every vertex within the margin is a contact.
 *
 * Of a cylinder with axis a the lowest point of a rim is straight down the slope of its cap, u = −(n − (n·a) a)/|…|. The contacts are the
 * lowest points of both rims, and the points of the lower rim at 90°, 180° and 270° from there. Lying on its side it has two, standing
 * four, tilted it has the lowest point and others as they come within the margin.
 */
import type { CylinderShape, PlaneShape, RoundedShape } from '../shapes/shape';
import { rotate } from '../frame';
import { faceKey, vertexKey } from './feature-key';
import type { PairContacts } from './pair-contacts';
import { CYLINDER_KEYS } from './placed-cylinder';

/** A cap this level, rad, has no lowest point: the slope is rounding. Then points are counted from the x axis of the cylinder. */
const LEVEL = 1e-13;

const normal = new Float64Array(3);
const u = new Float64Array(3);
const w = new Float64Array(3);
const point = new Float64Array(3);

/** of the second shape's origin over the plane */
const height = new Float64Array(1);

function placePlane(plane: PlaneShape, frame: Float64Array, at: number, out: PairContacts): void {
  rotate(frame, at, plane.normal, 0, normal, 0);
  height[0] = -plane.offset;
  for (let k = 0; k < 3; k++) height[0] += normal[k] * out.relative[k];
}

/** The contact of the point that is `point` from the second shape's origin, if it is within the margin of the plane. */
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
    rotate(frame, at, vertices, 3 * k, point, 0);
    add(shape.radius, vertexKey(k), out);
  }
  out.reduce(start);
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
  const { radius, halfHeight } = shape;
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
  for (let k = 0; k < 3; k++) u[k] = slope > LEVEL ? u[k] / slope : frame[at + 3 + 3 * k];
  w[0] = ay * u[2] - az * u[1];
  w[1] = az * u[0] - ax * u[2];
  w[2] = ax * u[1] - ay * u[0];
  const lower = along < 0 ? 1 : 0;
  for (let cap = 0; cap < 2; cap++) {
    const z = cap === 1 ? halfHeight : -halfHeight;
    const points = cap === lower ? 4 : 1;
    for (let k = 0; k < points; k++) {
      const c = radius * (k === 0 ? 1 : k === 2 ? -1 : 0);
      const s = radius * (k === 1 ? 1 : k === 3 ? -1 : 0);
      point[0] = z * ax + c * u[0] + s * w[0];
      point[1] = z * ay + c * u[1] + s * w[1];
      point[2] = z * az + c * u[2] + s * w[2];
      add(0, CYLINDER_KEYS.rimPoint(cap, 4 * k), out);
    }
  }
}
