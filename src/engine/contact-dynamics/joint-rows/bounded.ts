/**
 * An impulse with a bound that opposes a rate: |R| ≤ c h, R = −c h sgn(ż⁺ − ω) where ż⁺ ≠ ω. As a block with μ = 1,
 *
 *     w 0 0      R_N         −w c h
 *     0 w 0  ·   R_T1   +    ż_f − ω     ,
 *     0 0 w      R_T2        0
 *
 * the coordinate standing in the first tangent, its coupling with other rows left out here. Coulomb's law says of it:
 *
 *     normal   U_N = w (R_N − c h) ≥ 0, R_N ≥ 0, R_N U_N = 0. R_N = 0 would give U_N = −w c h < 0, so that U_N = 0 and R_N = c h, whatever
 *              happens in the tangents: the bound of friction is μ R_N = c h.
 *     stick    U_T = 0: ż⁺ = ω and w R_T2 = 0, with |R_T1| ≤ c h.
 *     slip     R_T = −c h U_T/|U_T|. The second entry, R_T2 (1 + c h w/|U_T|) = 0, leaves R_T2 = 0, so that |U_T| = |ż⁺ − ω| and
 *              R_T1 = −c h sgn(ż⁺ − ω).
 *
 * For c = 0 all of R is zero. That is dry friction with ω = 0, and a motor that pulls towards its speed ω as strongly as it can
 * until it has it. w on the diagonal, in place of 1, makes q_N the velocity that the bound can bring about, of the size of the others.
 */
import type { RowStep } from './joint-row';

/** @param bound c, N or N m @param speed ω */
export function writeBounded(
  { h, free, mobility, scale }: RowStep,
  bound: number,
  speed: number,
  q: Float64Array,
  at: number,
): void {
  q[at] = (-mobility * bound * h) / scale;
  q[at + 1] = free - speed * scale;
  q[at + 2] = 0;
}
