/**
 * A height field and a convex shape; the field is the first. Every triangle below the shape's bounds is a polytope of its own, and what
 * touches it is kept where its normal is one of the ground and not only of that triangle: so a ball that rolls over an edge between level
 * triangles does not feel it. A shape that reaches below the plane of a triangle has contacts along the triangle's normal, inside the
 * column over the triangle: below the surface everything is solid.
 */
import { composeFrames, FRAME, rotateBack } from '../frame';
import { polytopeBounds } from '../shapes/bounds';
import type { ConvexShape, HeightFieldShape } from '../shapes/shape';
import { ContactArea } from './contact-area';
import { CylinderPolytopePair } from './cylinder-polytope-pair';
import { isEdgeKey, isVertexKey } from './feature-key';
import { FeaturePolygon } from './feature-polygon';
import { HeightFieldTriangle } from './height-field-triangle';
import { CONTACT, PairContacts } from './pair-contacts';
import { PlacedCylinder } from './placed-cylinder';
import { PlacedPolytope } from './placed-polytope';
import { PolytopePair } from './polytope-pair';
import { pointPolytope } from '../shapes/polytope';

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
    rotateBack(fieldFrame, fieldAt, out.relative, 0, this.#inField, 0);
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
      if (!triangle.admits(trial.keys[2 * c], trial.values, CONTACT * c + 1)) continue;
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
   * Whether contact c of the trial is of a point behind the face of the triangle that is not straight below it: behind a steep slope there
   * may be air again, and below the ground the triangle overhead decides.
   */
  #isBehind(triangle: HeightFieldTriangle, c: number): boolean {
    const { values, keys } = this.#trial;
    const at = CONTACT * c;
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
   * Contact c of the triangle, unless another triangle has given it already: with the same part, or as a point of the edge that both have, on
   * ground that is level there. The nearer one of the two stays.
   */
  #take(triangle: HeightFieldTriangle, c: number, out: PairContacts, start: number): void {
    const trial = this.#trial;
    const key = triangle.key(trial.keys[2 * c]);
    const other = trial.keys[2 * c + 1];
    const named = out.find(key, other, start);
    const known = named >= 0 ? named : this.#sameAs(c, out, start);
    if (known >= 0 && out.values[CONTACT * known] <= trial.values[CONTACT * c]) return;
    const at = known >= 0 ? CONTACT * known : out.add(key, other);
    if (known >= 0) {
      out.keys[2 * known] = key;
      out.keys[2 * known + 1] = other;
    }
    for (let k = 0; k < CONTACT; k++) out.values[at + k] = trial.values[CONTACT * c + k];
  }

  /** The contact with the normal and the points of contact c of the trial, or −1. */
  #sameAs(c: number, out: PairContacts, start: number): number {
    const { values, size } = this.#trial;
    for (let known = start; known < out.count; known++) {
      let turn = 0;
      let square = 0;
      for (let k = 1; k < 7; k++) {
        const difference = (values[CONTACT * c + k] - out.values[CONTACT * known + k]) ** 2;
        if (k < 4) turn += difference;
        else square += difference;
      }
      if (turn <= SAME * SAME && square <= SAME * SAME * size[0] * size[0]) return known;
    }
    return -1;
  }
}
