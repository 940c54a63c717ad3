/** Sparse Cholesky factor of a symmetric problem on one face, kept while operator and face stay. */
import { EnvelopeCholesky } from '../linalg/envelope';
import type { AffineVariationalInequality } from '../problems/avi';
import { AT_LOWER, AT_UPPER } from './row-state';

export class EnvelopeFactor {
  /** rows that the last solve moved to a bound because they depended on others */
  dropped = 0;
  readonly #cholesky: EnvelopeCholesky;
  /** whether each row was free when the factor was made */
  #free: Uint8Array;
  /** place of a free row in the factor, row of each place */
  #place: Int32Array;
  #rows: Int32Array;
  #x: Float64Array;
  /** whether the row at each place depends on those before it */
  #skipped: Uint8Array;
  #count = 0;
  #isDefinite = false;
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;

  constructor(capacity: number) {
    this.#cholesky = new EnvelopeCholesky(capacity);
    this.#free = new Uint8Array(capacity);
    this.#place = new Int32Array(capacity);
    this.#rows = new Int32Array(capacity);
    this.#x = new Float64Array(capacity);
    this.#skipped = new Uint8Array(capacity);
  }

  /**
   * z_F for the free rows, those with state 0 and z = 0; z of the others is given. A free row that depends on the free
   * rows before it is moved to a bound, which changes its `state` and z; without a finite bound it stays free, at 0.
   * @returns false when W_FF is not positive semidefinite to rounding
   */
  solve(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    const { size: n, rowStart, columns, values, q, z } = problem;
    this.dropped = 0;
    if (!this.#isCurrent(problem, state)) this.#factor(problem, state);
    if (!this.#isDefinite) return false;
    const x = this.#x;
    const rows = this.#rows;
    // Most bounds are zero, and contribute nothing.
    let isShifted = false;
    for (let i = 0; i < n; i++) if (z[i] !== 0) isShifted = true;
    for (let k = 0; k < this.#count; k++) {
      const row = rows[k];
      let sum = -q[row];
      if (isShifted) for (let e = rowStart[row]; e < rowStart[row + 1]; e++) sum -= values[e] * z[columns[e]];
      x[k] = sum;
    }
    this.#cholesky.solve(x);
    for (let k = 0; k < this.#count; k++) if (this.#skipped[k] === 0) z[rows[k]] = x[k];
    return true;
  }

  #isCurrent(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    if (this.#problem !== problem || this.#revision !== problem.revision) return false;
    const free = this.#free;
    for (let i = 0; i < problem.size; i++) if ((state[i] === 0 ? 1 : 0) !== free[i]) return false;
    return true;
  }

  #grow(n: number): void {
    this.#free = new Uint8Array(n);
    this.#place = new Int32Array(n);
    this.#rows = new Int32Array(n);
    this.#x = new Float64Array(n);
    this.#skipped = new Uint8Array(n);
  }

  #factor(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { size: n } = problem;
    if (n > this.#rows.length) this.#grow(n);
    this.#problem = problem;
    this.#revision = problem.revision;
    let count = 0;
    for (let i = 0; i < n; i++) {
      this.#free[i] = state[i] === 0 ? 1 : 0;
      if (state[i] !== 0) continue;
      this.#place[i] = count;
      this.#rows[count++] = i;
    }
    this.#count = count;
    this.#assemble(problem, state);
    this.#isDefinite = this.#cholesky.factor(this.#skipped);
    if (this.#isDefinite) this.#dropDependent(problem, state);
  }

  /** The factor is also that of the face without the dependent rows, and is kept as that. */
  #dropDependent(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { lower, upper, z } = problem;
    for (let k = 0; k < this.#count; k++) {
      if (this.#skipped[k] === 0) continue;
      const row = this.#rows[k];
      if (lower[row] !== Number.NEGATIVE_INFINITY) {
        state[row] = AT_LOWER;
        z[row] = lower[row];
      } else if (upper[row] !== Number.POSITIVE_INFINITY) {
        state[row] = AT_UPPER;
        z[row] = upper[row];
      } else continue;
      this.#free[row] = 0;
      this.dropped++;
    }
  }

  #assemble(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { rowStart, columns, values } = problem;
    const cholesky = this.#cholesky;
    const place = this.#place;
    cholesky.begin(this.#count);
    for (let k = 0; k < this.#count; k++) {
      const row = this.#rows[k];
      let first = k;
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = columns[e];
        // An explicit zero, as in a dense problem, needs no room.
        if (state[column] === 0 && place[column] < first && values[e] !== 0) first = place[column];
      }
      cholesky.beginRow(k, first);
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = columns[e];
        if (state[column] === 0 && place[column] >= first && place[column] <= k)
          cholesky.set(k, place[column], values[e]);
      }
    }
  }
}
