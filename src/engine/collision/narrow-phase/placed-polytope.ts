/**
 * A polytope turned and moved to where it stands: vertices, normals and directions along the axes of the
 * world.
 */
import type { Polytope } from '../shapes/polytope';
import type { CylinderShape } from '../shapes/shape';
import { widened, widenedInt } from '../frame';

/*
 * A part of a surface for clipping: a face, an edge, or a point, with the names of its corners and sides.
 * Also what is left of one while it is cut.
 */

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

/* A cylinder where it stands: centre and axis along the axes of the world. */

/**
 * Corners of the polygon that stands for a cap where contact areas are cut: it is within 2 % of the radius of
 * the rim.
 */
const RIM_POINTS = 16;
const TURN = (2 * Math.PI) / RIM_POINTS;
const COS = Float64Array.from({ length: RIM_POINTS }, (_, k) => Math.cos(k * TURN));
const SIN = Float64Array.from({ length: RIM_POINTS }, (_, k) => Math.sin(k * TURN));
/** The part of a direction across the axis that is rounding, relative to the direction. */
const LEVEL = 1e-13;

/**
 * Names of its parts. Cap 0 is that of negative z. Points of a rim are counted from the cylinder's x axis.
 */
export const CYLINDER_KEYS = {
  cap: (cap: number): number => faceKey(cap),
  side: faceKey(2),
  rim: (cap: number): number => edgeKey(2 * RIM_POINTS + cap, 3 * RIM_POINTS),
  rimPoint: (cap: number, k: number): number => vertexKey(RIM_POINTS * cap + k),
  chord: (cap: number, k: number): number =>
    edgeKey(RIM_POINTS * cap + k, RIM_POINTS * cap + ((k + 1) % RIM_POINTS)),
};

export class PlacedCylinder implements PlacedConvex {
  readonly extent = new Float64Array(1);
  readonly centre = new Float64Array(3);
  readonly axis = new Float64Array(3);
  /** x axis of the cylinder: where points of a rim are counted from when nothing else says so */
  readonly zero = new Float64Array(3);
  readonly #foremost = new Float64Array(3);
  readonly #u = new Float64Array(3);
  readonly #w = new Float64Array(3);
  /** whether the last direction was along the axis */
  #isLevel = false;
  /** [0] radius, [1] half height, m */
  readonly sizes = new Float64Array(2);
  /** [0] part of the last direction along the axis */
  readonly #along = new Float64Array(1);

  place(shape: CylinderShape, frame: Float64Array, at: number, origin: Float64Array): void {
    this.sizes[0] = shape.radius;
    this.sizes[1] = shape.halfHeight;
    this.extent[0] = shape.radius + shape.halfHeight;
    for (let k = 0; k < 3; k++) {
      this.centre[k] = origin[k];
      this.axis[k] = frame[at + 5 + 3 * k];
      this.zero[k] = frame[at + 3 + 3 * k];
    }
  }

  /** The same with radius and half height smaller by `by[0]`, m. */
  placeThinner(other: PlacedCylinder, by: Float64Array): void {
    for (let k = 0; k < 2; k++) this.sizes[k] = other.sizes[k] - by[0];
    this.extent[0] = this.sizes[0] + this.sizes[1];
    for (let k = 0; k < 3; k++) {
      this.centre[k] = other.centre[k];
      this.axis[k] = other.axis[k];
      this.zero[k] = other.zero[k];
    }
  }

