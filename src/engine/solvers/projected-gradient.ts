/**
 * Conjugate projected gradients for symmetric positive semidefinite W: gradient projection steps choose the
 * face, conjugate gradients minimise f(z) = ½ zᵀ W z + qᵀ z on it, and a projected search along the sum of
 * their steps keeps f falling. Only products with W are needed, so that size and sparsity do not matter; the
 * number of products grows with the square root of the condition. Moré and Toraldo 1991; for contact problems
 * Renouf and Alart 2005.
 *
 * Everything is in the units of `Scaling`, which makes W's diagonal near 1: diagonal preconditioning.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { Scaling } from './scaling';
import { type Solver, type SolverResult, type SolverStatus, clip, conclude, refuse } from './solver';

/** Gradient projections end when one brings less than this part of the best of them: the face settles. */
const SETTLED = 0.25;
/** Conjugate gradients pause when one step brings less than this part of the best of them. */
const EXHAUSTED = 0.01;
/** Gradient projections in a row. */
const PROJECTIONS = 10;
/** Part of the predicted decrease that is asked for. */
const SUFFICIENT = 1e-3;
const HALVINGS = 40;

export class ConjugateProjectedGradient implements Solver {
  readonly #scaling = new Scaling();
  #isFree = new Uint8Array(0);
  #start = new Float64Array(0);
  #gradient = new Float64Array(0);
  #direction = new Float64Array(0);
  #residual = new Float64Array(0);
  #search = new Float64Array(0);
  #product = new Float64Array(0);
  /** [0]: decrease of f, [1]: slope, [2]: step */
  readonly #numbers = new Float64Array(3);
  #products = 0;

