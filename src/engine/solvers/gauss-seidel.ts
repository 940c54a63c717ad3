/**
 * Projected Gauss–Seidel with relaxation: each row in turn is solved for its own z, which is clipped to its
 * box,
 *
 *     z_i ← Π_[l_i,u_i](z_i − ω w_i / (W_ii (1 + ρ))),   w_i = (W z + q)_i with the z of this sweep.
 *
 * Converges for 0 < ω < 2 when W is symmetric positive definite, and for symmetric positive semidefinite W
 * with positive diagonal when the problem is solvable (Mangasarian 1977); for 0 < ω ≤ 1 when W is an H-matrix
 * with positive diagonal, symmetric or not (Cottle, Pang and Stone 1992, ch. 5). ρ > 0 shortens the steps
 * without changing the solution, which is under-relaxation in the metric of the diagonal.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { type Solver, type SolverResult, type SolverStatus, refuse, settle } from './solver';

/*
 * Sweeps of projected Gauss–Seidel over rows that are stored in full. They are those of the textbook, row
 * after row, with three savings:
 *
 * - Columns with z_j = 0, half of them in most contact problems, are left out of w_i = q_i + Σ_j W_ij z_j.
 * - Four rows gather their w at once, which loads each z_j once for all four; they are then solved one after
 *   the other, and what changes is added to those of the four that are still to come.
 * - A row at its bound sleeps while it cannot leave it. Of a positive semidefinite W, |W_ij| ≤ √W_ii √W_jj,
 *   so that
 *
 *       |Δw_i| ≤ √W_ii · Σ √W_jj |Δz_j|
 *
 *   and as long as the sum of all steps since its last turn stays below |w_i| / √W_ii the sign of w_i is what
 *   it was. That is looked at before each sweep. Of an operator that is not semidefinite a row may sleep too
 *   long; a caller that computes the residual and finds it too large wakes all (`begin`).
 */

const BLOCK = 4;

class FullSweep {
  /** [0]: longest step of the last sweep, in units of w; [1]: Σ √W_jj |Δz_j| over all sweeps since `begin` */
  readonly #travel = new Float64Array(2);
  /** columns with z ≠ 0 in the order in which they came, and their z */
  #columns = new Int32Array(0);
  #values = new Float64Array(0);
  #count = 0;
  /** place of a column in that list, −1 where z = 0 */
  #place = new Int32Array(0);
  /** √W_ii; ∞ keeps a row awake */
  #roots = new Float64Array(0);
  /** the travel until which a row sleeps */
  #until = new Float64Array(0);
  #awake = new Int32Array(0);

  /** Longest step of the last sweep, in units of w. */
  get longest(): number {
    return this.#travel[0];
  }

  /** Reads the diagonal, of an operator in full rows. */
  prepare({ size: n, values, symmetric }: AffineVariationalInequality): void {
    if (this.#place.length < n) this.#grow(n);
    for (let i = 0; i < n; i++)
      this.#roots[i] = symmetric ? Math.sqrt(values[i * n + i]) : Number.POSITIVE_INFINITY;
  }

  #grow(n: number): void {
    this.#columns = new Int32Array(n);
    this.#values = new Float64Array(n);
    this.#place = new Int32Array(n);
    this.#roots = new Float64Array(n);
    this.#until = new Float64Array(n);
    this.#awake = new Int32Array(n);
  }

  /** Reads z, and wakes all rows. */
  begin({ size: n, z }: AffineVariationalInequality): void {
    this.#travel[1] = 0;
    this.#count = 0;
    for (let i = 0; i < n; i++) {
      this.#until[i] = 0;
      this.#place[i] = -1;
      if (z[i] !== 0) this.#enter(i, z[i]);
    }
  }

  /** @param factors what w_i is multiplied by to give the step of z_i */
  run(problem: AffineVariationalInequality, factors: Float64Array): void {
    const awake = this.#awake;
    const until = this.#until;
    const travel = this.#travel[1];
    let count = 0;
    for (let i = 0; i < problem.size; i++) if (!(travel < until[i])) awake[count++] = i;
    this.#travel[0] = 0;
    let k = 0;
    for (; k + BLOCK <= count; k += BLOCK) {
      this.#gatherFour(problem, k);
      this.#relax(problem, factors, k, k + BLOCK);
    }
    for (; k < count; k++) {
      this.#gather(problem, awake[k]);
      this.#relax(problem, factors, k, k + 1);
    }
  }