  /** Takes a point that is beyond the side to the side, straight across. */
  towards(point: Float64Array, out: Float64Array): void {
    const { axis, centre, sizes } = this;
    let along = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) along += (point[k] - centre[k]) * axis[k];
    for (let k = 0; k < 3; k++) square += (point[k] - centre[k] - along * axis[k]) ** 2;
    const scale = sizes[0] / Math.sqrt(square);
    for (let k = 0; k < 3; k++)
      out[k] = centre[k] + along * axis[k] + scale * (point[k] - centre[k] - along * axis[k]);
  }

  support(direction: Float64Array, sign: 1 | -1, out: Float64Array, at: number): number {
    const { axis, centre, sizes } = this;
    this.#across(direction, sign);
    const cap = this.#along[0] >= 0 ? 1 : 0;
    const h = cap === 1 ? sizes[1] : -sizes[1];
    const r = this.#isLevel ? 0 : sizes[0];
    for (let k = 0; k < 3; k++) out[at + k] = centre[k] + h * axis[k] + r * this.#u[k];
    return CYLINDER_KEYS.rim(cap);
  }

  feature(direction: Float64Array, sign: 1 | -1, out: FeaturePolygon): void {
    this.#across(direction, sign);
    const along = this.#along[0];
    this.#complete();
    const cap = along >= 0 ? 1 : 0;
    if (Math.abs(along) >= NEAR_FACE) this.#capFeature(cap, out);
    else if (Math.abs(along) <= NEAR_EDGE) this.#generator(out);
    else {
      out.reset(false, false, CYLINDER_KEYS.rim(cap));
      this.#rimPoint(cap, 0, CYLINDER_KEYS.rim(cap), out);
    }
  }

  /**
   * Leaves in u the direction across the axis in which the rim is foremost. What is left of a direction
   * nearly along the axis is mostly rounding, and not across it: taking off the part along the axis a second
   * time makes it so.
   */
  #across(direction: Float64Array, sign: 1 | -1): void {
    const { axis, zero } = this;
    const u = this.#u;
    const along = sign * (direction[0] * axis[0] + direction[1] * axis[1] + direction[2] * axis[2]);
    for (let k = 0; k < 3; k++) u[k] = sign * direction[k] - along * axis[k];
    const rest = u[0] * axis[0] + u[1] * axis[1] + u[2] * axis[2];
    for (let k = 0; k < 3; k++) u[k] -= rest * axis[k];
    const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    this.#isLevel = length <= LEVEL * (length + Math.abs(along));
    for (let k = 0; k < 3; k++) u[k] = this.#isLevel ? zero[k] : u[k] / length;
    this.#along[0] = along;
  }

  /** w from u, for a turn about the axis. */
  #complete(): void {
    const { axis } = this;
    const u = this.#u;
    const w = this.#w;
    w[0] = axis[1] * u[2] - axis[2] * u[1];
    w[1] = axis[2] * u[0] - axis[0] * u[2];
    w[2] = axis[0] * u[1] - axis[1] * u[0];
  }

  /**
   * Corners are counted from the x axis of the cylinder, so that they stay where they are while rounding
   * decides which is foremost; the one that is nearest to the foremost point moves there.
   */
  #capFeature(cap: number, out: FeaturePolygon): void {
    out.reset(true, true, CYLINDER_KEYS.cap(cap));
    const { axis, zero } = this;
    const foremost = this.#foremost;
    const u = this.#u;
    const w = this.#w;
    for (let k = 0; k < 3; k++) foremost[k] = u[k];
    let x = 0;
    let y = 0;
    for (let k = 0; k < 3; k++) u[k] = zero[k];
    this.#complete();
    for (let k = 0; k < 3; k++) {
      x += foremost[k] * u[k];
      y += foremost[k] * w[k];
    }
    const nearest = (Math.round(Math.atan2(y, x) / TURN) + RIM_POINTS) % RIM_POINTS;
    // Counterclockwise as seen from outside: the lower cap is gone round the other way.
    for (let k = 0; k < RIM_POINTS; k++) {
      const own = cap === 1 || k === 0 ? k : RIM_POINTS - k;
      const chord = cap === 1 ? own : RIM_POINTS - 1 - k;
      this.#rimPoint(cap, own, CYLINDER_KEYS.chord(cap, chord), out);
      if (own !== nearest) continue;
      const at = 3 * (out.count - 1);
      const h = cap === 1 ? this.sizes[1] : -this.sizes[1];
      for (let i = 0; i < 3; i++)
        out.points[at + i] = this.centre[i] + h * axis[i] + this.sizes[0] * foremost[i];
    }
    for (let k = 0; k < 3; k++) out.normal[k] = cap === 1 ? axis[k] : -axis[k];
  }

  #generator(out: FeaturePolygon): void {
    out.reset(false, false, CYLINDER_KEYS.side);
    this.#rimPoint(0, 0, CYLINDER_KEYS.side, out);
    this.#rimPoint(1, 0, CYLINDER_KEYS.side, out);
  }

  #rimPoint(cap: number, k: number, side: number, out: FeaturePolygon): void {
    const { centre, axis, sizes } = this;
    const at = out.add(CYLINDER_KEYS.rimPoint(cap, k), side);
    const h = cap === 1 ? sizes[1] : -sizes[1];
    for (let i = 0; i < 3; i++)
      out.points[at + i] = centre[i] + h * axis[i] + sizes[0] * (COS[k] * this.#u[i] + SIN[k] * this.#w[i]);
  }
}

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
