/**
 * Edges inside of ground that is put together of several shapes. Of two flush tiles the second one has a side
 * and an edge where the first one ends, which nothing outside can touch. But each pair of shapes is looked at
 * by itself: what has sunk into the first tile by more than it is over the second one is found beside the
 * second one, and a ball near the edge finds the edge. Such contacts would stop what slides. With P the point
 * on shape B, m its outward normal there and A another shape of the same body or ground that X touches, along
 * n from A to X, a contact of X with B is none where
 *
 *     P is in A,     A goes on in front of B, max m·(a − P) > 0 over its points a,
 *     and B does not rise out of A:   P, lifted along n to the surface of A, is not in B.
 *
 * The last one keeps real edges: a step up, or a wall that stands on the floor which X slides on. The contact
 * that is right there is that with A, and further on that with the top of B. Box2D asks chains for the
 * vertices before and behind an edge, Bullet and Jolt meshes for edges with level neighbours; here the shapes
 * may be those of different bodies, and nothing is known beforehand.
 */
import { FRAME, rotateBackByFrame } from './frame';
import type { Manifolds } from './manifold';
import { CONTACT_SIZE } from './narrow-phase/pair-contacts';
import type { Shape } from './shapes/shape';

/** Of the sizes of the shapes: what fits this well is flush. */
const FLUSH = 1e-6;
/** Normals that differ by less, rad, ask for the same. */
const SAME_NORMAL = 1e-5;
const NONE = -1;

export class InternalEdges {
  /**
   * by shape: its last contact; by side of a contact, 2 each: the one of the same shape before it, −1 for
   * none
   */
  #last = new Int32Array(0);
  #before = new Int32Array(0);
  /** by contact: 1 for those that are none */
  #isNone = new Uint8Array(0);
  readonly #point = new Float64Array(3);
  readonly #lifted = new Float64Array(3);
  readonly #outward = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  readonly #arm = new Float64Array(3);
  readonly #local = new Float64Array(3);
  readonly #direction = new Float64Array(3);

