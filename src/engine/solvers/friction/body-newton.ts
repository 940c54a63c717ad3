/**
 * Proximal steps in the velocities of the bodies (`body-step.ts`), for problems of which it is known what W
 * is made of. Newton's method does a step. With a large a steps are easy and many, with a small one few, and
 * some fail: a falls after steps that were easy and rises after those that failed. Slips make the slowest
 * changes grow instead of decay, as they do in sweeps (`gauss-seidel/extrapolation.ts`); so Anderson's method
 * combines the steps of one a.
 */
import type { ContactFactors, FrictionContactProblem } from '../../problems/friction-contact';
import { AndersonAcceleration } from './anderson';
import { BodySolver } from './body-solver';
import { isSolved } from './solver';

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

export class BodyNewton extends BodySolver {
  readonly #anderson = new AndersonAcceleration(DEPTH);
  /** [0] a over the mobilities */
  readonly #relative = new Float64Array(1);

  /**
   * @param maxIterations steps of Newton's method
   * @param patience failed proximal steps in a row that end it
   */
  constructor(
    maxIterations: number,
    private readonly patience = Number.POSITIVE_INFINITY,
    private readonly first = FIRST,
  ) {
    super('BodyNewton', maxIterations);
  }

  protected iterate(problem: FrictionContactProblem, factors: ContactFactors, tolerance: number): boolean {
    const { r, count, measure } = problem;
    const n = DIMENSION * count;
    const { step } = this;
    const { centre } = step;
    const relative = this.#relative;
    relative[0] = this.first;
    this.#anderson.begin(n);
    for (let i = 0; i < n; i++) centre[i] = r[i];
    let failures = 0;
    let isDone = isSolved(problem, tolerance);
    while (!isDone && step.steps < this.limit) {
      this.keep(problem);
      const before = step.steps;
      const goal = Math.max(FINEST * tolerance, INNER * measure[0]) * measure[1];
      if (step.advance(problem, factors, relative[0], goal, this.limit)) {
        failures = 0;
        isDone = isSolved(problem, tolerance);
        const isEasy = step.steps - before <= EASY && relative[0] > SMALLEST;
        if (isEasy) {
          relative[0] = Math.max(SMALLEST, FALL * relative[0]);
          // Steps of another a are those of another map.
          this.#anderson.begin(n);
          for (let i = 0; i < n; i++) centre[i] = r[i];
        } else this.#anderson.advance(centre, r);
      } else {
        failures++;
        relative[0] *= RISE;
        this.#anderson.begin(n);
        if (failures >= this.patience || !(relative[0] < LARGEST)) break;
      }
    }
    return isDone;
  }
}
