/**
 * Contacts of two polytopes with radii: boxes, polyhedra, capsules and spheres among them, discs and polygons
 * in the plane.
 *
 * 1. The separating axes bound the distance from below; most pairs of the broad phase end here.
 * 2. If a face separates best and the area cut out before it reaches the bound, the bound is the distance,
 *   and the area the contact.
 * 3. If two edges do and their nearest points are inside both, likewise; when the shapes overlap the bound is
 *   the depth in any case.
 * 4. Otherwise vertices are nearest: the distance is computed (GJK).
 *
 * Normals of faces and edges come from the shapes and are right to rounding however small the gap is. Radii
 * widen the polytopes along the normal, and only shift the result.
 */
import type { Polytope } from '../shapes/polytope';
import type { RoundedShape } from '../shapes/shape';
import { ContactArea } from './contact-area';
import { FeaturePolygon, edgeKey, vertexKey } from './feature-polygon';
import { EXACT, Gjk } from './gjk';
import type { PairContacts } from './pair-contacts';
import { PlacedPolytope } from './placed-polytope';

/*
 * Separating axes of two polytopes. For a unit vector n the separation
 *
 *     s(n) = min_b n·b − max_a n·a
 *
 * is never more than the distance of the two, whatever n is; its maximum over all n is the distance when they
 * are apart, and minus the depth of penetration when they overlap. When they overlap, and when a face or two
 * crossing edges are nearest, the maximum is at the normal of a face or at the cross product of two edges
 * (Gottschalk, Lin and Manocha 1996), and these are searched. Where vertices are nearest to vertices or edges
 * it is elsewhere, and the best found is a lower bound.
 *
 * Two edges form a face of the Minkowski difference exactly when their arcs on the Gauss map cross (Gregorius
 * 2013). With many edges this is tested first; with few directions it is cheaper to project everything.
 */

/** What separates: a face of the first, a face of the second, an edge of each. */
const FACE_OF_FIRST = 0;
const FACE_OF_SECOND = 1;
const EDGES = 2;
/**
 * Edges at a smaller angle than this, rad, have no cross product to speak of; faces separate there as well as
 * it would, nearly.
 */
const PARALLEL = 1e-8;
/**
 * Relative to the sizes: what an axis of edges must be better by than a face, so that rounding does not
 * choose it.
 */
const SEPARATION_TIE = 1e-12;
/** Weight of a pair of edges on the Gauss map against a projected vertex, in operations. */
const GAUSS_COST = 8;

class SeparatingAxes {
  kind = FACE_OF_FIRST;
  /** faces of best separation, −1 where a polytope has none */
  faceOfFirst = -1;
  faceOfSecond = -1;
  edgeOfFirst = -1;
  edgeOfSecond = -1;
  /** best direction, from the first to the second */
  readonly axis = new Float64Array(3);
  /** [0] the best separation; [1], [2] by faces of the first and second; [3] by edges */
  readonly separation = new Float64Array(4);
  readonly #candidate = new Float64Array(3);
  readonly #low = new Float64Array(2);
  readonly #edgeAxis = new Float64Array(3);

  /** The separation along a unit vector. Leaves it in `separation[0]`. */
  along(a: PlacedPolytope, b: PlacedPolytope, n: Float64Array): void {
    const { separation } = this;
    lowest(b, n, 0, 1, separation, 0);
    lowest(a, n, 0, -1, this.#low, 0);
    separation[0] += this.#low[0];
  }

  /**
   * Searches until an axis separates by more than `limit[0]`; then that is the answer.
   * @param limit m
   */
  search(a: PlacedPolytope, b: PlacedPolytope, limit: Float64Array): void {
    const { separation } = this;
    separation.fill(-Infinity);
    this.faceOfFirst = this.#faces(a, b, 1, limit);
    this.faceOfSecond = separation[1] > limit[0] ? -1 : this.#faces(b, a, 2, limit);
    if (separation[1] <= limit[0] && separation[2] <= limit[0]) this.#edges(a, b, limit);
    const tie = SEPARATION_TIE * (a.extent[0] + b.extent[0]);
    const { axis } = this;
    this.kind = separation[2] > separation[1] + tie ? FACE_OF_SECOND : FACE_OF_FIRST;
    if (separation[3] > Math.max(separation[1], separation[2]) + tie) this.kind = EDGES;
    separation[0] = separation[this.kind + 1];
    for (let k = 0; k < 3; k++) {
      if (this.kind === EDGES) axis[k] = this.#edgeAxis[k];
      else if (this.kind === FACE_OF_FIRST) axis[k] = a.normals[3 * this.faceOfFirst + k];
      else axis[k] = -b.normals[3 * this.faceOfSecond + k];
    }
    if (this.kind === EDGES) this.#name(a, b);
  }

  /** Best face of `own` against the vertices of `other`. @returns the face */
  #faces(own: PlacedPolytope, other: PlacedPolytope, slot: 1 | 2, limit: Float64Array): number {
    const { normals, vertices, core } = own;
    let best = -Infinity;
    let face = -1;
    for (let f = 0; f < core.faceCount && best <= limit[0]; f++) {
      const v = 3 * core.faceVertices[core.faceStart[f]];
      lowest(other, normals, 3 * f, 1, this.#low, 0);
      const s =
        this.#low[0] -
        (normals[3 * f] * vertices[v] +
          normals[3 * f + 1] * vertices[v + 1] +
          normals[3 * f + 2] * vertices[v + 2]);
      if (s <= best) continue;
      best = s;
      face = f;
    }
    this.separation[slot] = best;
    return face;
  }

  #edges(a: PlacedPolytope, b: PlacedPolytope, limit: Float64Array): void {
    const directions = a.core.directionCount * b.core.directionCount;
    const projected = directions * (a.core.vertexCount + b.core.vertexCount);
    const isSolid = a.core.edgeFaces.length > 0 && b.core.edgeFaces.length > 0;
    if (isSolid && projected > GAUSS_COST * a.core.edgeCount * b.core.edgeCount) this.#gauss(a, b, limit);
    else this.#crosses(a, b, limit);
  }

