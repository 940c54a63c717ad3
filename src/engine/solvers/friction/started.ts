/** One solver from where another ends, however near to a solution that is. */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../status';
import type { FrictionSolver } from './solver';

export class StartedBy implements FrictionSolver {
  constructor(
    private readonly first: FrictionSolver,
    private readonly second: FrictionSolver,
  ) {}

  /** Where the first refuses the problem, so does this. */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    this.first.solve(problem, tolerance, result);
    if (result.status === 'converged' || result.status === 'unsuitable') return;
    const { iterations, solver } = result;
    this.second.solve(problem, tolerance, result);
    result.iterations += iterations;
    result.solver = `${solver}+${result.solver}`;
  }
}
