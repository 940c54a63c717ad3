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

/**
 * Measurements that are kept: more than there are places at which a function is sampled in a step that need
 * not be divided. Functions are sampled one after the other at the same places, and one call of a script
 * gives the margins of all its conditions.
 */
const KEPT = 32;

class KnownMargins {
  /** margins of all watched functions, one measurement after the other */
  #margins = new Float64Array(0);
  /** times are NaN where there is no measurement */
  readonly #times = new Float64Array(KEPT).fill(NaN);
  readonly #elements = new Int32Array(KEPT);
  readonly #states: Float64Array;
  #next = 0;

  constructor(
    private readonly conditions: HeldConditions,
    /** of the state */
    private readonly size: number,
  ) {
    this.#states = new Float64Array(KEPT * size);
  }

  /** After what is held, or what is watched, may have changed. */
  forget(): void {
    const { length } = this.conditions.watched;
    this.#times.fill(NaN);
    if (this.#margins.length < KEPT * length) this.#margins = new Float64Array(KEPT * length);
  }

  /** The margin of watched function k. */
  read(k: number, clock: Float64Array, x: Float64Array): number {
    const { watched } = this.conditions;
    const { element } = watched[k];
    for (let slot = 0; slot < KEPT; slot++)
      if (this.#times[slot] === clock[0] && watched[this.#elements[slot]].element === element)
        if (this.#isState(slot, x)) return this.#margins[slot * watched.length + k];
    const slot = this.#next;
    this.#next = (slot + 1) % KEPT;
    this.conditions.measure(element, clock, x);
    this.#times[slot] = clock[0];
    this.#elements[slot] = k;
    for (let i = 0; i < this.size; i++) this.#states[slot * this.size + i] = x[i];
    for (let other = 0; other < watched.length; other++) {
      const { sequence, entry, element: of } = watched[other];
      if (of === element) this.#margins[slot * watched.length + other] = sequence.margins[entry];
    }
    return this.#margins[slot * watched.length + k];
  }

  #isState(slot: number, x: Float64Array): boolean {
    for (let i = 0; i < this.size; i++) if (this.#states[slot * this.size + i] !== x[i]) return false;
    return true;
  }
}

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
  readonly #margins: KnownMargins;

  constructor(
    private readonly rows: RowEvents,
    private readonly conditions: HeldConditions,
    /** length of the state that is integrated */
    size: number,
  ) {
    this.#margins = new KnownMargins(conditions, size);
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
    out[0] = this.#margins.read(index - this.rows.count, clock, x);
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
    this.#margins.forget();
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
