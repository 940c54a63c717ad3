/**
 * The angle of a turn, φ = atan2(s, c) + 2πk with s = a·b and c = a·e, where a is an axis of the one marker,
 * and b and e are axes of the other: the direction of a in their plane, from e towards b. Whole turns are
 * counted: of its values the angle is the one nearest to that of the last step (`follow`), so that a stop may
 * be several turns away. It is within (−π, π] at the start.
 *
 *     φ̇ = (c ṡ − s ċ)/r²,   φ̈ = (c s̈ − s c̈)/r² − 2 (s ṡ + c ċ) φ̇/r²,   r² = s² + c²,
 *
 * which of a joint that keeps the axes of the turn together is the rate of one body relative to the other
 * about that axis. Where a stands upright on the plane, r = 0, there is no angle; its gradient is zero there.
 */
import type { Space, SpatialMarker } from './marker';
import { cross, dot } from './matrix3';
import type { SpatialRowLabel, SpatialRows } from './rows';

type Axis = 0 | 1 | 2;

const TURN = 2 * Math.PI;

export class AxisAngle implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  /** [0] the angle after the last step, rad */
  readonly #last = new Float64Array(1);

  /** @param pointer marker of a @param plane marker of b (`sineAxis`) and e (`cosineAxis`) */
  constructor(
    readonly pointer: SpatialMarker,
    readonly pointerAxis: Axis,
    readonly plane: SpatialMarker,
    readonly sineAxis: Axis,
    readonly cosineAxis: Axis,
    name: string,
  ) {
    this.labels = [{ row: name, unit: 'rad' }];
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.pointer.place(q);
    this.plane.place(q);
    const angle = Math.atan2(this.#product(this.sineAxis), this.#product(this.cosineAxis));
    out[row] = angle + TURN * Math.round((this.#last[0] - angle) / TURN);
  }

  follow(values: Float64Array, row: number): void {
    this.#last[0] = values[row];
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { pointer, pointerAxis, plane, sineAxis, cosineAxis } = this;
    pointer.place(q);
    plane.place(q);
    const sine = this.#product(sineAxis);
    const cosine = this.#product(cosineAxis);
    const square = sine * sine + cosine * cosine;
    if (square === 0) return;
    const bySine = cosine / square;
    const byCosine = -sine / square;
    const at = row * width;
    pointer.addAxisGradient(pointerAxis, plane.axes, 3 * sineAxis, bySine, out, at, space);
    pointer.addAxisGradient(pointerAxis, plane.axes, 3 * cosineAxis, byCosine, out, at, space);
    plane.addAxisGradient(sineAxis, pointer.axes, 3 * pointerAxis, bySine, out, at, space);
    plane.addAxisGradient(cosineAxis, pointer.axes, 3 * pointerAxis, byCosine, out, at, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { pointer, plane, sineAxis, cosineAxis } = this;
    pointer.move(q, v);
    plane.move(q, v);
    const sine = this.#product(sineAxis);
    const cosine = this.#product(cosineAxis);
    const square = sine * sine + cosine * cosine;
    if (square === 0) {
      out[row] = 0;
      return;
    }
    const sineRate = this.#rate(sineAxis);
    const cosineRate = this.#rate(cosineAxis);
    const rate = (cosine * sineRate - sine * cosineRate) / square;
    out[row] =
      (sine * this.#curvature(cosineAxis) -
        cosine * this.#curvature(sineAxis) +
        2 * (sine * sineRate + cosine * cosineRate) * rate) /
      square;
  }

  /** a·b of an axis b */
  #product(axis: Axis): number {
    return dot(this.pointer.axes, 3 * this.pointerAxis, this.plane.axes, 3 * axis);
  }

  /** ȧ·b + a·ḃ */
  #rate(axis: Axis): number {
    const { pointer, plane } = this;
    const a = 3 * this.pointerAxis;
    return dot(pointer.axisRates, a, plane.axes, 3 * axis) + dot(pointer.axes, a, plane.axisRates, 3 * axis);
  }

  /** ä·b + 2 ȧ·ḃ + a·b̈ of what is not accelerations */
  #curvature(axis: Axis): number {
    const { pointer, plane } = this;
    const a = 3 * this.pointerAxis;
    const b = 3 * axis;
    return (
      dot(pointer.axisCentripetal, a, plane.axes, b) +
      2 * dot(pointer.axisRates, a, plane.axisRates, b) +
      dot(pointer.axes, a, plane.axisCentripetal, b)
    );
  }
}

/*
 * The angle between two axes, β = atan2(|a×b|, a·b) in [0, π]. With n = a×b/|a×b| and r² = |a×b|² + (a·b)²,
 *
 *     ∂β/∂a = ((a·b) b×n − |a×b| b)/r²,     ∂β/∂b = ((a·b) n×a − |a×b| a)/r²,
 *     β̈ = −(c̈ + c β̇²)/s of c = cos β, s = sin β at |Q| = 1.
 *
 * Parallel axes have no n: there β has a kink, and its gradient is given as zero.
 */

