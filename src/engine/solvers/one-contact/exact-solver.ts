/**
 * Exact solution of one contact in space: by the shortest way where there is exactly one solution for certain
 * (`UniqueContact`), and otherwise by listing all solutions. Of several, the one nearest to the guess is
 * taken, in the Euclidean norm of forces; of those equally near, the first in the order take-off, stick,
 * slides. In a Gauss–Seidel sweep, the guess being the force of the last sweep, a contact then changes its
 * mode only when it must.
 */
import { ContactSolutions } from './contact-solutions';
import { type LocalSolver, type LocalStatus, isSuitable } from './local-solver';

/*
 * One contact in space where it has exactly one solution for certain, by the shortest way to it.
 *
 * With the rows and columns M_N* = (M₁₁, cᵗ), M_*N = (M₁₁, m), M₁₁ > 0, let S = M_T − m cᵗ/M₁₁ and B = S⁻¹.
 * If
 *
 *     μ |Bᵗc| < M₁₁ λ,      λ the smallest eigenvalue of the symmetric part of B,                        (U)
 *
 * then there is one solution for every q; M need not be symmetric. (U) contains μ |c| < M₁₁, because |Bᵗc|
 * |c| ≥ cᵗBc ≥ λ |c|².
 *
 * - With μ |c| < M₁₁ every force of the cone but 0 has u_N > q_N. So the contact takes off if and only if
 *   q_N ≥ 0, whatever (U) says, and otherwise u_N = 0.
 * - Let q_N < 0, and let (r, u), (r′, u′) be two solutions. Coulomb's law gives Δr·Δu ≤ −μ Δr_N Δ|u_T| ≤ μ
 *   |Δr_N| |Δu_T|. Since Δu_N = 0, Δr_T = B Δu_T and M₁₁ Δr_N = −c·B Δu_T. Then λ |Δu_T|² ≤ Δr·Δu ≤ μ |Bᵗc|
 *   |Δu_T|²/M₁₁, and Δu = 0.
 * - There is one, because the discs of radius μ r_N(r_T) admit a fixed point of maximal dissipation
 *   (docs/theory/one-contact.md).
 *
 * If r = −M⁻¹q is in the cone, the contact sticks. Otherwise the direction of friction is a zero of F
 * (`SlipDirections`), which Newton's method finds from the direction of the guess, or else from that of the
 * force that would stop the slip. It may find a zero with α < 0, or none; then nothing is answered here.
 */

/** (U) and μ |c| < M₁₁ must hold by this margin, since M is known to rounding. */
const UNIQUENESS_MARGIN = 1 - 1e-9;
/** More steps are taken where Newton's method is lost. */
const MOST_STEPS = 8;
/** The error after a step of this angle is its square, which is rounding. */
const ROUNDING_ANGLE = 1e-8;
/** Longest step, as the tangent of half the angle: some 53°. */
const LONGEST = 0.5;
/** Rounding of M r + q, in units of |M| |r| + |q|. */
const ROUNDING = 64 * Number.EPSILON;

export class UniqueContact {
  /** force whose friction would stop the slip */
  readonly #stop = new Float64Array(3);

  /**
   * @param M 3 × 3 from entry `at`
   * @param r guess in; answer out, if there is one
   * @returns whether r is the only solution
   */
  solve(M: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): boolean {
    const a = M[at];
    const c1 = M[at + 1];
    const c2 = M[at + 2];
    const qN = q[0];
    if (!(mu * mu * (c1 * c1 + c2 * c2) < a * a * UNIQUENESS_MARGIN) || !(a > 0)) return false;
    if (qN >= 0) {
      r[0] = 0;
      r[1] = 0;
      r[2] = 0;
      return true;
    }
    const m1 = M[at + 3] / a;
    const m2 = M[at + 6] / a;
    const s11 = M[at + 4] - m1 * c1;
    const s12 = M[at + 5] - m1 * c2;
    const s21 = M[at + 7] - m2 * c1;
    const s22 = M[at + 8] - m2 * c2;
    const determinant = s11 * s22 - s12 * s21;
    if (!(s11 > 0 && determinant > 0)) return false;
    // λ and Bᵗc times the determinant.
    const lambda = 0.5 * (s11 + s22 - Math.sqrt((s11 - s22) * (s11 - s22) + (s12 + s21) * (s12 + s21)));
    const w1 = s22 * c1 - s21 * c2;
    const w2 = s11 * c2 - s12 * c1;
    const bound = a * lambda;
    if (!(bound > 0 && mu * mu * (w1 * w1 + w2 * w2) < bound * bound * UNIQUENESS_MARGIN)) return false;
    // S r_T = −v, by elimination, which is stable for positive definite S.
    const v1 = q[1] - m1 * qN;
    const v2 = q[2] - m2 * qN;
    const factor = s21 / s11;
    const t2 = (factor * v1 - v2) / (s22 - factor * s12);
    const t1 = (-v1 - s12 * t2) / s11;
    const normal = -(qN + c1 * t1 + c2 * t2) / a;
    if (normal >= 0 && t1 * t1 + t2 * t2 <= mu * mu * normal * normal) {
      r[0] = normal;
      r[1] = t1;
      r[2] = t2;
      return true;
    }
    if (mu === 0) {
      r[0] = -qN / a;
      r[1] = 0;
      r[2] = 0;
      return true;
    }
    if (slide(M, at, q, mu, r, r)) return true;
    const stop = this.#stop;
    stop[1] = t1;
    stop[2] = t2;
    return slide(M, at, q, mu, stop, r);
  }
}

