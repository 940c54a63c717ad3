/**
 * The system of Lemke's method, w − W z − d t = q, in the form in which every row has a finite lower bound or none at
 * all:
 *
 * - each z is counted from its lower bound, so that it lives in [0, width];
 * - a row with only an upper bound is reflected (z → −z, w → −w);
 * - a free row whose equation cannot be solved for a free unknown is split, z = z⁺ − z⁻ with z⁺, z⁻ ≥ 0, into itself
 *   and its reflection;
 * - z_i is counted in units s_i² of `Scaling`, near 1/W_ii, so that the whole system is in the units of w: a cover d of
 *   ones then treats rows alike whose data are of one size, which the residual is relative to.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { Scaling } from './scaling';

export class LemkeSystem {
  /** rows; more than the problem has when free rows are split */
  rows = 0;
  /** row of the problem, and +1 or −1 for a reflected row */
  source = new Int32Array(0);
  sign = new Float64Array(0);
  /** upper bound of z counted from the lower one; ∞ where there is none */
  width = new Float64Array(0);
  isFree = new Uint8Array(0);
  /** one unit of z in those of the problem; negative for a reflected row */
  unit = new Float64Array(0);
  /** the right side: w where each z is at the bound it is counted from */
  q = new Float64Array(0);
  /** whether no row is reflected or split */
  #isPlain = true;
  /** rows of the problem that are split */
  #isSplit = new Uint8Array(0);
  /** row that holds the reflection of a split row, −1 for rows that are not split */
  #twin = new Int32Array(0);
  readonly #scaling = new Scaling();
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;
  /** W by columns, where it is not symmetric */
  #columnStart = new Int32Array(0);
  #columnRows = new Int32Array(0);
  #columnValues = new Float64Array(0);

  /** Forgets which rows are split. */
  begin(problem: AffineVariationalInequality): void {
    const { size: n } = problem;
    if (this.#isSplit.length < n) this.#isSplit = new Uint8Array(n);
    this.#isSplit.fill(0, 0, n);
    if (this.#problem === problem && this.#revision === problem.revision) return;
    this.#problem = problem;
    this.#revision = problem.revision;
    this.#scaling.update(problem);
    if (!problem.symmetric) this.#transpose(problem);
  }

  split(row: number): void {
    this.#isSplit[this.source[row]] = 1;
  }

  /** Lays the rows out and computes the right side. Leaves the bound each z is counted from in `problem.z`. */
  assemble(problem: AffineVariationalInequality): void {
    const { size: n, lower, upper, z, w } = problem;
    this.#grow(2 * n);
    let rows = n;
    let isAtZero = true;
    let isPlain = true;
    for (let i = 0; i < n; i++) {
      const hasLower = lower[i] !== Number.NEGATIVE_INFINITY;
      const hasUpper = upper[i] !== Number.POSITIVE_INFINITY;
      this.source[i] = i;
      this.sign[i] = hasLower || !hasUpper ? 1 : -1;
      if (this.sign[i] < 0 || this.#isSplit[i] === 1) isPlain = false;
      this.width[i] =
        hasLower && hasUpper
          ? (upper[i] - lower[i]) / this.#scaling.values[i] ** 2
          : Number.POSITIVE_INFINITY;
      this.isFree[i] = hasLower || hasUpper || this.#isSplit[i] === 1 ? 0 : 1;
      this.#twin[i] = -1;
      if (this.#isSplit[i] === 1) {
        this.#twin[i] = rows;
        this.source[rows] = i;
        this.sign[rows] = -1;
        this.width[rows] = Number.POSITIVE_INFINITY;
        this.isFree[rows] = 0;
        rows++;
      }
      z[i] = hasLower ? lower[i] : hasUpper ? upper[i] : 0;
      if (z[i] !== 0) isAtZero = false;
    }
    this.rows = rows;
    this.#isPlain = isPlain;
    const right = isAtZero ? problem.q : w;
    if (!isAtZero) problem.multiply();
    for (let r = 0; r < rows; r++) {
      const i = this.source[r];
      this.unit[r] = this.sign[r] * this.#scaling.values[i] ** 2;
      this.q[r] = this.sign[r] * right[i];
    }
  }

  /** Whether the covering vector has a one in a row: not where z is free, or fixed, and w any number. */
  isCovered(r: number): boolean {
    return this.isFree[r] === 0 && this.width[r] > 0;
  }

  /** x ← x − s[0] W e_r, in the units of the system; x has `rows` entries. */
  subtractColumn(r: number, s: Float64Array, x: Float64Array): void {
    const problem = this.#problem;
    if (problem === null) return;
    const c = this.source[r];
    const factor = s[0] * this.unit[r];
    const isSymmetric = problem.symmetric;
    const start = isSymmetric ? problem.rowStart : this.#columnStart;
    const rows = isSymmetric ? problem.columns : this.#columnRows;
    const values = isSymmetric ? problem.values : this.#columnValues;
    const end = start[c + 1];
    if (this.#isPlain) {
      for (let k = start[c]; k < end; k++) x[rows[k]] -= factor * values[k];
      return;
    }
    for (let k = start[c]; k < end; k++) {
      const i = rows[k];
      const value = factor * values[k];
      x[i] -= this.sign[i] * value;
      const twin = this.#twin[i];
      if (twin >= 0) x[twin] += value;
    }
  }

  #grow(rows: number): void {
    if (this.source.length >= rows) return;
    this.source = new Int32Array(rows);
    this.sign = new Float64Array(rows);
    this.width = new Float64Array(rows);
    this.isFree = new Uint8Array(rows);
    this.unit = new Float64Array(rows);
    this.q = new Float64Array(rows);
    this.#twin = new Int32Array(rows);
  }

  #transpose(problem: AffineVariationalInequality): void {
    const { size: n, rowStart, columns, values } = problem;
    const entries = rowStart[n];
    if (this.#columnStart.length < n + 2) this.#columnStart = new Int32Array(n + 2);
    if (this.#columnRows.length < entries) {
      this.#columnRows = new Int32Array(entries);
      this.#columnValues = new Float64Array(entries);
    }
    const start = this.#columnStart;
    start.fill(0, 0, n + 2);
    for (let k = 0; k < entries; k++) start[columns[k] + 2]++;
    for (let j = 0; j < n; j++) start[j + 2] += start[j + 1];
    // start[j + 1] is where column j begins, and moves to its end as the entries come.
    for (let i = 0; i < n; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const place = start[columns[k] + 1]++;
        this.#columnRows[place] = i;
        this.#columnValues[place] = values[k];
      }
    }
  }
}
