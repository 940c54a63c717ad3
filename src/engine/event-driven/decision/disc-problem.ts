/**
 * A problem of an event in which contacts have Coulomb's cone in their tangent planes
 * (`problems/friction-contact.ts`),
 *
 *     w = W z + q,     K_μ ∋ (z_n, z_t) ⊥ (w_n + μ |w_t|, w_t) ∈ K*_μ,
 *
 * beside joints, w = 0, unilateral rows, 0 ≤ w ⊥ z ≥ 0, and rows with bounds, −w ∈ N_[l,u](z). Joints are
 * eliminated (`joint-elimination.ts`); a unilateral row becomes a contact without friction, whose tangential
 * rows stand by themselves; and rows with bounds, as of dry friction in joints, are solved for in turn with
 * all others, row by row, until nothing changes.
 *
 * **Redundant contacts**, as the four corners of a box on a floor, leave the forces open. They are shared as
 * equal stiff springs would share them (`contact-sharing.ts`): with their compliance c the cones are those of
 *
 *     w = (W + c) z + q.
 *
 * What c changes in w is taken out again, by the steps of the proximal point method from z₀ = 0,
 *
 *     w = W z_k + q + c (z_k − z_k−1),
 *
 * in which what W determines converges with the ratio c/(c + σ), σ an eigenvalue of W, while what it leaves
 * open stays as the springs had it.
 *
 * Coulomb's law may have several solutions there: bodies that stand, and the same ones sliding. They stand as
 * long as there are forces within the cones that hold all of them, w = 0 in all rows (`cone-forces.ts`).
 */
import { FrictionContactProblem } from '../../problems/friction-contact';
import { NaturalUnits } from '../../solvers/friction/equilibrated';
import { createFrictionSolver } from '../../solvers/friction/registry';
import type { FrictionSolver } from '../../solvers/friction/solver';
import type { SolverResult } from '../../solvers/solver';
import { ConeForces } from './cone-forces';
import { BasicSolve, NullVectors } from './friction-sharing';
import { JointElimination, type JointedRows } from './joint-elimination';

/** Kinds of rows. */
const JOINT = 0;
const UNILATERAL = 1;
const BOUNDED = 2;
const CONE = 3;
const TANGENT = 4;

/**
 * Turns of all others and of rows with bounds, and what of the largest multiplier may still change in the
 * last.
 */
const MOST_TURNS = 500;
const SETTLED = 1e-14;

/** Residuals to which the cones are solved: the first that can be met. */
const TOLERANCES = [1e-14, 1e-12, 1e-10];

/** Compliance c of springs, in parts of the largest entry of W among contacts that feel each other. */
const COMPLIANCE = 1e-6;
/**
 * Contacts from which on they get springs. Two of one body leave only the force along the line between them
 * open, and no velocity depends on that.
 */
const REDUNDANT = 3;
/** What forces that hold may leave of q, which rounding makes of rows that depend on each other. */
const CONSISTENT = 1e-10;
/** Steps that take its effect out, and what of q may be left of it. */
const MOST_PROXIMAL_STEPS = 30;
const LEFT_OF_COMPLIANCE = 1e-15;

/** What the problem is about: rows of a list. */
export interface DiscRows extends JointedRows {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly z: Float64Array;
  readonly w: Float64Array;
}

export class DiscProblem {
  readonly #problem: FrictionContactProblem;
  readonly #solver: FrictionSolver;
  readonly #kinds: Int8Array;
  /** places of joints, of rows with bounds, and of the first row of each block */
  readonly #joints: Int32Array;
  readonly #bounded: Int32Array;
  readonly #blocks: Int32Array;
  #jointCount = 0;
  #boundedCount = 0;
  #blockCount = 0;
  readonly #elimination: JointElimination;
  /** W and q without joints */
  readonly #W: Float64Array;
  readonly #q: Float64Array;
  readonly #work: Float64Array;
  readonly #rank: BasicSolve;
  /** c by block; all zero where no contact is redundant */
  readonly #compliance: Float64Array;
  #isRedundant = false;
  /** q of the cones without springs, and the multipliers of the step before */
  readonly #rigid: Float64Array;
  readonly #former: Float64Array;
  readonly #nulls: NullVectors;
  readonly #holding: ConeForces;

