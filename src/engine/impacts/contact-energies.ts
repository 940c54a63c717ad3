/**
 * The differential equations of the energy-based law with respect to the impulse of one contact, the primary
 * one.
 *
 * A contact has the force F = K u^η of its elastic indentation u and the potential energy
 *
 *     E = K u^(η+1) / (η + 1),     F = (1 + η)^(η/(η+1)) K^(1/(η+1)) E^(η/(η+1)).
 *
 * While the bodies pass through the impact only impulses grow, dP_i = F_i dt (Darboux 1880; Keller 1986).
 * Divided by that of the primary contact, j,
 *
 *     dP_i/dP_j = F_i / F_j = (K_i/K_j)^(1/(η+1)) (E_i/E_j)^(η/(η+1)),     ẏ = ẏ⁻ + W P,
 *
 * time is gone, and of the stiffnesses only the ratios are left. Energy is stored in compression and released
 * in expansion,
 *
 *     dE_i = −ẏ_i dP_i   where ẏ_i < 0,     dE_i = −(1/e*_i²) ẏ_i dP_i   where ẏ_i > 0,
 *
 * so that of the work W_c,i of all compressions, once E_i is zero again, the part e*_i² has been returned:
 * W_r = e*² W_c. This is the force of two stiffnesses, K in loading and K/e*^(2η) in unloading, which meet at
 * the largest force; E is the energy that is returned over e*². (Liu, Zhao and Brogliato 2008 and 2009.)
 *
 * E = 0 is a second solution of dE_i = −ẏ_i (E_i/E_j)^(η/(η+1)) dP_j, whose right-hand side is not Lipschitz
 * there, and numbers would stay on it for ever. It is not the one meant, and with u for E it is none:
 *
 *     du_i/dP_j = −ẏ_i / F_j   or   −ẏ_i / (e*_i² F_j).
 *
 * In the primary contact itself E_j is the better one: linear in P_j where u_j has an infinite derivative. So
 * the state is P and, for each contact, u, for the primary one E.
 *
 * Units: the largest |ẏ⁻| is 1, the largest W_ii is 1, the largest K is 1.
 */

/** Open: no energy, does not approach. */
export const OPEN = 0;
/** Stores energy, or is about to. */
export const COMPRESSION = 1;
/** Releases energy. */
export const EXPANSION = 2;

/**
 * e*² below this is taken for 0, and what is stored is lost at once: a rebound of less than 1e-8 of the
 * approach.
 */
const PLASTIC = 1e-16;

export class ContactEnergies {
  /** W, contacts × contacts */
  readonly W: Float64Array;
  /** ẏ⁻ */
  readonly before: Float64Array;
  readonly mode: Uint8Array;
  /** the contact whose impulse is the independent variable */
  primary = 0;
  /** ẏ of the last `evaluate` */
  readonly velocities: Float64Array;
  /** F of the last `evaluate` */
  readonly forces: Float64Array;
  readonly #stiffness: Float64Array;
  /** 1/e*², 0 for plastic contacts, which have no expansion */
  readonly #release: Float64Array;
  /** [0]: η; [1]: 1/(η+1) */
  readonly #exponents = new Float64Array(2);

  constructor(readonly count: number) {
    this.W = new Float64Array(count * count);
    this.before = new Float64Array(count);
    this.mode = new Uint8Array(count);
    this.velocities = new Float64Array(count);
    this.forces = new Float64Array(count);
    this.#stiffness = new Float64Array(count);
    this.#release = new Float64Array(count);
  }

  /** Takes the data in units of the largest. */
  begin(
    W: Float64Array,
    before: Float64Array,
    scales: Float64Array,
    stiffness: Float64Array,
    restitution: Float64Array,
    exponent: number,
  ): void {
    const m = this.count;
    let largest = 0;
    for (let i = 0; i < m; i++) largest = Math.max(largest, stiffness[i]);
    for (let i = 0; i < m * m; i++) this.W[i] = W[i] / scales[1];
    for (let i = 0; i < m; i++) {
      const e = restitution[i];
      this.before[i] = before[i] / scales[0];
      this.mode[i] = OPEN;
      this.#stiffness[i] = stiffness[i] / largest;
      this.#release[i] = e * e < PLASTIC ? 0 : 1 / (e * e);
    }
    this.#exponents[0] = exponent;
    this.#exponents[1] = 1 / (exponent + 1);
    this.primary = 0;
  }

  isPlastic(i: number): boolean {
    return this.#release[i] === 0;
  }

  /** ẏ_i⁻ + W_i· P for all contacts, into `velocities` */
  moveVelocities(x: Float64Array, at: number): void {
    const { count: m, W, before, velocities } = this;
    for (let i = 0; i < m; i++) {
      let sum = before[i];
      const row = i * m;
      for (let j = 0; j < m; j++) sum += W[row + j] * x[at + j];
      velocities[i] = sum;
    }
  }

