/**
 * Semi-smooth Newton for the equations of Alart and Curnier, with a line search: (∂F/∂r + ∂F/∂u W) Δr = −F,
 * and of the lengths 1, ½, ¼ … the first that lets |F| fall below the largest of the last few. Once the
 * contacts that are open, stick and slide are found, it converges quadratically. Nothing proves that it finds
 * them; where no length helps, a sweep of Gauss–Seidel changes the point, and when sweeps do not help either,
 * the solver says that it stalled.
 */
import { BlockLu } from '../../linalg/block-lu';
import { multiplyBlocks } from '../../linalg/block-rows';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../solver';
import { NonsmoothGaussSeidel } from './gauss-seidel/nsgs';
import { type FrictionSolver, concludeFriction, isSolved, workOfNewton } from './solver';

/*
 * The law at all contacts as one equation F(r, u) = 0 (Alart and Curnier 1991), and an element of its
 * generalised derivative. With z = r − ρ u at each contact, ρ the reciprocal of its mean mobility, so that F
 * has the units of r,
 *
 *     open     z_N ≤ 0:                F = r
 *     sticks   |z_T| ≤ μ z_N:          F = ρ u
 *     slides   else, t = z_T/|z_T|:    F_N = ρ u_N,   F_T = r_T − μ z_N t.
 *
 * Since t' = (I − t tᵀ) z_T'/|z_T|, with κ = μ z_N/|z_T| < 1 a contact that slides has
 *
 *     ∂F_T = (I − κ (I − t tᵀ)) dr_T − μ t dr_N + ρ (κ (I − t tᵀ) du_T + μ t du_N).
 */

/**
 * Added to ∂F/∂r where it is zero, relative to the ρ W that stands beside it. Contacts that stick in more
 * ways than the bodies can move make the derivative singular; with this it is not, and what it costs is one
 * more step for four more digits. With 10⁻⁶ the line search rejects the steps along what W does not see, from
 * 10⁻³ on convergence is slow.
 */
const REGULARISATION = 1e-4;

class AlartCurnier {
  /** F: dimension · count entries */
  f = new Float64Array(0);
  /** ∂F/∂r and ∂F/∂u: dimension² entries for each contact, row-major */
  byR = new Float64Array(0);
  byU = new Float64Array(0);
  #rho = new Float64Array(0);
  readonly #merit = new Float64Array(1);

  /** |F|² of the last evaluation */
  get merit(): number {
    return this.#merit[0];
  }

  prepare({ W, dimension: d, count }: FrictionContactProblem): void {
    if (this.f.length < d * count) this.f = new Float64Array(d * count);
    if (this.#rho.length < count) this.#rho = new Float64Array(count);
    if (this.byR.length < d * d * count) {
      this.byR = new Float64Array(d * d * count);
      this.byU = new Float64Array(d * d * count);
    }
    for (let c = 0; c < count; c++) {
      let trace = 0;
      for (let k = 0; k < d; k++) trace += W.values[d * d * W.diagonal[c] + (d + 1) * k];
      this.#rho[c] = trace > 0 ? d / trace : 1;
    }
  }

  /** F of the present r and u, and |F|². */
  evaluate({ r, u, mu, dimension: d, count }: FrictionContactProblem): void {
    const { f } = this;
    let merit = 0;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const rho = this.#rho[c];
      const normal = r[at] - rho * u[at];
      const z1 = r[at + 1] - rho * u[at + 1];
      const z2 = d === 3 ? r[at + 2] - rho * u[at + 2] : 0;
      const length = Math.sqrt(z1 * z1 + z2 * z2);
      const bound = mu[c] * normal;
      const isOpen = normal <= 0;
      f[at] = isOpen ? r[at] : rho * u[at];
      for (let k = 1; k < d; k++) {
        const z = k === 1 ? z1 : z2;
        if (isOpen) f[at + k] = r[at + k];
        else f[at + k] = length <= bound ? rho * u[at + k] : r[at + k] - (bound * z) / length;
      }
      for (let k = 0; k < d; k++) merit += f[at + k] * f[at + k];
    }
    this.#merit[0] = merit;
  }

  /** `byR` and `byU` at the present r and u. */
  differentiate({ r, u, mu, dimension: d, count }: FrictionContactProblem): void {
    const { byR, byU } = this;
    const s = d * d;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const rho = this.#rho[c];
      const normal = r[at] - rho * u[at];
      const z1 = r[at + 1] - rho * u[at + 1];
      const z2 = d === 3 ? r[at + 2] - rho * u[at + 2] : 0;
      const length = Math.sqrt(z1 * z1 + z2 * z2);
      const isOpen = normal <= 0;
      for (let k = 0; k < s; k++) {
        const isDiagonal = k % (d + 1) === 0;
        byR[s * c + k] = isDiagonal ? (isOpen ? 1 : REGULARISATION) : 0;
        byU[s * c + k] = isDiagonal && !isOpen ? rho : 0;
      }
      if (isOpen || length <= mu[c] * normal) continue;
      const ratio = (mu[c] * normal) / length;
      for (let i = 1; i < d; i++) {
        const ti = (i === 1 ? z1 : z2) / length;
        byR[s * c + d * i] = -mu[c] * ti;
        byU[s * c + d * i] = mu[c] * rho * ti;
        for (let j = 1; j < d; j++) {
          const across = (i === j ? 1 : 0) - (ti * (j === 1 ? z1 : z2)) / length;
          byR[s * c + d * i + j] = (i === j ? 1 : 0) - ratio * across;
          byU[s * c + d * i + j] = rho * ratio * across;
        }
      }
    }
  }
}

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

  /** Work of a step, as `solver.ts` counts it; the factors are planned for it. */
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
