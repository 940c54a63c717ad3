/** Dry friction of a coordinate: |R| ≤ c h, against its rate. */
import type { SpatialRows } from '../../spatial/rows/rows';
import { writeBounded } from './bounded';
import { type JointRow, type RowStep, TANGENT } from './joint-row';

export class FrictionRow implements JointRow {
  readonly kind = 'friction';
  readonly component = TANGENT;
  readonly friction = 1;
  readonly speed = 0;
  readonly restitution = 0;

  /** @param rows the coordinate @param bound c, N or N m */
  constructor(
    readonly joint: number,
    readonly rows: SpatialRows,
    readonly bound: number,
  ) {}

  isActive(): boolean {
    return true;
  }

  write(step: RowStep, q: Float64Array, at: number): void {
    writeBounded(step, this.bound, 0, q, at);
  }
}