  /** All cross products of directions, both ways. */
  #crosses(a: PlacedPolytope, b: PlacedPolytope, limit: Float64Array): void {
    const { directions: d } = a;
    const { directions: e } = b;
    for (let i = 0; i < 3 * a.core.directionCount; i += 3) {
      for (let j = 0; j < 3 * b.core.directionCount && this.separation[3] <= limit[0]; j += 3) {
        const x = d[i + 1] * e[j + 2] - d[i + 2] * e[j + 1];
        const y = d[i + 2] * e[j] - d[i] * e[j + 2];
        const z = d[i] * e[j + 1] - d[i + 1] * e[j];
        const length = Math.sqrt(x * x + y * y + z * z);
        if (length < PARALLEL) continue;
        this.#candidate[0] = x / length;
        this.#candidate[1] = y / length;
        this.#candidate[2] = z / length;
        this.#try(a, b, 1);
        this.#try(a, b, -1);
      }
    }
  }

  /** Keeps sign · candidate if it separates more than the best one of edges. */
  #try(a: PlacedPolytope, b: PlacedPolytope, sign: 1 | -1): void {
    const n = this.#candidate;
    lowest(b, n, 0, sign, this.#low, 0);
    lowest(a, n, 0, sign === 1 ? -1 : 1, this.#low, 1);
    const s = this.#low[0] + this.#low[1];
    if (s <= this.separation[3]) return;
    this.separation[3] = s;
    for (let k = 0; k < 3; k++) this.#edgeAxis[k] = sign * n[k];
  }

  /**
   * Pairs of edges whose arcs cross: n and m are the normals beside an edge of the first, p and q minus those
   * of the second.
   */
  #gauss(a: PlacedPolytope, b: PlacedPolytope, limit: Float64Array): void {
    const { normals: na, vertices: va } = a;
    const { normals: nb, vertices: vb } = b;
    const candidate = this.#candidate;
    let best = -Infinity;
    for (let i = 0; i < a.core.edgeCount; i++) {
      const n = 3 * a.core.edgeFaces[2 * i];
      const m = 3 * a.core.edgeFaces[2 * i + 1];
      const ux = na[m + 1] * na[n + 2] - na[m + 2] * na[n + 1];
      const uy = na[m + 2] * na[n] - na[m] * na[n + 2];
      const uz = na[m] * na[n + 1] - na[m + 1] * na[n];
      const from = 3 * a.core.edges[2 * i];
      const to = 3 * a.core.edges[2 * i + 1];
      const ex = va[to] - va[from];
      const ey = va[to + 1] - va[from + 1];
      const ez = va[to + 2] - va[from + 2];
      const ee = ex * ex + ey * ey + ez * ez;
      for (let j = 0; j < b.core.edgeCount; j++) {
        const p = 3 * b.core.edgeFaces[2 * j];
        const q = 3 * b.core.edgeFaces[2 * j + 1];
        const pu = -(nb[p] * ux + nb[p + 1] * uy + nb[p + 2] * uz);
        const qu = -(nb[q] * ux + nb[q + 1] * uy + nb[q + 2] * uz);
        if (pu * qu >= 0) continue;
        const wx = nb[q + 1] * nb[p + 2] - nb[q + 2] * nb[p + 1];
        const wy = nb[q + 2] * nb[p] - nb[q] * nb[p + 2];
        const wz = nb[q] * nb[p + 1] - nb[q + 1] * nb[p];
        const nw = na[n] * wx + na[n + 1] * wy + na[n + 2] * wz;
        const mw = na[m] * wx + na[m + 1] * wy + na[m + 2] * wz;
        if (nw * mw >= 0 || pu * mw <= 0) continue;
        const start = 3 * b.core.edges[2 * j];
        const end = 3 * b.core.edges[2 * j + 1];
        const fx = vb[end] - vb[start];
        const fy = vb[end + 1] - vb[start + 1];
        const fz = vb[end + 2] - vb[start + 2];
        let x = ey * fz - ez * fy;
        let y = ez * fx - ex * fz;
        let z = ex * fy - ey * fx;
        const square = x * x + y * y + z * z;
        if (square < PARALLEL * PARALLEL * ee * (fx * fx + fy * fy + fz * fz)) continue;
        const outwards = x * (na[n] + na[m]) + y * (na[n + 1] + na[m + 1]) + z * (na[n + 2] + na[m + 2]);
        const scale = (outwards < 0 ? -1 : 1) / Math.sqrt(square);
        x *= scale;
        y *= scale;
        z *= scale;
        const s =
          x * (vb[start] - va[from]) +
          y * (vb[start + 1] - va[from + 1]) +
          z * (vb[start + 2] - va[from + 2]);
        if (s <= best) continue;
        best = s;
        candidate[0] = x;
        candidate[1] = y;
        candidate[2] = z;
        if (best > limit[0]) {
          i = a.core.edgeCount;
          break;
        }
      }
    }
    // The separation of all vertices is a bound even if rounding took a pair of edges for a face.
    if (best > -Infinity) this.#try(a, b, 1);
  }

  /** The edges that the best axis belongs to. */
  #name(a: PlacedPolytope, b: PlacedPolytope): void {
    const { axis } = this;
    this.edgeOfFirst = supportEdge(a, axis, 1);
    this.edgeOfSecond = supportEdge(b, axis, -1);
  }
}

