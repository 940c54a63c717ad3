/**
 * Cholesky factorisations: of full matrices that are positive definite (`factorCholesky`) or semidefinite
 * (`SemidefiniteCholesky`), and of sparse ones in envelope storage (`EnvelopeCholesky`).
 */
import type { BlockRows } from './block-rows';

/**
 * A pivot below this fraction of its diagonal entry may be none: the rounding of a long elimination adds up,
 * and zeros of matrices that are only semidefinite come out of either sign. A pivot that was small by right
 * is missed in the residual, and the caller tries something else.
 */
const SEMIDEFINITE = 1e-8;

/*
 * A full symmetric positive definite matrix, A = L Lᵀ, row by row: row i of L follows from the rows before it
 * by dot products. Four of them run at once and share the loads of row i; what the four contribute to one
 * another is added afterwards. Golub and Van Loan 2013 §4.2.
 */

const BLOCK = 4;

/**
 * Replaces the lower triangle of the n × n row-major matrix `a` by L, with the reciprocals of its diagonal;
 * what stands above it is neither read nor written.
 * @returns false when the matrix is not safely positive definite; `a` is of no use then
 */
export function factorCholesky(a: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    let j = 0;
    for (; j + BLOCK <= i; j += BLOCK) {
      eliminateFour(a, n, i, j);
      finishBlock(a, n, i, j, j + BLOCK);
    }
    for (let c = j; c < i; c++) {
      let sum = a[row + c];
      for (let k = 0; k < j; k++) sum -= a[row + k] * a[c * n + k];
      a[row + c] = sum;
    }
    finishBlock(a, n, i, j, i);
    const original = a[row + i];
    let diagonal = original;
    for (let k = 0; k < i; k++) diagonal -= a[row + k] * a[row + k];
    if (!(diagonal > SEMIDEFINITE * original)) return false;
    a[row + i] = 1 / Math.sqrt(diagonal);
  }
  return true;
}

/** Entries (i, j) … (i, j + 3) minus what columns before j contribute. */
function eliminateFour(a: Float64Array, n: number, i: number, j: number): void {
  const row = i * n;
  const first = j * n;
  const second = first + n;
  const third = second + n;
  const fourth = third + n;
  let p = a[row + j];
  let q = a[row + j + 1];
  let r = a[row + j + 2];
  let s = a[row + j + 3];
  for (let k = 0; k < j; k++) {
    const x = a[row + k];
    p -= x * a[first + k];
    q -= x * a[second + k];
    r -= x * a[third + k];
    s -= x * a[fourth + k];
  }
  a[row + j] = p;
  a[row + j + 1] = q;
  a[row + j + 2] = r;
  a[row + j + 3] = s;
}

/** The contributions of columns [from, to) to one another in row i, and the division by the diagonal. */
function finishBlock(a: Float64Array, n: number, i: number, from: number, to: number): void {
  const row = i * n;
  for (let c = from; c < to; c++) {
    let sum = a[row + c];
    for (let k = from; k < c; k++) sum -= a[row + k] * a[c * n + k];
    a[row + c] = sum * a[c * n + c];
  }
}

/** Solves A x = b with the factor of `factorCholesky`, in place in x[0 … n−1]. */
export function solveCholesky(a: Float64Array, n: number, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    let sum = x[i];
    for (let k = 0; k < i; k++) sum -= a[row + k] * x[k];
    x[i] = sum * a[row + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = i * n;
    const value = x[i] * a[row + i];
    x[i] = value;
    for (let k = 0; k < i; k++) x[k] -= a[row + k] * value;
  }
}

/**
 * Cholesky factorisation of a symmetric positive semidefinite matrix with full pivoting, ᵗΠ A Π = L ᵗL, that
 * stops at its rank: the rows that are left depend on those before. A system A x = b that has solutions is
 * solved by one of them, in which what corresponds to dependent rows is zero. Higham 1990.
 */
export class SemidefiniteCholesky {
  rank = 0;
  readonly #order: Int32Array;
  readonly #factor: Float64Array;
  readonly #work: Float64Array;
  #size = 0;

  /** @param capacity largest number of rows */
  constructor(capacity: number) {
    this.#order = new Int32Array(capacity);
    this.#factor = new Float64Array(capacity * capacity);
    this.#work = new Float64Array(capacity);
  }

  /** @param a n × n, row-major; its lower triangle is read */
  factor(a: Float64Array, n: number): void {
    const order = this.#order;
    const l = this.#factor;
    this.#size = n;
    let largest = 0;
    for (let i = 0; i < n; i++) {
      order[i] = i;
      for (let j = 0; j <= i; j++) l[i * n + j] = l[j * n + i] = a[i * n + j];
      largest = Math.max(largest, a[i * n + i]);
    }
    const tolerance = n * Number.EPSILON * largest;
    for (this.rank = 0; this.rank < n; this.rank++) {
      const k = this.rank;
      let pivot = k;
      for (let i = k + 1; i < n; i++) if (l[i * n + i] > l[pivot * n + pivot]) pivot = i;
      if (!(l[pivot * n + pivot] > tolerance)) return;
      this.#exchange(k, pivot);
      const diagonal = Math.sqrt(l[k * n + k]);
      l[k * n + k] = diagonal;
      for (let i = k + 1; i < n; i++) l[i * n + k] /= diagonal;
      for (let i = k + 1; i < n; i++)
        for (let j = k + 1; j <= i; j++) {
          l[i * n + j] -= l[i * n + k] * l[j * n + k];
          l[j * n + i] = l[i * n + j];
        }
    }
  }

