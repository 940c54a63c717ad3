/**
 * A polytope turned and moved to where it stands: vertices, normals and directions along the axes of the
 * world.
 */
import type { Polytope } from '../shapes/polytope';
import { type FeaturePolygon, edgeKey, faceKey, vertexKey } from './feature-polygon';

/**
 * A face whose normal is within 0.1 rad of the contact normal takes part in the contact as a whole: with a
 * margin of a tenth of its size, all of its corners can come to touch. Farther away only the point or edge
 * itself does.
 */
export const NEAR_FACE = Math.cos(0.1);
/** The same angle between an edge and the plane across the normal. */
export const NEAR_EDGE = Math.sin(0.1);

export class PlacedPolytope implements PlacedConvex {
  core: Polytope;
  readonly extent = new Float64Array(1);
  vertices = new Float64Array(24);
  normals = new Float64Array(18);
  directions = new Float64Array(9);

  constructor(core: Polytope) {
    this.core = core;
    this.extent[0] = core.size;
    this.#reserve(core);
  }

  /**
   * @param frame where it stands; only its rotation counts
   * @param origin three numbers: its origin, relative to whatever the computation is relative to
   */
  place(core: Polytope, frame: Float64Array, at: number, origin: Float64Array): void {
    this.core = core;
    this.extent[0] = core.size;
    this.#reserve(core);
    const { vertices, normals, directions } = this;
    for (let r = 0; r < 3; r++) {
      const a = frame[at + 3 + 3 * r];
      const b = frame[at + 4 + 3 * r];
      const c = frame[at + 5 + 3 * r];
      const o = origin[r];
      let own = core.vertices;
      for (let k = 0; k < 3 * core.vertexCount; k += 3)
        vertices[k + r] = o + a * own[k] + b * own[k + 1] + c * own[k + 2];
      own = core.normals;
      for (let k = 0; k < 3 * core.faceCount; k += 3)
        normals[k + r] = a * own[k] + b * own[k + 1] + c * own[k + 2];
      own = core.directions;
      for (let k = 0; k < 3 * core.directionCount; k += 3)
        directions[k + r] = a * own[k] + b * own[k + 1] + c * own[k + 2];
    }
  }

  support(direction: Float64Array, sign: 1 | -1, out: Float64Array, at: number): number {
    const k = this.supportVertex(direction, sign);
    const { vertices } = this;
    out[at] = vertices[3 * k];
    out[at + 1] = vertices[3 * k + 1];
    out[at + 2] = vertices[3 * k + 2];
    return vertexKey(k);
  }

  /** The vertex farthest along sign · direction. */
  supportVertex(direction: Float64Array, sign: 1 | -1): number {
    const { vertices } = this;
    const x = sign * direction[0];
    const y = sign * direction[1];
    const z = sign * direction[2];
    let most = -Infinity;
    let best = 0;
    for (let k = 0, at = 0; k < this.core.vertexCount; k++, at += 3) {
      const value = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
      if (value <= most) continue;
      most = value;
      best = k;
    }
    return best;
  }

  feature(direction: Float64Array, sign: 1 | -1, out: FeaturePolygon): void {
    const { core, normals } = this;
    let most = -Infinity;
    let face = -1;
    for (let f = 0; f < core.faceCount; f++) {
      const value =
        sign *
        (direction[0] * normals[3 * f] +
          direction[1] * normals[3 * f + 1] +
          direction[2] * normals[3 * f + 2]);
      if (value <= most) continue;
      most = value;
      face = f;
    }
    if (face >= 0 && most >= NEAR_FACE) this.faceFeature(face, out);
    else this.#edgeOrVertex(direction, sign, out);
  }

  /** Face f as a whole. */
  faceFeature(f: number, out: FeaturePolygon): void {
    const { core, vertices, normals } = this;
    const from = core.faceStart[f];
    const to = core.faceStart[f + 1];
    out.reset(core.dimension === 3, true, faceKey(f));
    for (let k = from; k < to; k++) {
      const vertex = core.faceVertices[k];
      const next = core.faceVertices[k + 1 < to ? k + 1 : from];
      // In the plane a side is itself the face.
      const side = core.dimension === 2 ? faceKey(f) : edgeKey(vertex, next);
      const at = out.add(vertexKey(vertex), side);
      for (let i = 0; i < 3; i++) out.points[at + i] = vertices[3 * vertex + i];
    }
    for (let i = 0; i < 3; i++) out.normal[i] = normals[3 * f + i];
  }

  /**
   * The supporting vertex, or the edge from there that is nearest to lying across the direction, if it nearly
   * does.
   */
  #edgeOrVertex(direction: Float64Array, sign: 1 | -1, out: FeaturePolygon): void {
    const { core, vertices } = this;
    const vertex = this.supportVertex(direction, sign);
    let flattest = NEAR_EDGE;
    let end = -1;
    for (let e = 0; e < core.edgeCount; e++) {
      const a = core.edges[2 * e];
      const b = core.edges[2 * e + 1];
      if (a !== vertex && b !== vertex) continue;
      let along = 0;
      let square = 0;
      for (let i = 0; i < 3; i++) {
        const d = vertices[3 * a + i] - vertices[3 * b + i];
        along += d * direction[i];
        square += d * d;
      }
      const slope = Math.abs(along) / Math.sqrt(square);
      if (slope >= flattest) continue;
      flattest = slope;
      end = a === vertex ? b : a;
    }
    const key = end < 0 ? vertexKey(vertex) : edgeKey(vertex, end);
    out.reset(false, false, key);
    const first = out.add(vertexKey(end < 0 ? vertex : Math.min(vertex, end)), key);
    const start = end < 0 ? vertex : Math.min(vertex, end);
    for (let i = 0; i < 3; i++) out.points[first + i] = vertices[3 * start + i];
    if (end < 0) return;
    const stop = Math.max(vertex, end);
    const second = out.add(vertexKey(stop), key);
    for (let i = 0; i < 3; i++) out.points[second + i] = vertices[3 * stop + i];
  }

  #reserve(core: Polytope): void {
    if (this.vertices.length < 3 * core.vertexCount) this.vertices = new Float64Array(3 * core.vertexCount);
    if (this.normals.length < 3 * core.faceCount) this.normals = new Float64Array(3 * core.faceCount);
    if (this.directions.length < 3 * core.directionCount)
      this.directions = new Float64Array(3 * core.directionCount);
  }
}

/*
 * What general routines ask of a convex shape that stands somewhere. Directions and points are along the axes
 * of the world.
 */

export interface PlacedConvex {
  /**
   * The point farthest along `sign` · direction; of several the one that comes first.
   * @param out takes three numbers at `at`
   * @returns its name
   */
  support(direction: Float64Array, sign: 1 | -1, out: Float64Array, at: number): number;
  /**
   * The part of the surface that looks along `sign` · direction: a face when one nearly does, else an edge or
   * generator, else a point.
   */
  feature(direction: Float64Array, sign: 1 | -1, out: FeaturePolygon): void;
  /** [0] length that its rounding is relative to, m */
  readonly extent: Float64Array;
}
