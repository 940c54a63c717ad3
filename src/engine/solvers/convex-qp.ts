/**
 * The symmetric problem as a convex quadratic programme, min f(z) = ½ zᵀ W z + qᵀ z on the box, whose
 * stationary points are the solutions. Projected Newton (Bertsekas 1982): rows at a bound that w presses
 * against it stay there, the others move towards the exact minimum on their face, and the step is clipped to
 * the box and halved until f has fallen. W need only be semidefinite: the minimum on a face is that of f + ½
 * ρ |z − z_now|² with a tiny ρ, which exists for redundant rows as well and where f is constant stays where
 * it is (proximal point; Rockafellar 1976). Near the solution the face is solved exactly.
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
  refuse,
} from './solver';

/** Part of the predicted decrease that is asked for. */
const SUFFICIENT = 1e-4;
/** Halvings after which a direction is given up: below, the decrease drowns in the rounding of f. */
const HALVINGS = 30;
/** A w that presses by less than this fraction of the data is zero: the row may move. */
const PRESSED = 1e-14;
/** ρ, where W's diagonal is near 1: above the rounding of a factorisation, far below what slows the steps. */
const PROXIMAL = 1e-9;
/** Residual from which on the exact solution is tried. */
const CROSSOVER_RESIDUAL = 1e-3;

export class ConvexQp implements Solver {
  readonly #crossover: Crossover;
  readonly #matrix = new NewtonMatrix();
  readonly #scaling = new Scaling();
  readonly #proof = new InfeasibilityProof();
  #start = new Float64Array(0);
  #gradient = new Float64Array(0);
  #direction = new Float64Array(0);
  /** rows of the Newton matrix: z stays (a = 1, b = 0), or moves (a = ρ, b = 1) */
  #a = new Float64Array(0);
  #b = new Float64Array(0);
  /** [0]: decrease of f since `#start`, [1]: slope, [2]: size of the data */
  readonly #numbers = new Float64Array(3);

  constructor(
    capacity: number,
    private readonly maxIterations: number,
  ) {
    this.#crossover = new Crossover(capacity);
  }

  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    const { size: n } = problem;
    result.solver = 'ConvexQP';
    if (!problem.symmetric) {
      refuse(problem, result, 'unsuitable');
      return;
    }
    if (this.#start.length < n) {
      this.#start = new Float64Array(n);
      this.#gradient = new Float64Array(n);
      this.#direction = new Float64Array(n);
      this.#a = new Float64Array(n);
      this.#b = new Float64Array(n);
    }
    this.#scaling.update(problem);
    clip(problem);
    const status = this.#iterate(problem, tolerance, result);
    conclude(problem, tolerance, result, status);
  }

  #iterate(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): SolverStatus {
    const { size: n, z, w, q } = problem;
    let scale = 0;
    for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(q[i]));
    this.#numbers[2] = scale;
    problem.certify();
    for (let iteration = 1; iteration <= this.maxIterations; iteration++) {
      result.iterations = iteration;
      if (problem.measure[0] <= CROSSOVER_RESIDUAL) this.#crossover.improve(problem, tolerance);
      if (problem.measure[0] <= tolerance) return 'converged';
      for (let i = 0; i < n; i++) {
        this.#start[i] = z[i];
        this.#gradient[i] = w[i];
      }
      if (!this.#moveOnFace(problem) && !this.#moveDown(problem)) return this.#end(problem, tolerance);
      clip(problem);
      problem.certify();
    }
    return problem.measure[0] <= tolerance ? 'converged' : this.#failure(problem, 'maxIterations');
  }

  #end(problem: AffineVariationalInequality, tolerance: number): SolverStatus {
    problem.certify();
    return isAnswer(problem, tolerance) ? 'converged' : this.#failure(problem, 'stalled');
  }

  #failure(problem: AffineVariationalInequality, status: SolverStatus): SolverStatus {
    const { size: n, z } = problem;
    this.#proof.prepare(n);
    for (let i = 0; i < n; i++) this.#proof.v[i] = this.#direction[i];
    if (this.#proof.holds(problem)) return 'infeasible';
    for (let i = 0; i < n; i++) this.#proof.v[i] = z[i];
    return this.#proof.holds(problem) ? 'infeasible' : status;
  }

  /** Towards the minimum on the face of the rows that are not pressed. @returns false without descent */
  #moveOnFace(problem: AffineVariationalInequality): boolean {
    const { size: n, z, lower, upper } = problem;
    const s = this.#scaling.values;
    const noise = PRESSED * this.#numbers[2];
    const direction = this.#direction;
    for (let i = 0; i < n; i++) {
      const w = this.#gradient[i];
      const stays =
        lower[i] === upper[i] || (z[i] <= lower[i] && w > noise) || (z[i] >= upper[i] && w < -noise);
      this.#a[i] = stays ? 1 : PROXIMAL;
      this.#b[i] = stays ? 0 : 1;
      direction[i] = stays ? 0 : -s[i] * w;
    }
    if (!this.#matrix.factor(problem, this.#scaling, this.#a, this.#b)) return false;
    this.#matrix.solve(direction);
    for (let i = 0; i < n; i++) direction[i] *= s[i];
    return this.#search(problem);
  }

  /** Down the gradient, in the metric of the diagonal. @returns false without descent */
  #moveDown(problem: AffineVariationalInequality): boolean {
    const s = this.#scaling.values;
    for (let i = 0; i < problem.size; i++) this.#direction[i] = -s[i] * s[i] * this.#gradient[i];
    return this.#search(problem);
  }

  /** @returns false, with z as before, when f does not fall along the clipped direction */
  #search(problem: AffineVariationalInequality): boolean {
    const { size: n, z } = problem;
    let step = 1;
    for (let k = 0; k < HALVINGS; k++) {
      for (let i = 0; i < n; i++) z[i] = this.#start[i] + step * this.#direction[i];
      clip(problem);
      this.#measure(problem);
      const slope = this.#numbers[1];
      if (slope < 0 && this.#numbers[0] <= SUFFICIENT * slope) return true;
      step *= 0.5;
    }
    for (let i = 0; i < n; i++) z[i] = this.#start[i];
    return false;
  }

  /** f(z) − f(start) = gᵀ δ + ½ δᵀ W δ with δ = z − start, which does not cancel, and gᵀ δ. */
  #measure(problem: AffineVariationalInequality): void {
    const { size: n, rowStart, columns, values, z } = problem;
    let slope = 0;
    let curvature = 0;
    for (let i = 0; i < n; i++) {
      const delta = z[i] - this.#start[i];
      if (delta === 0) continue;
      slope += this.#gradient[i] * delta;
      let product = 0;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++)
        product += values[e] * (z[columns[e]] - this.#start[columns[e]]);
      curvature += delta * product;
    }
    this.#numbers[0] = slope + 0.5 * curvature;
    this.#numbers[1] = slope;
  }
}
