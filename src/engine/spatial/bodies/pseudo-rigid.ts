/**
 * A pseudo-rigid body, as Solfec has them: each point moves affinely, x(ξ, t) = x̄ + F ξ with ξ the point in
 * the reference configuration seen from the mass centre. Twelve degrees of freedom, the mass centre and the
 * deformation gradient row by row,
 *
 *     q = (x̄, F₁₁, F₁₂, F₁₃, F₂₁, …, F₃₃),   u = q̇.
 *
 * With the Euler tensor E = ∫ ρ ξ⊗ξ dV the kinetic energy is ½ tr(Ḟ E ᵗḞ) + ½ m |x̄˙|², so that M = diag(m 1,
 * E, E, E) is constant: there is no gyroscopic term. What holds the body together is `AffineElasticity`; its
 * forces have no moment, so that moment of momentum is conserved.
 *
 * Local frames: the velocity of the point ξ along a unit vector a is a·(x̄˙ + Ḟ ξ), a row of H with a_i at
 * x̄_i and a_i ξ_j at F_ij. A point P of the world is that of ξ = F⁻¹ (P − x̄).
 *
 * The angular velocity is that of the velocity field, half its rotation: a·ω = ½ Σ_l (a×b_l)·(Ḟ e_l) with the
 * rows b_l of F⁻¹, the same everywhere in the body.
 *
 * Cohen and Muncaster 1988; Koziara 2008.
 */
import { EngineError } from '../../errors';
import { factorCholesky, solveCholesky } from '../../linalg/cholesky';
import type { SpatialBody } from './body';
import { addCross, determinant, invertMatrix, solveMatrix } from '../matrix3';

/**
 * Elasticity of a body that deforms as a whole, by its deformation gradient F and its volume V in the
 * reference configuration: a material of St Venant and Kirchhoff with the strain G, and with a viscosity in
 * proportion to it, of the relaxation time τ (Kelvin and Voigt),
 *
 *     G = ½ (ᵗF F − 1),   W = V (½ λ (tr G)² + μ G:G),   S(G) = λ tr(G) 1 + 2 μ G,
 *     force by F: −V F (S(G) + τ S(Ġ)).
 *
 * S and Ġ are symmetric, so that the moment of the forces, the skew part of F S ᵗF, is zero; the power of the
 * viscosity is −V τ S(Ġ):Ġ ≤ 0, and zero where the body turns as a rigid one. Under strong compression the
 * material is soft: below a stretch of 1/√3 along an axis its stiffness is negative, and it takes finite work
 * to turn it inside out.
 */
export interface ElasticMaterial {
  /** λ and μ of Lamé, Pa */
  readonly lambda: number;
  readonly mu: number;
  /** τ, s; none when left out */
  readonly relaxation?: number;
}

/** λ and μ from Young's modulus and Poisson's ratio, Pa. */
export function lameConstants(young: number, poisson: number): { lambda: number; mu: number } {
  return {
    lambda: (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)),
    mu: young / (2 * (1 + poisson)),
  };
}

export class AffineElasticity {
  readonly lambda: number;
  readonly mu: number;
  readonly relaxation: number;
  readonly #tensor = new Float64Array(9);

  /** @param volume V, m³ */
  constructor(
    readonly volume: number,
    { lambda, mu, relaxation = 0 }: ElasticMaterial,
  ) {
    this.lambda = lambda;
    this.mu = mu;
    this.relaxation = relaxation;
  }

  /** Adds −V F S(G). @param f F row by row from `at` on @param out by F from `outAt` on */
  addForce(f: Float64Array, at: number, out: Float64Array, outAt: number): void {
    this.#measureStrain(f, at);
    this.#addStress(f, at, 1, out, outAt);
  }

