/**
 * The angular velocity after a step of length h under a moment M in the body's frame, by the treatment of the
 * gyroscopic term:
 *
 *     explicit     I⁺ Ω⁺ − I⁻ Ω = h (M − Ω×I Ω)
 *                  Siconos developer's notes (9.3); order 1, gains energy in free rotation
 *     implicit     I⁺ Ω⁺ − I⁻ Ω = h (M − Ω_θ×I Ω_θ),  Ω_θ = θ Ω⁺ + (1−θ) Ω
 *                  Newton; θ = 1 loses energy, θ = ½ keeps it and |I Ω|
 *     conserving   exp(½h Ω⁺) I⁺ Ω⁺ = exp(−½h Ω) I⁻ Ω + h M
 *
 * with I⁻ = I⁺ = I of most bodies, and I = ½ (I⁻ + I⁺) where it changes with time.
 *
 * Between two half turns, R_½ = R exp(½h Ω) and R⁺ = R_½ exp(½h Ω⁺), the last one says π⁺ = π + h R_½ M:
 * angular momentum in the world is conserved to rounding, whatever h. The scheme is symmetric and of order 2:
 * the energy oscillates, by O(h²), without a drift in long runs, as is usual of symmetric schemes. (It is the
 * scheme of half steps of Solfec, basics (5)–(7), for rotations.)
 *
 * Newton for the last one: with ϑ = ½h Ω⁺, b the right side, and δ exp(ϑ) = exp(ϑ) skew(J δϑ), J = 1 − ½ skew
 * ϑ + O(θ²), the residual r = I Ω⁺ − exp(−ϑ) b has the derivative I − ½h skew(I Ω⁺) J at r = 0. Cut off as it
 * is, it costs an iteration at the most.
 */
import { factorLU, solveLU } from '../../linalg/lu';
import type { RigidBody } from './rigid-body';
import { rotateByVector } from '../quaternion';
import type { SpatialStatus } from '../status';
import { addSkew, addSkewProduct, dot, multiplyMatrix } from '../matrix3';

export type GyroscopicTerm = 'explicit' | 'implicit' | 'conserving';

/**
 * A correction below this fraction of |Ω| is rounding: corrections before it were its square root at the
 * least.
 */
const LAST_CORRECTION = 1e-14;
/**
 * Rounding in I⁻¹ r may exceed that where moments of inertia are far apart; then the one that is no longer
 * halved ends it.
 */
const STAGNANT_CORRECTION = 1e-10;
const MAX_ITERATIONS = 30;

export class RotationStep {
  readonly #matrix = new Float64Array(9);
  /** 1 − ½ skew ϑ */
  readonly #turn = new Float64Array(9);
  readonly #pivots = new Int32Array(3);
  readonly #given = new Float64Array(3);
  readonly #middle = new Float64Array(3);
  readonly #momentum = new Float64Array(3);
  readonly #target = new Float64Array(3);
  readonly #residual = new Float64Array(3);
  readonly #last = new Float64Array(1);

  /** @param theta θ of the implicit treatment */
  constructor(
    readonly term: GyroscopicTerm,
    readonly theta = 1,
  ) {}

  /** Ω ← Ω⁺. @param v Ω stands at `at` @param moment M, N m, at `momentAt`, the same over the step */
  advance(
    body: RigidBody,
    v: Float64Array,
    at: number,
    moment: Float64Array,
    momentAt: number,
    h: number,
  ): SpatialStatus {
    for (let i = 0; i < 3; i++) this.#given[i] = v[at + i];
    switch (this.term) {
      case 'explicit':
        return this.#explicit(body, v, at, moment, momentAt, h);
      case 'implicit':
        return this.#implicit(body, v, at, moment, momentAt, h);
      case 'conserving':
        return this.#conserving(body, v, at, moment, momentAt, h);
    }
  }

