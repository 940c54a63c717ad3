/**
 * What a scheme says of a step of contact dynamics: where contacts and joints are looked at, what velocities
 * are without them, and where positions go. With q_* the place that the rows H and G are formed at, p the
 * impulses of loads and of the gyroscopic term, and g the gaps that laws speak of,
 *
 *     M (u_p − u⁻) = p,     u⁺ = u_p + M⁻¹ (ᵗG λ + ᵗH R),     G(q_*) u⁺ = ω + aim h γ(q_*, u⁻),
 *     g = gap(q_*) − lag h U_N⁻,     gap(q⁺) = g + h (newPart U_N⁺ + oldPart U_N⁻) to first order,
 *
 * a contact takes part when g + forecast h U_N⁻ ≤ 0. γ = −Ġ u, and ω are speeds that motors prescribe.
 */
import type { SpatialStatus } from '../../spatial/status';

/** `again`: loads have changed with u⁺, and u is the velocity without contacts and joints once more. */
export type Revision = SpatialStatus | 'again';

/** Adds impulses over the step. @param q q_* @param out by velocities of all bodies */
export type Reactions = (q: Float64Array, out: Float64Array) => void;

export interface StepScheme {
  /** part of the step after which q_* is, for what depends on time */
  readonly part: number;
  readonly aim: number;
  readonly lag: number;
  readonly forecast: number;
  readonly newPart: number;
  readonly oldPart: number;
  /** gap up to which contacts are closed, m, where that alone decides; absent where laws of contact do */
  readonly closedGap?: number;
  /** loads, elasticity and damping that p has been computed with: their mean over the step, by velocities */
  readonly force: Float64Array;
  /**
   * Says what adds the impulses of joints, as they were in the step before, at q_*, and is asked in `begin`
   * before p is computed. One that revises p learns of them itself, and has no need of it.
   */
  expectReactions?(reactions: Reactions): void;
  /** q ← q_* and u ← u_p. @param clock [0] the time at the start of the step, s; it stays */
  begin(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus | 'unsolved';
  /** Compares p with what it should be of u⁺. @param u u⁺; u_p after `again` */
  revise(u: Float64Array): Revision;
  /** The step has become another one, by contacts that take part in it from now on. */
  reopen?(): void;
  /**
   * Adds those of the loads that have a potential, and elasticity, to `out`, as they stand in `force`.
   * @param mean ½ (u⁻ + u⁺)
   * @param u u⁺
   */
  addConservative(mean: Float64Array, u: Float64Array, out: Float64Array): void;
  /** The same of what damps the deformation of pseudo-rigid bodies. @param u u⁺ */
  addDamping(u: Float64Array, out: Float64Array): void;
  /** q ← q⁺ from q_*. */
  finish(q: Float64Array, u: Float64Array): SpatialStatus;
}
