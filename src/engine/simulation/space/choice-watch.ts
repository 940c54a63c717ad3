/**
 * Which steps the automatic choice of a friction solver could not do by sweeps: they cost more, and a user who wonders why a run is slow should
 * learn which solver took over, and after what.
 */
import type { ContactDynamics } from '../../contact-dynamics/contact-dynamics';

export class ChoiceWatch {
  #steps = 0;
  #fallbacks = 0;
  /** steps by solver that took over */
  readonly #bySolver = new Map<string, number>();
  /** [0] time of the first, s */
  readonly #first = new Float64Array(1);
  #reason = '';

  constructor(private readonly dynamics: ContactDynamics) {}

  /** Looks at the step that has just been computed. */
  look(): void {
    const { activeCount, result, choice, time } = this.dynamics;
    if (activeCount === 0) return;
    this.#steps++;
    if (choice === null) return;
    if (this.#fallbacks++ === 0) {
      this.#first[0] = time;
      this.#reason = choice;
    }
    this.#bySolver.set(result.solver, (this.#bySolver.get(result.solver) ?? 0) + 1);
  }

  /** What was found, in words; null where the first choice has done. */
  get finding(): string | null {
    if (this.#fallbacks === 0) return null;
    const solvers = [...this.#bySolver].map(([name, steps]) => `${name} (${steps})`).join(', ');
    const time = Number(this.#first[0].toPrecision(6));
    return `In ${this.#fallbacks} of ${this.#steps} steps with contacts sweeps did not do, and the automatic choice took ${solvers}. At t = ${time} s it tried ${this.#reason}.`;
  }
}
