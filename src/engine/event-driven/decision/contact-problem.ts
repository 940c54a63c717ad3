/**
 * The problems of an event in canonical form: impacts, accelerations, and the derivatives that decide ties.
 * Rows and columns of W are those of a list of rows; bounds and offsets are the caller's.
 *
 * Friction of a contact whose slip is zero is Coulomb's cone, −w_t ∈ N_[−μ λ_n, μ λ_n](λ_t). Its bounds
 * depend on λ_n. With σ = λ_t + μ λ_n and a second variable, ω, which is the part of w_t that is negative, it
 * is a complementarity problem (Pfeiffer and Glocker 1996 §6.3):
 *
 *     0 ≤ w_t + d ω ⊥ σ ≥ 0,     0 ≤ d (2μ λ_n − σ) ⊥ ω ≥ 0,     λ_t = σ − μ λ_n,
 *
 *     w_t > 0: σ = 0, λ_t = −μ λ_n;     w_t < 0: ω = −w_t/d > 0, σ = 2μ λ_n, λ_t = μ λ_n;
 *     w_t = 0: 0 ≤ σ ≤ 2μ λ_n.
 *
 * d = W_tt gives all unknowns the unit of a force. Where the cone is inside the list, the caller has set
 * f = −μ (`friction-coupling.ts`), so that z_t is σ; the variables ω stand after the rows of the list.
 */
import { AffineVariationalInequality } from '../../problems/avi';
import { createSolver } from '../../solvers/registry';
import { type Solver, type SolverResult, createSolverResult } from '../../solvers/solver';
import type { RowLaws } from '../rows/row-laws';
import type { SmoothFlow } from '../flow/smooth-flow';
import { DiscProblem } from './disc-problem';
import { MOST_FULL, type SparseOperator } from './sparse-operator';

/** Differences of W_rs and W_sr below this part of the diagonal entries are rounding. */
const SYMMETRY_ROUNDING = 64 * Number.EPSILON;

/**
 * Residual that is accepted where the tolerance cannot be met: with redundant contacts that are nearly
 * parallel, multipliers may be 10⁵ times the data, and rounding of W alone leaves more than the tolerance.
 * What it comes to shows in the certificate.
 */
const REDUNDANT = 1e-7;

export class ContactProblem {
  readonly problem: AffineVariationalInequality;
  readonly result: SolverResult = createSolverResult();
  /** rows that take part */
  readonly list: Int32Array;
  count = 0;
  /** places in the list of rows with a cone; each comes directly after its contact */
  readonly cones: Int32Array;
  coneCount = 0;
  /**
   * places of contacts with a cone in their tangent plane; their two rows of slip come directly after each
   */
  readonly discs: Int32Array;
  discCount = 0;
  readonly #discs: DiscProblem | null;
  readonly #mu: Float64Array;
  /** null where the problem is always stored in full */
  readonly #operator: SparseOperator | null;
  #columns = new Float64Array(0);
  readonly #solver: Solver;
  /**
   * what comes first where there is friction: principal pivots of a cone vanish, and Lemke's method needs
   * none
   */
  readonly #pivoting: Solver | null;

  /**
   * @param capacity number of rows
   * @param laws of these rows
   * @param isSymmetric whether W is, apart from friction
   */
  constructor(
    private readonly laws: RowLaws,
    isSymmetric: boolean,
    private readonly flow: SmoothFlow,
    solver: string,
    private readonly tolerance: number,
  ) {
    const { count, frictionRows } = laws;
    const size = count + frictionRows.length;
    const isPlain = frictionRows.length === 0 && laws.slipRows.length === 0;
    this.#operator = isSymmetric && isPlain ? flow.operator : null;
    const entries =
      this.#operator === null ? size * size : Math.max(MOST_FULL * MOST_FULL, this.#operator.entries);
    this.problem = new AffineVariationalInequality(size, entries, isSymmetric && isPlain);
    this.#solver = createSolver(solver, size);
    this.#pivoting = isPlain || solver !== 'auto' ? null : createSolver('Lemke', size);
    this.list = new Int32Array(count);
    this.cones = new Int32Array(frictionRows.length);
    this.discs = new Int32Array(laws.slipRows.length);
    this.#discs = laws.slipRows.length > 0 ? new DiscProblem(count) : null;
    this.#mu = new Float64Array(count);
  }

  /** Fills W among the rows of the list, with zero guesses. */
  fill(): void {
    const { problem, count: n, coneCount } = this;
    if (this.#operator !== null && n > MOST_FULL) {
      this.#fillSparse(this.#operator);
      return;
    }
    const size = n + coneCount;
    if (this.#columns.length < n * n)
      this.#columns = new Float64Array(Math.max(n * n, 2 * this.#columns.length));
    const columns = this.#columns;
    this.flow.fillOperator(this.list, n, columns);
    const { values } = problem;
    for (let i = 0; i < size; i++) {
      problem.rowStart[i + 1] = (i + 1) * size;
      problem.z[i] = 0;
      for (let j = 0; j < size; j++) {
        problem.columns[i * size + j] = j;
        values[i * size + j] = i < n && j < n ? columns[j * n + i] : 0;
      }
    }
    for (let k = 0; k < coneCount; k++) this.#addCone(this.cones[k], n + k, size);
    if (problem.symmetric) {
      // Solvers rely on exact symmetry where it is declared.
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) values[j * n + i] = values[i * n + j];
    }
    problem.size = size;
    problem.isFull = true;
    problem.revision++;
  }

