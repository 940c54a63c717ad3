/** Cholesky factor of a symmetric problem in full rows on one face, kept while operator and face stay. */
import { factorCholesky, solveCholesky } from '../linalg/dense-cholesky';
import type { AffineVariationalInequality } from '../problems/avi';
import { BETWEEN } from './row-state';

export class FullFactor {
  /** whether each row was free when the factor was made */
  #free = new Uint8Array(0);
  /** the free rows in order */
  #rows = new Int32Array(0);
  #factor = new Float64Array(0);
  #x = new Float64Array(0);
  #count = 0;
  #isDefinite = false;
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;

  /**
   * z_F for the free rows, those with state 0 and z = 0; z of the others is given.
   * @returns false when W_FF is not safely positive definite
   */
  solve(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    const { size: n, values, q, z } = problem;
    if (!this.#isCurrent(problem, state)) this.#compute(problem, state);
    if (!this.#isDefinite) return false;
    const x = this.#x;
    const rows = this.#rows;
    // Most bounds are zero, and contribute nothing.
    let isShifted = false;
    for (let i = 0; i < n; i++) if (z[i] !== 0) isShifted = true;
    for (let k = 0; k < this.#count; k++) {
      const row = rows[k];
      let sum = -q[row];
      if (isShifted) for (let j = 0; j < n; j++) sum -= values[row * n + j] * z[j];
      x[k] = sum;
    }
    solveCholesky(this.#factor, this.#count, x);
    for (let k = 0; k < this.#count; k++) z[rows[k]] = x[k];
    return true;
  }

  #isCurrent(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    if (this.#problem !== problem || this.#revision !== problem.revision) return false;
    const free = this.#free;
    for (let i = 0; i < problem.size; i++) if ((state[i] === BETWEEN ? 1 : 0) !== free[i]) return false;
    return true;
  }

  #compute(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { size: n, values } = problem;
    if (n > this.#rows.length) {
      this.#free = new Uint8Array(n);
      this.#rows = new Int32Array(n);
      this.#x = new Float64Array(n);
    }
    this.#problem = problem;
    this.#revision = problem.revision;
    const rows = this.#rows;
    let count = 0;
    for (let i = 0; i < n; i++) {
      this.#free[i] = state[i] === BETWEEN ? 1 : 0;
      if (state[i] === BETWEEN) rows[count++] = i;
    }
    this.#count = count;
    if (this.#factor.length < count * count) this.#factor = new Float64Array(n * n);
    const factor = this.#factor;
    for (let k = 0; k < count; k++) {
      const line = k * count;
      const row = rows[k] * n;
      for (let j = 0; j <= k; j++) factor[line + j] = values[row + rows[j]];
    }
    this.#isDefinite = factorCholesky(factor, count);
  }
}
