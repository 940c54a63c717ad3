/**
 * A limit h ≥ 0 of a coordinate: a contact with μ = 0 along the normal of its block,
 *
 *     w 0 0      R_N         ḣ_f + e ḣ⁻
 *     0 w 0  ·   R_T1   +    0             ,     K_0 = {R_N ≥ 0, R_T = 0},   K*_0 = {Û_N ≥ 0}.
 *     0 0 w      R_T2        0
 *
 * So 0 ≤ ḣ⁺ + e ḣ⁻ ⊥ R_N ≥ 0, Newton's law; the tangents have no impulse and no velocity.
 */
import type { SpatialRows } from '../../spatial/rows/rows';
import { type JointRow, NORMAL, type RowStep } from './joint-row';

export class LimitRow implements JointRow {
  readonly kind = 'limit';
  readonly component = NORMAL;
  readonly friction = 0;
  readonly speed = 0;
  readonly bound = Number.POSITIVE_INFINITY;

  /** @param rows h @param restitution e */
  constructor(
    readonly joint: number,
    readonly rows: SpatialRows,
    readonly restitution: number,
  ) {}

  isActive(h: number, slack: number): boolean {
    return h <= slack;
  }

  write({ free, before }: RowStep, q: Float64Array, at: number): void {
    q[at] = free + this.restitution * before;
    q[at + 1] = q[at + 2] = 0;
  }
}
