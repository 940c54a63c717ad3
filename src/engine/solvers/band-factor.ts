/** Banded LU factor of an unsymmetric problem on one face, kept while operator and face stay. */
import { BandLU } from '../linalg/band-lu';
import type { AffineVariationalInequality } from '../problems/avi';
import { Scaling } from './scaling';

/** A band counts as narrow when its factor takes less than this part of a dense one's storage. */
const NARROW = 0.25;

export class BandFactor {
  readonly #lu = new BandLU();
  readonly #scaling = new Scaling();
  /** whether each row was free when the factor was made */
  #free = new Uint8Array(0);
  /** place of a free row in the factor, row of each place */
  #place = new Int32Array(0);
  #rows = new Int32Array(0);
  #x = new Float64Array(0);
  #count = 0;
  #isRegular = false;
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;

  /**
   * z_F for the free rows, those with state 0 and z = 0; z of the others is given.
   * @returns false when the band of W_FF is not narrow, or W_FF is singular to rounding
   */
  solve(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    const { rowStart, columns, values, q, z } = problem;
    if (!this.#isCurrent(problem, state)) this.#factor(problem, state);
    if (!this.#isRegular) return false;
    const x = this.#x;
    const s = this.#scaling.values;
    for (let k = 0; k < this.#count; k++) {
      const row = this.#rows[k];
      let sum = -q[row];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) sum -= values[e] * z[columns[e]];
      x[k] = s[row] * sum;
    }
    this.#lu.solve(x);
    for (let k = 0; k < this.#count; k++) z[this.#rows[k]] = s[this.#rows[k]] * x[k];
    return true;
  }

  #isCurrent(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    if (this.#problem !== problem || this.#revision !== problem.revision) return false;
    for (let i = 0; i < problem.size; i++) if ((state[i] === 0 ? 1 : 0) !== this.#free[i]) return false;
    return true;
  }

  #factor(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { size: n, rowStart, columns, values } = problem;
    this.#prepare(problem);
    let count = 0;
    for (let i = 0; i < n; i++) {
      this.#free[i] = state[i] === 0 ? 1 : 0;
      if (state[i] !== 0) continue;
      this.#place[i] = count;
      this.#rows[count++] = i;
    }
    this.#count = count;
    let lower = 0;
    let upper = 0;
    for (let k = 0; k < count; k++) {
      const row = this.#rows[k];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        if (state[columns[e]] !== 0 || values[e] === 0) continue;
        const offset = this.#place[columns[e]] - k;
        if (offset > upper) upper = offset;
        else if (-offset > lower) lower = -offset;
      }
    }
    this.#isRegular = 2 * lower + upper + 1 <= NARROW * Math.max(count, 1 / NARROW);
    if (!this.#isRegular) return;
    this.#lu.begin(count, lower, upper);
    const s = this.#scaling.values;
    for (let k = 0; k < count; k++) {
      const row = this.#rows[k];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = columns[e];
        if (state[column] === 0 && values[e] !== 0)
          this.#lu.set(k, this.#place[column], s[row] * values[e] * s[column]);
      }
    }
    this.#isRegular = this.#lu.factor();
  }

  #prepare(problem: AffineVariationalInequality): void {
    const { size: n } = problem;
    this.#problem = problem;
    this.#revision = problem.revision;
    this.#scaling.update(problem);
    if (this.#free.length >= n) return;
    this.#free = new Uint8Array(n);
    this.#place = new Int32Array(n);
    this.#rows = new Int32Array(n);
    this.#x = new Float64Array(n);
  }
}
