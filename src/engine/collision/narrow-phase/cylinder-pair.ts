/**
 * Contacts of two cylinders: the axis that separates best (below), the points that it belongs to, and the
 * area around them.
 *
 * Directions with a closed form are measured first. Where one of them gives points that are in both shapes,
 * at the distance that it separates them by, that is the distance. Otherwise two rims may be nearest. Where
 * they are, roughly, the distance algorithm says; Newton's method does the rest. When the cylinders overlap a
 * little, or are so near that the direction between them is rounding, the algorithm is given thinner ones
 * about the same axes, which are apart, and its answer is one only; when they overlap deeply the expanding
 * polytope looks everywhere. No direction separates more than the distance, so that what was found roughly
 * cannot make the answer wrong.
 *
 * Of an overlap by δ with flat contact no search is needed either. The Minkowski difference then has a disc
 * of radius ρ on its boundary about the point that is nearest to the origin, and a ball of radius r about d,
 * the sum of the inner ones of both. Along n, at the angle β from the normal, the disc alone reaches beyond δ
 * when tan(β/2) < ρ/δ, and for the rest of the directions the ball does when
 *
 *     − n₀·d cos γ + |d| sin γ − r ≤ −δ,    γ = 2 atan(δ/ρ).
 */
import type { CylinderShape } from '../shapes/shape';
import { ContactArea, nearestInFeature } from './contact-area';
import { LineCylinder, RimPair } from './cylinder-lines';
import { Epa } from './epa';
import { FeaturePolygon } from './feature-polygon';
import { COARSE, Gjk, ROUGH } from './gjk';
import type { PairContacts } from './pair-contacts';
import { CYLINDER_KEYS, PlacedCylinder } from './placed-cylinder';
import { NEAR_EDGE } from './placed-polytope';

/*
 * The best separating axis of two cylinders. The separation along a unit vector n from the first to the
 * second, with d from centre to centre,
 *
 *     s(n) = n·d − h |n·a| − R |n × a| − k |n·b| − Q |n × b|,
 *
 * is never more than their distance, and its maximum is the distance when they are apart, minus the depth
 * when they overlap. It is at
 *
 *   - an axis, either way: a cap touches;
 *   - a direction across an axis: the side of that cylinder touches the side or the rim of the other. The
 *     side is the axis as a line, with the radius as a tube: `cylinder-lines.ts` has these;
 *   - elsewhere: two rims touch. Of parallel axes n is in the plane of both, in closed form. Otherwise
 *     `cylinder-lines.ts` finds it from points nearby, which the caller has to supply.
 */

/**
 * What separates best: a cap of the first or of the second, both sides, the side of one with the rim of the
 * other, both rims.
 */
const CAP_OF_FIRST = 0;
const CAP_OF_SECOND = 1;
const SIDES = 2;
const SIDE_OF_FIRST = 3;
const SIDE_OF_SECOND = 4;
const RIMS = 5;
/**
 * Relative to the sizes: what a direction must be better by than one that was tried before it; caps are tried
 * first.
 */
const SEPARATION_TIE = 1e-14;
/** Sine of an angle, rad: axes this nearly parallel are. */
const PARALLEL = 1e-12;

class CylinderPairAxes {
  kind = CAP_OF_FIRST;
  isParallel = false;
  /** unit vector from the first to the second */
  readonly axis = new Float64Array(3);
  /** [0] the best separation; [1] the last one measured; [2] what one must be better by, m */
  readonly separation = new Float64Array(3);
  /**
   * of the rim that touches, where one does: the point on the first of `SIDE_OF_SECOND` and `RIMS`, on the
   * second of `SIDE_OF_FIRST`
   */
  readonly point = new Float64Array(3);
  readonly line = new LineCylinder();
  readonly #rims = new RimPair();
  readonly #n = new Float64Array(3);
  readonly #d = new Float64Array(3);

