/**
 * Orientation and angular velocity by the midpoint rule on the rotation group. With Ω_m = ½ (Ω + Ω⁺) and the
 * Cayley transform C = (1 − ½h skew Ω_m)⁻¹ (1 + ½h skew Ω_m), which is the turn of the quaternion (1, ½h
 * Ω_m),
 *
 *     I (Ω⁺ − Ω) + h Ω_m×I Ω_m = j − ½h Ω_m×b + b,     R⁺ = R C.
 *
 * Without moments this is I Ω⁺ = ᵗC I Ω: both sides of the first equation, with P = I Ω, are (1 + ½h skew
 * Ω_m) P⁺ = (1 − ½h skew Ω_m) P. So the angular momentum R I Ω is conserved; and the energy, which is
 * quadratic, by the midpoint rule: its change is Ω_m·I (Ω⁺ − Ω) = −h Ω_m·(Ω_m×I Ω_m) = 0. Order 2, symmetric;
 * both hold to rounding whatever h, and free rotation stays on its exact polhode. (Simo and Wong 1991, have
 * the same two invariants by another rule.)
 *
 * Impulses of moments over the step: J in the world adds b = ᵗR J at the start of the turn, so that
 * π⁺ = π + J exactly; j in the body's frame adds (1 − ½h skew Ω_m)⁻¹ j, that is j as seen in the middle of
 * the turn.
 */
import { factorLU, solveLU } from '@engine/linalg/lu';
import { multiplyQuaternions, normaliseQuaternion, rotateBack } from '@engine/spatial/quaternion';
import type { RigidBody } from '@engine/spatial/bodies/rigid-body';
import type { SpatialStatus } from '@engine/spatial/status';
import { addCross, addSkew, dot, multiplyMatrix } from '@engine/spatial/matrix3';

const LAST_CORRECTION = 1e-14;
const STAGNANT_CORRECTION = 1e-10;
const MAX_ITERATIONS = 30;

export class MidpointRotation {
  readonly #matrix = new Float64Array(9);
  readonly #pivots = new Int32Array(3);
  readonly #given = new Float64Array(3);
  readonly #middle = new Float64Array(3);
  readonly #residual = new Float64Array(3);
  readonly #world = new Float64Array(3);
  readonly #turn = new Float64Array(4);

  /**
   * Q ← Q⁺ and Ω ← Ω⁺; they are kept when that fails.
   * @param q the quaternion stands at `qAt` @param v Ω stands at `at`
   * @param worldImpulse J, N m s, world's frame, or null @param bodyImpulse j, N m s, body's frame, or null
   */
  advance(
    body: RigidBody,
    q: Float64Array,
    qAt: number,
    v: Float64Array,
    at: number,
    worldImpulse: Float64Array | null,
    bodyImpulse: Float64Array | null,
    h: number,
  ): SpatialStatus {
    const given = this.#given;
    const middle = this.#middle;
    const residual = this.#residual;
    const world = this.#world;
    for (let i = 0; i < 3; i++) {
      given[i] = v[at + i];
      middle[i] = v[at + i];
    }
    world.fill(0);
    if (worldImpulse !== null) rotateBack(q, qAt, worldImpulse, 0, world, 0);
    let last = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      for (let i = 0; i < 3; i++) residual[i] = 2 * (given[i] - middle[i]);
      multiplyMatrix(body.inertia, residual, 0, residual, 0);
      body.addGyroscopic(middle, 0, h, residual, 0);
      for (let i = 0; i < 3; i++) residual[i] += world[i] + (bodyImpulse === null ? 0 : bodyImpulse[i]);
      addCross(middle, 0, world, 0, -0.5 * h, residual, 0);
      for (let k = 0; k < 9; k++) this.#matrix[k] = 2 * body.inertia[k];
      body.addGyroscopicDerivative(middle, 0, h, this.#matrix);
      addSkew(world, 0, -0.5 * h, this.#matrix);
      if (!Number.isFinite(residual[0] + residual[1] + residual[2])) return 'notFinite';
      if (!factorLU(this.#matrix, 0, 3, this.#pivots, 0)) return 'rotationNotConverged';
      solveLU(this.#matrix, 0, 3, this.#pivots, 0, residual, 0);
      for (let i = 0; i < 3; i++) middle[i] += residual[i];
      const size = Math.sqrt(dot(middle, 0, middle, 0));
      const correction = Math.sqrt(dot(residual, 0, residual, 0));
      if (!Number.isFinite(size)) return 'notFinite';
      if (
        correction <= LAST_CORRECTION * size ||
        (correction <= STAGNANT_CORRECTION * size && correction > 0.5 * last)
      )
        return this.#finish(q, qAt, v, at, h);
      last = correction;
    }
    return 'rotationNotConverged';
  }

  #finish(q: Float64Array, qAt: number, v: Float64Array, at: number, h: number): SpatialStatus {
    const turn = this.#turn;
    turn[0] = 1;
    for (let i = 0; i < 3; i++) {
      v[at + i] = 2 * this.#middle[i] - this.#given[i];
      turn[i + 1] = 0.5 * h * this.#middle[i];
    }
    multiplyQuaternions(q, qAt, turn, 0, q, qAt);
    return normaliseQuaternion(q, qAt) ? 'ok' : 'notFinite';
  }
}
