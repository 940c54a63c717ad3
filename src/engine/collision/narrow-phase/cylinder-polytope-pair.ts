/**
 * Contacts of a polytope with radius, the first shape, and a cylinder, the second: the axis that separates
 * best (below), the points that it belongs to, and the area around them.
 */
import type { Polytope } from '../shapes/polytope';
import type { CylinderShape, RoundedShape } from '../shapes/shape';
import { ContactArea, isInFace, nearestInFeature } from './contact-area';
import { LineCylinder } from './cylinder-lines';
import { FeaturePolygon, edgeKey, faceKey, vertexKey } from './feature-polygon';
import type { PairContacts } from './pair-contacts';
import { CYLINDER_KEYS, PlacedCylinder } from './placed-cylinder';
import { NEAR_FACE, PlacedPolytope } from './placed-polytope';

/*
 * The best separating axis of a polytope and a cylinder. The separation along a unit vector n from the
 * polytope to the cylinder,
 *
 *     s(n) = min_{cylinder} n·x − max_{polytope} n·x = n·c − h |n·a| − R |n × a| − max_v n·v,
 *
 * is never more than the distance of the two. Its maximum is the distance where they are apart, minus the
 * depth where they overlap, and is at one of finitely many directions:
 *
 *   - the normal of a face, and the cylinder's axis either way;
 *   - across an edge, where the edge's line and the cylinder are nearest (`cylinder-lines.ts`);
 *   - along the line from a vertex to the nearest point of the cylinder. Where they are apart it can only be
 *     the vertex nearest to the cylinder; where they overlap it is a vertex inside, straight out through the
 *     side, because the boundary of the Minkowski difference has no edge or corner where it is nearest to a
 *     point inside.
 *
 * Every direction is measured against all vertices before it is taken, so that a wrong one cannot win. What
 * is tried first, and what is left out, only saves time: the normals across an edge are between those of its
 * two faces, which tells most edges from the slope of the separation at these.
 */

/** What separates best. */
const CAP = 0;
const FACE = 1;
const EDGE_AND_SIDE = 2;
const EDGE_AND_RIM = 3;
const VERTEX = 4;
/**
 * Relative to the sizes: what a direction must be better by than those of flat faces, which rounding is not
 * to tip.
 */
const SEPARATION_TIE = 1e-14;

class CylinderAxes {
  kind = CAP;
  /** the cap, face, edge or vertex that separates best */
  index = 0;
  /** unit vector from the polytope to the cylinder */
  readonly axis = new Float64Array(3);
  /** [0] the best separation; [1] the last one measured; [2] what one must be better by, m */
  readonly separation = new Float64Array(3);
  readonly line = new LineCylinder();
  /** of the kind `EDGE_AND_RIM`: the point of the rim, from the centre of the cylinder, m */
  readonly rim = new Float64Array(3);
  /** [0] of the last vertex; [1] of the nearest one outside */
  readonly #distance = new Float64Array(2);
  readonly #n = new Float64Array(3);
  readonly #e = new Float64Array(3);
  readonly #d = new Float64Array(3);
  /** across the edge and out of its first and of its second face, in the plane of each */
  readonly #out = [new Float64Array(3), new Float64Array(3)] as const;

  /** s(n), in `separation[1]`. */
  along(polytope: PlacedPolytope, cylinder: PlacedCylinder, n: Float64Array): void {
    const { vertices, core } = polytope;
    const end = 3 * core.vertexCount;
    const x = n[0];
    const y = n[1];
    const z = n[2];
    let most = -Infinity;
    for (let k = 0; k < end; k += 3) {
      const value = x * vertices[k] + y * vertices[k + 1] + z * vertices[k + 2];
      if (value > most) most = value;
    }
    this.#lowest(cylinder, n);
    this.separation[1] -= most;
  }

  /**
   * Searches until an axis separates by more than `limit[0]`; then that is the answer.
   * @param limit m
   */
  search(polytope: PlacedPolytope, cylinder: PlacedCylinder, limit: Float64Array): void {
    const { separation } = this;
    separation[0] = -Infinity;
    separation[2] = 0;
    this.#caps(polytope, cylinder);
    if (separation[0] <= limit[0]) this.#faces(polytope, cylinder, limit);
    separation[2] = SEPARATION_TIE * (polytope.extent[0] + cylinder.extent[0]);
    if (separation[0] <= limit[0]) this.#vertices(polytope, cylinder);
    if (separation[0] <= limit[0]) this.#edges(polytope, cylinder);
  }

