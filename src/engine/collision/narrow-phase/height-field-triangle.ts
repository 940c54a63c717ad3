/**
 * One triangle of a height field as a polytope with one face, and what lies around it. Triangles are numbered 2 · cell + 0 for corners
 * (i, j), (i + 1, j), (i + 1, j + 1) and + 1 for (i, j), (i + 1, j + 1), (i, j + 1), counterclockwise from above.
 */
import { rotate, rotateBack } from '../frame';
import type { Polytope } from '../shapes/polytope';
import type { HeightFieldShape } from '../shapes/shape';
import { faceKey, isEdgeKey, isVertexKey, numberedEdgeKey, vertexKey } from './feature-key';
import { PlacedPolytope } from './placed-polytope';

/** Steps on the grid to the corners of the lower right and of the upper left triangle. */
const CORNERS = [
  [0, 0, 1, 0, 1, 1],
  [0, 0, 1, 1, 0, 1],
] as const;
/** Neighbours of a point on the grid that it shares an edge with. */
const AROUND = [1, 0, 1, 1, 0, 1, -1, 0, -1, -1, 0, -1] as const;
/** Corners opposite to an edge, from its lower end: of edges along x, along y, and across a cell. */
const BESIDE_X = [1, 1, 0, -1] as const;
const BESIDE_Y = [1, 1, -1, 0] as const;
const BESIDE_DIAGONAL = [1, 0, 0, 1] as const;
/** Relative to the spacing: ground this little above the plane across a normal is level with it. */
const LEVEL = 1e-9;
/** 1 minus the cosine of an angle of about 1e-7 rad, which is rounding of two normals that are one. */
const SAME_NORMAL = 1e-14;

export class HeightFieldTriangle {
  readonly placed: PlacedPolytope;
  readonly #field: HeightFieldShape;
  readonly #local = new Float64Array(3);
  readonly #neighbour = new Float64Array(3);
  readonly #corners = new Int32Array(6);
  #frame: Float64Array;
  #at = 0;
  #number = 0;

  constructor(field: HeightFieldShape) {
    this.#field = field;
    this.#frame = new Float64Array(12);
    this.placed = new PlacedPolytope(triangleCore(field));
  }

  /** Where the field stands; its origin is that of everything here. */
  begin(frame: Float64Array, at: number): void {
    this.#frame = frame;
    this.#at = at;
  }

  /** Puts triangle 0 or 1 of cell (i, j) into `placed`. */
  place(i: number, j: number, which: 0 | 1): void {
    const { vertices, normals, directions } = this.placed;
    const steps = CORNERS[which];
    this.#number = 2 * (j * this.#field.columns + i) + which;
    for (let k = 0; k < 3; k++) {
      this.#corners[2 * k] = i + steps[2 * k];
      this.#corners[2 * k + 1] = j + steps[2 * k + 1];
      this.#point(i + steps[2 * k], j + steps[2 * k + 1], vertices, 3 * k);
    }
    for (let k = 0; k < 3; k++) {
      const from = 3 * k;
      const to = k === 2 ? 0 : from + 3;
      const x = vertices[to] - vertices[from];
      const y = vertices[to + 1] - vertices[from + 1];
      const z = vertices[to + 2] - vertices[from + 2];
      const length = Math.sqrt(x * x + y * y + z * z);
      directions[from] = x / length;
      directions[from + 1] = y / length;
      directions[from + 2] = z / length;
    }
    normals[0] = directions[1] * directions[5] - directions[2] * directions[4];
    normals[1] = directions[2] * directions[3] - directions[0] * directions[5];
    normals[2] = directions[0] * directions[4] - directions[1] * directions[3];
    const length = Math.sqrt(normals[0] * normals[0] + normals[1] * normals[1] + normals[2] * normals[2]);
    for (let k = 0; k < 3; k++) normals[k] /= length;
  }

