/** A stop of a joint: h = ±(z − bound) ≥ 0 of one of its coordinates z, + for a lower bound, − for an upper one. */
import type { Space } from '../marker';
import type { SpatialRowLabel, SpatialRows } from '../rows/rows';

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
