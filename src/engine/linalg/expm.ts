/**
 * Matrix exponential by scaling and squaring with the diagonal Padé approximant of degree 13. Higham 2005.
 */
import { factorLU, solveLU } from './lu';

/** Numerator coefficients of the [13/13] approximant; the denominator has the same with alternating signs. */
const PADE_13 = [
  64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
  670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
] as const;
/** ‖A‖₁ up to which the approximant is accurate to unit roundoff: θ₁₃ of table 2.3 of the paper. */
const THETA_13 = 5.371920351148152;

function multiply(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const factor = a[i * n + k];
      if (factor === 0) continue;
      for (let j = 0; j < n; j++) c[i * n + j] += factor * b[k * n + j];
    }
  }
  return c;
}

function norm1(a: Float64Array, n: number): number {
  let largest = 0;
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.abs(a[i * n + j]);
    largest = Math.max(largest, sum);
  }
  return largest;
}

/** e^A; NaN in every entry where A or its norm is not finite. @param a n × n, row-major */
export function expm(a: Float64Array, n: number): Float64Array {
  const norm = norm1(a, n);
  if (!Number.isFinite(norm)) return new Float64Array(n * n).fill(NaN);
  const squarings = norm > THETA_13 ? Math.max(0, Math.ceil(Math.log2(norm / THETA_13))) : 0;
  const scaled = a.map((x) => x * 2 ** -squarings);
  const a2 = multiply(scaled, scaled, n);
  const a4 = multiply(a2, a2, n);
  const a6 = multiply(a4, a2, n);
  const b = PADE_13;
  const combine = (c6: number, c4: number, c2: number, c0: number): Float64Array => {
    const sum = new Float64Array(n * n);
    for (let k = 0; k < sum.length; k++) sum[k] = c6 * a6[k] + c4 * a4[k] + c2 * a2[k];
    for (let i = 0; i < n; i++) sum[i * n + i] += c0;
    return sum;
  };
  const oddHigh = multiply(a6, combine(b[13], b[11], b[9], 0), n);
  const oddLow = combine(b[7], b[5], b[3], b[1]);
  const odd = multiply(
    scaled,
    oddHigh.map((x, k) => x + oddLow[k]),
    n,
  );
  const evenHigh = multiply(a6, combine(b[12], b[10], b[8], 0), n);
  const evenLow = combine(b[6], b[4], b[2], b[0]);
  const even = evenHigh.map((x, k) => x + evenLow[k]);
  // (even − odd) X = even + odd
  const denominator = even.map((x, k) => x - odd[k]);
  const pivots = new Int32Array(n);
  factorLU(denominator, 0, n, pivots, 0);
  let result: Float64Array = new Float64Array(n * n);
  const column = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) column[i] = even[i * n + j] + odd[i * n + j];
    solveLU(denominator, 0, n, pivots, 0, column, 0);
    for (let i = 0; i < n; i++) result[i * n + j] = column[i];
  }
  for (let k = 0; k < squarings; k++) result = multiply(result, result, n);
  return result;
}