  /**
   * ᵗΠ L, so that A is this times its transposed one.
   * @param out `rank` columns of n entries, one after the other
   */
  root(out: Float64Array): void {
    const n = this.#size;
    for (let k = 0; k < this.rank; k++)
      for (let i = 0; i < n; i++) out[n * k + this.#order[i]] = i < k ? 0 : this.#factor[n * i + k];
  }

  /** Rows and columns i and k, of what is left and of what has been factorised. */
  #exchange(i: number, k: number): void {
    if (i === k) return;
    const n = this.#size;
    const l = this.#factor;
    const order = this.#order;
    const number = order[i];
    order[i] = order[k];
    order[k] = number;
    for (let j = 0; j < n; j++) {
      const entry = l[i * n + j];
      l[i * n + j] = l[k * n + j];
      l[k * n + j] = entry;
    }
    for (let j = i; j < n; j++) {
      const entry = l[j * n + i];
      l[j * n + i] = l[j * n + k];
      l[j * n + k] = entry;
    }
  }

  /** b ← x from `at` on; b must be in the range of A. */
  solve(b: Float64Array, at = 0): void {
    const n = this.#size;
    const l = this.#factor;
    const order = this.#order;
    const work = this.#work;
    const { rank } = this;
    for (let i = 0; i < rank; i++) {
      let sum = b[at + order[i]];
      for (let j = 0; j < i; j++) sum -= l[i * n + j] * work[j];
      work[i] = sum / l[i * n + i];
    }
    for (let i = rank - 1; i >= 0; i--) {
      let sum = work[i];
      for (let j = i + 1; j < rank; j++) sum -= l[j * n + i] * work[j];
      work[i] = sum / l[i * n + i];
    }
    for (let i = 0; i < n; i++) b[at + order[i]] = i < rank ? work[i] : 0;
  }
}

/*
 * Rank of a W that is symmetric and positive semidefinite: the number of impulses that are determined by
 * velocities. Where it is below the number of rows, contacts are redundant, as four on one face of a rigid
 * body are, and impulses are not unique although velocities are.
 */

/** @param kept rows, and columns, that count, ascending and counted one by one; all of them when left out */
export function rankOf(W: BlockRows, kept: readonly number[] = allRows(W)): number {
  const n = kept.length;
  const cholesky = new SemidefiniteCholesky(n);
  cholesky.factor(dense(W, kept), n);
  return cholesky.rank;
}

const allRows = ({ rows, size }: BlockRows): number[] => [...Array(size * rows).keys()];

function dense(
  { rows, rowStart, columns, values, size: d }: BlockRows,
  kept: readonly number[],
): Float64Array {
  const n = kept.length;
  const out = new Float64Array(n * n);
  const placeOf = new Int32Array(d * rows).fill(-1);
  kept.forEach((row, place) => (placeOf[row] = place));
  kept.forEach((row, place) => {
    const block = Math.floor(row / d);
    for (let k = rowStart[block]; k < rowStart[block + 1]; k++)
      for (let c = 0; c < d; c++) {
        const column = placeOf[d * columns[k] + c];
        if (column >= 0) out[place * n + column] = values[(k * d + (row % d)) * d + c];
      }
  });
  return out;
}

/*
 * Envelope (skyline) storage: of row i everything from its first non-zero column to the diagonal is stored,
 * and fill stays inside. For the chains and stacks that contacts form this is close to linear in the number
 * of rows. George and Liu 1981.
 */

/**
 * A pivot below this fraction of its diagonal entry is lost to cancellation: the matrix is singular to
 * rounding.
 */
const SINGULAR = 1e-13;

/** L of a tridiagonal A = L Lᵀ. A x = b is solved by y_i = (b_i − lower_i y_{i−1}) inverse_i and back. */
export interface ChainFactor {
  readonly lower: Float64Array;
  readonly inverse: Float64Array;
}

export class EnvelopeCholesky {
  #n = 0;
  /** first column of row i */
  #first: Int32Array;
  /** position of the diagonal entry of row i */
  #diagonal: Int32Array;
  #values: Float64Array;
  /**
   * whether every row starts at most one column before its diagonal: chains, whose solves need no inner loops
   */
  #isTridiagonal = false;

  /** @param capacity largest number of rows; more rows than that grow the workspace */
  constructor(capacity: number) {
    this.#first = new Int32Array(capacity);
    this.#diagonal = new Int32Array(capacity);
    this.#values = new Float64Array(Math.max(16, 4 * capacity));
  }

