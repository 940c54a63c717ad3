/**
 * A convex polytope as arrays: what the narrow phase sees of points, segments, polygons, boxes and polyhedra
 * alike. Round shapes are a polytope and a radius: a sphere is a point with one, a capsule a segment with
 * one.
 *
 * In space faces are loops of vertices, counterclockwise seen from outside. In the plane the faces are the
 * sides, two vertices each, and there are no edges: sides alone separate polygons.
 */
export interface Polytope {
  readonly dimension: 2 | 3;
  readonly vertexCount: number;
  /** 3 · vertexCount, m, in the frame of the shape */
  readonly vertices: Float64Array;
  readonly faceCount: number;
  /** face f has the vertices faceVertices[faceStart[f]] … faceVertices[faceStart[f + 1] − 1] */
  readonly faceStart: Int32Array;
  readonly faceVertices: Int32Array;
  /** 3 · faceCount, outward unit normals */
  readonly normals: Float64Array;
  readonly edgeCount: number;
  /** 2 · edgeCount vertices */
  readonly edges: Int32Array;
  /** 2 · edgeCount: the faces on either side; empty where the polytope has no inside */
  readonly edgeFaces: Int32Array;
  /** 3 · directionCount: directions of edges, parallel ones once; unit vectors */
  readonly directions: Float64Array;
  readonly directionCount: number;
  /** about its size: the largest distance of a vertex from the centre of its bounds, m */
  readonly size: number;
}

const NONE = new Int32Array(0);
const NO_NUMBERS = new Float64Array(0);

/** What a sphere and a disc are around. */
export function pointPolytope(dimension: 2 | 3): Polytope {
  return {
    dimension,
    vertexCount: 1,
    vertices: new Float64Array(3),
    faceCount: 0,
    faceStart: Int32Array.of(0),
    faceVertices: NONE,
    normals: NO_NUMBERS,
    edgeCount: 0,
    edges: NONE,
    edgeFaces: NONE,
    directions: NO_NUMBERS,
    directionCount: 0,
    size: 0,
  };
}

/** What a capsule is around: from (0, 0, −h) to (0, 0, h). */
export function segmentPolytope(halfLength: number): Polytope {
  return {
    ...pointPolytope(3),
    vertexCount: 2,
    vertices: Float64Array.of(0, 0, -halfLength, 0, 0, halfLength),
    edgeCount: 1,
    edges: Int32Array.of(0, 1),
    directions: Float64Array.of(0, 0, 1),
    directionCount: 1,
    size: halfLength,
  };
}

/** A polygon in the plane from its corners, counterclockwise; checks are the caller's. */
export function polygonPolytope(vertices: Float64Array): Polytope {
  const count = vertices.length / 3;
  const normals = new Float64Array(3 * count);
  const faceVertices = new Int32Array(2 * count);
  for (let k = 0; k < count; k++) {
    const next = (k + 1) % count;
    const dx = vertices[3 * next] - vertices[3 * k];
    const dy = vertices[3 * next + 1] - vertices[3 * k + 1];
    const length = Math.hypot(dx, dy);
    normals[3 * k] = dy / length;
    normals[3 * k + 1] = -dx / length;
    faceVertices[2 * k] = k;
    faceVertices[2 * k + 1] = next;
  }
  return {
    ...pointPolytope(2),
    vertexCount: count,
    vertices,
    faceCount: count,
    faceStart: Int32Array.from({ length: count + 1 }, (_, k) => 2 * k),
    faceVertices,
    normals,
    size: sizeOf(vertices),
  };
}

/**
 * A polytope in space from its vertices, the loops of its faces and their normals; checks are the caller's.
 */
export function solidPolytope(
  vertices: Float64Array,
  faces: readonly (readonly number[])[],
  normals: Float64Array,
): Polytope {
  const edges: number[] = [];
  const edgeFaces: number[] = [];
  const known = new Map<number, number>();
  const count = vertices.length / 3;
  faces.forEach((loop, f) => {
    loop.forEach((from, k) => {
      const to = loop[(k + 1) % loop.length];
      const key = Math.min(from, to) * count + Math.max(from, to);
      const edge = known.get(key);
      if (edge === undefined) {
        known.set(key, edges.length / 2);
        edges.push(from, to);
        edgeFaces.push(f, -1);
      } else edgeFaces[2 * edge + 1] = f;
    });
  });
  const directions = edgeDirections(vertices, edges);
  const starts = [0];
  for (const loop of faces) starts.push(starts[starts.length - 1] + loop.length);
  return {
    dimension: 3,
    vertexCount: count,
    vertices,
    faceCount: faces.length,
    faceStart: Int32Array.from(starts),
    faceVertices: Int32Array.from(faces.flat()),
    normals,
    edgeCount: edges.length / 2,
    edges: Int32Array.from(edges),
    edgeFaces: edgeFaces.includes(-1) ? NONE : Int32Array.from(edgeFaces),
    directions,
    directionCount: directions.length / 3,
    size: sizeOf(vertices),
  };
}

/**
 * Two unit vectors whose cross product is shorter than this are one direction: rounding of what was meant to
 * be parallel.
 */
const PARALLEL = 1e-12;

function edgeDirections(vertices: Float64Array, edges: readonly number[]): Float64Array {
  const found: number[] = [];
  for (let e = 0; e < edges.length; e += 2) {
    const a = 3 * edges[e];
    const b = 3 * edges[e + 1];
    const d = [0, 1, 2].map((k) => vertices[b + k] - vertices[a + k]);
    const length = Math.hypot(d[0], d[1], d[2]);
    const [x, y, z] = d.map((value) => value / length);
    let isNew = true;
    for (let k = 0; k < found.length && isNew; k += 3) {
      const cx = y * found[k + 2] - z * found[k + 1];
      const cy = z * found[k] - x * found[k + 2];
      const cz = x * found[k + 1] - y * found[k];
      if (Math.hypot(cx, cy, cz) < PARALLEL) isNew = false;
    }
    if (isNew) found.push(x, y, z);
  }
  return Float64Array.from(found);
}

function sizeOf(vertices: Float64Array): number {
  const lower = [Infinity, Infinity, Infinity];
  const upper = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < vertices.length; k++) {
    lower[k % 3] = Math.min(lower[k % 3], vertices[k]);
    upper[k % 3] = Math.max(upper[k % 3], vertices[k]);
  }
  return 0.5 * Math.hypot(upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]);
}

/* Bounds of polytopes with a radius, and of a box around a centre. */

/** Over the vertices; a radius widens it on all sides. In the plane z stays 0. */
export function polytopeBounds(
  core: Polytope,
  radius: number,
  frame: Float64Array,
  at: number,
  out: Float64Array,
  outAt: number,
): void {
  const { vertices, vertexCount, dimension } = core;
  for (let r = 0; r < 3; r++) {
    const a = frame[at + 3 + 3 * r];
    const b = frame[at + 4 + 3 * r];
    const c = frame[at + 5 + 3 * r];
    let lower = Infinity;
    let upper = -Infinity;
    for (let k = 0; k < 3 * vertexCount; k += 3) {
      const value = a * vertices[k] + b * vertices[k + 1] + c * vertices[k + 2];
      if (value < lower) lower = value;
      if (value > upper) upper = value;
    }
    const around = r < dimension ? radius : 0;
    out[outAt + r] = frame[at + r] + lower - around;
    out[outAt + 3 + r] = frame[at + r] + upper + around;
  }
}
