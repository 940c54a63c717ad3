/**
 * Polynomials on [0, 1] in Bernstein form, p(u) = Σ b_i C(m, i) u^i (1 − u)^{m−i}. The graph lies in the
 * convex hull of the b_i; the number of zeros inside, counted with multiplicity, is the number of sign
 * changes of b_0 … b_m or less by an even number (Descartes' rule; Farin 2002 §5).
 */
import { MAX_DEGREE } from './step-method';

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i++) value = (value * (n - k + i)) / i;
  return k < 0 || k > n ? 0 : Math.round(value);
}

/**
 * θ^a σ^b in Bernstein form of degree m: Σ_i C(m − a − b, i − a)/C(m, i) B_i. Factor k of the nested form has
 * a = ⌈k/2⌉, b = ⌊k/2⌋. Entry [k (m + 1) + i].
 */
function nestedToBernstein(m: number): Float64Array {
  const matrix = new Float64Array((m + 1) * (m + 1));
  for (let k = 0; k <= m; k++) {
    const a = Math.ceil(k / 2);
    for (let i = 0; i <= m; i++) matrix[k * (m + 1) + i] = binomial(m - k, i - a) / binomial(m, i);
  }
  return matrix;
}

const FROM_NESTED: readonly (Float64Array | null)[] = Array.from({ length: MAX_DEGREE + 1 }, (_, m) =>
  m === 3 || m === MAX_DEGREE ? nestedToBernstein(m) : null,
);

/** Bernstein coefficients of a polynomial in the nested form of `DenseOutput`, of degree 3 or 7. */
export function bernsteinFromNested(f: Float64Array, degree: number, b: Float64Array): void {
  const matrix = FROM_NESTED[degree];
  if (!matrix) return;
  for (let i = 0; i <= degree; i++) b[i] = f[0];
  let at = degree + 1;
  for (let k = 1; k <= degree; k++, at += degree + 1) {
    const a = (k + 1) >> 1;
    const last = degree - (k >> 1);
    const value = f[k];
    for (let i = a; i <= last; i++) b[i] += matrix[at + i] * value;
  }
}

/**
 * T_k(2u − 1) in Bernstein form of degree m, entry [k (m + 1) + i]: Σ_j (−1)^{k−j} C(2k, 2j)/C(k, j) B_j of
 * degree k, raised to degree m.
 */
export function chebyshevToBernstein(m: number): Float64Array {
  const matrix = new Float64Array((m + 1) * (m + 1));
  for (let k = 0; k <= m; k++) {
    for (let j = 0; j <= k; j++) {
      const c = ((k - j) % 2 === 0 ? 1 : -1) * binomial(2 * k, 2 * j);
      for (let i = j; i <= m - k + j; i++) {
        matrix[k * (m + 1) + i] += (c * binomial(m - k, i - j)) / binomial(m, i);
      }
    }
  }
  return matrix;
}

/** Value at u = `place[0]` into `out[0]`. @param work m + 1 entries */
export function evaluateBernstein(
  b: Float64Array,
  at: number,
  degree: number,
  place: Float64Array,
  out: Float64Array,
  work: Float64Array,
): void {
  const u = place[0];
  const v = 1 - u;
  for (let i = 0; i <= degree; i++) work[i] = b[at + i];
  for (let r = degree; r > 0; r--) for (let i = 0; i < r; i++) work[i] = v * work[i] + u * work[i + 1];
  out[0] = work[0];
}

/** Subdivision at u = `place[0]` by de Casteljau: b[at …] becomes the left part, b[right …] the right one. */
export function subdivide(
  b: Float64Array,
  at: number,
  degree: number,
  place: Float64Array,
  right: number,
): void {
  const u = place[0];
  const v = 1 - u;
  for (let i = 0; i <= degree; i++) b[right + i] = b[at + i];
  for (let r = 1; r <= degree; r++) {
    for (let i = 0; i <= degree - r; i++) b[right + i] = v * b[right + i] + u * b[right + i + 1];
    b[at + r] = b[right];
  }
}
