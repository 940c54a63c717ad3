/** Outcomes of the solvers. They are values: a numerical outcome never throws. */
export type SolverStatus =
  | 'converged'
  | 'maxIterations'
  | 'stalled'
  | 'ray'
  | 'infeasible'
  | 'noSolution'
  | 'unresolved'
  | 'singular'
  | 'unsuitable';

/** What each status means and what a user can do about it. */
export const STATUS_HELP: Readonly<Record<SolverStatus, { message: string; remedy: string }>> = {
  converged: { message: 'the residual is below the tolerance', remedy: '' },
  maxIterations: {
    message: 'the iteration limit was reached before the tolerance',
    remedy:
      'Raise the iteration limit, loosen the tolerance, reduce the time step, or choose another solver.',
  },
  stalled: {
    message: 'the residual stopped falling above the tolerance',
    remedy: 'Choose a pivoting solver such as Lemke, or loosen the tolerance.',
  },
  ray: {
    message:
      'the path that was followed leads to infinity (secondary ray), which proves nothing for this operator',
    remedy:
      'Choose Enumeration for a small problem, another solver for a large one, or reduce the time step.',
  },
  infeasible: {
    message:
      'the conditions contradict each other to eleven digits: no multipliers satisfy all of them at once',
    remedy:
      'Look for contacts or constraints that act against each other without room to give way, and for prescribed motions that no multiplier can follow.',
  },
  noSolution: {
    message: 'every combination of open and closed was tried, and none of them is a solution',
    remedy: 'Check signs and parameters of the laws; a smaller time step changes the operator.',
  },
  unresolved: {
    message:
      'its multipliers would be some 10⁹ times as large as the data, and what they leave of each other is beyond the digits of a number',
    remedy:
      'Start in a state in which the laws hold, so that nothing has to jump; bring resistances, stores and masses nearer together, or lengthen the step: what is h over a capacitance beside a resistance has to stay above some 10⁻⁹ of it.',
  },
  singular: {
    message: 'the operator is singular: some contacts or constraints are redundant',
    remedy: 'Choose Lemke, which does not need a regular operator, or remove redundant constraints.',
  },
  unsuitable: {
    message: 'the chosen solver does not apply to an operator or bounds of this kind',
    remedy: 'Choose the automatic solver, or one that its description says takes this kind of problem.',
  },
};

export interface SolverResult {
  status: SolverStatus;
  iterations: number;
  /** relative natural residual, recomputed from the answer */
  residual: number;
  /** name of the solver whose answer this is: the automatic solver says here which it chose */
  solver: string;
}

/** A result for the time loop: V8 would box a double that is written to a plain property, but not one in an array. */
class LoopResult implements SolverResult {
  status: SolverStatus = 'converged';
  iterations = 0;
  solver = '';
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
