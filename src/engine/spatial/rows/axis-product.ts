/**
 * The cosine between an axis of the one body and one of the other: h = a·b (a dot-1 constraint; E. J. Haug, 1989, chapter 9). It is zero where
 * they are at right angles, and then its rate is b×a·(ω₁ − ω₂): the row forbids to turn about a×b.
 *
 *     ∇h = b by a, a by b;     γ = −(ä·b + 2 ȧ·ḃ + a·b̈) of what is not accelerations.
 */
import type { Space, SpatialMarker } from '../marker';
import { dot } from '../matrix3';
import type { SpatialRowLabel, SpatialRows } from './rows';

export class AxisProduct implements SpatialRows {
  readonly labels: readonly SpatialRowLabel[];

  /** @param firstAxis,secondAxis 0, 1 or 2 */
  constructor(
    readonly first: SpatialMarker,
    readonly firstAxis: 0 | 1 | 2,
    readonly second: SpatialMarker,
    readonly secondAxis: 0 | 1 | 2,
    name: string,
  ) {
    this.labels = [{ row: name, unit: 'rad' }];
  }

  position(q: Float64Array, out: Float64Array, row: number): void {
    const { first, firstAxis, second, secondAxis } = this;
    first.place(q);
    second.place(q);
    out[row] = dot(first.axes, 3 * firstAxis, second.axes, 3 * secondAxis);
  }

  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void {
    const { first, firstAxis, second, secondAxis } = this;
    first.place(q);
    second.place(q);
    first.addAxisGradient(firstAxis, second.axes, 3 * secondAxis, 1, out, row * width, space);
    second.addAxisGradient(secondAxis, first.axes, 3 * firstAxis, 1, out, row * width, space);
  }

  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void {
    const { first, firstAxis, second, secondAxis } = this;
    first.move(q, v);
    second.move(q, v);
    out[row] =
      -dot(first.axisCentripetal, 3 * firstAxis, second.axes, 3 * secondAxis) -
      2 * dot(first.axisRates, 3 * firstAxis, second.axisRates, 3 * secondAxis) -
      dot(first.axes, 3 * firstAxis, second.axisCentripetal, 3 * secondAxis);
  }
}
