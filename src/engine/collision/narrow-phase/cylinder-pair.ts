/**
 * Contacts of two shapes of which one or both are cylinders, the other a polytope with radius.
 *
 * 1. A first normal, from the distance algorithm when they are apart, from the expanding polytope when they overlap.
 * 2. The parts that can touch near that normal: caps and faces, whose normals are known; rims, sides, edges and vertices, whose nearest
 *    points Newton's method finds. Of all their normals the one is taken that separates most,
 *
 *        s(n) = min_b n·b − max_a n·a,
 *
 *    which is the distance when apart, minus the depth when they overlap, and never more than that for any n. So no candidate can make the
 *    answer wrong, and the right one makes it exact to rounding.
 * 3. The area of contact around it.
 */
import type { ConvexShape, CylinderShape, RoundedShape } from '../shapes/shape';
import type { Polytope } from '../shapes/polytope';
import { ContactArea } from './contact-area';
import { CurvePair } from './curve-pair';
import { NearCurves } from './curves';
import { Epa } from './epa';
import { FeaturePolygon } from './feature-polygon';
import { Gjk, ROUGH } from './gjk';
import type { PairContacts } from './pair-contacts';
import { PlacedCylinder } from './placed-cylinder';
import { NEAR_EDGE, PlacedPolytope } from './placed-polytope';

/** Relative to the sizes: a normal that separates more by less than this is not better. */
const BETTER = 1e-15;

export class CylinderPair {
  readonly #gjk = new Gjk();
  readonly #epa = new Epa();
  readonly #area = new ContactArea();
  readonly #curves = new CurvePair();
  readonly #curvesOfA = new NearCurves();
  readonly #curvesOfB = new NearCurves();
  readonly #feature = new FeaturePolygon();
  readonly #polytopes: readonly PlacedPolytope[];
  readonly #cylinders = [new PlacedCylinder(), new PlacedCylinder()] as const;
  readonly #origin = new Float64Array(3);
  readonly #limit = new Float64Array(1);
  readonly #radii = new Float64Array(2);
  readonly #first = new Float64Array(3);
  readonly #n = new Float64Array(3);
  readonly #candidate = new Float64Array(3);
  readonly #x = new Float64Array(3);
  readonly #y = new Float64Array(3);
  readonly #point = new Float64Array(3);
  readonly #supports = new Float64Array(6);
  /** [0] of the last direction, [1] of the best */
  readonly #separation = new Float64Array(2);
  /** names of the parts of the best */
  #keyOfA = 0;
  #keyOfB = 0;
  /** whether a face of the first (1) or second (2) gave the best normal; 0: curves */
  #faceOf = 0;

  constructor(core: Polytope) {
    this.#polytopes = [new PlacedPolytope(core), new PlacedPolytope(core)];
  }

  collide(
    first: ConvexShape,
    firstFrame: Float64Array,
    firstAt: number,
    second: ConvexShape,
    secondFrame: Float64Array,
    secondAt: number,
    out: PairContacts,
  ): void {
    const a = this.#place(0, first, firstFrame, firstAt, this.#origin);
    const b = this.#place(1, second, secondFrame, secondAt, out.relative);
    this.collidePlaced(a, b, this.#radii, out);
  }

  /** The same of shapes that stand where they stand. */
  collidePlaced(
    a: PlacedCylinder | PlacedPolytope,
    b: PlacedCylinder | PlacedPolytope,
    radii: Float64Array,
    out: PairContacts,
  ): void {
    const limit = this.#limit;
    limit[0] = out.margin[0] + radii[0] + radii[1];
    const known = out.axis;
    const isKnown = known[0] !== 0 || known[1] !== 0 || known[2] !== 0;
    const separation = this.#separation;
    if (isKnown) {
      this.#separate(a, b, known);
      if (separation[0] > limit[0]) return;
    }
    this.#start(a, b);
    const n = this.#n;
    if (!this.#roughNormal(a, b, known)) return;
    separation[1] = -Infinity;
    this.#keep(a, b, n, 0, 0, 0);
    this.#refine(a, b);
    known.set(n);
    if (separation[1] > limit[0]) return;
    this.#add(a, b, radii, out);
  }

  #place(
    slot: 0 | 1,
    shape: ConvexShape,
    frame: Float64Array,
    at: number,
    origin: Float64Array,
  ): PlacedCylinder | PlacedPolytope {
    if (shape.kind === 'cylinder') {
      this.#radii[slot] = 0;
      return this.#placeCylinder(slot, shape, frame, at, origin);
    }
    this.#radii[slot] = shape.radius;
    return this.#placePolytope(slot, shape, frame, at, origin);
  }

  #placeCylinder(
    slot: 0 | 1,
    shape: CylinderShape,
    frame: Float64Array,
    at: number,
    origin: Float64Array,
  ): PlacedCylinder {
    const placed = this.#cylinders[slot];
    placed.place(shape, frame, at, origin);
    return placed;
  }