/** @param start a force, in the direction of whose friction Newton's method begins */
function slide(
  M: Float64Array,
  at: number,
  q: Float64Array,
  mu: number,
  start: Float64Array,
  r: Float64Array,
): boolean {
  const a = M[at];
  const c1 = M[at + 1];
  const c2 = M[at + 2];
  const qN = q[0];
  const q1 = q[1];
  const q2 = q[2];
  // F of `SlipDirections`, once more, for numbers that stay in registers.
  const A = mu * (c1 * q2 - qN * M[at + 7]);
  const B = mu * (qN * M[at + 5] - c2 * q1);
  const C = mu * (c2 * q2 - c1 * q1 + qN * (M[at + 4] - M[at + 8]));
  const D = qN * M[at + 3] - a * q1;
  const E = a * q2 - qN * M[at + 6];
  let n1 = start[1];
  let n2 = start[2];
  let norm = 1 / Math.sqrt(n1 * n1 + n2 * n2);
  // Of squares that vanish or are infinite, no direction is left.
  if (!(norm > 0 && norm < Infinity)) return false;
  n1 *= norm;
  n2 *= norm;
  for (let step = 0; ; step++) {
    if (step === MOST_STEPS) return false;
    const value = n1 * (A * n1 + C * n2 + E) + n2 * (B * n2 + D);
    const slope = 2 * (B - A) * n1 * n2 + C * (n1 * n1 - n2 * n2) + D * n1 - E * n2;
    // Where F is flat the step is infinite, or not a number when F vanishes too.
    let half = (-0.5 * value) / slope;
    if (half > LONGEST) half = LONGEST;
    else if (half < -LONGEST) half = -LONGEST;
    const square = half * half;
    const scale = 1 / (1 + square);
    const cosine = (1 - square) * scale;
    const sine = 2 * half * scale;
    const turned = n1 * cosine - n2 * sine;
    n2 = n1 * sine + n2 * cosine;
    n1 = turned;
    if (!(Math.abs(half) > ROUNDING_ANGLE)) break;
  }
  norm = 1 / Math.sqrt(n1 * n1 + n2 * n2);
  n1 *= norm;
  n2 *= norm;
  const normal = -qN / (a + mu * (c1 * n1 + c2 * n2));
  const g1 = M[at + 3] + mu * (M[at + 4] * n1 + M[at + 5] * n2);
  const g2 = M[at + 6] + mu * (M[at + 7] * n1 + M[at + 8] * n2);
  const slip = -(n1 * (q1 + g1 * normal) + n2 * (q2 + g2 * normal));
  const terms = Math.abs(q1) + Math.abs(q2) + normal * (Math.abs(g1) + Math.abs(g2));
  if (!(slip >= -ROUNDING * terms)) return false;
  r[0] = normal;
  r[1] = mu * n1 * normal;
  r[2] = mu * n2 * normal;
  return true;
}

export class ExactSolver implements LocalSolver {
  readonly size = 3;
  readonly #unique = new UniqueContact();
  readonly #all = new ContactSolutions();

  solve(values: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): LocalStatus {
    if (!isSuitable(3, values, at, q, mu, r)) return 'unsuitable';
    if (this.#unique.solve(values, at, q, mu, r)) return 'converged';
    const all = this.#all;
    all.find(values, at, q, mu, r);
    if (all.count === 0) return 'noSolution';
    const k = all.nearest(r);
    for (let i = 0; i < 3; i++) r[i] = all.r[3 * k + i];
    return all.count === 1 && all.continua[k] === 0 ? 'converged' : 'several';
  }
}
