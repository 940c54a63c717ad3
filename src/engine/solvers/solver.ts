/** What every solver of the one-step problem is, and how each ends. */
import type { AffineVariationalInequality } from '../problems/avi';
import type { StepWriter } from '../straight-line/writer';

export interface Solver {
  /**
   * Solves in place in `problem.z`, which on entry may hold a guess, and fills `result` and `problem.w`.
   * Allocates nothing once its workspace has grown to the problem's size.
   * @param tolerance largest relative natural residual of an answer that counts as converged
   */
  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void;
  /**
   * Writes an attempt at a problem whose operator and bounds stay: where it succeeds, `solve` would converge
   * in one iteration to the same bits. Absent, or without anything written, where there is none.
   * @param q names of q, and of the guess of z
   */
  write?(
    w: StepWriter,
    problem: AffineVariationalInequality,
    tolerance: number,
    q: readonly string[],
    guess: readonly string[],
  ): WrittenSolution | null;
}

/** The answer of a written attempt: its names, and the condition under which it is one. */
export interface WrittenSolution {
  readonly z: readonly string[];
  readonly isSolved: string;
}

/** Settings of a solver by the keys of its definition's fields. */
export type SolverSettings = Readonly<Record<string, number>>;

/** A residual that rounding may have falsified by more than this, relative to the data, proves nothing. */
const UNTRUSTWORTHY = 1e-6;
/**
 * One that it may have falsified by more than this says nothing of an answer either: z is on its way to
 * infinity.
 */
const WITHOUT_DIGITS = 1e-3;
/**
 * The same as sizes of d z, d = W(i, i), relative to the data: up to the first an answer is one, beyond the
 * second nothing can be told. A proof that there is no solution has to hold up to the second, also for
 * entries of W so small that they look like rounding.
 */
export const LARGEST_ANSWER = UNTRUSTWORTHY / Number.EPSILON;
export const LARGEST_TOLD = WITHOUT_DIGITS / Number.EPSILON;

/**
 * Ends a solve: multiplies the answer out, and lets `status` stand only if the residual agrees.
 * @param status what the algorithm believes
 * @param shortfall what a belief in convergence becomes when the residual is above the tolerance
 */
export function conclude(
  problem: AffineVariationalInequality,
  tolerance: number,
  result: SolverResult,
  status: SolverStatus,
  shortfall: SolverStatus = 'stalled',
): void {
  problem.certify();
  settle(problem, tolerance, result, status, shortfall);
}

/** `conclude` for a problem that has been certified with its present z. */
export function settle(
  problem: AffineVariationalInequality,
  tolerance: number,
  result: SolverResult,
  status: SolverStatus,
  shortfall: SolverStatus = 'stalled',
): void {
  const residual = problem.measure[0];
  result.residual = residual;
  if (status !== 'converged' || isAnswer(problem, tolerance)) result.status = status;
  else result.status = isUnresolved(problem, tolerance) ? 'unresolved' : shortfall;
}

/**
 * Whether a problem that has been certified is solved: its residual is below the tolerance, or as small as
 * rounding of its terms lets it be. Neither says anything where z has outgrown the data. A tolerance below a
 * unit in the last place asks for an answer that has none.
 */
export const isAnswer = (problem: AffineVariationalInequality, tolerance: number): boolean =>
  // NaN fails the comparisons.
  problem.measure[1] <= Math.max(tolerance, UNTRUSTWORTHY) &&
  (problem.measure[0] <= tolerance || (tolerance >= Number.EPSILON && problem.isWithinRounding));

/**
 * Whether a problem that has been certified misses its answer by no more than rounding, with z beyond what
 * the data let it be told by.
 */
export const isUnresolved = (problem: AffineVariationalInequality, tolerance: number): boolean =>
  problem.measure[1] > Math.max(tolerance, UNTRUSTWORTHY) &&
  problem.measure[1] <= WITHOUT_DIGITS &&
  problem.isWithinRounding;

/**
 * Text of the condition that a written answer satisfies `isAnswer` by a margin: what is nearer to the limit
 * is left to `solve`.
 * @param scale name of the size of the data
 * @param residuals names of natural residuals without sign, or of what exceeds them
 * @param sizes names of |d z|
 */
export function writeIsAnswer(
  w: StepWriter,
  tolerance: number,
  scale: string,
  residuals: readonly string[],
  sizes: readonly string[],
): string {
  const limit = w.constant(`${w.literal(MARGIN * tolerance)} * ${scale}`);
  const most = w.constant(`${w.literal(MARGIN * LARGEST_ANSWER)} * ${scale}`);
  return [
    `${scale} > ${w.literal(SMALLEST_WRITTEN)}`,
    ...residuals.map((residual) => `${residual} <= ${limit}`),
    ...sizes.map((size) => `${size} <= ${most}`),
  ].join(' && ');
}

/** Part of a tolerance that rounding of the comparison does not exceed. */
const MARGIN = 0.5;
/** Data below this leave written attempts: differences of theirs may underflow. */
const SMALLEST_WRITTEN = 1e-200;

/** Moves every z into its box; free entries stay. @returns whether one was outside */
export function clip(problem: AffineVariationalInequality): boolean {
  const { size: n, z, lower, upper } = problem;
  let isChanged = false;
  for (let i = 0; i < n; i++) {
    if (z[i] <= lower[i]) {
      isChanged ||= z[i] < lower[i];
      // Also where they are equal: −0 would show in the results.
      z[i] = lower[i];
    } else if (z[i] > upper[i]) {
      isChanged = true;
      z[i] = upper[i];
    }
  }
  return isChanged;
}

/** Refuses a problem: z and w are left as an honest non-answer. */
export function refuse(
  problem: AffineVariationalInequality,
  result: SolverResult,
  status: SolverStatus,
): void {
  problem.certify();
  result.status = status;
  result.iterations = 0;
  result.residual = problem.measure[0];
}

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

/** How far a solver came, for messages. @param tolerance residual that was asked for */
export const reached = ({ residual, iterations }: SolverResult, tolerance: number): string =>
  `(residual ${residual.toExponential(2)} after ${iterations} iterations, tolerance ${tolerance})`;

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
    message:
      'every combination of open and closed was tried, and none of them is a solution to the tolerance',
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

/**
 * A result for the time loop: V8 would box a double that is written to a plain property, but not one in an
 * array.
 */
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
