/**
 * The matrices of Newton-type methods, H = diag(a) + diag(b) S W S with a, b ≥ 0 and S the `Scaling`. For
 * symmetric W they are brought to the symmetric form S W S + diag(a/b) and factored sparsely; rows with b = 0
 * read a_i x_i = r_i and are eliminated first. Otherwise, and where that matrix is not positive definite, H
 * is factored densely.
 */
import { factorDense, solveDense } from '../linalg/lu';
import { EnvelopeCholesky } from '../linalg/cholesky';
import type { AffineVariationalInequality } from '../problems/avi';
import { PrincipalPivoting } from './pivoting/principal-pivoting';
import { DENSE_LIMIT, MOST_ROWS_DENSE, type Scaling } from './scaling';
import { createSolverResult } from './solver';

/** b below this fraction of a counts as 0: the row is a fixed value to rounding. */
const FIXED = 1e-14;
/**
 * Added to the diagonal, which is near 1, when the matrix is singular to rounding: the step is then a
 * regularised one (Levenberg 1944), which still descends. The second is for matrices that are slightly
 * indefinite.
 */
const REGULARIZATION = [0, 1e-10, 1e-5];

export class NewtonMatrix {
  readonly #cholesky = new EnvelopeCholesky(0);
  #isSparse = false;
  #problem: AffineVariationalInequality | null = null;
  #s: Float64Array = new Float64Array(0);
  #a: Float64Array = new Float64Array(0);
  #b: Float64Array = new Float64Array(0);
  /** place of each row in the sparse factor, −1 for fixed rows; row of each place */
  #place = new Int32Array(0);
  #rows = new Int32Array(0);
  #count = 0;
  #x = new Float64Array(0);
  #dense = new Float64Array(0);
  #pivots = new Int32Array(0);

  /**
   * @param a n entries, kept by reference
   * @param b n entries, kept by reference; a_i + b_i > 0
   * @returns false when H is singular to rounding, or too large to be factored
   */
  factor(problem: AffineVariationalInequality, scaling: Scaling, a: Float64Array, b: Float64Array): boolean {
    const { size: n } = problem;
    if (this.#place.length < n) {
      this.#place = new Int32Array(n);
      this.#rows = new Int32Array(n);
      this.#x = new Float64Array(n);
    }
    this.#problem = problem;
    this.#s = scaling.values;
    this.#a = a;
    this.#b = b;
    this.#isSparse = false;
    if (problem.symmetric && n > MOST_ROWS_DENSE) {
      for (let k = 0; k < REGULARIZATION.length && !this.#isSparse; k++)
        this.#isSparse = this.#factorSparse(problem, REGULARIZATION[k]);
    }
    return this.#isSparse || this.#factorDense(problem);
  }

  /** Solves H x = r, in place. */
  solve(x: Float64Array): void {
    const problem = this.#problem;
    if (problem === null) return;
    if (this.#isSparse) this.#solveSparse(problem, x);
    else solveDense(this.#dense, 0, problem.size, this.#pivots, 0, x);
  }

  #factorSparse(problem: AffineVariationalInequality, regularization: number): boolean {
    const { size: n, rowStart, columns, values } = problem;
    const cholesky = this.#cholesky;
    const place = this.#place;
    const s = this.#s;
    let count = 0;
    for (let i = 0; i < n; i++) {
      if (this.#b[i] <= FIXED * this.#a[i]) {
        place[i] = -1;
        continue;
      }
      place[i] = count;
      this.#rows[count++] = i;
    }
    this.#count = count;
    cholesky.begin(count);
    for (let k = 0; k < count; k++) {
      const row = this.#rows[k];
      let first = k;
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = place[columns[e]];
        if (column >= 0 && column < first && values[e] !== 0) first = column;
      }
      cholesky.beginRow(k, first);
      const shift = this.#a[row] / this.#b[row] + regularization;
      cholesky.set(k, k, shift);
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = place[columns[e]];
        if (column < first || column > k) continue;
        cholesky.set(k, column, s[row] * values[e] * s[columns[e]] + (column === k ? shift : 0));
      }
    }
    return cholesky.factor();
  }

