/** Ratio test of Lemke's method, with lexicographic ties. */
import type { LemkeBasis } from './lemke-basis';

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
