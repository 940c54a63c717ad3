/**
 * Sweeps of projected Gauss–Seidel over rows that are stored in full. They are those of the textbook, row after row, with
 * three savings:
 *
 * - Columns with z_j = 0, half of them in most contact problems, are left out of w_i = q_i + Σ_j W_ij z_j.
 * - Four rows gather their w at once, which loads each z_j once for all four; they are then solved one after the other,
 *   and what changes is added to those of the four that are still to come.
 * - A row at its bound sleeps while it cannot leave it. Of a positive semidefinite W, |W_ij| ≤ √W_ii √W_jj, so that
 *
 *       |Δw_i| ≤ √W_ii · Σ √W_jj |Δz_j|
 *
 *   and as long as the sum of all steps since its last turn stays below |w_i| / √W_ii the sign of w_i is what it was.
 *   That is looked at before each sweep. Of an operator that is not semidefinite a row may sleep too long; whoever
 *   computes the residual and finds it too large wakes all (`begin`).
 */
import type { AffineVariationalInequality } from '../problems/avi';

const BLOCK = 4;

export class FullSweep {
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
