/**
 * A pseudo-rigid body, as Solfec has them: each point moves affinely, x(X, t) = x̄ + F ξ with ξ = X − X̄ the point in the reference configuration
 * seen from the mass centre. Twelve degrees of freedom, the deformation gradient row by row and the mass centre,
 *
 *     q = (F₁₁, F₁₂, F₁₃, F₂₁, …, F₃₃, x̄),   u = q̇.
 *
 * With the Euler tensor E = ∫ ρ ξ⊗ξ dV the kinetic energy is ½ tr(Ḟ E ᵗḞ) + ½ m |x̄˙|², so that M = diag(E, E, E, m 1) is constant: there is
 * no gyroscopic term. Of a St Venant–Kirchhoff material with the strain G = ½ (ᵗF F − 1),
 *
 *     W = V (½ λ (tr G)² + μ G:G),   S = λ tr(G) 1 + 2 μ G,   −∂W/∂F = −V F S.
 *
 * The moment of the internal forces, the skew part of F S ᵗF, is zero, so that moment of momentum is conserved. The material
 * softens under strong compression: at a stretch below 1/√3 along an axis its stiffness is negative.
 *
 * Local frames: the velocity of the point ξ along a unit vector a is a·(Ḟ ξ + x̄˙), a row of H with a_i ξ_j at F_ij and a_i at x̄_i.
 *
 * H. Cohen and R. G. Muncaster, The Theory of Pseudo-rigid Bodies, 1988; T. Koziara, Aspects of Computational Contact Dynamics, 2008.
 */
import { EngineError } from '../errors';
import { factorCholesky, solveCholesky } from '../linalg/dense-cholesky';
import type { HalfStepSystem } from './half-step';
import type { SpatialStatus } from './status';

/** Degrees of freedom. */
export const AFFINE = 12;

export interface PseudoRigidDescription {
  id: string;
  /** m, kg */
  mass: number;
  /** E, 3 × 3 row by row, kg m², symmetric positive definite */
  euler: readonly number[];
  /** V in the reference configuration, m³ */
  volume: number;
  /** λ and μ of Lamé, Pa */
  lambda: number;
  mu: number;
}

/** E = ½ tr(I) 1 − I, from the inertia about the mass centre, 3 × 3 row by row. */
export function eulerTensor(inertia: readonly number[]): number[] {
  const half = 0.5 * (inertia[0] + inertia[4] + inertia[8]);
  return inertia.map((x, k) => (k % 4 === 0 ? half - x : -x));
}

/** λ and μ from Young's modulus and Poisson's ratio, Pa. */
export function lameConstants(young: number, poisson: number): { lambda: number; mu: number } {
  return {
    lambda: (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)),
    mu: young / (2 * (1 + poisson)),
  };
}

export class PseudoRigidBody implements HalfStepSystem {
  readonly positions = AFFINE;
  readonly velocities = AFFINE;
  readonly #factor: Float64Array;
  readonly #euler: Float64Array;
  readonly #strain = new Float64Array(9);
  readonly #force = new Float64Array(AFFINE);
  readonly #row = new Float64Array(3);