  #solveSparse(problem: AffineVariationalInequality, x: Float64Array): void {
    const { size: n, rowStart, columns, values } = problem;
    const place = this.#place;
    const s = this.#s;
    const right = this.#x;
    for (let i = 0; i < n; i++) if (place[i] < 0) x[i] /= this.#a[i];
    for (let k = 0; k < this.#count; k++) {
      const row = this.#rows[k];
      let sum = x[row] / this.#b[row];
      if (this.#count < n) {
        for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
          const column = columns[e];
          if (place[column] < 0) sum -= s[row] * values[e] * s[column] * x[column];
        }
      }
      right[k] = sum;
    }
    this.#cholesky.solve(right);
    for (let k = 0; k < this.#count; k++) x[this.#rows[k]] = right[k];
  }

  #factorDense(problem: AffineVariationalInequality): boolean {
    const { size: n, rowStart, columns, values } = problem;
    if (n > DENSE_LIMIT) return false;
    if (this.#pivots.length < n) {
      this.#dense = new Float64Array(n * n);
      this.#pivots = new Int32Array(n);
    }
    const dense = this.#dense;
    const s = this.#s;
    dense.fill(0, 0, n * n);
    for (let i = 0; i < n; i++) {
      dense[i * n + i] = this.#a[i];
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        const j = columns[e];
        dense[j * n + i] += this.#b[i] * s[i] * values[e] * s[j];
      }
    }
    return factorDense(dense, 0, n, this.#pivots, 0) < 0;
  }
}

/*
 * From an approximate solution to an exact one: each row is put where z and w say that it tends to, and the
 * face is solved, with a few exchanges where a sign was taken wrongly. The answer is kept if its residual is
 * smaller.
 */

/** Faces to try: near a solution one is enough; more than a few mean that the guess is none. */
const FACES = 5;

export class Crossover {
  readonly #pivoting: PrincipalPivoting;
  readonly #result = createSolverResult();
  #kept = new Float64Array(0);

  constructor(capacity: number) {
    this.#pivoting = new PrincipalPivoting(capacity, 'crossover', 'block', FACES);
  }

  /**
   * Improves `problem.z`, if it can; leaves w and the residual of the better one.
   * @returns whether the result is that of a face
   */
  improve(problem: AffineVariationalInequality, tolerance: number): boolean {
    const { size: n, z } = problem;
    if (this.#kept.length < n) this.#kept = new Float64Array(n);
    const kept = this.#kept;
    problem.certify();
    const before = problem.measure[0];
    for (let i = 0; i < n; i++) kept[i] = z[i];
    this.#snap(problem);
    this.#pivoting.solve(problem, tolerance, this.#result);
    if (problem.measure[0] <= before) return true;
    for (let i = 0; i < n; i++) z[i] = kept[i];
    problem.certify();
    return false;
  }

  #snap(problem: AffineVariationalInequality): void {
    const { size: n, z, w, lower, upper } = problem;
    for (let i = 0; i < n; i++) {
      const diagonal = problem.diagonal(i);
      const d = diagonal > 0 ? diagonal : 1;
      if (d * (z[i] - lower[i]) < w[i]) z[i] = lower[i];
      else if (d * (upper[i] - z[i]) < -w[i]) z[i] = upper[i];
      else if (z[i] <= lower[i] || z[i] >= upper[i]) z[i] = between(lower[i], upper[i]);
    }
  }
}

/** A number inside an interval, which may be half infinite. */
function between(lower: number, upper: number): number {
  if (upper === Number.POSITIVE_INFINITY) return lower + Math.max(1, Math.abs(lower));
  if (lower === Number.NEGATIVE_INFINITY) return upper - Math.max(1, Math.abs(upper));
  return 0.5 * (lower + upper);
}
