/**
 * Projected Gauss–Seidel with relaxation: each row in turn is solved for its own z, which is clipped to its box,
 *
 *     z_i ← Π_[l_i,u_i](z_i − ω w_i / (W_ii (1 + ρ))),   w_i = (W z + q)_i with the z of this sweep.
 *
 * Converges for 0 < ω < 2 when W is symmetric positive definite, and for symmetric positive semidefinite W with
 * positive diagonal when the problem is solvable (O. L. Mangasarian, 1977, doi:10.1007/BF01268170); for 0 < ω ≤ 1 when
 * W is an H-matrix with positive diagonal, symmetric or not (J.-S. Pang, 1982). ρ > 0 shortens the steps without
 * changing the solution, which is under-relaxation in the metric of the diagonal.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { FullSweep } from './full-sweep';
import { refuse, settle, type Solver } from './solver';
import type { SolverResult, SolverStatus } from './status';

export interface GaussSeidelSettings {
  readonly maxIterations: number;
  /** ω in (0, 2) */
  readonly relaxation: number;
  /** ρ ≥ 0, as a fraction of the diagonal */
  readonly regularization: number;
}

/** Sweeps between two looks at the residual when the steps are still long: a look costs as much as a sweep. */
const SWEEPS_BETWEEN = 25;
/** Steps this many times the tolerance are worth the first look; the next one comes when they are half as long. */
const NEARLY = 4;
/** Up to this many rows the columns of a symmetric operator are too short to gain by gathering. */
const FEW = 64;
/** The residual grows beyond this factor of where it began: the sweeps diverge. */
const DIVERGED = 1e8;

export class ProjectedGaussSeidel implements Solver {
  /** ω / (W_ii (1 + ρ)) */
  #factors = new Float64Array(0);
  /** place of W_ii among the entries of W */
  #diagonals = new Int32Array(0);
  readonly #full = new FullSweep();
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;
  #isSuitable = false;
  /** [0]: longest step of the last sweep, in units of w */
  readonly #longest = new Float64Array(1);

  constructor(private readonly settings: GaussSeidelSettings) {}

  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    result.solver = 'PGS';
    this.#prepare(problem);
    if (!this.#isSuitable) {
      refuse(problem, result, 'unsuitable');
      return;
    }
    settle(problem, tolerance, result, this.#iterate(problem, tolerance, result), 'maxIterations');
  }

