/**
 * The Euclidean projection of x onto the cone K_μ = {|x_T| ≤ μ x_N}, in place: x stays where it is inside,
 * becomes zero in the polar cone {μ |x_T| ≤ −x_N}, and otherwise goes to the nearest ray, which has the
 * direction of its x_T:
 *
 *     x_N ← (x_N + μ |x_T|)/(1 + μ²),     x_T ← μ x_N x_T/|x_T|.
 *
 * @param x at entry `at` the normal component, behind it two tangential ones; in the plane the second is zero
 */
export function projectOntoCone(x: Float64Array, at: number, mu: number): void {
  const n = x[at];
  // Not Math.hypot, which is a call, and allocates.
  const tangent = Math.sqrt(x[at + 1] * x[at + 1] + x[at + 2] * x[at + 2]);
  // Without friction and along the normal, both sides are zeros, whatever the sign of n.
  if (n >= 0 && tangent <= mu * n) return;
  if (mu * tangent <= -n) {
    x[at] = 0;
    x[at + 1] = 0;
    x[at + 2] = 0;
    return;
  }
  const normal = (n + mu * tangent) / (1 + mu * mu);
  const factor = (mu * normal) / tangent;
  x[at] = normal;
  x[at + 1] *= factor;
  x[at + 2] *= factor;
}
