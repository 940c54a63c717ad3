/**
 * Interior-point method for monotone problems, with Mehrotra's predictor–corrector. With x = z − l and
 * y = u − z the distances to the bounds (kept positive, and exact) and multipliers λ, μ > 0 of them,
 *
 *     W z + q − λ + μ = 0,   x_i λ_i = σ,   y_i μ_i = σ,   σ → 0.
 *
 * Newton, with λ and μ eliminated:
 *
 *     (W + diag(λ/x + μ/y)) dz = −(W z + q) + σ/x − σ/y − corrections,
 *     dλ = (σ − c_x)/x − λ − (λ/x) dz,   dμ = (σ − c_y)/y − μ + (μ/y) dz,
 *
 * where the predictor takes σ = 0, c = 0, and the corrector σ from its success and c = dx∘dλ, dy∘dμ of the
 * predictor. Mehrotra 1992. The interior point never has the exact zeros of a solution; so once it is near,
 * the solution on the rows it points at is computed (crossover).
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { Crossover, NewtonMatrix } from './newton-matrix';
import { InfeasibilityProof } from './infeasibility';
import { Scaling } from './scaling';
import {
  type Solver,
  type SolverResult,
  type SolverStatus,
  clip,
  conclude,
  isAnswer,
  isUnresolved,
  refuse,
} from './solver';

/** Part of the way to the boundary that a step may go. */
const TO_BOUNDARY = 0.995;
/** Gap, relative to its start, below which active rows show, and the crossover is tried. */
const CROSSOVER_GAP = 1e-5;
/** Steps shorter than this make no progress: the problem has no solution, or W is not monotone. */
const SHORTEST = 1e-10;

export class InteriorPoint implements Solver {
  readonly #matrix = new NewtonMatrix();
  readonly #scaling = new Scaling();
  readonly #crossover: Crossover;
  readonly #proof = new InfeasibilityProof();
  /** in scaled units: multipliers of the bounds, and their steps; 0 where there is no bound */
  #lambda = new Float64Array(0);
  #mu = new Float64Array(0);
  #dLambda = new Float64Array(0);
  #dMu = new Float64Array(0);
  #dz = new Float64Array(0);
  #predictor = new Float64Array(0);
  #diagonal = new Float64Array(0);
  #ones = new Float64Array(0);
  /** [0]: σ, [1]: mean complementarity, [2]: step, [3]: mean complementarity after the predictor's step */
  readonly #numbers = new Float64Array(4);

