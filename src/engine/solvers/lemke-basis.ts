/**
 * The basis of Lemke's method: which variable is basic in which row, its value and bounds, and the product form of the
 * inverse. Variables are numbered r for w_r, m + r for z_r and 2 m for t, with m rows.
 */
import { ProductForm } from '../linalg/product-form';
import type { AffineVariationalInequality } from '../problems/avi';
import { LemkeSystem } from './lemke-system';
import { clip } from './solver';

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
  /** [0]: direction ±1 of the entering variable, [1]: length of its step, [2]: length at which it crosses its box */
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
   * Computes the product form and the values anew, unless they are still short.
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