  /** Begins a matrix of n rows; rows are then given in order by `beginRow` and `set`. */
  begin(n: number): void {
    if (n > this.#first.length) {
      this.#first = new Int32Array(n);
      this.#diagonal = new Int32Array(n);
    }
    this.#n = n;
    this.#isTridiagonal = true;
  }

  /** Opens row i, whose first entry stands in column `first` ≤ i. */
  beginRow(i: number, first: number): void {
    this.#first[i] = first;
    if (first < i - 1) this.#isTridiagonal = false;
    const start = i === 0 ? 0 : this.#diagonal[i - 1] + 1;
    const end = start + (i - first);
    if (end >= this.#values.length) {
      const larger = new Float64Array(Math.max(2 * this.#values.length, end + 1));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values.fill(0, start, end + 1);
    this.#diagonal[i] = end;
  }

  /** Sets entry (i, j), first(i) ≤ j ≤ i. */
  set(i: number, j: number, value: number): void {
    this.#values[this.#diagonal[i] - i + j] = value;
  }

  /**
   * Replaces the matrix by its factor.
   * @param skipped for semidefinite matrices: skipped[i] becomes 1 where row i depends on those before it,
   *   which leaves the factor of the matrix without that row; else such a row makes the factorisation fail
   * @returns false when the matrix is not positive (semi)definite to rounding
   */
  factor(skipped?: Uint8Array): boolean {
    const values = this.#values;
    for (let i = 0; i < this.#n; i++) {
      const first = this.#first[i];
      const row = this.#diagonal[i] - i;
      const original = values[row + i];
      let diagonal = original;
      for (let j = first; j < i; j++) {
        const other = this.#diagonal[j] - j;
        let sum = values[row + j];
        for (let k = Math.max(first, this.#first[j]); k < j; k++) sum -= values[row + k] * values[other + k];
        sum *= values[other + j];
        values[row + j] = sum;
        diagonal -= sum * sum;
      }
      if (!(diagonal > (skipped === undefined ? SINGULAR : SEMIDEFINITE) * original)) {
        // A pivot that is clearly negative, or NaN: not even semidefinite.
        if (skipped === undefined || !(diagonal >= -SEMIDEFINITE * Math.abs(original))) return false;
        skipped[i] = 1;
        // With the reciprocal 0, row and column i vanish from the factor and x_i from every solution.
        values[row + i] = 0;
        continue;
      }
      if (skipped !== undefined) skipped[i] = 0;
      // The reciprocal is stored: both triangular solves then multiply.
      values[row + i] = 1 / Math.sqrt(diagonal);
    }
    return true;
  }

  /**
   * The factor of a chain: entries (i, i − 1) of L, 0 where a row is alone, and reciprocals of its diagonal.
   * @returns copies; null where a row has more than two entries
   */
  get chain(): ChainFactor | null {
    if (!this.#isTridiagonal) return null;
    const n = this.#n;
    const diagonal = this.#diagonal;
    const values = this.#values;
    const isAlone = (i: number): boolean => i === 0 || diagonal[i] - diagonal[i - 1] === 1;
    return {
      lower: Float64Array.from({ length: n }, (_, i) => (isAlone(i) ? 0 : values[diagonal[i] - 1])),
      inverse: Float64Array.from({ length: n }, (_, i) => values[diagonal[i]]),
    };
  }

  /** Solves with the factor, in place in x[0 … n−1]. */
  solve(x: Float64Array): void {
    if (this.#isTridiagonal) {
      this.#solveChain(x);
      return;
    }
    const values = this.#values;
    for (let i = 0; i < this.#n; i++) {
      const row = this.#diagonal[i] - i;
      let sum = x[i];
      for (let j = this.#first[i]; j < i; j++) sum -= values[row + j] * x[j];
      x[i] = sum * values[row + i];
    }
    for (let i = this.#n - 1; i >= 0; i--) {
      const row = this.#diagonal[i] - i;
      const value = x[i] * values[row + i];
      x[i] = value;
      for (let j = this.#first[i]; j < i; j++) x[j] -= values[row + j] * value;
    }
  }

  /** `solve` for rows of one or two entries: the same operations without the inner loops. */
  #solveChain(x: Float64Array): void {
    const values = this.#values;
    const diagonal = this.#diagonal;
    const n = this.#n;
    if (n === 0) return;
    let value = x[0] * values[diagonal[0]];
    x[0] = value;
    for (let i = 1; i < n; i++) {
      const place = diagonal[i];
      // A row that is alone has its predecessor's diagonal entry before its own.
      const sum = place - diagonal[i - 1] === 1 ? x[i] : x[i] - values[place - 1] * value;
      value = sum * values[place];
      x[i] = value;
    }
    for (let i = n - 1; i > 0; i--) {
      const place = diagonal[i];
      value = x[i] * values[place];
      x[i] = value;
      if (place - diagonal[i - 1] !== 1) x[i - 1] -= values[place - 1] * value;
    }
    x[0] *= values[diagonal[0]];
  }
}