  #gather({ size: n, values, q, w }: AffineVariationalInequality, i: number): void {
    const count = this.#count;
    const columns = this.#columns;
    const z = this.#values;
    const row = i * n;
    let sum = q[i];
    for (let t = 0; t < count; t++) sum += values[row + columns[t]] * z[t];
    w[i] = sum;
  }

  #gatherFour({ size: n, values, q, w }: AffineVariationalInequality, k: number): void {
    const count = this.#count;
    const columns = this.#columns;
    const z = this.#values;
    const awake = this.#awake;
    const h = awake[k];
    const i = awake[k + 1];
    const j = awake[k + 2];
    const l = awake[k + 3];
    const atA = h * n;
    const atB = i * n;
    const atC = j * n;
    const atD = l * n;
    let a = q[h];
    let b = q[i];
    let c = q[j];
    let d = q[l];
    for (let t = 0; t < count; t++) {
      const column = columns[t];
      const x = z[t];
      a += values[atA + column] * x;
      b += values[atB + column] * x;
      c += values[atC + column] * x;
      d += values[atD + column] * x;
    }
    w[h] = a;
    w[i] = b;
    w[j] = c;
    w[l] = d;
  }

  /** Solves the rows of the places [from, to) of `#awake`, whose w is up to date. */
  #relax(problem: AffineVariationalInequality, factors: Float64Array, from: number, to: number): void {
    const { size: n, values, z, w, lower, upper } = problem;
    const awake = this.#awake;
    const roots = this.#roots;
    const until = this.#until;
    let longest = this.#travel[0];
    let travel = this.#travel[1];
    for (let k = from; k < to; k++) {
      const i = awake[k];
      const before = z[i];
      const present = w[i];
      let x = before - factors[i] * present;
      if (x < lower[i]) x = lower[i];
      else if (x > upper[i]) x = upper[i];
      const change = x - before;
      if (change === 0) {
        until[i] = travel + Math.abs(present) / roots[i];
        continue;
      }
      z[i] = x;
      const size = Math.abs(change);
      const step = values[i * n + i] * size;
      if (step > longest) longest = step;
      travel += roots[i] * size;
      for (let r = k + 1; r < to; r++) w[awake[r]] += values[awake[r] * n + i] * change;
      const place = this.#place[i];
      if (place < 0) this.#enter(i, x);
      else if (x !== 0) this.#values[place] = x;
      else this.#leave(i, place);
    }
    this.#travel[0] = longest;
    this.#travel[1] = travel;
  }

  #enter(i: number, x: number): void {
    const place = this.#count++;
    this.#place[i] = place;
    this.#columns[place] = i;
    this.#values[place] = x;
  }

  #leave(i: number, place: number): void {
    const last = --this.#count;
    const moved = this.#columns[last];
    this.#columns[place] = moved;
    this.#values[place] = this.#values[last];
    this.#place[moved] = place;
    this.#place[i] = -1;
  }
}

export interface GaussSeidelSettings {
  readonly maxIterations: number;
  /** ω in (0, 2) */
  readonly relaxation: number;
  /** ρ ≥ 0, as a fraction of the diagonal */
  readonly regularization: number;
}

/**
 * Sweeps between two looks at the residual when the steps are still long: a look costs as much as a sweep.
 */
const SWEEPS_BETWEEN = 25;
/**
 * Steps this many times the tolerance are worth the first look; the next one comes when they are half as
 * long.
 */
const NEARLY = 4;
/** Up to this many rows the columns of a symmetric operator are too short to gain by gathering. */
const MOST_ROWS_UNGATHERED = 64;
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
    const isGathered = problem.isFull && (problem.size > MOST_ROWS_UNGATHERED || !problem.symmetric);
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
   * The same sweep with w kept up to date: a change of z_i is added to w by column i, which of a symmetric W
   * is row i. Rows that stay at a bound then cost nothing. Rounding adds up only until the next look at the
   * residual, which computes w again.
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
