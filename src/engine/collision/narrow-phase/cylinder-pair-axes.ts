/**
 * The best separating axis of two cylinders. The separation along a unit vector n from the first to the second, with d from centre to centre,
 *
 *     s(n) = n·d − h |n·a| − R |n × a| − k |n·b| − Q |n × b|,
 *
 * is never more than their distance, and its maximum is the distance when they are apart, minus the depth when they overlap. It is at
 *
 *   - an axis, either way: a cap touches;
 *   - a direction across an axis: the side of that cylinder touches the side or the rim of the other. The side is the axis as a line, with
 *     the radius as a tube: `line-cylinder.ts` has these;
 *   - elsewhere: two rims touch. Of parallel axes n is in the plane of both, in closed form. Otherwise `rim-pair.ts` finds it from points nearby,
 *     which the caller has to supply.
 */
import { LineCylinder } from './line-cylinder';
import type { PlacedCylinder } from './placed-cylinder';
import { RimPair } from './rim-pair';
import { NEAR_EDGE } from './placed-polytope';

/** What separates best: a cap of the first or of the second, both sides, the side of one with the rim of the other, both rims. */
export const CAP_OF_FIRST = 0;
export const CAP_OF_SECOND = 1;
export const SIDES = 2;
export const SIDE_OF_FIRST = 3;
export const SIDE_OF_SECOND = 4;
export const RIMS = 5;
/** Relative to the sizes: what a direction must be better by than one that was tried before it; caps are tried first. */
const TIE = 1e-14;
/** Sine of an angle, rad: axes this nearly parallel are. */
const PARALLEL = 1e-12;

export class CylinderPairAxes {
  kind = CAP_OF_FIRST;
  isParallel = false;
  /** unit vector from the first to the second */
  readonly axis = new Float64Array(3);
  /** [0] the best separation; [1] the last one measured; [2] what one must be better by, m */
  readonly separation = new Float64Array(3);
  /** of the rim that touches, where one does: the point on the first of `SIDE_OF_SECOND` and `RIMS`, on the second of `SIDE_OF_FIRST` */
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
    separation[2] = TIE * (a.extent[0] + b.extent[0]);
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

  /** Both together are one cylinder of both radii and half heights, and the difference of the centres a point beside it. */
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
   * Two rims near points x of the first and y of the second. Nearly across an axis, rounding decides which of its caps is foremost.
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
