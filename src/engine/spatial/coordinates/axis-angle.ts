/**
 * The angle of a turn, φ = atan2(s, c) + 2πk with s = a·b and c = a·e, where a is an axis of the one marker, and b and e are axes of the other:
 * the direction of a in their plane, from e towards b. Whole turns are counted: of its values the angle is the one nearest to that of the last step (`follow`), so that a
 * stop may be several turns away. It is within (−π, π] at the start.
 *
 *     φ̇ = (c ṡ − s ċ)/r²,   φ̈ = (c s̈ − s c̈)/r² − 2 (s ṡ + c ċ) φ̇/r²,   r² = s² + c²,
 *
 * which of a joint that keeps the axes of the turn together is the rate of one body relative to the other about that axis.
 * Where a stands upright on the plane, r = 0, there is no angle; its gradient is zero there.
 */
import type { Space, SpatialMarker } from '../marker';
import { dot } from '../matrix3';
import type { SpatialRowLabel, SpatialRows } from '../rows/rows';

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
