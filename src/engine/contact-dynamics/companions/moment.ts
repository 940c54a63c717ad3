/**
 * Rolling and spinning friction: a contact puts a moment on its bodies besides its force, against their relative angular velocity
 * ω = ω₂ − ω₁,
 *
 *     |M_T| ≤ μ_r P_N,     M_T = −μ_r P_N ω_T/|ω_T| where ω_T ≠ 0,
 *     |M_N| ≤ μ_s P_N,     M_N = −μ_s P_N sgn ω_N   where ω_N ≠ 0,
 *
 * with lengths μ_r and μ_s, and P_N what the surfaces are pressed together with, R_N plus what holds them (`laws/contact-law.ts`). For μ_r
 * the law is that of V. Acary and F. Bourrier ("Coulomb friction with rolling resistance as a cone complementarity problem", Eur. J. Mech.
 * A 85, 2021): the cone {|R_T| ≤ μ R_N, |M_T| ≤ μ_r R_N} of five dimensions is the intersection of two, and maximal dissipation in it is maximal
 * dissipation in each of them. Both moments are blocks of three rows like those of friction in joints (`joint-rows/bounded.ts`).
 * The bound is that of this step: with P' the unknown in the normal of the block, and a length ℓ that makes moments impulses, M = ℓ P'_T,
 *
 *     w 0 0      P'_N        −w P_N
 *     0         ·        +           ,     w' = ℓ² H_ω M⁻¹ ᵗH_ω,     μ = μ_r/ℓ,
 *     0  w'      P'_T        ℓ ω_Tf
 *
 *     normal    U'_N = w (P'_N − P_N), 0 ≤ U'_N ⊥ P'_N ≥ 0 and P_N ≥ 0: P'_N = P_N, as P'_N = 0 < P_N would give U'_N < 0. The tangents do not
 *               enter, and P'_N acts on nothing.
 *     tangent   Coulomb's law with the bound μ P'_N: that of M_T.
 *
 * Of spinning the first tangent has ℓ ω_N, the second one nothing and the mobility w, so that it has no impulse (`joint-rows/bounded.ts`). −w couples the block with
 * its contact and has no counterpart above the diagonal: W is not symmetric, and solvers that need it to be do not suit.
 */
import type { CompanionBlocks, CompanionRow } from './companion-row';

class Moment implements CompanionRow {
  readonly isSymmetric = false;

  constructor(
    readonly axes: readonly [number, number],
    readonly isOwn: boolean,
  ) {}

  couple(values: Float64Array, { own, beside }: CompanionBlocks, _bound: number, w: number): void {
    values[own] = w;
    values[beside] = -w;
  }

  friction(bound: number, lever: number): number {
    return bound / lever;
  }

  rightSide(): number {
    return 0;
  }
}

export const rolling: CompanionRow = new Moment([1, 2], false);
/** Its one number is kept as it is: tangents turn with the normal. */
export const spinning: CompanionRow = new Moment([0, -1], true);