  constructor(private readonly maxProducts: number) {}

  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    result.solver = 'CPG';
    if (!problem.symmetric || !hasPositiveDiagonal(problem)) {
      refuse(problem, result, 'unsuitable');
      return;
    }
    this.#prepare(problem);
    clip(problem);
    const status = this.#iterate(problem, tolerance);
    result.iterations = this.#products;
    conclude(problem, tolerance, result, status);
  }

  #prepare(problem: AffineVariationalInequality): void {
    const { size: n } = problem;
    this.#products = 0;
    this.#scaling.update(problem);
    if (this.#start.length >= n) return;
    this.#isFree = new Uint8Array(n);
    this.#start = new Float64Array(n);
    this.#gradient = new Float64Array(n);
    this.#direction = new Float64Array(n);
    this.#residual = new Float64Array(n);
    this.#search = new Float64Array(n);
    this.#product = new Float64Array(n);
  }

  #iterate(problem: AffineVariationalInequality, tolerance: number): SolverStatus {
    problem.certify();
    while (this.#products < this.maxProducts) {
      if (problem.measure[0] <= tolerance) return 'converged';
      const hasProjected = this.#projectGradients(problem);
      problem.multiply();
      this.#setFace(problem);
      const hasMoved = this.#conjugateGradients(problem, tolerance);
      problem.certify();
      if (!hasProjected && !hasMoved) return problem.measure[0] <= tolerance ? 'converged' : 'stalled';
    }
    return problem.measure[0] <= tolerance ? 'converged' : 'maxIterations';
  }

  /** Rows that are not held at a bound. */
  #setFace(problem: AffineVariationalInequality): void {
    const { size: n, z, w, lower, upper } = problem;
    for (let i = 0; i < n; i++) {
      const isHeld =
        (z[i] <= lower[i] && w[i] >= 0) || (z[i] >= upper[i] && w[i] <= 0) || lower[i] === upper[i];
      this.#isFree[i] = isHeld ? 0 : 1;
    }
  }

  /** Steps down the projected gradient until the face settles. @returns whether f has fallen */
  #projectGradients(problem: AffineVariationalInequality): boolean {
    const { size: n, z } = problem;
    let best = 0;
    for (let k = 0; k < PROJECTIONS; k++) {
      problem.multiply();
      this.#setFace(problem);
      this.#remember(problem);
      const s = this.#scaling.values;
      let square = 0;
      for (let i = 0; i < n; i++) {
        this.#direction[i] = this.#isFree[i] === 1 ? -this.#gradient[i] : 0;
        square += this.#direction[i] * this.#direction[i];
      }
      if (!(square > 0)) return best > 0;
      this.#multiply(problem, this.#direction);
      let curvature = 0;
      for (let i = 0; i < n; i++) curvature += this.#direction[i] * this.#product[i];
      // The exact minimum along the ray; without curvature any length serves, and the search shortens it.
      this.#numbers[2] = curvature > 0 ? square / curvature : 1;
      if (!this.#projectedSearch(problem)) return best > 0;
      let sameFace = true;
      for (let i = 0; i < n && sameFace; i++) {
        const isAtBound = z[i] <= problem.lower[i] || z[i] >= problem.upper[i];
        const wasAtBound =
          s[i] * this.#start[i] <= problem.lower[i] || s[i] * this.#start[i] >= problem.upper[i];
        sameFace = isAtBound === wasAtBound;
      }
      const decrease = -this.#numbers[0];
      if (sameFace || decrease <= SETTLED * best) return true;
      best = Math.max(best, decrease);
    }
    return true;
  }

  /** Start point and gradient of a search, in scaled units. */
  #remember(problem: AffineVariationalInequality): void {
    const s = this.#scaling.values;
    for (let i = 0; i < problem.size; i++) {
      this.#start[i] = problem.z[i] / s[i];
      this.#gradient[i] = s[i] * problem.w[i];
    }
  }

  /** Minimises on the present face, then searches along the way gone. @returns whether f has fallen */
  #conjugateGradients(problem: AffineVariationalInequality, tolerance: number): boolean {
    const { size: n } = problem;
    this.#remember(problem);
    const residual = this.#residual;
    const search = this.#search;
    const direction = this.#direction;
    let square = 0;
    for (let i = 0; i < n; i++) {
      residual[i] = this.#isFree[i] === 1 ? -this.#gradient[i] : 0;
      search[i] = residual[i];
      direction[i] = 0;
      square += residual[i] * residual[i];
    }
    const goal = square * (0.1 * tolerance) ** 2;
    let best = 0;
    let small = 0;
    for (let k = 0; k < 2 * n + 10 && square > goal && this.#products < this.maxProducts; k++) {
      this.#multiply(problem, search);
      let curvature = 0;
      for (let i = 0; i < n; i++) {
        if (this.#isFree[i] === 0) this.#product[i] = 0;
        curvature += search[i] * this.#product[i];
      }
      if (!(curvature > 0)) break;
      const step = square / curvature;
      let next = 0;
      for (let i = 0; i < n; i++) {
        direction[i] += step * search[i];
        residual[i] -= step * this.#product[i];
        next += residual[i] * residual[i];
      }
      const decrease = 0.5 * step * square;
      best = Math.max(best, decrease);
      // Pauses only where a bound is in the way: else the face is the right one, and is solved to the end.
      small = decrease <= EXHAUSTED * best ? small + 1 : 0;
      if (small >= 3 && this.#leavesBox(problem)) break;
      const ratio = next / square;
      for (let i = 0; i < n; i++) search[i] = residual[i] + ratio * search[i];
      square = next;
    }
    this.#numbers[2] = 1;
    return this.#projectedSearch(problem);
  }

  #leavesBox(problem: AffineVariationalInequality): boolean {
    const s = this.#scaling.values;
    for (let i = 0; i < problem.size; i++) {
      const z = s[i] * (this.#start[i] + this.#direction[i]);
      if (z < problem.lower[i] || z > problem.upper[i]) return true;
    }
    return false;
  }

  /**
   * Halves the step `#numbers[2]` until f falls along the clipped direction.
   * @returns false, with z as before, when it never does
   */
  #projectedSearch(problem: AffineVariationalInequality): boolean {
    const { size: n, z } = problem;
    const s = this.#scaling.values;
    let step = this.#numbers[2];
    for (let k = 0; k < HALVINGS; k++) {
      for (let i = 0; i < n; i++) z[i] = s[i] * (this.#start[i] + step * this.#direction[i]);
      clip(problem);
      this.#measure(problem);
      if (this.#numbers[1] < 0 && this.#numbers[0] <= SUFFICIENT * this.#numbers[1]) return true;
      step *= 0.5;
    }
    for (let i = 0; i < n; i++) z[i] = s[i] * this.#start[i];
    return false;
  }

  /** f(z) − f(start) = gᵀ δ + ½ δᵀ W δ with δ = z − start, which does not cancel, and gᵀ δ. */
  #measure(problem: AffineVariationalInequality): void {
    const { size: n, z } = problem;
    const s = this.#scaling.values;
    const delta = this.#residual;
    let slope = 0;
    for (let i = 0; i < n; i++) {
      delta[i] = z[i] / s[i] - this.#start[i];
      slope += this.#gradient[i] * delta[i];
    }
    this.#multiply(problem, delta);
    let curvature = 0;
    for (let i = 0; i < n; i++) curvature += delta[i] * this.#product[i];
    this.#numbers[0] = slope + 0.5 * curvature;
    this.#numbers[1] = slope;
  }

  /** `#product` = S W S x */
  #multiply(problem: AffineVariationalInequality, x: Float64Array): void {
    const { size: n, rowStart, columns, values } = problem;
    const s = this.#scaling.values;
    this.#products++;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) sum += values[e] * s[columns[e]] * x[columns[e]];
      this.#product[i] = s[i] * sum;
    }
  }
}

function hasPositiveDiagonal(problem: AffineVariationalInequality): boolean {
  for (let i = 0; i < problem.size; i++) if (!(problem.diagonal(i) > 0)) return false;
  return true;
}