  /** s(n), in `separation[1]`. */
  along(a: PlacedCylinder, b: PlacedCylinder, n: Float64Array): void {
    const { separation } = this;
    separation[1] = 0;
    for (let k = 0; k < 3; k++) separation[1] += n[k] * (b.centre[k] - a.centre[k]);
    for (let side = 0; side < 2; side++) {
      const { axis, sizes } = side === 0 ? a : b;
      const x = axis[1] * n[2] - axis[2] * n[1];
      const y = axis[2] * n[0] - axis[0] * n[2];
      const z = axis[0] * n[1] - axis[1] * n[0];
      const along = n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2];
      separation[1] -= sizes[1] * Math.abs(along) + sizes[0] * Math.sqrt(x * x + y * y + z * z);
    }
  }

  /** All directions but those of rims of axes that are not parallel. */
  search(a: PlacedCylinder, b: PlacedCylinder): void {
    const { separation } = this;
    separation[0] = -Infinity;
    separation[2] = SEPARATION_TIE * (a.extent[0] + b.extent[0]);
    const n = this.#n;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const j = (k + 1) % 3;
      const l = (k + 2) % 3;
      square += (a.axis[j] * b.axis[l] - a.axis[l] * b.axis[j]) ** 2;
    }
    this.isParallel = square <= PARALLEL * PARALLEL;
    for (let side = 0; side < 4; side++) {
      const { axis } = side < 2 ? a : b;
      for (let k = 0; k < 3; k++) n[k] = side % 2 === 0 ? axis[k] : -axis[k];
      this.along(a, b, n);
      this.#keep(n, side < 2 ? CAP_OF_FIRST : CAP_OF_SECOND);
    }
    if (this.isParallel) this.#parallel(a, b);
    else {
      this.#side(a, b, SIDE_OF_FIRST);
      this.#side(b, a, SIDE_OF_SECOND);
    }
  }

  /**
   * Both together are one cylinder of both radii and half heights, and the difference of the centres a point
   * beside it.
   */
  #parallel(a: PlacedCylinder, b: PlacedCylinder): void {
    const n = this.#n;
    let along = 0;
    for (let k = 0; k < 3; k++) {
      n[k] = b.centre[k] - a.centre[k];
      along += n[k] * a.axis[k];
    }
    for (let k = 0; k < 3; k++) n[k] -= along * a.axis[k];
    let rest = 0;
    for (let k = 0; k < 3; k++) rest += n[k] * a.axis[k];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      n[k] -= rest * a.axis[k];
      square += n[k] * n[k];
    }
    const rho = Math.sqrt(square);
    for (let k = 0; k < 3; k++) n[k] = rho > 0 ? n[k] / rho : a.zero[k];
    this.along(a, b, n);
    this.#keep(n, SIDES);
    const beside = rho - a.sizes[0] - b.sizes[0];
    const above = Math.abs(along) - a.sizes[1] - b.sizes[1];
    if (beside <= 0 || above <= 0) return;
    const cap = along < 0 ? -1 : 1;
    const distance = Math.sqrt(beside * beside + above * above);
    for (let k = 0; k < 3; k++) {
      this.#d[k] = a.centre[k] + cap * a.sizes[1] * a.axis[k] + a.sizes[0] * n[k];
      n[k] = (beside * n[k] + cap * above * a.axis[k]) / distance;
    }
    this.along(a, b, n);
    if (this.#keep(n, RIMS)) this.point.set(this.#d);
  }

  /** Directions across the axis of `own`, which is the line. */
  #side(
    own: PlacedCylinder,
    other: PlacedCylinder,
    kind: typeof SIDE_OF_FIRST | typeof SIDE_OF_SECOND,
  ): void {
    const { line, separation } = this;
    const d = this.#d;
    for (let k = 0; k < 3; k++) d[k] = other.centre[k] - own.centre[k];
    line.place(d, own.axis, other);
    line.value[1] = separation[0] + separation[2] + own.sizes[0];
    for (let which = 1; which >= -1; which -= 2) {
      const sign = which === 1 ? 1 : -1;
      if (line.side(sign)) this.#try(own, other, SIDES, kind);
      if (line.cap(sign)) this.#try(own, other, kind, kind);
    }
  }

  #try(own: PlacedCylinder, other: PlacedCylinder, kind: number, line: number): void {
    const n = this.#n;
    const isFirst = line === SIDE_OF_FIRST;
    for (let k = 0; k < 3; k++) n[k] = isFirst ? this.line.normal[k] : -this.line.normal[k];
    this.along(isFirst ? own : other, isFirst ? other : own, n);
    if (!this.#keep(n, kind)) return;
    this.line.value[1] = this.separation[0] + this.separation[2] + own.sizes[0];
    if (kind === SIDES) return;
    this.line.rimPoint(other, this.point);
    for (let k = 0; k < 3; k++) this.point[k] += other.centre[k];
  }

  /**
   * Two rims near points x of the first and y of the second. Nearly across an axis, rounding decides which of
   * its caps is foremost.
   * @param near unit vector that the normal is near
   */
  rims(a: PlacedCylinder, b: PlacedCylinder, x: Float64Array, y: Float64Array, near: Float64Array): void {
    let ofA = 0;
    let ofB = 0;
    for (let k = 0; k < 3; k++) {
      ofA += near[k] * a.axis[k];
      ofB -= near[k] * b.axis[k];
    }
    const rims = this.#rims;
    for (let i = 0; i < 2; i++) {
      if (i === 1 && Math.abs(ofA) > NEAR_EDGE) break;
      for (let j = 0; j < 2; j++) {
        if (j === 1 && Math.abs(ofB) > NEAR_EDGE) break;
        const capOfA = ofA >= 0 ? 1 - i : i;
        const capOfB = ofB >= 0 ? 1 - j : j;
        if (!rims.solve(a, capOfA, b, capOfB, x, y, near)) continue;
        this.along(a, b, rims.normal);
        if (this.#keep(rims.normal, RIMS)) this.point.set(rims.first.position);
      }
    }
  }

  /** Takes a direction whose separation has been measured, if it is better. */
  #keep(n: Float64Array, kind: number): boolean {
    const { separation, axis } = this;
    if (separation[1] <= separation[0] + separation[2]) return false;
    separation[0] = separation[1];
    for (let k = 0; k < 3; k++) axis[k] = n[k];
    this.kind = kind;
    return true;
  }
}