  /** @param capacity number of rows */
  constructor(capacity: number) {
    const n = capacity;
    this.#problem = new FrictionContactProblem(3, n, n * n);
    this.#solver = new NaturalUnits(createFrictionSolver('auto'));
    this.#kinds = new Int8Array(n);
    this.#joints = new Int32Array(n);
    this.#bounded = new Int32Array(n);
    this.#blocks = new Int32Array(n);
    this.#elimination = new JointElimination(n, n);
    this.#W = this.#elimination.W;
    this.#q = this.#elimination.q;
    this.#work = new Float64Array(n);
    this.#rank = new BasicSolve(n);
    this.#compliance = new Float64Array(n);
    this.#rigid = new Float64Array(3 * n);
    this.#former = new Float64Array(3 * n);
    this.#nulls = new NullVectors(n);
    this.#holding = new ConeForces(n);
  }

  /**
   * @param discs places of contacts with friction, each followed by its two tangential rows
   * @param mu by place
   * @returns whether there is a certified solution, in z and w
   */
  solve(
    rows: DiscRows,
    discs: Int32Array,
    discCount: number,
    mu: Float64Array,
    result: SolverResult,
  ): boolean {
    this.#sort(rows, discs, discCount);
    this.#elimination.eliminate(rows, this.#joints, this.#jointCount);
    this.#fill(rows, mu);
    this.#addSprings(rows);
    rows.z.fill(0, 0, rows.count);
    if (!this.#turn(rows, result)) return false;
    this.#finish(rows);
    return true;
  }

  #sort({ count, lower, upper }: DiscRows, discs: Int32Array, discCount: number): void {
    const kinds = this.#kinds.fill(-1);
    for (let k = 0; k < discCount; k++) {
      kinds[discs[k]] = CONE;
      kinds[discs[k] + 1] = TANGENT;
      kinds[discs[k] + 2] = TANGENT;
    }
    this.#jointCount = 0;
    this.#boundedCount = 0;
    this.#blockCount = 0;
    for (let i = 0; i < count; i++) {
      if (kinds[i] < 0) {
        if (lower[i] === -Infinity && upper[i] === Infinity) kinds[i] = JOINT;
        else kinds[i] = lower[i] === 0 && upper[i] === Infinity ? UNILATERAL : BOUNDED;
      }
      if (kinds[i] === JOINT) this.#joints[this.#jointCount++] = i;
      else if (kinds[i] === BOUNDED) this.#bounded[this.#boundedCount++] = i;
      else if (kinds[i] !== TANGENT) this.#blocks[this.#blockCount++] = i;
    }
  }

