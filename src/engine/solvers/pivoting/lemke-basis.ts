/**
 * The basis of Lemke's method: which variable is basic in which row, its value and bounds, and the product
 * form of the inverse. Variables are numbered r for w_r, m + r for z_r and 2 m for t, with m rows.
 */
import { ProductForm } from '../../linalg/product-form';
import type { AffineVariationalInequality } from '../../problems/avi';
import { Scaling } from '../scaling';
import { clip } from '../solver';

/*
 * The system of Lemke's method, w − W z − d t = q, in the form in which every row has a finite lower bound or
 * none at all:
 *
 * - each z is counted from its lower bound, so that it lives in [0, width];
 * - a row with only an upper bound is reflected (z → −z, w → −w);
 * - a free row whose equation cannot be solved for a free unknown is split, z = z⁺ − z⁻ with z⁺, z⁻ ≥ 0, into
 *   itself and its reflection;
 * - z_i is counted in units s_i² of `Scaling`, near 1/W_ii, so that the whole system is in the units of w: a
 *   cover d of ones then treats rows alike whose data are of one size, which the residual is relative to.
 */

class LemkeSystem {
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

  /**
   * Lays the rows out and computes the right side. Leaves the bound each z is counted from in `problem.z`.
   */
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

/** Exchanges after which the product form is computed again, beyond the number that the basis needs. */
const REFRESH = 64;
/** A residual above this, relative, is worth a step of iterative refinement. */
const REFINE = 1e-14;

export class LemkeBasis {
  readonly system = new LemkeSystem();
  readonly inverse = new ProductForm();
  /** variable that is basic in each row */
  basis = new Int32Array(0);
  /** its value, and the bounds it has to keep */
  values = new Float64Array(0);
  low = new Float64Array(0);
  high = new Float64Array(0);
  /** whether a z that is not basic is at its upper bound */
  atUpper = new Uint8Array(0);
  /** column of the entering variable in the present basis */
  column = new Float64Array(0);
  /** scratch of the size of a column */
  work = new Float64Array(0);
  /** [0]: largest value at the start of the path: what rounding is relative to */
  readonly scale = new Float64Array(1);
  /**
   * [0]: direction ±1 of the entering variable, [1]: length of its step, [2]: length at which it crosses its
   * box
   */
  readonly step = new Float64Array(3);
  /** whether w_r is basic, and the other basic variables: used when the product form is computed again */
  #isOccupied = new Uint8Array(0);
  #list = new Int32Array(0);
  readonly #factor = new Float64Array(1);
  /** basic variables that are not a w: as many elementary matrices are needed at least */
  #structural = 0;

  /** All w basic, all z at the bounds they are counted from. */
  start(problem: AffineVariationalInequality): void {
    const system = this.system;
    system.assemble(problem);
    const m = system.rows;
    if (this.basis.length < m) this.#grow(2 * problem.size);
    this.inverse.reset(m);
    this.#structural = 0;
    const { basis, values, atUpper } = this;
    let scale = 0;
    for (let r = 0; r < m; r++) {
      basis[r] = r;
      values[r] = system.q[r];
      atUpper[r] = 0;
      this.#setBounds(r);
      scale = Math.max(scale, Math.abs(values[r]));
    }
    this.scale[0] = scale;
  }

  #grow(rows: number): void {
    this.basis = new Int32Array(rows);
    this.values = new Float64Array(rows);
    this.low = new Float64Array(rows);
    this.high = new Float64Array(rows);
    this.atUpper = new Uint8Array(rows);
    this.#isOccupied = new Uint8Array(rows);
    this.column = new Float64Array(rows);
    this.work = new Float64Array(rows);
    this.#list = new Int32Array(rows);
  }

  /** Takes the present values, which free unknowns may have made large, into the size of the data. */
  rescale(): void {
    const { values, scale } = this;
    for (let i = 0; i < this.system.rows; i++) scale[0] = Math.max(scale[0], Math.abs(values[i]));
  }

