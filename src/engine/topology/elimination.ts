/**
 * Gaussian elimination with complete pivoting that decides on rank. An entry of the rest counts as zero when
 * it is small relative to the magnitude of what was subtracted to get it, m_ij = m⁰_ij + Σ_k |l_ik| |u_kj|:
 * then a change of the matrix by that fraction of its own magnitudes makes the rank smaller (backward error
 * of elimination: Higham 2002, theorem 9.3). The decision is the same in all units; only the choice among the
 * pivots uses a scaling of rows and columns.
 */

/*
 * Sparse vectors whose entries know what they were made of. Beside each value v stands its magnitude m, the
 * same sum of products taken with absolute values. Rounding leaves v wrong by a modest multiple of m·2⁻⁵³, so
 * v counts as zero when it is small relative to m. Unlike a comparison with a norm, this decision does not
 * change when states, outputs or multipliers are measured in other units: v and m scale alike.
 */

/**
 * Values below this fraction of what cancelled in them are zero. Sums over hundreds of terms leave 1e-13;
 * matrices typed with ten digits or more still cancel as meant.
 */
export const CANCELLED = 1e-10;

/** Magnitudes are brought back to 1 when they leave this range, long before anything overflows. */
const SCALE_LIMIT = 2 ** 200;

export class TrackedVector {
  readonly value: Float64Array;
  readonly magnitude: Float64Array;
  /** indices of the entries that may be non-zero, in the order they appeared */
  readonly support: Int32Array;
  count = 0;
  readonly #present: Uint8Array;

  constructor(length: number) {
    this.value = new Float64Array(length);
    this.magnitude = new Float64Array(length);
    this.support = new Int32Array(length);
    this.#present = new Uint8Array(length);
  }

  clear(): void {
    for (let k = 0; k < this.count; k++) {
      const i = this.support[k];
      this.value[i] = 0;
      this.magnitude[i] = 0;
      this.#present[i] = 0;
    }
    this.count = 0;
  }

  add(i: number, value: number, magnitude: number): void {
    if (magnitude === 0) return;
    if (this.#present[i] === 0) {
      this.#present[i] = 1;
      this.support[this.count++] = i;
    }
    this.value[i] += value;
    this.magnitude[i] += magnitude;
  }

  isNonZero(i: number): boolean {
    return Math.abs(this.value[i]) > CANCELLED * this.magnitude[i];
  }

  /** Whether an entry with index in [from, to) is non-zero. */
  hasNonZero(from = 0, to = this.value.length): boolean {
    for (let k = 0; k < this.count; k++) {
      const i = this.support[k];
      if (i >= from && i < to && this.isNonZero(i)) return true;
    }
    return false;
  }

  /**
   * Multiplies by a power of two, which is exact, where the magnitudes have become very large or very small.
   */
  rescale(): void {
    let largest = 0;
    for (let k = 0; k < this.count; k++) largest = Math.max(largest, this.magnitude[this.support[k]]);
    if (largest === 0 || (largest < SCALE_LIMIT && largest > 1 / SCALE_LIMIT)) return;
    const factor = 2 ** -Math.round(Math.log2(largest));
    for (let k = 0; k < this.count; k++) {
      const i = this.support[k];
      this.value[i] *= factor;
      this.magnitude[i] *= factor;
    }
  }
}

/** Dense, row-major, with the magnitudes that cancelled in its entries. */
export interface TrackedMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
  readonly magnitudes: Float64Array;
}

export interface Elimination {
  readonly rank: number;
  /** by row: 1 for rows that gave a pivot; the other rows have become zero in the pivot columns */
  readonly isPivot: Uint8Array;
}

export function trackedMatrix(rows: number, columns: number): TrackedMatrix {
  return {
    rows,
    columns,
    values: new Float64Array(rows * columns),
    magnitudes: new Float64Array(rows * columns),
  };
}

/**
 * Eliminates in place. Rows are not exchanged: a row that gives no pivot ends as the combination of rows that
 * vanishes in the pivot columns, with whatever stands in the further columns carried along.
 * @param pivotColumns pivots are sought in the first columns only
 */
