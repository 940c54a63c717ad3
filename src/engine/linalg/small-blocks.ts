/**
 * Products of small square blocks, and inverses of those of two or three rows, that lie row-major in larger
 * arrays.
 */

/**
 * A determinant whose square is below this fraction of the product of the rows' squares is what rounding
 * leaves of zero.
 */
const SINGULAR = 1e-28;

/** c += a b */
export function multiplyAdd(
  size: number,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  c: Float64Array,
  atC: number,
): void {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      let sum = c[atC + size * i + j];
      for (let k = 0; k < size; k++) sum += a[atA + size * i + k] * b[atB + size * k + j];
      c[atC + size * i + j] = sum;
    }
  }
}

/** c −= a b, of two, three or six rows, written out: the inner loop of factorisations */
export function subtractProduct(
  size: number,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  c: Float64Array,
  atC: number,
): void {
  if (size === 2) {
    c[atC] -= a[atA] * b[atB] + a[atA + 1] * b[atB + 2];
    c[atC + 1] -= a[atA] * b[atB + 1] + a[atA + 1] * b[atB + 3];
    c[atC + 2] -= a[atA + 2] * b[atB] + a[atA + 3] * b[atB + 2];
    c[atC + 3] -= a[atA + 2] * b[atB + 1] + a[atA + 3] * b[atB + 3];
    return;
  }
  if (size === 6) {
    subtractSix(a, atA, b, atB, c, atC);
    return;
  }
  const b0 = b[atB];
  const b1 = b[atB + 1];
  const b2 = b[atB + 2];
  const b3 = b[atB + 3];
  const b4 = b[atB + 4];
  const b5 = b[atB + 5];
  const b6 = b[atB + 6];
  const b7 = b[atB + 7];
  const b8 = b[atB + 8];
  for (let i = 0; i < 9; i += 3) {
    const x = a[atA + i];
    const y = a[atA + i + 1];
    const z = a[atA + i + 2];
    c[atC + i] -= x * b0 + y * b3 + z * b6;
    c[atC + i + 1] -= x * b1 + y * b4 + z * b7;
    c[atC + i + 2] -= x * b2 + y * b5 + z * b8;
  }
}

function subtractSix(
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  c: Float64Array,
  atC: number,
): void {
  for (let i = 0; i < 36; i += 6) {
    let c0 = c[atC + i];
    let c1 = c[atC + i + 1];
    let c2 = c[atC + i + 2];
    let c3 = c[atC + i + 3];
    let c4 = c[atC + i + 4];
    let c5 = c[atC + i + 5];
    for (let k = 0; k < 6; k++) {
      const x = a[atA + i + k];
      const from = atB + 6 * k;
      c0 -= x * b[from];
      c1 -= x * b[from + 1];
      c2 -= x * b[from + 2];
      c3 -= x * b[from + 3];
      c4 -= x * b[from + 4];
      c5 -= x * b[from + 5];
    }
    c[atC + i] = c0;
    c[atC + i + 1] = c1;
    c[atC + i + 2] = c2;
    c[atC + i + 3] = c3;
    c[atC + i + 4] = c4;
    c[atC + i + 5] = c5;
  }
}

