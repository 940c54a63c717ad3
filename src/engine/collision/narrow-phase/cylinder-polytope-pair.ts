/**
 * Contacts of a polytope with radius, the first shape, and a cylinder, the second: the axis that separates best (`cylinder-axes.ts`), the
 * points that it belongs to, and the area around them.
 */
import type { CylinderShape, RoundedShape } from '../shapes/shape';
import type { Polytope } from '../shapes/polytope';
import { ContactArea } from './contact-area';
import { CAP, CylinderAxes, EDGE_AND_RIM, EDGE_AND_SIDE, FACE, VERTEX } from './cylinder-axes';
import { edgeKey, faceKey, vertexKey } from './feature-key';
import { FeaturePolygon } from './feature-polygon';
import { isInFace, nearestInFeature } from './flat-touch';
import type { PairContacts } from './pair-contacts';
import { CYLINDER_KEYS, PlacedCylinder } from './placed-cylinder';
import { NEAR_FACE, PlacedPolytope } from './placed-polytope';

/** Of the length of an edge: this little beyond its end is at its end. */
const BEYOND = 1e-10;
/** Sine of an angle, rad: a normal this nearly across the axis is across it, and the side touches. */
const ACROSS = 1e-12;

export class CylinderPolytopePair {
  readonly #axes = new CylinderAxes();
  readonly #area = new ContactArea();
  readonly #polytope: PlacedPolytope;
  readonly #cylinder = new PlacedCylinder();
  readonly #feature = new FeaturePolygon();
  readonly #origin = new Float64Array(3);
  readonly #limit = new Float64Array(1);
  readonly #radii = new Float64Array(2);
  /** point of the polytope, and of the cylinder */
  readonly #point = new Float64Array(3);
  readonly #other = new Float64Array(3);
  readonly #work = new Float64Array(3);

  constructor(core: Polytope) {
    this.#polytope = new PlacedPolytope(core);
  }

