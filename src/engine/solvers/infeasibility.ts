/**
 * Proof that a problem has no solution, because its linear conditions alone contradict each other.
 *
 * A solution z lies in the box, and has w_i ≥ 0 where z_i has no upper bound, w_i ≤ 0 where it has no lower,
 * w_i = 0 where it has neither. So for any v with v_i ≥ 0, v_i ≤ 0, v_i free respectively, and v_i = 0 where
 * both bounds are finite, 0 ≤ vᵀ w = vᵀ q + (Wᵀ v)ᵀ z. If the right side is negative for every z in the box,
 * there is no solution (Farkas). Such a v is a motion of the multipliers that is paid for by nothing:
 * contacts squeezed against each other.
 *
 * Where z has no bound, (Wᵀ v)_i ought to be zero, and is so to rounding only. What is left of it counts with
 * the largest z of which something can be told, which is larger than that of an answer: between the two a
 * problem is unresolved, and not without a solution. A circuit with a large store beside small resistances
 * has a W that is singular to ten digits, and multipliers of 10⁵ times the data that solve it.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { LARGEST_ANSWER, LARGEST_TOLD } from './solver';

/** Parts of Wᵀ v below this fraction of the terms they are made of are rounding. */
const ROUNDING = 1e-11;
/** And below this one, of the last digits: entries that decide are larger, or are not known themselves. */
const LAST_DIGITS = 4 * Number.EPSILON;
/** The contradiction must exceed the rounding of the data by this much to count as a proof. */
const PROOF_MARGIN = 1e-9;

export class InfeasibilityProof {
  /** the candidate v; the caller's to fill before `holds` */
  v = new Float64Array(0);
  #gradient = new Float64Array(0);
  #magnitude = new Float64Array(0);

  /** Makes room, and sets v = 0. */
  prepare(n: number): void {
    if (this.v.length < n) {
      this.v = new Float64Array(n);
      this.#gradient = new Float64Array(n);
      this.#magnitude = new Float64Array(n);
    }
    this.v.fill(0, 0, n);
  }

  /** Whether v proves that the problem has no solution; first moves v to the signs it must have. */
  holds(problem: AffineVariationalInequality): boolean {
    this.#project(problem);
    this.#multiplyTransposed(problem);
    const { size: n, q, lower, upper } = problem;
    let value = 0;
    let size = 0;
    let scale = 0;
    for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(q[i]));
    for (let i = 0; i < n; i++) {
      value += q[i] * this.v[i];
      size += Math.abs(q[i] * this.v[i]);
      const g = this.#gradient[i];
      const isRounding = Math.abs(g) <= ROUNDING * this.#magnitude[i];
      if (g === 0) continue;
      const bound = g > 0 ? upper[i] : lower[i];
      if (Math.abs(bound) === Number.POSITIVE_INFINITY) {
        if (!isRounding) return false;
        const d = problem.diagonal(i);
        const largest = Math.abs(g) <= LAST_DIGITS * this.#magnitude[i] ? LARGEST_ANSWER : LARGEST_TOLD;
        value += (Math.abs(g) * largest * scale) / (d > 0 ? d : 1);
        continue;
      }
      value += g * bound;
      size += this.#magnitude[i] * Math.abs(bound);
    }
    return value < -PROOF_MARGIN * size;
  }

  #project(problem: AffineVariationalInequality): void {
    for (let i = 0; i < problem.size; i++) {
      const hasLower = problem.lower[i] !== Number.NEGATIVE_INFINITY;
      const hasUpper = problem.upper[i] !== Number.POSITIVE_INFINITY;
      if (hasLower && hasUpper) this.v[i] = 0;
      else if (hasLower) this.v[i] = Math.max(0, this.v[i]);
      else if (hasUpper) this.v[i] = Math.min(0, this.v[i]);
    }
  }

  /** Wᵀ v, and the sums of the absolute values of its terms. */
  #multiplyTransposed(problem: AffineVariationalInequality): void {
    const { size: n, rowStart, columns, values } = problem;
    this.#gradient.fill(0, 0, n);
    this.#magnitude.fill(0, 0, n);
    for (let i = 0; i < n; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const term = values[k] * this.v[i];
        this.#gradient[columns[k]] += term;
        this.#magnitude[columns[k]] += Math.abs(term);
      }
    }
  }
}
