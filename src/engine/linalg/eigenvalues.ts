/**
 * Eigenvalues of a real matrix: reduction to Hessenberg form by elimination with pivoting, then the QR
 * iteration with the two shifts of its trailing 2 × 2 block taken together, so that complex pairs need no
 * complex arithmetic (Francis 1961; Golub and Van Loan 2013 §7.5). Matrices here are those of a few states;
 * nothing is allocated but the copy.
 *
 * The matrix is balanced first by powers of two, which changes no eigenvalue and takes units out of it.
 */

/**
 * Iterations for one eigenvalue before the search for it is given up; shifts that are no eigenvalues are
 * taken every tenth time.
 */
const MOST_ITERATIONS = 60;
const EXCEPTIONAL = 10;

export interface Eigenvalues {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
  /** whether all have been found; the others are NaN */
  readonly isComplete: boolean;
}

/** @param matrix n × n, row-major or column-major: the transpose has the same eigenvalues. Not changed */
export function eigenvalues(matrix: Float64Array, n: number): Eigenvalues {
  const a = matrix.slice();
  const real = new Float64Array(n).fill(NaN);
  const imaginary = new Float64Array(n).fill(NaN);
  if (!a.every((value) => Number.isFinite(value))) return { real, imaginary, isComplete: false };
  balance(a, n);
  reduce(a, n);
  const isComplete = iterate(a, n, real, imaginary);
  return { real, imaginary, isComplete };
}

/** Rows and columns scaled against each other until their sums are within a factor of two. */
function balance(a: Float64Array, n: number): void {
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (let i = 0; i < n; i++) {
      let row = 0;
      let column = 0;
      for (let j = 0; j < n; j++) {
        if (j === i) continue;
        row += Math.abs(a[i * n + j]);
        column += Math.abs(a[j * n + i]);
      }
      if (row === 0 || column === 0) continue;
      const factor = 2 ** Math.round(0.5 * Math.log2(row / column));
      if (row / factor + column * factor >= 0.95 * (row + column)) continue;
      isChanged = true;
      for (let j = 0; j < n; j++) a[i * n + j] /= factor;
      for (let j = 0; j < n; j++) a[j * n + i] *= factor;
    }
  }
}

/** To Hessenberg form: similarity by elimination, with the largest entry of each column as pivot. */
function reduce(a: Float64Array, n: number): void {
  for (let m = 1; m < n - 1; m++) {
    let pivot = m;
    for (let i = m + 1; i < n; i++)
      if (Math.abs(a[i * n + m - 1]) > Math.abs(a[pivot * n + m - 1])) pivot = i;
    const value = a[pivot * n + m - 1];
    if (value === 0) continue;
    if (pivot !== m) {
      for (let j = 0; j < n; j++) swap(a, pivot * n + j, m * n + j);
      for (let j = 0; j < n; j++) swap(a, j * n + pivot, j * n + m);
    }
    for (let i = m + 1; i < n; i++) {
      const factor = a[i * n + m - 1] / value;
      if (factor === 0) continue;
      for (let j = m - 1; j < n; j++) a[i * n + j] -= factor * a[m * n + j];
      for (let j = 0; j < n; j++) a[j * n + m] += factor * a[j * n + i];
      a[i * n + m - 1] = 0;
    }
  }
}

function swap(a: Float64Array, i: number, j: number): void {
  const value = a[i];
  a[i] = a[j];
  a[j] = value;
}

/**
 * QR steps on the trailing block that is not yet split off, from the last row upwards.
 * @returns whether all came out
 */
function iterate(a: Float64Array, n: number, real: Float64Array, imaginary: Float64Array): boolean {
  let norm = 0;
  for (let i = 0; i < n; i++) for (let j = Math.max(0, i - 1); j < n; j++) norm += Math.abs(a[i * n + j]);
  let shifted = 0;
  let last = n - 1;
  let count = 0;
  while (last >= 0) {
    const first = split(a, n, last, norm);
    if (first === last) {
      real[last] = a[last * n + last] + shifted;
      imaginary[last] = 0;
      last--;
      count = 0;
    } else if (first === last - 1) {
      pair(a, n, last, shifted, real, imaginary);
      last -= 2;
      count = 0;
    } else {
      if (count === MOST_ITERATIONS) return false;
      count++;
      let trace = a[last * n + last] + a[(last - 1) * n + last - 1];
      let determinant =
        a[last * n + last] * a[(last - 1) * n + last - 1] - a[last * n + last - 1] * a[(last - 1) * n + last];
      if (count % EXCEPTIONAL === 0) {
        const shift = a[last * n + last];
        shifted += shift;
        for (let i = 0; i <= last; i++) a[i * n + i] -= shift;
        const size = Math.abs(a[last * n + last - 1]) + Math.abs(a[(last - 1) * n + last - 2]);
        trace = 1.5 * size;
        determinant = size * size;
      }
      sweep(a, n, first, last, trace, determinant);
    }
  }
  return true;
}

