/**
 * Linear complementarity problem: find z with w = W z + q, 0 ≤ w ⊥ z ≥ 0.
 *
 * The problem is sparse and lives in preallocated arrays that are refilled at each step. `revision` changes whenever
 * W or its rows do, so that a solver may keep a factorisation as long as it does not.
 */
import type { SparseRows } from '../linalg/csr';

/** Velocities below this have lost digits to gradual underflow: a residual relative to them would say nothing. */
const SMALLEST_SCALE = 1e-290;

export class LinearComplementarityProblem {
  /** number of unknowns at this step */
  size = 0;
  /** changes with every change of W */
  revision = 0;
  readonly rowStart: Int32Array;
  columns: Int32Array;
  values: Float64Array;
  readonly q: Float64Array;
  /** unknowns; on entry the guess from the last step, on success the solution */
  readonly z: Float64Array;
  readonly w: Float64Array;
  /** measure[0]: relative natural residual found by the last `certify` */
  readonly measure = new Float64Array(1);

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
    this.z = new Float64Array(capacity);
    this.w = new Float64Array(capacity);
  }

  /** A problem with the given dense matrix, for tests and direct use. @param matrix n × n, row-major */
  static dense(matrix: Float64Array, q: Float64Array): LinearComplementarityProblem {
    const n = q.length;
    let symmetric = true;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) symmetric &&= matrix[i * n + j] === matrix[j * n + i];
    }
    const problem = new LinearComplementarityProblem(n, n * n, symmetric);
    problem.size = n;
    problem.values.set(matrix);
    for (let i = 0; i < n; i++) {
      problem.rowStart[i + 1] = (i + 1) * n;
      for (let j = 0; j < n; j++) problem.columns[i * n + j] = j;
    }
    problem.q.set(q);
    return problem;
  }

  /**
   * Takes the rows and columns `active` of W.
   * @param position position[row] = place of the row in `active`, −1 for rows that are not active
   */
  restrict(W: SparseRows, active: Int32Array, size: number, position: Int32Array): void {
    let entry = 0;
    for (let i = 0; i < size; i++) {
      const row = active[i];
      for (let k = W.rowStart[row]; k < W.rowStart[row + 1]; k++) {
        const column = position[W.columns[k]];
        if (column < 0) continue;
        this.columns[entry] = column;
        this.values[entry++] = W.values[k];
      }
      this.rowStart[i + 1] = entry;
    }
    this.size = size;
    this.revision++;
  }

  /** w = W z + q. */
  multiply(): void {
    for (let i = 0; i < this.size; i++) {
      let sum = this.q[i];
      for (let k = this.rowStart[i]; k < this.rowStart[i + 1]; k++)
        sum += this.values[k] * this.z[this.columns[k]];
      this.w[i] = sum;
    }
  }

  /** W(i, i) */
  diagonal(i: number): number {
    for (let k = this.rowStart[i]; k < this.rowStart[i + 1]; k++)
      if (this.columns[k] === i) return this.values[k];
    return 0;
  }

  /**
   * Natural residual max |min(w, d z)| relative to max |q|, with d = W(i, i) so that both arguments are velocities.
   * Recomputes w from z, and leaves the value in `measure[0]`: a returned double would be boxed in the time loop.
   */
  certify(): void {
    this.multiply();
    let worst = 0;
    let scale = 0;
    for (let i = 0; i < this.size; i++) {
      const d = this.diagonal(i);
      const value = Math.abs(Math.min(this.w[i], d > 0 ? d * this.z[i] : this.z[i]));
      // A comparison that NaN fails must not hide it.
      if (!(value <= worst)) worst = value;
      scale = Math.max(scale, Math.abs(this.q[i]));
    }
    this.measure[0] = scale > SMALLEST_SCALE ? worst / scale : worst;
  }
}