/** b ← a⁻¹ of two or three rows. @returns false where a is singular to rounding, or not a number */
export function invertBlock(
  size: number,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
): boolean {
  if (size === 2) {
    const scale =
      (a[atA] * a[atA] + a[atA + 1] * a[atA + 1]) * (a[atA + 2] * a[atA + 2] + a[atA + 3] * a[atA + 3]);
    const determinant = a[atA] * a[atA + 3] - a[atA + 1] * a[atA + 2];
    if (!(determinant * determinant > SINGULAR * scale)) return false;
    b[atB] = a[atA + 3] / determinant;
    b[atB + 1] = -a[atA + 1] / determinant;
    b[atB + 2] = -a[atA + 2] / determinant;
    b[atB + 3] = a[atA] / determinant;
    return true;
  }
  let scale = 1;
  for (let i = atA; i < atA + 9; i += 3) scale *= a[i] * a[i] + a[i + 1] * a[i + 1] + a[i + 2] * a[i + 2];
  const c0 = a[atA + 4] * a[atA + 8] - a[atA + 5] * a[atA + 7];
  const c1 = a[atA + 5] * a[atA + 6] - a[atA + 3] * a[atA + 8];
  const c2 = a[atA + 3] * a[atA + 7] - a[atA + 4] * a[atA + 6];
  const determinant = a[atA] * c0 + a[atA + 1] * c1 + a[atA + 2] * c2;
  if (!(determinant * determinant > SINGULAR * scale)) return false;
  const f = 1 / determinant;
  b[atB] = f * c0;
  b[atB + 1] = f * (a[atA + 2] * a[atA + 7] - a[atA + 1] * a[atA + 8]);
  b[atB + 2] = f * (a[atA + 1] * a[atA + 5] - a[atA + 2] * a[atA + 4]);
  b[atB + 3] = f * c1;
  b[atB + 4] = f * (a[atA] * a[atA + 8] - a[atA + 2] * a[atA + 6]);
  b[atB + 5] = f * (a[atA + 2] * a[atA + 3] - a[atA] * a[atA + 5]);
  b[atB + 6] = f * c2;
  b[atB + 7] = f * (a[atA + 1] * a[atA + 6] - a[atA] * a[atA + 7]);
  b[atB + 8] = f * (a[atA] * a[atA + 4] - a[atA + 1] * a[atA + 3]);
  return true;
}

/**
 * Inverse of a small block by Gauss–Jordan elimination with complete pivoting, for blocks whose eigenvalues
 * span many magnitudes without being singular, as those of barrier functions do: there a determinant says
 * nothing about the rank.
 *
 * @param a row-major from entry `atA`; @param b receives a⁻¹ from entry `atB`
 * @param work 2 size² entries
 * @returns false where a pivot is zero or not a number
 */
export function invertGradedBlock(
  size: number,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  work: Float64Array,
): boolean {
  const s = size * size;
  for (let k = 0; k < s; k++) {
    work[k] = a[atA + k];
    work[s + k] = k % (size + 1) === 0 ? 1 : 0;
  }
  let done = 0;
  for (let step = 0; step < size; step++) {
    const pivot = largestLeft(size, work, done);
    const row = Math.floor(pivot / size);
    const column = pivot % size;
    const value = work[pivot];
    if (!(Math.abs(value) > 0) || !Number.isFinite(value)) return false;
    done |= (1 << row) | (1 << (size + column));
    for (let j = 0; j < size; j++) {
      work[size * row + j] /= value;
      work[s + size * row + j] /= value;
    }
    for (let i = 0; i < size; i++) {
      if (i === row) continue;
      const factor = work[size * i + column];
      for (let j = 0; j < size; j++) {
        work[size * i + j] -= factor * work[size * row + j];
        work[s + size * i + j] -= factor * work[s + size * row + j];
      }
    }
  }
  // What is left of a has a one in each row; where it stands says which row of the inverse this is.
  for (let i = 0; i < size; i++) {
    let column = 0;
    for (let j = 1; j < size; j++)
      if (Math.abs(work[size * i + j]) > Math.abs(work[size * i + column])) column = j;
    for (let j = 0; j < size; j++) b[atB + size * column + j] = work[s + size * i + j];
  }
  return true;
}

/**
 * Place of the largest entry in rows and columns that have had no pivot: the lower bits of `done` are rows,
 * then come columns.
 */
function largestLeft(size: number, work: Float64Array, done: number): number {
  let place = -1;
  for (let i = 0; i < size; i++) {
    if ((done & (1 << i)) !== 0) continue;
    for (let j = 0; j < size; j++) {
      if ((done & (1 << (size + j))) !== 0) continue;
      // NaN is taken at once, and ends the elimination.
      if (place < 0 || !(Math.abs(work[size * i + j]) <= Math.abs(work[place]))) place = size * i + j;
    }
  }
  return place;
}
