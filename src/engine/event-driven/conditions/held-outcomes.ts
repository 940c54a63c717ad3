/** The outcomes of a sequence at some time, to tell whether they are still held. */
import type { ConditionSequence } from '../../model/conditions';

export class HeldOutcomes {
  #count = -1;
  #sites = new Float64Array(0);
  #outcomes = new Float64Array(0);

  constructor(private readonly sequence: ConditionSequence) {}

  forget(): void {
    this.#count = -1;
  }

  read(): void {
    const { count, sites, outcomes } = this.sequence;
    this.#count = count;
    if (this.#sites.length < count) {
      this.#sites = new Float64Array(sites.length);
      this.#outcomes = new Float64Array(sites.length);
    }
    for (let k = 0; k < count; k++) {
      this.#sites[k] = sites[k];
      this.#outcomes[k] = outcomes[k];
    }
  }

  get areHeld(): boolean {
    const { count, sites, outcomes } = this.sequence;
    if (count !== this.#count) return false;
    for (let k = 0; k < count; k++)
      if (sites[k] !== this.#sites[k] || outcomes[k] !== this.#outcomes[k]) return false;
    return true;
  }
}
