/**
 * Balance of energy of a run, the same for all schemes: what T + V misses after the work of all that acts,
 *
 *     T + V − T₀ − V₀ − Σ work,
 *
 * relative to the largest energy or work so far. A scheme clears the sums, fills them for a step or a stretch
 * of the motion with what it finds from the recorded states, and finishes.
 */
import type { StepWriter } from '../straight-line/writer';
import type { StateArchive } from '../state-archive';
import { relative } from './residual-maxima';

/** What a balance remembers. */
export interface EnergyState {
  /** work so far, what its summation has lost, initial energy, largest energy or work, J */
  readonly total: Float64Array;
  /** present T + V, J */
  readonly energy: number;
  /** T + V − T₀ − V₀ − work, J, when the balance was last defined */
  readonly defect: number;
  /** whether the balance is defined for the model as it is */
  readonly isDefined: boolean;
}

export class EnergyBalance {
  /**
   * kinetic and potential energy of the present state, work of the present step, and the kinetic energy that
   * its impulses would give what is at rest, J
   */
  readonly sums = {
    kinetic: new Float64Array(1),
    potential: new Float64Array(1),
    work: new Float64Array(1),
    exchanged: new Float64Array(1),
  };
  /**
   * [0] work so far, [1] what its summation has lost, [2] initial T + V, [3] largest energy or work so far
   */
  readonly #total = new Float64Array(4);
  /** [0] T + V − T₀ − V₀ − work when the balance was last defined, while it is not */
  readonly #suspended = new Float64Array(1);

  /** Clears the sums before a step's checks fill them. */
  begin(): void {
    this.sums.kinetic[0] = 0;
    this.sums.potential[0] = 0;
    this.sums.work[0] = 0;
    this.sums.exchanged[0] = 0;
  }

  /** Begins with the present energies. */
  start(): void {
    const { kinetic, potential } = this.sums;
    this.#total.fill(0);
    this.#total[2] = kinetic[0] + potential[0];
    this.#total[3] = kinetic[0] + Math.abs(potential[0]);
  }

  /** Enters the sums of one step or stretch. */
  finish(): void {
    const total = this.#total;
    const { kinetic, potential, work, exchanged } = this.sums;
    // Kahan: a million small works must not lose what the certificate is meant to see.
    const term = work[0] - total[1];
    const sum = total[0] + term;
    total[1] = sum - total[0] - term;
    total[0] = sum;
    // At rest no energy changes hands; the kinetic energy of one step's impulses then tells what is small.
    total[3] = Math.max(total[3], kinetic[0] + Math.abs(potential[0]), Math.abs(sum), exchanged[0]);
  }

  /** Writes `begin`. */
  writeBegin(w: StepWriter): void {
    for (const sum of Object.values(this.sums)) w.set(sum, 0, '0');
  }

  /** Writes `finish`. @returns the condition of `isFinite` */
  writeFinish(w: StepWriter): string {
    const total = this.#total;
    const [kinetic, potential, work, exchanged] = Object.values(this.sums).map((sum) => w.get(sum, 0));
    const before = w.get(total, 0);
    const term = w.constant(`${work} - ${w.get(total, 1)}`);
    const after = w.constant(`${before} + ${term}`);
    w.set(total, 1, `${after} - ${before} - ${term}`);
    w.set(total, 0, after);
    const largest = `max(${w.get(total, 3)}, ${kinetic} + abs(${potential}), abs(${after}), ${exchanged})`;
    w.set(total, 3, largest);
    return `abs(${kinetic}) < (1 / 0) && abs(${potential}) < (1 / 0)`;
  }

  get isFinite(): boolean {
    return Number.isFinite(this.sums.kinetic[0]) && Number.isFinite(this.sums.potential[0]);
  }

  /** |T + V − T₀ − V₀ − work| relative to the largest energy or work of the run. */
  get drift(): number {
    return Math.abs(this.gain);
  }

  /** T + V − T₀ − V₀ − work relative to it: below 0 where energy was lost. */
  get gain(): number {
    const total = this.#total;
    return relative(this.#defect, Math.max(total[3], total[2]));
  }

  get #present(): number {
    return this.sums.kinetic[0] + this.sums.potential[0];
  }

  get #defect(): number {
    return this.#present - this.#total[2] - this.#total[0];
  }

  exchange(archive: StateArchive): void {
    for (const sum of Object.values(this.sums)) archive.fixed(sum);
    archive.fixed(this.#total);
    archive.fixed(this.#suspended);
  }

  /** @param isDefined whether the balance holds for the model as it is */
  save(isDefined: boolean): EnergyState {
    return {
      total: this.#total.slice(),
      energy: this.#present,
      defect: isDefined ? this.#defect : this.#suspended[0],
      isDefined,
    };
  }

  /**
   * Goes on from a balance whose model had other systems: what they bring along or take away is no defect.
   * While the balance is not defined its defect is kept, and the time in between does not count.
   */
  load({ total: saved, energy, defect, isDefined: wasDefined }: EnergyState, isDefined: boolean): void {
    const total = this.#total;
    total.set(saved);
    this.#suspended[0] = defect;
    if (wasDefined) total[2] += this.#present - energy;
    else if (isDefined) total[2] = this.#present - total[0] - defect;
    total[3] = Math.max(total[3], this.sums.kinetic[0] + Math.abs(this.sums.potential[0]));
  }
}
