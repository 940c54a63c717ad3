/**
 * Whether a step has one solution. Where a single contact is closed all solutions of its problem are known in closed form
 * (`solvers/one-contact`): there may be several, or a continuum, where friction couples normal and tangent strongly. That is
 * Painlevé's paradox, and a run that goes on with one of the solutions should say so.
 */
import type { ContactDynamics } from '../../contact-dynamics/contact-dynamics';
import { ContactSolutions } from '../../solvers/one-contact/contact-solutions';
import type { CompiledSpace } from './compile';

export class UniquenessWatch {
  readonly #solutions = new ContactSolutions();
  /** [0] steps with several solutions, [1] time of the first, s, [2] how many it had, [3] 1 where they were a continuum */
  readonly #first = new Float64Array(4);
  /** interaction of the first */
  #contact = -1;

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly space: CompiledSpace,
  ) {}

  /** Looks at the step that has just been computed. */
  look(): void {
    const { problem, activeCount, contacts, active } = this.dynamics;
    if (problem.count !== 1 || activeCount !== 1 || contacts === null) return;
    const found = this.#solutions;
    found.find(problem.W.values, 0, problem.q, problem.mu[0], problem.r);
    const isContinuum = found.count > 0 && found.continua[0] === 1;
    // None is what rounding makes of a solution that the solver has certified.
    if (found.count < 2 && !isContinuum) return;
    const first = this.#first;
    first[0]++;
    if (first[0] > 1) return;
    first[1] = this.dynamics.time;
    first[2] = found.count;
    first[3] = isContinuum ? 1 : 0;
    this.#contact = contacts.materials[active[0]];
  }

  /** What was found, in words; null where every step has had one solution. */
  get finding(): string | null {
    const [steps, time, count, isContinuum] = this.#first;
    if (steps === 0) return null;
    const { id } = this.space.contacts[this.#contact];
    const what = isContinuum === 1 ? 'a continuum of solutions' : `${count} solutions`;
    const more = steps > 1 ? `, and so it was in ${steps} steps` : '';
    return `At t = ${time.toPrecision(6)} s the contact of “${id}” has ${what} (Painlevé’s paradox)${more}: the run goes on with one of them.`;
  }
}