  /**
   * @param external adds forces that belong to (F, x̄) at clock[0], as ᵗH of a force; null for none
   * @throws {EngineError} when a number is not what it should be
   */
  constructor(
    readonly description: PseudoRigidDescription,
    private readonly external: ((clock: Float64Array, q: Float64Array, out: Float64Array) => void) | null,
  ) {
    const { id, mass, euler, volume, lambda, mu } = description;
    this.#euler = Float64Array.from(euler);
    this.#factor = this.#euler.slice();
    const isSymmetric = euler[1] === euler[3] && euler[2] === euler[6] && euler[5] === euler[7];
    if (!isSymmetric || !this.#euler.every(Number.isFinite) || !factorCholesky(this.#factor, 3))
      throw new EngineError({
        code: 'euler-tensor-not-positive',
        where: id,
        message: `The Euler tensor of “${id}” is not symmetric and positive definite.`,
        remedy: 'Give ∫ ρ ξ⊗ξ dV about the mass centre; a flat or straight body has none of full rank.',
      });
    if (!(mass > 0 && volume > 0 && mu > 0 && 3 * lambda + 2 * mu > 0))
      throw new EngineError({
        code: 'pseudo-rigid-not-positive',
        where: id,
        message: `Mass, volume or elasticity of “${id}” is not positive.`,
        remedy: 'Give positive mass and volume, μ > 0 and 3 λ + 2 μ > 0.',
      });
  }

  advance(q: Float64Array, u: Float64Array, time: number): boolean {
    for (let i = 0; i < AFFINE; i++) q[i] += time * u[i];
    return Number.isFinite(q[0] + q[AFFINE - 1]);
  }

  addFreeVelocity(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus {
    const force = this.#force;
    force.fill(0);
    this.addInternalForce(q, force);
    this.external?.(clock, q, force);
    this.applyInverseMass(force);
    let sum = 0;
    for (let i = 0; i < AFFINE; i++) {
      u[i] += h * force[i];
      sum += u[i];
    }
    return Number.isFinite(sum) ? 'ok' : 'notFinite';
  }

  applyInverseMass(x: Float64Array): void {
    const row = this.#row;
    for (let k = 0; k < 9; k += 3) {
      for (let j = 0; j < 3; j++) row[j] = x[k + j];
      solveCholesky(this.#factor, 3, row);
      for (let j = 0; j < 3; j++) x[k + j] = row[j];
    }
    for (let i = 9; i < AFFINE; i++) x[i] /= this.description.mass;
  }

  /** Adds −V F S. */
  addInternalForce(q: Float64Array, out: Float64Array): void {
    const { volume, lambda, mu } = this.description;
    const stress = this.#strain;
    this.#measureStrain(q);
    const pressure = lambda * (stress[0] + stress[4] + stress[8]);
    for (let k = 0; k < 9; k++) stress[k] = 2 * mu * stress[k] + (k % 4 === 0 ? pressure : 0);
    for (let i = 0; i < 9; i += 3) {
      for (let j = 0; j < 3; j++)
        out[i + j] -= volume * (q[i] * stress[j] + q[i + 1] * stress[3 + j] + q[i + 2] * stress[6 + j]);
    }
  }

  /** W, J */
  strainEnergy(q: Float64Array): number {
    const { volume, lambda, mu } = this.description;
    const strain = this.#strain;
    this.#measureStrain(q);
    const trace = strain[0] + strain[4] + strain[8];
    let squares = 0;
    for (let k = 0; k < 9; k++) squares += strain[k] * strain[k];
    return volume * (0.5 * lambda * trace * trace + mu * squares);
  }

  /** J */
  kineticEnergy(u: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < 9; i += 3)
      for (let j = 0; j < 3; j++)
        for (let k = 0; k < 3; k++) sum += u[i + j] * this.#euler[3 * j + k] * u[i + k];
    for (let i = 9; i < AFFINE; i++) sum += this.description.mass * u[i] * u[i];
    return 0.5 * sum;
  }

  /** Moment of momentum about the mass centre, ∫ ρ (F ξ)×(Ḟ ξ) dV, N m s: the skew part of F E ᵗḞ. @param out 3 numbers */
  angularMomentum(q: Float64Array, u: Float64Array, out: Float64Array): void {
    for (let i = 0; i < 3; i++) {
      const a = 3 * ((i + 1) % 3);
      const b = 3 * ((i + 2) % 3);
      let sum = 0;
      for (let j = 0; j < 3; j++)
        for (let k = 0; k < 3; k++)
          sum += this.#euler[3 * j + k] * (q[a + j] * u[b + k] - q[b + j] * u[a + k]);
      out[i] = sum;
    }
  }

  /** G = ½ (ᵗF F − 1) */
  #measureStrain(q: Float64Array): void {
    const strain = this.#strain;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        strain[3 * i + j] =
          0.5 * (q[i] * q[j] + q[3 + i] * q[3 + j] + q[6 + i] * q[6 + j] - (i === j ? 1 : 0));
  }
}

/**
 * H of a local frame, 3 × 12: row r is the velocity of the point along the r-th axis.
 * @param point ξ, m, 3 numbers @param axes three unit vectors one after the other, world's frame
 * @param at first entry of the block in `out` @param width entries of its rows
 */
export function frameRows(
  point: Float64Array,
  axes: Float64Array,
  out: Float64Array,
  at: number,
  width: number,
): void {
  for (let r = 0; r < 3; r++) {
    const row = at + r * width;
    for (let i = 0; i < 3; i++) {
      const a = axes[3 * r + i];
      for (let j = 0; j < 3; j++) out[row + 3 * i + j] = a * point[j];
      out[row + 9 + i] = a;
    }
  }
}
