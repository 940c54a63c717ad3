/**
 * Alternating direction method of multipliers for the convex problem that De Saxcé's change of variable
 * leaves when s = μ |u_T| is held, minimum of ½ rᵀ W r + (q + s e_N)ᵀ r over the cones, with s renewed at
 * every step (as Acary, Brémond and Huber 2018 §4, do). In the form of Douglas and Rachford its whole state
 * is one vector x (Gabay 1983):
 *
 *     z = P_K(x),   y = x − z,   s = μ ρ |y_T|,
 *     r = (W + ρ I)⁻¹ (ρ (z − y) − q − s e_N),   x ← x + λ (r − z).
 *
 * Where r = z, W r + q + s e_N = −ρ y: y is minus the velocity û over ρ, in the polar cone and orthogonal to
 * z, which is the problem; and s = μ |u_T| there, because y_T = −u_T/ρ. The factors of W + ρ I serve all
 * steps, W may have any rank, and Anderson's method combines steps as in Gauss–Seidel. ρ follows the sizes of
 * |W r| and |r|, seldom, because each change costs factors.
 */
import { BlockLu } from '../../linalg/block-lu';
import { projectOntoCone } from '../../linalg/friction-cone';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../solver';
import { AndersonAcceleration } from './anderson';
import { type FrictionSolver, concludeFriction, isSolved, meanDiagonal } from './solver';

/** λ: over-relaxation, 1 … 2 */
const RELAXATION = 1.6;
const DEPTH = 8;
/** Steps between measurements of the residual. */
const MEASURED = 5;
/** Steps after which ρ is compared with what it should be; doubled each time. */
const FIRST_CHECK = 40;
/** Ratio of the two residuals from which ρ is changed, by its square root. */
const UNBALANCED = 5;

export class FrictionAdmm implements FrictionSolver {
  limit: number;
  readonly #factors = new BlockLu();
  readonly #anderson = new AndersonAcceleration(DEPTH);
  #x = new Float64Array(0);
  #next = new Float64Array(0);
  #z = new Float64Array(0);
  #right = new Float64Array(0);
  #diagonal = new Float64Array(0);
  #left = new Float64Array(0);
  /** [0] ρ, [1] |r − z|² */
  readonly #numbers = new Float64Array(2);
  readonly #cone = new Float64Array(3);

  constructor(maxIterations: number) {
    this.limit = maxIterations;
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    result.solver = 'ADMM';
    result.iterations = 0;
    const n = problem.dimension * problem.count;
    this.#prepare(problem, n);
    const numbers = this.#numbers;
    numbers[0] = meanDiagonal(problem.W);
    if (isSolved(problem, tolerance)) {
      concludeFriction(problem, tolerance, result, 'converged');
      return;
    }
    if (!this.#factor(problem)) {
      concludeFriction(problem, tolerance, result, 'singular');
      return;
    }
    this.#begin(problem);
    let check = FIRST_CHECK;
    for (let step = 1; step <= this.limit; step++) {
      result.iterations = step;
      this.#step(problem);
      if (step % MEASURED === 0 || step === 1) {
        this.#answer(problem);
        if (isSolved(problem, tolerance)) break;
      }
      if (!(numbers[1] > 0)) break;
      if (step === check) {
        check *= 2;
        if (this.#balance(problem)) {
          if (!this.#factor(problem)) break;
          this.#begin(problem);
          continue;
        }
      }
      this.#anderson.advance(this.#x, this.#next);
    }
    this.#answer(problem);
    concludeFriction(
      problem,
      tolerance,
      result,
      'converged',
      result.iterations < this.limit ? 'stalled' : 'maxIterations',
    );
  }

  #prepare(problem: FrictionContactProblem, n: number): void {
    if (this.#x.length < n) {
      this.#x = new Float64Array(n);
      this.#next = new Float64Array(n);
      this.#z = new Float64Array(n);
      this.#right = new Float64Array(n);
    }
    const blocks = problem.dimension * n;
    if (this.#diagonal.length >= blocks) return;
    this.#diagonal = new Float64Array(blocks);
    this.#left = new Float64Array(blocks);
  }

  #factor({ W, dimension: d, count }: FrictionContactProblem): boolean {
    for (let c = 0; c < count; c++) {
      for (let k = 0; k < d * d; k++) {
        const isDiagonal = k % (d + 1) === 0;
        this.#left[d * d * c + k] = isDiagonal ? 1 : 0;
        this.#diagonal[d * d * c + k] = isDiagonal ? this.#numbers[0] : 0;
      }
    }
    return this.#factors.factor(W, this.#diagonal, this.#left);
  }

  /** x = r − û/ρ of the present r, whose u is known. */
  #begin({ r, u, mu, dimension: d, count }: FrictionContactProblem): void {
    const rho = this.#numbers[0];
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const slip = d === 3 ? Math.hypot(u[at + 1], u[at + 2]) : Math.abs(u[at + 1]);
      for (let k = 0; k < d; k++)
        this.#x[at + k] = r[at + k] - (u[at + k] + (k === 0 ? mu[c] * slip : 0)) / rho;
    }
    this.#anderson.begin(d * count);
  }

  /** `#next` from `#x`, and |r − z|². */
  #step({ q, mu, dimension: d, count }: FrictionContactProblem): void {
    const rho = this.#numbers[0];
    const x = this.#x;
    const z = this.#z;
    const right = this.#right;
    const cone = this.#cone;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      cone[0] = x[at];
      cone[1] = x[at + 1];
      cone[2] = d === 3 ? x[at + 2] : 0;
      projectOntoCone(cone, 0, mu[c]);
      const y1 = x[at + 1] - cone[1];
      const y2 = d === 3 ? x[at + 2] - cone[2] : 0;
      const s = mu[c] * rho * Math.sqrt(y1 * y1 + y2 * y2);
      for (let k = 0; k < d; k++) {
        z[at + k] = cone[k];
        right[at + k] = rho * (2 * cone[k] - x[at + k]) - q[at + k] - (k === 0 ? s : 0);
      }
    }
    this.#factors.solve(right);
    let defect = 0;
    for (let i = 0; i < d * count; i++) {
      const difference = right[i] - z[i];
      defect += difference * difference;
      this.#next[i] = x[i] + RELAXATION * difference;
    }
    this.#numbers[1] = defect;
  }

  /** r ← z, which is in the cones. */
  #answer({ r, dimension: d, count }: FrictionContactProblem): void {
    for (let i = 0; i < d * count; i++) r[i] = this.#z[i];
  }

  /** Chooses ρ ≈ |û| / |r| by the sizes at hand. @returns whether it changed by much */
  #balance(problem: FrictionContactProblem): boolean {
    this.#answer(problem);
    problem.certify();
    const { r, u, q, dimension: d, count } = problem;
    let ofR = 0;
    let ofW = 0;
    for (let i = 0; i < d * count; i++) {
      ofR += r[i] * r[i];
      ofW += (u[i] - q[i]) * (u[i] - q[i]);
    }
    const wanted = Math.sqrt(ofW / ofR);
    const ratio = wanted / this.#numbers[0];
    if (!(ratio > UNBALANCED || ratio < 1 / UNBALANCED) || !Number.isFinite(ratio) || ratio === 0)
      return false;
    this.#numbers[0] *= Math.sqrt(ratio);
    return true;
  }
}
