/**
 * All solutions of one contact with Coulomb friction in space, u = M r + q, K_μ ∋ r ⊥ u + μ |u_T| e_N ∈ K*_μ,
 * by what it may do:
 *
 *     take-off   r = 0, when q_N ≥ 0
 *     stick      u = 0, when r = −M⁻¹q is in the cone               (`StickSolution`)
 *     slide      |r_T| = μ r_N, u_N = 0, u_T = −α r_T with α > 0   (`SlipDirections`)
 *
 * The slides are those of the Siconos developer's notes §12. Of the roots θ that the squared conic and the
 * eliminated α admit, those with r_N > 0 and α > 0 are solutions. α = |u_T|/|r_T| is the component of −u_T
 * along r_T, which is determined wherever r_T is not zero; (12.10) divides by one component of r_T, (12.19)
 * and (12.20) are what is left where that vanishes. So those are no cases here.
 *
 * M may be any matrix; where it is not definite there may be no solution, several, or a continuum.
 */
import { SLIDE, STICK, TAKE_OFF } from './local-solver';
import { SlipDirections } from './slip-directions';
import { StickSolution } from './stick';

/** One of taking off, one of sticking, four of sliding, and a candidate. */
const CAPACITY = 7;
/** Rounding of M r + q, in units of |M| |r| + |q|. */
const ROUNDING = 64 * Number.EPSILON;
/**
 * Of the push per speed of approach M₁₁ + μ c·n, below this part of its terms little is left but rounding.
 */
const CANCELLED = 1e-8;
/** Two values of r_N that are this near to each other have the same sign. */
const AGREEING = 1e-3;
/** Roots of F that are double to rounding are known to the square root of it. */
const SAME = 1e-7;
/** Velocities that rounding may have falsified by more than this part of |q| are none. */
const UNTRUSTWORTHY = 1e-2;

export class ContactSolutions {
  count = 0;
  /** forces, three entries each */
  readonly r = new Float64Array(3 * CAPACITY);
  /** |u_T| of each */
  readonly slip = new Float64Array(CAPACITY);
  readonly kinds = new Uint8Array(CAPACITY);
  /** 1 for one point of a continuum of solutions */
  readonly continua = new Uint8Array(CAPACITY);
  #hasStick = false;
  readonly #directions = new SlipDirections();
  readonly #stick = new StickSolution();
  /** [0] largest |entry| of M, [1] of q */
  readonly #scale = new Float64Array(2);

  /**
   * @param M 3 × 3 from entry `at`, row-major, finite
   * @param q 3 velocities, the normal one first
   * @param guess 3 forces; of a continuum of solutions one near it is listed
   */
  find(M: Float64Array, at: number, q: Float64Array, mu: number, guess: Float64Array): void {
    this.count = 0;
    this.#hasStick = false;
    this.#measure(M, at, q);
    if (q[0] >= 0) this.#takeOff(q);
    this.#findStick(M, at, q, mu, guess);
    if (mu === 0) this.#slideWithoutFriction(M, at, q, guess);
    else this.#findSlides(M, at, q, mu, guess);
  }

  /** The solution nearest to r; the first of those that are equally far. */
  nearest(r: Float64Array): number {
    let best = 0;
    let least = Infinity;
    for (let k = 0; k < this.count; k++) {
      const d0 = this.r[3 * k] - r[0];
      const d1 = this.r[3 * k + 1] - r[1];
      const d2 = this.r[3 * k + 2] - r[2];
      const distance = d0 * d0 + d1 * d1 + d2 * d2;
      if (distance < least) {
        least = distance;
        best = k;
      }
    }
    return best;
  }

