/**
 * Cholesky factorisation of a full symmetric positive definite matrix, A = L Lᵀ, row by row: row i of L follows from the
 * rows before it by dot products. Four of them run at once and share the loads of row i; what the four contribute to one
 * another is added afterwards. G. H. Golub and C. F. Van Loan, Matrix Computations, §4.2.
 */

/** As of semidefinite matrices in envelope storage: a pivot below this fraction of its diagonal entry may be none. */
const SEMIDEFINITE = 1e-8;
const BLOCK = 4;

/**
 * Replaces the lower triangle of the n × n row-major matrix `a` by L, with the reciprocals of its diagonal; what stands
 * above it is neither read nor written.
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