/** out[place] = min over the vertices v of sign · n·v; n stands at `at` */
function lowest(
  polytope: PlacedPolytope,
  n: Float64Array,
  at: number,
  sign: 1 | -1,
  out: Float64Array,
  place: number,
): void {
  const { vertices } = polytope;
  const end = 3 * polytope.core.vertexCount;
  const x = sign * n[at];
  const y = sign * n[at + 1];
  const z = sign * n[at + 2];
  let least = Infinity;
  for (let k = 0; k < end; k += 3) {
    const value = x * vertices[k] + y * vertices[k + 1] + z * vertices[k + 2];
    if (value < least) least = value;
  }
  out[place] = least;
}

/**
 * The edge that is farthest along a direction that is normal to it. Half a difference of its ends counts
 * against it.
 */
function supportEdge(polytope: PlacedPolytope, n: Float64Array, sign: 1 | -1): number {
  const { vertices, core } = polytope;
  const x = sign * n[0];
  const y = sign * n[1];
  const z = sign * n[2];
  let most = -Infinity;
  let best = -1;
  for (let e = 0; e < core.edgeCount; e++) {
    const p = 3 * core.edges[2 * e];
    const q = 3 * core.edges[2 * e + 1];
    const value = Math.min(
      x * vertices[p] + y * vertices[p + 1] + z * vertices[p + 2],
      x * vertices[q] + y * vertices[q + 1] + z * vertices[q + 2],
    );
    if (value <= most) continue;
    most = value;
    best = e;
  }
  return best;
}

/**
 * Relative to the sizes: an area whose smallest gap is this near the bound reaches it; rounding of clipping.
 */
const REACHED = 1e-11;
/**
 * A face that bounds the distance by this much less than the best axis, relative to the sizes, is not tried
 * as reference.
 */
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

  /**
   * @returns whether the area before the best face of the first (1) or second (2) reaches the bound; else
   *   nothing is added
   */
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
   * Nearest points of the lines of two edges, p + s e and q + t f, from (q + t f − p − s e) ∥
   * n = e × f/|e × f|. @returns whether they are inside both edges and as near as the axis says, or the
   * shapes overlap
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
    // Of a direction that no edges really support the nearest points of the named ones are farther than the
    // bound.
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
   * Whether no axis separates. A single triangle has axes that are not searched, across its sides and below
   * it; what it has not been separated from may still be beside it.
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

/**
 * Name of the part that the vertices of a simplex span: a vertex, the line of two, else the feature that
 * looks along n.
 */
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
