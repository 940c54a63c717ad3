/**
 * Block compressed sparse rows with square blocks of one size: block row i holds the blocks rowStart[i] …
 * rowStart[i+1]−1, of which block k stands in block column columns[k], row-major at k size² of `values`.
 * Columns ascend within a row, and each row has a diagonal block, at diagonal[i].
 */
export interface BlockRows {
  /** 2 or 3 */
  readonly size: number;
  /** block rows in use; the arrays may have room for more */
  rows: number;
  rowStart: Int32Array;
  columns: Int32Array;
  diagonal: Int32Array;
  values: Float64Array;
}

/** @param rows, blocks room for that many */
export function createBlockRows(size: number, rows: number, blocks: number): BlockRows {
  return {
    size,
    rows: 0,
    rowStart: new Int32Array(rows + 1),
    columns: new Int32Array(blocks),
    diagonal: new Int32Array(rows),
    values: new Float64Array(blocks * size * size),
  };
}

/** y ← A x + b, with x, y, b of rows · size entries; y may be b, but not x. */
export function multiplyBlocks(a: BlockRows, x: Float64Array, b: Float64Array, y: Float64Array): void {
  if (a.size === 3) multiply3(a, x, b, y);
  else multiply2(a, x, b, y);
}

function multiply3(a: BlockRows, x: Float64Array, b: Float64Array, y: Float64Array): void {
  const { rows, rowStart, columns, values } = a;
  for (let i = 0; i < rows; i++) {
    let y0 = b[3 * i];
    let y1 = b[3 * i + 1];
    let y2 = b[3 * i + 2];
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const j = 3 * columns[k];
      const v = 9 * k;
      const x0 = x[j];
      const x1 = x[j + 1];
      const x2 = x[j + 2];
      y0 += values[v] * x0 + values[v + 1] * x1 + values[v + 2] * x2;
      y1 += values[v + 3] * x0 + values[v + 4] * x1 + values[v + 5] * x2;
      y2 += values[v + 6] * x0 + values[v + 7] * x1 + values[v + 8] * x2;
    }
    y[3 * i] = y0;
    y[3 * i + 1] = y1;
    y[3 * i + 2] = y2;
  }
}

function multiply2(a: BlockRows, x: Float64Array, b: Float64Array, y: Float64Array): void {
  const { rows, rowStart, columns, values } = a;
  for (let i = 0; i < rows; i++) {
    let y0 = b[2 * i];
    let y1 = b[2 * i + 1];
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const j = 2 * columns[k];
      const v = 4 * k;
      y0 += values[v] * x[j] + values[v + 1] * x[j + 1];
      y1 += values[v + 2] * x[j] + values[v + 3] * x[j + 1];
    }
    y[2 * i] = y0;
    y[2 * i + 1] = y1;
  }
}

/** Gives `to`, which has room for it, the rows and columns of `from`, not its values. */
export function copyPattern(from: BlockRows, to: BlockRows): void {
  to.rows = from.rows;
  for (let i = 0; i <= from.rows; i++) to.rowStart[i] = from.rowStart[i];
  for (let i = 0; i < from.rows; i++) to.diagonal[i] = from.diagonal[i];
  for (let k = 0; k < from.rowStart[from.rows]; k++) to.columns[k] = from.columns[k];
}
