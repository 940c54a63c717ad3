/**
 * Steps of 3D bodies that samples of control blocks divide: each ends at the next point of the grid t₀ + k h,
 * or at a sample before it.
 */
import type { ContactDynamics } from '../../contact-dynamics/contact-dynamics';
import type { Samples } from '../../model/control/samples';
import type { Archived, StateArchive } from '../../state-archive';

/** Part of a step by which a time may miss a point of the grid. */
const ON_GRID = 1e-9;

export class DividedSteps implements Archived {
  /** k of the last point of the grid */
  #grid: number;

  /** @param h of whole steps, s */
  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly samples: Samples,
    private readonly t0: number,
    private readonly h: number,
  ) {
    this.#grid = 0;
  }

  /** Goes on from the present of the dynamics. */
  goOn(): void {
    this.#grid = Math.floor((this.dynamics.time - this.t0) / this.h + ON_GRID);
  }

  /** End and length of the next step. */
  aim(): void {
    const { dynamics, samples, t0, h } = this;
    const end = t0 + (this.#grid + 1) * h;
    const isWhole = samples.nextTime >= end || samples.isDue(end);
    const target = isWhole ? end : samples.nextTime;
    const isFromGrid = dynamics.time === t0 + this.#grid * h;
    dynamics.aimedEnd = target;
    dynamics.length[0] = isWhole && isFromGrid ? h : target - dynamics.time;
    if (isWhole) this.#grid++;
  }

  exchange(archive: StateArchive): void {
    archive.fixed(this.dynamics.length);
    this.#grid = archive.value(this.#grid);
  }
}
