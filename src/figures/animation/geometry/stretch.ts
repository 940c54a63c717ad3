/**
 * What a body that deforms is drawn with: F = R U, the turn R as a quaternion and the stretch U, which is
 * symmetric. Between two pictures turns go along the sphere and stretches along the chord, so that a body
 * that spins fast does not shrink on the way.
 */

/** Numbers of a stretch: xx, yy, zz, xy, xz, yz. */
export const STRETCH = 6;

/** Corrections below this are rounding. */
const LAST_CORRECTION = 1e-14;
const MAX_ITERATIONS = 40;

const matrix = new Float64Array(9);
const inverse = new Float64Array(9);

/** inverse ← m⁻ᵀ, by cofactors */
function invertTransposed(m: Float64Array): void {
  let determinant = 0;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const [a, b] = [3 * ((i + 1) % 3), 3 * ((i + 2) % 3)];
      const [c, d] = [(j + 1) % 3, (j + 2) % 3];
      inverse[3 * i + j] = m[a + c] * m[b + d] - m[a + d] * m[b + c];
    }
  for (let j = 0; j < 3; j++) determinant += m[j] * inverse[j];
  for (let k = 0; k < 9; k++) inverse[k] /= determinant;
}

/**
 * Writes the turn and the stretch of F. R is where R ← ½ (R + R⁻ᵀ) from F ends, quadratically for det F > 0:
 * Higham 1986.
 * @param f F row by row @param turn takes the quaternion at `turnAt` @param stretch takes U at `stretchAt`
 */
export function polarTo(
  turn: Float64Array,
  turnAt: number,
  stretch: Float64Array,
  stretchAt: number,
  f: ArrayLike<number>,
): void {
  for (let k = 0; k < 9; k++) matrix[k] = f[k];
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    invertTransposed(matrix);
    let change = 0;
    for (let k = 0; k < 9; k++) {
      const next = 0.5 * (matrix[k] + inverse[k]);
      change = Math.max(change, Math.abs(next - matrix[k]));
      matrix[k] = next;
    }
    if (!(change > LAST_CORRECTION)) break;
  }
  quaternionTo(turn, turnAt);
  // U = ᵗR F
  const entry = (i: number, j: number): number =>
    matrix[i] * f[j] + matrix[3 + i] * f[3 + j] + matrix[6 + i] * f[6 + j];
  stretch[stretchAt] = entry(0, 0);
  stretch[stretchAt + 1] = entry(1, 1);
  stretch[stretchAt + 2] = entry(2, 2);
  stretch[stretchAt + 3] = 0.5 * (entry(0, 1) + entry(1, 0));
  stretch[stretchAt + 4] = 0.5 * (entry(0, 2) + entry(2, 0));
  stretch[stretchAt + 5] = 0.5 * (entry(1, 2) + entry(2, 1));
}

/**
 * The quaternion of `matrix`, by the largest of its four numbers: Shepperd 1978.
 */
function quaternionTo(out: Float64Array, at: number): void {
  const m = matrix;
  const squares = [m[0] + m[4] + m[8], m[0], m[4], m[8]];
  const largest = squares.indexOf(Math.max(...squares));
  const numbers = [
    [1 + squares[0], m[7] - m[5], m[2] - m[6], m[3] - m[1]],
    [m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]],
    [m[2] - m[6], m[1] + m[3], 1 + m[4] - m[0] - m[8], m[5] + m[7]],
    [m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 + m[8] - m[0] - m[4]],
  ][largest] ?? [1, 0, 0, 0];
  const length = Math.hypot(...numbers);
  for (let i = 0; i < 4; i++) out[at + i] = numbers[i] / length;
}

/** out ← U x, three numbers; `out` may not be `x` */
export function stretchTo(
  out: Float64Array,
  at: number,
  u: ArrayLike<number>,
  uAt: number,
  x: number,
  y: number,
  z: number,
): void {
  out[at] = u[uAt] * x + u[uAt + 3] * y + u[uAt + 4] * z;
  out[at + 1] = u[uAt + 3] * x + u[uAt + 1] * y + u[uAt + 5] * z;
  out[at + 2] = u[uAt + 4] * x + u[uAt + 5] * y + u[uAt + 2] * z;
}