  /** Leaves the problem certified. */
  #iterate(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): SolverStatus {
    const { maxIterations } = this.settings;
    problem.certify();
    result.iterations = 0;
    if (problem.measure[0] <= tolerance) return 'converged';
    const limit = DIVERGED * Math.max(1, problem.measure[0]);
    let scale = 0;
    for (let i = 0; i < problem.size; i++) scale = Math.max(scale, Math.abs(problem.q[i]));
    const isGathered = problem.isFull && (problem.size > FEW || !problem.symmetric);
    if (isGathered) this.#full.begin(problem);
    // Steps that may leave a residual below the tolerance; short steps are necessary, not sufficient.
    let short = NEARLY * tolerance * scale;
    for (let sweep = 1; sweep <= maxIterations; sweep++) {
      if (isGathered) this.#full.run(problem, this.#factors);
      else if (problem.isFull) this.#sweepByFullColumns(problem);
      else if (problem.symmetric) this.#sweepByColumns(problem);
      else this.#sweep(problem);
      result.iterations = sweep;
      const longest = isGathered ? this.#full.longest : this.#longest[0];
      if (longest > short && sweep % SWEEPS_BETWEEN !== 0) continue;
      problem.certify();
      if (problem.measure[0] <= tolerance) return 'converged';
      if (!(problem.measure[0] < limit)) return 'stalled';
      short = Math.min(short, longest / 2);
      if (isGathered) this.#full.begin(problem);
    }
    problem.certify();
    return 'maxIterations';
  }

  #sweep(problem: AffineVariationalInequality): void {
    const { size: n, rowStart, columns, values, q, z, lower, upper } = problem;
    const factors = this.#factors;
    const diagonals = this.#diagonals;
    let longest = 0;
    for (let i = 0; i < n; i++) {
      let w = q[i];
      const end = rowStart[i + 1];
      for (let k = rowStart[i]; k < end; k++) w += values[k] * z[columns[k]];
      let x = z[i] - factors[i] * w;
      if (x < lower[i]) x = lower[i];
      else if (x > upper[i]) x = upper[i];
      const step = Math.abs(values[diagonals[i]] * (x - z[i]));
      if (step > longest) longest = step;
      z[i] = x;
    }
    this.#longest[0] = longest;
  }

  /**
   * The same sweep with w kept up to date: a change of z_i is added to w by column i, which of a symmetric W is row i.
   * Rows that stay at a bound then cost nothing. Rounding adds up only until the next look at the residual, which
   * computes w anew.
   */
  #sweepByColumns(problem: AffineVariationalInequality): void {
    const { size: n, rowStart, columns, values, z, w, lower, upper } = problem;
    const factors = this.#factors;
    const diagonals = this.#diagonals;
    let longest = 0;
    for (let i = 0; i < n; i++) {
      let x = z[i] - factors[i] * w[i];
      if (x < lower[i]) x = lower[i];
      else if (x > upper[i]) x = upper[i];
      const change = x - z[i];
      if (change === 0) continue;
      const step = Math.abs(values[diagonals[i]] * change);
      if (step > longest) longest = step;
      z[i] = x;
      const end = rowStart[i + 1];
      for (let k = rowStart[i]; k < end; k++) w[columns[k]] += values[k] * change;
    }
    this.#longest[0] = longest;
  }

  /** `#sweepByColumns` over few rows in full: without an index, four entries at a time. */
  #sweepByFullColumns(problem: AffineVariationalInequality): void {
    const { size: n, values, z, w, lower, upper } = problem;
    const factors = this.#factors;
    const whole = n - 3;
    let longest = 0;
    for (let i = 0; i < n; i++) {
      const before = z[i];
      let x = before - factors[i] * w[i];
      if (x < lower[i]) x = lower[i];
      else if (x > upper[i]) x = upper[i];
      const change = x - before;
      if (change === 0) continue;
      let entry = i * n;
      const step = Math.abs(values[entry + i] * change);
      if (step > longest) longest = step;
      z[i] = x;
      let k = 0;
      for (; k < whole; k += 4, entry += 4) {
        w[k] += values[entry] * change;
        w[k + 1] += values[entry + 1] * change;
        w[k + 2] += values[entry + 2] * change;
        w[k + 3] += values[entry + 3] * change;
      }
      for (; k < n; k++) w[k] += values[entry++] * change;
    }
    this.#longest[0] = longest;
  }

  #prepare(problem: AffineVariationalInequality): void {
    if (this.#problem === problem && this.#revision === problem.revision) return;
    const { size: n, isFull, rowStart, columns, values } = problem;
    this.#problem = problem;
    this.#revision = problem.revision;
    if (this.#factors.length < n) {
      this.#factors = new Float64Array(n);
      this.#diagonals = new Int32Array(n);
    }
    const { relaxation, regularization } = this.settings;
    this.#isSuitable = true;
    if (isFull) this.#full.prepare(problem);
    for (let i = 0; i < n; i++) {
      let place = isFull ? i * n + i : -1;
      if (!isFull) for (let k = rowStart[i]; k < rowStart[i + 1]; k++) if (columns[k] === i) place = k;
      if (place < 0 || !(values[place] > 0)) {
        this.#isSuitable = false;
        return;
      }
      this.#diagonals[i] = place;
      this.#factors[i] = relaxation / (values[place] * (1 + regularization));
    }
  }
}
