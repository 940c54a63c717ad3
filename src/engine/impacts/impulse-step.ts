/**
 * One step of the equations of `contact-energies.ts`, by the pair of orders 5 and 4 of J. R. Dormand and P. J. Prince, A family of embedded
 * Runge–Kutta formulae, J. Comput. Appl. Math. 6, 1980, doi:10.1016/0771-050X(80)90013-3.
 */
import type { ContactEnergies } from './contact-energies';

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
