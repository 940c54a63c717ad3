/**
 * Lemke's complementary pivoting on a box. With a covering vector d > 0 the problem
 *
 *     w = W z + q + d t,   −w ∈ N_[l,u](z)
 *
 * is solved by z at its bounds for large t; the method follows that solution, piece by piece of a straight path, down
 * to t = 0. On each piece one variable, the complement of the one that has just come to a bound, enters the basis:
 *
 *     w_i reaches 0                     → z_i leaves its bound
 *     z_i reaches a bound               → w_i leaves 0, upwards at the lower and downwards at the upper bound
 *     z_i enters and crosses its box    → w_i, without exchange of basis
 *     t reaches 0                       → solution
 *     nothing blocks                    → secondary ray
 *
 * C. E. Lemke, 1965, doi:10.1287/mnsc.11.7.681; for bounds R. W. H. Sargent, 1978, and M. Cao and M. C. Ferris, 1996;
 * R. W. Cottle, J.-S. Pang and R. E. Stone, The Linear Complementarity Problem, §4.4, §4.9.
 *
 * Ties are broken as if q were q + (ε, ε², …), which visits no basis twice: rows of B⁻¹ decide, and of these only the
 * columns that are needed are computed. A ray with W copositive-plus proves infeasibility; here the proof is checked
 * on the ray itself, whatever W is. Small problems on whose path none of this matters are solved by `LemkeLcp`.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { InfeasibilityProof } from './infeasibility';
import { LemkeBasis } from './lemke-basis';
import { LemkeLcp } from './lemke-lcp';
import { FLIP, LemkeRatioTest, PIVOT_TOLERANCE, RAY } from './lemke-ratio-test';
import { DENSE_LIMIT } from './limits';
import { refuse, settle, type Solver } from './solver';
import type { SolverResult, SolverStatus } from './status';

/**
 * A free row whose best pivot is below this fraction of its column is split rather than solved: dividing by it would
 * blow the values up, and the path would end in their rounding.
 */
const FREE_PIVOT = 1e-6;
/** t below this fraction of the largest value on the path is zero to rounding. */
const T_ZERO = 1e-11;

export class Lemke implements Solver {
  readonly #state = new LemkeBasis();
  readonly #ratioTest = new LemkeRatioTest(this.#state);
  readonly #plain = new LemkeLcp();
  readonly #proof = new InfeasibilityProof();
  #entering = 0;

  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    result.solver = 'Lemke';
    result.iterations = 0;
    if (problem.size > DENSE_LIMIT) {
      refuse(problem, result, 'unsuitable');
      return;
    }
    if (this.#plain.solve(problem)) {
      result.iterations = this.#plain.iterations;
      settle(problem, tolerance, result, 'converged');
      return;
    }
    const system = this.#state.system;
    system.begin(problem);
    this.#state.start(problem);
    // Free rows that cannot be solved for free unknowns are split, which needs a new start; at most all of them are.
    while (!this.#pivotFree()) this.#state.start(problem);
    const status = this.#follow(problem, result);
    if (status === 'converged') this.#state.finish(problem);
    else problem.certify();
    settle(problem, tolerance, result, status);
  }

  /** Brings the free unknowns into the basis. @returns false when some had to be split */
  #pivotFree(): boolean {
    const system = this.#state.system;
    const m = system.rows;
    let complete = true;
    for (let r = 0; r < m; r++) {
      if (system.isFree[r] === 0) continue;
      this.#state.computeColumn(m + r);
      const column = this.#state.column;
      let largest = 0;
      let pivot = -1;
      let best = 0;
      for (let i = 0; i < m; i++) {
        const size = Math.abs(column[i]);
        if (size > largest) largest = size;
        if (system.isFree[i] === 1 && this.#state.basis[i] === i && size > best) {
          best = size;
          pivot = i;
        }
      }
      if (!(best > FREE_PIVOT * largest)) {
        system.split(r);
        complete = false;
        continue;
      }
      this.#state.step[0] = 1;
      this.#state.step[1] = this.#state.values[pivot] / column[pivot];
      this.#state.exchange(pivot, m + r);
    }
    return complete;
  }

  /** From t large to t = 0. */
  #follow(problem: AffineVariationalInequality, result: SolverResult): SolverStatus {
    const m = this.#state.system.rows;
    const t = 2 * m;
    let row = this.#ratioTest.firstRow();
    if (row < 0) return 'converged';
    this.#state.step[0] = 1;
    this.#state.step[1] = this.#state.values[row] / this.#state.column[row];
    let leaving = this.#state.basis[row];
    this.#state.exchange(row, t);
    this.#state.rescale();
    this.#entering = leaving + m;
    const limit = 200 + 50 * m;
    for (let iteration = 1; iteration <= limit; iteration++) {
      result.iterations = iteration;
      if (!this.#state.refresh()) return 'singular';
      this.#state.computeColumn(this.#entering);
      const entering = this.#entering;
      // w enters upwards from z's lower bound, downwards from its upper; z the other way round.
      this.#state.step[0] = this.#state.atUpper[entering % m] === 1 ? -1 : 1;
      row = this.#ratioTest.leavingRow(entering);
      if (row === RAY) {
        if (this.#state.valueOf(t) <= T_ZERO * this.#state.scale[0]) return 'converged';
        return this.#provesInfeasible(problem) ? 'infeasible' : 'ray';
      }
      if (row === FLIP) {
        this.#state.move();
        const r = entering - m;
        this.#state.atUpper[r] ^= 1;
        this.#entering = r;
        continue;
      }
      leaving = this.#state.basis[row];
      const leavesUpwards = this.#state.step[0] * this.#state.column[row] < 0;
      this.#state.exchange(row, entering);
      if (leaving === t) return 'converged';
      if (leaving >= m) {
        this.#state.atUpper[leaving - m] = leavesUpwards ? 1 : 0;
        this.#entering = leaving - m;
      } else this.#entering = leaving + m;
    }
    return 'maxIterations';
  }

  /** Whether the direction in which z goes to infinity proves that there is no solution. */
  #provesInfeasible(problem: AffineVariationalInequality): boolean {
    const { source, unit, rows: m } = this.#state.system;
    const proof = this.#proof;
    proof.prepare(problem.size);
    const direction = this.#state.step[0];
    let largest = 0;
    for (let i = 0; i < m; i++) largest = Math.max(largest, Math.abs(this.#state.column[i]));
    const smallest = PIVOT_TOLERANCE * Math.max(1, largest);
    for (let i = 0; i < m; i++) {
      const r = this.#state.basis[i] - m;
      if (r < 0 || r >= m || Math.abs(this.#state.column[i]) <= smallest) continue;
      proof.v[source[r]] -= unit[r] * direction * this.#state.column[i];
    }
    if (this.#entering >= m) proof.v[source[this.#entering - m]] += unit[this.#entering - m] * direction;
    return proof.holds(problem);
  }
}
