/**
 * Iteration matrices of single systems, factorised by what they are: elementwise when diagonal, envelope
 * Cholesky when symmetric and thin, banded LU when thin, dense LU otherwise.
 */
import { BandLU, factorLU, solveLU } from '../linalg/lu';
import type { SparseRows } from '../linalg/sparse';
import { type ChainFactor, EnvelopeCholesky } from '../linalg/cholesky';
import { reverseCuthillMcKee } from '../linalg/ordering';
import type { StepWriter } from '../straight-line/writer';

/** Up to this size a dense factorisation beats the bookkeeping of a sparse one. */
const MOST_ROWS_DENSE = 8;
/** A band or envelope is worth its indirection when it holds less than this part of the full matrix. */
const THIN = 0.4;

interface Factorisation {
  factor(a: SparseRows): boolean;
  solve(x: Float64Array, at: number): void;
  /**
   * Writes the solution for the present factors: the same operations in the same order.
   * @param x names of b
   */
  write?(w: StepWriter, x: string[]): string[];
  /** see `IterationMatrix.chain` */
  readonly chain?: ChainFactor | null;
}

class Diagonal implements Factorisation {
  readonly #inverse: Float64Array;

  constructor(n: number) {
    this.#inverse = new Float64Array(n);
  }

  factor({ rows, values }: SparseRows): boolean {
    for (let i = 0; i < rows; i++) {
      if (!(Math.abs(values[i]) > 0)) return false;
      this.#inverse[i] = 1 / values[i];
    }
    return true;
  }

  solve(x: Float64Array, at: number): void {
    const inverse = this.#inverse;
    for (let i = 0; i < inverse.length; i++) x[at + i] *= inverse[i];
  }

  write(w: StepWriter, x: string[]): string[] {
    return x.map((value, i) => `${value} * ${w.literal(this.#inverse[i])}`);
  }
}

class Dense implements Factorisation {
  readonly #lu: Float64Array;
  readonly #pivots: Int32Array;

  constructor(private readonly n: number) {
    this.#lu = new Float64Array(n * n);
    this.#pivots = new Int32Array(n);
  }

  factor({ rowStart, columns, values }: SparseRows): boolean {
    const { n } = this;
    const lu = this.#lu;
    lu.fill(0);
    for (let i = 0; i < n; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) lu[i * n + columns[k]] = values[k];
    }
    return factorLU(lu, 0, n, this.#pivots, 0);
  }

  solve(x: Float64Array, at: number): void {
    solveLU(this.#lu, 0, this.n, this.#pivots, 0, x, at);
  }

  write(w: StepWriter, b: string[]): string[] {
    const { n } = this;
    const lu = this.#lu;
    const x = [...b];
    this.#pivots.forEach((pivot, i) => ([x[i], x[pivot]] = [x[pivot], x[i]]));
    const reduced = (i: number, from: number, to: number): string => {
      let text = x[i];
      for (let j = from; j < to; j++)
        if (lu[i * n + j] !== 0) text += ` - ${w.literal(lu[i * n + j])} * ${x[j]}`;
      return text;
    };
    for (let i = 0; i < n; i++) x[i] = w.constant(reduced(i, 0, i));
    for (let i = n - 1; i >= 0; i--)
      x[i] = w.constant(`(${reduced(i, i + 1, n)}) / ${w.literal(lu[i * n + i])}`);
    return x;
  }
}

/** A factorisation in an order that keeps it thin. */
abstract class Ordered implements Factorisation {
  protected readonly place: Int32Array;
  protected readonly order: Int32Array;
  readonly #x: Float64Array;
  protected readonly isNatural: boolean;

  constructor(order: Int32Array) {
    this.order = order;
    this.place = new Int32Array(order.length);
    order.forEach((row, k) => (this.place[row] = k));
    this.#x = new Float64Array(order.length);
    this.isNatural = order.every((row, k) => row === k);
  }

  abstract factor(a: SparseRows): boolean;
  protected abstract solveOrdered(x: Float64Array): void;

  solve(x: Float64Array, at: number): void {
    const { order } = this;
    if (this.isNatural && at === 0) {
      this.solveOrdered(x);
      return;
    }
    const ordered = this.#x;
    for (let k = 0; k < order.length; k++) ordered[k] = x[at + order[k]];
    this.solveOrdered(ordered);
    for (let k = 0; k < order.length; k++) x[at + order[k]] = ordered[k];
  }
}

class Envelope extends Ordered {
  readonly #cholesky: EnvelopeCholesky;

  constructor(order: Int32Array) {
    super(order);
    this.#cholesky = new EnvelopeCholesky(order.length);
  }

  factor({ rowStart, columns, values }: SparseRows): boolean {
    const { order, place } = this;
    const cholesky = this.#cholesky;
    cholesky.begin(order.length);
    for (let k = 0; k < order.length; k++) {
      const row = order[k];
      let first = k;
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) first = Math.min(first, place[columns[e]]);
      cholesky.beginRow(k, first);
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = place[columns[e]];
        if (column <= k) cholesky.set(k, column, values[e]);
      }
    }
    return cholesky.factor();
  }

  protected solveOrdered(x: Float64Array): void {
    this.#cholesky.solve(x);
  }

  get chain(): ChainFactor | null {
    return this.isNatural ? this.#cholesky.chain : null;
  }
}

