/**
 * Lemke's complementary pivoting on a box. With a covering vector d > 0 the problem
 *
 *     w = W z + q + d t,   −w ∈ N_[l,u](z)
 *
 * is solved by z at its bounds for large t; the method follows that solution, piece by piece of a straight
 * path, down to t = 0. On each piece one variable, the complement of the one that has just come to a bound,
 * enters the basis:
 *
 *     w_i reaches 0                     → z_i leaves its bound
 *     z_i reaches a bound               → w_i leaves 0, upwards at the lower and downwards at the upper bound
 *     z_i enters and crosses its box    → w_i, without exchange of basis
 *     t reaches 0                       → solution
 *     nothing blocks                    → secondary ray
 *
 * Lemke 1965; for bounds Sargent 1978, and Cao and Ferris 1996; Cottle, Pang and Stone 1992 §4.4, §4.9.
 *
 * Ties are broken as if q were q + (ε, ε², …), which visits no basis twice: rows of B⁻¹ decide, and of these
 * only the columns that are needed are computed. A ray with W copositive-plus proves infeasibility; here the
 * proof is checked on the ray itself, whatever W is. Small problems on whose path none of this matters are
 * solved by `LemkeLcp`.
 */
import type { AffineVariationalInequality } from '../../problems/avi';
import { InfeasibilityProof } from '../infeasibility';
import { FLIP, LemkeBasis, LemkeRatioTest, PIVOT_TOLERANCE, RAY } from './lemke-basis';
import { DENSE_LIMIT } from '../scaling';
import { type Solver, type SolverResult, type SolverStatus, refuse, settle } from '../solver';

/*
 * Lemke's method once more, for the plain case: a small linear complementarity problem in full rows, of one
 * size of mobility, on whose path no two rows block at once. There neither bounds nor units nor ties need any
 * bookkeeping, which takes most of the time of `Lemke` on problems of this size. As soon as anything is not
 * plain, or the answer is not exact to rounding, it gives up, and the general method begins afresh: the
 * pivots and the statuses are the same.
 *
 * Variables are numbered r for w_r, m + r for z_r and 2 m for t, as in `LemkeBasis`; the inverse is in
 * product form, E_k … E_1, in one array.
 */

/**
 * Most rows: beyond, the work is in the product form, and the general method applies four of its matrices at
 * once.
 */
const PLAIN_ROWS = 64;
/** Largest diagonal entry over the smallest up to which one unit serves all rows. */
const ONE_SIZE = 1e4;
/** Rows that block within this fraction of the data at the same time are left to the lexicographic rule. */
const RATIO_TIE = 1e-12;
/** A residual above this deserves the refinement of the general method. */
const EXACT = 1e-14;
/**
 * Exchanges for each row before the general method, which computes its product form again now and then, takes
 * over.
 */
const EXCHANGES = 4;

export class LemkeLcp {
  /** exchanges of the last solve */
  iterations = 0;
  #basis = new Int32Array(0);
  #values = new Float64Array(0);
  #column = new Float64Array(0);
  /** columns of the elementary matrices, 0 in their pivot rows; pivot rows; reciprocals of the pivots */
  #columns = new Float64Array(0);
  #pivotRows = new Int32Array(0);
  #inverses = new Float64Array(0);
  #count = 0;
  /** [0]: one unit of z; [1]: size of the data */
  readonly #units = new Float64Array(2);

