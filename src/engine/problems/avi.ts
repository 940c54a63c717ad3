/**
 * The one-step problem in canonical form, an affine variational inequality on a box: find z with
 *
 *     w = W z + q,   −w ∈ N_[l,u](z),
 *
 * that is, row by row: l < z < u ⇒ w = 0,  z = l ⇒ w ≥ 0,  z = u ⇒ w ≤ 0. Its special cases by their bounds:
 *
 *     LCP    all rows [0, ∞)
 *     MLCP   rows [0, ∞) or (−∞, ∞)
 *     relay  rows [l, u]
 *
 * The problem is sparse and lives in preallocated arrays that are refilled at each step. `revision` changes
 * whenever W or its rows or bounds do, so that a solver may keep a factorisation as long as it does not.
 */
import type { SparseRows } from '../linalg/sparse';

/**
 * What adding up the terms of a row, and the elimination that z comes from, may leave of them: some units in
 * the last place.
 */
const ROUNDING = 64 * Number.EPSILON;

export type ProblemKind = 'LCP' | 'MLCP' | 'AVI';

/**
 * Velocities below this have lost digits to gradual underflow: a residual relative to them would say nothing.
 */
const SMALLEST_SCALE = 1e-290;

export class AffineVariationalInequality {
  /** number of unknowns at this step */
  size = 0;
  /** changes with every change of W or of the bounds */
  revision = 0;
  /**
   * Whether every row is stored in full with its columns in order, so that entry (i, j) stands at i n + j and
   * loops over a row need no index. The code that lays the rows out says so; false is never wrong.
   */
  isFull = false;
  /**
   * Whether it has rows of friction: W is not monotone then, and there may be several solutions
   * (`law-reduction.ts`).
   */
  hasFriction = false;
  readonly rowStart: Int32Array;
  columns: Int32Array;
  values: Float64Array;
  readonly q: Float64Array;
  /** −∞ where there is none */
  readonly lower: Float64Array;
  /** ∞ where there is none */
  readonly upper: Float64Array;
  /** unknowns; on entry the guess from the last step, on success the solution */
  readonly z: Float64Array;
  readonly w: Float64Array;
  /**
   * measure[0]: relative natural residual found by the last `certify`; measure[1]: how much of it rounding
   * may hide; measure[2]: the size of the data it is relative to
   */
  readonly measure = new Float64Array(3);
  /** W(i, i), as the last `certify` found it among rows that are not full */
  readonly #diagonals: Float64Array;

  constructor(
    capacity: number,
    entries: number,
    /** whether W is symmetric by construction */
    readonly symmetric: boolean,
  ) {
    this.rowStart = new Int32Array(capacity + 1);
    this.columns = new Int32Array(entries);
    this.values = new Float64Array(entries);
    this.q = new Float64Array(capacity);
    this.lower = new Float64Array(capacity);
    this.upper = new Float64Array(capacity).fill(Number.POSITIVE_INFINITY);
    this.z = new Float64Array(capacity);
    this.w = new Float64Array(capacity);
    this.#diagonals = new Float64Array(capacity);
  }

