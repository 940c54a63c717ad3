/**
 * Powers in Bernstein form on [0, h]: τ^k = h^k Σ_{i≥k} C(i, k)/C(m, k) B_i of degree m. The weights are between 0 and 1:
 * the conversion multiplies no rounding, at any degree. (G. Farin, Curves and Surfaces for CAGD, §6.)
 */
import { MAX_ORDER, ROW } from './linear-system';

/** C(i, k)/C(m, k) at [ROW i + k], for each degree m. */
const WEIGHTS: readonly Float64Array[] = Array.from({ length: MAX_ORDER + 1 }, (_, m) => {
  const table = new Float64Array(ROW * ROW);
  for (let i = 0; i <= m; i++) {
    table[ROW * i] = 1;
    for (let k = 1; k <= i; k++) table[ROW * i + k] = (table[ROW * i + k - 1] * (i - k + 1)) / (m - k + 1);
  }
  return table;
});

/**
 * @param g coefficients of 1, τ, τ², …, to the given degree; further ones are left out
 * @param length [0] h
 * @param scratch degree + 1 entries
 * @param b Bernstein coefficients
 */
export function bernsteinFromPowers(
  g: Float64Array,
  degree: number,
  length: Float64Array,
  scratch: Float64Array,
  b: Float64Array,
): void {
  const table = WEIGHTS[degree];
  const h = length[0];
  let power = 1;
  for (let k = 0; k <= degree; k++) {
    scratch[k] = g[k] * power;
    power *= h;
  }
  for (let i = 0; i <= degree; i++) {
    let sum = scratch[0];
    for (let k = 1; k <= i; k++) sum += table[ROW * i + k] * scratch[k];
    b[i] = sum;
  }
}