  #placePolytope(
    slot: 0 | 1,
    shape: RoundedShape,
    frame: Float64Array,
    at: number,
    origin: Float64Array,
  ): PlacedPolytope {
    const placed = this.#polytopes[slot];
    placed.place(shape.core, frame, at, origin);
    return placed;
  }

  /**
   * The direction to begin with, between points of the two. What the pair remembers would be nearer, but then the last bits of contacts
   * would depend on the steps before.
   */
  #start(a: PlacedCylinder | PlacedPolytope, b: PlacedCylinder | PlacedPolytope): void {
    const first = this.#first;
    const s = this.#supports;
    first[0] = 1;
    first[1] = 0;
    first[2] = 0;
    a.support(first, 1, s, 0);
    b.support(first, 1, s, 3);
    const distance = Math.sqrt((s[3] - s[0]) ** 2 + (s[4] - s[1]) ** 2 + (s[5] - s[2]) ** 2);
    if (distance > 0) for (let k = 0; k < 3; k++) first[k] = s[3 + k] - s[k];
  }

  /**
   * Leaves a normal in `n`, points of both shapes near the contact in `x` and `y`.
   * @param known takes a direction that separates shapes that are too far apart
   * @returns false of those
   */
  #roughNormal(
    a: PlacedCylinder | PlacedPolytope,
    b: PlacedCylinder | PlacedPolytope,
    known: Float64Array,
  ): boolean {
    const gjk = this.#gjk;
    const n = this.#n;
    const status = gjk.run(a, b, this.#first, this.#limit, ROUGH);
    if (status === 'overlapping' && this.#epa.run(a, b, gjk.simplex)) {
      n.set(this.#epa.normal);
      this.#x.set(this.#epa.pointOfFirst);
      this.#separate(a, b, n);
      for (let k = 0; k < 3; k++) this.#y[k] = this.#x[k] + this.#separation[0] * n[k];
      return true;
    }
    const { v, simplex } = gjk;
    const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (let k = 0; k < 3; k++) n[k] = v[k] / length;
    if (status === 'beyond') {
      known.set(n);
      return false;
    }
    simplex.witness(simplex.a, this.#x);
    simplex.witness(simplex.b, this.#y);
    return true;
  }

  /** s(n), in `separation[0]`. */
  #separate(a: PlacedCylinder | PlacedPolytope, b: PlacedCylinder | PlacedPolytope, n: Float64Array): void {
    const s = this.#supports;
    a.support(n, 1, s, 0);
    b.support(n, -1, s, 3);
    this.#separation[0] = n[0] * (s[3] - s[0]) + n[1] * (s[4] - s[1]) + n[2] * (s[5] - s[2]);
  }

  /** Takes the direction if it separates more than the best so far. */
  #keep(
    a: PlacedCylinder | PlacedPolytope,
    b: PlacedCylinder | PlacedPolytope,
    n: Float64Array,
    faceOf: number,
    keyOfA: number,
    keyOfB: number,
  ): boolean {
    this.#separate(a, b, n);
    const separation = this.#separation;
    const isRough = this.#keyOfA === 0 && this.#keyOfB === 0 && this.#faceOf === 0;
    // The first normal only starts: as good to rounding, a part that has a name replaces it.
    const allowance = isRough
      ? 1e3 * BETTER * (a.extent[0] + b.extent[0])
      : -BETTER * (a.extent[0] + b.extent[0]);
    if (!(separation[0] > separation[1] - allowance) && separation[1] > -Infinity) return false;
    separation[1] = separation[0];
    this.#n.set(n);
    this.#faceOf = faceOf;
    this.#keyOfA = keyOfA;
    this.#keyOfB = keyOfB;
    return true;
  }

  #refine(a: PlacedCylinder | PlacedPolytope, b: PlacedCylinder | PlacedPolytope): void {
    const rough = this.#first;
    rough.set(this.#n);
    const candidate = this.#candidate;
    for (let of = 1; of <= 2; of++) {
      const sign = of === 1 ? 1 : -1;
      const feature = this.#feature;
      (of === 1 ? a : b).feature(rough, sign, feature);
      if (!feature.isFace) continue;
      for (let k = 0; k < 3; k++) candidate[k] = sign * feature.normal[k];
      const key = feature.key;
      this.#keep(a, b, candidate, of, of === 1 ? key : 0, of === 2 ? key : 0);
    }
    nearCurves(a, rough, 1, this.#curvesOfA);
    nearCurves(b, rough, -1, this.#curvesOfB);
    for (let i = 0; i < this.#curvesOfA.count; i++) {
      for (let j = 0; j < this.#curvesOfB.count; j++) {
        const p = this.#curvesOfA.list[i];
        const q = this.#curvesOfB.list[j];
        if (!this.#curves.solve(p, q, this.#x, this.#y, rough)) continue;
        if (!this.#keep(a, b, this.#curves.normal, 0, p.key, q.key)) continue;
        for (let k = 0; k < 3; k++) this.#point[k] = p.position[k] + p.tube[0] * this.#n[k];
      }
    }
  }

  #add(
    a: PlacedCylinder | PlacedPolytope,
    b: PlacedCylinder | PlacedPolytope,
    radii: Float64Array,
    out: PairContacts,
  ): void {
    const n = this.#n;
    const separation = this.#separation[1];
    const point = this.#point;
    const isNamed = this.#keyOfA !== 0 || this.#keyOfB !== 0;
    if (this.#faceOf !== 0 || !isNamed) this.#pointOnFace(a, b, separation);
    const from = out.count;
    const at = out.add(this.#keyOfA, this.#keyOfB);
    out.values[at] = separation - radii[0] - radii[1];
    for (let k = 0; k < 3; k++) {
      out.values[at + 1 + k] = n[k];
      out.values[at + 4 + k] = point[k] + radii[0] * n[k];
    }
    out.complete(at);
    this.#area.around(a, b, n, radii, from, out);
  }

  /** Before a face the point is where the other shape is foremost; before a parallel face it is the one that was found first. */
  #pointOnFace(
    a: PlacedCylinder | PlacedPolytope,
    b: PlacedCylinder | PlacedPolytope,
    separation: number,
  ): void {
    const n = this.#n;
    const s = this.#supports;
    const point = this.#point;
    const other = this.#faceOf === 2 ? a : b;
    const feature = this.#feature;
    other.feature(n, this.#faceOf === 2 ? 1 : -1, feature);
    const keyOfA = a.support(n, 1, s, 0);
    const keyOfB = b.support(n, -1, s, 3);
    if (this.#faceOf === 2) this.#keyOfA = keyOfA;
    if (this.#faceOf === 1) this.#keyOfB = keyOfB;
    const isPoint = feature.count === 1 && this.#faceOf !== 0;
    for (let k = 0; k < 3; k++) {
      if (!isPoint) point[k] = this.#x[k];
      else if (this.#faceOf === 2) point[k] = s[k];
      else point[k] = s[3 + k] - separation * n[k];
    }
    if (isPoint) return;
    // Onto the supporting plane of the first shape.
    let off = 0;
    for (let k = 0; k < 3; k++) off += n[k] * (s[k] - point[k]);
    for (let k = 0; k < 3; k++) point[k] += off * n[k];
  }
}

function nearCurves(
  shape: PlacedCylinder | PlacedPolytope,
  n: Float64Array,
  sign: 1 | -1,
  out: NearCurves,
): void {
  if (shape instanceof PlacedCylinder) out.ofCylinder(shape, n, sign, NEAR_EDGE);
  else out.ofPolytope(shape, n, sign, NEAR_EDGE);
}
