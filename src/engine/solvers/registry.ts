/** LCP solvers by the name a document gives them. */
import type { LinearComplementarityProblem } from '../problems/lcp';
import { Lemke } from './lemke';
import { PrincipalPivoting } from './principal-pivoting';
import type { SolverResult } from './status';

export interface LcpSolver {
  /** Solves in place in `problem.z`; fills `result`. Allocates nothing once its workspace has grown. */
  solve(problem: LinearComplementarityProblem, tolerance: number, result: SolverResult): void;
}

/** Largest problem that is handed to the dense tableau as a fallback: n² doubles and O(n³) work. */
const DENSE_LIMIT = 2000;

/**
 * Chooses by the problem: one unknown in closed form; principal pivoting where W is symmetric; Lemke where W is not,
 * or where its active block turned out singular.
 */
class AutomaticSolver implements LcpSolver {
  readonly #pivoting: PrincipalPivoting;
  readonly #lemke = new Lemke();

  constructor(capacity: number) {
    this.#pivoting = new PrincipalPivoting(capacity);
  }

  solve(problem: LinearComplementarityProblem, tolerance: number, result: SolverResult): void {
    if (problem.size === 1 && problem.values[0] > 0) {
      problem.z[0] = problem.q[0] < 0 ? -problem.q[0] / problem.values[0] : 0;
      result.status = 'converged';
      result.iterations = 1;
      problem.certify();
      result.residual = problem.measure[0];
      if (!(result.residual <= tolerance)) result.status = 'maxIterations';
      return;
    }
    if (problem.symmetric) {
      this.#pivoting.solve(problem, tolerance, result);
      if (result.status === 'converged') return;
    }
    if (problem.size <= DENSE_LIMIT) this.#lemke.solve(problem, tolerance, result);
    else if (!problem.symmetric) {
      result.status = 'maxIterations';
      result.iterations = 0;
      result.residual = Number.POSITIVE_INFINITY;
    }
  }
}

const factories: Readonly<Record<string, (capacity: number) => LcpSolver>> = {
  auto: (capacity) => new AutomaticSolver(capacity),
  PrincipalPivoting: (capacity) => new PrincipalPivoting(capacity),
  Lemke: () => new Lemke(),
};

/** @throws {Error} for a name the registry does not have; the document's schema has refused it before */
export function createLcpSolver(name: string, capacity: number): LcpSolver {
  if (!Object.hasOwn(factories, name)) throw new Error(`no LCP solver is called ${name}`);
  return factories[name](capacity);
}
