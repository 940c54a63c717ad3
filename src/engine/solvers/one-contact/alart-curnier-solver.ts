/**
 * One contact in space by Newton's method on the Alart–Curnier function, with halved steps until |Φ|² falls.
 * Where it gets nowhere the exact solver answers instead, from the same guess. When it converges nothing is
 * known of other solutions.
 */
import { ExactSolver } from './exact-solver';
import { type LocalSolver, type LocalStatus, isSuitable } from './local-solver';

/**
 * The function of Alart and Curnier 1991, of one contact in space, whose zeros are the solutions, and an
 * element of its generalised Jacobian:
 *
 *     Φ_N = r_N − x_N⁺,    Φ_T = r_T − P_D(x_T),    x = r − (ρ_N u_N, ρ_T u_T),    u = W r + q,
 *
 * D being the disc of radius μ x_N⁺. ρ_N = 1/W₁₁ and ρ_T = 2/(W₂₂ + W₃₃) make all of it forces.
 */
class AlartCurnierFunction {
  /** Φ of the last `evaluate` */
  readonly value = new Float64Array(3);
  /** [0] |Φ|² of the last `evaluate` */
  readonly merit = new Float64Array(1);
  /** ∂Φ/∂r of the last `differentiate`, row-major */
  readonly jacobian = new Float64Array(9);
  /** x, |x_T| */
  readonly #x = new Float64Array(4);
  /** ρ_N, ρ_T */
  readonly #rho = new Float64Array(2);

  /** Takes ρ from a block. @returns whether it has mobility along the normal and the tangents */
  begin(W: Float64Array, at: number): boolean {
    const tangential = W[at + 4] + W[at + 8];
    this.#rho[0] = 1 / W[at];
    this.#rho[1] = 2 / tangential;
    return W[at] > 0 && tangential > 0;
  }

  /** Size of the force that stops the velocity q: what forces are to be compared with. */
  forceOf(q: Float64Array): number {
    return this.#rho[0] * (Math.abs(q[0]) + Math.abs(q[1]) + Math.abs(q[2]));
  }

  /** Fills `value` and `merit`. */
  evaluate(W: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): void {
    const { value } = this;
    const x = this.#x;
    const rho = this.#rho;
    const r0 = r[0];
    const r1 = r[1];
    const r2 = r[2];
    const x0 = r0 - rho[0] * (q[0] + W[at] * r0 + W[at + 1] * r1 + W[at + 2] * r2);
    const x1 = r1 - rho[1] * (q[1] + W[at + 3] * r0 + W[at + 4] * r1 + W[at + 5] * r2);
    const x2 = r2 - rho[1] * (q[2] + W[at + 6] * r0 + W[at + 7] * r1 + W[at + 8] * r2);
    const size = Math.sqrt(x1 * x1 + x2 * x2);
    const normal = x0 > 0 ? x0 : 0;
    const factor = size > mu * normal ? (mu * normal) / size : 1;
    value[0] = r0 - normal;
    value[1] = r1 - factor * x1;
    value[2] = r2 - factor * x2;
    x[0] = x0;
    x[1] = x1;
    x[2] = x2;
    x[3] = size;
    this.merit[0] = value[0] * value[0] + value[1] * value[1] + value[2] * value[2];
  }

  /** Fills `jacobian` at the point of the last `evaluate`. */
  differentiate(W: Float64Array, at: number, mu: number): void {
    const J = this.jacobian;
    const x = this.#x;
    const rho = this.#rho;
    const size = x[3];
    if (!(x[0] > 0)) {
      // No push, no disc: Φ = r.
      for (let k = 0; k < 9; k++) J[k] = k % 4 === 0 ? 1 : 0;
      return;
    }
    for (let j = 0; j < 3; j++) J[j] = rho[0] * W[at + j];
    if (size <= mu * x[0]) {
      for (let k = 3; k < 9; k++) J[k] = rho[1] * W[at + k];
      return;
    }
    // ∂P_D(x_T) = (radius/|x_T|) (I − n nᵗ) ∂x_T + n ∂radius
    const n1 = x[1] / size;
    const n2 = x[2] / size;
    const shrink = (mu * x[0]) / size;
    for (let j = 0; j < 3; j++) {
      const d0 = (j === 0 ? 1 : 0) - J[j];
      const d1 = (j === 1 ? 1 : 0) - rho[1] * W[at + 3 + j];
      const d2 = (j === 2 ? 1 : 0) - rho[1] * W[at + 6 + j];
      const across = shrink * (n1 * d2 - n2 * d1);
      J[3 + j] = (j === 1 ? 1 : 0) + n2 * across - n1 * mu * d0;
      J[6 + j] = (j === 2 ? 1 : 0) - n1 * across - n2 * mu * d0;
    }
  }
}

