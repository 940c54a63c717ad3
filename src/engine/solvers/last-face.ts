/**
 * The step of a simulation in which nothing switches: a face whose factor is kept is solved once more, and one pass
 * over the rows finds residual, rounding and signs. It answers what block pivoting from the same start would answer on
 * its first face, bit by bit, or nothing at all.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { TINY } from './limits';
import type { SmallFactors } from './small-factors';

/** Data below this leave the fast way: differences of theirs may underflow. */
const SMALLEST_SCALE = 1e-200;

export class LastFace {
  /** the guess, put back where the face is not the answer */
  readonly #guess = new Float64Array(TINY);

  /** operator whose bounds are known */
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;
  /** whether all rows are [0, ∞), which leaves little to look at */
  #isLcp = false;

  /**
   * @param diagonal W(i, i), 1 where it is not positive
   * @param noise what a sign must exceed to count, as a fraction of the data
   * @returns whether z and w are the solution on a kept face, with `measure` as `certify` leaves it; if not, z is as
   *   before
   */
  solve(
    problem: AffineVariationalInequality,
    factors: SmallFactors,
    diagonal: Float64Array,
    noise: number,
  ): boolean {
    if (this.#problem !== problem || this.#revision !== problem.revision) {
      this.#problem = problem;
      this.#revision = problem.revision;
      this.#isLcp = problem.kind === 'LCP';
    }
    const { size: n, z, lower, upper } = problem;
    const guess = this.#guess;
    let free = 0;
    let isShifted = false;
    if (this.#isLcp) {
      for (let i = 0; i < n; i++) {
        const x = z[i];
        guess[i] = x;
        z[i] = 0;
        // NaN is between its bounds.
        if (!(x <= 0)) free |= 1 << i;
      }
    } else {
      for (let i = 0; i < n; i++) {
        const x = z[i];
        const l = lower[i];
        const u = upper[i];
        guess[i] = x;
        let bound = 0;
        // Fixed rows (l = u) count as at the lower bound.
        if (x <= l || l === u) bound = l;
        else if (x >= u) bound = u;
        else free |= 1 << i;
        z[i] = bound;
        if (bound !== 0) isShifted = true;
      }
    }
    if (factors.select(free)) {
      factors.substitute(problem, isShifted);
      problem.multiply();
      if (
        this.#isLcp
          ? this.#solvesLcp(problem, free, diagonal, noise)
          : this.#isSolution(problem, free, diagonal, noise)
      )
        return true;
    }
    for (let i = 0; i < n; i++) z[i] = guess[i];
    return false;
  }

  /** `#isSolution` for rows [0, ∞). */
  #solvesLcp(
    { size: n, z, w, q, measure }: AffineVariationalInequality,
    free: number,
    diagonal: Float64Array,
    noise: number,
  ): boolean {
    let worst = 0;
    let scale = 0;
    let largest = 0;
    let breach = 0;
    for (let i = 0; i < n; i++) {
      const y = w[i];
      const size = Math.abs(q[i]);
      if (size > scale) scale = size;
      if (((free >> i) & 1) === 0) {
        if (y < breach) breach = y;
        else if (Number.isNaN(y)) return false;
        continue;
      }
      if (!(z[i] > 0)) return false;
      const x = diagonal[i] * z[i];
      if (x > largest) largest = x;
      const value = Math.abs(y < x ? y : x);
      if (value > worst) worst = value;
      else if (Number.isNaN(value)) return false;
    }
    if (!(scale > SMALLEST_SCALE && -breach <= noise * scale)) return false;
    if (-breach > worst) worst = -breach;
    measure[0] = worst / scale;
    measure[1] = (Number.EPSILON * largest) / scale;
    measure[2] = scale;
    return true;
  }

  #isSolution(
    problem: AffineVariationalInequality,
    free: number,
    diagonal: Float64Array,
    noise: number,
  ): boolean {
    const { size: n, z, w, q, lower, upper, measure } = problem;
    let worst = 0;
    let scale = 0;
    let largest = 0;
    let breach = 0;
    for (let i = 0; i < n; i++) {
      const d = diagonal[i];
      const l = lower[i];
      const u = upper[i];
      const x = z[i];
      const y = w[i];
      const size = Math.abs(q[i]);
      if (size > scale) scale = size;
      const dx = d * x;
      const reach = Math.abs(dx);
      if (reach > largest) largest = reach;
      let value = y;
      if (l !== Number.NEGATIVE_INFINITY) {
        const dl = d * l;
        if (Math.abs(dl) > scale) scale = Math.abs(dl);
        if (dx - dl < value) value = dx - dl;
      }
      if (u !== Number.POSITIVE_INFINITY) {
        const du = d * u;
        if (Math.abs(du) > scale) scale = Math.abs(du);
        if (dx - du > value) value = dx - du;
      }
      value = Math.abs(value);
      if (value > worst) worst = value;
      else if (Number.isNaN(value)) return false;
      if (((free >> i) & 1) !== 0) {
        // Also NaN; and at a bound, or past it by rounding, the general way decides.
        if (!(x > l && x < u)) return false;
      } else if (l !== u) {
        const wrong = x === l ? -y : y;
        if (!(wrong <= breach) && !Number.isNaN(breach)) breach = wrong;
      }
    }
    if (!(scale > SMALLEST_SCALE && breach <= noise * scale)) return false;
    measure[0] = worst / scale;
    measure[1] = (Number.EPSILON * largest) / scale;
    measure[2] = scale;
    return true;
  }
}