  /** Blocks of all contacts with all. A row without a cone has tangents that stand by themselves. */
  #fill({ count }: DiscRows, mu: Float64Array): void {
    const p = this.#problem;
    const n = this.#blockCount;
    const { W } = p;
    W.rows = n;
    W.rowStart[0] = 0;
    p.count = n;
    p.revision++;
    p.isSymmetric = true;
    for (let b = 0; b < n; b++) {
      const i = this.#blocks[b];
      const own = this.#W[i * count + i];
      p.mu[b] = this.#kinds[i] === CONE ? mu[i] : 0;
      W.rowStart[b + 1] = (b + 1) * n;
      W.diagonal[b] = b * n + b;
      for (let d = 0; d < n; d++) {
        const j = this.#blocks[d];
        const at = 9 * (b * n + d);
        W.columns[b * n + d] = d;
        for (let r = 0; r < 3; r++)
          for (let c = 0; c < 3; c++) {
            const isRow = r === 0 || this.#kinds[i] === CONE;
            const isColumn = c === 0 || this.#kinds[j] === CONE;
            const free = b === d && r === c ? own : 0;
            W.values[at + 3 * r + c] = isRow && isColumn ? this.#W[(i + r) * count + j + c] : free;
          }
        // Columns of contacts that slide already contain their friction.
        if (b > d)
          for (let k = 0; k < 9; k++) {
            const other = W.values[9 * (d * n + b) + 3 * (k % 3) + Math.floor(k / 3)];
            const here = W.values[at + k];
            if (Math.abs(here - other) > 64 * Number.EPSILON * (Math.abs(here) + Math.abs(other)))
              p.isSymmetric = false;
            else W.values[at + k] = other;
          }
      }
    }
  }

  /** Gives contacts their springs, where their rows depend on each other. */
  #addSprings({ count }: DiscRows): void {
    const p = this.#problem;
    const n = this.#blockCount;
    const { matrix } = this.#rank;
    const compliance = this.#compliance;
    let rows = 0;
    for (let b = 0; b < n; b++) rows += this.#rowsOf(b);
    let column = 0;
    for (let d = 0; d < n; d++)
      for (let c = 0; c < this.#rowsOf(d); c++) {
        let at = column++ * rows;
        for (let b = 0; b < n; b++)
          for (let r = 0; r < this.#rowsOf(b); r++)
            matrix[at++] = this.#W[(this.#blocks[b] + r) * count + this.#blocks[d] + c];
      }
    if (n >= REDUNDANT) this.#rank.factor(rows);
    this.#isRedundant = n >= REDUNDANT && this.#rank.rank < rows;
    if (!this.#isRedundant) return;
    for (let b = 0; b < n; b++) compliance[b] = this.#W[this.#blocks[b] * (count + 1)];
    // Contacts that feel each other have springs of one stiffness.
    let hasChanged = true;
    while (hasChanged) {
      hasChanged = false;
      for (let b = 0; b < n; b++)
        for (let d = 0; d < n; d++) {
          if (!(compliance[d] > compliance[b]) || !this.#feels(b, d)) continue;
          compliance[b] = compliance[d];
          hasChanged = true;
        }
    }
    for (let b = 0; b < n; b++) {
      compliance[b] *= COMPLIANCE;
      for (let r = 0; r < 3; r++) p.W.values[9 * (b * n + b) + 4 * r] += compliance[b];
    }
  }

  #rowsOf(block: number): number {
    return this.#kinds[this.#blocks[block]] === CONE ? 3 : 1;
  }

  /** Whether a block of W is not zero. */
  #feels(b: number, d: number): boolean {
    const { values } = this.#problem.W;
    for (let k = 9 * (b * this.#blockCount + d), end = k + 9; k < end; k++) if (values[k] !== 0) return true;
    return false;
  }

  /** Cones, then rows with bounds, until nothing changes. */
  #turn({ count, lower, upper, z }: DiscRows, result: SolverResult): boolean {
    const p = this.#problem;
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      if (!this.#solveCones(z, count, result)) return false;
      let change = 0;
      let largest = 0;
      for (let k = 0; k < this.#boundedCount; k++) {
        const i = this.#bounded[k];
        let w = this.#q[i];
        for (let j = 0; j < count; j++) if (this.#kinds[j] !== JOINT) w += this.#W[i * count + j] * z[j];
        const next = Math.max(lower[i], Math.min(upper[i], z[i] - w / this.#W[i * count + i]));
        change = Math.max(change, Math.abs(next - z[i]));
        z[i] = next;
      }
      for (let j = 0; j < count; j++) largest = Math.max(largest, Math.abs(z[j]));
      if (change <= SETTLED * largest) return true;
    }
    result.status = 'stalled';
    result.residual = p.measure[0];
    return false;
  }

  #solveCones(z: Float64Array, count: number, result: SolverResult): boolean {
    const p = this.#problem;
    for (let b = 0; b < p.count; b++) {
      const i = this.#blocks[b];
      const rows = this.#kinds[i] === CONE ? 3 : 1;
      for (let r = 0; r < 3; r++) {
        p.r[3 * b + r] = r < rows ? z[i + r] : 0;
        let q = r < rows ? this.#q[i + r] : 0;
        if (r < rows)
          for (let k = 0; k < this.#boundedCount; k++)
            q += this.#W[(i + r) * count + this.#bounded[k]] * z[this.#bounded[k]];
        p.q[3 * b + r] = q;
      }
    }
    if (this.#isRedundant && this.#boundedCount === 0 && this.#holds(count)) result.status = 'converged';
    else if (!(this.#isRedundant ? this.#solveWithSprings(result) : this.#solveBlocks(result))) return false;
    for (let b = 0; b < p.count; b++) {
      const i = this.#blocks[b];
      const rows = this.#kinds[i] === CONE ? 3 : 1;
      for (let r = 0; r < rows; r++) z[i + r] = p.r[3 * b + r];
    }
    return true;
  }

  #solveBlocks(result: SolverResult): boolean {
    const p = this.#problem;
    if (p.count === 0) result.status = 'converged';
    let isSolved = p.count === 0;
    for (let k = 0; k < TOLERANCES.length && !isSolved; k++) {
      this.#solver.solve(p, TOLERANCES[k], result);
      isSolved = result.status === 'converged';
    }
    return isSolved;
  }

  /** Whether forces within the cones keep w = 0 in all rows; they are r of the problem then. */
  #holds(count: number): boolean {
    const p = this.#problem;
    const { forces, directions, weights } = this.#holding;
    const { vectors } = this.#nulls;
    const list = this.#work;
    let n = 0;
    for (let b = 0; b < p.count; b++)
      for (let r = 0; r < this.#rowsOf(b); r++) list[n++] = this.#blocks[b] + r;
    const { matrix, rhs } = this.#rank;
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) matrix[j * n + i] = this.#W[list[i] * count + list[j]];
    this.#nulls.find(matrix, n);
    this.#rank.factor(n);
    let size = 0;
    for (let i = 0; i < n; i++) {
      rhs[i] = -this.#q[list[i]];
      size = Math.max(size, Math.abs(rhs[i]));
    }
    this.#rank.solve();
    for (let i = 0; i < n; i++) forces[i] = rhs[i];
    for (let i = 0; i < n; i++) {
      let left = this.#q[list[i]];
      for (let j = 0; j < n; j++) left += this.#W[list[i] * count + list[j]] * forces[j];
      if (!(Math.abs(left) <= CONSISTENT * size)) return false;
    }
    this.#holding.begin(n, this.#nulls.dimension);
    for (let k = 0; k < n * this.#nulls.dimension; k++) directions[k] = vectors[k];
    weights.fill(1, 0, n);
    for (let b = 0, i = 0; b < p.count; i += this.#rowsOf(b++))
      if (this.#rowsOf(b) === 3) this.#holding.addDisc(i, p.mu[b]);
      else this.#holding.addBounds(i, 0, Infinity);
    this.#holding.solve(true);
    if (!(this.#holding.reserve > 0)) return false;
    for (let b = 0, i = 0; b < p.count; i += this.#rowsOf(b++))
      for (let r = 0; r < 3; r++) p.r[3 * b + r] = r < this.#rowsOf(b) ? forces[i + r] : 0;
    return true;
  }

  #solveWithSprings(result: SolverResult): boolean {
    const p = this.#problem;
    const former = this.#former.fill(0);
    const rigid = this.#rigid;
    const compliance = this.#compliance;
    const n = 3 * p.count;
    let scale = 0;
    for (let i = 0; i < n; i++) {
      rigid[i] = p.q[i];
      scale = Math.max(scale, Math.abs(p.q[i]));
    }
    for (let step = 0; step < MOST_PROXIMAL_STEPS; step++) {
      for (let i = 0; i < n; i++) p.q[i] = rigid[i] - compliance[Math.floor(i / 3)] * former[i];
      if (!this.#solveBlocks(result)) return false;
      let left = 0;
      for (let i = 0; i < n; i++) {
        left = Math.max(left, compliance[Math.floor(i / 3)] * Math.abs(p.r[i] - former[i]));
        former[i] = p.r[i];
      }
      if (left <= LEFT_OF_COMPLIANCE * scale) break;
    }
    return true;
  }

  /** Multipliers of joints, and w of all rows; what complements a multiplier is exactly zero. */
  #finish({ count, size, values, q, z, w }: DiscRows): void {
    const joints = this.#jointCount;
    const work = this.#work;
    for (let r = 0; r < joints; r++) {
      const i = this.#joints[r];
      let sum = -q[i];
      for (let j = 0; j < count; j++) if (this.#kinds[j] !== JOINT) sum -= values[i * size + j] * z[j];
      work[r] = sum;
    }
    if (joints > 0) this.#elimination.solve(work);
    for (let r = 0; r < joints; r++) z[this.#joints[r]] = work[r];
    for (let i = 0; i < count; i++) {
      let sum = q[i];
      for (let j = 0; j < count; j++) sum += values[i * size + j] * z[j];
      w[i] = sum;
    }
  }
}
