/**
 * What a controller or an observer knows of its plant ẋ = A x + B u: with u held over a period T,
 *
 *     x_{k+1} = Φ x_k + Ψ u_k,     Φ = e^{AT},     Ψ = ∫₀ᵀ e^{As} ds B,
 *
 * both blocks of one exponential (Van Loan 1978).
 */
import { expm } from '../../linalg/expm';
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';

export interface DiscreteModel {
  /** Φ, n × n */
  readonly phi: Float64Array;
  /** Ψ, n × columns */
  readonly psi: Float64Array;
}

/**
 * @param A n × n, row-major
 * @param B n × columns
 */
export function discretise(
  A: Float64Array,
  B: Float64Array,
  n: number,
  columns: number,
  period: number,
): DiscreteModel {
  const width = n + columns;
  const block = new Float64Array(width * width);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) block[i * width + j] = period * A[i * n + j];
    for (let j = 0; j < columns; j++) block[i * width + n + j] = period * B[i * columns + j];
  }
  const exponential = expm(block, width);
  const part = (from: number, count: number): Float64Array =>
    Float64Array.from(
      { length: n * count },
      (_, k) => exponential[Math.floor(k / count) * width + from + (k % count)],
    );
  return { phi: part(0, n), psi: part(n, columns) };
}

/** out ← M x, rows × columns; x may begin within a longer vector */
export function multiply(
  M: Float64Array,
  x: Float64Array,
  rows: number,
  columns: number,
  out: Float64Array,
  xAt = 0,
): void {
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += M[i * columns + j] * x[xAt + j];
    out[i] = sum;
  }
}

/** out += M x */
export function addProduct(
  M: Float64Array,
  x: Float64Array,
  rows: number,
  columns: number,
  out: Float64Array,
  xAt = 0,
): void {
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[i] += M[i * columns + j] * x[xAt + j];
}

/** M N, rows × inner × columns */
export function product(
  M: Float64Array,
  N: Float64Array,
  rows: number,
  inner: number,
  columns: number,
): Float64Array {
  const out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let k = 0; k < inner; k++)
      for (let j = 0; j < columns; j++) out[i * columns + j] += M[i * inner + k] * N[k * columns + j];
  return out;
}

/* Fields of such a model. */

const matrixField = (
  key: string,
  label: string,
  symbol: string,
  rows: 'any' | number,
  help: string,
  required = true,
): FieldDefinition => ({
  key,
  kind: 'matrix',
  rows,
  columns: 'any',
  label,
  symbol,
  unit: '',
  required,
  help,
});

export const matrixA = matrixField('A', 'Matrix of the plant', 'A', 'any', 'Of ẋ = A x + B u, n × n.');
export const matrixB = matrixField(
  'B',
  'Matrix of the control',
  'B',
  'any',
  'A column for each control, n rows.',
);
export const matrixOf = matrixField;

/** Rows and columns that a matrix has in the document; null where it is absent. */
export function sidesOf(
  fields: FieldReader,
  key: string,
): { readonly rows: number; readonly columns: number } | null {
  const rows = fields.matrixRows(key);
  const columns = fields.matrixColumns(key);
  return rows === 0 || columns === 0 ? null : { rows, columns };
}

/** Reports a matrix of another shape. @returns its values, null after a reported defect */
export function readShaped(
  fields: FieldReader,
  key: string,
  rows: number,
  columns: number,
): Float64Array | null {
  const reported = fields.defectCount;
  const values = fields.matrix(key, rows, columns);
  return fields.defectCount > reported ? null : values;
}
