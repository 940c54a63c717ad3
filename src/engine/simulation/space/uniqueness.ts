/**
 * Whether a step has one solution. Where a single contact is closed all solutions of its problem are known in closed form
 * (`solvers/one-contact`): there may be several, or a continuum, where friction couples normal and tangent strongly. That is
 * Painlevé's paradox, and a run that goes on with one of the solutions should say so. There may be none where joints leave the contact less than
 * three directions to move in, and a step that was not solved should say that instead of how its solver ended.
 */
import type { ContactDynamics } from '../../contact-dynamics/contact-dynamics';
import { ContactSolutions } from '../../solvers/one-contact/contact-solutions';
import type { CompiledSpace } from './compile';

/** Part of |q| that rounding of W r may have: a solution has 10⁻¹⁵ of it, what only rounding of W makes one has percents. */
const ROUNDED = 1e-6;

/** Whether a step that was not solved has a single contact, and its problem no solution. */
export function hasNoSolution({ problem, activeCount }: ContactDynamics): boolean {
  if (problem.count !== 1 || activeCount !== 1) return false;
  const solutions = new ContactSolutions();
  solutions.find(problem.W.values, 0, problem.q, problem.mu[0], problem.r);
  return solutions.count === 0;
}

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

  /**
   * Looks at the step that has just been computed.
   * @returns false when its solution is one of the rounding of W only: there is none then, and impulses and velocities are no numbers to go on with
   */
  look(): boolean {
    const { problem, activeCount, contacts, active } = this.dynamics;
    if (problem.count !== 1 || activeCount !== 1 || contacts === null) return true;
    const found = this.#solutions;
    found.find(problem.W.values, 0, problem.q, problem.mu[0], problem.r);
    // None may also be what rounding makes of a solution that the solver has certified.
    if (found.count === 0) return Number.EPSILON * pushOf(problem) <= ROUNDED * largest(problem.q, 3);
    const isContinuum = found.continua[0] === 1;
    if (found.count < 2 && !isContinuum) return true;
    this.#note(contacts.materials[active[0]], isContinuum);
    return true;
  }

  #note(contact: number, isContinuum: boolean): void {
    const first = this.#first;
    first[0]++;
    if (first[0] > 1) return;
    first[1] = this.dynamics.time;
    first[2] = this.#solutions.count;
    first[3] = isContinuum ? 1 : 0;
    this.#contact = contact;
  }

  /** What was found, in words; null where every step has had one solution. */
  get finding(): string | null {
    const [steps, time, count, isContinuum] = this.#first;
    if (steps === 0) return null;
    const { id } = this.space.contacts[this.#contact];
    const what = isContinuum === 1 ? 'a continuum of solutions' : `${count} solutions`;
    const more = steps > 1 ? `, and so it was in ${steps} steps` : '';
    return `At t = ${Number(time.toPrecision(6))} s the contact of “${id}” has ${what} (Painlevé’s paradox)${more}: the run goes on with one of them.`;
  }
}

function largest(numbers: Float64Array, count: number): number {
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(numbers[i]));
  return most;
}

/** |W| |r| of the one contact, m/s. */
const pushOf = ({ W, r }: ContactDynamics['problem']): number => largest(W.values, 9) * largest(r, 3);
