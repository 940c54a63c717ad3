/**
 * The automatic choice for problems with friction. It takes the first of these that ends in a certified answer, each from where the
 * one before stopped if that was nearer to a solution:
 *
 *     1  NSGS               nearly always the end of it
 *     2  ADMM               W of low rank with a wide spectrum, where sweeps stall; its factors serve all steps
 *     3  Proximal           the same with few, costly steps
 *     4  SemiSmoothNewton
 *     5  Tresca             no factors
 *     6  NSGS, longer
 *
 * Above `FACTORED` contacts Tresca comes second, because factors of large piles in space fill. A problem that is not finite is
 * refused (`unsuitable`). `reason` says what was tried and how far each came.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import { createSolverResult, type SolverResult } from '../status';
import { FrictionAdmm } from './admm';
import { tresca } from './convex-sets';
import { ConvexFixedPoint } from './fixed-point';
import { FrictionNewton } from './newton';
import { NonsmoothGaussSeidel } from './nsgs';
import { ProximalPoint } from './proximal';
import { concludeFriction, type FrictionSolver } from './solver';

/** Contacts up to which factors of W + ρ I are less work than some thousand products. */
const FACTORED = 2000;
const SWEEPS = 3000;
const MORE_SWEEPS = 20_000;
const ADMM_STEPS = 1000;
const PROXIMAL_STEPS = 50;
const NEWTON_STEPS = 100;
const PRODUCTS = 20_000;
const DEPTH = 5;
/** Solvers that one solve may try. */
const ATTEMPTS = 6;

export class AutomaticFriction implements FrictionSolver {
  readonly #sweeps = new NonsmoothGaussSeidel({ maxIterations: SWEEPS, relaxation: 1, depth: DEPTH });
  /** built when first needed */
  #fallbacks: readonly FrictionSolver[] | null = null;
  readonly #attempt = createSolverResult();
  /** answer of the least residual so far */
  #best = new Float64Array(0);
  readonly #residual = new Float64Array(1);
  /** solvers of the last solve in the order they were tried, with the steps and the residual of each */
  #count = 0;
  readonly #names: string[] = Array.from({ length: ATTEMPTS }, () => '');
  readonly #numbers = new Float64Array(2 * ATTEMPTS);

  /** What was tried in the last solve, and how far each came. */
  get reason(): string {
    const attempts = this.#names.slice(0, this.#count).map((name, k) => {
      const [steps, residual] = this.#numbers.subarray(2 * k, 2 * k + 2);
      return `${name}: residual ${residual.toExponential(1)} after ${steps}`;
    });
    return attempts.join('; ');
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    this.#count = 0;
    this.#sweeps.solve(problem, tolerance, result);
    this.#note(result);
    if (result.status === 'converged') return;
    this.#fallBack(problem, tolerance, result);
  }

  #fallBack(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    const n = problem.dimension * problem.count;
    if (!isFinite(problem)) {
      problem.r.fill(0, 0, n);
      result.solver = 'auto';
      concludeFriction(problem, tolerance, result, 'unsuitable');
      return;
    }
    if (this.#best.length < n) this.#best = new Float64Array(n);
    this.#residual[0] = Number.POSITIVE_INFINITY;
    this.#keep(problem, n, result, result);
    this.#fallbacks ??= this.#build();
    for (const place of problem.count > FACTORED ? [3, 0, 1, 2, 4] : [0, 1, 2, 3, 4]) {
      // A start that is not a number, or far away, helps nobody.
      for (let i = 0; i < n; i++) problem.r[i] = this.#best[i];
      this.#fallbacks[place].solve(problem, tolerance, this.#attempt);
      this.#note(this.#attempt);
      this.#keep(problem, n, this.#attempt, result);
      if (this.#attempt.status === 'converged') return;
    }
    for (let i = 0; i < n; i++) problem.r[i] = this.#best[i];
    result.residual = problem.certify();
  }

  #note({ solver, iterations, residual }: SolverResult): void {
    this.#names[this.#count] = solver;
    this.#numbers[2 * this.#count] = iterations;
    this.#numbers[2 * this.#count + 1] = residual;
    this.#count++;
  }

  /** Keeps the answer of an attempt if there was none better. */
  #keep(problem: FrictionContactProblem, n: number, attempt: SolverResult, result: SolverResult): void {
    const { solver, iterations, residual, status } = attempt;
    if (!(residual < this.#residual[0])) return;
    this.#residual[0] = residual;
    for (let i = 0; i < n; i++) this.#best[i] = problem.r[i];
    result.solver = solver;
    result.iterations = iterations;
    result.residual = residual;
    result.status = status;
  }

  #build(): readonly FrictionSolver[] {
    return [
      new FrictionAdmm(ADMM_STEPS),
      new ProximalPoint(PROXIMAL_STEPS),
      new FrictionNewton(NEWTON_STEPS),
      new ConvexFixedPoint(tresca, PRODUCTS),
      new NonsmoothGaussSeidel({ maxIterations: MORE_SWEEPS, relaxation: 1, depth: 0 }),
    ];
  }
}

function isFinite({ q, mu, W, dimension: d, count }: FrictionContactProblem): boolean {
  let sum = 0;
  for (let i = 0; i < d * count; i++) sum += Math.abs(q[i]);
  for (let c = 0; c < count; c++) sum += Math.abs(mu[c]);
  const entries = d * d * W.rowStart[count];
  for (let k = 0; k < entries; k++) sum += Math.abs(W.values[k]);
  return Number.isFinite(sum);
}
