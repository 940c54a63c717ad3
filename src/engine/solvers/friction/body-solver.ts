/** What solvers by proximal steps in the velocities of the bodies share (`body-step.ts`). */
import type { ContactFactors, FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../solver';
import { BodyStep } from './body-step';
import { type FrictionSolver, concludeFriction } from './solver';

const DIMENSION = 3;

export abstract class BodySolver implements FrictionSolver {
  limit: number;
  protected readonly step = new BodyStep();
  /** [0] least residual, and r of it: 3 by contact */
  readonly #least = new Float64Array(1);
  #best = new Float64Array(0);

  /**
   * @param name what it is known by
   * @param maxIterations factorisations
   */
  constructor(
    private readonly name: string,
    maxIterations: number,
  ) {
    this.limit = maxIterations;
  }

  /** Problems of which only W is known, or in the plane, are refused (`unsuitable`). */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    const { step } = this;
    const { factors } = problem;
    result.solver = this.name;
    result.iterations = 0;
    if (problem.dimension !== DIMENSION || factors?.form() !== true) {
      concludeFriction(problem, tolerance, result, 'unsuitable');
      return;
    }
    step.prepare(problem, factors);
    if (this.#best.length < step.centre.length) this.#best = new Float64Array(step.centre.length);
    this.#least[0] = Number.POSITIVE_INFINITY;
    if (!this.iterate(problem, factors, tolerance)) {
      problem.certify();
      this.keep(problem);
      this.recall(problem);
    }
    result.iterations = step.steps;
    const shortfall = step.steps < this.limit ? 'stalled' : 'maxIterations';
    concludeFriction(problem, tolerance, result, 'converged', shortfall);
  }

  /** Work of a step, as `solver.ts` counts it; what W is made of must have been formed. */
  workOfStep(problem: FrictionContactProblem, factors: ContactFactors): number {
    return this.step.workOfStep(problem, factors);
  }

  /** Least residual kept. */
  protected get least(): number {
    return this.#least[0];
  }

  /** @returns whether the present r is a solution; else the answer is the best that was kept, or this one */
  protected abstract iterate(
    problem: FrictionContactProblem,
    factors: ContactFactors,
    tolerance: number,
  ): boolean;

  /** Keeps the answer, which has been measured, if there was none better. */
  protected keep({ r, measure, count }: FrictionContactProblem): void {
    if (!(measure[0] < this.#least[0])) return;
    this.#least[0] = measure[0];
    for (let i = 0; i < DIMENSION * count; i++) this.#best[i] = r[i];
  }

  /** r ← the best that was kept */
  protected recall({ r, count }: FrictionContactProblem): void {
    for (let i = 0; i < DIMENSION * count; i++) r[i] = this.#best[i];
  }
}
