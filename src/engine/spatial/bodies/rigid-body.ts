/**
 * A rigid 3D body, Siconos developer's notes §9: with V the velocity of the mass centre in the world's
 * frame, Ω the angular velocity in the body's frame, and the inertia I about the mass centre in the body's
 * frame,
 *
 *     m V̇ = F,     I Ω̇ + Ω×I Ω = M,     q = (x, Q) 7,  v = (V, Ω) 6,  q̇ = T v,  T = diag(1, T_q).
 *
 * F stands in the world's frame and M, about the mass centre, in the body's, as v does: F·V + M·Ω is the
 * power. The angular momentum in the world is π = R I Ω.
 *
 * Where I is a function of time, as of a skater who draws in the arms, the balance is that of the momentum,
 * (I Ω)˙ + Ω×I Ω = M. A step from t⁻ to t⁺ knows I⁻ and I⁺: velocities at its end, and what impulses in it
 * do, belong to I⁺, those at its start to I⁻.
 */
import { EngineError } from '../../errors';
import { factorCholesky } from '../../linalg/cholesky';
import { factorLU, solveLU } from '../../linalg/lu';
import type { SpatialBody } from './body';
import { normaliseQuaternion, rotate, rotateBack, turn } from '../quaternion';
import { addCross, addSkew, addSkewProduct, dot, multiplyMatrix } from '../matrix3';

/** Numbers of q and of v that belong to a rigid body. */
export const POSITIONS = 7;
export const VELOCITIES = 6;

/**
 * Entries of the inertia that should be equal may differ by this, relative to its largest one: the data are
 * decimal.
 */
const SYMMETRIC = 1e-12;

/**
 * Fills `out` with the inertia at a time, 3 × 3 row by row, kg m².
 * @param clock [0] the time, s
 * @param out zeros
 */
export type InertiaLaw = (clock: Float64Array, out: Float64Array) => void;

export class RigidBody implements SpatialBody {
  readonly positions = POSITIONS;
  readonly velocities = VELOCITIES;
  readonly inverseMassDiagonal: Float64Array;
  /** I, of a function of time I⁺, kg m², 3 × 3 */
  readonly inertia: Float64Array;
  /** I⁻¹ */
  readonly inverseInertia = new Float64Array(9);
  /** I⁻, and ½ (I⁻ + I⁺) that the gyroscopic term is formed with; the same array as I where it is constant */
  readonly formerInertia: Float64Array;
  readonly meanInertia: Float64Array;
  readonly #factors = new Float64Array(9);
  readonly #pivots = new Int32Array(3);
  readonly #column = new Float64Array(3);
  readonly #momentum = new Float64Array(3);
  readonly #arm = new Float64Array(3);
  readonly #turn = new Float64Array(4);

  /**
   * @param mass m, kg
   * @param inertia three principal moments, or the 3 × 3 matrix row by row, kg m²; of a function of time what
   *   stands for it until the first step
   * @param law I as a function of time; null where it is constant
   * @throws {EngineError} when the mass is not positive, or the inertia not symmetric and positive definite
   */
  constructor(
    readonly id: string,
    readonly mass: number,
    inertia: readonly number[],
    readonly law: InertiaLaw | null = null,
  ) {
    this.inertia = inertiaMatrix(id, mass, inertia);
    this.formerInertia = law === null ? this.inertia : this.inertia.slice();
    this.meanInertia = law === null ? this.inertia : this.inertia.slice();
    this.inverseMassDiagonal = new Float64Array(VELOCITIES).fill(1 / mass, 0, 3);
    this.#invert();
  }

  /** ⅓ tr I⁻¹ */
  get turnMobility(): number {
    return (this.inverseInertia[0] + this.inverseInertia[4] + this.inverseInertia[8]) / 3;
  }