  /** Value of a basic variable; 0 of one that is not. */
  valueOf(variable: number): number {
    const row = this.basis.indexOf(variable);
    return row < 0 || row >= this.system.rows ? 0 : this.values[row];
  }

  /** B⁻¹ times the column of a variable. */
  computeColumn(variable: number): void {
    const m = this.system.rows;
    const column = this.column;
    // A loop: for the few rows of most problems, quicker than the call of fill.
    for (let i = 0; i < m; i++) column[i] = 0;
    if (variable < m) column[variable] = 1;
    else if (variable < 2 * m) {
      this.#factor[0] = 1;
      this.system.subtractColumn(variable - m, this.#factor, column);
    } else {
      for (let r = 0; r < m; r++) column[r] = this.system.isCovered(r) ? -1 : 0;
    }
    this.inverse.apply(column);
  }

  /** Bounds of the variable that is basic in a row. */
  #setBounds(i: number): void {
    const { width, isFree, rows: m } = this.system;
    const variable = this.basis[i];
    let low = 0;
    let high = Number.POSITIVE_INFINITY;
    if (variable < m) {
      if (!this.system.isCovered(variable)) low = Number.NEGATIVE_INFINITY;
      else if (this.atUpper[variable] === 1) {
        low = Number.NEGATIVE_INFINITY;
        high = 0;
      }
    } else if (variable < 2 * m) {
      if (isFree[variable - m] === 1) low = Number.NEGATIVE_INFINITY;
      else high = width[variable - m];
    }
    this.low[i] = low;
    this.high[i] = high;
  }

  /** Moves the basic variables along the entering one, which goes `step[1]` in its direction. */
  move(): void {
    const step = this.step[0] * this.step[1];
    if (step === 0) return;
    const m = this.system.rows;
    const { values, column } = this;
    for (let i = 0; i < m; i++) values[i] -= step * column[i];
  }

  /** The entering variable takes the place of the basic one of a row. */
  exchange(row: number, entering: number): void {
    const m = this.system.rows;
    this.move();
    let from = 0;
    if (entering >= m && entering < 2 * m && this.atUpper[entering - m] === 1)
      from = this.system.width[entering - m];
    this.values[row] = from + this.step[0] * this.step[1];
    this.inverse.append(this.column, row);
    this.#structural += (entering >= m ? 1 : 0) - (this.basis[row] >= m ? 1 : 0);
    this.basis[row] = entering;
    this.#setBounds(row);
  }

