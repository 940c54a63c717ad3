/**
 * Event functions of the integration where functions of the model have conditions: those of the rows, and
 * behind them the margins.
 */
import {
  type EventFunctions,
  FALLING,
  type LinearForm,
  type Twin,
  UNWATCHED,
} from '../../smooth/event-functions';
import type { PieceForms } from '../../model/piece-forms';
import type { TimedSign } from '../../model/timed-sign';
import type { RowEvents } from '../rows/row-events';
import type { HeldConditions } from './held-conditions';

/**
 * Times what a margin is off zero at the start, or what counts as zero in it, that it may be negative: what
 * rounding makes of one that stays there.
 */
const SLACK = 8;

export class WatchedFunctions implements EventFunctions {
  count: number;
  readonly changing: number;
  watch: Int8Array;
  touches: Uint8Array;
  band: Float64Array;
  expected: Int8Array;
  slack: Float64Array;
  departure: Float64Array;
  #isZero: Uint8Array;

  constructor(
    private readonly rows: RowEvents,
    private readonly conditions: HeldConditions,
  ) {
    this.changing = rows.count;
    this.count = rows.count + conditions.watched.length;
    this.watch = new Int8Array(this.count).fill(UNWATCHED);
    this.touches = new Uint8Array(this.count);
    this.band = new Float64Array(this.count);
    this.expected = new Int8Array(this.count);
    this.slack = new Float64Array(this.count);
    this.departure = new Float64Array(this.count);
    this.#isZero = new Uint8Array(this.count);
  }

  linear(index: number): LinearForm | null {
    return index < this.rows.count ? this.rows.linear(index) : null;
  }

  timed(index: number): TimedSign | null {
    return index < this.rows.count ? this.rows.timed(index) : null;
  }

  pieces(index: number): PieceForms | null {
    return index < this.rows.count ? this.rows.pieces(index) : null;
  }

  twin(index: number): Twin | null {
    return index < this.rows.count ? this.rows.twin(index) : null;
  }

  value(index: number, clock: Float64Array, x: Float64Array, out: Float64Array): void {
    if (index < this.rows.count) {
      this.rows.value(index, clock, x, out);
      return;
    }
    const { element, sequence, entry } = this.conditions.watched[index - this.rows.count];
    this.conditions.measure(element, clock, x);
    out[0] = sequence.margins[entry];
  }

  /**
   * Watches what the rows and the conditions of the flight ahead ask for; there may be more functions than
   * before.
   * @param isZero functions of rows that start at zero
   * @returns functions that start at zero
   */
  begin(isZero: Uint8Array): Uint8Array {
    const { rows, conditions } = this;
    const { watched } = conditions;
    if (rows.count + watched.length > this.count) this.#grow(rows.count + watched.length);
    this.watch.fill(UNWATCHED);
    this.#isZero.fill(0);
    this.watch.set(rows.watch);
    this.touches.set(rows.touches);
    this.band.set(rows.band);
    this.expected.set(rows.expected);
    this.slack.set(rows.slack);
    this.departure.set(rows.departure);
    this.#isZero.set(isZero);
    watched.forEach(({ zero, start }, k) => {
      const index = rows.count + k;
      this.watch[index] = FALLING;
      this.band[index] = zero;
      // A margin that leaves zero to the other side is at a root at once: its flight is shorter than a step
      // can show.
      this.expected[index] = 1;
      this.slack[index] = SLACK * Math.max(zero, -start);
      this.departure[index] = zero;
      this.#isZero[index] = start <= zero ? 1 : 0;
    });
    return this.#isZero;
  }

  #grow(count: number): void {
    this.count = count;
    this.watch = new Int8Array(count);
    this.touches = new Uint8Array(count);
    this.band = new Float64Array(count);
    this.expected = new Int8Array(count);
    this.slack = new Float64Array(count);
    this.departure = new Float64Array(count);
    this.#isZero = new Uint8Array(count);
  }
}