  /**
   * Takes I⁻ and I⁺ of a step; nothing to be done where I is constant.
   * @param start [0] t⁻ @param end [0] t⁺, s @returns whether both are symmetric and positive definite
   */
  takeInertia(start: Float64Array, end: Float64Array): boolean {
    const { law, inertia, formerInertia, meanInertia } = this;
    if (law === null) return true;
    // I⁻ is asked for again, so that a step depends on nothing but its state.
    law(start, formerInertia.fill(0));
    law(end, inertia.fill(0));
    if (!isInertia(formerInertia, this.#factors) || !isInertia(inertia, this.#factors)) return false;
    for (let k = 0; k < 9; k++) meanInertia[k] = 0.5 * (formerInertia[k] + inertia[k]);
    this.#invert();
    return true;
  }

  #invert(): void {
    const { inverseInertia } = this;
    const factors = this.#factors;
    const pivots = this.#pivots;
    const column = this.#column;
    factors.set(this.inertia);
    factorLU(factors, 0, 3, pivots, 0);
    for (let j = 0; j < 3; j++) {
      column.fill(0);
      column[j] = 1;
      solveLU(factors, 0, 3, pivots, 0, column, 0);
      for (let i = 0; i < 3; i++) inverseInertia[3 * i + j] = column[i];
    }
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < i; j++) inverseInertia[3 * i + j] = inverseInertia[3 * j + i];
      this.inverseMassDiagonal[3 + i] = inverseInertia[4 * i];
    }
  }

  /** Adds −(I⁺ − I⁻) Ω times a factor: the moment of momentum that Ω has no share in. */
  addInertiaChange(omega: Float64Array, at: number, factor: number, out: Float64Array, outAt: number): void {
    const { inertia, formerInertia } = this;
    if (inertia === formerInertia) return;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        out[outAt + i] -= factor * (inertia[3 * i + j] - formerInertia[3 * i + j]) * omega[at + j];
  }

  /** ½ m V·V + ½ Ω·I Ω, J. @param at first entry of the body's velocities */
  kineticEnergy(v: Float64Array, at: number): number {
    const momentum = this.#momentum;
    multiplyMatrix(this.inertia, v, at + 3, momentum, 0);
    return 0.5 * (this.mass * dot(v, at, v, at) + dot(momentum, 0, v, at + 3));
  }

  /** out ← π = R I Ω, N m s. @param q,qAt the body's positions @param v,at its velocities */
  angularMomentum(q: Float64Array, qAt: number, v: Float64Array, at: number, out: Float64Array): void {
    multiplyMatrix(this.inertia, v, at + 3, out, 0);
    rotate(q, qAt + 3, out, 0, out, 0);
  }

  /** Adds −Ω×I Ω times a factor to a moment in the body's frame. @param omega Ω at `at` */
  addGyroscopic(omega: Float64Array, at: number, factor: number, out: Float64Array, outAt: number): void {
    const momentum = this.#momentum;
    multiplyMatrix(this.meanInertia, omega, at, momentum, 0);
    addCross(omega, at, momentum, 0, -factor, out, outAt);
  }

  /** Adds the derivative of Ω×I Ω by Ω, skew(Ω) I − skew(I Ω), times a factor to a 3 × 3 matrix. */
  addGyroscopicDerivative(omega: Float64Array, at: number, factor: number, out: Float64Array): void {
    const momentum = this.#momentum;
    multiplyMatrix(this.meanInertia, omega, at, momentum, 0);
    addSkewProduct(omega, at, this.meanInertia, factor, out);
    addSkew(momentum, 0, -factor, out);
  }

  /** x ← M⁻¹ x for the six entries of the body */
  applyInverseMass(x: Float64Array, at: number): void {
    for (let i = 0; i < 3; i++) x[at + i] /= this.mass;
    multiplyMatrix(this.inverseInertia, x, at + 3, x, at + 3);
  }

  /** diag(m 1, I) */
  writeMass(out: Float64Array, n: number, at: number): void {
    for (let i = 0; i < 3; i++) {
      out[(at + i) * (n + 1)] = this.mass;
      for (let j = 0; j < 3; j++) out[(at + 3 + i) * n + at + 3 + j] = this.inertia[3 * i + j];
    }
  }

  /** ±(a, ᵗR (s×a)), s = P − x */
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
    const arm = this.#arm;
    const turned = this.#turn;
    for (let i = 0; i < 3; i++) arm[i] = frame[frameAt + i] - q[qAt + i];
    for (let a = 0; a < 3; a++) {
      const axis = frameAt + 3 + 3 * a;
      const entry = at + a * width;
      turned.fill(0);
      addCross(arm, 0, frame, axis, sign, turned, 0);
      rotateBack(q, qAt + 3, turned, 0, turned, 0);
      for (let i = 0; i < 3; i++) {
        out[entry + i] += sign * frame[axis + i];
        out[entry + 3 + i] += turned[i];
      }
    }
  }

  /** ±(V + R Ω×(P − x)) */
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
    const arm = this.#arm;
    const spin = this.#turn;
    for (let i = 0; i < 3; i++) {
      arm[i] = point[pointAt + i] - q[qAt + i];
      out[i] += sign * v[vAt + i];
    }
    rotate(q, qAt + 3, v, vAt + 3, spin, 0);
    addCross(spin, 0, arm, 0, sign, out, 0);
  }

  /** (0, ᵗR a) */
  addTurnRow(
    q: Float64Array,
    qAt: number,
    axis: Float64Array,
    axisAt: number,
    factor: number,
    out: Float64Array,
    at: number,
  ): void {
    const turned = this.#turn;
    rotateBack(q, qAt + 3, axis, axisAt, turned, 0);
    for (let i = 0; i < 3; i++) out[at + 3 + i] += factor * turned[i];
  }

  /** (F, R M) */
  wrench(q: Float64Array, qAt: number, force: Float64Array, at: number, out: Float64Array): void {
    for (let i = 0; i < 3; i++) out[i] = force[at + i];
    rotate(q, qAt + 3, force, at + 3, out, 3);
  }

  displace(q: Float64Array, qAt: number, x: Float64Array, xAt: number, part: number): boolean {
    for (let i = 0; i < 3; i++) q[qAt + i] += part * x[xAt + i];
    if (x[xAt + 3] === 0 && x[xAt + 4] === 0 && x[xAt + 5] === 0) return false;
    turn(q, qAt + 3, x, xAt + 3, part, this.#turn);
    return true;
  }

  normalise(q: Float64Array, qAt: number): boolean {
    return normaliseQuaternion(q, qAt + 3);
  }
}

