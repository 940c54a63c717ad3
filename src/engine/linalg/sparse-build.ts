/** Sparse matrices from dense ones and from lists of entries, and back. For set-up, not for the time loop. */
import type { SparseRows } from './csr';

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

/** Writes a sparse matrix into a dense one. @param out rows × columns, row-major */
export function expandInto(a: SparseRows, columns: number, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < a.rows; i++) {
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) out[i * columns + a.columns[k]] += a.values[k];
  }
}
