/**
 * Dependent positions and velocities from the independent ones:
 *
 *     Φ(u, v, t) = 0             by Newton's method, Φ_u Δu = −Φ
 *     Φ_u u̇ = −Φ_t − Φ_v v̇       one linear system
 *
 * The DAE lecture notes, “Simple Partitioning”.
 */
import { factorLU, solveLU } from '../linalg/lu';
import { gatherBlock } from './reduced';
import { type ConstrainedSystem, type MotionStatus, allFinite } from './constrained-system';
import type { Partition } from './partition';

/**
 * A correction below this fraction of the largest coordinate, 1 m or 1 rad at least, is the last one:
 * convergence is quadratic, so that what it leaves is rounding.
 */
const LAST_CORRECTION = 1e-10;
/**
 * From the end of the last step Newton's method takes three to four iterations; one that takes this many does
 * not converge.
 */
const MAX_ITERATIONS = 25;

export class DependentCoordinates {
  readonly #jacobian: Float64Array;
  readonly #block: Float64Array;
  readonly #pivots: Int32Array;
  readonly #right: Float64Array;

  constructor(
    readonly system: ConstrainedSystem,
    readonly partition: Partition,
  ) {
    const { size, rows } = system;
    this.#jacobian = new Float64Array(rows * size);
    this.#block = new Float64Array(rows * rows);
    this.#pivots = new Int32Array(rows);
    this.#right = new Float64Array(rows);
  }

  /** Factorises Φ_u at q. */
  #factor(clock: Float64Array, q: Float64Array): boolean {
    const { size, rows } = this.system;
    this.system.jacobian(clock, q, this.#jacobian);
    gatherBlock(this.#jacobian, size, null, rows, this.partition.dependent, this.#block);
    return factorLU(this.#block, 0, rows, this.#pivots, 0);
  }

  /** @param q independent positions, and a guess of the dependent ones, which become the solution */
  position(clock: Float64Array, q: Float64Array): MotionStatus {
    const { rows, size } = this.system;
    const { dependent } = this.partition;
    const right = this.#right;
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      this.system.position(clock, q, right);
      if (!allFinite(right) || !allFinite(q)) return 'notFinite';
      if (!this.#factor(clock, q)) return 'singularDependentBlock';
      solveLU(this.#block, 0, rows, this.#pivots, 0, right, 0);
      let scale = 1;
      for (let i = 0; i < size; i++) scale = Math.max(scale, Math.abs(q[i]));
      let correction = 0;
      for (let k = 0; k < rows; k++) {
        q[dependent[k]] -= right[k];
        correction = Math.max(correction, Math.abs(right[k]));
      }
      if (correction <= LAST_CORRECTION * scale) return 'ok';
    }
    return 'positionNotConverged';
  }

  /** @param v independent velocities; the dependent ones are filled in */
  velocity(clock: Float64Array, q: Float64Array, v: Float64Array): MotionStatus {
    const { rows, size } = this.system;
    const { dependent, independent } = this.partition;
    const right = this.#right;
    if (!this.#factor(clock, q)) return 'singularDependentBlock';
    this.system.timeDerivative(clock, q, right);
    for (let r = 0; r < rows; r++) {
      let sum = -right[r];
      for (let k = 0; k < independent.length; k++) {
        const i = independent[k];
        sum -= this.#jacobian[r * size + i] * v[i];
      }
      right[r] = sum;
    }
    solveLU(this.#block, 0, rows, this.#pivots, 0, right, 0);
    for (let k = 0; k < rows; k++) v[dependent[k]] = right[k];
    return allFinite(v) ? 'ok' : 'notFinite';
  }
}
