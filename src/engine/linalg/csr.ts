/** Compressed sparse rows: row i holds the entries rowStart[i] … rowStart[i+1]−1 of `columns` and `values`. */
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

/** y += s · (row i)ᵀ */
export function addScaledRow(a: SparseRows, i: number, s: number, y: Float64Array): void {
  for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) y[a.columns[k]] += s * a.values[k];
}
