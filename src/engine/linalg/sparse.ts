/**
 * Compressed sparse rows: row i holds the entries rowStart[i] … rowStart[i+1]−1 of `columns` and `values`.
 */
export interface SparseRows {
  readonly rows: number;
  readonly rowStart: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/** Builds the structure from lists of columns, with values 0. */
export function sparseFromPattern(pattern: readonly (readonly number[])[]): SparseRows {
  const rowStart = new Int32Array(pattern.length + 1);
  pattern.forEach((columns, i) => (rowStart[i + 1] = rowStart[i] + columns.length));
  const columns = new Int32Array(rowStart[pattern.length]);
  pattern.forEach((row, i) => columns.set(row, rowStart[i]));
  return { rows: pattern.length, rowStart, columns, values: new Float64Array(columns.length) };
}

/** Inner product of row i with a dense vector. */
export function rowDot(a: SparseRows, i: number, x: Float64Array): number {
  let sum = 0;
  for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) sum += a.values[k] * x[a.columns[k]];
  return sum;
}

/* Sparse matrices from dense ones and from lists of entries, and back. For set-up, not for the time loop. */

/** Entry (i, j) of a matrix. */
export type MatrixEntry = readonly [i: number, j: number, value: number];

/**
 * Sums the entries of each place, as finite-element assembly does; columns of a row ascend.
 * @param entries with 0 ≤ i < rows; entries of one place are added in the order given
 */
export function sparseFromEntries(rows: number, entries: readonly MatrixEntry[]): SparseRows {
  const order = entries.map((_, k) => k);
  order.sort((a, b) => entries[a][0] - entries[b][0] || entries[a][1] - entries[b][1] || a - b);
  const rowStart = new Int32Array(rows + 1);
  const columns = new Int32Array(entries.length);
  const values = new Float64Array(entries.length);
  let count = 0;
  let lastRow = -1;
  for (const k of order) {
    const [i, j, value] = entries[k];
    if (i === lastRow && columns[count - 1] === j) {
      values[count - 1] += value;
      continue;
    }
    columns[count] = j;
    values[count++] = value;
    rowStart[i + 1]++;
    lastRow = i;
  }
  for (let i = 0; i < rows; i++) rowStart[i + 1] += rowStart[i];
  return { rows, rowStart, columns: columns.slice(0, count), values: values.slice(0, count) };
}

/** The entries of a dense matrix that are not zero. @param a rows × columns, row-major */
export function sparseFromDense(a: Float64Array, rows: number, columns: number): SparseRows {
  const rowStart = new Int32Array(rows + 1);
  const places: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const value = a[i * columns + j];
      if (value === 0) continue;
      places.push(j);
      values.push(value);
    }
    rowStart[i + 1] = places.length;
  }
  return { rows, rowStart, columns: Int32Array.from(places), values: Float64Array.from(values) };
}

/**
 * Whether a square matrix equals its transpose, exactly: data given as symmetric are so to the last bit.
 * @param a columns of a row ascending; null stands for the zero matrix
 */
export function isSparseSymmetric(a: SparseRows | null): boolean {
  if (a === null) return true;
  const entry = (i: number, j: number): number => {
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) if (a.columns[k] === j) return a.values[k];
    return 0;
  };
  for (let i = 0; i < a.rows; i++) {
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++)
      if (a.values[k] !== entry(a.columns[k], i)) return false;
  }
  return true;
}

/** Writes a sparse matrix into a dense one. @param out rows × columns, row-major */
export function expandInto(a: SparseRows, columns: number, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < a.rows; i++) {
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) out[i * columns + a.columns[k]] += a.values[k];
  }
}

/*
 * Products of a constant sparse matrix with vectors. Diagonal and tridiagonal matrices, of point masses and
 * of chains, are kept by diagonals and run through without indices; others by rows. Terms are added by
 * ascending column.
 */
export class SparseProduct {
  readonly #shape: 'diagonal' | 'tridiagonal' | 'general';
  readonly #matrix: SparseRows;
  // Entries (i, i − 1), (i, i) and (i, i + 1).
  readonly #lower: Float64Array;
  readonly #main: Float64Array;
  readonly #upper: Float64Array;

