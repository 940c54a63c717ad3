/** Outcomes of the solvers. They are values: a numerical outcome never throws. */
export type SolverStatus = 'converged' | 'maxIterations' | 'ray' | 'singular';

/** What each status means and what a user can do about it. */
export const STATUS_HELP: Readonly<Record<SolverStatus, { message: string; remedy: string }>> = {
  converged: { message: 'the residual is below the tolerance', remedy: '' },
  maxIterations: {
    message: 'the iteration limit was reached before the tolerance',
    remedy: 'Loosen the tolerance, reduce the time step, or choose another solver.',
  },
  ray: {
    message: 'the problem has no solution along the path that was followed (secondary ray)',
    remedy: 'Look for contacts that push against each other without room to give way.',
  },
  singular: {
    message: 'the contact operator is singular: some contacts are redundant',
    remedy: 'Choose Lemke, which does not need a regular operator, or remove redundant contacts.',
  },
};

export interface SolverResult {
  status: SolverStatus;
  iterations: number;
  /** relative natural residual, recomputed from the answer */
  residual: number;
}

/** A result for the time loop: V8 would box a double that is written to a plain property, but not one in an array. */
class LoopResult implements SolverResult {
  status: SolverStatus = 'converged';
  iterations = 0;
  readonly #residual = new Float64Array(1);

  get residual(): number {
    return this.#residual[0];
  }

  set residual(value: number) {
    this.#residual[0] = value;
  }
}

/** A result to hand to a solver again and again. */
export const createSolverResult = (): SolverResult => new LoopResult();
