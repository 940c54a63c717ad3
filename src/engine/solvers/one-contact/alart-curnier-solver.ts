/**
 * One contact in space by Newton's method on the Alart–Curnier function, with halved steps until |Φ|² falls. Where it gets
 * nowhere the exact solver answers instead, from the same guess. When it converges nothing is known of other solutions.
 */
import { AlartCurnierFunction } from './alart-curnier-function';
import { ExactSolver } from './exact-solver';
import { isSuitable, type LocalSolver, type LocalStatus } from './local-solver';

/** |Φ| relative to |r| at which r is a solution: Newton's next step would be rounding. */
const CONVERGED = 1e-14;
/** Forces so many times the data that Φ is known to rounding of them only: what converges there may do so at infinity. */
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