  /** @param matrix square; its values are copied */
  constructor(matrix: SparseRows) {
    const { rows: n, rowStart, columns, values } = matrix;
    let width = 0;
    for (let i = 0; i < n; i++)
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) width = Math.max(width, Math.abs(columns[k] - i));
    this.#shape = width === 0 ? 'diagonal' : width === 1 ? 'tridiagonal' : 'general';
    this.#matrix = { ...matrix, values: values.slice() };
    const stored = width <= 1 ? n : 0;
    this.#main = new Float64Array(stored);
    this.#lower = new Float64Array(width === 1 ? n : 0);
    this.#upper = new Float64Array(width === 1 ? n : 0);
    if (width > 1) return;
    for (let i = 0; i < n; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const diagonal = columns[k] < i ? this.#lower : columns[k] > i ? this.#upper : this.#main;
        diagonal[i] += values[k];
      }
    }
  }

  /** Entries (i, i − 1), (i, i) and (i, i + 1); null where there are others, or none beside the diagonal. */
  get diagonals(): Record<'lower' | 'main' | 'upper', Float64Array> | null {
    if (this.#shape !== 'tridiagonal') return null;
    return { lower: this.#lower, main: this.#main, upper: this.#upper };
  }

  /** out[i] ← Σ_j a_ij x_j for from ≤ i < to. @param from rows whose columns all stand in x */
  multiply(x: Float64Array, out: Float64Array, from: number, to: number): void {
    const main = this.#main;
    if (this.#shape === 'diagonal') {
      for (let i = from; i < to; i++) out[i] = main[i] * x[i];
      return;
    }
    if (this.#shape === 'general') {
      const { rowStart, columns, values } = this.#matrix;
      for (let i = from; i < to; i++) {
        let sum = 0;
        for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += values[k] * x[columns[k]];
        out[i] = sum;
      }
      return;
    }
    const lower = this.#lower;
    const upper = this.#upper;
    const last = main.length - 1;
    for (let i = from; i < to; i++) {
      let sum = i > 0 ? lower[i] * x[i - 1] : 0;
      sum += main[i] * x[i];
      if (i < last) sum += upper[i] * x[i + 1];
      out[i] = sum;
    }
  }
}

/* Linear combinations of sparse matrices on a pattern that is laid out once. */

export class SparseSum {
  /** the combination; its values are those of the last `combine` */
  readonly result: SparseRows;
  /** place of each entry of each term in the result */
  readonly #places: Int32Array[];

  /**
   * @param terms square matrices of one size; null stands for zero. The diagonal is always part of the
   *   pattern.
   */
  constructor(
    n: number,
    private readonly terms: readonly (SparseRows | null)[],
  ) {
    const pattern = Array.from({ length: n }, (_, i) => new Set([i]));
    for (const term of terms) {
      if (term === null) continue;
      for (let i = 0; i < n; i++)
        for (let k = term.rowStart[i]; k < term.rowStart[i + 1]; k++) pattern[i].add(term.columns[k]);
    }
    this.result = sparseFromPattern(pattern.map((set) => [...set].sort((a, b) => a - b)));
    this.#places = terms.map((term) => (term === null ? new Int32Array(0) : this.#placesOf(term)));
  }

  #placesOf(term: SparseRows): Int32Array {
    const { rowStart, columns } = this.result;
    const places = new Int32Array(term.columns.length);
    for (let i = 0; i < term.rows; i++) {
      for (let k = term.rowStart[i]; k < term.rowStart[i + 1]; k++)
        places[k] = columns.subarray(rowStart[i], rowStart[i + 1]).indexOf(term.columns[k]) + rowStart[i];
    }
    return places;
  }

  /** result ← Σ weights[j] · terms[j] */
  combine(weights: Float64Array): void {
    const { values } = this.result;
    values.fill(0);
    for (let j = 0; j < this.terms.length; j++) {
      const term = this.terms[j];
      if (term === null) continue;
      const places = this.#places[j];
      const weight = weights[j];
      for (let k = 0; k < places.length; k++) values[places[k]] += weight * term.values[k];
    }
  }
}