  collide(
    first: RoundedShape,
    firstFrame: Float64Array,
    firstAt: number,
    second: CylinderShape,
    secondFrame: Float64Array,
    secondAt: number,
    out: PairContacts,
  ): void {
    this.#polytope.place(first.core, firstFrame, firstAt, this.#origin);
    this.#cylinder.place(second, secondFrame, secondAt, out.relative);
    this.#radii[0] = first.radius;
    this.collidePlaced(this.#polytope, this.#cylinder, this.#radii, out);
  }

  /** The same of shapes that stand where they stand. */
  collidePlaced(
    polytope: PlacedPolytope,
    cylinder: PlacedCylinder,
    radii: Float64Array,
    out: PairContacts,
  ): void {
    const axes = this.#axes;
    const { separation } = axes;
    const limit = this.#limit;
    limit[0] = out.margin[0] + radii[0] + radii[1];
    const known = out.axis;
    if (known[0] !== 0 || known[1] !== 0 || known[2] !== 0) {
      axes.along(polytope, cylinder, known);
      if (separation[1] > limit[0]) return;
    }
    axes.search(polytope, cylinder, limit);
    const n = axes.axis;
    for (let k = 0; k < 3; k++) known[k] = n[k];
    if (separation[0] > limit[0]) return;
    const rim = cylinder.support(n, -1, this.#other, 0);
    const from = out.count;
    const at = out.add(this.#keyOfPolytope(polytope), this.#keyOfCylinder(cylinder, rim));
    this.#touch(polytope, cylinder);
    out.values[at] = separation[0] - radii[0] - radii[1];
    for (let k = 0; k < 3; k++) {
      out.values[at + 1 + k] = n[k];
      out.values[at + 4 + k] = this.#point[k] + radii[0] * n[k];
    }
    out.complete(at);
    this.#area.around(polytope, cylinder, n, radii, from, out);
  }

  #keyOfPolytope(polytope: PlacedPolytope): number {
    const { kind, index, axis } = this.#axes;
    const { edges } = polytope.core;
    if (kind === FACE) return faceKey(index);
    if (kind === VERTEX) return vertexKey(index);
    if (kind === CAP) return vertexKey(polytope.supportVertex(axis, 1));
    return edgeKey(edges[2 * index], edges[2 * index + 1]);
  }

  #keyOfCylinder(cylinder: PlacedCylinder, rim: number): number {
    const { kind, index, axis: n } = this.#axes;
    const { axis: a } = cylinder;
    if (kind === CAP) return CYLINDER_KEYS.cap(index);
    if (kind === EDGE_AND_SIDE) return CYLINDER_KEYS.side;
    const along = n[0] * a[0] + n[1] * a[1] + n[2] * a[2];
    return Math.abs(along) <= ACROSS ? CYLINDER_KEYS.side : rim;
  }

  /** Leaves in #point where the polytope touches; #other has the foremost point of the cylinder. */
  #touch(polytope: PlacedPolytope, cylinder: PlacedCylinder): void {
    const { kind, index, axis: n, separation } = this.#axes;
    const point = this.#point;
    const other = this.#other;
    if (kind === VERTEX || kind === CAP) {
      const vertex = kind === VERTEX ? index : polytope.supportVertex(n, 1);
      for (let k = 0; k < 3; k++) point[k] = polytope.vertices[3 * vertex + k];
      if (kind === CAP) this.#intoCap(polytope, cylinder);
      return;
    }
    if (kind === EDGE_AND_SIDE) this.#alongSide(polytope, cylinder);
    if (kind === EDGE_AND_RIM) for (let k = 0; k < 3; k++) other[k] = cylinder.centre[k] + this.#axes.rim[k];
    if (kind === FACE) this.#intoFace(polytope, cylinder);
    for (let k = 0; k < 3; k++) point[k] = other[k] - separation[0] * n[k];
    if (kind === EDGE_AND_RIM && this.#isBeyond(polytope)) this.#intoCap(polytope, cylinder);
  }

  /** Where an edge crosses the side of the cylinder; of parallel ones a place where both are. */
  #alongSide(polytope: PlacedPolytope, cylinder: PlacedCylinder): void {
    const { index, axis: n, line } = this.#axes;
    const { edges } = polytope.core;
    const { vertices } = polytope;
    const { axis: a, centre: c, sizes } = cylinder;
    const p = 3 * edges[2 * index];
    const q = 3 * edges[2 * index + 1];
    const d = this.#point;
    const e = this.#work;
    let start = 0;
    let end = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      d[k] = c[k] - vertices[p + k];
      e[k] = vertices[q + k] - vertices[p + k];
      start -= d[k] * a[k];
      end += (vertices[q + k] - c[k]) * a[k];
      square += e[k] * e[k];
    }
    const length = Math.sqrt(square);
    for (let k = 0; k < 3; k++) e[k] /= length;
    line.place(d, e, cylinder);
    const low = Math.max(-sizes[1], Math.min(start, end));
    const high = Math.min(sizes[1], Math.max(start, end));
    line.alongAxis(e, 0);
    const z = Math.max(low, Math.min(high, line.isParallel() ? 0.5 * (low + high) : e[0]));
    for (let k = 0; k < 3; k++) this.#other[k] = c[k] + z * a[k] - sizes[0] * n[k];
  }

  /**
   * Whether #point is beyond the ends of the edge. Of an edge nearly level with the cap rounding decides which of its points, and which of the
   * edges of a face, separates best.
   */
  #isBeyond({ core, vertices }: PlacedPolytope): boolean {
    const { index } = this.#axes;
    const p = 3 * core.edges[2 * index];
    const q = 3 * core.edges[2 * index + 1];
    let along = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const e = vertices[q + k] - vertices[p + k];
      along += (this.#point[k] - vertices[p + k]) * e;
      square += e * e;
    }
    return along < -BEYOND * square || along > (1 + BEYOND) * square;
  }

  /** Of a cap that lies on a face level to rounding any point is foremost: the one is taken that is in the face too. */
  #intoFace(polytope: PlacedPolytope, cylinder: PlacedCylinder): void {
    const { index, axis: n } = this.#axes;
    const { axis: a, centre: c, sizes } = cylinder;
    const face = this.#feature;
    polytope.faceFeature(index, face);
    const other = this.#other;
    if (isInFace(face, other, polytope.extent[0] + cylinder.extent[0])) return;
    const along = n[0] * a[0] + n[1] * a[1] + n[2] * a[2];
    if (Math.abs(along) < NEAR_FACE) return;
    const h = along > 0 ? -sizes[1] : sizes[1];
    const centre = this.#work;
    for (let k = 0; k < 3; k++) centre[k] = c[k] + h * a[k];
    nearestInFeature(face, centre, this.#point);
    let off = 0;
    for (let k = 0; k < 3; k++) off += (other[k] - this.#point[k]) * n[k];
    for (let k = 0; k < 3; k++) other[k] = this.#point[k] + off * n[k];
  }

  /** Of a face or an edge that lies on a cap level to rounding any point is foremost: the one is taken that is nearest to the middle. */
  #intoCap(polytope: PlacedPolytope, cylinder: PlacedCylinder): void {
    const { axis: n } = this.#axes;
    const { axis: a, centre: c, sizes } = cylinder;
    const point = this.#point;
    let along = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) along += (point[k] - c[k]) * a[k];
    for (let k = 0; k < 3; k++) square += (point[k] - c[k] - along * a[k]) ** 2;
    if (square <= sizes[0] * sizes[0]) return;
    const feature = this.#feature;
    polytope.feature(n, 1, feature);
    const centre = this.#work;
    for (let k = 0; k < 3; k++) centre[k] = c[k] + along * a[k];
    nearestInFeature(feature, centre, point);
  }
}