  /** Adds −V F τ S(Ġ). @param rate Ḟ from `rateAt` on */
  addDamping(
    f: Float64Array,
    at: number,
    rate: Float64Array,
    rateAt: number,
    out: Float64Array,
    outAt: number,
  ): void {
    if (this.relaxation === 0) return;
    this.#measureRate(f, at, rate, rateAt);
    this.#addStress(f, at, this.relaxation, out, outAt);
  }

  /** W, J */
  energy(f: Float64Array, at: number): number {
    const strain = this.#tensor;
    this.#measureStrain(f, at);
    const trace = strain[0] + strain[4] + strain[8];
    let squares = 0;
    for (let k = 0; k < 9; k++) squares += strain[k] * strain[k];
    return this.volume * (0.5 * this.lambda * trace * trace + this.mu * squares);
  }

  /** Adds −V F · factor S of the tensor at hand. */
  #addStress(f: Float64Array, at: number, factor: number, out: Float64Array, outAt: number): void {
    const stress = this.#tensor;
    const pressure = this.lambda * (stress[0] + stress[4] + stress[8]);
    for (let k = 0; k < 9; k++) stress[k] = 2 * this.mu * stress[k] + (k % 4 === 0 ? pressure : 0);
    const scale = this.volume * factor;
    for (let i = 0; i < 9; i += 3)
      for (let j = 0; j < 3; j++)
        out[outAt + i + j] -=
          scale * (f[at + i] * stress[j] + f[at + i + 1] * stress[3 + j] + f[at + i + 2] * stress[6 + j]);
  }

  /** G = ½ (ᵗF F − 1) */
  #measureStrain(f: Float64Array, at: number): void {
    const strain = this.#tensor;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        strain[3 * i + j] =
          0.5 *
          (f[at + i] * f[at + j] +
            f[at + 3 + i] * f[at + 3 + j] +
            f[at + 6 + i] * f[at + 6 + j] -
            (i === j ? 1 : 0));
  }

  /** Ġ = ½ (ᵗḞ F + ᵗF Ḟ) */
  #measureRate(f: Float64Array, at: number, rate: Float64Array, rateAt: number): void {
    const strain = this.#tensor;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let k = 0; k < 9; k += 3)
          sum += rate[rateAt + k + i] * f[at + k + j] + f[at + k + i] * rate[rateAt + k + j];
        strain[3 * i + j] = 0.5 * sum;
      }
  }
}

/** Degrees of freedom. */
export const AFFINE = 12;
/** Where F begins among them. */
export const DEFORMATION = 3;

export interface PseudoRigidDescription extends ElasticMaterial {
  id: string;
  /** m, kg */
  mass: number;
  /** E, 3 × 3 row by row, kg m², symmetric positive definite */
  euler: readonly number[];
  /** V in the reference configuration, m³ */
  volume: number;
}

/** E = ½ tr(I) 1 − I, from the inertia about the mass centre, 3 × 3 row by row. */
export function eulerTensor(inertia: readonly number[]): number[] {
  const half = 0.5 * (inertia[0] + inertia[4] + inertia[8]);
  return inertia.map((x, k) => (k % 4 === 0 ? half - x : -x));
}

export class PseudoRigidBody implements SpatialBody {
  readonly id: string;
  readonly mass: number;
  readonly positions = AFFINE;
  readonly velocities = AFFINE;
  readonly inverseMassDiagonal: Float64Array;
  /** ⅙ tr E⁻¹ */
  readonly turnMobility: number;
  /** E, 3 × 3 */
  readonly euler: Float64Array;
  readonly elasticity: AffineElasticity;
  readonly #factor: Float64Array;
  readonly #row = new Float64Array(3);
  readonly #point = new Float64Array(3);
  readonly #inverse = new Float64Array(9);

