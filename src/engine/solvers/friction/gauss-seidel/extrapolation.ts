/**
 * Gauss–Seidel with extrapolation over long windows: reduced-rank extrapolation (Eddy 1979; Mešina 1977) of
 * every `STRIDE`-th sweep. With f_k = x_{k+1} − x_k over a stride, were the sweeps affine, the limit is
 *
 *     x* = Σ c_k x_{k+1} = x_K − Σ_j f_j Σ_{k<j} c_k,     c = argmin |Σ c_k f_k|, Σ c_k = 1,
 *
 * and c is proportional to G⁻¹ (1, …, 1), G being the scalar products of the f_k.
 *
 * Large piles with much friction need it: slips make the sweep's slowest changes grow instead of decay, by
 * parts of a thousand in a sweep, so that plain sweeps circle around the solution, while what one sweep
 * changes is mostly quick noise that Anderson's method takes for its subject. Over a stride the noise is
 * gone, and the slow changes that grow are cancelled like those that decay. What an extrapolation makes worse
 * is taken back.
 */
import { projectOntoCone } from '../../../linalg/friction-cone';
import { SemidefiniteCholesky } from '../../../linalg/cholesky';
import type { FrictionContactProblem } from '../../../problems/friction-contact';
import { createSolverResult, type SolverResult } from '../../solver';
import { NonsmoothGaussSeidel } from './nsgs';
import { concludeFriction, type FrictionSolver, isSolved } from '../solver';

/** Sweeps between two points of a window, and strides of a window. */
const STRIDE = 40;
const WINDOW = 12;
/**
 * Added to the diagonal of G, relative to its largest entry: bounds c where strides are parallel to rounding.
 */
const REGULARISATION = 1e-10;

export class ExtrapolatedSweeps implements FrictionSolver {
  limit: number;
  readonly #sweeps = new NonsmoothGaussSeidel({ maxIterations: STRIDE, relaxation: 1, depth: 0 });
  readonly #inner = createSolverResult();
  readonly #cholesky = new SemidefiniteCholesky(WINDOW);
  readonly #gram = new Float64Array(WINDOW * WINDOW);
  readonly #weights = new Float64Array(WINDOW);
  readonly #cone = new Float64Array(3);
  /** f_0 … f_{K−1} */
  #changes: Float64Array[] = [];
  /** the last point, then the end of the window */
  #point = new Float64Array(0);

  /** @param maxIterations sweeps */
  constructor(maxIterations: number) {
    this.limit = maxIterations;
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    result.solver = 'ExtrapolatedNSGS';
    result.iterations = 0;
    const n = problem.dimension * problem.count;
    if (this.#point.length < n) {
      this.#point = new Float64Array(n);
      this.#changes = Array.from({ length: WINDOW }, () => new Float64Array(n));
    }
    while (result.iterations < this.limit && !isSolved(problem, tolerance)) {
      if (!this.#runWindow(problem, tolerance, n, result)) break;
    }
    concludeFriction(
      problem,
      tolerance,
      result,
      'converged',
      result.iterations < this.limit ? 'stalled' : 'maxIterations',
    );
  }

  /** @returns false where the sweeps ended by themselves, converged or not */
  #runWindow(problem: FrictionContactProblem, tolerance: number, n: number, result: SolverResult): boolean {
    const { r } = problem;
    const point = this.#point;
    for (let k = 0; k < WINDOW; k++) {
      for (let i = 0; i < n; i++) point[i] = r[i];
      if (!this.#runStride(problem, tolerance, result)) return false;
      const change = this.#changes[k];
      for (let i = 0; i < n; i++) change[i] = r[i] - point[i];
    }
    const before = problem.certify();
    for (let i = 0; i < n; i++) point[i] = r[i];
    this.#extrapolate(problem, n);
    if (!this.#runStride(problem, tolerance, result)) return false;
    if (problem.certify() < before) return true;
    for (let i = 0; i < n; i++) r[i] = point[i];
    return true;
  }

  /** @returns whether it used up its sweeps, with more to do and more allowed */
  #runStride(problem: FrictionContactProblem, tolerance: number, result: SolverResult): boolean {
    this.#sweeps.limit = Math.min(STRIDE, this.limit - result.iterations);
    this.#sweeps.solve(problem, tolerance, this.#inner);
    result.iterations += this.#inner.iterations;
    return this.#inner.status === 'maxIterations' && result.iterations < this.limit;
  }

  #extrapolate({ r, mu, dimension: d, count }: FrictionContactProblem, n: number): void {
    const gram = this.#gram;
    const weights = this.#weights;
    let largest = 0;
    for (let i = 0; i < WINDOW; i++) {
      for (let j = 0; j <= i; j++) {
        gram[WINDOW * i + j] = product(this.#changes[i], this.#changes[j], n);
        gram[WINDOW * j + i] = gram[WINDOW * i + j];
      }
      largest = Math.max(largest, gram[(WINDOW + 1) * i]);
    }
    for (let i = 0; i < WINDOW; i++) gram[(WINDOW + 1) * i] += REGULARISATION * largest;
    weights.fill(1);
    this.#cholesky.factor(gram, WINDOW);
    this.#cholesky.solve(weights);
    let total = 0;
    for (let k = 0; k < WINDOW; k++) total += weights[k];
    if (!(Math.abs(total) > 0)) return;
    let before = 0;
    for (let j = 1; j < WINDOW; j++) {
      before += weights[j - 1] / total;
      const change = this.#changes[j];
      for (let i = 0; i < n; i++) r[i] -= before * change[i];
    }
    const cone = this.#cone;
    for (let c = 0; c < count; c++) {
      cone[2] = 0;
      for (let k = 0; k < d; k++) cone[k] = r[d * c + k];
      projectOntoCone(cone, 0, mu[c]);
      for (let k = 0; k < d; k++) r[d * c + k] = cone[k];
    }
  }
}

function product(a: Float64Array, b: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}