  constructor(
    capacity: number,
    private readonly maxIterations: number,
  ) {
    this.#crossover = new Crossover(capacity);
  }

  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    result.solver = 'InteriorPoint';
    if (!this.#isSuitable(problem)) {
      refuse(problem, result, 'unsuitable');
      return;
    }
    this.#prepare(problem);
    this.#start(problem);
    const status = this.#iterate(problem, tolerance, result);
    clip(problem);
    conclude(problem, tolerance, result, status);
  }

  /** A monotone W has no negative diagonal entry. */
  #isSuitable(problem: AffineVariationalInequality): boolean {
    for (let i = 0; i < problem.size; i++) if (problem.diagonal(i) < 0) return false;
    return true;
  }

  #prepare(problem: AffineVariationalInequality): void {
    const { size: n } = problem;
    this.#scaling.update(problem);
    if (this.#dz.length >= n) return;
    this.#lambda = new Float64Array(n);
    this.#mu = new Float64Array(n);
    this.#dLambda = new Float64Array(n);
    this.#dMu = new Float64Array(n);
    this.#dz = new Float64Array(n);
    this.#predictor = new Float64Array(n);
    this.#diagonal = new Float64Array(n);
    this.#ones = new Float64Array(n).fill(1);
  }

  /** A point well inside, at the size of the data. */
  #start(problem: AffineVariationalInequality): void {
    const { size: n, q, z, lower, upper } = problem;
    const s = this.#scaling.values;
    let size = 0;
    for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(s[i] * q[i]));
    if (size === 0) size = 1;
    for (let i = 0; i < n; i++) {
      const hasLower = lower[i] !== Number.NEGATIVE_INFINITY;
      const hasUpper = upper[i] !== Number.POSITIVE_INFINITY;
      const step = s[i] * size;
      if (hasLower && hasUpper) z[i] = lower[i] + Math.min(step, 0.5 * (upper[i] - lower[i]));
      else if (hasLower) z[i] = lower[i] + step;
      else if (hasUpper) z[i] = upper[i] - step;
      else z[i] = 0;
      this.#lambda[i] = hasLower && lower[i] !== upper[i] ? size : 0;
      this.#mu[i] = hasUpper && lower[i] !== upper[i] ? size : 0;
    }
  }

  #iterate(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): SolverStatus {
    problem.certify();
    this.#measureGap(problem);
    const firstGap = this.#numbers[1];
    let tried = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < this.maxIterations; iteration++) {
      result.iterations = iteration;
      problem.certify();
      this.#measureGap(problem);
      const gap = this.#numbers[1];
      const isNear = !(gap > CROSSOVER_GAP * firstGap);
      // Again only when much nearer: a face costs as much as a step.
      if ((isNear && gap < 0.1 * tried) || problem.measure[0] <= tolerance || firstGap === 0) {
        tried = gap;
        if (this.#finish(problem, tolerance)) return 'converged';
      }
      if (!this.#step(problem)) return this.#failure(problem, tolerance);
    }
    return this.#failure(problem, tolerance, 'maxIterations');
  }

  /** The exact solution near the present point; restores z when it is none. */
  #finish(problem: AffineVariationalInequality, tolerance: number): boolean {
    const { size: n, z } = problem;
    for (let i = 0; i < n; i++) this.#predictor[i] = z[i];
    this.#crossover.improve(problem, tolerance);
    if (isAnswer(problem, tolerance)) return true;
    for (let i = 0; i < n; i++) z[i] = this.#predictor[i];
    problem.multiply();
    return false;
  }

  #failure(
    problem: AffineVariationalInequality,
    tolerance: number,
    status: SolverStatus = 'stalled',
  ): SolverStatus {
    problem.certify();
    // No step leads further from what is an answer to rounding, and where z has outgrown the data `conclude`
    // says so.
    if (isAnswer(problem, tolerance) || isUnresolved(problem, tolerance)) return 'converged';
    this.#proof.prepare(problem.size);
    for (let i = 0; i < problem.size; i++) this.#proof.v[i] = this.#dz[i] * this.#scaling.values[i];
    if (this.#proof.holds(problem)) return 'infeasible';
    for (let i = 0; i < problem.size; i++) this.#proof.v[i] = problem.z[i];
    return this.#proof.holds(problem) ? 'infeasible' : status;
  }

  /** Mean of x λ and y μ. */
  #measureGap(problem: AffineVariationalInequality): void {
    const { size: n, z, lower, upper } = problem;
    const s = this.#scaling.values;
    let sum = 0;
    let count = 0;
    for (let i = 0; i < n; i++) {
      if (this.#lambda[i] > 0) {
        sum += (this.#lambda[i] * (z[i] - lower[i])) / s[i];
        count++;
      }
      if (this.#mu[i] > 0) {
        sum += (this.#mu[i] * (upper[i] - z[i])) / s[i];
        count++;
      }
    }
    this.#numbers[1] = count > 0 ? sum / count : 0;
  }

  /** Predictor and corrector. @returns false when no step can be made */
  #step(problem: AffineVariationalInequality): boolean {
    const { size: n } = problem;
    if (!this.#factor(problem)) return false;
    this.#numbers[0] = 0;
    this.#predictor.fill(0, 0, n);
    this.#findDirection(problem);
    this.#limitSteps(problem, 1);
    const gap = this.#numbers[1];
    this.#predictGap(problem);
    this.#numbers[0] = gap > 0 ? gap * (this.#numbers[3] / gap) ** 3 : 0;
    // dx∘dλ and dy∘dμ of the predictor.
    for (let i = 0; i < n; i++) this.#predictor[i] = this.#dz[i];
    this.#findDirection(problem);
    this.#limitSteps(problem, TO_BOUNDARY);
    return this.#advance(problem);
  }

  #factor(problem: AffineVariationalInequality): boolean {
    const { size: n, z, lower, upper } = problem;
    const s = this.#scaling.values;
    for (let i = 0; i < n; i++) {
      let d = 0;
      if (this.#lambda[i] > 0) d += (this.#lambda[i] * s[i]) / (z[i] - lower[i]);
      if (this.#mu[i] > 0) d += (this.#mu[i] * s[i]) / (upper[i] - z[i]);
      this.#diagonal[i] = d;
      this.#ones[i] = lower[i] === upper[i] ? 0 : 1;
      if (lower[i] === upper[i]) this.#diagonal[i] = 1;
    }
    return this.#matrix.factor(problem, this.#scaling, this.#diagonal, this.#ones);
  }

  /** dz, dλ, dμ for the present σ, with the second-order terms of the dz in `#predictor`. */
  #findDirection(problem: AffineVariationalInequality): void {
    const { size: n, z, w, lower, upper } = problem;
    const s = this.#scaling.values;
    const sigma = this.#numbers[0];
    const dz = this.#dz;
    const cx = this.#dLambda;
    const cy = this.#dMu;
    for (let i = 0; i < n; i++) {
      const x = (z[i] - lower[i]) / s[i];
      const y = (upper[i] - z[i]) / s[i];
      // On entry dλ and dμ are those of the predictor, dx = dz and dy = −dz.
      cx[i] = this.#lambda[i] > 0 ? (sigma - this.#predictor[i] * cx[i]) / x : 0;
      cy[i] = this.#mu[i] > 0 ? (sigma + this.#predictor[i] * cy[i]) / y : 0;
      dz[i] = this.#ones[i] === 0 ? 0 : -s[i] * w[i] + cx[i] - cy[i];
    }
    this.#matrix.solve(dz);
    for (let i = 0; i < n; i++) {
      const x = (z[i] - lower[i]) / s[i];
      const y = (upper[i] - z[i]) / s[i];
      if (this.#lambda[i] > 0) cx[i] -= this.#lambda[i] * (1 + dz[i] / x);
      if (this.#mu[i] > 0) cy[i] -= this.#mu[i] * (1 - dz[i] / y);
    }
  }

  /** Longest steps of z and of the multipliers that stay inside. */
  #limitSteps(problem: AffineVariationalInequality, fraction: number): void {
    const { size: n, z, lower, upper } = problem;
    const s = this.#scaling.values;
    let primal = 1 / fraction;
    let dual = 1 / fraction;
    for (let i = 0; i < n; i++) {
      const dz = this.#dz[i];
      if (dz < 0 && this.#lambda[i] > 0) primal = Math.min(primal, (lower[i] - z[i]) / (s[i] * dz));
      if (dz > 0 && this.#mu[i] > 0) primal = Math.min(primal, (upper[i] - z[i]) / (s[i] * dz));
      if (this.#dLambda[i] < 0) dual = Math.min(dual, -this.#lambda[i] / this.#dLambda[i]);
      if (this.#dMu[i] < 0) dual = Math.min(dual, -this.#mu[i] / this.#dMu[i]);
    }
    // z enters the equation of the multipliers through W: unlike in linear programming, one step serves both.
    this.#numbers[2] = fraction * Math.min(primal, dual);
  }

  /** Mean complementarity after the predictor's step. */
  #predictGap(problem: AffineVariationalInequality): void {
    const { size: n, z, lower, upper } = problem;
    const s = this.#scaling.values;
    const step = this.#numbers[2];
    let sum = 0;
    let count = 0;
    for (let i = 0; i < n; i++) {
      if (this.#lambda[i] > 0) {
        sum += (this.#lambda[i] + step * this.#dLambda[i]) * ((z[i] - lower[i]) / s[i] + step * this.#dz[i]);
        count++;
      }
      if (this.#mu[i] > 0) {
        sum += (this.#mu[i] + step * this.#dMu[i]) * ((upper[i] - z[i]) / s[i] - step * this.#dz[i]);
        count++;
      }
    }
    this.#numbers[3] = count > 0 ? Math.max(0, sum / count) : 0;
  }

  #advance(problem: AffineVariationalInequality): boolean {
    const { size: n, z } = problem;
    const s = this.#scaling.values;
    const step = this.#numbers[2];
    if (!(step > SHORTEST)) return false;
    for (let i = 0; i < n; i++) {
      z[i] += step * s[i] * this.#dz[i];
      this.#lambda[i] += step * this.#dLambda[i];
      this.#mu[i] += step * this.#dMu[i];
    }
    return true;
  }
}