/** Whether a 3 × 3 matrix is finite, symmetric and positive definite. @param work 9 numbers */
function isInertia(matrix: Float64Array, work: Float64Array): boolean {
  let scale = 0;
  for (let k = 0; k < 9; k++) {
    if (!Number.isFinite(matrix[k])) return false;
    scale = Math.max(scale, Math.abs(matrix[k]));
  }
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < i; j++)
      if (!(Math.abs(matrix[3 * i + j] - matrix[3 * j + i]) <= SYMMETRIC * scale)) return false;
  work.set(matrix);
  return factorCholesky(work, 3);
}

function inertiaMatrix(id: string, mass: number, given: readonly number[]): Float64Array {
  if (!(mass > 0 && Number.isFinite(mass)))
    throw new EngineError({
      code: 'mass-not-positive',
      where: id,
      message: `The mass of “${id}” is ${mass} kg.`,
      remedy: 'Give a positive mass.',
    });
  const matrix = new Float64Array(9);
  if (given.length === 3) for (let i = 0; i < 3; i++) matrix[4 * i] = given[i];
  else if (given.length === 9) matrix.set(given);
  if (!isInertia(matrix, new Float64Array(9)))
    throw new EngineError({
      code: 'inertia-not-positive',
      where: id,
      message: `The inertia of “${id}” is not a symmetric positive definite 3 × 3 matrix.`,
      remedy: 'Give three positive principal moments, or the whole symmetric matrix about the mass centre.',
    });
  return matrix;
}
