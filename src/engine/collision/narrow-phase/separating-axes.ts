/**
 * Separating axes of two polytopes. For a unit vector n the separation
 *
 *     s(n) = min_b n·b − max_a n·a
 *
 * is never more than the distance of the two, whatever n is; its maximum over all n is the distance when they are apart, and minus the
 * depth of penetration when they overlap. When they overlap, and when a face or two crossing edges are nearest, the maximum is at the
 * normal of a face or at the cross product of two edges (S. Gottschalk et al., 1996, doi:10.1145/237170.237244), and these are searched. Where
 * vertices are nearest to vertices or edges it is elsewhere, and the best found is a lower bound.
 *
 * Two edges form a face of the Minkowski difference exactly when their arcs on the Gauss map cross (D. Gregorius, "The separating axis test
 * between convex polyhedra", 2013). With many edges this is tested first; with few directions it is cheaper to project everything.
 */
import type { PlacedPolytope } from './placed-polytope';

/** What separates: a face of the first, a face of the second, an edge of each. */
export const FACE_OF_FIRST = 0;
export const FACE_OF_SECOND = 1;
export const EDGES = 2;
/** Edges at a smaller angle than this, rad, have no cross product to speak of; faces separate there as well as it would, nearly. */
const PARALLEL = 1e-8;
/** Relative to the sizes: what an axis of edges must be better by than a face, so that rounding does not choose it. */
const TIE = 1e-12;
/** Weight of a pair of edges on the Gauss map against a projected vertex, in operations. */
const GAUSS_COST = 8;

export class SeparatingAxes {
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
    const tie = TIE * (a.extent[0] + b.extent[0]);
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

  /** Pairs of edges whose arcs cross: n and m are the normals beside an edge of the first, p and q minus those of the second. */
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

/** The edge that is farthest along a direction that is normal to it. Half a difference of its ends counts against it. */
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
