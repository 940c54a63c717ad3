/**
 * Elasticity of a body that deforms as a whole, by its deformation gradient F and its volume V in the reference configuration: a material of
 * St Venant and Kirchhoff with the strain G, and with a viscosity in proportion to it, of the relaxation time τ (Kelvin and Voigt),
 *
 *     G = ½ (ᵗF F − 1),   W = V (½ λ (tr G)² + μ G:G),   S(G) = λ tr(G) 1 + 2 μ G,   force by F: −V F (S(G) + τ S(Ġ)).
 *
 * S and Ġ are symmetric, so that the moment of the forces, the skew part of F S ᵗF, is zero; the power of the viscosity is −V τ S(Ġ):Ġ ≤ 0, and
 * zero where the body turns as a rigid one. Under strong compression the material is soft: below a stretch of 1/√3 along an axis its stiffness
 * is negative, and it takes finite work to turn it inside out.
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
