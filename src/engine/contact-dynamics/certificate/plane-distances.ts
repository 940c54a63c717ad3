/**
 * Distances of bodies to planes that stand still, found once more for the certificate: without the
 * detection's frames, pairs or points, from the pose of the body and the support of its shapes,
 *
 *     d = n·x − o + min over points p of the shape of n·R p.
 *
 * The contacts of a body with the ground are to have one with a gap of at most d, and each is to have the
 * normal of a plane and its point on that, as far as gaps leave it open. Where other things than planes stand
 * on the ground a body may touch them instead, so that nothing is asked there; nor of bodies that deform, nor
 * of contacts that are none of these shapes, as those of scripts.
 */
import type { ConvexShape, EllipsoidShape } from '../../collision/shapes/shape';
import { rotate, rotateBack, squaredNorm } from '../../spatial/quaternion';
import type { SpatialSystem } from '../../spatial/system';
import type { DetectionCheck } from './scripted-check';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import { ROUNDINGS } from '../rounding';

/** A shape of a body and a plane that it may touch. */
export interface ShapeOverPlane {
  /** number of the body in the system */
  readonly body: number;
  /** number of the pair of materials */
  readonly material: number;
  /** n, unit vector of the world, and o, m: the ground is n·x ≤ o */
  readonly normal: Float64Array;
  readonly offset: number;
  readonly shape: ConvexShape | EllipsoidShape;
  /** of the shape on the body: x and Q */
  readonly placement: Float64Array;
}

/** What the support of a shape needs, in the frame of its body. */
interface Reach {
  /** 3 each, m: corners, the ends of a capsule, the centres of a cylinder's ends */
  readonly points: Float64Array;
  /** around each of them, m: of a ball, or of a disc across the axis */
  readonly radius: number;
  /** of a cylinder; null of what is round in all directions */
  readonly axis: Float64Array | null;
  /** of an ellipsoid: its axes times its semi-axes, 3 each; null of others */
  readonly semiAxes: Float64Array | null;
  /** farthest from the origin of the body, m */
  readonly size: number;
}

export class PlaneDistances implements DetectionCheck {
  /**
   * by body, in parts of its farthest point from the mass centre: what the gap of its lowest contact is above
   * its distance, or a point is off its plane; 0 where detection is right
   */
  readonly missed: Float64Array;
  /** by body: pair of materials that this belongs to */
  readonly materials: Int32Array;
  readonly #reaches: readonly Reach[];
  /** normals and offsets, 4 numbers each */
  readonly #planes: Float64Array;
  /**
   * by body: its farthest point, least gap of its contacts with the ground and largest |gap|, m; of bodies
   * that are not looked at −1
   */
  readonly #sizes: Float64Array;
  readonly #seen: Float64Array;
  readonly #open: Float64Array;
  readonly #normal = new Float64Array(3);
  /** materials of the pairs */
  readonly #known: ReadonlySet<number>;

  constructor(
    private readonly system: SpatialSystem,
    private readonly pairs: readonly ShapeOverPlane[],
    /** largest gap of a contact, m */
    private readonly margin: number,
  ) {
    this.#known = new Set(pairs.map(({ material }) => material));
    this.#reaches = pairs.map(({ shape, placement }) => reachOf(shape, placement));
    this.missed = new Float64Array(system.bodies.length);
    this.materials = new Int32Array(system.bodies.length);
    this.#seen = new Float64Array(system.bodies.length);
    this.#open = new Float64Array(system.bodies.length);
    this.#sizes = new Float64Array(system.bodies.length).fill(-1);
    pairs.forEach(({ body }, k) => {
      this.#sizes[body] = Math.max(this.#sizes[body], this.#reaches[k].size);
    });
    const planes = new Map(
      pairs.map(({ normal, offset }) => [`${normal.join()} ${offset}`, [...normal, offset]]),
    );
    this.#planes = Float64Array.from([...planes.values()].flat());
  }

