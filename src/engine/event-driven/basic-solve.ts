/**
 * W λ = r where W may be singular: a basic solution. Gaussian elimination takes the columns in the order given, with the
 * largest pivot of the rows that are left; a column without a pivot depends on those before it and gets λ = 0. Of
 * dependent contacts those that come first keep the force, which is how the order says which ones push.
 */

/** Pivots below this part of their column's largest entry are what cancellation leaves of zero. */
const DEPENDENT = 1e-11;

export class BasicSolve {
  /** to be filled column by column before `factor`, count × count from 0 on; factors afterwards */
  readonly matrix: Float64Array;
  readonly rhs: Float64Array;
  rank = 0;
  #count = 0;
  /** row exchanged with row `rank` at each pivot, and the column of that pivot */
  readonly #exchanged: Int32Array;
  readonly #columns: Int32Array;

  constructor(capacity: number) {
    this.matrix = new Float64Array(capacity * capacity);
    this.rhs = new Float64Array(capacity);
    this.#exchanged = new Int32Array(capacity);
    this.#columns = new Int32Array(capacity);
  }

  factor(count: number): void {
    const a = this.matrix;
    const n = count;
    this.#count = n;
    this.rank = 0;
    for (let c = 0; c < n; c++) {
      const column = c * n;
      let scale = 0;
      for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(a[column + i]));
      this.#eliminate(column);
      const r = this.rank;
      let pivot = r;
      for (let i = r + 1; i < n; i++) if (Math.abs(a[column + i]) > Math.abs(a[column + pivot])) pivot = i;
      if (r >= n || !(Math.abs(a[column + pivot]) > DEPENDENT * scale)) continue;
      this.#exchanged[r] = pivot;
      this.#columns[r] = c;
      // Factors of earlier pivots move with their rows.
      for (let p = 0; p <= r; p++) {
        const at = (p === r ? c : this.#columns[p]) * n;
        const value = a[at + r];
        a[at + r] = a[at + pivot];
        a[at + pivot] = value;
      }
      const inverse = 1 / a[column + r];
      for (let i = r + 1; i < n; i++) a[column + i] *= inverse;
      this.rank++;
    }
  }

  /** Exchanges and eliminations of the pivots so far in a column of the matrix. */
  #eliminate(column: number): void {
    const a = this.matrix;
    const n = this.#count;
    for (let p = 0; p < this.rank; p++) {
      const exchanged = this.#exchanged[p];
      const value = a[column + exchanged];
      a[column + exchanged] = a[column + p];
      a[column + p] = value;
    }
    for (let p = 0; p < this.rank; p++) {
      const value = a[column + p];
      if (value === 0) continue;
      const factors = this.#columns[p] * n;
      for (let i = p + 1; i < n; i++) a[column + i] -= a[factors + i] * value;
    }
  }

  /** Replaces rhs by λ. */
  solve(): void {
    const { matrix: a, rhs, rank } = this;
    const n = this.#count;
    for (let p = 0; p < rank; p++) {
      const exchanged = this.#exchanged[p];
      const value = rhs[exchanged];
      rhs[exchanged] = rhs[p];
      rhs[p] = value;
    }
    for (let p = 0; p < rank; p++) {
      const factors = this.#columns[p] * n;
      for (let i = p + 1; i < n; i++) rhs[i] -= a[factors + i] * rhs[p];
    }
    for (let p = rank - 1; p >= 0; p--) {
      const factors = this.#columns[p] * n;
      const value = rhs[p] / a[factors + p];
      rhs[p] = value;
      for (let i = 0; i < p; i++) rhs[i] -= a[factors + i] * value;
    }
    // The unknowns stand in the order of the pivots; spread them from behind, where columns are not before pivots.
    for (let i = rank; i < n; i++) rhs[i] = 0;
    for (let p = rank - 1; p >= 0; p--) {
      const c = this.#columns[p];
      if (c === p) continue;
      rhs[c] = rhs[p];
      rhs[p] = 0;
    }
  }
}
