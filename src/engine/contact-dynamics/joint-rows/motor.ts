/** A motor of a coordinate: |R| ≤ c h, towards its speed. Motors without a bound are no rows of this kind but equations (`BodyMobility`). */
import type { SpatialRows } from '../../spatial/rows/rows';
import { writeBounded } from './bounded';
import { type JointRow, type RowStep, TANGENT } from './joint-row';

export class MotorRow implements JointRow {
  readonly kind = 'motor';
  readonly component = TANGENT;
  readonly friction = 1;
  readonly restitution = 0;

  /** @param rows the coordinate @param bound c, N or N m @param speed ω, m/s or rad/s */
  constructor(
    readonly joint: number,
    readonly rows: SpatialRows,
    readonly bound: number,
    readonly speed: number,
  ) {}

  isActive(): boolean {
    return true;
  }

  write(step: RowStep, q: Float64Array, at: number): void {
    writeBounded(step, this.bound, this.speed, q, at);
  }
}
