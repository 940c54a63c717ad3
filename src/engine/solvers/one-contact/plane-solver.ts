/**
 * Exact solution of one contact in the plane by enumeration; of several solutions the one nearest to the
 * guess.
 */
import { type LocalSolver, type LocalStatus, SLIDE, STICK, TAKE_OFF, isSuitable } from './local-solver';

/*
 * All solutions of one contact with Coulomb friction in the plane, by enumeration: take-off, stick, and
 * slides with r_T = s μ r_N for s = ±1, where u_N = 0 gives r_N = −q_N/(M₁₁ + s μ M₁₂) > 0 and the slip must
 * be against the friction, s u_T < 0. M may be any 2 × 2 matrix.
 */

/** One of taking off, one of sticking, two of sliding. */
const CAPACITY = 4;
/** Rounding of M r + q, in units of |M| |r| + |q|. */
const ROUNDING = 64 * Number.EPSILON;
/** A determinant or push below this part of its terms is what cancellation leaves of zero. */
const SINGULAR = 1e-14;

export class PlaneContactSolutions {
  count = 0;
  /** forces, two entries each */
  readonly r = new Float64Array(2 * CAPACITY);
  /** |u_T| of each */
  readonly slip = new Float64Array(CAPACITY);
  readonly kinds = new Uint8Array(CAPACITY);
  /** 1 for one point of a continuum of solutions */
  readonly continua = new Uint8Array(CAPACITY);
  #hasStick = false;

  /**
   * @param M 2 × 2 from entry `at`, row-major, finite
   * @param q, guess 2 entries, the normal one first
   */
  find(M: Float64Array, at: number, q: Float64Array, mu: number, guess: Float64Array): void {
    this.count = 0;
    this.#hasStick = false;
    if (q[0] >= 0) this.#add(TAKE_OFF, 0, 0, Math.abs(q[1]), 0);
    this.#findStick(M, at, q, mu, guess);
    this.#slide(M, at, q, mu, 1, guess);
    if (mu > 0) this.#slide(M, at, q, mu, -1, guess);
  }

  /** The solution nearest to r; the first of those that are equally far. */
  nearest(r: Float64Array): number {
    let best = 0;
    let least = Infinity;
    for (let k = 0; k < this.count; k++) {
      const d0 = this.r[2 * k] - r[0];
      const d1 = this.r[2 * k + 1] - r[1];
      const distance = d0 * d0 + d1 * d1;
      if (distance < least) {
        least = distance;
        best = k;
      }
    }
    return best;
  }

