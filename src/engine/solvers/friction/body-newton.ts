/**
 * Proximal steps in the velocities of the bodies (`body-step.ts`), for problems of which it is known what W
 * is made of. Newton's method does a step. With a large a steps are easy and many, with a small one few, and
 * some fail: a falls after steps that were easy and rises after those that failed. Slips make the slowest
 * changes grow instead of decay, as they do in sweeps (`gauss-seidel/extrapolation.ts`); so Anderson's method
 * combines the steps of one a.
 */
import type { ContactFactors, FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../solver';
import { AndersonAcceleration } from './anderson';
import { BodyStep } from './body-step';
import { type FrictionSolver, concludeFriction, isSolved } from './solver';

const DIMENSION = 3;

/** a relative to the mobility of its contact, at first, and its bounds. */
const FIRST = 1e-2;
const SMALLEST = 1e-7;
const LARGEST = 1e3;
/** Steps of Newton's method up to which a proximal step was easy: a falls then, and rises after a failure. */
const EASY = 4;
const FALL = 0.3;
const RISE = 3;
/** Residual asked of a proximal step, relative to that of the problem and to its tolerance. */
const INNER = 0.01;
const FINEST = 0.1;
/** Steps that are combined. */
const DEPTH = 8;
/** Places in `#numbers`: a over the mobility and the least residual so far. */
const RELATIVE = 0;
const LEAST = 1;
const NUMBERS = 2;

export class BodyNewton implements FrictionSolver {
  limit: number;
  readonly #step = new BodyStep();
  readonly #anderson = new AndersonAcceleration(DEPTH);
  readonly #numbers = new Float64Array(NUMBERS);
  /** r of the least residual: 3 by contact */
  #best = new Float64Array(0);

  /**
   * @param maxIterations steps of Newton's method
   * @param patience failed proximal steps in a row that end it
   */
  constructor(
    maxIterations: number,
    private readonly patience = Number.POSITIVE_INFINITY,
    private readonly first = FIRST,
  ) {
    this.limit = maxIterations;
  }

  /** Problems of which only W is known, or in the plane, are refused (`unsuitable`). */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    result.solver = 'BodyNewton';
    result.iterations = 0;
    const { factors } = problem;
    if (problem.dimension !== DIMENSION || factors?.form() !== true) {
      concludeFriction(problem, tolerance, result, 'unsuitable');
      return;
    }
    this.#step.prepare(problem, factors);
    if (this.#best.length < this.#step.centre.length) this.#best = new Float64Array(this.#step.centre.length);
    this.#iterate(problem, factors, tolerance);
    result.iterations = this.#step.steps;
    concludeFriction(
      problem,
      tolerance,
      result,
      'converged',
      this.#step.steps < this.limit ? 'stalled' : 'maxIterations',
    );
  }

  /** Work of a step, as `solver.ts` counts it; what W is made of must have been formed. */
  workOfStep(problem: FrictionContactProblem, factors: ContactFactors): number {
    return this.#step.workOfStep(problem, factors);
  }

  #iterate(problem: FrictionContactProblem, factors: ContactFactors, tolerance: number): void {
    const numbers = this.#numbers;
    const { r, count, measure } = problem;
    const n = DIMENSION * count;
    const step = this.#step;
    const { centre } = step;
    numbers[RELATIVE] = this.first;
    numbers[LEAST] = Number.POSITIVE_INFINITY;
    this.#anderson.begin(n);
    for (let i = 0; i < n; i++) centre[i] = r[i];
    let failures = 0;
    let isDone = isSolved(problem, tolerance);
    while (!isDone && step.steps < this.limit) {
      this.#keep(problem);
      const before = step.steps;
      const goal = Math.max(FINEST * tolerance, INNER * measure[0]) * measure[1];
      if (step.advance(problem, factors, numbers[RELATIVE], goal, this.limit)) {
        failures = 0;
        isDone = isSolved(problem, tolerance);
        const isEasy = step.steps - before <= EASY && numbers[RELATIVE] > SMALLEST;
        if (isEasy) {
          numbers[RELATIVE] = Math.max(SMALLEST, FALL * numbers[RELATIVE]);
          // Steps of another a are those of another map.
          this.#anderson.begin(n);
          for (let i = 0; i < n; i++) centre[i] = r[i];
        } else this.#anderson.advance(centre, r);
      } else {
        failures++;
        numbers[RELATIVE] *= RISE;
        this.#anderson.begin(n);
        if (failures >= this.patience || !(numbers[RELATIVE] < LARGEST)) break;
      }
    }
    if (isDone) return;
    problem.certify();
    this.#keep(problem);
    for (let i = 0; i < n; i++) r[i] = this.#best[i];
  }

  /** Keeps the answer if there was none better. */
  #keep({ r, measure, count }: FrictionContactProblem): void {
    if (!(measure[0] < this.#numbers[LEAST])) return;
    this.#numbers[LEAST] = measure[0];
    for (let i = 0; i < DIMENSION * count; i++) this.#best[i] = r[i];
  }
}
