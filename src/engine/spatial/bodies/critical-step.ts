/**
 * The longest step that the explicit elastic forces of pseudo-rigid bodies allow. Of a mode of the undeformed
 * body with ω, and viscosity of the relaxation time τ, a step of the scheme by half steps is, for q_½ and u,
 *
 *     u⁺ = u − h (ω² q_½ + τ ω² u),   q_½⁺ = q_½ + h u⁺:
 *     trace 2 − h τ ω² − h² ω²,   determinant 1 − h τ ω².
 *
 * Its powers are bounded as long as |trace| ≤ 1 + determinant, that is h² + 2 h τ ≤ 4/ω², so that
 *
 *     h ≤ √(τ² + 4/ω²) − τ     with the highest ω of the body.
 *
 * Contacts and joints take freedom away, and lower the highest frequency. Stretch raises it; the bound is
 * that of small deformations.
 *
 * At F = 1, with the Euler tensor on its axes, E = diag(e), the equation of motion Ḟ̇ E = −V (λ tr(ε) 1 + 2 μ
 * ε), ε the symmetric part of F − 1, falls apart into the stretches, ω² e_i ε_i = V (λ Σ ε + 2 μ ε_i), and
 * one shear for each pair of axes, ω² = V μ (1/e_i + 1/e_j). An isotropic material looks the same along all
 * axes, and so E may be turned onto its own.
 */
import { EngineError } from '../../errors';
import type { PseudoRigidBody } from './pseudo-rigid';
import type { SpatialSystem } from '../system';

/**
 * Eigenvalues of a symmetric 3 × 3 matrix by Jacobi's rotations: each makes one entry beside the diagonal
 * zero, and the sum of their squares falls faster and faster. Golub and Van Loan 2013 §8.5.
 */
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;
/** Six or seven are what it takes to rounding. */
const SWEEPS = 30;

/** @param matrix 3 × 3, row-major, symmetric @returns the three eigenvalues, in no order */
function principalMoments(matrix: ArrayLike<number>): [number, number, number] {
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

/**
 * Part of the critical step that is refused: at the bound itself errors grow, and a body in motion is
 * stretched.
 */
const SAFE = 0.95;

/**
 * Squares of the angular frequencies of a free undeformed body, three stretches and then three shears, 1/s².
 */
export function squaredFrequencies({ euler, elasticity }: PseudoRigidBody): number[] {
  const { volume, lambda, mu } = elasticity;
  const e = principalMoments(euler);
  // D^{-½} V (λ 1ᵗ1 + 2 μ) D^{-½} with D = diag(e)
  const stretches = Float64Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    return (volume * (lambda + (i === j ? 2 * mu : 0))) / Math.sqrt(e[i] * e[j]);
  });
  const shears = [
    [0, 1],
    [0, 2],
    [1, 2],
  ].map(([i, j]) => volume * mu * (1 / e[i] + 1 / e[j]));
  return [...principalMoments(stretches), ...shears];
}

/** Longest stable step of a body, s. */
export function criticalStep(body: PseudoRigidBody): number {
  const { relaxation } = body.elasticity;
  const square = 4 / Math.max(...squaredFrequencies(body));
  // √(τ² + s) − τ without cancellation
  return square / (Math.sqrt(relaxation * relaxation + square) + relaxation);
}

/** @throws {EngineError} `step-above-critical` when h is too long for a body */
export function requireStableStep({ pseudoRigid }: SpatialSystem, h: number): void {
  for (const { body } of pseudoRigid) {
    const longest = criticalStep(body);
    if (h <= SAFE * longest) continue;
    const frequency = Math.sqrt(Math.max(...squaredFrequencies(body))) / (2 * Math.PI);
    throw new EngineError({
      code: 'step-above-critical',
      where: body.id,
      message: `The step of ${h} s is too long for “${body.id}”, which vibrates with up to ${frequency.toPrecision(3)} Hz: above ${longest.toPrecision(3)} s it would blow up.`,
      remedy: `Take a step of ${(0.5 * longest).toPrecision(2)} s or less, make the body softer or heavier, or rigid.`,
    });
  }
}
