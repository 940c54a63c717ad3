/**
 * Radau IIA with three stages, order 5 (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, §IV.5 and §IV.8).
 *
 * The nodes c are the zeros of the derivative of θ²(θ − 1)³, once more differentiated: (4 ∓ √6)/10 and 1. A holds the
 * integrals of the Lagrange polynomials from 0 to c_i.
 *
 * Eigenvalues of A⁻¹. The denominator of the stability function is 1 − 3z/5 + 3z²/20 − z³/60, and its zeros are the
 * eigenvalues: z³ − 9z² + 36z − 60 = 0, with z = 3 + w: w³ + 9w − 6 = 0. Cardano: w = u + v with u v = −3 and u³ + v³ = 6, so
 * u³ = 9 and v³ = −3, hence
 *
 *     γ = 3 + ∛9 − ∛3,    α ± iβ = 3 − (∛9 − ∛3)/2 ± i (√3/2)(∛9 + ∛3).
 *
 * With an eigenvector v of γ and a + ib of α + iβ, the columns v, a, −b of T give T⁻¹A⁻¹T = [γ 0 0; 0 α −β; 0 β α]: one real
 * system of the size of the state and one complex one, instead of one three times as large.
 */
const ROOT6 = Math.sqrt(6);
const U = Math.cbrt(9);
const V = Math.cbrt(3);

export const NODES: readonly [number, number, number] = [(4 - ROOT6) / 10, (4 + ROOT6) / 10, 1];

/** Row by row. */
export const COEFFICIENTS: readonly number[] = [
  ...[(88 - 7 * ROOT6) / 360, (296 - 169 * ROOT6) / 1800, (-2 + 3 * ROOT6) / 225],
  ...[(296 + 169 * ROOT6) / 1800, (88 + 7 * ROOT6) / 360, (-2 - 3 * ROOT6) / 225],
  ...[(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1 / 9],
];

export const GAMMA = 3 + U - V;
export const ALPHA = 3 - (U - V) / 2;
export const BETA = (Math.sqrt(3) / 2) * (U + V);

/** Inverse of a 3 × 3 matrix from its cofactors. */
function invert(m: readonly number[]): number[] {
  const minor = (i: number, j: number): number => {
    const [r, s] = [(i + 1) % 3, (i + 2) % 3];
    const [p, q] = [(j + 1) % 3, (j + 2) % 3];
    return m[3 * r + p] * m[3 * s + q] - m[3 * r + q] * m[3 * s + p];
  };
  const determinant = m[0] * minor(0, 0) + m[1] * minor(0, 1) + m[2] * minor(0, 2);
  return m.map((_, k) => minor(k % 3, Math.floor(k / 3)) / determinant);
}

/** Real and imaginary part of the eigenvector of m for the eigenvalue re + i im, its last entry 1. */
function eigenvector(m: readonly number[], re: number, im: number): [number[], number[]] {
  // The first two rows of m − μ leave one direction free: x₁, x₂ from x₃ = 1 by Cramer's rule, in complex numbers.
  const a = [m[0] - re, -im];
  const d = [m[4] - re, -im];
  const times = (x: number[], y: number[]): number[] => [
    x[0] * y[0] - x[1] * y[1],
    x[0] * y[1] + x[1] * y[0],
  ];
  const over = (x: number[], y: number[]): number[] => {
    const square = y[0] ** 2 + y[1] ** 2;
    return [(x[0] * y[0] + x[1] * y[1]) / square, (x[1] * y[0] - x[0] * y[1]) / square];
  };
  const product = times(a, d);
  const determinant = [product[0] - m[1] * m[3], product[1]];
  const first = over([m[1] * m[5] - m[2] * d[0], -m[2] * d[1]], determinant);
  const second = over([m[2] * m[3] - m[5] * a[0], -m[5] * a[1]], determinant);
  return [
    [first[0], second[0], 1],
    [first[1], second[1], 0],
  ];
}

/** A⁻¹, row by row. */
export const INVERSE: readonly number[] = invert(COEFFICIENTS);

function transformation(): number[] {
  const [v] = eigenvector(INVERSE, GAMMA, 0);
  const [a, b] = eigenvector(INVERSE, ALPHA, BETA);
  return [0, 1, 2].flatMap((i) => [v[i], a[i], 0 - b[i]]);
}

/** T, row by row; its last row is (1, 1, 0). */
export const TRANSFORM: readonly number[] = transformation();
/** T⁻¹, row by row. */
export const BACK: readonly number[] = invert(TRANSFORM);

/**
 * Error estimate. A formula of order 3 with the same stages and the rate f₀ at the start, of weight 1/γ, has weights b + δ with
 * Σ δ_i c_i^k = −1/γ for k = 0 and 0 for k = 1, 2. With z_i = x_i − x₀ = h Σ a_ij f_j it differs from the method by
 * h f₀/γ + Σ e_i z_i, e = ᵗA⁻¹δ; here γ e_i.
 */
export const ERROR_WEIGHTS: readonly [number, number, number] = [
  (-13 - 7 * ROOT6) / 3,
  (-13 + 7 * ROOT6) / 3,
  -1 / 3,
];
