/**
 * Contacts of two polytopes with radii: boxes, polyhedra, capsules and spheres among them, discs and polygons in the plane.
 *
 * 1. The separating axes bound the distance from below; most pairs of the broad phase end here.
 * 2. If a face separates best and the area cut out before it reaches the bound, the bound is the distance, and the area the contact.
 * 3. If two edges do and their nearest points are inside both, likewise; when the shapes overlap the bound is the depth in any case.
 * 4. Otherwise vertices are nearest: the distance is computed (GJK).
 *
 * Normals of faces and edges come from the shapes and are right to rounding however small the gap is. Radii widen the polytopes along
 * the normal, and only shift the result.
 */
import type { RoundedShape } from '../shapes/shape';
import { ContactArea } from './contact-area';
import { edgeKey, vertexKey } from './feature-key';
import { FeaturePolygon } from './feature-polygon';
import { EXACT, Gjk } from './gjk';
import type { PairContacts } from './pair-contacts';
import { PlacedPolytope } from './placed-polytope';
import { EDGES, FACE_OF_FIRST, SeparatingAxes } from './separating-axes';
import type { Polytope } from '../shapes/polytope';

/** Relative to the sizes: an area whose smallest gap is this near the bound reaches it; rounding of clipping. */
const REACHED = 1e-11;
/** A face that bounds the distance by this much less than the best axis, relative to the sizes, is not tried as reference. */
const WORTH_A_TRY = 1e-3;

export class PolytopePair {
  readonly area = new ContactArea();
  readonly axes = new SeparatingAxes();
  readonly #origin = new Float64Array(3);
  readonly #limit = new Float64Array(1);
  readonly #radii = new Float64Array(2);
  readonly #gjk = new Gjk();
  readonly #face = new FeaturePolygon();
  readonly #incident = new FeaturePolygon();
  /** [0] separation of the nearest points to be added */
  readonly #gap = new Float64Array(1);
  readonly #n = new Float64Array(3);
  readonly #point = new Float64Array(3);
  readonly #a: PlacedPolytope;
  readonly #b: PlacedPolytope;

  constructor(core: Polytope) {
    this.#a = new PlacedPolytope(core);
    this.#b = new PlacedPolytope(core);
  }

