/**
 * Exact solution on a face of the box. With the rows split into F (between the bounds) and B (at a bound), z_B is
 * given and
 *
 *     W_FF z_F = −(q_F + W_FB z_B),     w = W z + q.
 *
 * This is the step that all active-set methods share, and in simulations the same few faces come again and again:
 * their factors are kept for as long as W is the same (`revision`), so that a step on a known face costs one
 * substitution.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { BandFactor } from './band-factor';
import { DenseFactors } from './dense-factors';
import { EnvelopeFactor } from './envelope-factor';
import { FullFactor } from './full-factor';
import { DENSE_FACE_LIMIT, DENSE_LIMIT, SMALL, TINY } from './limits';
import { AT_LOWER, AT_UPPER, BETWEEN } from './row-state';
import { SmallFactors } from './small-factors';

export class FaceSolver {
  /** BETWEEN, AT_LOWER or AT_UPPER for each row; the caller's to set before `solve` */
  state: Uint8Array;
  /** rows that `solve` has moved to a bound because they depended on others, since `prepare` */
  dropped = 0;
  /** factors of problems of up to `TINY` rows */
  readonly small = new SmallFactors();
  readonly #dense = new DenseFactors();
  readonly #full = new FullFactor();
  readonly #envelope: EnvelopeFactor;
  readonly #band = new BandFactor();

  constructor(capacity: number) {
    this.state = new Uint8Array(capacity);
    this.#envelope = new EnvelopeFactor(capacity);
  }

  /** Makes room, and sets the state of each row by where z stands in its box. */
  prepare(problem: AffineVariationalInequality): void {
    const { size: n, z, lower, upper } = problem;
    if (this.state.length < n) this.state = new Uint8Array(n);
    const { state } = this;
    for (let i = 0; i < n; i++) {
      // Fixed rows (l = u) count as at the lower bound. NaN is between, and is found out by the residual.
      if (z[i] <= lower[i] || lower[i] === upper[i]) state[i] = AT_LOWER;
      else if (z[i] >= upper[i]) state[i] = AT_UPPER;
      else state[i] = BETWEEN;
    }
    this.dropped = 0;
  }

  /**
   * Fills z for the present states. Of a symmetric operator, a row that depends on the free rows before it is
   * moved to a bound: if W is semidefinite and the rows agree, its w is zero there as well, and nothing is lost.
   * @returns false when W_FF is singular to rounding
   */
  solve(problem: AffineVariationalInequality): boolean {
    if (problem.symmetric && problem.size > SMALL) {
      this.#setBounds(problem);
      if (problem.isFull && problem.size <= DENSE_LIMIT && this.#full.solve(problem, this.state)) return true;
      if (this.#envelope.solve(problem, this.state)) {
        this.dropped += this.#envelope.dropped;
        return true;
      }
      if (problem.size > DENSE_FACE_LIMIT) return false;
    }
    if (!problem.symmetric && problem.size > SMALL) {
      this.#setBounds(problem);
      if (this.#band.solve(problem, this.state)) return true;
    }
    const factors = problem.size > TINY ? this.#dense : this.small;
    for (;;) {
      this.#setBounds(problem);
      if (factors.solve(problem, this.state)) return true;
      const { dependent } = factors;
      if (dependent < 0 || !problem.symmetric || !this.#drop(problem, dependent)) return false;
    }
  }

  /** Whether every row is at a bound. */
  isVertex(problem: AffineVariationalInequality): boolean {
    for (let i = 0; i < problem.size; i++) if (this.state[i] === BETWEEN) return false;
    return true;
  }

  #setBounds(problem: AffineVariationalInequality): void {
    const { size: n, z, lower, upper } = problem;
    const { state } = this;
    for (let i = 0; i < n; i++) {
      if (state[i] === BETWEEN) z[i] = 0;
      else z[i] = state[i] === AT_LOWER ? lower[i] : upper[i];
    }
  }

  /** @returns false for a row that has no bound to move to */
  #drop(problem: AffineVariationalInequality, row: number): boolean {
    if (problem.lower[row] !== Number.NEGATIVE_INFINITY) this.state[row] = AT_LOWER;
    else if (problem.upper[row] !== Number.POSITIVE_INFINITY) this.state[row] = AT_UPPER;
    else return false;
    this.dropped++;
    return true;
  }
}
