/**
 * Percussions that dissipate (`laws/percussion.ts`): R_N = S + D with 0 ≤ U_N⁺ ⊥ S ≥ 0 and D = k max(0, −(U_N⁺ + U_N⁻)). With R_N in the contact's row
 * and S in that of the companion,
 *
 *     0 ≤ U_N⁺ + U_N⁻ + (R_N − S)/k ⊥ R_N ≥ 0,     0 ≤ (S − R_N)/k − U_N⁻ ⊥ S ≥ 0,
 *
 * which adds 1/k times (1, −1; −1, 1) to W: it stays symmetric and positive semidefinite. That this is the law, by cases:
 *
 *     R_N > 0, S > 0    U_N⁺ + U_N⁻ = (S − R_N)/k = U_N⁻: U_N⁺ = 0, and R_N − S = −k U_N⁻ is D if U_N⁻ ≤ 0. If U_N⁻ > 0, D is zero, R_N is the
 *                       reaction that U_N⁺ = 0 takes, and S is larger than it by k U_N⁻, which acts on nothing.
 *     R_N > 0, S = 0    R_N = −k (U_N⁺ + U_N⁻), and −U_N⁻ ≥ R_N/k = −U_N⁺ − U_N⁻ says U_N⁺ ≥ 0: all of it is D.
 *     R_N = 0           S = max(0, k U_N⁻), and U_N⁺ ≥ −U_N⁻ + S/k = max(−U_N⁻, 0): neither S nor D is asked for.
 *
 * The tangents of the block have no rows and no impulse.
 */
import type { CompanionBlocks, CompanionRow } from './companion-row';

export const percussion: CompanionRow = {
  axes: [-1, -1],
  isOwn: true,
  isSymmetric: true,

  couple(values: Float64Array, { own, beside, above, contact }: CompanionBlocks, viscosity: number): void {
    const softness = 1 / viscosity;
    values[own] = softness;
    values[beside] = -softness;
    values[above] = -softness;
    values[contact] += softness;
  },

  friction(): number {
    return 0;
  },

  rightSide(approach: number): number {
    return -approach;
  },
};
