/**
 * Eigenvalues of a symmetric 3 × 3 matrix by Jacobi's rotations: each makes one entry beside the diagonal zero, and the sum of their squares falls
 * faster and faster. G. H. Golub and C. F. Van Loan, Matrix Computations, §8.5.
 */
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;
/** Six or seven are what it takes to rounding. */
const SWEEPS = 30;

/** @param matrix 3 × 3, row-major, symmetric @returns the three eigenvalues, in no order */
export function principalMoments(matrix: ArrayLike<number>): [number, number, number] {
  const a = Float64Array.from(matrix);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (a[1] === 0 && a[2] === 0 && a[5] === 0) break;
    for (const [p, q] of PAIRS) rotate(a, p, q);
  }
  return [a[0], a[4], a[8]];
}

/** a ← ᵗJ a J with the rotation J of the plane (p, q) that makes the entry (p, q) zero. */
function rotate(a: Float64Array, p: number, q: number): void {
  const beside = a[3 * p + q];
  if (beside === 0) return;
  const theta = (a[4 * q] - a[4 * p]) / (2 * beside);
  const tangent = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  a[4 * p] -= tangent * beside;
  a[4 * q] += tangent * beside;
  a[3 * p + q] = a[3 * q + p] = 0;
  const r = 3 - p - q;
  const [first, second] = [a[3 * r + p], a[3 * r + q]];
  a[3 * r + p] = a[3 * p + r] = cosine * first - sine * second;
  a[3 * r + q] = a[3 * q + r] = sine * first + cosine * second;
}
