/**
 * Inverse of a small block by Gauss–Jordan elimination with complete pivoting, for blocks whose eigenvalues span many
 * magnitudes without being singular, as those of barrier functions do: there a determinant says nothing about the rank.
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

/** Place of the largest entry in rows and columns that have had no pivot: the lower bits of `done` are rows, then come columns. */
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
