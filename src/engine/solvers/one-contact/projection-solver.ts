/**
 * One contact in space by steps of projection, r ← P_K(r − ρ û(r)) with û = u + μ |u_T| e_N (De Saxcé and
 * Feng 1991): its fixed points are the solutions. A step is one product and one projection.
 *
 * ρ begins at 1/d, d being the largest sum of the |entries| of a row of W, and follows the change of û from
 * step to step, as in the extragradient method of Khobotov 1987: a step with ρ |Δû| > 0.9 |Δr| is taken back
 * and made with a shorter ρ; ρ grows after one with ρ |Δû| < 0.3 |Δr|. It is Lipschitz-continuous û that the
 * rule needs, no symmetry of W. For positive definite W and small μ the steps contract; nothing is proved for
 * large μ.
 */
import { projectOntoCone } from '../../linalg/friction-cone';
import { isSuitable, type LocalSolver, type LocalStatus } from './local-solver';

/** Relative change of r at which it is taken for the fixed point: a few units of its rounding. */
const SETTLED = 4e-15;
const TOO_LONG = 0.9;
const LENGTHENED_BELOW = 0.3;
const SHORTEN = 2 / 3;
const LENGTHEN = 1.5;

export class ProjectionSolver implements LocalSolver {
  readonly size = 3;
  /** û at r, r of the next step, û there */
  readonly #u = new Float64Array(3);
  readonly #next = new Float64Array(3);
  readonly #uNext = new Float64Array(3);

  /** @param steps products with the block in one solve */
  constructor(readonly steps = 20) {}

  solve(values: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): LocalStatus {
    if (!isSuitable(3, values, at, q, mu, r)) return 'unsuitable';
    let u = this.#u;
    let uNext = this.#uNext;
    const next = this.#next;
    let d = 0;
    for (let i = 0; i < 9; i += 3)
      d = Math.max(d, Math.abs(values[at + i]) + Math.abs(values[at + i + 1]) + Math.abs(values[at + i + 2]));
    // Without mobility q alone decides, and any length shows it.
    let rho = d > 0 ? 1 / d : 1;
    modifiedVelocity(values, at, q, mu, r, u);
    for (let step = 0; step < this.steps; step++) {
      for (let i = 0; i < 3; i++) next[i] = r[i] - rho * u[i];
      projectOntoCone(next, 0, mu);
      modifiedVelocity(values, at, q, mu, next, uNext);
      const ofR = distance(r, next);
      const ofU = rho * distance(u, uNext);
      if (ofR <= SETTLED * norm(next)) {
        r.set(next);
        return 'converged';
      }
      if (ofU > TOO_LONG * ofR) {
        rho *= SHORTEN * Math.min(1, ofR / ofU);
        continue;
      }
      if (ofU < LENGTHENED_BELOW * ofR) rho *= LENGTHEN;
      r.set(next);
      const swap = u;
      u = uNext;
      uNext = swap;
    }
    return 'maxIterations';
  }
}

/** u ← W r + q + μ |(W r + q)_T| e_N */
function modifiedVelocity(
  W: Float64Array,
  at: number,
  q: Float64Array,
  mu: number,
  r: Float64Array,
  u: Float64Array,
): void {
  const u1 = q[1] + W[at + 3] * r[0] + W[at + 4] * r[1] + W[at + 5] * r[2];
  const u2 = q[2] + W[at + 6] * r[0] + W[at + 7] * r[1] + W[at + 8] * r[2];
  u[1] = u1;
  u[2] = u2;
  u[0] = q[0] + W[at] * r[0] + W[at + 1] * r[1] + W[at + 2] * r[2] + mu * Math.sqrt(u1 * u1 + u2 * u2);
}

const norm = (x: Float64Array): number => Math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);

function distance(x: Float64Array, y: Float64Array): number {
  const d0 = x[0] - y[0];
  const d1 = x[1] - y[1];
  const d2 = x[2] - y[2];
  return Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2);
}
