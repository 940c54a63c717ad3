/**
 * Largest and smallest singular value of a small dense matrix by one-sided Jacobi rotations, which find even
 * tiny singular values to full relative accuracy. Demmel and Veselić 1992.
 */

/** Two columns whose cosine is below this are orthogonal to rounding. */
const ORTHOGONAL = 1e-15;
/** Convergence is quadratic; six to ten sweeps are usual at these sizes. */
const MAX_SWEEPS = 40;

export class SingularValues {
  /** [0] the largest, [1] the smallest singular value of what was measured last */
  readonly extremes = new Float64Array(2);
  readonly #columns: Float64Array;

  /** @param capacity largest number of entries of a matrix */
  constructor(capacity: number) {
    this.#columns = new Float64Array(capacity);
  }

  /**
   * Measures the block of some columns of a wide matrix.
   * @param a rows × width, row-major
   * @param selection columns of the block; null for all of them
   */
  measure(a: Float64Array, rows: number, width: number, selection: Int32Array | null): void {
    const work = this.#columns;
    const count = selection === null ? width : selection.length;
    // Rows of a wide block, columns of a tall one: the vectors that are made orthogonal are never more than
    // their length.
    const isWide = count > rows;
    const vectors = isWide ? rows : count;
    const length = isWide ? count : rows;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < count; j++) {
        const value = a[i * width + (selection === null ? j : selection[j])];
        work[isWide ? i * length + j : j * length + i] = value;
      }
    }
    let rotated = true;
    for (let sweep = 0; rotated && sweep < MAX_SWEEPS; sweep++) {
      rotated = false;
      for (let p = 0; p < vectors; p++) {
        for (let q = p + 1; q < vectors; q++)
          if (rotate(work, p * length, q * length, length)) rotated = true;
      }
    }
    let largest = 0;
    let smallest = vectors === 0 ? 0 : Number.POSITIVE_INFINITY;
    for (let p = 0; p < vectors; p++) {
      let sum = 0;
      for (let k = 0; k < length; k++) sum += work[p * length + k] * work[p * length + k];
      const value = Math.sqrt(sum);
      largest = Math.max(largest, value);
      smallest = Math.min(smallest, value);
    }
    this.extremes[0] = largest;
    this.extremes[1] = smallest;
  }
}

/** Makes two vectors orthogonal. @returns false when they were already */
function rotate(work: Float64Array, p: number, q: number, length: number): boolean {
  let pp = 0;
  let qq = 0;
  let pq = 0;
  for (let k = 0; k < length; k++) {
    pp += work[p + k] * work[p + k];
    qq += work[q + k] * work[q + k];
    pq += work[p + k] * work[q + k];
  }
  if (!(Math.abs(pq) > ORTHOGONAL * Math.sqrt(pp * qq))) return false;
  const zeta = (qq - pp) / (2 * pq);
  const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const sine = cosine * tangent;
  for (let k = 0; k < length; k++) {
    const value = work[p + k];
    work[p + k] = cosine * value - sine * work[q + k];
    work[q + k] = sine * value + cosine * work[q + k];
  }
  return true;
}
