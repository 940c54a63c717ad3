/**
 * From an approximate solution to an exact one: each row is put where z and w say that it tends to, and the face is
 * solved, with a few exchanges where a sign was taken wrongly. The answer is kept if its residual is smaller.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { PrincipalPivoting } from './principal-pivoting';
import { createSolverResult } from './status';

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