  #measure(M: Float64Array, at: number, q: Float64Array): void {
    let ofM = 0;
    for (let k = 0; k < 9; k++) ofM = Math.max(ofM, Math.abs(M[at + k]));
    this.#scale[0] = ofM;
    this.#scale[1] = Math.max(Math.abs(q[0]), Math.abs(q[1]), Math.abs(q[2]));
  }

  /** Keeps the candidate, the force and slip that stand behind the solutions so far. */
  #keep(kind: number, continuum: number): void {
    this.kinds[this.count] = kind;
    this.continua[this.count] = continuum;
    this.count++;
    if (kind === STICK) this.#hasStick = true;
  }

  #takeOff(q: Float64Array): void {
    const { r } = this;
    r[0] = 0;
    r[1] = 0;
    r[2] = 0;
    this.slip[0] = Math.sqrt(q[1] * q[1] + q[2] * q[2]);
    this.#keep(TAKE_OFF, 0);
  }

  /** Of r = 0 with q = 0 it is said that the contact takes off. */
  #findStick(M: Float64Array, at: number, q: Float64Array, mu: number, guess: Float64Array): void {
    const stick = this.#stick;
    stick.find(M, at, q, mu, guess);
    if (!stick.exists) return;
    const { r } = stick;
    const continuum = stick.isContinuum ? 1 : 0;
    if (this.count > 0 && r[0] === 0 && r[1] === 0 && r[2] === 0) {
      this.continua[0] = continuum;
      return;
    }
    for (let i = 0; i < 3; i++) this.r[3 * this.count + i] = r[i];
    this.slip[this.count] = 0;
    this.#keep(STICK, continuum);
  }

  /** μ = 0: the cone is a ray, α has no meaning, and the slip goes where it likes. */
  #slideWithoutFriction(M: Float64Array, at: number, q: Float64Array, guess: Float64Array): void {
    const isFree = M[at] === 0 && q[0] === 0;
    const normal = isFree ? guess[0] : -q[0] / M[at];
    if (!(normal > 0 && normal < Infinity)) return;
    const u1 = q[1] + M[at + 3] * normal;
    const u2 = q[2] + M[at + 6] * normal;
    this.slip[this.count] = Math.sqrt(u1 * u1 + u2 * u2);
    this.r[3 * this.count] = normal;
    this.r[3 * this.count + 1] = 0;
    this.r[3 * this.count + 2] = 0;
    this.#keepOnCone(isFree ? 1 : 0);
  }

  #findSlides(M: Float64Array, at: number, q: Float64Array, mu: number, guess: Float64Array): void {
    const found = this.#directions;
    found.find(M, at, q, mu);
    if (found.isAnything) {
      const norm = Math.sqrt(guess[1] * guess[1] + guess[2] * guess[2]);
      found.directions[0] = norm > 0 ? guess[1] / norm : 1;
      found.directions[1] = norm > 0 ? guess[2] / norm : 0;
      this.#slide(M, at, q, mu, 0, 1);
      return;
    }
    for (let k = 0; k < found.count; k++) this.#slide(M, at, q, mu, k, 0);
  }

  /** Adds the solution with friction along direction k, a zero of F, if there is one. */
  #slide(M: Float64Array, at: number, q: Float64Array, mu: number, k: number, continuum: number): void {
    const n1 = this.#directions.directions[2 * k];
    const n2 = this.#directions.directions[2 * k + 1];
    const push = M[at] + mu * (M[at + 1] * n1 + M[at + 2] * n2);
    // m + μ M_T n: slip per normal force.
    const g1 = M[at + 3] + mu * (M[at + 4] * n1 + M[at + 5] * n2);
    const g2 = M[at + 6] + mu * (M[at + 7] * n1 + M[at + 8] * n2);
    const terms = Math.abs(M[at]) + mu * (Math.abs(M[at + 1]) + Math.abs(M[at + 2]));
    // At a zero of F, r_N (push, across) = −(q_N, freeAcross) has a solution, for which least squares weigh
    // the two equations. But the sign of r_N, which may be small, is that of −q_N/push, where that is more
    // than rounding.
    const across = n1 * g2 - n2 * g1;
    const freeAcross = n1 * q[2] - n2 * q[1];
    const weighed = -(q[0] * push + freeAcross * across) / (push * push + across * across);
    const direct = -q[0] / push;
    const isWeighed =
      Math.abs(push) <= CANCELLED * terms || Math.abs(weighed - direct) <= AGREEING * Math.abs(direct);
    const normal = isWeighed ? weighed : direct;
    if (!(normal > 0 && normal < Infinity)) return;
    // Forces so large have no effect but rounding: they lie along what M takes to zero, and prove nothing.
    if (ROUNDING * terms * normal > UNTRUSTWORTHY * this.#scale[1]) return;
    const slip = -(n1 * (q[1] + g1 * normal) + n2 * (q[2] + g2 * normal));
    const place = 3 * this.count;
    this.r[place] = normal;
    this.r[place + 1] = mu * n1 * normal;
    this.r[place + 2] = mu * n2 * normal;
    this.slip[this.count] = slip;
    this.#keepOnCone(continuum);
  }

  /**
   * Keeps a candidate on the cone unless its friction drives the slip. A slip within rounding is none: then
   * the force is one of sticking on the cone, and known already unless rounding hid it. So is a force that
   * cannot be told from that of sticking: there α is what its root is wrong by.
   */
  #keepOnCone(continuum: number): void {
    const { r, slip, count } = this;
    const ofForce = r[3 * count] + Math.abs(r[3 * count + 1]) + Math.abs(r[3 * count + 2]);
    const rounding = ROUNDING * (this.#scale[0] * ofForce + this.#scale[1]);
    if (slip[count] > rounding) {
      if (!this.#isStick()) this.#keep(SLIDE, continuum);
    } else if (slip[count] >= -rounding && !this.#hasStick) {
      slip[count] = 0;
      this.#keep(STICK, continuum);
    }
  }

  /** Whether the candidate is a solution that sticks. */
  #isStick(): boolean {
    const { r, count } = this;
    const c = 3 * count;
    const square = r[c] * r[c] + r[c + 1] * r[c + 1] + r[c + 2] * r[c + 2];
    for (let k = 0; k < count; k++) {
      if (this.kinds[k] !== STICK) continue;
      const d0 = r[3 * k] - r[c];
      const d1 = r[3 * k + 1] - r[c + 1];
      const d2 = r[3 * k + 2] - r[c + 2];
      if (d0 * d0 + d1 * d1 + d2 * d2 <= SAME * SAME * square) return true;
    }
    return false;
  }
}
