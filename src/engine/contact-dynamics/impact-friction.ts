/**
 * Friction of contacts that an impact has pushed with s = R_I already. Their law for what is left, P = R_r,N, and the whole friction of the step, R_T, is
 *
 *     0 ≤ U_N ⊥ P ≥ 0,     −U_T ∈ N_D(R_T),     D = {|R_T| ≤ μ (P + s)},
 *
 * N_D being the normal cone. D is the sum of two discs, and its normal cone the intersection of theirs: what slides has both parts on their bounds, against one and the same U_T.
 * So the contact counts twice in the problem,
 *
 *     once as it is                  K_μ ∋ (P, R_T′) ⊥ Û ∈ K*_μ,
 *     once with s given              U_N″ = W_NN (R_N″ − s) = 0,     |R_T″| ≤ μ s,     U_T″ = U_T,
 *
 * and R_T = R_T′ + R_T″. The second row has no say along the normal: R_N″ = s stands for what is in q already. W becomes singular by this, which the solvers take; the sum
 * R_T is what U determines.
 *
 * No energy is gained after the impact: ΔT = ½ ᵗR (U_I + U⁺) of R = (P, R_T) is ᵗR U⁺ − ½ ᵗR W R, with P U_N⁺ = 0 and R_T·U_T⁺ = −μ (P + s) |U_T⁺| ≤ 0.
 */
import { type BlockRows, multiplyBlocks } from '../linalg/block-rows';
import { FrictionContactProblem } from '../problems/friction-contact';
import type { FrictionSolver } from '../solvers/friction/solver';
import type { SolverResult } from '../solvers/status';

const DIMENSION = 3;
const BLOCK = DIMENSION * DIMENSION;
const NONE = -1;

export class ImpactFriction {
  #problem = new FrictionContactProblem(DIMENSION, 0, 0);
  /** row of each second row, and the second row of each row */
  #rowOf = new Int32Array(0);
  #secondOf = new Int32Array(0);
  #seconds = 0;
  /** rows of the problem itself */
  #count = 0;
  /** R_T″ as 3 by row */
  #friction = new Float64Array(0);

  /** No contact counts twice. */
  clear(): void {
    this.#seconds = 0;
  }

  /**
   * States the problem with the second rows.
   * @param normal s by row @param contacts number of rows of contacts, which come first
   * @returns false where no row with friction has been pushed
   */
  extend(problem: FrictionContactProblem, normal: Float64Array, contacts: number): boolean {
    const { count } = problem;
    this.#reserve(count, problem.W);
    this.#count = count;
    this.#seconds = 0;
    this.#secondOf.fill(NONE, 0, count);
    for (let row = 0; row < contacts; row++) {
      if (!(normal[row] > 0 && problem.mu[row] > 0)) continue;
      this.#secondOf[row] = count + this.#seconds;
      this.#rowOf[this.#seconds++] = row;
    }
    if (this.#seconds === 0) return false;
    this.#fillOperator(problem.W);
    this.#fillData(problem, normal);
    return true;
  }

  /** Solves it, and leaves the answer in the problem itself, whose q has then what the second rows do. */
  solve(
    problem: FrictionContactProblem,
    solver: FrictionSolver,
    tolerance: number,
    result: SolverResult,
  ): void {
    const extended = this.#problem;
    const friction = this.#friction;
    const entries = DIMENSION * problem.count;
    solver.solve(extended, tolerance, result);
    friction.fill(0, 0, entries);
    for (let k = 0; k < this.#seconds; k++)
      for (let i = 1; i < DIMENSION; i++)
        friction[DIMENSION * this.#rowOf[k] + i] = extended.r[entries + DIMENSION * k + i];
    for (let k = 0; k < entries; k++) {
      problem.r[k] = extended.r[k];
      problem.u[k] = extended.u[k];
    }
    problem.measure.set(extended.measure);
    multiplyBlocks(problem.W, friction, problem.q, problem.q);
  }

  /** Adds R_T″ to impulses, 3 by row. */
  addTo(impulses: Float64Array): void {
    for (let k = 0; k < this.#seconds; k++) {
      const at = DIMENSION * this.#rowOf[k];
      impulses[at + 1] += this.#friction[at + 1];
      impulses[at + 2] += this.#friction[at + 2];
    }
  }

  /** Blocks of W, of which second rows and columns have the tangents only. */
  #fillOperator(W: BlockRows): void {
    const count = this.#count;
    const to = this.#problem.W;
    to.rows = count + this.#seconds;
    let next = 0;
    for (let row = 0; row < to.rows; row++) {
      const source = row < count ? row : this.#rowOf[row - count];
      to.rowStart[row] = next;
      for (let block = W.rowStart[source]; block < W.rowStart[source + 1]; block++)
        this.#copy(W, block, row, W.columns[block], next++);
      for (let block = W.rowStart[source]; block < W.rowStart[source + 1]; block++) {
        const second = this.#secondOf[W.columns[block]];
        if (second !== NONE) this.#copy(W, block, row, second, next++);
      }
    }
    to.rowStart[to.rows] = next;
    for (let k = 0; k < this.#seconds; k++)
      to.values[BLOCK * to.diagonal[count + k]] = W.values[BLOCK * W.diagonal[this.#rowOf[k]]];
  }

  /** @param next place of the block in the new operator */
  #copy(W: BlockRows, block: number, row: number, column: number, next: number): void {
    const to = this.#problem.W;
    const count = this.#count;
    to.columns[next] = column;
    if (column === row) to.diagonal[row] = next;
    for (let r = 0; r < DIMENSION; r++)
      for (let c = 0; c < DIMENSION; c++) {
        const isNormal = (row >= count && r === 0) || (column >= count && c === 0);
        const entry = DIMENSION * r + c;
        to.values[BLOCK * next + entry] = isNormal ? 0 : W.values[BLOCK * block + entry];
      }
  }

  #fillData({ q, r, mu, isSymmetric }: FrictionContactProblem, normal: Float64Array): void {
    const extended = this.#problem;
    const count = this.#count;
    extended.count = count + this.#seconds;
    extended.revision++;
    extended.isSymmetric = isSymmetric;
    for (let k = 0; k < DIMENSION * count; k++) {
      extended.q[k] = q[k];
      extended.r[k] = r[k];
    }
    for (let row = 0; row < count; row++) extended.mu[row] = mu[row];
    const { values, diagonal } = extended.W;
    for (let k = 0; k < this.#seconds; k++) {
      const row = this.#rowOf[k];
      const at = DIMENSION * (count + k);
      extended.mu[count + k] = mu[row];
      extended.q[at] = -values[BLOCK * diagonal[count + k]] * normal[row];
      extended.r[at] = normal[row];
      for (let i = 1; i < DIMENSION; i++) {
        extended.q[at + i] = q[DIMENSION * row + i];
        extended.r[at + i] = 0;
      }
    }
  }

  #reserve(count: number, { rowStart }: BlockRows): void {
    if (this.#secondOf.length < count) {
      this.#secondOf = new Int32Array(2 * count);
      this.#rowOf = new Int32Array(2 * count);
      this.#friction = new Float64Array(2 * DIMENSION * count);
    }
    // At most all rows count twice.
    const { mu, W } = this.#problem;
    const blocks = 4 * rowStart[count];
    if (mu.length >= 2 * count && W.columns.length >= blocks) return;
    const { revision } = this.#problem;
    this.#problem = new FrictionContactProblem(DIMENSION, 4 * count, 2 * blocks);
    this.#problem.revision = revision;
  }
}