  /**
   * Takes contacts with internal edges out.
   * @param frames `FRAME` numbers of each shape
   * @param areOne whether two shapes belong to one piece of
   *   ground, or to one body
   */
  prune(
    manifolds: Manifolds,
    shapes: readonly Shape[],
    frames: Float64Array,
    areOne: (first: number, second: number) => boolean,
  ): void {
    this.#link(manifolds, shapes.length);
    const isNone = this.#isNone;
    let any = false;
    for (let k = 0; k < manifolds.count; k++) {
      isNone[k] = 0;
      for (let side = 0; side < 2 && isNone[k] === 0; side++)
        if (this.#isInternal(k, side, manifolds, shapes, frames, areOne)) isNone[k] = 1;
      any ||= isNone[k] === 1;
    }
    if (any) manifolds.prune(isNone);
  }

  #link({ count, first, second }: Manifolds, shapes: number): void {
    if (this.#last.length < shapes) this.#last = new Int32Array(2 * shapes);
    if (this.#isNone.length < count) {
      this.#before = new Int32Array(4 * count);
      this.#isNone = new Uint8Array(2 * count);
    }
    this.#last.fill(NONE, 0, shapes);
    for (let k = 0; k < count; k++)
      for (let side = 0; side < 2; side++) {
        const shape = side === 0 ? first[k] : second[k];
        this.#before[2 * k + side] = this.#last[shape];
        this.#last[shape] = 2 * k + side;
      }
  }

  /** @param side of B in contact k: 0 for the first shape, 1 for the second */
  #isInternal(
    k: number,
    side: number,
    { first, second, values }: Manifolds,
    shapes: readonly Shape[],
    frames: Float64Array,
    areOne: (first: number, second: number) => boolean,
  ): boolean {
    const own = side === 0 ? first[k] : second[k];
    const moving = side === 0 ? second[k] : first[k];
    const sign = side === 0 ? 1 : -1;
    const point = this.#point;
    const outward = this.#outward;
    const normal = this.#normal;
    const lifted = this.#lifted;
    let isRead = false;
    for (let at = this.#last[moving]; at !== NONE; at = this.#before[at]) {
      const other = at >> 1;
      // The moving shape is `at & 1`; A is on the other side.
      const isFirst = (at & 1) === 1;
      const shape = isFirst ? first[other] : second[other];
      if (shape === own || !areOne(shape, own)) continue;
      for (let i = 0; i < 3 && !isRead; i++) {
        point[i] = values[CONTACT_SIZE * k + 4 + 3 * side + i];
        outward[i] = sign * values[CONTACT_SIZE * k + 1 + i];
      }
      isRead = true;
      for (let i = 0; i < 3; i++) normal[i] = (isFirst ? 1 : -1) * values[CONTACT_SIZE * other + 1 + i];
      if (areNear(outward, normal)) continue;
      const flush = FLUSH * (sizeOf(shapes[shape]) + sizeOf(shapes[own]));
      const depth = this.#depth(shapes[shape], frames, FRAME * shape, point, normal, flush);
      if (depth === null || !(this.#reach(shapes[shape], frames, FRAME * shape, point, outward) > flush))
        continue;
      for (let i = 0; i < 3; i++) lifted[i] = point[i] + (depth + 2 * flush) * normal[i];
      if (this.#depth(shapes[own], frames, FRAME * own, lifted, normal, 0) === null) return true;
    }
    return false;
  }

  /**
   * How far a point is below the surface of a shape along a direction, m.
   * @returns null of a point that is farther out than `flush`
   */
  #depth(
    shape: Shape,
    frames: Float64Array,
    at: number,
    point: Float64Array,
    direction: Float64Array,
    flush: number,
  ): number | null {
    this.#place(frames, at, point, direction);
    const p = this.#local;
    const d = this.#direction;
    if (shape.kind === 'plane') {
      const height = dot(shape.normal, 0, p) - shape.offset;
      const rise = dot(shape.normal, 0, d);
      return height > flush || !(rise > 0) ? null : Math.max(0, -height) / rise;
    }
    if (!hasFaces(shape)) return null;
    const { core } = shape;
    let depth = Number.POSITIVE_INFINITY;
    for (let f = 0; f < core.faceCount; f++) {
      const corner = 3 * core.faceVertices[core.faceStart[f]];
      const height = dot(core.normals, 3 * f, p) - dotOf(core.normals, 3 * f, core.vertices, corner);
      if (height > flush) return null;
      const rise = dot(core.normals, 3 * f, d);
      if (rise > 0) depth = Math.min(depth, Math.max(0, -height) / rise);
    }
    return depth;
  }

  /** How far a shape goes on from a point in a direction, m. */
  #reach(
    shape: Shape,
    frames: Float64Array,
    at: number,
    point: Float64Array,
    direction: Float64Array,
  ): number {
    this.#place(frames, at, point, direction);
    const p = this.#local;
    const d = this.#direction;
    if (shape.kind === 'plane') return areNear(shape.normal, d) ? 0 : Number.POSITIVE_INFINITY;
    if (!hasFaces(shape)) return 0;
    const { vertices, vertexCount } = shape.core;
    let reach = Number.NEGATIVE_INFINITY;
    for (let v = 0; v < 3 * vertexCount; v += 3) reach = Math.max(reach, dot(vertices, v, d));
    return reach - dot(p, 0, d);
  }

  /** A point and a direction in the frame of a shape. */
  #place(frames: Float64Array, at: number, point: Float64Array, direction: Float64Array): void {
    const arm = this.#arm;
    for (let i = 0; i < 3; i++) arm[i] = point[i] - frames[at + i];
    rotateBackByFrame(frames, at, arm, 0, this.#local, 0);
    rotateBackByFrame(frames, at, direction, 0, this.#direction, 0);
  }
}

type Faceted = Extract<Shape, { core: unknown }>;

/** Whether a shape is what its faces enclose. */
const hasFaces = (shape: Shape): shape is Faceted =>
  'core' in shape && shape.radius === 0 && shape.core.faceCount > 1;

const sizeOf = (shape: Shape): number => ('core' in shape ? shape.core.size + shape.radius : 0);

function areNear(a: Float64Array, b: Float64Array): boolean {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return x * x + y * y + z * z < SAME_NORMAL * SAME_NORMAL;
}

const dot = (a: Float64Array, at: number, b: Float64Array): number =>
  a[at] * b[0] + a[at + 1] * b[1] + a[at + 2] * b[2];

const dotOf = (a: Float64Array, at: number, b: Float64Array, from: number): number =>
  a[at] * b[from] + a[at + 1] * b[from + 1] + a[at + 2] * b[from + 2];
