/**
 * The directions in which a contact may slide: Siconos developer's notes §12 (12.1)–(12.18), in axes of any kind.
 *
 * Sliding means u_N = 0, |r_T| = μ r_N and u_T = −α r_T with α > 0. With the direction n = (cos θ, sin θ) of the friction,
 * r = r_N (1, μ n); with the rows and columns M_N* = (M₁₁, cᵗ), M_*N = (M₁₁, m) and the tangential block M_T,
 *
 *     u_N = 0:           r_N (M₁₁ + μ c·n) = −q_N                                        (12.2), a conic with a focus at 0
 *     u_T parallel n:    r_N n⊥·(m + μ M_T n) + n⊥·q_T = 0,      n⊥ = (−sin θ, cos θ)    (12.12)
 *
 * Eliminating r_N leaves a trigonometric polynomial of degree 2, which is (12.15) times −M₁₁:
 *
 *     F(θ) = (M₁₁ + μ c·n) n⊥·q_T − q_N n⊥·(m + μ M_T n) = A cos² + B sin² + C sin cos + D sin + E cos.
 *
 * The source first turns the axes to those of M_T, so that M_T = diag(d₁, d₂). That is not needed: the entries beside the
 * diagonal add to A and B, and M_T may be unsymmetric. Nothing is divided by M₁₁, either, which is how p = −μ q_N/M₁₁ (signed),
 * e = μ |c|/M₁₁ and φ, the angle of c, come in there.
 *
 * The half-angle t = tan(θ/2) makes F a quartic, (12.18), which has no finite root for θ = π. So θ is counted from such an origin
 * that |F| at its far side is the largest of eight places π/4 apart. M. Riesz (1914): where |F| is largest, and by δ beside it,
 * |F| ≥ cos(2δ) max |F|. The best of the eight is within π/8 of that place; so it has |F| ≥ 0.7 max |F|, and no root is within
 * π/8 of it. Hence all roots have |t| < tan(7π/16) = 5.03, and the leading coefficient is never small.
 */
import { Quartic } from './quartic';

const EPSILON = Number.EPSILON;
/** Rounding of the coefficients of F: terms of up to six operations. */
const ROUNDING = 8 * EPSILON;
/** Beyond tan(7π/16). */
const LIMIT = 5.1;
const HALF = Math.SQRT1_2;
/** Cosines and sines of the eight origins. */
const COSINES = [1, HALF, 0, -HALF, -1, -HALF, 0, HALF];
const SINES = [0, HALF, 1, HALF, 0, -HALF, -1, -HALF];

export class SlipDirections {
  /** directions n of friction with F = 0, two entries each, `count` of them */
  readonly directions = new Float64Array(8);
  count = 0;
  /** F vanishes to rounding for every direction */
  isAnything = false;
  /** A, B, C, D, E */
  readonly coefficients = new Float64Array(5);
  readonly #quartic = new Quartic();

  /**
   * @param M 3 × 3 from entry `at`, row-major
   * @param q 3 velocities, the normal one first
   */
  find(M: Float64Array, at: number, q: Float64Array, mu: number): void {
    this.#form(M, at, q, mu);
    this.count = 0;
    this.isAnything = false;
    const { coefficients, directions } = this;
    const A = coefficients[0];
    const B = coefficients[1];
    const C = coefficients[2];
    const D = coefficients[3];
    const E = coefficients[4];
    // Largest |F| at the far side of an origin.
    let origin = 0;
    let most = 0;
    for (let k = 0; k < 8; k++) {
      const c = -COSINES[k];
      const s = -SINES[k];
      const value = Math.abs(c * (A * c + C * s + E) + s * (B * s + D));
      if (value > most) {
        most = value;
        origin = k;
      }
    }
    const quartic = this.#quartic;
    // Below twice the rounding of F its roots are those of rounding.
    if (!(most > 2 * quartic.error[0])) {
      this.isAnything = true;
      return;
    }
    const c0 = COSINES[origin];
    const s0 = SINES[origin];
    // cos θ = c₀ cos θ′ − s₀ sin θ′, sin θ = s₀ cos θ′ + c₀ sin θ′, put into F.
    const a = A * c0 * c0 + B * s0 * s0 + C * s0 * c0;
    const b = A * s0 * s0 + B * c0 * c0 - C * s0 * c0;
    const c = 2 * (B - A) * s0 * c0 + C * (c0 * c0 - s0 * s0);
    const d = D * c0 - E * s0;
    const e = D * s0 + E * c0;
    const { p, roots } = quartic;
    p[0] = a + e;
    p[1] = 2 * (c + d);
    p[2] = 4 * b - 2 * a;
    p[3] = 2 * (d - c);
    p[4] = a - e;
    quartic.find(LIMIT);
    for (let k = 0; k < quartic.count; k++) {
      const t = roots[k];
      const cosine = (1 - t) * (1 + t);
      const sine = 2 * t;
      const norm = 1 / (1 + t * t);
      directions[2 * k] = (c0 * cosine - s0 * sine) * norm;
      directions[2 * k + 1] = (s0 * cosine + c0 * sine) * norm;
    }
    this.count = quartic.count;
  }

  /** Coefficients of F, (12.16), and their rounding. */
  #form(M: Float64Array, at: number, q: Float64Array, mu: number): void {
    const { coefficients } = this;
    const normal = M[at];
    const c1 = M[at + 1];
    const c2 = M[at + 2];
    const m1 = M[at + 3];
    const m2 = M[at + 6];
    const qN = q[0];
    const q1 = q[1];
    const q2 = q[2];
    coefficients[0] = mu * (c1 * q2 - qN * M[at + 7]);
    coefficients[1] = mu * (qN * M[at + 5] - c2 * q1);
    coefficients[2] = mu * (c2 * q2 - c1 * q1 + qN * (M[at + 4] - M[at + 8]));
    coefficients[3] = qN * m1 - normal * q1;
    coefficients[4] = normal * q2 - qN * m2;
    const ofFree = (Math.abs(normal) + mu * (Math.abs(c1) + Math.abs(c2))) * (Math.abs(q1) + Math.abs(q2));
    const ofBlock = Math.abs(M[at + 4]) + Math.abs(M[at + 5]) + Math.abs(M[at + 7]) + Math.abs(M[at + 8]);
    const ofNormal = Math.abs(qN) * (Math.abs(m1) + Math.abs(m2) + mu * ofBlock);
    this.#quartic.error[0] = ROUNDING * (ofFree + ofNormal);
  }
}
