/**
 * A height field and a convex shape; the field is the first. Every triangle below the shape's bounds is a
 * polytope of its own, and what touches it is kept where its normal is one of the ground and not only of that
 * triangle: so a ball that rolls over an edge between level triangles does not feel it. A shape that reaches
 * below the plane of a triangle has contacts along the triangle's normal, inside the column over the
 * triangle: below the surface everything is solid.
 */
import { FRAME, composeFrames, rotateByFrame, rotateBackByFrame } from '../frame';
import { type Polytope, pointPolytope, polytopeBounds } from '../shapes/polytope';
import type { ConvexShape, HeightFieldShape } from '../shapes/shape';
import { ContactArea } from './contact-area';
import { CylinderPolytopePair } from './cylinder-polytope-pair';
import {
  FeaturePolygon,
  faceKey,
  isEdgeKey,
  isVertexKey,
  numberedEdgeKey,
  vertexKey,
} from './feature-polygon';
import { CONTACT_SIZE, PairContacts } from './pair-contacts';
import { PlacedCylinder } from './placed-cylinder';
import { PlacedPolytope } from './placed-polytope';
import { PolytopePair } from './polytope-pair';

/*
 * One triangle of a height field as a polytope with one face, and what lies around it. Triangles are numbered
 * 2 · cell + 0 for corners (i, j), (i + 1, j), (i + 1, j + 1) and + 1 for (i, j), (i + 1, j + 1), (i, j + 1),
 * counterclockwise from above.
 */

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
   * Whether n is a normal of the ground at a part of the triangle: nothing of the triangles that have this
   * part too is above the plane across n. What is nearest to the triangle but not to the ground around it
   * does not touch the ground there.
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
    rotateBackByFrame(this.#frame, this.#at, x, 0, local, 0);
    const u = local[0] / spacingX - this.#corners[0];
    const v = local[1] / spacingY - this.#corners[1];
    // The second corner of the lower triangle is one along x from the first, that of the upper one along
    // both.
    const isLower = this.#corners[3] === this.#corners[1];
    const least = isLower ? v : u;
    const most = isLower ? u : v;
    return least >= -LEVEL && least <= most + LEVEL && most <= 1 + LEVEL;
  }

  /**
   * Whether the point of the grid some steps from a corner is above the plane through the corner across n.
   */
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
    rotateByFrame(this.#frame, this.#at, local, 0, out, outAt);
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

/** Of normals, rad, and of points relative to the sizes: two this near are one. */
const SAME = 1e-7;

export class HeightFieldPair {
  readonly #polytopes = new PolytopePair(pointPolytope(3));
  readonly #cylinders = new CylinderPolytopePair(pointPolytope(3));
  readonly #polytope = new PlacedPolytope(pointPolytope(3));
  readonly #cylinder = new PlacedCylinder();
  readonly #area = new ContactArea();
  readonly #face = new FeaturePolygon();
  readonly #incident = new FeaturePolygon();
  readonly #trial = new PairContacts();
  readonly #radii = new Float64Array(2);
  readonly #inverse = new Float64Array(FRAME);
  readonly #inField = new Float64Array(FRAME);
  readonly #bounds = new Float64Array(6);
  readonly #support = new Float64Array(3);
  readonly #height = new Float64Array(1);
  readonly #triangles = new WeakMap<HeightFieldShape, HeightFieldTriangle>();

  collide(
    field: HeightFieldShape,
    fieldFrame: Float64Array,
    fieldAt: number,
    shape: ConvexShape,
    frame: Float64Array,
    at: number,
    out: PairContacts,
  ): void {
    const trial = this.#trial;
    trial.margin.set(out.margin);
    trial.relative.set(out.relative);
    // A direction that separates the shape from one triangle often separates it from the next.
    trial.axis.fill(0);
    const triangle = this.#triangleOf(field);
    triangle.begin(fieldFrame, fieldAt);
    const placed = this.#place(shape, frame, at, out);
    this.#boundsInField(fieldFrame, fieldAt, shape, frame, at, out);
    const bounds = this.#bounds;
    const { columns, rows, spacingX, spacingY, heights } = field;
    const fromI = Math.max(0, Math.floor(bounds[0] / spacingX));
    const toI = Math.min(columns - 2, Math.floor(bounds[3] / spacingX));
    const fromJ = Math.max(0, Math.floor(bounds[1] / spacingY));
    const toJ = Math.min(rows - 2, Math.floor(bounds[4] / spacingY));
    const start = out.count;
    for (let j = fromJ; j <= toJ; j++) {
      for (let i = fromI; i <= toI; i++) {
        const corner = j * columns + i;
        const diagonal = Math.max(heights[corner], heights[corner + columns + 1]);
        for (let which = 0; which < 2; which++) {
          const third = which === 0 ? heights[corner + 1] : heights[corner + columns];
          if (Math.max(diagonal, third) < bounds[2]) continue;
          triangle.place(i, j, which === 0 ? 0 : 1);
          this.#touch(triangle, placed, out, start);
        }
      }
    }
    out.reduce(start);
  }

  #triangleOf(field: HeightFieldShape): HeightFieldTriangle {
    const known = this.#triangles.get(field);
    if (known !== undefined) return known;
    const triangle = new HeightFieldTriangle(field);
    this.#triangles.set(field, triangle);
    return triangle;
  }

  #place(
    shape: ConvexShape,
    frame: Float64Array,
    at: number,
    out: PairContacts,
  ): PlacedCylinder | PlacedPolytope {
    this.#radii[0] = 0;
    this.#radii[1] = shape.kind === 'cylinder' ? 0 : shape.radius;
    if (shape.kind === 'cylinder') {
      this.#cylinder.place(shape, frame, at, out.relative);
      return this.#cylinder;
    }
    this.#polytope.place(shape.core, frame, at, out.relative);
    return this.#polytope;
  }

  /** Bounds of the shape along the axes of the field, widened by the margin. */
  #boundsInField(
    fieldFrame: Float64Array,
    fieldAt: number,
    shape: ConvexShape,
    frame: Float64Array,
    at: number,
    out: PairContacts,
  ): void {
    const inverse = this.#inverse;
    inverse.fill(0);
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) inverse[3 + 3 * r + c] = fieldFrame[fieldAt + 3 + 3 * c + r];
    composeFrames(inverse, 0, frame, at, this.#inField, 0);
    rotateBackByFrame(fieldFrame, fieldAt, out.relative, 0, this.#inField, 0);
    if (shape.kind === 'cylinder') shape.bounds(this.#inField, 0, this.#bounds, 0);
    else polytopeBounds(shape.core, shape.radius, this.#inField, 0, this.#bounds, 0);
    for (let k = 0; k < 3; k++) {
      this.#bounds[k] -= out.margin[0];
      this.#bounds[3 + k] += out.margin[0];
    }
  }

  #touch(
    triangle: HeightFieldTriangle,
    shape: PlacedCylinder | PlacedPolytope,
    out: PairContacts,
    start: number,
  ): void {
    const trial = this.#trial;
    this.#overPlane(triangle, shape);
    const gap = this.#height[0];
    // The triangle is no nearer than its plane.
    if (gap > out.margin[0]) return;
    trial.clear();
    trial.size[0] = triangle.placed.extent[0] + shape.extent[0];
    if (shape instanceof PlacedCylinder)
      this.#cylinders.collidePlaced(triangle.placed, shape, this.#radii, trial);
    else this.#polytopes.collidePlaced(triangle.placed, shape, this.#radii, trial);
    let admitted = 0;
    for (let c = 0; c < trial.count; c++) {
      if (!triangle.admits(trial.keys[2 * c], trial.values, CONTACT_SIZE * c + 1)) continue;
      if (this.#isBehind(triangle, c)) continue;
      admitted++;
      this.#take(triangle, c, out, start);
    }
    if (admitted > 0 && gap >= 0) return;
    trial.clear();
    triangle.placed.faceFeature(0, this.#face);
    shape.feature(this.#face.normal, -1, this.#incident);
    trial.size[0] = triangle.placed.extent[0] + shape.extent[0];
    this.#area.clipping.clip(this.#face, this.#incident, true, this.#radii, trial);
    for (let c = 0; c < trial.count; c++)
      if (!this.#isBehind(triangle, c)) this.#take(triangle, c, out, start);
  }

  /**
   * Whether contact c of the trial is of a point behind the face of the triangle that is not straight below
   * it: behind a steep slope there may be air again, and below the ground the triangle overhead decides.
   */
  #isBehind(triangle: HeightFieldTriangle, c: number): boolean {
    const { values, keys } = this.#trial;
    const at = CONTACT_SIZE * c;
    const radius = this.#radii[1];
    if (values[at] + radius >= 0 || isVertexKey(keys[2 * c]) || isEdgeKey(keys[2 * c])) return false;
    for (let k = 0; k < 3; k++) this.#support[k] = values[at + 7 + k] + radius * values[at + 1 + k];
    return !triangle.isOver(this.#support);
  }

  /** Leaves in `height` the gap between the plane of the triangle and the shape. */
  #overPlane(triangle: HeightFieldTriangle, shape: PlacedCylinder | PlacedPolytope): void {
    const { normals, vertices } = triangle.placed;
    const s = this.#support;
    shape.support(normals, -1, s, 0);
    this.#height[0] = -this.#radii[1];
    for (let k = 0; k < 3; k++) this.#height[0] += normals[k] * (s[k] - vertices[k]);
  }

  /**
   * Contact c of the triangle, unless another triangle has given it already: with the same part, or as a
   * point of the edge that both have, on ground that is level there. The nearer one of the two stays.
   */
  #take(triangle: HeightFieldTriangle, c: number, out: PairContacts, start: number): void {
    const trial = this.#trial;
    const key = triangle.key(trial.keys[2 * c]);
    const other = trial.keys[2 * c + 1];
    const named = out.find(key, other, start);
    const known = named >= 0 ? named : this.#sameAs(c, out, start);
    if (known >= 0 && out.values[CONTACT_SIZE * known] <= trial.values[CONTACT_SIZE * c]) return;
    const at = known >= 0 ? CONTACT_SIZE * known : out.add(key, other);
    if (known >= 0) {
      out.keys[2 * known] = key;
      out.keys[2 * known + 1] = other;
    }
    for (let k = 0; k < CONTACT_SIZE; k++) out.values[at + k] = trial.values[CONTACT_SIZE * c + k];
  }

  /** The contact with the normal and the points of contact c of the trial, or −1. */
  #sameAs(c: number, out: PairContacts, start: number): number {
    const { values, size } = this.#trial;
    for (let known = start; known < out.count; known++) {
      let turn = 0;
      let square = 0;
      for (let k = 1; k < 7; k++) {
        const difference = (values[CONTACT_SIZE * c + k] - out.values[CONTACT_SIZE * known + k]) ** 2;
        if (k < 4) turn += difference;
        else square += difference;
      }
      if (turn <= SAME * SAME && square <= SAME * SAME * size[0] * size[0]) return known;
    }
    return -1;
  }
}