  /**
   * Computes the product form and the values again, unless they are still short.
   * @returns false when the basis is singular to rounding
   */
  refresh(): boolean {
    if (this.inverse.count <= this.#structural + REFRESH) return true;
    const system = this.system;
    const m = system.rows;
    const occupied = this.#isOccupied;
    const list = this.#list;
    let count = 0;
    occupied.fill(0, 0, m);
    for (let i = 0; i < m; i++) {
      const variable = this.basis[i];
      if (variable < m) occupied[variable] = 1;
      else list[count++] = variable;
    }
    this.inverse.reset(m);
    for (let r = 0; r < m; r++) {
      if (occupied[r] === 0) continue;
      this.basis[r] = r;
      this.#setBounds(r);
    }
    for (let c = 0; c < count; c++) {
      this.computeColumn(list[c]);
      let row = -1;
      let best = 0;
      for (let i = 0; i < m; i++) {
        const size = Math.abs(this.column[i]);
        if (occupied[i] === 1 || !(size > best)) continue;
        best = size;
        row = i;
      }
      if (row < 0) return false;
      this.inverse.append(this.column, row);
      this.basis[row] = list[c];
      this.#setBounds(row);
      occupied[row] = 1;
    }
    this.#computeValues();
    return true;
  }

  #computeValues(): void {
    const system = this.system;
    const m = system.rows;
    const values = this.values;
    const isBasic = this.#isOccupied;
    isBasic.fill(0, 0, m);
    for (let i = 0; i < m; i++) {
      values[i] = system.q[i];
      const r = this.basis[i] - m;
      if (r >= 0 && r < m) isBasic[r] = 1;
    }
    for (let r = 0; r < m; r++) {
      if (isBasic[r] === 1 || this.atUpper[r] === 0) continue;
      this.#factor[0] = -system.width[r];
      system.subtractColumn(r, this.#factor, values);
    }
    this.inverse.apply(values);
  }

  /** Writes z, and refines it once with the residual of the equations w_i = 0. */
  finish(problem: AffineVariationalInequality): void {
    const { source, sign, unit, width, rows: m } = this.system;
    const { z, lower, upper } = problem;
    for (let r = 0; r < m; r++) {
      if (this.atUpper[r] === 1) z[source[r]] = sign[r] > 0 ? upper[source[r]] : lower[source[r]];
    }
    for (let i = 0; i < m; i++) {
      const r = this.basis[i] - m;
      if (r < 0) continue;
      const value =
        this.system.isFree[r] === 1 ? this.values[i] : Math.max(0, Math.min(width[r], this.values[i]));
      this.values[i] = value;
      // A basic z may have come from its upper bound.
      if (this.atUpper[r] === 1) z[source[r]] = sign[r] > 0 ? lower[source[r]] : upper[source[r]];
      z[source[r]] += unit[r] * value;
    }
    clip(problem);
    problem.certify();
    if (!(problem.measure[0] > REFINE)) return;
    this.#refine(problem);
    clip(problem);
    problem.certify();
  }

  /** B x = q has been solved to rounding; the residual, computed from z, gives a correction of x. */
  #refine(problem: AffineVariationalInequality): void {
    const { source, sign, unit, rows: m } = this.system;
    const { z, w } = problem;
    const work = this.work;
    for (let r = 0; r < m; r++) work[r] = sign[r] * w[source[r]];
    for (let i = 0; i < m; i++) if (this.basis[i] < m) work[this.basis[i]] = 0;
    this.inverse.apply(work);
    for (let i = 0; i < m; i++) {
      const r = this.basis[i] - m;
      // At a bound the clipping has decided already.
      if (r >= 0 && this.values[i] !== 0) z[source[r]] += unit[r] * work[i];
    }
  }
}

/* Ratio test of Lemke's method, with lexicographic ties. */

/** Entries of the entering column below this fraction of its largest are rounding, not pivots. */
export const PIVOT_TOLERANCE = 1e-11;
/** Values below this fraction of the data are zero to rounding. */
const ZERO = 1e-14;

/** Answers of the ratio test that are no rows: nothing blocks; the entering z crosses its own box. */
export const RAY = -1;
export const FLIP = -2;

export class LemkeRatioTest {
  readonly #state: LemkeBasis;
  /** rows that block first, and the ratio at which each row blocks */
  #candidates = new Int32Array(0);
  #candidateCount = 0;
  #ratios = new Float64Array(0);

  constructor(state: LemkeBasis) {
    this.#state = state;
  }