  /**
   * A problem with the given dense matrix, for tests and direct use.
   * @param matrix n × n, row-major
   * @param lower n bounds; absent means 0
   * @param upper n bounds; absent means ∞
   */
  static dense(
    matrix: Float64Array,
    q: Float64Array,
    lower?: Float64Array,
    upper?: Float64Array,
  ): AffineVariationalInequality {
    const n = q.length;
    let symmetric = true;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) symmetric &&= matrix[i * n + j] === matrix[j * n + i];
    }
    const problem = new AffineVariationalInequality(n, n * n, symmetric);
    problem.size = n;
    problem.values.set(matrix);
    for (let i = 0; i < n; i++) {
      problem.rowStart[i + 1] = (i + 1) * n;
      for (let j = 0; j < n; j++) problem.columns[i * n + j] = j;
    }
    problem.isFull = true;
    problem.q.set(q);
    if (lower !== undefined) problem.lower.set(lower);
    if (upper !== undefined) problem.upper.set(upper);
    return problem;
  }

  /** The narrowest class the bounds allow. */
  get kind(): ProblemKind {
    let kind: ProblemKind = 'LCP';
    for (let i = 0; i < this.size; i++) {
      const l = this.lower[i];
      const u = this.upper[i];
      if (u !== Number.POSITIVE_INFINITY) return 'AVI';
      if (l === Number.NEGATIVE_INFINITY) kind = 'MLCP';
      else if (l !== 0) return 'AVI';
    }
    return kind;
  }

  /**
   * Takes the rows and columns `active` of W. Bounds are the caller's to set afterwards, where they differ.
   * @param position position[row] = place of the row in `active`, −1 for rows that are not active
   */
  restrict(W: SparseRows, active: Int32Array, size: number, position: Int32Array): void {
    let entry = 0;
    let isFull = true;
    for (let i = 0; i < size; i++) {
      const row = active[i];
      const start = entry;
      for (let k = W.rowStart[row]; k < W.rowStart[row + 1]; k++) {
        const column = position[W.columns[k]];
        if (column < 0) continue;
        if (column !== entry - start) isFull = false;
        this.columns[entry] = column;
        this.values[entry++] = W.values[k];
      }
      this.rowStart[i + 1] = entry;
      if (entry - start !== size) isFull = false;
    }
    this.isFull = isFull;
    this.size = size;
    this.revision++;
  }

  /** w = W z + q. */
  multiply(): void {
    if (this.isFull) {
      this.#multiplyFull();
      return;
    }
    const { size: n, rowStart, columns, values, q, z, w } = this;
    for (let i = 0; i < n; i++) {
      let sum = q[i];
      const end = rowStart[i + 1];
      for (let k = rowStart[i]; k < end; k++) sum += values[k] * z[columns[k]];
      w[i] = sum;
    }
  }

  /** Four rows at once share the loads of z, and their sums do not wait for one another. */
  #multiplyFull(): void {
    const { size: n, values, q, z, w } = this;
    let i = 0;
    let entry = 0;
    for (; i + 3 < n; i += 4) {
      let a = q[i];
      let b = q[i + 1];
      let c = q[i + 2];
      let d = q[i + 3];
      for (let j = 0; j < n; j++, entry++) {
        const x = z[j];
        a += values[entry] * x;
        b += values[entry + n] * x;
        c += values[entry + 2 * n] * x;
        d += values[entry + 3 * n] * x;
      }
      w[i] = a;
      w[i + 1] = b;
      w[i + 2] = c;
      w[i + 3] = d;
      entry += 3 * n;
    }
    for (; i + 1 < n; i += 2) {
      let a = q[i];
      let b = q[i + 1];
      for (let j = 0; j < n; j++, entry++) {
        a += values[entry] * z[j];
        b += values[entry + n] * z[j];
      }
      w[i] = a;
      w[i + 1] = b;
      entry += n;
    }
    if (i < n) {
      let sum = q[i];
      for (let j = 0; j < n; j++) sum += values[entry++] * z[j];
      w[i] = sum;
    }
  }

  /** W(i, i) */
  diagonal(i: number): number {
    for (let k = this.rowStart[i]; k < this.rowStart[i + 1]; k++)
      if (this.columns[k] === i) return this.values[k];
    return 0;
  }

  /**
   * Natural residual max |d (z − Π_[l,u](z − w/d))| with d = W(i, i), so that it counts in units of w
   * whatever those of z; d = 1 where the diagonal is not positive. For an LCP this is max |min(w, d z)|. It
   * is relative to the data: the largest |q| and |d l|, |d u| of finite bounds. Recomputes w from z, and
   * leaves the value in `measure[0]`: a returned double would be boxed in the time loop.
   *
   * W z + q is known to the rounding of its terms only, of which d z stands for the largest. Where z has
   * grown out of all proportion, as on the way to infinity in a problem without solution, w may come out as
   * zero by cancellation alone: `measure[1]` is that rounding, relative to the same data.
   */
  certify(): void {
    if (this.isFull) this.#multiplyFull();
    else this.#multiplyAndFindDiagonal();
    this.assess();
  }

  #multiplyAndFindDiagonal(): void {
    const { size: n, rowStart, columns, values, q, z, w } = this;
    const diagonals = this.#diagonals;
    for (let i = 0; i < n; i++) {
      let sum = q[i];
      let diagonal = 0;
      const end = rowStart[i + 1];
      for (let k = rowStart[i]; k < end; k++) {
        const column = columns[k];
        if (column === i) diagonal = values[k];
        sum += values[k] * z[column];
      }
      w[i] = sum;
      diagonals[i] = diagonal;
    }
  }

  /**
   * What `certify` measures, where `multiply` has followed the last change of z and, unless rows are full, a
   * `certify` that of W.
   */
  assess(): void {
    const { size: n, isFull, values, q, z, w, lower, upper, measure } = this;
    const diagonals = this.#diagonals;
    let worst = 0;
    let scale = 0;
    let largest = 0;
    for (let i = 0; i < n; i++) {
      const diagonal = isFull ? values[i * n + i] : diagonals[i];
      const d = diagonal > 0 ? diagonal : 1;
      if (lower[i] === 0 && upper[i] === Number.POSITIVE_INFINITY) {
        const x = d * z[i];
        const value = Math.abs(Math.min(x, w[i]));
        if (!(value <= worst) && !Number.isNaN(worst)) worst = value;
        scale = Math.max(scale, Math.abs(q[i]));
        largest = Math.max(largest, Math.abs(x));
        continue;
      }
      const l = d * lower[i];
      const u = d * upper[i];
      const x = d * z[i];
      // d (z − Π(z − w/d)) = the middle one of d (z − u), w, d (z − l).
      const value = Math.abs(Math.max(x - u, Math.min(x - l, w[i])));
      // A comparison that NaN fails must not hide it.
      if (!(value <= worst) && !Number.isNaN(worst)) worst = value;
      scale = Math.max(scale, Math.abs(q[i]));
      largest = Math.max(largest, Math.abs(x));
      if (l !== Number.NEGATIVE_INFINITY) scale = Math.max(scale, Math.abs(l));
      if (u !== Number.POSITIVE_INFINITY) scale = Math.max(scale, Math.abs(u));
    }
    measure[0] = scale > SMALLEST_SCALE ? worst / scale : worst;
    measure[2] = scale;
    measure[1] = scale > SMALLEST_SCALE ? (Number.EPSILON * largest) / scale : 0;
  }

  /**
   * Whether every row misses its condition by no more than what rounding leaves of its own terms, Σ |W_ij
   * z_j| + |q_i|, after `certify`. Where rows of very different size cancel, no answer can have a smaller
   * residual, however small the data are.
   */
  get isWithinRounding(): boolean {
    const { size: n, rowStart, columns, values, q, z, w, lower, upper } = this;
    for (let i = 0; i < n; i++) {
      let terms = Math.abs(q[i]);
      let diagonal = 0;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        if (columns[k] === i) diagonal = values[k];
        terms += Math.abs(values[k] * z[columns[k]]);
      }
      const d = diagonal > 0 ? diagonal : 1;
      const value = Math.max(d * (z[i] - upper[i]), Math.min(d * (z[i] - lower[i]), w[i]));
      if (!(Math.abs(value) <= ROUNDING * terms)) return false;
    }
    return true;
  }
}