  /**
   * Rates with respect to the impulse of the primary contact.
   * @param x P by contact, then u or E by contact, from `at`
   * @param rates the same, from `to`
   * @returns false where the primary contact has lost its force before others, and the step was too long
   */
  evaluate(x: Float64Array, at: number, rates: Float64Array, to: number): boolean {
    const { count: m, mode, velocities, forces, primary } = this;
    this.moveVelocities(x, at);
    for (let i = 0; i < m; i++)
      forces[i] = mode[i] === OPEN ? 0 : this.force(i, x[at + m + i], i === primary);
    const force = forces[primary];
    for (let i = 0; i < m; i++) {
      const y = velocities[i];
      const factor = mode[i] === OPEN ? 0 : mode[i] === COMPRESSION ? -y : -y * this.#release[i];
      if (i === primary) {
        rates[to + i] = 1;
        rates[to + m + i] = factor;
        continue;
      }
      if ((forces[i] > 0 || factor !== 0) && !(force > 0)) return false;
      rates[to + i] = forces[i] === 0 ? 0 : forces[i] / force;
      rates[to + m + i] = factor === 0 ? 0 : factor / force;
    }
    return true;
  }

  /** Impulse that an expansion has yet to give if ẏ stays as it is: e*² E/ẏ. */
  remainingImpulse(i: number, energy: number, velocity: number): number {
    return velocity > 0 ? energy / (this.#release[i] * velocity) : Infinity;
  }

  /** F of u, or of E */
  force(i: number, value: number, isEnergy: boolean): number {
    if (!(value > 0)) return 0;
    const u = isEnergy ? this.indentation(i, value) : value;
    return this.#stiffness[i] * Math.pow(u, this.#exponents[0]);
  }

  energy(i: number, u: number): number {
    if (!(u > 0)) return 0;
    return this.#stiffness[i] * Math.pow(u, this.#exponents[0] + 1) * this.#exponents[1];
  }

  indentation(i: number, energy: number): number {
    if (!(energy > 0)) return 0;
    return Math.pow(energy / (this.#exponents[1] * this.#stiffness[i]), this.#exponents[1]);
  }

  /**
   * Impulses while the indentations are so small that velocities have not changed yet: u = −ẏ t, P = K (−ẏ)^η
   * t^(η+1)/(η + 1).
   * @returns −ẏ^η K, to which they are proportional
   */
  initialRatio(i: number): number {
    return this.#stiffness[i] * Math.pow(-this.velocities[i], this.#exponents[0]);
  }
}

/*
 * One step of the equations of `contact-energies.ts`, by the pair of orders 5 and 4 of Dormand and Prince
 * 1980.
 */

const STAGES = 7;

/** a_ij, row by row below the diagonal; the last row has the weights of order 5. */
const A = Float64Array.of(
  ...[1 / 5],
  ...[3 / 40, 9 / 40],
  ...[44 / 45, -56 / 15, 32 / 9],
  ...[19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  ...[9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  ...[35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
);

/** Weights of order 5 less those of order 4. */
const ERROR = Float64Array.of(71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40);

export class ImpulseStep {
  /** state at the end: P, then u or E, by contact */
  readonly next: Float64Array;
  /** ẏ at the end */
  readonly velocities: Float64Array;
  /** [0]: largest error over its tolerance */
  readonly error = new Float64Array(1);
  readonly #stages: Float64Array;

  constructor(private readonly energies: ContactEnergies) {
    this.next = new Float64Array(2 * energies.count);
    this.velocities = new Float64Array(energies.count);
    this.#stages = new Float64Array(STAGES * 2 * energies.count);
  }

  /**
   * @param x state at the beginning
   * @param h [0]: growth of the impulse of the primary contact
   * @param tolerance of a component, relative to 1 + |x_i|
   * @returns false when the step cannot be made because it is too long
   */
  make(x: Float64Array, h: Float64Array, tolerance: number): boolean {
    const { energies, next } = this;
    const stages = this.#stages;
    const size = next.length;
    const length = h[0];
    let entry = 0;
    for (let stage = 0; stage < STAGES; stage++) {
      for (let i = 0; i < size; i++) {
        let sum = 0;
        for (let k = 0; k < stage; k++) sum += A[entry + k] * stages[k * size + i];
        next[i] = x[i] + length * sum;
      }
      entry += stage;
      // The last stage stands at the end of the step.
      if (!energies.evaluate(next, 0, stages, stage * size)) return false;
    }
    this.velocities.set(energies.velocities);
    let worst = 0;
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let k = 0; k < STAGES; k++) sum += ERROR[k] * stages[k * size + i];
      const value = Math.abs(length * sum) / (tolerance * (1 + Math.abs(x[i])));
      // NaN must not hide.
      if (!(value <= worst) && !Number.isNaN(worst)) worst = value;
    }
    this.error[0] = worst;
    return worst < Infinity;
  }
}
