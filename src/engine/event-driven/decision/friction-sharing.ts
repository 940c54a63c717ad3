/**
 * How contacts that stick share a tangential force that the motion leaves open, as the two feet of a block on
 * a slope do. Of the forces with the same effect, those with the least
 *
 *     Σ λ_t² / (μ λ_n)
 *
 * are taken at every time: on feet in one plane the ratios λ_t/(μ λ_n) are then equal, so that all feet slip
 * at the same load, which is what a body on a plane does as a whole. With N the null vectors of W among these
 * rows, M⁻¹ ᵗC_t N = 0, and D = diag(1/(μ λ_n)),
 *
 *     λ_t ← λ_t − N α,     (ᵗN D N) α = ᵗN D λ_t.
 *
 * The motion does not notice.
 */
import type { RowLaws } from '../rows/row-laws';
import type { FrictionCoupling } from './friction-coupling';

/*
 * W λ = r where W may be singular: a basic solution. Gaussian elimination takes the columns in the order
 * given, with the largest pivot of the rows that are left; a column without a pivot depends on those before
 * it and gets λ = 0. Of dependent contacts those that come first keep the force, which is how the order says
 * which ones push.
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

  /** Column of the k-th pivot. */
  pivot(k: number): number {
    return this.#columns[k];
  }

  /** Of the matrix that was factorised last; 0 where a column depends on others. */
  get determinant(): number {
    const n = this.#count;
    if (this.rank < n) return 0;
    let product = 1;
    for (let p = 0; p < n; p++) {
      product *= this.matrix[p * n + p];
      if (this.#exchanged[p] !== p) product = -product;
    }
    return product;
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
    // The unknowns stand in the order of the pivots; spread them from behind, where columns are not before
    // pivots.
    for (let i = rank; i < n; i++) rhs[i] = 0;
    for (let p = rank - 1; p >= 0; p--) {
      const c = this.#columns[p];
      if (c === p) continue;
      rhs[c] = rhs[p];
      rhs[p] = 0;
    }
  }
}

/** Null vectors of a square matrix, as basic solutions give them. */
export class NullVectors {
  /** one after the other, as long as the matrix has rows */
  readonly vectors: Float64Array;
  dimension = 0;
  readonly #solver: BasicSolve;

  constructor(capacity: number) {
    this.#solver = new BasicSolve(capacity);
    this.vectors = new Float64Array(capacity * capacity);
  }

  /** @param columns of the n × n matrix, one after the other */
  find(columns: Float64Array, n: number): void {
    const solver = this.#solver;
    const { matrix, rhs } = solver;
    for (let k = 0; k < n * n; k++) matrix[k] = columns[k];
    solver.factor(n);
    this.dimension = 0;
    if (solver.rank === n) return;
    for (let c = 0; c < n; c++) {
      for (let i = 0; i < n; i++) rhs[i] = columns[c * n + i];
      solver.solve();
      // A column with a pivot is 1 times itself; one without is made of others.
      if (rhs[c] !== 0) continue;
      const at = n * this.dimension++;
      for (let i = 0; i < n; i++) this.vectors[at + i] = i === c ? 1 : -rhs[i];
    }
  }
}

/**
 * Normal forces below this part of the largest count as that much: the share of a contact that takes off is
 * none.
 */
const SMALLEST_SHARE = 1e-12;

/** What forms W among rows: the flow. */
interface OperatorSource {
  readonly rows: { readonly isConstant: boolean };
  fillOperator(list: Int32Array, count: number, matrix: Float64Array, isCoupled: boolean): void;
}

export class FrictionSharing {
  readonly #list: Int32Array;
  #count = 0;
  #isKnown = false;
  readonly #matrix: Float64Array;
  readonly #gram: BasicSolve;
  readonly #null: NullVectors;
  /** μ λ_n of each row of the list */
  readonly #bounds: Float64Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly friction: FrictionCoupling,
    private readonly flow: OperatorSource,
  ) {
    const n = laws.frictionRows.length;
    this.#list = new Int32Array(n);
    this.#matrix = new Float64Array(n * n);
    this.#gram = new BasicSolve(n);
    this.#null = new NullVectors(n);
    this.#bounds = new Float64Array(n);
  }

  /** After the modes have changed. */
  begin(): void {
    const { frictionRows, mu } = this.laws;
    this.#count = 0;
    this.#isKnown = false;
    for (let k = 0; k < frictionRows.length; k++) {
      const row = frictionRows[k];
      if (this.friction.isSticking(row) && mu[row] > 0) this.#list[this.#count++] = row;
    }
  }

  /**
   * Shares again the tangential forces of sticking contacts.
   * @param lambda forces by row, with rows of the last update
   */
  share(lambda: Float64Array): void {
    if (this.#count < 2) return;
    if (!this.#isKnown) {
      this.#findNullVectors();
      this.#isKnown = this.flow.rows.isConstant;
    }
    if (this.#null.dimension > 0) this.#change(lambda);
  }

  #findNullVectors(): void {
    this.flow.fillOperator(this.#list, this.#count, this.#matrix, false);
    this.#null.find(this.#matrix, this.#count);
  }

  #change(lambda: Float64Array): void {
    const n = this.#count;
    const { dimension: m, vectors: N } = this.#null;
    const list = this.#list;
    const { mu } = this.laws;
    const bounds = this.#bounds;
    let largest = 0;
    for (let i = 0; i < n; i++) {
      bounds[i] = mu[list[i]] * lambda[list[i] - 1];
      if (bounds[i] > largest) largest = bounds[i];
    }
    if (!(largest > 0)) return;
    const { matrix, rhs } = this.#gram;
    for (let a = 0; a < m; a++) {
      rhs[a] = 0;
      for (let b = 0; b < m; b++) matrix[b * m + a] = 0;
      for (let i = 0; i < n; i++) {
        const part = N[a * n + i] / Math.max(bounds[i], SMALLEST_SHARE * largest);
        rhs[a] += part * lambda[list[i]];
        for (let b = 0; b < m; b++) matrix[b * m + a] += part * N[b * n + i];
      }
    }
    this.#gram.factor(m);
    this.#gram.solve();
    for (let i = 0; i < n; i++) for (let a = 0; a < m; a++) lambda[list[i]] -= rhs[a] * N[a * n + i];
  }
}