  /** The name in the field of a part of the triangle. */
  key(local: number): number {
    const { columns } = this.#field;
    const corners = this.#corners;
    if (isVertexKey(local)) return vertexKey(corners[2 * local + 1] * columns + corners[2 * local]);
    if (!isEdgeKey(local)) return faceKey(this.#number);
    const side = sideOf(local);
    const end = (side + 1) % 3;
    const i = Math.min(corners[2 * side], corners[2 * end]);
    const j = Math.min(corners[2 * side + 1], corners[2 * end + 1]);
    const dx = Math.abs(corners[2 * side] - corners[2 * end]);
    const dy = Math.abs(corners[2 * side + 1] - corners[2 * end + 1]);
    return numberedEdgeKey(3 * (j * columns + i) + (dx === 0 ? 1 : dy === 0 ? 0 : 2));
  }

  /**
   * Whether n is a normal of the ground at a part of the triangle: nothing of the triangles that have this part too is above the plane across n. What
   * is nearest to the triangle but not to the ground around it does not touch the ground there.
   * @param at three numbers of n in `values`
   */
  admits(local: number, values: Float64Array, at: number): boolean {
    const { normals, vertices } = this.placed;
    let up = 0;
    for (let k = 0; k < 3; k++) up += normals[k] * values[at + k];
    if (up <= 0) return false;
    if (!isVertexKey(local) && !isEdgeKey(local)) return up >= 1 - SAME_NORMAL;
    if (isVertexKey(local)) {
      for (let k = 0; k < AROUND.length; k += 2)
        if (this.#isHigher(local, AROUND[k], AROUND[k + 1], values, at)) return false;
      return true;
    }
    // An edge: the corners of both its triangles opposite to it.
    const side = sideOf(local);
    const end = (side + 1) % 3;
    const corners = this.#corners;
    // A normal that leans along the edge belongs to one of its ends.
    let lean = 0;
    for (let k = 0; k < 3; k++) lean += (vertices[3 * end + k] - vertices[3 * side + k]) * values[at + k];
    if (Math.abs(lean) > LEVEL * (this.#field.spacingX + this.#field.spacingY)) return false;
    const isBack = corners[2 * end] < corners[2 * side] || corners[2 * end + 1] < corners[2 * side + 1];
    const from = isBack ? end : side;
    const isLevelX = corners[2 * end] === corners[2 * side];
    const isLevelY = corners[2 * end + 1] === corners[2 * side + 1];
    const beside = isLevelY ? BESIDE_X : isLevelX ? BESIDE_Y : BESIDE_DIAGONAL;
    return (
      !this.#isHigher(from, beside[0], beside[1], values, at) &&
      !this.#isHigher(from, beside[2], beside[3], values, at)
    );
  }

  /** Whether a point is straight above or below the triangle, along the z axis of the field. */
  isOver(x: Float64Array): boolean {
    const { spacingX, spacingY } = this.#field;
    const local = this.#local;
    rotateBack(this.#frame, this.#at, x, 0, local, 0);
    const u = local[0] / spacingX - this.#corners[0];
    const v = local[1] / spacingY - this.#corners[1];
    // The second corner of the lower triangle is one along x from the first, that of the upper one along both.
    const isLower = this.#corners[3] === this.#corners[1];
    const least = isLower ? v : u;
    const most = isLower ? u : v;
    return least >= -LEVEL && least <= most + LEVEL && most <= 1 + LEVEL;
  }

  /** Whether the point of the grid some steps from a corner is above the plane through the corner across n. */
  #isHigher(corner: number, stepI: number, stepJ: number, values: Float64Array, at: number): boolean {
    const { columns, rows, spacingX, spacingY } = this.#field;
    const { vertices } = this.placed;
    const i = this.#corners[2 * corner] + stepI;
    const j = this.#corners[2 * corner + 1] + stepJ;
    if (i < 0 || j < 0 || i >= columns || j >= rows) return false;
    const q = this.#neighbour;
    this.#point(i, j, q, 0);
    let height = 0;
    for (let k = 0; k < 3; k++) height += (q[k] - vertices[3 * corner + k]) * values[at + k];
    return height > LEVEL * (spacingX + spacingY);
  }

  #point(i: number, j: number, out: Float64Array, outAt: number): void {
    const { columns, spacingX, spacingY, heights } = this.#field;
    const local = this.#local;
    local[0] = i * spacingX;
    local[1] = j * spacingY;
    local[2] = heights[j * columns + i];
    rotate(this.#frame, this.#at, local, 0, out, outAt);
  }
}

/** Side 0, 1, 2 of a triangle by the name that its polytope gives it. */
function sideOf(local: number): number {
  const pair = local & ((1 << 28) - 1);
  const low = pair >> 14;
  const high = pair & ((1 << 14) - 1);
  return low === 0 ? (high === 1 ? 0 : 2) : 1;
}

/** Three vertices, one face, three edges; numbers are set where it is placed. */
function triangleCore(field: HeightFieldShape): Polytope {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const height of field.heights) {
    lowest = Math.min(lowest, height);
    highest = Math.max(highest, height);
  }
  return {
    dimension: 3,
    vertexCount: 3,
    vertices: new Float64Array(9),
    faceCount: 1,
    faceStart: Int32Array.of(0, 3),
    faceVertices: Int32Array.of(0, 1, 2),
    normals: new Float64Array(3),
    edgeCount: 3,
    edges: Int32Array.of(0, 1, 1, 2, 2, 0),
    edgeFaces: new Int32Array(0),
    directions: new Float64Array(9),
    directionCount: 3,
    size: 0.5 * Math.hypot(field.spacingX, field.spacingY, highest - lowest),
  };
}