  #add(kind: number, normal: number, tangent: number, slip: number, continuum: number): void {
    const k = this.count++;
    this.kinds[k] = kind;
    this.r[2 * k] = normal;
    this.r[2 * k + 1] = tangent;
    this.slip[k] = slip;
    this.continua[k] = continuum;
    if (kind === STICK) this.#hasStick = true;
  }

  #findStick(M: Float64Array, at: number, q: Float64Array, mu: number, guess: Float64Array): void {
    const a = M[at];
    const b = M[at + 1];
    const c = M[at + 2];
    const d = M[at + 3];
    const determinant = a * d - b * c;
    if (Math.abs(determinant) > SINGULAR * (Math.abs(a * d) + Math.abs(b * c))) {
      const normal = (b * q[1] - d * q[0]) / determinant;
      const tangent = (c * q[0] - a * q[1]) / determinant;
      // Without friction both sides are zeros, whatever the sign of the push.
      if (!(normal >= 0 && Math.abs(tangent) <= mu * normal) || (this.count > 0 && normal === 0)) return;
      this.#add(STICK, normal, tangent, 0, 0);
    } else this.#stickOfSingular(M, at, q, mu, guess);
  }

  /**
   * The larger row decides: the forces a r_N + b r_T = f of its line meet the cone in a segment or ray, in
   * the apex, or not at all. The point nearest to the guess is taken.
   */
  #stickOfSingular(M: Float64Array, at: number, q: Float64Array, mu: number, guess: Float64Array): void {
    const isFirst = Math.abs(M[at]) + Math.abs(M[at + 1]) >= Math.abs(M[at + 2]) + Math.abs(M[at + 3]);
    const row = isFirst ? 0 : 1;
    const a = M[at + 2 * row];
    const b = M[at + 2 * row + 1];
    const square = a * a + b * b;
    const f = -q[row];
    if (square === 0 && f !== 0) return;
    // Where M vanishes, all of the plane.
    const step = square > 0 ? (f - a * guess[0] - b * guess[1]) / square : 0;
    let normal = guess[0] + step * a;
    let tangent = guess[1] + step * b;
    const isInside = normal >= 0 && Math.abs(tangent) <= mu * normal;
    if (!isInside && f === 0) {
      normal = 0;
      tangent = 0;
    } else if (!isInside) {
      const up = f / (a + mu * b);
      const down = f / (a - mu * b);
      const isUp = up > 0 && up < Infinity;
      const isDown = down > 0 && down < Infinity;
      if (!isUp && !isDown) return;
      const takesUp = isUp && (!isDown || Math.abs(mu * up - tangent) <= Math.abs(-mu * down - tangent));
      normal = takesUp ? up : down;
      tangent = takesUp ? mu * up : -mu * down;
    }
    const other = 1 - row;
    const c = M[at + 2 * other];
    const d = M[at + 2 * other + 1];
    const terms = Math.abs(c * normal) + Math.abs(d * tangent) + Math.abs(q[0]) + Math.abs(q[1]);
    if (Math.abs(c * normal + d * tangent + q[other]) > ROUNDING * terms) return;
    // A line through the apex holds a ray of the cone if it is steep enough; another cuts through the inside.
    const continuum = (f === 0 ? mu * Math.abs(b) >= Math.abs(a) : mu > 0) ? 1 : 0;
    if (this.count > 0 && normal === 0) this.continua[0] = continuum;
    else this.#add(STICK, normal, tangent, 0, continuum);
  }

  #slide(M: Float64Array, at: number, q: Float64Array, mu: number, sign: number, guess: Float64Array): void {
    const push = M[at] + sign * mu * M[at + 1];
    const isNone = Math.abs(push) <= SINGULAR * (Math.abs(M[at]) + mu * Math.abs(M[at + 1]));
    // Any force of this direction leaves u_N = q_N.
    const isFree = isNone && q[0] === 0;
    if (isNone && !isFree) return;
    const rate = M[at + 2] + sign * mu * M[at + 3];
    let normal = isFree ? guess[0] : -q[0] / push;
    if (isFree && sign * (q[1] + rate * normal) > 0) normal = -q[1] / rate;
    if (!(normal > 0 && normal < Infinity)) return;
    const tangent = sign * mu * normal;
    const u = q[1] + rate * normal;
    const slip = mu > 0 ? -sign * u : Math.abs(u);
    const largest = Math.max(Math.abs(M[at]), Math.abs(M[at + 1]), Math.abs(M[at + 2]), Math.abs(M[at + 3]));
    const rounding = ROUNDING * (largest * (normal + Math.abs(tangent)) + Math.abs(q[0]) + Math.abs(q[1]));
    if (slip > rounding) this.#add(SLIDE, normal, tangent, slip, isFree ? 1 : 0);
    else if (slip >= -rounding && !this.#hasStick) this.#add(STICK, normal, tangent, 0, isFree ? 1 : 0);
  }
}

export class PlaneSolver implements LocalSolver {
  readonly size = 2;
  readonly #all = new PlaneContactSolutions();

  solve(values: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): LocalStatus {
    if (!isSuitable(2, values, at, q, mu, r)) return 'unsuitable';
    const all = this.#all;
    all.find(values, at, q, mu, r);
    if (all.count === 0) return 'noSolution';
    const k = all.nearest(r);
    r[0] = all.r[2 * k];
    r[1] = all.r[2 * k + 1];
    return all.count === 1 && all.continua[k] === 0 ? 'converged' : 'several';
  }
}