/** |Φ| relative to |r| at which r is a solution: Newton's next step would be rounding. */
const CONVERGED = 1e-14;
/**
 * Forces so much larger than the data that Φ is only known to their rounding: what converges there may do so
 * at infinity.
 */
const TOO_LARGE = 1e8;
/** Newton steps, of which a handful is usual. */
const MOST_STEPS = 20;
/** Halvings of one step: below 1/64 of it the direction is of no use. */
const MOST_HALVINGS = 6;
/** Part of the decrease that the derivative promises, which a step must bring (Armijo). */
const DECREASE = 1e-4;

export class AlartCurnierSolver implements LocalSolver {
  readonly size = 3;
  readonly #function = new AlartCurnierFunction();
  readonly #exact = new ExactSolver();
  readonly #guess = new Float64Array(3);
  readonly #start = new Float64Array(3);
  readonly #step = new Float64Array(3);

  solve(values: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): LocalStatus {
    if (!isSuitable(3, values, at, q, mu, r)) return 'unsuitable';
    this.#guess.set(r);
    if (this.#function.begin(values, at) && this.#iterate(values, at, q, mu, r)) return 'converged';
    r.set(this.#guess);
    return this.#exact.solve(values, at, q, mu, r);
  }

  #iterate(W: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): boolean {
    const phi = this.#function;
    const start = this.#start;
    const step = this.#step;
    const largest = TOO_LARGE * phi.forceOf(q);
    phi.evaluate(W, at, q, mu, r);
    let merit = phi.merit[0];
    for (let iteration = 0; iteration < MOST_STEPS; iteration++) {
      const square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      if (merit <= CONVERGED * CONVERGED * square) return square <= largest * largest;
      phi.differentiate(W, at, mu);
      if (!this.#solveForStep()) return false;
      start.set(r);
      let length = 1;
      for (let halving = 0; ; halving++) {
        for (let k = 0; k < 3; k++) r[k] = start[k] - length * step[k];
        phi.evaluate(W, at, q, mu, r);
        const trial = phi.merit[0];
        if (trial <= (1 - 2 * DECREASE * length) * merit) {
          merit = trial;
          break;
        }
        if (halving === MOST_HALVINGS) return false;
        length *= 0.5;
      }
    }
    return false;
  }

  /** J step = Φ by cofactors. @returns whether J is regular */
  #solveForStep(): boolean {
    const J = this.#function.jacobian;
    const b = this.#function.value;
    const step = this.#step;
    const c0 = J[4] * J[8] - J[5] * J[7];
    const c1 = J[5] * J[6] - J[3] * J[8];
    const c2 = J[3] * J[7] - J[4] * J[6];
    const determinant = J[0] * c0 + J[1] * c1 + J[2] * c2;
    const inverse = 1 / determinant;
    if (!(Math.abs(inverse) < Infinity)) return false;
    step[0] = inverse * (c0 * b[0] + (J[2] * J[7] - J[1] * J[8]) * b[1] + (J[1] * J[5] - J[2] * J[4]) * b[2]);
    step[1] = inverse * (c1 * b[0] + (J[0] * J[8] - J[2] * J[6]) * b[1] + (J[2] * J[3] - J[0] * J[5]) * b[2]);
    step[2] = inverse * (c2 * b[0] + (J[1] * J[6] - J[0] * J[7]) * b[1] + (J[0] * J[4] - J[1] * J[3]) * b[2]);
    return true;
  }
}
