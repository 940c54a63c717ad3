/**
 * A part of a surface for clipping: a face, an edge, or a point, with the names of its corners and sides.
 * Also what is left of one while it is cut.
 */
import { widened, widenedInt } from '../growth';

const FIRST_CORNERS = 32;

export class FeaturePolygon {
  count = 0;
  /** from the last corner on to the first again; an edge is open */
  isClosed = false;
  /** it has a plane of its own, `normal`, and can be clipped against; in the plane a side is such a face */
  isFace = false;
  /** 3 each */
  points = new Float64Array(3 * FIRST_CORNERS);
  vertexKeys = new Int32Array(FIRST_CORNERS);
  /** of the side from corner k to the next */
  edgeKeys = new Int32Array(FIRST_CORNERS);
  /** name of the whole */
  key = 0;
  /** outward unit normal, of faces */
  readonly normal = new Float64Array(3);

  reset(isClosed: boolean, isFace: boolean, key: number): void {
    this.count = 0;
    this.isClosed = isClosed;
    this.isFace = isFace;
    this.key = key;
  }

  /** @returns where its three numbers go */
  add(vertexKey: number, edgeKey: number): number {
    if (this.count === this.vertexKeys.length) this.#grow();
    this.vertexKeys[this.count] = vertexKey;
    this.edgeKeys[this.count] = edgeKey;
    return 3 * this.count++;
  }

  #grow(): void {
    this.points = widened(this.points, 2 * this.points.length);
    this.vertexKeys = widenedInt(this.vertexKeys, 2 * this.vertexKeys.length);
    this.edgeKeys = widenedInt(this.edgeKeys, 2 * this.edgeKeys.length);
  }
}

/**
 * Names of the parts of a shape that touch: a vertex, an edge (by its two vertices, the smaller first), a
 * face. The name of a contact is the pair of them; it does not depend on which shape was the reference of a
 * computation, and stays the same while the same parts touch.
 */
const EDGE = 1 << 28;
const FACE = 2 << 28;
/** bits of a vertex in the name of an edge */
const VERTEX_BITS = 14;

export function vertexKey(vertex: number): number {
  return vertex;
}

export function edgeKey(a: number, b: number): number {
  return a < b ? EDGE | (a << VERTEX_BITS) | b : EDGE | (b << VERTEX_BITS) | a;
}

export function faceKey(face: number): number {
  return FACE | face;
}

/** The name of an edge that has a number of its own. */
export function numberedEdgeKey(edge: number): number {
  return EDGE | edge;
}

export function isVertexKey(key: number): boolean {
  return key < EDGE;
}

export function isEdgeKey(key: number): boolean {
  return key >= EDGE && key < FACE;
}
