/** Exact solution of one contact in the plane by enumeration; of several solutions the one nearest to the guess. */
import { isSuitable, type LocalSolver, type LocalStatus } from './local-solver';
import { PlaneContactSolutions } from './plane-solutions';

export class PlaneSolver implements LocalSolver {
  readonly size = 2;
  readonly #all = new PlaneContactSolutions();

  solve(values: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): LocalStatus {
    if (!isSuitable(2, values, at, q, mu, r)) return 'unsuitable';
    const all = this.#all;
    all.find(values, at, q, mu, r);
    if (all.count === 0) return 'noSolution';
    const k = all.nearest(r);
    r[0] = all.r[2 * k];
    r[1] = all.r[2 * k + 1];
    return all.count === 1 && all.continua[k] === 0 ? 'converged' : 'several';
  }
}
