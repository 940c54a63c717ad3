/**
 * The linear system of everything that is constrained,
 *
 *     [ M   ᵗΦ_q ] [x]   [a]
 *     [ Φ_q  0   ] [μ] = [b]
 *
 * accelerations and joint forces (the DAE lecture notes, “Forward Dynamics”), and projections in the metric of M. It is scaled before it is
 * factorised: with D = diag(M)^(−½) the masses become 1, and with R the rows of Φ_q D get the length 1, so that
 * what counts as singular depends neither on units nor on how a constraint is written:
 *
 *     [ D M D   Dᵗ Φ_q R ] [D⁻¹ x]   [D a]
 *     [ R Φ_q D   0      ] [R⁻¹ μ] = [R b].
 */
import { factorLU, solveLU } from '../linalg/lu';

/**
 * Pivots of the scaled matrix are of the order 1, but for constraints that depend on one another; below this one, no
 * more than four digits of the answer are left.
 */
const SINGULAR = 1e-12;

export class SaddlePoint {
  readonly #matrix: Float64Array;
  readonly #right: Float64Array;
  readonly #pivots: Int32Array;
  /** diagonals of D and R */
  readonly #scale: Float64Array;

  /** @param size n, length of x @param rows m, length of μ */
  constructor(
    readonly size: number,
    readonly rows: number,
  ) {
    const all = size + rows;
    this.#matrix = new Float64Array(all * all);
    this.#right = new Float64Array(all);
    this.#pivots = new Int32Array(all);
    this.#scale = new Float64Array(all);
  }

  /**
   * @param mass n × n @param jacobian m × n, both row-major
   * @returns false when the constraints depend on one another to rounding, or M is not positive
   */
  factor(mass: Float64Array, jacobian: Float64Array): boolean {
    const { size, rows } = this;
    const all = size + rows;
    const matrix = this.#matrix;
    const scale = this.#scale;
    for (let i = 0; i < size; i++) {
      const diagonal = mass[i * size + i];
      if (!(diagonal > 0)) return false;
      scale[i] = 1 / Math.sqrt(diagonal);
    }
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const value = jacobian[r * size + i] * scale[i];
        sum += value * value;
      }
      if (!(sum > 0)) return false;
      scale[size + r] = 1 / Math.sqrt(sum);
    }
    matrix.fill(0);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) matrix[i * all + j] = mass[i * size + j] * scale[i] * scale[j];
      for (let r = 0; r < rows; r++) {
        const value = jacobian[r * size + i] * scale[i] * scale[size + r];
        matrix[i * all + size + r] = value;
        matrix[(size + r) * all + i] = value;
      }
    }
    if (!factorLU(matrix, 0, all, this.#pivots, 0)) return false;
    for (let i = 0; i < all; i++) if (!(Math.abs(matrix[i * all + i]) > SINGULAR)) return false;
    return true;
  }

  /** @param top a @param bottom b @param x,multipliers the answer; may be the same arrays as the right sides */
  solve(top: Float64Array, bottom: Float64Array, x: Float64Array, multipliers: Float64Array): void {
    const { size, rows } = this;
    const right = this.#right;
    const scale = this.#scale;
    for (let i = 0; i < size; i++) right[i] = top[i] * scale[i];
    for (let r = 0; r < rows; r++) right[size + r] = bottom[r] * scale[size + r];
    solveLU(this.#matrix, 0, size + rows, this.#pivots, 0, right, 0);
    for (let i = 0; i < size; i++) x[i] = right[i] * scale[i];
    for (let r = 0; r < rows; r++) multipliers[r] = right[size + r] * scale[size + r];
  }
}
