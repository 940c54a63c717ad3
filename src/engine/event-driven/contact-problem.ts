/**
 * The problems of an event in canonical form: impacts, accelerations, and the derivatives that decide ties. Rows and
 * columns of W are those of a list of rows; bounds and offsets are the caller's.
 */
import { AffineVariationalInequality } from '../problems/avi';
import type { Solver } from '../solvers/solver';
import { createSolverResult, type SolverResult } from '../solvers/status';
import type { SmoothFlow } from './smooth-flow';

/** Differences of W_rs and W_sr below this part of the diagonal entries are rounding. */
const SYMMETRY_ROUNDING = 64 * Number.EPSILON;

/**
 * Residual that is accepted where the tolerance cannot be met: with redundant contacts that are nearly parallel, multipliers may
 * be 10⁵ times the data, and rounding of W alone leaves more than the tolerance. What it comes to shows in the certificate.
 */
const REDUNDANT = 1e-7;

export class ContactProblem {
  readonly problem: AffineVariationalInequality;
  readonly result: SolverResult = createSolverResult();
  /** rows that take part */
  readonly list: Int32Array;
  count = 0;
  readonly #columns: Float64Array;

  constructor(
    capacity: number,
    isSymmetric: boolean,
    private readonly flow: SmoothFlow,
    private readonly solver: Solver,
    private readonly tolerance: number,
  ) {
    this.problem = new AffineVariationalInequality(capacity, capacity * capacity, isSymmetric);
    this.list = new Int32Array(capacity);
    this.#columns = new Float64Array(capacity * capacity);
  }

  /** Fills W among the rows of the list, with zero guesses. */
  fill(): void {
    const { problem, count: n } = this;
    const columns = this.#columns;
    this.flow.fillOperator(this.list, n, columns);
    const { values } = problem;
    for (let i = 0; i < n; i++) {
      problem.rowStart[i + 1] = (i + 1) * n;
      problem.z[i] = 0;
      for (let j = 0; j < n; j++) {
        problem.columns[i * n + j] = j;
        values[i * n + j] = columns[j * n + i];
      }
    }
    if (problem.symmetric) {
      // Solvers rely on exact symmetry where they are told of it.
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) values[j * n + i] = values[i * n + j];
    }
    problem.size = n;
    problem.isFull = true;
    problem.revision++;
  }

  /** @returns whether there is a certified solution, in `problem.z` and `problem.w` */
  solve(): boolean {
    const { problem, result } = this;
    this.solver.solve(problem, this.tolerance, result);
    if (result.status !== 'converged' && this.tolerance < REDUNDANT) {
      problem.z.fill(0, 0, problem.size);
      this.solver.solve(problem, REDUNDANT, result);
    }
    if (result.status === 'converged') problem.multiply();
    return result.status === 'converged';
  }

  /** W_rr of the i-th row of the list */
  diagonal(i: number): number {
    return this.problem.values[i * this.count + i];
  }

  /** Largest entry of row i. A diagonal entry below rounding of it does not control its row. */
  controls(i: number): boolean {
    const { values } = this.problem;
    const n = this.count;
    let largest = 0;
    for (let j = 0; j < n; j++) largest = Math.max(largest, Math.abs(values[i * n + j]));
    return largest > 0 && values[i * n + i] >= -SYMMETRY_ROUNDING * largest;
  }
}
