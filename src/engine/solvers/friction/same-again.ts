/**
 * A problem that comes again to the last bit, as that of bodies at rest does in every step, has the answer
 * that it had: a solver is a function of the problem and its guess. What is compared and kept are a few
 * vectors; W tells by its revision.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import { type SolverResult, createSolverResult } from '../solver';
import type { FrictionSolver } from './solver';

export class SameAgain implements FrictionSolver {
  /** the only one that is remembered: others come in between, as of positions that are corrected */
  #problem: FrictionContactProblem | null = null;
  #revision = -1;
  #count = -1;
  #isSymmetric = true;
  readonly #tolerance = new Float64Array(1);
  /** what was given, and the answer */
  #q = new Float64Array(0);
  #mu = new Float64Array(0);
  #guess = new Float64Array(0);
  #r = new Float64Array(0);
  #u = new Float64Array(0);
  readonly #measure = new Float64Array(3);
  readonly #result = createSolverResult();
  #attempts = 1;
  #reason = '';
  #isOther = false;

  constructor(private readonly solver: FrictionSolver) {}

  get attempts(): number {
    return this.#isOther ? (this.solver.attempts ?? 1) : this.#attempts;
  }

  get reason(): string {
    return this.#isOther ? (this.solver.reason ?? '') : this.#reason;
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    this.#problem ??= problem;
    this.#isOther = problem !== this.#problem || problem.dilatancy !== null;
    if (this.#isOther) this.solver.solve(problem, tolerance, result);
    else if (this.#isSame(problem, tolerance)) this.#recall(problem, result);
    else this.#solveAnew(problem, tolerance, result);
  }

  #isSame(
    { revision, count, isSymmetric, dimension, q, mu, r }: FrictionContactProblem,
    tolerance: number,
  ): boolean {
    if (revision !== this.#revision || count !== this.#count || isSymmetric !== this.#isSymmetric)
      return false;
    const n = dimension * count;
    return (
      tolerance === this.#tolerance[0] &&
      isEqual(q, this.#q, n) &&
      isEqual(r, this.#guess, n) &&
      isEqual(mu, this.#mu, count)
    );
  }

  #recall({ r, u, measure, dimension, count }: FrictionContactProblem, result: SolverResult): void {
    copy(this.#r, r, dimension * count);
    copy(this.#u, u, dimension * count);
    measure.set(this.#measure);
    take(this.#result, result);
  }

  #solveAnew(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    const { count, dimension, q, mu, r, u } = problem;
    const n = dimension * count;
    if (this.#q.length < n) {
      this.#q = new Float64Array(2 * n);
      this.#mu = new Float64Array(2 * n);
      this.#guess = new Float64Array(2 * n);
      this.#r = new Float64Array(2 * n);
      this.#u = new Float64Array(2 * n);
    }
    copy(q, this.#q, n);
    copy(mu, this.#mu, count);
    copy(r, this.#guess, n);
    this.#revision = problem.revision;
    this.#count = count;
    this.#isSymmetric = problem.isSymmetric;
    this.#tolerance[0] = tolerance;
    this.solver.solve(problem, tolerance, result);
    copy(r, this.#r, n);
    copy(u, this.#u, n);
    this.#measure.set(problem.measure);
    take(result, this.#result);
    this.#attempts = this.solver.attempts ?? 1;
    this.#reason = this.#attempts > 1 ? (this.solver.reason ?? '') : '';
  }
}

function take({ status, solver, iterations, residual }: SolverResult, to: SolverResult): void {
  to.status = status;
  to.solver = solver;
  to.iterations = iterations;
  to.residual = residual;
}

function copy(from: Float64Array, to: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i];
}

function isEqual(a: Float64Array, b: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