  #fillSparse(operator: SparseOperator): void {
    const { problem, list, count: n } = this;
    let end = 0;
    operator.begin(list, n);
    for (let i = 0; i < n; i++) {
      problem.z[i] = 0;
      end = operator.row(list, i, false, problem.columns, problem.values, end);
      problem.rowStart[i + 1] = end;
    }
    operator.end(list, n);
    problem.size = n;
    problem.isFull = false;
    problem.revision++;
  }

  #addCone(place: number, omega: number, size: number): void {
    const { values, q, lower, upper } = this.problem;
    const d = this.#scale(place, size);
    values[place * size + omega] = d;
    values[omega * size + place - 1] = 2 * this.laws.mu[this.list[place]] * d;
    values[omega * size + place] = -d;
    q[omega] = 0;
    lower[omega] = 0;
    upper[omega] = Infinity;
    lower[place] = 0;
    upper[place] = Infinity;
  }

  /** d = W_tt; where that is not positive, which `controls` finds, 1 */
  #scale(place: number, size: number): number {
    const d = this.problem.values[place * size + place];
    return d > 0 ? d : 1;
  }

  /**
   * Replaces σ by λ_t and w_t + d ω by w_t in the rows with a cone, once the problem has been solved.
   * @param z, w of a solution
   */
  readCones(z: Float64Array, w: Float64Array): void {
    const { count, coneCount, cones, list, laws } = this;
    const size = count + coneCount;
    for (let k = 0; k < coneCount; k++) {
      const place = cones[k];
      w[place] -= this.#scale(place, size) * z[count + k];
      const bound = laws.mu[list[place]] * z[place - 1];
      // Rounding of σ would be a force outside the cone.
      z[place] = Math.max(-bound, Math.min(bound, z[place] - bound));
    }
  }

  /** Largest residual of an answer that is taken. */
  get accepted(): number {
    return Math.max(this.tolerance, REDUNDANT);
  }

  /** @returns whether there is a certified solution, in `problem.z` and `problem.w` */
  solve(): boolean {
    const { problem, result } = this;
    if (this.#discs !== null && this.discCount > 0) return this.#solveDiscs(this.#discs);
    if (problem.size === 1 && this.#solveScalar()) return true;
    if (this.#pivoting !== null && this.coneCount > 0) {
      this.#pivoting.solve(problem, this.tolerance, result);
      if (result.status === 'converged') return this.#finish();
      problem.z.fill(0, 0, problem.size);
    }
    this.#solver.solve(problem, this.tolerance, result);
    if (result.status !== 'converged' && this.tolerance < REDUNDANT) {
      problem.z.fill(0, 0, problem.size);
      this.#solver.solve(problem, REDUNDANT, result);
    }
    return result.status === 'converged' && this.#finish();
  }

  #solveDiscs(discs: DiscProblem): boolean {
    const { problem, count, laws, list } = this;
    for (let k = 0; k < this.discCount; k++) this.#mu[this.discs[k]] = laws.mu[list[this.discs[k]] + 1];
    const { size, values, q, lower, upper, z, w } = problem;
    const rows = { count, size, values, q, lower, upper, z, w };
    return discs.solve(rows, this.discs, this.discCount, this.#mu, this.result);
  }

  /**
   * One row with W > 0, as one body that meets one other: λ = −b/W within its bounds.
   * @returns whether it is so
   */
  #solveScalar(): boolean {
    const { values, q, z, w, lower, upper } = this.problem;
    const W = values[0];
    if (!(W > 0 && Number.isFinite(q[0]))) return false;
    z[0] = Math.min(upper[0], Math.max(lower[0], -q[0] / W));
    w[0] = lower[0] < z[0] && z[0] < upper[0] ? 0 : W * z[0] + q[0];
    const { result } = this;
    result.status = 'converged';
    result.iterations = 0;
    result.residual = 0;
    return true;
  }

  #finish(): true {
    const { problem } = this;
    problem.multiply();
    this.readCones(problem.z, problem.w);
    return true;
  }

  /** W_rr of the i-th row of the list */
  diagonal(i: number): number {
    const { values, size, isFull, rowStart, columns } = this.problem;
    if (isFull) return values[i * size + i];
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) if (columns[k] === i) return values[k];
    return 0;
  }

  /** `start` + Σ |W_rs z_s| of the i-th row of the list */
  addTerms(i: number, start: number): number {
    const { values, size, isFull, rowStart, columns, z } = this.problem;
    let sum = start;
    if (isFull) for (let j = 0; j < this.count; j++) sum += Math.abs(values[i * size + j] * z[j]);
    else for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += Math.abs(values[k] * z[columns[k]]);
    return sum;
  }

  /**
   * Whether the i-th multiplier acts on its row: a diagonal entry below rounding of the largest of the row
   * does not. With the friction of a sliding contact the entry may be negative; what that means is decided
   * where friction is.
   */
  controls(i: number): boolean {
    const { values, size, isFull, rowStart } = this.problem;
    const { kind, mu } = this.laws;
    let largest = 0;
    if (!isFull) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) largest = Math.max(largest, Math.abs(values[k]));
      return largest > 0 && this.diagonal(i) >= -SYMMETRY_ROUNDING * largest;
    }
    for (let j = 0; j < this.count; j++) largest = Math.max(largest, Math.abs(values[i * size + j]));
    const row = this.list[i];
    if (kind[row] === 'friction') return values[i * size + i] > SYMMETRY_ROUNDING * largest;
    if (kind[row] === 'contact' && mu[row + 1] > 0) return largest > 0;
    return largest > 0 && values[i * size + i] >= -SYMMETRY_ROUNDING * largest;
  }
}