  #caps(polytope: PlacedPolytope, cylinder: PlacedCylinder): void {
    const n = this.#n;
    for (let cap = 0; cap < 2; cap++) {
      // A cap looks out of the cylinder, n into it.
      const sign = cap === 1 ? -1 : 1;
      for (let k = 0; k < 3; k++) n[k] = sign * cylinder.axis[k];
      this.along(polytope, cylinder, n);
      this.#keep(n, CAP, cap);
    }
  }

  #faces(polytope: PlacedPolytope, cylinder: PlacedCylinder, limit: Float64Array): void {
    const { separation } = this;
    const { core, normals, vertices } = polytope;
    const n = this.#n;
    // A single face has an outside on either side.
    const sides = core.faceCount === 1 ? 2 : 1;
    for (let f = 0; f < core.faceCount && separation[0] <= limit[0]; f++) {
      const v = 3 * core.faceVertices[core.faceStart[f]];
      for (let side = 0; side < sides; side++) {
        for (let k = 0; k < 3; k++) n[k] = side === 0 ? normals[3 * f + k] : -normals[3 * f + k];
        this.#lowest(cylinder, n);
        separation[1] -= n[0] * vertices[v] + n[1] * vertices[v + 1] + n[2] * vertices[v + 2];
        this.#keep(n, FACE, f);
      }
    }
  }

  #vertices(polytope: PlacedPolytope, cylinder: PlacedCylinder): void {
    const { core, vertices } = polytope;
    const { separation } = this;
    const n = this.#n;
    const distance = this.#distance;
    distance[1] = Infinity;
    let nearest = -1;
    for (let v = 0; v < core.vertexCount; v++) {
      this.#toCylinder(vertices, 3 * v, cylinder);
      if (distance[0] > 0) {
        if (distance[0] >= distance[1]) continue;
        distance[1] = distance[0];
        nearest = v;
      } else if (distance[0] > separation[0] + separation[2]) {
        this.along(polytope, cylinder, n);
        this.#keep(n, VERTEX, v);
      }
    }
    // No separation is more than the distance of a vertex.
    if (nearest < 0 || distance[1] <= separation[0] + separation[2]) return;
    this.#toCylinder(vertices, 3 * nearest, cylinder);
    this.along(polytope, cylinder, n);
    this.#keep(n, VERTEX, nearest);
  }

  /**
   * Leaves in #n the direction from a point to the nearest point of the cylinder, of a point inside that to
   * the side; and in `#distance[0]` the distance, of a point inside minus the depth below the side.
   */
  #toCylinder(points: Float64Array, at: number, { axis, centre, sizes }: PlacedCylinder): void {
    const n = this.#n;
    for (let k = 0; k < 3; k++) n[k] = points[at + k] - centre[k];
    const z = n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2];
    for (let k = 0; k < 3; k++) n[k] -= z * axis[k];
    // Once more: what is left of a vector nearly along the axis is not across it.
    const rest = n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2];
    for (let k = 0; k < 3; k++) n[k] -= rest * axis[k];
    const rho = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const beside = rho - sizes[0];
    const above = Math.abs(z) - sizes[1];
    if (above > 0 && beside <= 0) {
      for (let k = 0; k < 3; k++) n[k] = z < 0 ? axis[k] : -axis[k];
      this.#distance[0] = above;
    } else if (above <= 0) {
      // On the axis every direction across it is as good as another, and those of faces and edges have their
      // turn.
      this.#distance[0] = rho > 0 ? beside : -Infinity;
      for (let k = 0; k < 3; k++) n[k] = -n[k] / rho;
    } else {
      const distance = Math.sqrt(beside * beside + above * above);
      const across = beside / (rho * distance);
      const along = (z < 0 ? -above : above) / distance;
      for (let k = 0; k < 3; k++) n[k] = -across * n[k] - along * axis[k];
      this.#distance[0] = distance;
    }
  }

  #edges(polytope: PlacedPolytope, cylinder: PlacedCylinder): void {
    const { core, vertices } = polytope;
    const { separation, line } = this;
    const e = this.#e;
    const d = this.#d;
    const isSolid = core.edgeFaces.length > 0;
    for (let edge = 0; edge < core.edgeCount; edge++) {
      const from = 3 * core.edges[2 * edge];
      const to = 3 * core.edges[2 * edge + 1];
      let square = 0;
      for (let k = 0; k < 3; k++) {
        d[k] = cylinder.centre[k] - vertices[from + k];
        e[k] = vertices[to + k] - vertices[from + k];
        square += e[k] * e[k];
      }
      const length = Math.sqrt(square);
      for (let k = 0; k < 3; k++) e[k] /= length;
      line.place(d, e, cylinder);
      line.value[1] = separation[0] + separation[2];
      if (isSolid) this.#outwards(polytope, edge);
      const atCap = line.isParallel() ? EDGE_AND_SIDE : EDGE_AND_RIM;
      if (!(isSolid && line.isOutside() && this.#isAway(polytope, edge))) {
        if (line.side(1)) this.#try(polytope, cylinder, edge, EDGE_AND_SIDE);
        if (line.cap(1)) this.#try(polytope, cylinder, edge, atCap);
      }
      // Of an edge that has gone through the cylinder: the far side.
      if (line.side(-1)) this.#try(polytope, cylinder, edge, EDGE_AND_SIDE);
      if (line.cap(-1)) this.#try(polytope, cylinder, edge, atCap);
    }
  }

  /** Leaves min n·x over the cylinder in `separation[1]`; n is a unit vector. */
  #lowest({ axis: a, centre: c, sizes }: PlacedCylinder, n: Float64Array): void {
    const x = a[1] * n[2] - a[2] * n[1];
    const y = a[2] * n[0] - a[0] * n[2];
    const z = a[0] * n[1] - a[1] * n[0];
    const along = n[0] * a[0] + n[1] * a[1] + n[2] * a[2];
    this.separation[1] =
      n[0] * c[0] +
      n[1] * c[1] +
      n[2] * c[2] -
      sizes[1] * Math.abs(along) -
      sizes[0] * Math.sqrt(x * x + y * y + z * z);
  }

  #outwards(polytope: PlacedPolytope, edge: number): void {
    const { core, normals } = polytope;
    const e = this.#e;
    for (let side = 0; side < 2; side++) {
      const m = 3 * core.edgeFaces[2 * edge + side];
      const out = this.#out[side];
      // The first face has the edge in its own direction, counterclockwise; the second against it.
      const sign = side === 0 ? 1 : -1;
      out[0] = sign * (e[1] * normals[m + 2] - e[2] * normals[m + 1]);
      out[1] = sign * (e[2] * normals[m] - e[0] * normals[m + 2]);
      out[2] = sign * (e[0] * normals[m + 1] - e[1] * normals[m]);
    }
  }

  /**
   * Whether the best normal across the line of an edge is not between those of its faces: from one of them
   * the separation decreases towards the other. Up to a right angle from the best normal it always increases
   * towards it, since
   *
   *     t·x ≥ s* sin β > 0 for t = (n* − n cos β)/sin β, x the point of the shadow that is foremost along n,
   *     n·x ≤ n·s*n*.
   */
  #isAway(polytope: PlacedPolytope, edge: number): boolean {
    const { core, normals } = polytope;
    const first = 3 * core.edgeFaces[2 * edge];
    const second = 3 * core.edgeFaces[2 * edge + 1];
    let cosine = 0;
    for (let k = 0; k < 3; k++) cosine += normals[first + k] * normals[second + k];
    if (cosine < 0) return false;
    const n = this.#n;
    for (let k = 0; k < 3; k++) n[k] = normals[first + k];
    if (this.line.isFalling(n, this.#out[0])) return true;
    for (let k = 0; k < 3; k++) n[k] = normals[second + k];
    return this.line.isFalling(n, this.#out[1]);
  }

  /** Takes the candidate of an edge if it is between the normals of its faces and better. */
  #try(
    polytope: PlacedPolytope,
    cylinder: PlacedCylinder,
    edge: number,
    kind: typeof EDGE_AND_SIDE | typeof EDGE_AND_RIM,
  ): void {
    const n = this.line.normal;
    if (polytope.core.edgeFaces.length > 0) {
      const first = this.#out[0];
      const second = this.#out[1];
      if (n[0] * first[0] + n[1] * first[1] + n[2] * first[2] < -BETWEEN) return;
      if (n[0] * second[0] + n[1] * second[1] + n[2] * second[2] < -BETWEEN) return;
    }
    this.along(polytope, cylinder, n);
    if (!this.#keep(n, kind, edge)) return;
    this.line.value[1] = this.separation[0] + this.separation[2];
    if (kind === EDGE_AND_RIM) this.line.rimPoint(cylinder, this.rim);
  }

  /** Takes a direction whose separation has been measured, if it is better. */
  #keep(n: Float64Array, kind: number, index: number): boolean {
    const { separation, axis } = this;
    if (separation[1] <= separation[0] + separation[2]) return false;
    separation[0] = separation[1];
    for (let k = 0; k < 3; k++) axis[k] = n[k];
    this.kind = kind;
    this.index = index;
    return true;
  }
}

/**
 * Sine of an angle, rad: a normal this little beyond that of a face is still one of the edge. Only what is
 * surely not is left out.
 */
const BETWEEN = 1e-6;

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
   * Whether #point is beyond the ends of the edge. Of an edge nearly level with the cap rounding decides
   * which of its points, and which of the edges of a face, separates best.
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

  /**
   * Of a cap that lies on a face level to rounding any point is foremost: the one is taken that is in the
   * face too.
   */
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

  /**
   * Of a face or an edge that lies on a cap level to rounding any point is foremost: the one is taken that is
   * nearest to the middle.
   */
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
