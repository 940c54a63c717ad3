/** Linear time-invariant systems ż = A z + b, whose motion is a matrix exponential. */

export interface LinearSystem {
  /** number n of components of z */
  readonly size: number;
  /** A, n × n, row-major */
  readonly matrix: Float64Array;
  /** A without its zeros, where it is known by that; absent where the matrix is to be searched */
  readonly pattern?: NonzeroPattern;
  /** b, n entries */
  readonly constant: Float64Array;
}

/**
 * Largest order of a Taylor polynomial. With ‖A‖h ≤ `RADIUS` it leaves out 2 · 1.5²²/23! = 6e-19 of what the
 * rate alone would move the state by.
 */
export const MAX_ORDER = 22;
/** Coefficients of one component. */
export const ROW = MAX_ORDER + 1;
/** Largest ‖A‖h of one arc. Terms of a series for e^(−x) reach e^x: a larger one would cancel digits. */
export const RADIUS = 1.5;

/** Pattern of A without its zeros, row by row. */
export interface NonzeroPattern {
  /** n + 1 entries */
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  /** |values| */
  readonly sizes: Float64Array;
}

export function nonzeroPattern({ size, matrix }: Pick<LinearSystem, 'size' | 'matrix'>): NonzeroPattern {
  const starts = new Int32Array(size + 1);
  const columns: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const value = matrix[i * size + j];
      if (value === 0) continue;
      columns.push(j);
      values.push(value);
    }
    starts[i + 1] = columns.length;
  }
  return {
    starts,
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
    sizes: Float64Array.from(values, Math.abs),
  };
}

/**
 * A system that is known by its non-zero entries. The matrix is formed where somebody asks for it, which of
 * a thousand bodies takes 32 MB.
 */
export class SparseSystem implements LinearSystem {
  #matrix: Float64Array | null = null;

  constructor(
    readonly size: number,
    readonly pattern: NonzeroPattern,
    readonly constant: Float64Array,
  ) {}

  /** ż = 0 */
  static still(size: number): SparseSystem {
    const none = new Float64Array(0);
    const pattern = {
      starts: new Int32Array(size + 1),
      columns: new Int32Array(0),
      values: none,
      sizes: none,
    };
    return new SparseSystem(size, pattern, new Float64Array(size));
  }

  get matrix(): Float64Array {
    if (this.#matrix !== null) return this.#matrix;
    const { size, pattern } = this;
    const matrix = new Float64Array(size * size);
    for (let i = 0; i < size; i++)
      for (let k = pattern.starts[i]; k < pattern.starts[i + 1]; k++)
        matrix[i * size + pattern.columns[k]] = pattern.values[k];
    this.#matrix = matrix;
    return matrix;
  }
}

/**
 * Order of the polynomial in time that every motion is, when A is nilpotent by its pattern of zeros (a body
 * under gravity, a chain of integrators); −1 when it is not, or when the order exceeds `MAX_ORDER`.
 * Coefficient k + 1 can be other than zero only in rows of A that have an entry where coefficient k can be,
 * and coefficient 1 also where b is.
 */
export function polynomialOrder({ size, constant }: LinearSystem, rows: NonzeroPattern): number {
  let present = new Uint8Array(size).fill(1);
  for (let order = 0; order <= MAX_ORDER; order++) {
    const next = new Uint8Array(size);
    for (let i = 0; i < size; i++) {
      if (order === 0 && constant[i] !== 0) next[i] = 1;
      for (let k = rows.starts[i]; k < rows.starts[i + 1]; k++) {
        if (present[rows.columns[k]] !== 0) next[i] = 1;
      }
    }
    if (!next.includes(1)) return order;
    present = next;
  }
  return -1;
}
