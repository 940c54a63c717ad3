/**
 * The directions in which a contact may slide: Siconos developer's notes §12 (12.1)–(12.18), in axes of any
 * kind.
 *
 * Sliding means u_N = 0, |r_T| = μ r_N and u_T = −α r_T with α > 0. With the direction n = (cos θ, sin θ) of
 * the friction, r = r_N (1, μ n); with the rows and columns M_N* = (M₁₁, cᵗ), M_*N = (M₁₁, m) and the
 * tangential block M_T,
 *
 *     u_N = 0:         r_N (M₁₁ + μ c·n) = −q_N                      (12.2), a conic with a focus at 0
 *     u_T parallel n:  r_N n⊥·(m + μ M_T n) + n⊥·q_T = 0,            (12.12), n⊥ = (−sin θ, cos θ)
 *
 * Eliminating r_N leaves a trigonometric polynomial of degree 2, which is (12.15) times −M₁₁:
 *
 *     F(θ) = (M₁₁ + μ c·n) n⊥·q_T − q_N n⊥·(m + μ M_T n) = A cos² + B sin² + C sin cos + D sin + E cos.
 *
 * The source first turns the axes to those of M_T, so that M_T = diag(d₁, d₂). That is not needed: the
 * entries beside the diagonal add to A and B, and M_T may be unsymmetric. Nothing is divided by M₁₁, either,
 * which is how p = −μ q_N/M₁₁ (signed), e = μ |c|/M₁₁ and φ, the angle of c, come in there.
 *
 * The half-angle t = tan(θ/2) makes F a quartic, (12.18), which has no finite root for θ = π. So θ is counted
 * from such an origin that |F| at its far side is the largest of eight places π/4 apart. Riesz 1914: where
 * |F| is largest, and by δ beside it, |F| ≥ cos(2δ) max |F|. The best of the eight is within π/8 of that
 * place; so it has |F| ≥ 0.7 max |F|, and no root is within π/8 of it. Hence all roots have |t| < tan(7π/16)
 * = 5.03, and the leading coefficient is never small.
 */

/*
 * The real roots of a polynomial p of degree 4 or less in an interval. Between two neighbouring roots of p′
 * the polynomial is monotone, and has one root there or none, as the signs at the ends say; so roots come in
 * a chain: of p″ by formula, of p′ between those, of p between those of p′. Coefficients are never divided by
 * the leading one, and a degree that drops is no special case: the roots at infinity are outside the
 * interval.
 *
 * An extremum at which |p| is within its rounding is a root, too: a pair of roots so close, a double root and
 * a near miss cannot be told apart. So a root of any multiplicity is found, once. Every change of sign of p
 * that exceeds rounding is found.
 */

const EPSILON = Number.EPSILON;
/** Rounding of a Horner scheme of degree 4, in units of ε Σ |p_i| |t|^i: two for each stage. */
const HORNER = 8 * EPSILON;
/**
 * Bisection, which takes over where Newton's steps are slow, halves any bracket of doubles to neighbours in
 * fewer.
 */
const MOST_ITERATIONS = 120;
/** Steps below this part of 1 + |t| end the search: half-angles that close give the same direction. */
const RESOLUTION = 2 * EPSILON;
/** Steps this short that fall no more are rounding. */
const ROUNDING_STEP = 1e-8;

export class Quartic {
  /** p₀ … p₄ */
  readonly p = new Float64Array(5);
  /** [0] what the coefficients may be wrong by: p(t) is known to [0] (1 + t²)² */
  readonly error = new Float64Array(1);
  /** in ascending order, `count` of them */
  readonly roots = new Float64Array(4);
  count = 0;
  /** p′ (its fifth coefficient is 0) and p″, and where each of them vanishes */
  readonly #first = new Float64Array(5);
  readonly #second = new Float64Array(3);
  readonly #inflections = new Float64Array(2);
  readonly #extrema = new Float64Array(3);
  /**
   * ends of a stretch; on return from `rootBetween` [0] is the root. Numbers in arguments and results would
   * be allocated.
   */
  readonly #bracket = new Float64Array(2);