/** Relative to the sizes: a point this little outside a cylinder is on it. */
const ON_IT = 1e-12;
/** Of the thinner cylinder: with overlaps up to this, thinner cylinders are looked at. */
const SHALLOW = 0.1;
/** Of the thinner cylinder: and with gaps up to this. Far enough apart the algorithm needs few steps. */
const CLOSE_GAP_OF_RADIUS = 0.05;
/** Of the thinner cylinder: what both are made thinner by. */
const THINNER_RATIO = 0.3;
/** ρ/δ of a flat contact; γ is 2 atan(1/10). */
const FLAT_CONTACT_RATIO = 10;
const COS = (FLAT_CONTACT_RATIO * FLAT_CONTACT_RATIO - 1) / (FLAT_CONTACT_RATIO * FLAT_CONTACT_RATIO + 1);
const SIN = (2 * FLAT_CONTACT_RATIO) / (FLAT_CONTACT_RATIO * FLAT_CONTACT_RATIO + 1);
const ALL = Float64Array.of(Infinity);

export class CylinderPair {
  readonly #axes = new CylinderPairAxes();
  readonly #gjk = new Gjk();
  readonly #epa = new Epa();
  readonly #area = new ContactArea();
  readonly #feature = new FeaturePolygon();
  readonly #a = new PlacedCylinder();
  readonly #b = new PlacedCylinder();
  readonly #thinA = new PlacedCylinder();
  readonly #thinB = new PlacedCylinder();
  readonly #origin = new Float64Array(3);
  readonly #radii = new Float64Array(2);
  readonly #near = new Float64Array(3);
  readonly #x = new Float64Array(3);
  readonly #y = new Float64Array(3);
  readonly #point = new Float64Array(3);
  readonly #other = new Float64Array(3);
  readonly #centre = new Float64Array(3);
  /** [0] what the thinner cylinders are thinner by; [1] clearance of a flat contact, m; [2] z on the axis */
  readonly #work = new Float64Array(3);

