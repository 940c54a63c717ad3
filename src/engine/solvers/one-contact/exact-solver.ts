/**
 * Exact solution of one contact in space: by the shortest way where there is exactly one solution for certain (`UniqueContact`), and
 * otherwise by listing all solutions. Of several, the one nearest to the guess is taken, in the Euclidean norm of forces; of those
 * equally near, the first in the order take-off, stick, slides. In a Gauss–Seidel sweep, the guess being the force of the last sweep,
 * a contact then changes its mode only when it must.
 */
import { ContactSolutions } from './contact-solutions';
import { isSuitable, type LocalSolver, type LocalStatus } from './local-solver';
import { UniqueContact } from './unique-contact';

export class ExactSolver implements LocalSolver {
  readonly size = 3;
  readonly #unique = new UniqueContact();
  readonly #all = new ContactSolutions();

  solve(values: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): LocalStatus {
    if (!isSuitable(3, values, at, q, mu, r)) return 'unsuitable';
    if (this.#unique.solve(values, at, q, mu, r)) return 'converged';
    const all = this.#all;
    all.find(values, at, q, mu, r);
    if (all.count === 0) return 'noSolution';
    const k = all.nearest(r);
    for (let i = 0; i < 3; i++) r[i] = all.r[3 * k + i];
    return all.count === 1 && all.continua[k] === 0 ? 'converged' : 'several';
  }
}