  #explicit(
    body: RigidBody,
    v: Float64Array,
    at: number,
    moment: Float64Array,
    momentAt: number,
    h: number,
  ): SpatialStatus {
    const residual = this.#residual;
    for (let i = 0; i < 3; i++) residual[i] = h * moment[momentAt + i];
    body.addGyroscopic(this.#given, 0, h, residual, 0);
    body.addInertiaChange(this.#given, 0, 1, residual, 0);
    multiplyMatrix(body.inverseInertia, residual, 0, residual, 0);
    for (let i = 0; i < 3; i++) v[at + i] += residual[i];
    return Number.isFinite(v[at] + v[at + 1] + v[at + 2]) ? 'ok' : 'notFinite';
  }

  #implicit(
    body: RigidBody,
    v: Float64Array,
    at: number,
    moment: Float64Array,
    momentAt: number,
    h: number,
  ): SpatialStatus {
    const { theta } = this;
    const middle = this.#middle;
    const residual = this.#residual;
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      for (let i = 0; i < 3; i++) {
        middle[i] = theta * v[at + i] + (1 - theta) * this.#given[i];
        residual[i] = v[at + i] - this.#given[i];
      }
      multiplyMatrix(body.inertia, residual, 0, residual, 0);
      for (let i = 0; i < 3; i++) residual[i] = h * moment[momentAt + i] - residual[i];
      body.addGyroscopic(middle, 0, h, residual, 0);
      body.addInertiaChange(this.#given, 0, 1, residual, 0);
      this.#matrix.set(body.inertia);
      body.addGyroscopicDerivative(middle, 0, h * theta, this.#matrix);
      const status = this.#correct(v, at, iteration);
      if (status !== null) return status;
    }
    return 'rotationNotConverged';
  }

  #conserving(
    body: RigidBody,
    v: Float64Array,
    at: number,
    moment: Float64Array,
    momentAt: number,
    h: number,
  ): SpatialStatus {
    const momentum = this.#momentum;
    const target = this.#target;
    const residual = this.#residual;
    multiplyMatrix(body.formerInertia, this.#given, 0, target, 0);
    rotateByVector(this.#given, 0, -0.5 * h, target, 0, target, 0);
    for (let i = 0; i < 3; i++) target[i] += h * moment[momentAt + i];
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      multiplyMatrix(body.inertia, v, at, momentum, 0);
      rotateByVector(v, at, -0.5 * h, target, 0, residual, 0);
      for (let i = 0; i < 3; i++) residual[i] -= momentum[i];
      this.#conservingMatrix(body, v, at, h);
      const status = this.#correct(v, at, iteration);
      if (status !== null) return status;
    }
    return 'rotationNotConverged';
  }

  /** I − ½h skew(p) (1 − ½ skew ϑ), p = I Ω⁺ */
  #conservingMatrix(body: RigidBody, v: Float64Array, at: number, h: number): void {
    const matrix = this.#matrix;
    matrix.fill(0);
    addSkew(v, at, -0.25 * h, matrix);
    for (let i = 0; i < 3; i++) matrix[4 * i] += 1;
    this.#turn.set(matrix);
    matrix.set(body.inertia);
    addSkewProduct(this.#momentum, 0, this.#turn, -0.5 * h, matrix);
  }

  /** One correction of Ω⁺ by the residual. @returns null to go on */
  #correct(v: Float64Array, at: number, iteration: number): SpatialStatus | null {
    const residual = this.#residual;
    if (!Number.isFinite(residual[0] + residual[1] + residual[2])) return 'notFinite';
    if (!factorLU(this.#matrix, 0, 3, this.#pivots, 0)) return 'rotationNotConverged';
    solveLU(this.#matrix, 0, 3, this.#pivots, 0, residual, 0);
    for (let i = 0; i < 3; i++) v[at + i] += residual[i];
    const size = Math.sqrt(dot(v, at, v, at));
    const correction = Math.sqrt(dot(residual, 0, residual, 0));
    if (!Number.isFinite(size)) return 'notFinite';
    if (correction <= LAST_CORRECTION * size) return 'ok';
    if (iteration > 0 && correction <= STAGNANT_CORRECTION * size && correction > 0.5 * this.#last[0])
      return 'ok';
    this.#last[0] = correction;
    return null;
  }
}
