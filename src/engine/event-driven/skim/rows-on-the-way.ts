/** Rows of the result along motion that is skimmed: those of the discretisation, and those of events. */
import type { StatePlaces } from '../../model/state-places';
import type { Assembly } from '../assembly';
import { createStamp, type TimeStamp } from '../events-manager';
import { RowSampler } from '../rows/row-sampler';

/** Who asks for rows of the result on the way: those of the discretisation, and those of events. */
export interface AskedRows {
  /** a row of the result with parameters in place */
  readonly create: () => Float64Array;
  readonly isAsked: () => boolean;
  readonly take: (row: Float64Array) => void;
}

/** Rows on the way, for who asks. */
export class RowsOnTheWay {
  readonly #sampler: RowSampler;
  readonly #row: Float64Array;
  readonly #place = new Float64Array(1);
  readonly #stamp: TimeStamp = createStamp();
  #step = 0;

  constructor(
    private readonly parts: Assembly,
    places: StatePlaces,
    private readonly asked: AskedRows,
  ) {
    const { integrator: flight, conditions, event } = parts;
    this.#sampler = new RowSampler({ ...parts, flight, conditions, event }, places);
    this.#row = asked.create();
  }

  /** The general path has taken those up to the present. */
  begin(): void {
    this.parts.manager.grid.stamp(this.parts.integrator.clock, this.#stamp);
    [this.#step] = this.#stamp;
  }

  /**
   * Rows of the discretisation up to the present.
   * @param isEvent whether one at the present is that of an event
   */
  pass(isEvent: boolean): void {
    const { integrator, manager } = this.parts;
    const [start] = integrator.stretch;
    manager.grid.stamp(integrator.clock, this.#stamp);
    const [step, ticks] = this.#stamp;
    const last = isEvent && ticks === 0 ? step - 1 : step;
    while (this.#step < last) {
      this.#step++;
      if (!this.asked.isAsked()) continue;
      this.#place[0] = Math.max(
        0,
        Math.min(integrator.stretch[1], manager.grid.pointTime(this.#step) - start),
      );
      this.#sampler.sample(this.#place, this.#row);
      this.#row[0] = manager.grid.pointTime(this.#step);
      this.asked.take(this.#row);
    }
    if (isEvent && ticks === 0) this.#step = step;
  }

  event(before: Float64Array, after: Float64Array): void {
    if (!this.asked.isAsked()) return;
    this.asked.take(before);
    this.asked.take(after);
  }
}