  collide(
    first: CylinderShape,
    firstFrame: Float64Array,
    firstAt: number,
    second: CylinderShape,
    secondFrame: Float64Array,
    secondAt: number,
    out: PairContacts,
  ): void {
    const a = this.#a;
    const b = this.#b;
    const axes = this.#axes;
    const { separation, axis: n } = axes;
    a.place(first, firstFrame, firstAt, this.#origin);
    b.place(second, secondFrame, secondAt, out.relative);
    const known = out.axis;
    if (known[0] !== 0 || known[1] !== 0 || known[2] !== 0) {
      axes.along(a, b, known);
      if (separation[1] > out.margin[0]) return;
    }
    axes.search(a, b);
    if (separation[0] <= out.margin[0]) {
      this.#touch(a, b);
      if (!axes.isParallel && !this.#isProved(a, b)) this.#rims(a, b, out.margin);
    }
    known.set(n);
    if (separation[0] > out.margin[0]) return;
    const from = out.count;
    const at = out.add(
      this.#keyOf(a, 1, CAP_OF_FIRST, SIDE_OF_FIRST),
      this.#keyOf(b, -1, CAP_OF_SECOND, SIDE_OF_SECOND),
    );
    out.values[at] = separation[0];
    for (let k = 0; k < 3; k++) {
      out.values[at + 1 + k] = n[k];
      out.values[at + 4 + k] = this.#point[k];
    }
    out.complete(at);
    this.#area.around(a, b, n, this.#radii, from, out);
  }

  /** Name of the part of a cylinder that touches. */
  #keyOf(cylinder: PlacedCylinder, sign: 1 | -1, ofCap: number, ofSide: number): number {
    const { kind, axis } = this.#axes;
    if (kind === SIDES || kind === ofSide) return CYLINDER_KEYS.side;
    const rim = cylinder.support(axis, sign, this.#x, 0);
    if (kind !== ofCap) return rim;
    let along = 0;
    for (let k = 0; k < 3; k++) along += sign * axis[k] * cylinder.axis[k];
    return CYLINDER_KEYS.cap(along > 0 ? 1 : 0);
  }

  /** Whether the touching points are points of both: no direction nearby separates more. */
  #isTouching(a: PlacedCylinder, b: PlacedCylinder): boolean {
    const size = a.extent[0] + b.extent[0];
    return outside(a, this.#point) <= ON_IT * size && outside(b, this.#other) <= ON_IT * size;
  }

  /** Whether the touching points prove the separation, so that nothing else needs to be looked at. */
  #isProved(a: PlacedCylinder, b: PlacedCylinder): boolean {
    if (!this.#isTouching(a, b)) return false;
    const { separation, axis: n } = this.#axes;
    if (separation[0] >= 0) return true;
    this.#clearance(a, b);
    if (this.#work[1] < -FLAT_CONTACT_RATIO * separation[0]) return false;
    let along = 0;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const d = b.centre[k] - a.centre[k];
      along += n[k] * d;
      square += d * d;
    }
    return -along * COS + Math.sqrt(square) * SIN - thickness(a) - thickness(b) <= separation[0];
  }

  /**
   * Radius of a disc about the touching point on the boundary of the Minkowski difference, in `#work[1]`;
   * negative where it is not flat.
   */
  #clearance(a: PlacedCylinder, b: PlacedCylinder): void {
    const { kind } = this.#axes;
    const work = this.#work;
    work[1] = -1;
    if (kind === CAP_OF_FIRST) work[1] = a.sizes[0] - fromAxis(a, this.#other);
    else if (kind === CAP_OF_SECOND) work[1] = b.sizes[0] - fromAxis(b, this.#point);
    else if (kind === SIDES) {
      let cosine = 0;
      for (let k = 0; k < 3; k++) cosine += a.axis[k] * b.axis[k];
      const beyond = Math.max(alongAxis(a, this.#point) - a.sizes[1], alongAxis(b, this.#other) - b.sizes[1]);
      work[1] = -beyond * Math.sqrt(Math.max(0, 1 - cosine * cosine));
    }
  }

  #rims(a: PlacedCylinder, b: PlacedCylinder, margin: Float64Array): void {
    const { separation } = this.#axes;
    const thin = Math.min(thickness(a), thickness(b));
    const gap = separation[0];
    if (gap < -SHALLOW * thin) this.#search(a, b, ROUGH);
    else if (gap < CLOSE_GAP_OF_RADIUS * thin) {
      this.#work[0] = THINNER_RATIO * thin;
      this.#thinA.placeThinner(a, this.#work);
      this.#thinB.placeThinner(b, this.#work);
      this.#search(this.#thinA, this.#thinB, COARSE);
      this.#touch(a, b);
      if (separation[0] > margin[0] || this.#isTouching(a, b)) return;
      this.#search(a, b, ROUGH);
    } else {
      this.#search(a, b, COARSE);
      this.#touch(a, b);
      if (separation[0] > margin[0] || this.#isProved(a, b)) return;
      this.#search(a, b, ROUGH);
    }
    this.#touch(a, b);
  }

  /**
   * Looks for the rims where two cylinders, the ones in question or thinner ones, are nearest, and tries
   * them.
   */
  #search(thinA: PlacedCylinder, thinB: PlacedCylinder, accuracy: typeof COARSE | typeof ROUGH): void {
    const gjk = this.#gjk;
    const near = this.#near;
    const { v, simplex } = gjk;
    for (let k = 0; k < 3; k++) near[k] = this.#axes.axis[k];
    if (
      gjk.run(thinA, thinB, near, ALL, accuracy) === 'overlapping' &&
      this.#epa.run(thinA, thinB, simplex)
    ) {
      near.set(this.#epa.normal);
      this.#x.set(this.#epa.pointOfFirst);
      this.#y.set(this.#epa.pointOfFirst);
    } else {
      const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      for (let k = 0; k < 3; k++) near[k] = v[k] / length;
      simplex.witness(simplex.a, this.#x);
      simplex.witness(simplex.b, this.#y);
    }
    this.#axes.rims(this.#a, this.#b, this.#x, this.#y, near);
  }

  /** Leaves the touching points of both in #point and #other. */
  #touch(a: PlacedCylinder, b: PlacedCylinder): void {
    const { kind, axis: n, separation, point: rim } = this.#axes;
    const point = this.#point;
    const other = this.#other;
    const isFromSecond = kind === CAP_OF_FIRST || kind === SIDE_OF_FIRST;
    if (kind === CAP_OF_FIRST) this.#ontoCap(a, b, -1, other);
    else if (kind === CAP_OF_SECOND) this.#ontoCap(b, a, 1, point);
    else if (kind === SIDES) this.#sides(a, b);
    else (isFromSecond ? other : point).set(rim);
    if (isFromSecond) for (let k = 0; k < 3; k++) point[k] = other[k] - separation[0] * n[k];
    else for (let k = 0; k < 3; k++) other[k] = point[k] + separation[0] * n[k];
  }

  /**
   * The foremost point of `other`, along sign · n, before a cap of `own`. Of a cap or a side that is level to
   * rounding any point is foremost: where the one of the rim is beyond the cap, the one is taken that is
   * nearest to the middle.
   */
  #ontoCap(own: PlacedCylinder, other: PlacedCylinder, sign: 1 | -1, out: Float64Array): void {
    const { axis: n } = this.#axes;
    other.support(n, sign, out, 0);
    if (fromAxis(own, out) <= own.sizes[0]) return;
    const feature = this.#feature;
    const centre = this.#centre;
    other.feature(n, sign, feature);
    if (feature.count === 1) return;
    let along = 0;
    for (let k = 0; k < 3; k++) along += (out[k] - own.centre[k]) * own.axis[k];
    for (let k = 0; k < 3; k++) centre[k] = own.centre[k] + along * own.axis[k];
    if (feature.isClosed) {
      // The nearest point of a disc; the polygon that stands for it is too small.
      const distance = fromAxis(other, centre);
      if (distance <= other.sizes[0]) out.set(centre);
      else other.towards(centre, out);
    } else nearestInFeature(feature, centre, out);
  }

  /** Where two sides cross; of parallel ones the middle of where both are. */
  #sides(a: PlacedCylinder, b: PlacedCylinder): void {
    const { axis: n, line, isParallel } = this.#axes;
    const work = this.#work;
    const d = this.#centre;
    let along = 0;
    for (let k = 0; k < 3; k++) {
      d[k] = a.centre[k] - b.centre[k];
      along -= d[k] * a.axis[k];
    }
    if (isParallel) {
      const low = Math.max(-a.sizes[1], along - b.sizes[1]);
      const high = Math.min(a.sizes[1], along + b.sizes[1]);
      work[2] = 0.5 * (low + high);
    } else {
      line.place(d, b.axis, a);
      line.alongAxis(work, 2);
    }
    for (let k = 0; k < 3; k++) this.#point[k] = a.centre[k] + work[2] * a.axis[k] + a.sizes[0] * n[k];
  }
}

/** m; that of the largest ball inside */
function thickness({ sizes }: PlacedCylinder): number {
  return Math.min(sizes[0], sizes[1]);
}

function alongAxis({ axis, centre }: PlacedCylinder, p: Float64Array): number {
  return Math.abs((p[0] - centre[0]) * axis[0] + (p[1] - centre[1]) * axis[1] + (p[2] - centre[2]) * axis[2]);
}

/** Distance from the axis, m. */
function fromAxis({ axis, centre }: PlacedCylinder, p: Float64Array): number {
  const dx = p[0] - centre[0];
  const dy = p[1] - centre[1];
  const dz = p[2] - centre[2];
  const x = axis[1] * dz - axis[2] * dy;
  const y = axis[2] * dx - axis[0] * dz;
  const z = axis[0] * dy - axis[1] * dx;
  return Math.sqrt(x * x + y * y + z * z);
}

/** How far a point is beyond the side or the caps; not positive inside, m. */
function outside(cylinder: PlacedCylinder, p: Float64Array): number {
  return Math.max(fromAxis(cylinder, p) - cylinder.sizes[0], alongAxis(cylinder, p) - cylinder.sizes[1]);
}
