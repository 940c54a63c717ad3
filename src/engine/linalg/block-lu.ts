/**
 * Sparse LU factors of D + B W, with W in block rows and D, B of diagonal blocks: what Newton's method
 * (derivatives of the law times W) and proximal terms (W + ρ I) make of a friction-contact problem. Contacts
 * are eliminated in minimum-degree order, a block at a time, without exchanges between blocks; the caller
 * regularises where W has no rank, and judges the solution by the residual. The factors of a pattern are
 * planned once for all values.
 *
 * Row i takes the rows before it that it is coupled to, in order (Duff, Erisman and Reid 2017 §10): L_ik =
 * A_ik U_kk⁻¹, A_ij −= L_ik U_kj.
 */
import type { BlockRows } from './block-rows';
import { divideLU, factorLU, solveLU } from './lu';
import { minimumDegree } from './ordering';
import { invertBlock, multiplyAdd, subtractProduct } from './small-blocks';
import { type SparseRows, sparseFromPattern } from './sparse';

/*
 * Where the blocks of the sparse LU factors of a pattern stand: found once, and kept while the pattern stays.
 */

export class BlockLuPlan {
  readonly size: number;
  /** order[i]: block row that is eliminated i-th; place: the inverse */
  readonly order: Int32Array;
  readonly place: Int32Array;
  /** blocks of row i of L without its diagonal, ascending, and of U without its diagonal */
  readonly lowerStart: Int32Array;
  readonly lowerColumns: Int32Array;
  readonly upperStart: Int32Array;
  readonly upperColumns: Int32Array;
  readonly #rowStart: Int32Array;
  readonly #columns: Int32Array;

  constructor(W: BlockRows) {
    const n = W.rows;
    this.size = W.size;
    this.#rowStart = W.rowStart.slice(0, n + 1);
    this.#columns = W.columns.slice(0, W.rowStart[n]);
    const pattern = symmetricPattern(W);
    this.order = minimumDegree(pattern);
    this.place = new Int32Array(n);
    this.order.forEach((c, i) => (this.place[c] = i));
    const upper = this.#fill(pattern);
    const lower: number[][] = Array.from({ length: n }, () => []);
    upper.forEach((columns, i) => {
      for (const j of columns) lower[j].push(i);
    });
    ({ rowStart: this.upperStart, columns: this.upperColumns } = sparseFromPattern(upper));
    ({ rowStart: this.lowerStart, columns: this.lowerColumns } = sparseFromPattern(lower));
  }

  /** Products of two blocks that a factorisation takes. */
  get products(): number {
    let sum = 0;
    for (let i = 0; i < this.order.length; i++) {
      const length = this.upperStart[i + 1] - this.upperStart[i];
      sum += length * (length + 1);
    }
    return sum;
  }

  /** Whether W has the pattern that this plan was made for. */
  fits(W: BlockRows): boolean {
    const blocks = W.rowStart[W.rows];
    if (W.size !== this.size || W.rows !== this.order.length || blocks !== this.#columns.length) return false;
    for (let i = 0; i <= W.rows; i++) if (W.rowStart[i] !== this.#rowStart[i]) return false;
    for (let k = 0; k < blocks; k++) if (W.columns[k] !== this.#columns[k]) return false;
    return true;
  }

  /** Columns of each row of U: those of the matrix, and of the rows of which this one is the first column. */
  #fill(pattern: SparseRows): number[][] {
    const n = pattern.rows;
    const upper: number[][] = [];
    const children: number[][] = Array.from({ length: n }, () => []);
    const mark = new Int32Array(n).fill(-1);
    for (let i = 0; i < n; i++) {
      const row: number[] = [];
      const add = (j: number): void => {
        if (j <= i || mark[j] === i) return;
        mark[j] = i;
        row.push(j);
      };
      const c = this.order[i];
      for (let k = pattern.rowStart[c]; k < pattern.rowStart[c + 1]; k++) add(this.place[pattern.columns[k]]);
      for (const child of children[i]) upper[child].forEach(add);
      row.sort((a, b) => a - b);
      upper.push(row);
      if (row.length > 0) children[row[0]].push(i);
    }
    return upper;
  }
}

function symmetricPattern(W: BlockRows): SparseRows {
  const rows = Array.from({ length: W.rows }, () => new Set<number>());
  for (let i = 0; i < W.rows; i++) {
    for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++) {
      const j = W.columns[k];
      if (i === j) continue;
      rows[i].add(j);
      rows[j].add(i);
    }
  }
  return sparseFromPattern(rows.map((row) => [...row]));
}

/** A pivot block that is singular to rounding gets this part of its row's size on its diagonal. */
const PERTURBATION = 1e-10;

export class BlockLu {
  #plan: BlockLuPlan | null = null;
  #lower = new Float64Array(0);
  #upper = new Float64Array(0);
  /** inverses of the pivot blocks, or their factors and exchanges of rows where blocks are graded */
  #pivots = new Float64Array(0);
  #exchanges = new Int32Array(0);
  /** one row, as blocks by place in the order */
  #row = new Float64Array(0);
  #vector = new Float64Array(0);
  #block = new Float64Array(0);