  /** Fills `roots` with those in [−limit, limit]. */
  find(limit: number): void {
    const { p } = this;
    const first = this.#first;
    const second = this.#second;
    for (let i = 0; i < 4; i++) first[i] = (i + 1) * p[i + 1];
    for (let i = 0; i < 3; i++) second[i] = (i + 1) * first[i + 1];
    const inflections = quadraticRoots(second, limit, this.#inflections);
    const extrema = this.#rootsOfDerivative(limit, inflections);
    this.#rootsBetween(limit, extrema);
  }

  #rootsOfDerivative(limit: number, inflections: number): number {
    const first = this.#first;
    const bracket = this.#bracket;
    let found = 0;
    let a = -limit;
    let fa = value(first, a);
    for (let i = 0; i <= inflections; i++) {
      const b = i < inflections ? this.#inflections[i] : limit;
      const fb = value(first, b);
      // A zero at the left end counts, one at the right end is the left end of the next stretch or the end of
      // all.
      if (fa === 0) this.#extrema[found++] = a;
      else if (fa > 0 !== fb > 0 && fb !== 0) {
        bracket[0] = a;
        bracket[1] = b;
        rootBetween(first, bracket, fb > 0);
        this.#extrema[found++] = bracket[0];
      }
      a = b;
      fa = fb;
    }
    return found;
  }

  #rootsBetween(limit: number, extrema: number): void {
    const { p, roots } = this;
    const bracket = this.#bracket;
    this.count = 0;
    let a = -limit;
    let sign = this.#sign(a);
    if (sign === 0) roots[this.count++] = a;
    for (let i = 0; i <= extrema; i++) {
      const b = i < extrema ? this.#extrema[i] : limit;
      const next = this.#sign(b);
      if (sign * next < 0) {
        bracket[0] = a;
        bracket[1] = b;
        rootBetween(p, bracket, next > 0);
        roots[this.count++] = bracket[0];
      }
      // Two extrema in a row within rounding: p is flat between them, and its root is one.
      else if (next === 0 && sign !== 0) roots[this.count++] = b;
      a = b;
      sign = next;
    }
  }

  /** Sign of p at t, 0 where it is rounding. */
  #sign(t: number): number {
    const { p } = this;
    const size = Math.abs(t);
    const terms =
      Math.abs(p[0]) +
      size * (Math.abs(p[1]) + size * (Math.abs(p[2]) + size * (Math.abs(p[3]) + size * Math.abs(p[4]))));
    const square = 1 + t * t;
    const result = value(p, t);
    if (Math.abs(result) <= HORNER * terms + this.error[0] * square * square) return 0;
    return result > 0 ? 1 : -1;
  }
}

/**
 * Roots of a + b t + c t² strictly inside (−limit, limit), ascending.
 * @returns their number; a double root counts once
 */
function quadraticRoots(coefficients: Float64Array, limit: number, roots: Float64Array): number {
  const [a, b, c] = [coefficients[0], coefficients[1], coefficients[2]];
  const discriminant = b * b - 4 * a * c;
  // Without real roots the second derivative has one sign, and nothing has to be parted.
  if (!(discriminant >= 0)) return 0;
  // The sum of two terms of one sign: nothing cancels. Of a quadratic without t² one root is infinite.
  const sum = -0.5 * (b + (b < 0 ? -1 : 1) * Math.sqrt(discriminant));
  const x = sum / c;
  const y = sum === 0 ? x : a / sum;
  let found = 0;
  const low = Math.min(x, y);
  const high = Math.max(x, y);
  if (low > -limit && low < limit) roots[found++] = low;
  if (high > low && high > -limit && high < limit) roots[found++] = high;
  return found;
}

function value(p: Float64Array, t: number): number {
  return p[0] + t * (p[1] + t * (p[2] + t * (p[3] + t * p[4])));
}

/**
 * The root of a polynomial that has opposite signs at the ends of a bracket and is monotone between them,
 * into bracket[0]: Newton's method, with bisection where it leaves the bracket or its step is no better than
 * half the last one.
 */
function rootBetween(p: Float64Array, bracket: Float64Array, rises: boolean): void {
  let low = bracket[0];
  let high = bracket[1];
  let x = 0.5 * (low + high);
  let last = high - low;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const f = value(p, x);
    if (f === 0) break;
    if (f > 0 === rises) high = x;
    else low = x;
    const slope = p[1] + x * (2 * p[2] + x * (3 * p[3] + 4 * x * p[4]));
    const newton = x - f / slope;
    const step = Math.abs(newton - x);
    const isInside = newton > low && newton < high;
    const size = 1 + Math.abs(x);
    if (step <= RESOLUTION * size) {
      if (isInside) x = newton;
      break;
    }
    if (isInside && 2 * step < last) {
      last = step;
      x = newton;
    } else {
      if (step <= ROUNDING_STEP * size && last <= ROUNDING_STEP * size) break;
      const middle = 0.5 * (low + high);
      last = Math.abs(middle - x);
      x = middle;
    }
  }
  bracket[0] = x;
}

/** Rounding of the coefficients of F: terms of up to six operations. */
const ROUNDING = 8 * EPSILON;
/** Beyond tan(7π/16). */
const BEYOND_TANGENT = 5.1;
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
    quartic.find(BEYOND_TANGENT);
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
