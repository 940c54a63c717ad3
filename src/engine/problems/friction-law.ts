/**
 * A contact with Coulomb friction in the plane. Row 0 is the contact, 0 ≤ y_n ⊥ λ_n ≥ 0; row 1 its friction,
 *
 *     −y_t ∈ N_[−μ λ_n, μ λ_n](λ_t),
 *
 * where y_n stands for ẏ_n⁺ + e ẏ_n⁻ and y_t for ẏ_t⁺ + e_t ẏ_t⁻. The bounds move with λ_n, so that this is no box. But the
 * cone of the plane has two edges only: with pushes β₊, β₋ ≥ 0 along +t and −t, λ_t = β₊ − β₋, and a speed s ≥ |y_t|,
 *
 *     0 ≤ λ_n ⊥ y_n                    ≥ 0
 *     0 ≤ β₊  ⊥   y_t + s              ≥ 0
 *     0 ≤ β₋  ⊥ − y_t + s              ≥ 0
 *     0 ≤ s   ⊥ d (μ λ_n − β₊ − β₋)    ≥ 0
 *
 * is the law exactly. Where s > 0 all of μ λ_n is used; if y_t > 0 then y_t + s > 0, β₊ = 0 and λ_t = −μ λ_n, and if y_t < 0
 * the same with the other sign. Where s = 0 both inequalities say y_t = 0, and |λ_t| ≤ β₊ + β₋ ≤ μ λ_n. Conversely each
 * (λ_n, λ_t) of the law has such β₊, β₋ and s = |y_t|. D. E. Stewart and J. C. Trinkle, 1996,
 * doi:10.1002/(SICI)1097-0207(19960815)39:15<2673::AID-NME972>3.0.CO;2-I; M. Anitescu and F. A. Potra, 1997,
 * doi:10.1023/A:1008292328909. The factor d > 0, the sum of W_nn and W_tt, brings the last row to units of y, so that a
 * residual means the same in each.
 *
 * Why four unknowns where three would do (λ_n, λ_t + μ λ_n and a speed, as in F. Pfeiffer and C. Glocker, Multibody
 * Dynamics with Unilateral Contacts, Wiley 1996): the matrix M of these is copositive for d = 1 and a positive
 * semidefinite W,
 *
 *     xᵗ M x = λᵗ W λ + s (β₊ + β₋) + s (μ λ_n − β₊ − β₋) = λᵗ W λ + μ s λ_n ≥ 0     for x ≥ 0,
 *
 * and d only scales rows, that is Lemke's covering vector. His method then ends in a solution whenever qᵗ λ ≥ 0 for all
 * impulses λ within friction that have no effect, W λ = 0 (R. W. Cottle, J.-S. Pang and R. E. Stone, The Linear
 * Complementarity Problem, 1992, §4.4). Without restitution q comes from a velocity and vanishes along those: there is a
 * solution for any μ, and the method finds it. With three unknowns the matrix has a negative diagonal where
 * μ W_nt > W_nn, and the method ends on rays where there are solutions. A solution need not be unique, and M is not
 * monotone.
 *
 * Without friction, μ = 0, there is nothing to decide: λ_t = 0, and the slip is free.
 */
import type { ReducedLaw } from './reduced-law';

const INFINITE = Number.POSITIVE_INFINITY;

/** Unknowns: λ_n of row 0; β₊, β₋ and s of row 1. @param mu Coulomb's coefficient μ ≥ 0 */
export function reduceFriction(mu: number): ReducedLaw {
  if (mu === 0) {
    return {
      unknowns: [1, 0],
      lower: [0],
      upper: [INFINITE],
      lambda0: [0, 0],
      lambda: [[0, 0, 1]],
      conditions: [[0, 0, 1]],
      own: [],
      mobile: [],
      offset: [0],
    };
  }
  return {
    unknowns: [1, 3],
    lower: [0, 0, 0, 0],
    upper: [INFINITE, INFINITE, INFINITE, INFINITE],
    lambda0: [0, 0],
    lambda: [
      [0, 0, 1],
      [1, 1, 1],
      [1, 2, -1],
    ],
    conditions: [
      [0, 0, 1],
      [1, 1, 1],
      [2, 1, -1],
    ],
    own: [
      [1, 3, 1],
      [2, 3, 1],
    ],
    mobile: [
      [3, 0, mu],
      [3, 1, -1],
      [3, 2, -1],
    ],
    offset: [0, 0, 0, 0],
  };
}
