/**
 * Pairs of points x, y inside second-order cones {|x_T| ≤ x_0} of one to three entries, and the scaling of Yu. E. Nesterov and
 * M. J. Todd (SIAM J. Optim. 8, 1998) that brings both to the same point λ,
 *
 *     S y = S⁻¹ x = λ,     S = η (w_0, w_Tᵀ; w_T, I + w_T w_Tᵀ/(1 + w_0)),     η² = √(x° x / y° y),
 *
 * in which x° x = x_0² − |x_T|², and w, with w° w = 1, is the normed sum of x/√(x° x) and of y/√(y° y) with its tangents reversed
 * (L. Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", 2010, §4). In Jordan's product,
 * a ∘ b = (aᵀb, a_0 b_T + b_0 a_T), complementarity is x ∘ y = 0, and λ ∘ λ = σ e on the central path.
 */

/** Least value of x° x relative to x_0²: what rounding leaves of it near the boundary. */
const BOUNDARY = 1e-15;

/** x° x for `size` entries from `at`, not below what rounding leaves. */
function determinant(x: Float64Array, at: number, size: number): number {
  let tangent = 0;
  for (let k = 1; k < size; k++) tangent += x[at + k] * x[at + k];
  const length = Math.sqrt(tangent);
  return Math.max((x[at] - length) * (x[at] + length), BOUNDARY * x[at] * x[at]);
}

/** Writes w to `scaling` from `at`, 3 entries, and η behind it: 4 entries for each cone. */
export function scaleCone(
  x: Float64Array,
  y: Float64Array,
  at: number,
  size: number,
  scaling: Float64Array,
  place: number,
): void {
  const ofX = Math.sqrt(determinant(x, at, size));
  const ofY = Math.sqrt(determinant(y, at, size));
  let product = 0;
  for (let k = 0; k < size; k++) product += x[at + k] * y[at + k];
  const factor = 1 / Math.sqrt(2 * (1 + product / (ofX * ofY)));
  let tangent = 0;
  for (let k = 1; k < size; k++) {
    const w = factor * (x[at + k] / ofX - y[at + k] / ofY);
    scaling[place + k] = w;
    tangent += w * w;
  }
  // From w° w = 1, which rounding may have spoilt.
  scaling[place] = Math.sqrt(1 + tangent);
  scaling[place + 3] = Math.sqrt(ofX / ofY);
}

/** to ← S x, or S⁻¹ x: S⁻¹ has w with its tangents reversed and 1/η. */
export function applyScaling(
  scaling: Float64Array,
  place: number,
  size: number,
  isInverse: boolean,
  x: Float64Array,
  at: number,
  to: Float64Array,
  atTo: number,
): void {
  const sign = isInverse ? -1 : 1;
  const eta = isInverse ? 1 / scaling[place + 3] : scaling[place + 3];
  let sum = 0;
  for (let k = 1; k < size; k++) sum += sign * scaling[place + k] * x[at + k];
  const first = x[at];
  const along = first + sum / (1 + scaling[place]);
  to[atTo] = eta * (scaling[place] * first + sum);
  for (let k = 1; k < size; k++) to[atTo + k] = eta * (x[at + k] + sign * scaling[place + k] * along);
}

/** Entry (i, j) of S, or of S⁻¹; both are symmetric. */
export function entryOfScaling(
  scaling: Float64Array,
  place: number,
  isInverse: boolean,
  i: number,
  j: number,
): number {
  const eta = isInverse ? 1 / scaling[place + 3] : scaling[place + 3];
  if (i === 0 && j === 0) return eta * scaling[place];
  if (i === 0 || j === 0) return (isInverse ? -eta : eta) * scaling[place + i + j];
  const product = (scaling[place + i] * scaling[place + j]) / (1 + scaling[place]);
  return eta * (i === j ? 1 + product : product);
}

/** c ← the solution of λ ∘ c = t; c may be t. */
export function divideCone(
  lambda: Float64Array,
  at: number,
  size: number,
  t: Float64Array,
  c: Float64Array,
): void {
  let sum = 0;
  for (let k = 1; k < size; k++) sum += lambda[at + k] * t[k];
  const first = (lambda[at] * t[0] - sum) / determinant(lambda, at, size);
  for (let k = 1; k < size; k++) c[k] = (t[k] - first * lambda[at + k]) / lambda[at];
  c[0] = first;
}

/** t += factor · a ∘ b */
export function addJordanProduct(
  size: number,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  factor: number,
  t: Float64Array,
): void {
  for (let k = 0; k < size; k++) t[0] += factor * a[atA + k] * b[atB + k];
  for (let k = 1; k < size; k++) t[k] += factor * (a[atA] * b[atB + k] + b[atB] * a[atA + k]);
}

/** Largest length for which x + length · d is in the cone, or `most` if that is less. */
export function lengthInCone(
  x: Float64Array,
  d: Float64Array,
  at: number,
  size: number,
  most: number,
): number {
  // (x + t d)° (x + t d) = a t² + 2 b t + c, of which the smallest positive root is sought.
  let a = d[at] * d[at];
  let b = x[at] * d[at];
  for (let k = 1; k < size; k++) {
    a -= d[at + k] * d[at + k];
    b -= x[at + k] * d[at + k];
  }
  const c = determinant(x, at, size);
  let length = most;
  if (d[at] < 0) length = Math.min(length, -x[at] / d[at]);
  const discriminant = b * b - a * c;
  if (discriminant < 0) return length;
  const q = b >= 0 ? -(b + Math.sqrt(discriminant)) : -(b - Math.sqrt(discriminant));
  if (a !== 0 && q / a > 0) length = Math.min(length, q / a);
  if (q !== 0 && c / q > 0) length = Math.min(length, c / q);
  return length;
}