  /**
   * @param isGraded whether pivot blocks may have eigenvalues of any magnitude, as blocks of more than three
   *   rows do: only what is exactly singular counts as that, and they are kept as triangular factors. An
   *   explicit inverse has errors of the size of its largest entries, which meet the largest entries of other
   *   blocks when it is multiplied by them (Higham 2002 §14).
   */
  constructor(private readonly isGraded = false) {}

  /**
   * @param diagonal, left D and B: size² entries for each block row, row-major; null for B = 1
   * @returns false when a pivot was not a number
   */
  factor(W: BlockRows, diagonal: Float64Array, left: Float64Array | null): boolean {
    const plan = this.#prepare(W);
    const d = W.size;
    const s = d * d;
    const { order, place, lowerStart, lowerColumns, upperStart, upperColumns } = plan;
    const row = this.#row;
    const lower = this.#lower;
    const upper = this.#upper;
    for (let i = 0; i < W.rows; i++) {
      const c = order[i];
      for (let k = lowerStart[i]; k < lowerStart[i + 1]; k++) clear(row, s * lowerColumns[k], s);
      for (let k = upperStart[i]; k < upperStart[i + 1]; k++) clear(row, s * upperColumns[k], s);
      for (let k = 0; k < s; k++) row[s * i + k] = diagonal[s * c + k];
      for (let k = W.rowStart[c]; k < W.rowStart[c + 1]; k++) {
        const at = s * place[W.columns[k]];
        if (left === null) for (let e = 0; e < s; e++) row[at + e] += W.values[s * k + e];
        else multiplyAdd(d, left, s * c, W.values, s * k, row, at);
      }
      let size = 0;
      for (let a = 0; a < d; a++) size += Math.abs(row[s * i + (d + 1) * a]);
      for (let p = lowerStart[i]; p < lowerStart[i + 1]; p++) {
        const k = lowerColumns[p];
        const to = s * p;
        clear(lower, to, s);
        if (isZero(row, s * k, s)) continue;
        this.#divide(d, row, k, to);
        for (let t = upperStart[k]; t < upperStart[k + 1]; t++) {
          subtractProduct(d, lower, to, upper, s * t, row, s * upperColumns[t]);
        }
      }
      for (let t = upperStart[i]; t < upperStart[i + 1]; t++) {
        const from = s * upperColumns[t];
        for (let k = 0; k < s; k++) upper[s * t + k] = row[from + k];
      }
      if (!this.#invertPivot(i, d, size)) return false;
    }
    return true;
  }

  /** Products of two blocks that factors of that pattern take; it is planned for them. */
  productsFor(W: BlockRows): number {
    return this.#prepare(W).products;
  }

  /** Sign of the determinant of the factors; of graded blocks only. */
  get sign(): number {
    const n = this.#plan?.order.length ?? 0;
    const d = this.#plan?.size ?? 0;
    let sign = 1;
    for (let i = 0; i < n; i++)
      for (let a = 0; a < d; a++) {
        if (this.#pivots[d * d * i + (d + 1) * a] < 0) sign = -sign;
        if (this.#exchanges[d * i + a] !== a) sign = -sign;
      }
    return sign;
  }

  /** x ← (D + B W)⁻¹ x */
  solve(x: Float64Array): void {
    const plan = this.#plan;
    if (plan === null) return;
    const { size: d, order, lowerStart, lowerColumns, upperStart, upperColumns } = plan;
    const n = order.length;
    const s = d * d;
    const y = this.#vector;
    for (let i = 0; i < n; i++) {
      for (let a = 0; a < d; a++) {
        let sum = x[d * order[i] + a];
        for (let p = lowerStart[i]; p < lowerStart[i + 1]; p++) {
          const at = s * p + d * a;
          const from = d * lowerColumns[p];
          for (let b = 0; b < d; b++) sum -= this.#lower[at + b] * y[from + b];
        }
        y[d * i + a] = sum;
      }
    }
    const right = this.#block;
    for (let i = n - 1; i >= 0; i--) {
      for (let a = 0; a < d; a++) {
        let sum = y[d * i + a];
        for (let t = upperStart[i]; t < upperStart[i + 1]; t++) {
          const at = s * t + d * a;
          const from = d * upperColumns[t];
          for (let b = 0; b < d; b++) sum -= this.#upper[at + b] * y[from + b];
        }
        right[a] = sum;
      }
      if (this.isGraded) solveLU(this.#pivots, s * i, d, this.#exchanges, d * i, right, 0);
      for (let a = 0; a < d; a++) {
        let sum = right[a];
        if (!this.isGraded) {
          sum = 0;
          for (let b = 0; b < d; b++) sum += this.#pivots[s * i + d * a + b] * right[b];
        }
        y[d * i + a] = sum;
        x[d * order[i] + a] = sum;
      }
    }
  }

  #prepare(W: BlockRows): BlockLuPlan {
    if (this.#plan?.fits(W) === true) return this.#plan;
    const plan = new BlockLuPlan(W);
    const s = W.size * W.size;
    this.#plan = plan;
    this.#lower = new Float64Array(s * plan.lowerColumns.length);
    this.#upper = new Float64Array(s * plan.upperColumns.length);
    this.#pivots = new Float64Array(s * W.rows);
    this.#row = new Float64Array(s * W.rows);
    this.#vector = new Float64Array(W.size * W.rows);
    this.#block = new Float64Array(W.size);
    this.#exchanges = new Int32Array(W.size * W.rows);
    return plan;
  }

  /** Block `to` of L ← that of the row in column k times the inverse of the pivot k. */
  #divide(d: number, row: Float64Array, k: number, to: number): void {
    const s = d * d;
    const lower = this.#lower;
    if (this.isGraded) {
      for (let e = 0; e < s; e++) lower[to + e] = row[s * k + e];
      divideLU(this.#pivots, s * k, d, this.#exchanges, d * k, lower, to);
    } else multiplyAdd(d, row, s * k, this.#pivots, s * k, lower, to);
  }

  #invertPivot(i: number, d: number, size: number): boolean {
    const s = d * d;
    if (this.isGraded) {
      for (let k = 0; k < s; k++) this.#pivots[s * i + k] = this.#row[s * i + k];
      return factorLU(this.#pivots, s * i, d, this.#exchanges, d * i, 0);
    }
    if (invertBlock(d, this.#row, s * i, this.#pivots, s * i)) return true;
    for (let a = 0; a < d; a++) this.#row[s * i + (d + 1) * a] += PERTURBATION * size;
    return invertBlock(d, this.#row, s * i, this.#pivots, s * i);
  }
}

function clear(a: Float64Array, at: number, length: number): void {
  for (let k = 0; k < length; k++) a[at + k] = 0;
}

function isZero(a: Float64Array, at: number, length: number): boolean {
  for (let k = 0; k < length; k++) if (a[at + k] !== 0) return false;
  return true;
}