  #grow(rows: number): void {
    this.#candidates = new Int32Array(rows);
    this.#ratios = new Float64Array(rows);
  }

  /** The row that forbids t to be smaller, −1 when t = 0 is allowed. Leaves the column of t in `column`. */
  firstRow(): number {
    const { basis, system, values } = this.#state;
    const m = system.rows;
    if (this.#ratios.length < m) this.#grow(m);
    this.#state.computeColumn(2 * m);
    let least = 0;
    for (let i = 0; i < m; i++) if (basis[i] < m && system.isCovered(i)) least = Math.min(least, values[i]);
    if (least === 0) return -1;
    let count = 0;
    for (let i = 0; i < m; i++) {
      if (!(basis[i] < m && system.isCovered(i) && values[i] <= least * (1 - ZERO))) continue;
      this.#candidates[count++] = i;
    }
    this.#candidateCount = count;
    // The basic w grow with t: the same lexicographic rule, with the direction of decreasing t.
    this.#state.step[0] = -1;
    return this.#breakTie();
  }

  /** Row that blocks first, or `FLIP`, or `RAY`; the length of the step in `step[1]`. */
  leavingRow(entering: number): number {
    const { width } = this.#state.system;
    const m = this.#state.system.rows;
    const direction = this.#state.step[0];
    const column = this.#state.column;
    let largest = 0;
    for (let i = 0; i < m; i++) {
      const size = Math.abs(column[i]);
      if (size > largest) largest = size;
    }
    const smallest = PIVOT_TOLERANCE * Math.max(1, largest);
    const own = entering >= m ? width[entering - m] : Number.POSITIVE_INFINITY;
    this.#state.step[2] = own;
    let least = own;
    const ratios = this.#ratios;
    const { values, low, high } = this.#state;
    for (let i = 0; i < m; i++) {
      // The basic variable falls by this for each unit of the entering one.
      const rate = direction * column[i];
      let ratio = Number.POSITIVE_INFINITY;
      if (rate > smallest) ratio = (values[i] - low[i]) / rate;
      else if (rate < -smallest) ratio = (values[i] - high[i]) / rate;
      // Rounding may have carried a value past its bound.
      if (ratio < 0) ratio = 0;
      ratios[i] = ratio;
      if (ratio < least) least = ratio;
    }
    if (least === Number.POSITIVE_INFINITY) return RAY;
    this.#state.step[1] = least;
    return this.#select();
  }

  /** The row to leave among those that block at the least ratio `step[1]`, to rounding. */
  #select(): number {
    const m = this.#state.system.rows;
    const limit = this.#state.step[1] * (1 + PIVOT_TOLERANCE);
    const zero = ZERO * this.#state.scale[0];
    const { basis, column } = this.#state;
    const ratios = this.#ratios;
    let count = 0;
    for (let i = 0; i < m; i++) {
      const ratio = ratios[i];
      // Values that differ by rounding of the data are ties, too. Infinity fails, and most others.
      if (!((ratio - limit) * Math.abs(column[i]) <= zero)) continue;
      if (basis[i] === 2 * m) {
        this.#state.step[1] = ratio;
        return i;
      }
      this.#candidates[count++] = i;
    }
    this.#candidateCount = count;
    const row = this.#state.step[2] <= limit ? this.#breakTieWithFlip() : this.#breakTie();
    this.#state.step[1] = row === FLIP ? this.#state.step[2] : this.#ratios[row];
    return row;
  }

  /** Lexicographically least row of B⁻¹ / pivot among the candidates. */
  #breakTie(): number {
    const m = this.#state.system.rows;
    for (let j = 0; j < m && this.#candidateCount > 1; j++) {
      this.#keepLeast(j, false);
    }
    return this.#candidates[0];
  }

  /** The same, where crossing the own box competes with a row of zeros. */
  #breakTieWithFlip(): number {
    const m = this.#state.system.rows;
    for (let j = 0; j < m && this.#candidateCount > 0; j++) {
      const sign = this.#keepLeast(j, true);
      if (sign < 0) return this.#breakTie();
    }
    return FLIP;
  }

  /**
   * Keeps the candidates whose entry of column j of B⁻¹, over their pivot, is least.
   * @param withZero whether 0 competes; candidates above it are dropped
   * @returns −1 when the least is below 0, else 0
   */
  #keepLeast(j: number, withZero: boolean): number {
    const m = this.#state.system.rows;
    const work = this.#state.work;
    const column = this.#state.column;
    const direction = this.#state.step[0];
    work.fill(0, 0, m);
    work[j] = 1;
    this.#state.inverse.apply(work);
    let least = Number.POSITIVE_INFINITY;
    let scale = 0;
    for (let c = 0; c < this.#candidateCount; c++) {
      const i = this.#candidates[c];
      const value = work[i] / (direction * column[i]);
      if (value < least) least = value;
      scale = Math.max(scale, Math.abs(value));
    }
    const tie = PIVOT_TOLERANCE * scale;
    if (withZero && !(least < -tie)) least = 0;
    let count = 0;
    for (let c = 0; c < this.#candidateCount; c++) {
      const i = this.#candidates[c];
      if (work[i] / (direction * column[i]) <= least + tie) this.#candidates[count++] = i;
    }
    this.#candidateCount = count;
    return least < 0 ? -1 : 0;
  }
}