  /**
   * @returns whether z, w and `measure` are those of a solution; if not, nothing is said about the problem
   */
  solve(problem: AffineVariationalInequality): boolean {
    if (!problem.isFull || problem.size > PLAIN_ROWS || !this.#isPlain(problem)) return false;
    const { size: m, z } = problem;
    if (this.#basis.length < m) this.#grow(m);
    if (!this.#start(problem) || !this.#follow(problem)) return false;
    const unit = this.#units[0];
    for (let i = 0; i < m; i++) z[i] = 0;
    for (let i = 0; i < m; i++) {
      const r = this.#basis[i] - m;
      if (r >= 0) z[r] = unit * Math.max(0, this.#values[i]);
    }
    problem.certify();
    return problem.measure[0] <= EXACT;
  }

  #grow(m: number): void {
    const exchanges = EXCHANGES * m + 1;
    this.#basis = new Int32Array(m);
    this.#values = new Float64Array(m);
    this.#column = new Float64Array(m);
    this.#columns = new Float64Array(exchanges * m);
    this.#pivotRows = new Int32Array(exchanges);
    this.#inverses = new Float64Array(exchanges);
  }

  #isPlain({ size: m, values, lower, upper }: AffineVariationalInequality): boolean {
    let least = Number.POSITIVE_INFINITY;
    let largest = 0;
    for (let i = 0; i < m; i++) {
      if (lower[i] !== 0 || upper[i] !== Number.POSITIVE_INFINITY) return false;
      const d = values[i * m + i];
      if (!(d > 0)) return false;
      if (d < least) least = d;
      if (d > largest) largest = d;
    }
    this.#units[0] = 1 / largest;
    return largest <= ONE_SIZE * least;
  }

  /** t enters for the row that forbids it to be smaller. @returns false when two rows do, or none */
  #start({ size: m, q }: AffineVariationalInequality): boolean {
    const values = this.#values;
    const basis = this.#basis;
    let scale = 0;
    let least = 0;
    let next = 0;
    let row = -1;
    for (let i = 0; i < m; i++) {
      const x = q[i];
      scale = Math.max(scale, Math.abs(x));
      basis[i] = i;
      if (x < least) {
        next = least;
        least = x;
        row = i;
      } else if (x < next) next = x;
    }
    if (row < 0 || !(next - least > RATIO_TIE * scale) || !(scale < Number.POSITIVE_INFINITY)) return false;
    const columns = this.#columns;
    for (let i = 0; i < m; i++) {
      columns[i] = -1;
      values[i] = q[i] - least;
    }
    columns[row] = 0;
    values[row] = -least;
    basis[row] = 2 * m;
    this.#pivotRows[0] = row;
    this.#inverses[0] = -1;
    this.#count = 1;
    this.#units[1] = scale;
    return true;
  }

  #follow(problem: AffineVariationalInequality): boolean {
    const { size: m } = problem;
    const basis = this.#basis;
    // The complement of the w that t has replaced.
    let entering = this.#pivotRows[0] + m;
    for (this.iterations = 1; this.#count <= EXCHANGES * m; this.iterations++) {
      this.#computeColumn(problem, entering);
      const row = this.#leavingRow(m);
      if (row < 0) return false;
      const leaving = basis[row];
      if (!this.#exchange(m, row)) return false;
      basis[row] = entering;
      if (leaving === 2 * m) return true;
      entering = leaving < m ? leaving + m : leaving - m;
    }
    return false;
  }

  /** B⁻¹ times the column of a variable. */
  #computeColumn({ size: m, values, symmetric }: AffineVariationalInequality, variable: number): void {
    const x = this.#column;
    if (variable < m) {
      for (let i = 0; i < m; i++) x[i] = 0;
      x[variable] = 1;
    } else {
      const factor = -this.#units[0];
      const r = variable - m;
      let entry = symmetric ? r * m : r;
      const stride = symmetric ? 1 : m;
      for (let i = 0; i < m; i++, entry += stride) x[i] = factor * values[entry];
    }
    this.#apply(m);
  }

  /**
   * x ← B⁻¹ x for the column: two elementary matrices in one pass, of which the first changes what the second
   * meets.
   */
  #apply(m: number): void {
    const x = this.#column;
    const columns = this.#columns;
    const pivotRows = this.#pivotRows;
    const inverses = this.#inverses;
    const count = this.#count;
    let k = 0;
    let at = 0;
    for (; k + 1 < count; k += 2, at += 2 * m) {
      const next = at + m;
      const first = pivotRows[k];
      const second = pivotRows[k + 1];
      const a = x[first] * inverses[k];
      const met = first === second ? a : x[second] - columns[at + second] * a;
      const b = met * inverses[k + 1];
      if (a === 0 && b === 0) continue;
      for (let i = 0; i < m; i++) x[i] -= columns[at + i] * a + columns[next + i] * b;
      // The pivot entries do not follow the formula of the others.
      x[first] = a - columns[next + first] * b;
      x[second] = b;
    }
    if (k === count) return;
    const row = pivotRows[k];
    const a = x[row] * inverses[k];
    for (let i = 0; i < m; i++) x[i] -= columns[at + i] * a;
    x[row] = a;
  }

  /** The row that blocks first, or −1 when none does or its pivot may be rounding. */
  #leavingRow(m: number): number {
    const column = this.#column;
    const values = this.#values;
    let largest = 1;
    let least = Number.POSITIVE_INFINITY;
    let row = -1;
    for (let i = 0; i < m; i++) {
      const x = column[i];
      const size = Math.abs(x);
      if (size > largest) largest = size;
      // Values are positive. Compared as products, because divisions take long.
      if (x > 0 && values[i] < least * x) {
        least = values[i] / x;
        row = i;
      }
    }
    return row >= 0 && column[row] > PIVOT_TOLERANCE * largest ? row : -1;
  }

  /**
   * Moves along the column, and appends its elementary matrix.
   * @returns false when another basic variable has come to zero as well: a tie
   */
  #exchange(m: number, row: number): boolean {
    const column = this.#column;
    const values = this.#values;
    const columns = this.#columns;
    const step = values[row] / column[row];
    const tie = RATIO_TIE * this.#units[1];
    const k = this.#count++;
    const at = k * m;
    // That of the row itself does.
    let zeros = -1;
    for (let i = 0; i < m; i++) {
      const x = column[i];
      const value = values[i] - step * x;
      values[i] = value;
      columns[at + i] = x;
      // Also NaN.
      if (!(value > tie)) zeros++;
    }
    columns[at + row] = 0;
    values[row] = step;
    this.#pivotRows[k] = row;
    this.#inverses[k] = 1 / column[row];
    return zeros <= 0 && step > 0;
  }
}

/**
 * A free row whose best pivot is below this fraction of its column is split rather than solved: dividing by
 * it would blow the values up, and the path would end in their rounding.
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
    // Free rows that cannot be solved for free unknowns are split, which needs a new start; at most all of
    // them are.
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
