/** What every solver of a friction-contact problem is, and how each ends. */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult, SolverStatus } from '../status';

export interface FrictionSolver {
  /**
   * Solves in place in `problem.r`, which on entry holds a guess (zeros, or the last step), and fills `result` and `problem.u`.
   * Allocates nothing once its workspace has grown to the problem's size.
   * @param tolerance largest relative residual (`FrictionContactProblem.certify`) of an answer that counts as converged
   */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void;
  /** of one that chooses among others: how many of them the last solve took */
  readonly attempts?: number;
  /** and what each of them came to, in words */
  readonly reason?: string;
}

/** Settings of a friction solver by the keys of its definition's fields. */
export type FrictionSettings = Readonly<Record<string, number>>;

/**
 * The residual is relative to the largest of |q|, |r| and |u|, so that a reaction that grows without end makes it small. Where the
 * natural map is off by more than this part of |q|, or the tolerance where that is larger, the contacts move nearly as they would without reactions: nothing is solved.
 */
const UNTRUSTWORTHY = 1e-3;

/** Multiplies r out and measures it. @returns whether it solves the problem to the tolerance */
export function isSolved(problem: FrictionContactProblem, tolerance: number): boolean {
  const residual = problem.certify();
  const scale = problem.measure[1];
  // NaN fails the comparison, and what is relative to infinity says nothing.
  if (!(residual <= tolerance && scale < Number.POSITIVE_INFINITY)) return false;
  // Rounding of such a reaction swallows the velocity that is added to it.
  const bound = Math.max(UNTRUSTWORTHY, tolerance) * problem.measure[2];
  return (residual + Number.EPSILON) * scale <= bound || scale === 0;
}

/**
 * Ends a solve: multiplies the answer out, and lets a belief in convergence stand only if the residual agrees.
 * @param status what the algorithm believes
 * @param shortfall what a belief in convergence becomes when the residual is above the tolerance
 */
export function concludeFriction(
  problem: FrictionContactProblem,
  tolerance: number,
  result: SolverResult,
  status: SolverStatus,
  shortfall: SolverStatus = 'stalled',
): void {
  const holds = isSolved(problem, tolerance);
  result.residual = problem.measure[0];
  result.status = status === 'converged' && !holds ? shortfall : status;
}

/** Ends a solve whose present r `isSolved` has just accepted. */
export function acceptFriction(problem: FrictionContactProblem, result: SolverResult): void {
  result.residual = problem.measure[0];
  result.status = 'converged';
}
