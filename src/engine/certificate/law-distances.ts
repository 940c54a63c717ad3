/** How far outputs and multipliers are from laws: the measures that the schemes' certificates share. */
import type { PiecewiseLinearGraph } from '../model/forms';
import type { SparseRows } from '../linalg/sparse';

/*
 * Products of constant matrices with vectors as the certificate forms them, with the magnitudes of their
 * terms: these tell what rounding may leave. Matrices of chains and of point masses have their entries on
 * three diagonals, which are run through without indices. Nothing of the integrators' products is used.
 */

export class CheckedProduct {
  /** whether the matrix has no entry */
  readonly isZero: boolean;
  readonly #matrix: SparseRows;
  /** largest |i − j| of an entry */
  readonly #width: number;
  // Entries (i, i − 1), (i, i) and (i, i + 1) where there are no others.
  readonly #before: Float64Array;
  readonly #own: Float64Array;
  readonly #after: Float64Array;

  /** @param matrix square */
  constructor(matrix: SparseRows) {
    this.#matrix = matrix;
    this.isZero = matrix.columns.length === 0;
    const distances = Array.from({ length: matrix.rows }, (_, i) =>
      this.row(i).map(([, column]) => Math.abs(column - i)),
    ).flat();
    this.#width = distances.reduce((widest, distance) => Math.max(widest, distance), 0);
    const onDiagonal = (shift: number): Float64Array =>
      Float64Array.from({ length: this.#width > 1 ? 0 : matrix.rows }, (_, i) =>
        this.row(i).reduce((sum, [value, column]) => (column === i + shift ? sum + value : sum), 0),
      );
    this.#before = onDiagonal(-1);
    this.#own = onDiagonal(0);
    this.#after = onDiagonal(1);
  }

  /** Entries of row i with their columns, ascending. */
  row(i: number): (readonly [value: number, column: number])[] {
    const { rowStart, columns, values } = this.#matrix;
    return Array.from({ length: rowStart[i + 1] - rowStart[i] }, (_, k) => [
      values[rowStart[i] + k],
      columns[rowStart[i] + k],
    ]);
  }

  /** out[i] ← Σ_j a_ij x_j and size[i] ← Σ_j |a_ij x_j| for from ≤ i < to. */
  multiply(x: Float64Array, out: Float64Array, size: Float64Array, from: number, to: number): void {
    if (this.#width === 0) this.#multiplyDiagonal(x, out, size, from, to);
    else if (this.#width === 1) this.#multiplyChain(x, out, size, from, to);
    else this.#multiplyRows(x, out, size, from, to);
  }

  #multiplyDiagonal(x: Float64Array, out: Float64Array, size: Float64Array, from: number, to: number): void {
    const own = this.#own;
    for (let i = from; i < to; i++) {
      const term = own[i] * x[i];
      out[i] = term;
      size[i] = Math.abs(term);
    }
  }

  #multiplyChain(x: Float64Array, out: Float64Array, size: Float64Array, from: number, to: number): void {
    const before = this.#before;
    const own = this.#own;
    const after = this.#after;
    const last = own.length - 1;
    for (let i = from; i < to; i++) {
      const first = i > 0 ? before[i] * x[i - 1] : 0;
      const middle = own[i] * x[i];
      const third = i < last ? after[i] * x[i + 1] : 0;
      out[i] = first + middle + third;
      size[i] = Math.abs(first) + Math.abs(middle) + Math.abs(third);
    }
  }

  #multiplyRows(x: Float64Array, out: Float64Array, size: Float64Array, from: number, to: number): void {
    const { rowStart, columns, values } = this.#matrix;
    for (let i = from; i < to; i++) {
      let sum = 0;
      let terms = 0;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const term = values[k] * x[columns[k]];
        sum += term;
        terms += Math.abs(term);
      }
      out[i] = sum;
      size[i] = terms;
    }
  }
}

/** Σ a_i b_i over from … to − 1. */
export function productOver(a: Float64Array, b: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * Distance of (y, λ) from the box [l, u], all in units of y: |the middle one of λ − u, y, λ − l|. NaN is
 * kept.
 * @param toLower λ − l
 * @param toUpper λ − u
 */
export const boxDistance = (toLower: number, y: number, toUpper: number): number =>
  Math.abs(Math.max(toUpper, Math.min(toLower, y)));

/** How far the force of friction is above its bound μ λ_n. */
export const coneExcess = (force: number, bound: number): number => Math.max(0, Math.abs(force) - bound);

/** How far the force of friction of a contact that slides is from −μ λ_n sgn ẏ_t. */
export const slipDistance = (force: number, bound: number, slip: number): number =>
  Math.abs(force + Math.sign(slip) * bound);

/** How far the force of friction in a tangent plane is above its bound μ λ_n. */
export const discExcess = (first: number, second: number, bound: number): number =>
  Math.max(0, Math.sqrt(first * first + second * second) - bound);

/** How far it is from −μ λ_n u/|u| where the contact slides by u. */
export function discDistance(first: number, second: number, bound: number, u1: number, u2: number): number {
  const slip = Math.sqrt(u1 * u1 + u2 * u2);
  return Math.hypot(first + (bound * u1) / slip, second + (bound * u2) / slip);
}

/** Distance of (y, d λ) from a broken line whose λ are scaled alike. */
export function graphDistance(graph: PiecewiseLinearGraph, y: number, lambda: number, d: number): number {
  const { startDirection: start, endDirection: end, y: ys, lambda: lambdas } = graph;
  const last = ys.length - 1;
  let least = nearest(
    pieceDistance(y - ys[0], d * (lambda - lambdas[0]), -start[0], -d * start[1], Number.POSITIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  );
  for (let k = 1; k <= last; k++) {
    const dy = ys[k] - ys[k - 1];
    const dLambda = lambdas[k] - lambdas[k - 1];
    least = nearest(pieceDistance(y - ys[k - 1], d * (lambda - lambdas[k - 1]), dy, d * dLambda, 1), least);
  }
  return nearest(
    pieceDistance(y - ys[last], d * (lambda - lambdas[last]), end[0], d * end[1], Number.POSITIVE_INFINITY),
    least,
  );
}

/** The smaller of the two, NaN if the first is none. */
const nearest = (distance: number, least: number): number => (distance >= least ? least : distance);

/** Distance of (a, b) from the points s·(da, db), 0 ≤ s ≤ last. */
function pieceDistance(a: number, b: number, da: number, db: number, last: number): number {
  const along = (a * da + b * db) / (da * da + db * db);
  const s = Math.max(0, Math.min(last, along));
  return Math.hypot(a - s * da, b - s * db);
}