/**
 * The row from which on the block that ends with `last` hangs together; what is rounding below the diagonal
 * is set to zero.
 */
function split(a: Float64Array, n: number, last: number, norm: number): number {
  let first = last;
  while (first > 0) {
    const beside = Math.abs(a[first * n + first]) + Math.abs(a[(first - 1) * n + first - 1]);
    if (Math.abs(a[first * n + first - 1]) <= Number.EPSILON * (beside === 0 ? norm : beside)) {
      a[first * n + first - 1] = 0;
      break;
    }
    first--;
  }
  return first;
}

/** The two eigenvalues of a 2 × 2 block. */
function pair(
  a: Float64Array,
  n: number,
  last: number,
  shifted: number,
  real: Float64Array,
  imaginary: Float64Array,
): void {
  const x = a[last * n + last];
  const p = 0.5 * (a[(last - 1) * n + last - 1] - x);
  const product = a[last * n + last - 1] * a[(last - 1) * n + last];
  const discriminant = p * p + product;
  const root = Math.sqrt(Math.abs(discriminant));
  if (discriminant >= 0) {
    // The larger one by a sum without cancellation, the other from their product.
    const z = p >= 0 ? p + root : p - root;
    real[last - 1] = x + shifted + z;
    real[last] = z === 0 ? x + shifted : x + shifted - product / z;
    imaginary[last - 1] = 0;
    imaginary[last] = 0;
    return;
  }
  real[last - 1] = x + shifted + p;
  real[last] = real[last - 1];
  imaginary[last - 1] = root;
  imaginary[last] = -root;
}

/** One implicit step with both shifts: a bulge of three rows is chased down the diagonal by reflections. */
function sweep(
  a: Float64Array,
  n: number,
  first: number,
  last: number,
  trace: number,
  determinant: number,
): void {
  const h = (i: number, j: number): number => a[i * n + j];
  // First column of A² − trace A + determinant, up to the factor a_{first+1, first}.
  let x = h(first, first) * (h(first, first) - trace) + determinant;
  x = x / h(first + 1, first) + h(first, first + 1);
  let y = h(first, first) + h(first + 1, first + 1) - trace;
  let z = h(first + 2, first + 1);
  for (let k = first; k < last; k++) {
    const rows = k === last - 1 ? 2 : 3;
    if (k > first) {
      x = h(k, k - 1);
      y = h(k + 1, k - 1);
      z = rows === 3 ? h(k + 2, k - 1) : 0;
    }
    const scale = Math.abs(x) + Math.abs(y) + Math.abs(z);
    if (scale === 0) continue;
    x /= scale;
    y /= scale;
    z /= scale;
    const length = Math.sqrt(x * x + y * y + z * z) * (x < 0 ? -1 : 1);
    // Reflection I − u ᵗw with u = (1, u1, u2) and w = (w0, w1, w2)
    const w0 = (x + length) / length;
    const w1 = y / length;
    const w2 = z / length;
    const u1 = y / (x + length);
    const u2 = z / (x + length);
    if (k > first) a[k * n + k - 1] = -length * scale;
    else if (first > 0) a[k * n + k - 1] = -h(k, k - 1);
    for (let j = k; j < n; j++) {
      const sum = w0 * h(k, j) + w1 * h(k + 1, j) + (rows === 3 ? w2 * h(k + 2, j) : 0);
      a[k * n + j] -= sum;
      a[(k + 1) * n + j] -= sum * u1;
      if (rows === 3) a[(k + 2) * n + j] -= sum * u2;
    }
    const lowest = Math.min(last, k + 3);
    for (let i = 0; i <= lowest; i++) {
      const sum = h(i, k) + u1 * h(i, k + 1) + (rows === 3 ? u2 * h(i, k + 2) : 0);
      a[i * n + k] -= sum * w0;
      a[i * n + k + 1] -= sum * w1;
      if (rows === 3) a[i * n + k + 2] -= sum * w2;
    }
    if (k > first) {
      a[(k + 1) * n + k - 1] = 0;
      if (rows === 3) a[(k + 2) * n + k - 1] = 0;
    }
  }
}
