/**
 * Sparse LU factors of matrices of one pattern, whose values change: where entries of the factors stand is
 * found once (Duff, Erisman and Reid 2017, §10). Rows are eliminated in a given order without exchanges, so
 * that nothing is searched for between two factorisations; a pivot that is nothing is replaced by a small one
 * (Li and Demmel 1998), and what that does is taken out by iterative refinement. Whether a solution is one
 * says its residual.
 */
import { minimumDegree } from './ordering';
import { type SparseRows, sparseFromPattern } from './sparse';

/** Pivots below the first part of the largest entry of their row are replaced by the second one of it. */
const NOTHING = 1e-12;
const REPLACED = 2 ** -26;

/** The pattern of a + ᵗa with its diagonal. */
function symmetric({ rows, rowStart, columns }: SparseRows): SparseRows {
  const sets = Array.from({ length: rows }, (_, i) => new Set([i]));
  for (let i = 0; i < rows; i++)
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      sets[i].add(columns[k]);
      sets[columns[k]].add(i);
    }
  return sparseFromPattern(sets.map((set) => [...set].sort((a, b) => a - b)));
}

/**
 * An order of elimination: the least degree first, but rows whose own entry may be nothing behind those that
 * they stand in.
 * @param late 1 for these
 */
function orderOf(pattern: SparseRows, late: Uint8Array): Int32Array {
  const { rows, rowStart, columns } = pattern;
  const order = minimumDegree(pattern);
  /** of each row, those behind it at the latest that wait for it */
  const left = new Int32Array(rows);
  for (let i = 0; i < rows; i++)
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
      if (late[i] === 1 && late[columns[k]] === 0) left[i]++;
  const out = new Int32Array(rows);
  const isWaiting = new Uint8Array(rows);
  let count = 0;
  for (const row of order) {
    if (left[row] > 0) {
      isWaiting[row] = 1;
      continue;
    }
    out[count++] = row;
    if (late[row] === 1) continue;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      const other = columns[k];
      if (late[other] === 0 || --left[other] > 0 || isWaiting[other] === 0) continue;
      out[count++] = other;
    }
  }
  return out;
}

export class SparseLU {
  /** pivots that were replaced by the last factorisation */
  replaced = 0;
  /** entries of the factors */
  readonly entries: number;
  readonly #n: number;
  readonly #order: Int32Array;
  /** rows of L without its diagonal and of U without it, in the order of elimination */
  readonly #lower: SparseRows;
  readonly #upper: SparseRows;
  readonly #pivots: Float64Array;
  /** column of each entry of the matrix in the order of elimination */
  readonly #columns: Int32Array;
  readonly #work: Float64Array;
  readonly #solution: Float64Array;

  /**
   * @param matrix square; its values are read by `factor`
   * @param late 1 for rows whose own entry may be nothing, so that they come behind those that they stand in
   */
  constructor(
    private readonly matrix: SparseRows,
    late: Uint8Array = new Uint8Array(matrix.rows),
  ) {
    const n = matrix.rows;
    this.#n = n;
    const pattern = symmetric(matrix);
    this.#order = orderOf(pattern, late);
    const place = new Int32Array(n);
    this.#order.forEach((row, k) => (place[row] = k));
    this.#columns = matrix.columns.map((column) => place[column]);
    const upper = filled(pattern, this.#order, place);
    const lower: number[][] = Array.from({ length: n }, () => []);
    upper.forEach((columns, i) => {
      for (const j of columns) lower[j].push(i);
    });
    this.#upper = sparseFromPattern(upper);
    this.#lower = sparseFromPattern(lower);
    this.#pivots = new Float64Array(n);
    this.#work = new Float64Array(n);
    this.#solution = new Float64Array(n);
    this.entries = n + 2 * this.#upper.columns.length;
  }

  /** Factors the present values of the matrix. */
  factor(): void {
    const { matrix } = this;
    const work = this.#work;
    const columns = this.#columns;
    const [L, U, pivots] = [this.#lower, this.#upper, this.#pivots];
    this.replaced = 0;
    for (let i = 0; i < this.#n; i++) {
      const row = this.#order[i];
      let most = 0;
      for (let k = matrix.rowStart[row]; k < matrix.rowStart[row + 1]; k++) {
        const value = matrix.values[k];
        work[columns[k]] += value;
        if (value > most) most = value;
        else if (-value > most) most = -value;
      }
      for (let k = L.rowStart[i]; k < L.rowStart[i + 1]; k++) {
        const j = L.columns[k];
        const factor = work[j] / pivots[j];
        work[j] = 0;
        L.values[k] = factor;
        if (factor === 0) continue;
        for (let e = U.rowStart[j]; e < U.rowStart[j + 1]; e++) work[U.columns[e]] -= factor * U.values[e];
      }
      for (let k = U.rowStart[i]; k < U.rowStart[i + 1]; k++) {
        U.values[k] = work[U.columns[k]];
        work[U.columns[k]] = 0;
      }
      const pivot = work[i];
      work[i] = 0;
      const isNothing = !(Math.abs(pivot) > NOTHING * most);
      if (isNothing) this.replaced++;
      pivots[i] = isNothing ? REPLACED * (most > 0 ? most : 1) : pivot;
    }
  }

  /** x ← A⁻¹ b, by the factors alone. */
  solve(b: Float64Array, x: Float64Array): void {
    const y = this.#solution;
    const [L, U, pivots, order] = [this.#lower, this.#upper, this.#pivots, this.#order];
    for (let i = 0; i < this.#n; i++) {
      let sum = b[order[i]];
      for (let k = L.rowStart[i]; k < L.rowStart[i + 1]; k++) sum -= L.values[k] * y[L.columns[k]];
      y[i] = sum;
    }
    for (let i = this.#n - 1; i >= 0; i--) {
      let sum = y[i];
      for (let k = U.rowStart[i]; k < U.rowStart[i + 1]; k++) sum -= U.values[k] * y[U.columns[k]];
      y[i] = sum / pivots[i];
    }
    for (let i = 0; i < this.#n; i++) x[order[i]] = y[i];
  }
}

/** Columns of the rows of U behind their diagonals, in the order of elimination. */
function filled({ rowStart, columns }: SparseRows, order: Int32Array, place: Int32Array): number[][] {
  const n = order.length;
  const upper: number[][] = Array.from({ length: n }, () => []);
  /** rows whose first entry is in a column: what they couple goes on there */
  const children: number[][] = Array.from({ length: n }, () => []);
  const mark = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    const row = order[i];
    const own: number[] = [];
    const add = (column: number): void => {
      if (column <= i || mark[column] === i) return;
      mark[column] = i;
      own.push(column);
    };
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) add(place[columns[k]]);
    for (const child of children[i]) upper[child].forEach(add);
    own.sort((a, b) => a - b);
    upper[i] = own;
    if (own.length > 0) children[own[0]].push(i);
  }
  return upper;
}
