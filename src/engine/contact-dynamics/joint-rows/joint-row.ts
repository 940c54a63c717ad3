/**
 * Rows of joints in the friction-contact problem: limits, dry friction and motors of a coordinate. Each takes a block of three rows like
 * a contact, in one of which the rate of its coordinate stands; the others are decoupled, with the same mobility on the diagonal so that
 * the block is of one size, and their right side makes the law of cones the law that is wanted (`unilateral.ts`, `bounded.ts`). The solver
 * sees contacts only.
 */
import type { SpatialRows } from '../../spatial/rows/rows';

export type JointRowKind = 'limit' | 'friction' | 'motor';

/** Component of a block that a rate stands in: along the normal, or along the first tangent. */
export const NORMAL = 0;
export const TANGENT = 1;

/** What a row needs to know of its step. */
export interface RowStep {
  /** s */
  readonly h: number;
  /** rate of the coordinate without the impulses of the problem, and at the start of the step, times `scale`, m/s */
  free: number;
  before: number;
  /** of the row, W with itself, 1/kg; 1 where nothing moves it */
  mobility: number;
  /** what rates are multiplied by, and impulses divided: a length of an angle, whose row stands among contacts as a way, m; 1 of a displacement */
  scale: number;
}

export interface JointRow {
  readonly kind: JointRowKind;
  /** number of the joint in the system */
  readonly joint: number;
  /** one row; its rate is what an impulse works on */
  readonly rows: SpatialRows;
  readonly component: typeof NORMAL | typeof TANGENT;
  /** μ of the block */
  readonly friction: number;
  /** speed that the law compares the rate with, m/s or rad/s */
  readonly speed: number;
  /** of the stop */
  readonly restitution: number;
  /** largest force, N, or moment, N m */
  readonly bound: number;
  /** Whether it takes part in a step. @param h value of the row @param slack of values that are zero to rounding */
  isActive(h: number, slack: number): boolean;
  /** Fills the three entries of the right side from `at` on. */
  write(step: RowStep, q: Float64Array, at: number): void;
}