class Banded extends Ordered {
  readonly #lu = new BandLU();

  constructor(
    order: Int32Array,
    private readonly band: number,
  ) {
    super(order);
  }

  factor({ rowStart, columns, values }: SparseRows): boolean {
    const { order, place } = this;
    const lu = this.#lu;
    lu.begin(order.length, this.band, this.band);
    for (let k = 0; k < order.length; k++) {
      const row = order[k];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) lu.set(k, place[columns[e]], values[e]);
    }
    return lu.factor();
  }

  protected solveOrdered(x: Float64Array): void {
    this.#lu.solve(x);
  }
}

/** The pattern together with its transpose. */
function symmetrised(pattern: SparseRows): SparseRows {
  const rows = Array.from({ length: pattern.rows }, () => new Set<number>());
  for (let i = 0; i < pattern.rows; i++) {
    for (let k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; k++) {
      rows[i].add(pattern.columns[k]);
      rows[pattern.columns[k]].add(i);
    }
  }
  const rowStart = new Int32Array(pattern.rows + 1);
  rows.forEach((set, i) => (rowStart[i + 1] = rowStart[i] + set.size));
  const columns = new Int32Array(rowStart[pattern.rows]);
  rows.forEach((set, i) =>
    columns.set(
      [...set].sort((a, b) => a - b),
      rowStart[i],
    ),
  );
  return { rows: pattern.rows, rowStart, columns, values: new Float64Array(columns.length) };
}

/** Half-bandwidth and envelope size of a symmetric pattern in the given order. */
function extent(pattern: SparseRows, order: Int32Array): { band: number; envelope: number } {
  const place = new Int32Array(order.length);
  order.forEach((row, k) => (place[row] = k));
  let band = 0;
  let envelope = 0;
  for (let k = 0; k < order.length; k++) {
    let first = k;
    for (let e = pattern.rowStart[order[k]]; e < pattern.rowStart[order[k] + 1]; e++)
      first = Math.min(first, place[pattern.columns[e]]);
    band = Math.max(band, k - first);
    envelope += k - first + 1;
  }
  return { band, envelope };
}

const isDiagonalPattern = ({ rows, rowStart, columns }: SparseRows): boolean =>
  columns.length === rows && columns.every((column, k) => column === k && rowStart[k] === k);

export class IterationMatrix {
  readonly isDiagonal: boolean;
  #factorisation: Factorisation;
  #fallback: (() => Factorisation) | null = null;

  /**
   * @param matrix its pattern, complete; its values are read by each `factor`
   * @param symmetric whether the values will be symmetric
   */
  constructor(
    private readonly matrix: SparseRows,
    symmetric: boolean,
  ) {
    const n = matrix.rows;
    this.isDiagonal = isDiagonalPattern(matrix);
    if (this.isDiagonal) {
      this.#factorisation = new Diagonal(n);
      return;
    }
    if (n > MOST_ROWS_DENSE) {
      const pattern = symmetrised(matrix);
      const natural = Int32Array.from({ length: n }, (_, row) => row);
      const reordered = reverseCuthillMcKee(pattern);
      const isNatural = extent(pattern, natural).envelope <= extent(pattern, reordered).envelope;
      const order = isNatural ? natural : reordered;
      const { band, envelope } = extent(pattern, order);
      const banded = (): Factorisation => (3 * band < THIN * n ? new Banded(order, band) : new Dense(n));
      if (symmetric && envelope < 0.5 * THIN * n * n) {
        this.#factorisation = new Envelope(order);
        // Not every symmetric iteration matrix is positive definite: a negative stiffness may outweigh the
        // mass.
        this.#fallback = banded;
        return;
      }
      this.#factorisation = banded();
      return;
    }
    this.#factorisation = new Dense(n);
  }

  /** Factorises the present values. @returns false when the matrix is singular to rounding */
  factor(): boolean {
    if (this.#factorisation.factor(this.matrix)) return true;
    if (this.#fallback === null) return false;
    this.#factorisation = this.#fallback();
    this.#fallback = null;
    return this.#factorisation.factor(this.matrix);
  }

  /** See `Factorisation.write`. @returns null where it is not written */
  write(w: StepWriter, x: string[]): string[] | null {
    return this.#factorisation.write?.(w, x) ?? null;
  }

  /** The present factor, a copy, where it is that of a chain in its natural order; null elsewhere. */
  get chain(): ChainFactor | null {
    return this.#factorisation.chain ?? null;
  }

  get isWritable(): boolean {
    return this.#factorisation.write !== undefined;
  }

  /** x[at … at + n) ← Ŵ⁻¹ x */
  solve(x: Float64Array, at: number): void {
    this.#factorisation.solve(x, at);
  }
}
