/**
 * Cholesky factorisation in envelope (skyline) storage: of row i everything from its first non-zero column to
 * the diagonal is stored, and fill stays inside. For the chains and stacks that contacts form this is close
 * to linear in the number of rows. George and Liu 1981.
 */

/**
 * A pivot below this fraction of its diagonal entry is lost to cancellation: the matrix is singular to
 * rounding.
 */
const SINGULAR = 1e-13;
/**
 * The same for matrices that may be semidefinite, where the rounding of a long elimination adds up and zeros
 * come out of either sign. A pivot that was small by right is missed in the residual, and the caller tries
 * something else.
 */
const SEMIDEFINITE = 1e-8;

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
