/** Counts events that do not end: too many at one time, or within one step of the discretisation. */
import { infiniteEvents } from './failures';

/** Events in a row that are closer than rounding of the time resolves. */
const MOST_AT_ONE_TIME = 1000;

export class EventCount {
  /** events since the last point of the discretisation, and in a row at one time */
  #inStep = 0;
  #atTime = 0;
  /** [0] time of the last event */
  readonly #last = new Float64Array(1).fill(-Infinity);

  /** @param mostInStep events within one step of the discretisation before they count as infinitely many */
  constructor(private readonly mostInStep: number) {}

  /** As before the first event. */
  begin(): void {
    this.#inStep = 0;
    this.#atTime = 0;
    this.#last[0] = -Infinity;
  }

  /** A point of the discretisation has been passed. */
  beginStep(): void {
    this.#inStep = 0;
  }

  /**
   * A non-smooth event at the time clock[0].
   * @param element where the event before was, for the message
   * @throws {EngineError} when there have been too many
   */
  add(clock: Float64Array, element: string): void {
    const t = clock[0];
    const isSameTime = t - this.#last[0] <= 8 * Number.EPSILON * Math.abs(t);
    this.#atTime = isSameTime ? this.#atTime + 1 : 0;
    this.#last[0] = t;
    this.#inStep++;
    if (this.#atTime <= MOST_AT_ONE_TIME && this.#inStep <= this.mostInStep) return;
    throw infiniteEvents(element, Math.max(this.#atTime, this.#inStep), t);
  }
}
