/**
 * Convex hull of a handful of points, with faces that may have more than three corners. Of each plane through
 * three points that has all others on one side, the points in it are a face; ordered about their middle they
 * are its corners. That is O(n⁴) at worst and exact in what it decides: two points of one place, or a point
 * in the middle of a face or edge, are dropped.
 */
import { refuseShape, requireFinite } from './shape';

export interface Hull {
  /** x, y, z each: the corners, in the order in which they were given */
  readonly vertices: number[];
  /** corners of each face, counterclockwise from outside */
  readonly faces: number[][];
}

/** Most points: what takes a second. */
const MOST_POINTS = 256;
/** Distance from a plane, relative to the size of the hull, that counts as none. */
const FLAT_PER_SIZE = 1e-10;

type Point = readonly [number, number, number];

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const norm = (a: Point): number => Math.hypot(a[0], a[1], a[2]);

/**
 * @param coordinates x0, y0, z0, x1, …, m
 * @throws {EngineError} `shape-not-finite`, `polyhedron-too-few-points`, `polyhedron-too-many-points`,
 *   `polyhedron-flat`
 */
export function convexHull(coordinates: readonly number[]): Hull {
  requireFinite('polyhedron', 'corners', coordinates);
  const count = coordinates.length / 3;
  if (count > MOST_POINTS)
    refuseShape(
      'polyhedron-too-many-points',
      `The polyhedron has ${count} points; at most ${MOST_POINTS} are supported.`,
      'Leave out points that matter little, or divide the body into several shapes.',
    );
  const all = Array.from({ length: count }, (_, k): Point => [
    coordinates[3 * k],
    coordinates[3 * k + 1],
    coordinates[3 * k + 2],
  ]);
  const size = all.reduce((most, point) => Math.max(most, norm(minus(point, all[0]))), 0);
  const points = distinct(all, FLAT_PER_SIZE * size);
  if (points.length < 4)
    refuseShape(
      'polyhedron-too-few-points',
      `The polyhedron has ${points.length} different points.`,
      'Give four or more that do not lie in one plane.',
    );
  const faces = facesOf(points, FLAT_PER_SIZE * size);
  if (faces.length < 4)
    refuseShape(
      'polyhedron-flat',
      'The points of the polyhedron lie in one plane.',
      'Give points that enclose a volume.',
    );
  const corners = [...new Set(faces.flat())].sort((a, b) => a - b);
  const place = new Map(corners.map((corner, k) => [corner, k]));
  return {
    vertices: corners.flatMap((corner) => [...points[corner]]),
    faces: faces.map((face) => face.map((corner) => place.get(corner) ?? 0)),
  };
}

function distinct(points: readonly Point[], tolerance: number): Point[] {
  const kept: Point[] = [];
  for (const point of points)
    if (kept.every((other) => norm(minus(point, other)) > tolerance)) kept.push(point);
  return kept;
}

function facesOf(points: readonly Point[], tolerance: number): number[][] {
  const faces: number[][] = [];
  const n = points.length;
  /** pairs of points that a face has been found to hold, on either side of it */
  const known = new Set<string>();
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++)
      for (let k = j + 1; k < n; k++) {
        const normal = cross(minus(points[j], points[i]), minus(points[k], points[i]));
        const length = norm(normal);
        // Three points on one line span no plane; other triples span the face they lie in.
        if (length <= tolerance * norm(minus(points[j], points[i]))) continue;
        const unit: Point = [normal[0] / length, normal[1] / length, normal[2] / length];
        const face = supported(points, points[i], unit, tolerance);
        if (face === null) continue;
        const name = [...face.members].sort((a, b) => a - b).join(' ');
        if (known.has(name)) continue;
        known.add(name);
        faces.push(outline(points, face.members, face.normal, tolerance));
      }
  return faces;
}

/** Points of the plane, if all others are on one side; the normal points away from them. */
function supported(
  points: readonly Point[],
  origin: Point,
  unit: Point,
  tolerance: number,
): { members: number[]; normal: Point } | null {
  const members: number[] = [];
  let above = 0;
  let below = 0;
  for (let m = 0; m < points.length; m++) {
    const height = dot(unit, minus(points[m], origin));
    if (Math.abs(height) <= tolerance) members.push(m);
    else if (height > 0) above++;
    else below++;
    if (above > 0 && below > 0) return null;
  }
  if (above + below === 0) return null;
  return { members, normal: above > 0 ? [-unit[0], -unit[1], -unit[2]] : unit };
}

/** Corners of a face in order, without those on the line between their neighbours. */
function outline(
  points: readonly Point[],
  members: readonly number[],
  normal: Point,
  tolerance: number,
): number[] {
  const middle: Point = [0, 1, 2].map(
    (axis) => members.reduce((sum, m) => sum + points[m][axis], 0) / members.length,
  ) as unknown as Point;
  // A point in the middle of the face has no direction; the farthest one has.
  const first = members
    .map((m) => minus(points[m], middle))
    .reduce((far, arm) => (norm(arm) > norm(far) ? arm : far));
  const across = cross(normal, first);
  const angle = (m: number): number => {
    const arm = minus(points[m], middle);
    return Math.atan2(dot(arm, across), dot(arm, first));
  };
  let ring = [...members].sort((a, b) => angle(a) - angle(b));
  for (;;) {
    const corners = ring.filter((m, k) => {
      const before = points[ring[(k + ring.length - 1) % ring.length]];
      const after = points[ring[(k + 1) % ring.length]];
      const turn = dot(normal, cross(minus(points[m], before), minus(after, points[m])));
      return turn > tolerance * norm(minus(after, before));
    });
    if (corners.length === ring.length || corners.length < 3) return ring;
    ring = corners;
  }
}