  /** @throws {EngineError} when a number is not what it should be */
  constructor(readonly description: PseudoRigidDescription) {
    const { id, mass, euler, volume } = description;
    this.id = id;
    this.mass = mass;
    this.euler = Float64Array.from(euler);
    this.#factor = this.euler.slice();
    const isSymmetric = euler[1] === euler[3] && euler[2] === euler[6] && euler[5] === euler[7];
    if (!isSymmetric || !this.euler.every(Number.isFinite) || !factorCholesky(this.#factor, 3))
      throw new EngineError({
        code: 'euler-tensor-not-positive',
        where: id,
        message: `The Euler tensor of “${id}” is not symmetric and positive definite.`,
        remedy: 'Give ∫ ρ ξ⊗ξ dV about the mass centre; a flat or straight body has none of full rank.',
      });
    requirePositive(description);
    this.elasticity = new AffineElasticity(volume, description);
    this.inverseMassDiagonal = new Float64Array(AFFINE);
    for (let i = 0; i < AFFINE; i++) {
      const unit = new Float64Array(AFFINE);
      unit[i] = 1;
      this.applyInverseMass(unit, 0);
      this.inverseMassDiagonal[i] = unit[i];
    }
    const [a, b, c] = this.inverseMassDiagonal.subarray(DEFORMATION);
    this.turnMobility = (a + b + c) / 6;
  }

  applyInverseMass(x: Float64Array, at: number): void {
    const row = this.#row;
    for (let i = at; i < at + DEFORMATION; i++) x[i] /= this.mass;
    for (let k = at + DEFORMATION; k < at + AFFINE; k += 3) {
      for (let j = 0; j < 3; j++) row[j] = x[k + j];
      solveCholesky(this.#factor, 3, row);
      for (let j = 0; j < 3; j++) x[k + j] = row[j];
    }
  }

  /** diag(m 1, E, E, E) */
  writeMass(out: Float64Array, n: number, at: number): void {
    for (let i = at; i < at + DEFORMATION; i++) out[i * (n + 1)] = this.mass;
    for (let block = at + DEFORMATION; block < at + AFFINE; block += 3)
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) out[(block + i) * n + block + j] = this.euler[3 * i + j];
  }

  kineticEnergy(v: Float64Array, vAt: number): number {
    let sum = 0;
    for (let i = vAt; i < vAt + DEFORMATION; i++) sum += this.mass * v[i] * v[i];
    for (let i = vAt + DEFORMATION; i < vAt + AFFINE; i += 3)
      for (let j = 0; j < 3; j++)
        for (let k = 0; k < 3; k++) sum += v[i + j] * this.euler[3 * j + k] * v[i + k];
    return 0.5 * sum;
  }

  /** ∫ ρ (F ξ)×(Ḟ ξ) dV: the skew part of F E ᵗḞ. */
  angularMomentum(q: Float64Array, qAt: number, v: Float64Array, vAt: number, out: Float64Array): void {
    for (let i = 0; i < 3; i++) {
      const a = DEFORMATION + 3 * ((i + 1) % 3);
      const b = DEFORMATION + 3 * ((i + 2) % 3);
      let sum = 0;
      for (let j = 0; j < 3; j++)
        for (let k = 0; k < 3; k++)
          sum += this.euler[3 * j + k] * (q[qAt + a + j] * v[vAt + b + k] - q[qAt + b + j] * v[vAt + a + k]);
      out[i] = sum;
    }
  }

  /** ±(a, a⊗ξ) */
  addFrameRows(
    q: Float64Array,
    qAt: number,
    frame: Float64Array,
    frameAt: number,
    sign: number,
    out: Float64Array,
    at: number,
    width: number,
  ): void {
    const point = this.#point;
    this.materialPoint(q, qAt, frame, frameAt, point);
    for (let r = 0; r < 3; r++) {
      const row = at + r * width;
      for (let i = 0; i < 3; i++) {
        const a = sign * frame[frameAt + 3 + 3 * r + i];
        out[row + i] += a;
        for (let j = 0; j < 3; j++) out[row + DEFORMATION + 3 * i + j] += a * point[j];
      }
    }
  }

  /** ±(x̄˙ + Ḟ ξ) */
  addPointVelocity(
    q: Float64Array,
    qAt: number,
    v: Float64Array,
    vAt: number,
    point: Float64Array,
    pointAt: number,
    sign: number,
    out: Float64Array,
  ): void {
    const own = this.#point;
    this.materialPoint(q, qAt, point, pointAt, own);
    for (let i = 0; i < 3; i++) {
      const row = vAt + DEFORMATION + 3 * i;
      out[i] += sign * (v[vAt + i] + v[row] * own[0] + v[row + 1] * own[1] + v[row + 2] * own[2]);
    }
  }

  /** ½ a×b_l in the column l of F */
  addTurnRow(
    q: Float64Array,
    qAt: number,
    axis: Float64Array,
    axisAt: number,
    factor: number,
    out: Float64Array,
    at: number,
  ): void {
    const inverse = this.#inverse;
    invertMatrix(q, qAt + DEFORMATION, inverse);
    const turned = this.#row;
    for (let l = 0; l < 3; l++) {
      turned.fill(0);
      addCross(axis, axisAt, inverse, 3 * l, 0.5 * factor, turned, 0);
      for (let k = 0; k < 3; k++) out[at + DEFORMATION + 3 * k + l] += turned[k];
    }
  }

  /** Of forces f at points ξ with the sum T = Σ f⊗ξ the moment is Σ (F ξ)×f, the skew part of F ᵗT. */
  wrench(q: Float64Array, qAt: number, force: Float64Array, at: number, out: Float64Array): void {
    for (let i = 0; i < 3; i++) {
      const a = DEFORMATION + 3 * ((i + 1) % 3);
      const b = DEFORMATION + 3 * ((i + 2) % 3);
      out[i] = force[at + i];
      out[3 + i] = 0;
      for (let k = 0; k < 3; k++)
        out[3 + i] += q[qAt + a + k] * force[at + b + k] - q[qAt + b + k] * force[at + a + k];
    }
  }

  displace(q: Float64Array, qAt: number, x: Float64Array, xAt: number, part: number): boolean {
    for (let i = 0; i < AFFINE; i++) q[qAt + i] += part * x[xAt + i];
    return false;
  }

  /** There is none. */
  normalise(q: Float64Array, qAt: number): boolean {
    for (let i = qAt; i < qAt + AFFINE; i++) if (!Number.isFinite(q[i])) return false;
    return true;
  }

  /** det F: the volume relative to V; 0 where the body is flat, negative where it is inside out. */
  volumeRatio(q: Float64Array, qAt: number): number {
    return determinant(q, qAt + DEFORMATION);
  }

  /** out ← ξ = F⁻¹ (P − x̄) */
  materialPoint(q: Float64Array, qAt: number, point: Float64Array, pointAt: number, out: Float64Array): void {
    for (let i = 0; i < 3; i++) out[i] = point[pointAt + i] - q[qAt + i];
    solveMatrix(q, qAt + DEFORMATION, out);
  }
}

function requirePositive({ id, mass, volume, lambda, mu, relaxation = 0 }: PseudoRigidDescription): void {
  const isElastic = mu > 0 && 3 * lambda + 2 * mu > 0 && Number.isFinite(lambda + mu);
  if (mass > 0 && volume > 0 && Number.isFinite(mass + volume) && isElastic) {
    if (relaxation >= 0 && Number.isFinite(relaxation)) return;
    throw new EngineError({
      code: 'relaxation-negative',
      where: id,
      message: `The relaxation time of “${id}” is ${relaxation} s.`,
      remedy: 'Give a time that is not negative; zero is a body without internal damping.',
    });
  }
  throw new EngineError({
    code: 'pseudo-rigid-not-positive',
    where: id,
    message: `Mass, volume or elasticity of “${id}” is not positive.`,
    remedy: 'Give positive mass and volume, μ > 0 and 3 λ + 2 μ > 0.',
  });
}