  /**
   * @param gaps by contact, m
   * @param q positions that the contacts were found at
   */
  judge(contacts: ContactList, gaps: Float64Array, q: Float64Array): void {
    this.missed.fill(0);
    this.#seen.fill(Infinity);
    this.#open.fill(0);
    for (let c = 0; c < contacts.count; c++) {
      const body = this.#bodyOnGround(contacts, c);
      if (body < 0) continue;
      const gap = gaps[c];
      if (gap < this.#seen[body]) this.#seen[body] = gap;
      this.#open[body] = Math.max(this.#open[body], Math.abs(gap));
    }
    for (let c = 0; c < contacts.count; c++) this.#lookAtPoint(contacts, c);
    for (let k = 0; k < this.pairs.length; k++) this.#look(this.pairs[k], this.#reaches[k], q);
  }

  /** Points stand in the middle of gaps, those of one face in one plane. */
  #lookAtPoint(contacts: ContactList, c: number): void {
    const body = this.#bodyOnGround(contacts, c);
    if (body < 0 || this.#sizes[body] < 0) return;
    const { geometry: g, materials } = contacts;
    const at = GEOMETRY * c;
    const planes = this.#planes;
    let off = Infinity;
    for (let p = 0; p < planes.length; p += 4) {
      const along = planes[p] * g[at + 3] + planes[p + 1] * g[at + 4] + planes[p + 2] * g[at + 5];
      if (Math.abs(along) < 1 - LOOSE) continue;
      const height =
        planes[p] * g[at] + planes[p + 1] * g[at + 1] + planes[p + 2] * g[at + 2] - planes[p + 3];
      const loose = LOOSE * (Math.abs(planes[p + 3]) + this.#sizes[body]);
      off = Math.min(off, Math.max(0, Math.abs(height) - this.#open[body] - loose));
    }
    this.#enter(body, Math.min(off / this.#sizes[body], 1), materials[c]);
  }

  #look({ body, material, normal: n, offset }: ShapeOverPlane, reach: Reach, q: Float64Array): void {
    const at = this.system.positionsAt[body];
    const height = n[0] * q[at] + n[1] * q[at + 1] + n[2] * q[at + 2] - offset;
    const { points, radius, axis, semiAxes, size } = reach;
    if (height - size > this.margin) return;
    const normal = this.#normal;
    rotateBack(q, at + 3, n, 0, normal, 0);
    // A norm of Q that has drifted turns a body and does not scale it.
    const norm = squaredNorm(q, at + 3);
    for (let i = 0; i < 3; i++) normal[i] /= norm;
    let least = Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const along = normal[0] * points[i] + normal[1] * points[i + 1] + normal[2] * points[i + 2];
      if (along < least) least = along;
    }
    let across = 1;
    if (axis !== null) {
      const along = normal[0] * axis[0] + normal[1] * axis[1] + normal[2] * axis[2];
      across = Math.sqrt(Math.max(0, 1 - along * along));
    }
    let stretch = 0;
    if (semiAxes !== null)
      for (let i = 0; i < 9; i += 3)
        stretch += (normal[0] * semiAxes[i] + normal[1] * semiAxes[i + 1] + normal[2] * semiAxes[i + 2]) ** 2;
    const distance = height + least - radius * across - Math.sqrt(stretch);
    const above = Math.min(this.#seen[body], this.margin) - distance;
    if (above <= LOOSE * (Math.abs(height) + Math.abs(offset) + size)) return;
    this.#enter(body, above / size, material);
  }

  /** The body of a contact with what does not move; −1 of others. */
  #bodyOnGround({ bodies, materials }: ContactList, c: number): number {
    if (!this.#known.has(materials[c])) return -1;
    const first = bodies[2 * c];
    const second = bodies[2 * c + 1];
    return Math.min(first, second) < 0 ? Math.max(first, second) : -1;
  }

  #enter(body: number, part: number, material: number): void {
    if (part <= this.missed[body]) return;
    this.missed[body] = part;
    this.materials[body] = material;
  }
}

/**
 * Of lengths: where a cylinder's end is nearly level its lowest point is found to the root of what rounding
 * leaves of its tilt.
 */
const LOOSE = Math.sqrt(ROUNDINGS);

function reachOf(shape: ConvexShape | EllipsoidShape, placement: Float64Array): Reach {
  if (shape.kind === 'ellipsoid') return reachOfEllipsoid(shape.semiAxes, placement);
  const { radius } = shape;
  const isCylinder = shape.kind === 'cylinder';
  const own = isCylinder
    ? Float64Array.of(0, 0, -shape.halfHeight, 0, 0, shape.halfHeight)
    : shape.core.vertices;
  const points = new Float64Array(own.length);
  let size = 0;
  for (let i = 0; i < own.length; i += 3) {
    rotate(placement, 3, own, i, points, i);
    for (let k = 0; k < 3; k++) points[i + k] += placement[k];
    size = Math.max(size, Math.hypot(points[i], points[i + 1], points[i + 2]) + radius);
  }
  if (!isCylinder) return { points, radius, axis: null, semiAxes: null, size };
  const axis = new Float64Array(3);
  rotate(placement, 3, Float64Array.of(0, 0, 1), 0, axis, 0);
  return { points, radius, axis, semiAxes: null, size };
}

function reachOfEllipsoid([a, b, c]: Float64Array, placement: Float64Array): Reach {
  const semiAxes = new Float64Array(9);
  const own = Float64Array.of(a, 0, 0, 0, b, 0, 0, 0, c);
  for (let i = 0; i < 9; i += 3) rotate(placement, 3, own, i, semiAxes, i);
  const points = placement.slice(0, 3);
  const size = Math.hypot(points[0], points[1], points[2]) + Math.max(a, b, c);
  return { points, radius: 0, axis: null, semiAxes, size };
}
