/**
 * Proximal-point method (Rockafellar 1976): each step solves the problem with W + α I and q − α r_k, which
 * keeps r near the last r_k and is regular whatever the rank of W, by semi-smooth Newton. Its fixed points
 * solve the original problem for any α > 0; a small α takes few steps, each of them hard. So α falls after a
 * step that was solved, and rises after one that was not.
 */
import { copyPattern } from '../../linalg/block-rows';
import { FrictionContactProblem } from '../../problems/friction-contact';
import { createSolverResult, type SolverResult } from '../solver';
import { type FrictionSolver, concludeFriction, isSolved, meanDiagonal } from './solver';
import { FrictionNewton } from './newton';

/** α at first, relative to the mean mobility, and its factors after a step that was, or was not, solved */
const FIRST = 0.1;
const FALL = 0.3;
const RISE = 10;
const SMALLEST = 1e-8;
const LARGEST = 1e3;
/** Newton's steps for one step of this method. */
const INNER_STEPS = 40;
/** Residual asked of a step, relative to that of the problem: inexact steps are enough. */
const INNER = 0.01;

export class ProximalPoint implements FrictionSolver {
  limit: number;
  readonly #newton = new FrictionNewton(INNER_STEPS);
  readonly #inner = createSolverResult();
  #step = new FrictionContactProblem(3, 0, 0);
  /** [0] α */
  readonly #numbers = new Float64Array(1);

  constructor(maxIterations: number) {
    this.limit = maxIterations;
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    result.solver = 'Proximal';
    this.#prepare(problem);
    const step = this.#step;
    const numbers = this.#numbers;
    const mobility = meanDiagonal(problem.W);
    numbers[0] = FIRST * mobility;
    const n = problem.dimension * problem.count;
    let iterations = 0;
    while (!isSolved(problem, tolerance) && iterations < this.limit) {
      iterations++;
      this.#shift(problem);
      for (let i = 0; i < n; i++) {
        step.r[i] = problem.r[i];
        step.q[i] = problem.q[i] - numbers[0] * problem.r[i];
      }
      this.#newton.solve(step, Math.max(0.1 * tolerance, INNER * problem.measure[0]), this.#inner);
      const isDone = this.#inner.status === 'converged';
      if (isDone) for (let i = 0; i < n; i++) problem.r[i] = step.r[i];
      numbers[0] *= isDone ? FALL : RISE;
      numbers[0] = Math.max(numbers[0], SMALLEST * mobility);
      if (!(numbers[0] <= LARGEST * mobility)) break;
    }
    result.iterations = iterations;
    concludeFriction(
      problem,
      tolerance,
      result,
      'converged',
      iterations < this.limit ? 'stalled' : 'maxIterations',
    );
  }

  /** A problem of the same size, with a copy of the pattern. */
  #prepare(problem: FrictionContactProblem): void {
    const { dimension: d, count, W } = problem;
    const blocks = W.rowStart[count];
    const room = this.#step;
    if (room.dimension !== d || room.mu.length < count || room.W.columns.length < blocks) {
      this.#step = new FrictionContactProblem(d, count, blocks);
    }
    const step = this.#step;
    step.count = count;
    copyPattern(W, step.W);
    for (let c = 0; c < count; c++) step.mu[c] = problem.mu[c];
  }

  /** W + α I */
  #shift({ W, dimension: d, count }: FrictionContactProblem): void {
    const to = this.#step.W;
    const entries = d * d * W.rowStart[count];
    for (let k = 0; k < entries; k++) to.values[k] = W.values[k];
    for (let c = 0; c < count; c++) {
      for (let k = 0; k < d; k++) to.values[d * d * W.diagonal[c] + (d + 1) * k] += this.#numbers[0];
    }
  }
}