export function eliminate(matrix: TrackedMatrix, pivotColumns = matrix.columns): Elimination {
  const { rows, values, magnitudes } = matrix;
  for (let k = 0; k < values.length; k++) if (Math.abs(values[k]) <= CANCELLED * magnitudes[k]) values[k] = 0;
  const isPivot = new Uint8Array(rows);
  const columnTaken = new Uint8Array(pivotColumns);
  const scale = scaling(matrix, pivotColumns);
  let rank = 0;
  for (; rank < Math.min(rows, pivotColumns); rank++) {
    const place = findPivot(matrix, isPivot, columnTaken, scale);
    if (place < 0) break;
    const row = Math.floor(place / matrix.columns);
    const column = place % matrix.columns;
    isPivot[row] = 1;
    columnTaken[column] = 1;
    for (let i = 0; i < rows; i++) if (isPivot[i] === 0) subtract(matrix, i, row, column);
  }
  return { rank, isPivot };
}

/** Row i minus the multiple of row p that makes its entry in the column zero. */
function subtract(
  { values, magnitudes, columns }: TrackedMatrix,
  i: number,
  p: number,
  column: number,
): void {
  const entry = values[i * columns + column];
  if (entry === 0) return;
  const factor = entry / values[p * columns + column];
  for (let j = 0; j < columns; j++) {
    const product = factor * values[p * columns + j];
    const at = i * columns + j;
    values[at] -= product;
    magnitudes[at] += Math.abs(product);
    // What is left of a cancellation must not pass for data in the rows it is subtracted from.
    if (Math.abs(values[at]) <= CANCELLED * magnitudes[at]) values[at] = 0;
  }
  values[i * columns + column] = 0;
}

interface Scaling {
  readonly row: Float64Array;
  readonly column: Float64Array;
}

/** Largest scaled entry of the rest. @returns its index, −1 when there is none */
function findPivot(
  { rows, columns, values }: TrackedMatrix,
  isPivot: Uint8Array,
  columnTaken: Uint8Array,
  scale: Scaling,
): number {
  let best = 0;
  let place = -1;
  for (let i = 0; i < rows; i++) {
    if (isPivot[i] === 1) continue;
    for (let j = 0; j < columnTaken.length; j++) {
      const size = Math.abs(values[i * columns + j]);
      if (columnTaken[j] === 1) continue;
      const scaled = size * scale.row[i] * scale.column[j];
      if (scaled <= best) continue;
      best = scaled;
      place = i * columns + j;
    }
  }
  return place;
}

/**
 * Alternating between rows and columns brings the logarithms near to their least squares in this many rounds.
 */
const ROUNDS = 5;

/**
 * Factors for rows and columns after which the logarithms of the non-zero entries are as small as possible:
 * what the matrix looks like when units are forgotten. Scaling by largest entries would not do: it leaves an
 * entry that only its units have made large as large as any. Curtis and Reid 1972.
 */
function scaling({ rows, columns, values }: TrackedMatrix, pivotColumns: number): Scaling {
  const row = new Float64Array(rows);
  const column = new Float64Array(pivotColumns);
  for (let round = 0; round < ROUNDS; round++) {
    const sum = new Float64Array(pivotColumns);
    const count = new Int32Array(pivotColumns);
    for (let i = 0; i < rows; i++) {
      let rowSum = 0;
      let rowCount = 0;
      for (let j = 0; j < pivotColumns; j++) {
        const value = values[i * columns + j];
        if (value === 0) continue;
        rowSum += Math.log2(Math.abs(value)) + column[j];
        rowCount++;
      }
      row[i] = rowCount > 0 ? -rowSum / rowCount : 0;
      for (let j = 0; j < pivotColumns; j++) {
        const value = values[i * columns + j];
        if (value === 0) continue;
        sum[j] += Math.log2(Math.abs(value)) + row[i];
        count[j]++;
      }
    }
    for (let j = 0; j < pivotColumns; j++) column[j] = count[j] > 0 ? -sum[j] / count[j] : 0;
  }
  return { row: row.map((x) => 2 ** x), column: column.map((x) => 2 ** x) };
}