  /** Adds the contacts of the two shapes. */
  collide(
    first: RoundedShape,
    firstFrame: Float64Array,
    firstAt: number,
    second: RoundedShape,
    secondFrame: Float64Array,
    secondAt: number,
    out: PairContacts,
  ): void {
    const a = this.#a;
    const b = this.#b;
    a.place(first.core, firstFrame, firstAt, this.#origin);
    b.place(second.core, secondFrame, secondAt, out.relative);
    this.#radii[0] = first.radius;
    this.#radii[1] = second.radius;
    this.collidePlaced(a, b, this.#radii, out);
  }

  /** The same of polytopes that stand where they stand. */
  collidePlaced(a: PlacedPolytope, b: PlacedPolytope, radii: Float64Array, out: PairContacts): void {
    const limit = this.#limit;
    limit[0] = out.margin[0] + radii[0] + radii[1];
    const { axes } = this;
    const { separation } = axes;
    const known = out.axis;
    if (known[0] !== 0 || known[1] !== 0 || known[2] !== 0) {
      axes.along(a, b, known);
      if (separation[0] > limit[0]) return;
    }
    axes.search(a, b, limit);
    known.set(axes.axis);
    if (separation[0] > limit[0] || separation[0] === -Infinity) return;
    const start = out.count;
    if (axes.kind !== EDGES && (this.#tryFace(a, b, 1, radii, out) || this.#tryFace(a, b, 2, radii, out))) {
      out.reduce(start);
      return;
    }
    if (axes.kind === EDGES && this.#edges(a, b, radii, out)) return;
    if (this.#overlap(a)) {
      this.#deepest(a, b, radii, out);
      return;
    }
    this.#nearest(a, b, radii, out);
  }

  /** @returns whether the area before the best face of the first (1) or second (2) reaches the bound; else nothing is added */
  #tryFace(a: PlacedPolytope, b: PlacedPolytope, of: 1 | 2, radii: Float64Array, out: PairContacts): boolean {
    const { axes, area } = this;
    const own = of === 1 ? a : b;
    const other = of === 1 ? b : a;
    const face = of === 1 ? axes.faceOfFirst : axes.faceOfSecond;
    const bound = axes.separation[0];
    const size = a.extent[0] + b.extent[0];
    if (face < 0 || axes.separation[of] < bound - WORTH_A_TRY * size) return false;
    own.faceFeature(face, this.#face);
    other.feature(this.#face.normal, -1, this.#incident);
    const start = out.count;
    out.size[0] = size + radii[0] + radii[1];
    area.clipping.clip(this.#face, this.#incident, of === 1, radii, out);
    const reached = area.clipping.smallest[0] + radii[0] + radii[1];
    if (Math.abs(reached - bound) <= REACHED * size) return true;
    out.count = start;
    return false;
  }

  /**
   * Nearest points of the lines of two edges, p + s e and q + t f, from (q + t f − p − s e) ∥ n = e × f/|e × f|. @returns whether they are
   * inside both edges and as near as the axis says, or the shapes overlap
   */
  #edges(a: PlacedPolytope, b: PlacedPolytope, radii: Float64Array, out: PairContacts): boolean {
    const { axes } = this;
    const n = this.#n;
    n.set(axes.axis);
    const { edges: ofA } = a.core;
    const { edges: ofB } = b.core;
    const p = 3 * ofA[2 * axes.edgeOfFirst];
    const pEnd = 3 * ofA[2 * axes.edgeOfFirst + 1];
    const q = 3 * ofB[2 * axes.edgeOfSecond];
    const qEnd = 3 * ofB[2 * axes.edgeOfSecond + 1];
    let ee = 0;
    let ef = 0;
    let ff = 0;
    let er = 0;
    let fr = 0;
    for (let k = 0; k < 3; k++) {
      const e = a.vertices[pEnd + k] - a.vertices[p + k];
      const f = b.vertices[qEnd + k] - b.vertices[q + k];
      const r = b.vertices[q + k] - a.vertices[p + k];
      ee += e * e;
      ef += e * f;
      ff += f * f;
      er += e * r;
      fr += f * r;
    }
    const determinant = ee * ff - ef * ef;
    if (!(determinant > 0)) return false;
    const s = (er * ff - fr * ef) / determinant;
    const t = (er * ef - fr * ee) / determinant;
    // Of a direction that no edges really support the nearest points of the named ones are farther than the bound.
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const e = a.vertices[pEnd + k] - a.vertices[p + k];
      const f = b.vertices[qEnd + k] - b.vertices[q + k];
      square += (b.vertices[q + k] + t * f - a.vertices[p + k] - s * e) ** 2;
    }
    const isInside = s >= 0 && s <= 1 && t >= 0 && t <= 1;
    const isReached = Math.sqrt(square) - axes.separation[0] <= REACHED * (a.extent[0] + b.extent[0]);
    if (!this.#overlap(a) && !(isInside && isReached)) return false;
    const clamped = Math.max(0, Math.min(1, s));
    const point = this.#point;
    for (let k = 0; k < 3; k++)
      point[k] = a.vertices[p + k] + clamped * (a.vertices[pEnd + k] - a.vertices[p + k]);
    this.#gap[0] = axes.separation[0];
    this.#addNearest(a, b, edgeKey(p / 3, pEnd / 3), edgeKey(q / 3, qEnd / 3), radii, out);
    return true;
  }

  /**
   * Whether no axis separates. A single triangle has axes that are not searched, across its sides and below it; what it has not been
   * separated from may still be beside it.
   */
  #overlap(a: PlacedPolytope): boolean {
    return this.axes.separation[0] <= 0 && a.core.faceCount !== 1;
  }

  /** Overlap along the normal of a face where clipping found no area: the deepest vertex alone. */
  #deepest(a: PlacedPolytope, b: PlacedPolytope, radii: Float64Array, out: PairContacts): void {
    const { axes } = this;
    const n = this.#n;
    n.set(axes.axis);
    const gap = axes.separation[0];
    const ofFirst = axes.kind !== FACE_OF_FIRST;
    const vertex = ofFirst ? a.supportVertex(n, 1) : b.supportVertex(n, -1);
    const point = this.#point;
    for (let k = 0; k < 3; k++)
      point[k] = ofFirst ? a.vertices[3 * vertex + k] : b.vertices[3 * vertex + k] - gap * n[k];
    const opposite = ofFirst ? b.supportVertex(n, -1) : a.supportVertex(n, 1);
    const firstKey = vertexKey(ofFirst ? vertex : opposite);
    const secondKey = vertexKey(ofFirst ? opposite : vertex);
    this.#gap[0] = gap;
    this.#addNearest(a, b, firstKey, secondKey, radii, out);
  }

  /** Vertices are nearest. */
  #nearest(a: PlacedPolytope, b: PlacedPolytope, radii: Float64Array, out: PairContacts): void {
    const gjk = this.#gjk;
    const n = this.#n;
    const status = gjk.run(a, b, this.axes.axis, this.#limit, EXACT);
    const { simplex, v } = gjk;
    const distance = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (status === 'beyond') {
      for (let k = 0; k < 3; k++) out.axis[k] = v[k] / distance;
      return;
    }
    if (status !== 'separated') {
      // Apart by rounding only: the bound is as good as the distance.
      this.#deepest(a, b, radii, out);
      return;
    }
    for (let k = 0; k < 3; k++) n[k] = v[k] / distance;
    if (distance > this.#limit[0]) {
      out.axis.set(n);
      return;
    }
    simplex.witness(simplex.a, this.#point);
    this.#gap[0] = distance;
    this.#addNearest(
      a,
      b,
      partKey(a, simplex.keysA, simplex.count, n, 1, this.#incident),
      partKey(b, simplex.keysB, simplex.count, n, -1, this.#incident),
      radii,
      out,
    );
  }

  /** The contact of the nearest points, and what is around it; `point` has the one on the first polytope. */
  #addNearest(
    a: PlacedPolytope,
    b: PlacedPolytope,
    firstKey: number,
    secondKey: number,
    radii: Float64Array,
    out: PairContacts,
  ): void {
    const from = out.count;
    const at = out.add(firstKey, secondKey);
    const n = this.#n;
    out.values[at] = this.#gap[0] - radii[0] - radii[1];
    for (let k = 0; k < 3; k++) {
      out.values[at + 1 + k] = n[k];
      out.values[at + 4 + k] = this.#point[k] + radii[0] * n[k];
    }
    out.complete(at);
    this.area.around(a, b, n, radii, from, out);
  }
}

/** Name of the part that the vertices of a simplex span: a vertex, the line of two, else the feature that looks along n. */
function partKey(
  shape: PlacedPolytope,
  keys: Int32Array,
  count: number,
  n: Float64Array,
  sign: 1 | -1,
  scratch: FeaturePolygon,
): number {
  let other = -1;
  for (let k = 1; k < count; k++) {
    if (keys[k] === keys[0] || keys[k] === other) continue;
    if (other >= 0) {
      shape.feature(n, sign, scratch);
      return scratch.key;
    }
    other = keys[k];
  }
  return other < 0 ? keys[0] : edgeKey(keys[0], other);
}
