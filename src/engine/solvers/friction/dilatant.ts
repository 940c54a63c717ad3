/**
 * Cones whose flow dilates, û = u + (μ − ν) |u_T| e_N with ν > 0, by any solver of Coulomb’s law: with the
 * expansion g = ν |u_T| held, u_N − g in place of u_N makes the law Coulomb’s,
 *
 *     û = (u_N − g, u_T) + μ |u_T| e_N,
 *
 * and g is renewed until it stays. A larger g means more pressure, more friction and less slip, so that
 * g ↦ ν |u_T| falls; of one cone with mobilities w_N and w_T by −ν μ w_T/w_N where it slides. Where that is
 * steeper than −1 plain steps would run away: steps are damped, the more the longer it takes, and Anderson’s
 * method combines them. Where that does not do, projections of the law itself follow.
 */
import type { BlockRows } from '../../linalg/block-rows';
import { projectOntoCone } from '../../linalg/friction-cone';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import { type SolverResult, createSolverResult } from '../solver';
import { AndersonAcceleration } from './anderson';
import { type FrictionSolver, concludeFriction, isSolved } from './solver';

/** Parts of the way to the new expansion that steps go, and how many do before the next. */
const DAMPED = [0.5, 0.2, 0.08, 0.03] as const;
const RENEWALS = 60;
const DEPTH = 6;
/**
 * What the problems in between are solved to, relative to the tolerance: their residual adds to that of g.
 */
const INNER = 0.1;
/** Nothing is solved nearer than this, however small the tolerance. */
const FINEST = 1e-14;

/** Projections where renewals do not do. */
const PROJECTIONS = 20_000;

/** Largest sum of the magnitudes of a row of W, a bound on its eigenvalues. */
function largestSum({ rows, rowStart, values }: BlockRows): number {
  let largest = 0;
  for (let i = 0; i < rows; i++)
    for (let a = 0; a < 3; a++) {
      let sum = 0;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
        for (let b = 0; b < 3; b++) sum += Math.abs(values[9 * k + 3 * a + b]);
      if (sum > largest) largest = sum;
    }
  return largest > 0 ? largest : 1;
}

export class Dilatant implements FrictionSolver {
  readonly #anderson = new AndersonAcceleration(DEPTH);
  readonly #inner = createSolverResult();
  #expansion = new Float64Array(0);
  #next = new Float64Array(0);
  #image = new Float64Array(0);

  constructor(private readonly solver: FrictionSolver) {}

  get attempts(): number {
    return this.solver.attempts ?? 1;
  }

  get reason(): string {
    return this.solver.reason ?? '';
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    const { dilatancy, count } = problem;
    if (dilatancy?.subarray(0, count).some((nu) => nu > 0) !== true) {
      this.solver.solve(problem, tolerance, result);
      return;
    }
    if (this.#expansion.length < count) {
      this.#expansion = new Float64Array(count);
      this.#next = new Float64Array(count);
    }
    const g = this.#expansion;
    problem.certify();
    this.#expand(problem, dilatancy, g);
    result.solver = 'Dilatant';
    result.iterations = 0;
    for (let k = 0; k < DAMPED.length * RENEWALS; k++) {
      const part = DAMPED[Math.floor(k / RENEWALS)];
      // Steps of another size are those of another map.
      if (k % RENEWALS === 0) this.#anderson.begin(count);
      this.#solveHeld(problem, dilatancy, Math.max(FINEST, INNER * tolerance));
      result.iterations += this.#inner.iterations;
      result.solver = this.#inner.solver;
      if (isSolved(problem, tolerance)) {
        concludeFriction(problem, tolerance, result, 'converged');
        return;
      }
      if (this.#inner.status === 'unsuitable' || this.#inner.status === 'singular') {
        concludeFriction(problem, tolerance, result, this.#inner.status);
        return;
      }
      this.#expand(problem, dilatancy, this.#next);
      for (let c = 0; c < count; c++) this.#next[c] = g[c] + part * (this.#next[c] - g[c]);
      this.#anderson.advance(g, this.#next);
      for (let c = 0; c < count; c++) if (!(g[c] > 0)) g[c] = 0;
    }
    this.#project(problem, dilatancy, tolerance, result);
  }

  /** r ← P_K(r − ρ û), combined by Anderson’s method, from where the renewals have come. */
  #project(
    problem: FrictionContactProblem,
    dilatancy: Float64Array,
    tolerance: number,
    result: SolverResult,
  ): void {
    const { W, r, u, mu, count } = problem;
    const n = 3 * count;
    if (this.#image.length < n) this.#image = new Float64Array(n);
    const image = this.#image;
    const rho = 1 / largestSum(W);
    this.#anderson.begin(n);
    result.solver = 'Projections';
    for (let k = 0; k < PROJECTIONS; k++) {
      result.iterations++;
      if (isSolved(problem, tolerance)) {
        concludeFriction(problem, tolerance, result, 'converged');
        return;
      }
      for (let c = 0; c < count; c++) {
        const at = 3 * c;
        const slip = Math.sqrt(u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
        image[at] = r[at] - rho * (u[at] + (mu[c] - dilatancy[c]) * slip);
        image[at + 1] = r[at + 1] - rho * u[at + 1];
        image[at + 2] = r[at + 2] - rho * u[at + 2];
        projectOntoCone(image, at, mu[c]);
      }
      this.#anderson.advance(r, image);
    }
    concludeFriction(problem, tolerance, result, 'maxIterations');
  }

  /** g of the present u. */
  #expand({ u, count }: FrictionContactProblem, dilatancy: Float64Array, g: Float64Array): void {
    for (let c = 0; c < count; c++) {
      const [u1, u2] = [u[3 * c + 1], u[3 * c + 2]];
      g[c] = dilatancy[c] * Math.sqrt(u1 * u1 + u2 * u2);
    }
  }

  /** Solves the problem of Coulomb with the present expansion. */
  #solveHeld(problem: FrictionContactProblem, dilatancy: Float64Array, tolerance: number): void {
    const { q, count } = problem;
    const g = this.#expansion;
    for (let c = 0; c < count; c++) q[3 * c] -= g[c];
    problem.dilatancy = null;
    this.solver.solve(problem, tolerance, this.#inner);
    problem.dilatancy = dilatancy;
    for (let c = 0; c < count; c++) q[3 * c] += g[c];
  }
}
