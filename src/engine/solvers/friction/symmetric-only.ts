/**
 * A solver whose method is for symmetric W: one that descends a quadratic function, or that factors W as a symmetric matrix. A problem whose W is not, as
 * of contacts with rolling friction, is refused.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../status';
import { concludeFriction, type FrictionSolver } from './solver';

export class SymmetricOnly implements FrictionSolver {
  /** @param name what it is known by */
  constructor(
    private readonly name: string,
    private readonly solver: FrictionSolver,
  ) {}

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    if (problem.isSymmetric) {
      this.solver.solve(problem, tolerance, result);
      return;
    }
    result.solver = this.name;
    result.iterations = 0;
    concludeFriction(problem, tolerance, result, 'unsuitable');
  }
}