export class BendAngle implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  readonly #normal = new Float64Array(3);
  readonly #gradient = new Float64Array(3);

  /** @param axis of both markers */
  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    readonly axis: Axis,
    name: string,
  ) {
    this.labels = [{ row: name, unit: 'rad' }];
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.first.place(q);
    this.second.place(q);
    out[row] = Math.atan2(this.#sine(), this.#cosine());
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, second, axis } = this;
    first.place(q);
    second.place(q);
    const sine = this.#sine();
    const cosine = this.#cosine();
    const square = sine * sine + cosine * cosine;
    if (sine === 0) return;
    const normal = this.#normal;
    const gradient = this.#gradient;
    const at = row * width;
    const across = cosine / (square * sine);
    const along = -sine / square;
    cross(second.axes, 3 * axis, normal, 0, gradient, 0);
    for (let i = 0; i < 3; i++) gradient[i] = across * gradient[i] + along * second.axes[3 * axis + i];
    first.addAxisGradient(axis, gradient, 0, 1, out, at, space);
    cross(normal, 0, first.axes, 3 * axis, gradient, 0);
    for (let i = 0; i < 3; i++) gradient[i] = across * gradient[i] + along * first.axes[3 * axis + i];
    second.addAxisGradient(axis, gradient, 0, 1, out, at, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    const sine = this.#sine();
    const at = 3 * this.axis;
    if (sine === 0) {
      out[row] = 0;
      return;
    }
    const rate =
      -(dot(first.axisRates, at, second.axes, at) + dot(first.axes, at, second.axisRates, at)) / sine;
    const curvature =
      dot(first.axisCentripetal, at, second.axes, at) +
      2 * dot(first.axisRates, at, second.axisRates, at) +
      dot(first.axes, at, second.axisCentripetal, at);
    out[row] = (curvature + this.#cosine() * rate * rate) / sine;
  }

  /** |a×b|, and a×b in `#normal` */
  #sine(): number {
    const at = 3 * this.axis;
    cross(this.first.axes, at, this.second.axes, at, this.#normal, 0);
    return Math.sqrt(dot(this.#normal, 0, this.#normal, 0));
  }

  #cosine(): number {
    return dot(this.first.axes, 3 * this.axis, this.second.axes, 3 * this.axis);
  }
}

/*
 * A stop of a joint: h = ±(z − bound) ≥ 0 of one of its coordinates z, + for a lower bound, − for an upper
 * one.
 */

export class Limit implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  readonly #sign: number;

  /** @param bound m or rad */
  constructor(
    readonly coordinate: SpatialRows,
    readonly side: 'lower' | 'upper',
    readonly bound: number,
  ) {
    const { row, unit } = coordinate.labels[0];
    this.labels = [{ row: `${side} limit of ${row}`, unit }];
    this.#sign = side === 'lower' ? 1 : -1;
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.coordinate.position(q, out, row);
    out[row] = this.#sign * (out[row] - this.bound);
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    this.coordinate.jacobian(q, out, row, width, space);
    if (this.#sign > 0) return;
    for (let k = row * width; k < (row + 1) * width; k++) out[k] = -out[k];
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    this.coordinate.gamma(q, v, out, row);
    out[row] *= this.#sign;
  }
}

/*
 * The distance of two points, ρ = |d| with d = P₂ − P₁ and n = d/ρ:
 *
 *     ρ̇ = n·ḋ,   ρ̈ = n·d̈ + (ḋ·ḋ − ρ̇²)/ρ.
 *
 * Points in one place have no direction; the gradient is zero there.
 */

export class PointDistance implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  readonly #direction = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  readonly #centripetal = new Float64Array(3);

  constructor(
    readonly first: SpatialMarker,
    readonly second: SpatialMarker,
    name: string,
  ) {
    this.labels = [{ row: name, unit: 'm' }];
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    this.first.place(q);
    this.second.place(q);
    out[row] = this.#measure();
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    this.first.place(q);
    this.second.place(q);
    this.#measure();
    this.first.addPointGradient(this.#direction, 0, -1, out, row * width, space);
    this.second.addPointGradient(this.#direction, 0, 1, out, row * width, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, second } = this;
    first.move(q, v);
    second.move(q, v);
    const distance = this.#measure();
    for (let i = 0; i < 3; i++) {
      this.#rate[i] = second.velocity[i] - first.velocity[i];
      this.#centripetal[i] = second.centripetal[i] - first.centripetal[i];
    }
    const rate = dot(this.#direction, 0, this.#rate, 0);
    out[row] = -dot(this.#direction, 0, this.#centripetal, 0);
    if (distance > 0) out[row] -= (dot(this.#rate, 0, this.#rate, 0) - rate * rate) / distance;
  }

  /** Direction and distance of markers that have been placed. @returns ρ */
  #measure(): number {
    const direction = this.#direction;
    for (let i = 0; i < 3; i++) direction[i] = this.second.point[i] - this.first.point[i];
    const distance = Math.sqrt(dot(direction, 0, direction, 0));
    for (let i = 0; i < 3; i++) direction[i] = distance === 0 ? 0 : direction[i] / distance;
    return distance;
  }
}
