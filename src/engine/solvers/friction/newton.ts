/**
 * Semi-smooth Newton for the equations of Alart and Curnier, with a line search: (∂F/∂r + ∂F/∂u W) Δr = −F, and of the lengths
 * 1, ½, ¼ … the first that lets |F| fall below the largest of the last few. Once the contacts that are open, stick and slide are
 * found, it converges quadratically. Nothing proves that it finds them; where no length helps, a sweep of Gauss–Seidel changes the
 * point, and when sweeps do not help either, the solver says that it stalled.
 */
import { BlockLu } from '../../linalg/block-lu';
import { multiplyBlocks } from '../../linalg/block-rows';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../status';
import { AlartCurnier } from './alart-curnier';
import { NonsmoothGaussSeidel } from './nsgs';
import { concludeFriction, type FrictionSolver, isSolved } from './solver';
import { workOfNewton } from './work';

/** |F|² the line search looks back on */
const MEMORY = 4;
const HALVINGS = 8;
/** Part of the decrease that a step of that length predicts. */
const SUFFICIENT = 1e-4;
/** Sweeps where no step helps, and how often that is tried. */
const SWEEPS = 10;
const RESCUES = 20;

export class FrictionNewton implements FrictionSolver {
  limit: number;
  readonly #equations = new AlartCurnier();
  readonly #factors = new BlockLu();
  readonly #sweeps = new NonsmoothGaussSeidel({ maxIterations: SWEEPS, relaxation: 1, depth: 0 });
  readonly #memory = new Float64Array(MEMORY);
  #direction = new Float64Array(0);
  #start = new Float64Array(0);
  /** W times the direction: a trial length needs no product then */
  #change = new Float64Array(0);
  #velocity = new Float64Array(0);
  #zero = new Float64Array(0);

  constructor(maxIterations: number) {
    this.limit = maxIterations;
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    const n = problem.dimension * problem.count;
    this.#prepare(n);
    this.#equations.prepare(problem);
    this.#memory.fill(0);
    result.iterations = 0;
    let rescues = 0;
    let step = 0;
    while (!isSolved(problem, tolerance) && step < this.limit) {
      step++;
      this.#equations.evaluate(problem);
      this.#memory[step % MEMORY] = this.#equations.merit;
      if (this.#advance(problem, n)) continue;
      if (rescues++ === RESCUES) break;
      this.#sweeps.solve(problem, tolerance, result);
      this.#memory.fill(0);
    }
    result.solver = 'SemiSmoothNewton';
    result.iterations = step;
    concludeFriction(
      problem,
      tolerance,
      result,
      'converged',
      step < this.limit ? 'stalled' : 'maxIterations',
    );
  }

  /** Work of a step, as `work.ts` counts it; the factors are planned for it. */
  workOfStep(problem: FrictionContactProblem): number {
    return workOfNewton(problem, this.#factors.productsFor(problem.W));
  }

  #prepare(n: number): void {
    if (this.#direction.length >= n) return;
    this.#direction = new Float64Array(n);
    this.#start = new Float64Array(n);
    this.#change = new Float64Array(n);
    this.#velocity = new Float64Array(n);
    this.#zero = new Float64Array(n);
  }

  /** One step. @returns false where there is none that helps; r is what it was then */
  #advance(problem: FrictionContactProblem, n: number): boolean {
    const { W, r, u } = problem;
    const equations = this.#equations;
    equations.differentiate(problem);
    if (!this.#factors.factor(W, equations.byR, equations.byU)) return false;
    const direction = this.#direction;
    for (let i = 0; i < n; i++) {
      direction[i] = -equations.f[i];
      this.#start[i] = r[i];
      this.#velocity[i] = u[i];
    }
    this.#factors.solve(direction);
    multiplyBlocks(W, direction, this.#zero, this.#change);
    let worst = 0;
    for (let k = 0; k < MEMORY; k++) worst = Math.max(worst, this.#memory[k]);
    let length = 1;
    for (let halving = 0; halving <= HALVINGS; halving++) {
      for (let i = 0; i < n; i++) {
        r[i] = this.#start[i] + length * direction[i];
        u[i] = this.#velocity[i] + length * this.#change[i];
      }
      equations.evaluate(problem);
      if (equations.merit <= (1 - SUFFICIENT * length) * worst) return true;
      length *= 0.5;
    }
    for (let i = 0; i < n; i++) r[i] = this.#start[i];
    return false;
  }
}
