/**
 * Exact arcs of a motion that is not recorded, with open contacts: what `ExactArcs` and its search do for any
 * system and any function, for gaps that are linear in the state but for a wall that moves by a known
 * function of time. Wherever that is not plain, as at a touch or at two contacts at once, it refuses, and
 * the general search does the arc once more.
 *
 * On an arc a gap is a polynomial in τ plus one in time (`time-table.ts`), of which value g, rate ġ and a
 * lower bound a of the second derivative are known. From a place with g > 0,
 *
 *     g(τ + s) ≥ g + ġ s + a s²/2,
 *
 * so that no root is passed before the first positive zero s of the right side. Far from contact a step or
 * two lead across the arc; towards a root they converge as Newton's method does, from before it.
 */
import type { LinearFlight } from '../../smooth-arcs/linear-flight';
import { ROW, type LinearSystem, nonzeroPattern, type NonzeroPattern } from '../../smooth-arcs/linear-system';
import type { ForcedSystem } from '../../smooth-arcs/analytic-forcing';
import type { LinearForm } from '../../smooth/event-functions';
import { DEGREE, type TimeTable } from './time-table';

/** The gap of a contact: a linear form of the state, and what a wall that moves by itself adds. */
export interface SkimGap {
  readonly form: LinearForm;
  /** null where the gap does not depend on time */
  readonly table: TimeTable | null;
}

export type SkimStatus = 'reached' | 'root' | 'refused';

/** Values up to this part of what cancels in a gap are its root. */
const AT_ROOT = 4 * Number.EPSILON;
/** Speeds below this part of the fastest ones are those of a touch, which the general search decides. */
const TOUCHING = 1e-7;
/** Gaps below this part of their lengths are not plainly open. */
const NEAR = 1e-12;
/** Steps of one search beyond which it is not plain. */
const MOST_STEPS = 2000;
/** Arcs shorter than this many units of rounding of the time do not advance it reliably. */
const SHORTEST = 8 * Number.EPSILON;

export class SkimArcs {
  /** [0] present time, s */
  readonly clock = new Float64Array(1);
  /** state, with forces of time behind it */
  readonly x: Float64Array;
  /** [0] start of the present arc, s, [1] what of it lies behind the present, s */
  readonly stretch = new Float64Array(2);
  /** row of the root that has been found */
  row = -1;
  /** place on the arc at which it was refused, s */
  refusedAt = 0;
  /** called when an arc has been passed and the next one is about to begin */
  whenPassed: () => void = () => undefined;
  /** [0] what the clock is too coarse to show of the present, [1] of the start of the arc */
  readonly #rest = new Float64Array(2);
  readonly #start: Float64Array;
  /** coefficients of the motion on the arc, c_k,i at [ROW i + k] */
  readonly #c: Float64Array;
  readonly #pattern: NonzeroPattern;
  readonly #constant: Float64Array;
  /** coefficients of the forms of the gaps, by row of ROW entries */
  readonly #g: Float64Array;
  /** by gap: lower bound of the second derivative of its form on the arc */
  readonly #least: Float64Array;
  /** by gap: sum of what cancels in it, and in its rate, at the start of the arc */
  readonly #lengths: Float64Array;
  readonly #speeds: Float64Array;
  /** [0] value and [1] rate where a gap was evaluated last */
  readonly #at = new Float64Array(2);
  /** [0] longest arc, s, [1] length of the present one, s */
  readonly #length = new Float64Array(2);
  readonly #work = new Float64Array(1);
  #order = 0;
  /** gap that the motion has just left by an impact; −1 */
  #leaving = -1;

  constructor(
    private readonly flight: LinearFlight,
    private readonly gaps: readonly SkimGap[],
    private readonly forced: ForcedSystem | null,
    system: LinearSystem = flight.system,
  ) {
    const n = system.size;
    this.x = new Float64Array(n);
    this.#start = new Float64Array(n);
    this.#c = new Float64Array(ROW * n);
    this.#pattern = nonzeroPattern(system);
    this.#constant = Float64Array.from(system.constant);
    this.#g = new Float64Array(ROW * gaps.length);
    this.#least = new Float64Array(gaps.length);
    this.#lengths = new Float64Array(gaps.length);
    this.#speeds = new Float64Array(gaps.length);
    this.#length[0] = flight.flow.limits[1];
  }

  /** State at a place of the arc, without what stands behind it. */
  sample(place: Float64Array, out: Float64Array): void {
    this.#evaluate(place[0], out, out.length);
  }

  /**
   * Begins at the state that stands in x.
   * @param leaving gap that is zero and opens; −1 where all are open
   */
  begin(time: number, leaving: number): void {
    this.clock[0] = time;
    this.#rest[0] = 0;
    this.go(leaving);
  }

  /** Goes on from the present with the state that now stands in x. */
  go(leaving: number): void {
    this.#leaving = leaving;
    this.stretch[1] = 0;
  }

  /**
   * Advances to a time, or to the first root before it. Where it is refused, time and state are those at the
   * start of the arc, which has not been passed.
   */
  fly(until: number): SkimStatus {
    const { clock, x, stretch, gaps } = this;
    const rest = this.#rest;
    for (;;) {
      const t = clock[0];
      if (!(until > t)) return 'reached';
      if (stretch[1] > 0) this.whenPassed();
      stretch[0] = t;
      stretch[1] = 0;
      rest[1] = rest[0];
      const whole = until - t - rest[1];
      const isLast = whole <= this.#length[0];
      const length = isLast ? whole : this.#length[0];
      if (!(length > SHORTEST * Math.abs(t))) {
        if (!isLast) return 'refused';
        return 'reached';
      }
      this.#length[1] = length;
      this.#expand();
      let end = length;
      let found = -1;
      for (let r = 0; r < gaps.length; r++) {
        const root = this.#search(r, end);
        if (root !== root) return 'refused';
        if (root > end) continue;
        end = root;
        found = r;
      }
      if (found >= 0 && !this.#isAlone(found, end)) {
        this.refusedAt = end;
        return 'refused';
      }
      if (!this.#evaluate(end, x, x.length)) {
        for (let i = 0; i < x.length; i++) x[i] = this.#start[i];
        return 'refused';
      }
      this.#leaving = -1;
      stretch[1] = end;
      if (found < 0) {
        clock[0] = isLast ? until : t + (length + rest[1]);
        rest[0] = isLast ? 0 : length + rest[1] - (clock[0] - t);
        if (isLast) return 'reached';
        continue;
      }
      const behind = end + rest[1];
      clock[0] = t + behind;
      rest[0] = behind - (clock[0] - t);
      this.row = found;
      return 'root';
    }
  }

  /** Back to the start of the present arc. */
  back(): void {
    const { x, clock, stretch } = this;
    this.refusedAt = stretch[1];
    for (let i = 0; i < x.length; i++) x[i] = this.#start[i];
    clock[0] = stretch[0];
    this.#rest[0] = this.#rest[1];
    stretch[1] = 0;
  }

  /** Second derivative of the form of a gap at the present, or a bound below it where a wall moves. */
  curvature(r: number): number {
    const { gaps, stretch } = this;
    const g = this.#g;
    const tau = stretch[1];
    let sum = 0;
    for (let k = this.#order; k >= 2; k--) sum = k * (k - 1) * g[ROW * r + k] + tau * sum;
    const { table } = gaps[r];
    return table === null ? sum : sum + table.piece[4];
  }

  /** Series of the motion and of the gaps from the present on. */
  #expand(): void {
    const { x, clock, gaps } = this;
    const { flow } = this.flight;
    const c = this.#c;
    this.forced?.writeSignals(clock, x);
    const start = this.#start;
    for (let i = 0; i < x.length; i++) start[i] = x[i];
    this.#work[0] = this.#length[1];
    const order = flow.orderFor(this.#work);
    this.#order = order;
    const { starts, columns, values } = this.#pattern;
    const constant = this.#constant;
    const n = x.length;
    for (let i = 0; i < n; i++) c[ROW * i] = x[i];
    for (let k = 0; k < order; k++) {
      const factor = 1 / (k + 1);
      for (let i = 0; i < n; i++) {
        let sum = k === 0 ? constant[i] : 0;
        for (let entry = starts[i]; entry < starts[i + 1]; entry++)
          sum += values[entry] * c[ROW * columns[entry] + k];
        c[ROW * i + k + 1] = sum * factor;
      }
    }
    for (let r = 0; r < gaps.length; r++) this.#expandGap(r, order);
  }

  #expandGap(r: number, order: number): void {
    const { indices, values, offset } = this.gaps[r].form;
    const c = this.#c;
    const g = this.#g;
    const length = this.#length[1];
    const at = ROW * r;
    let size = Math.abs(offset[0]);
    let speed = 0;
    for (let k = 0; k <= order; k++) g[at + k] = 0;
    g[at] = offset[0];
    for (let e = 0; e < indices.length; e++) {
      const from = ROW * indices[e];
      const value = values[e];
      for (let k = 0; k <= order; k++) g[at + k] += value * c[from + k];
      size += Math.abs(value * c[from]);
      if (order > 0) speed += Math.abs(value * c[from + 1]);
    }
    let least = order >= 2 ? 2 * g[at + 2] : 0;
    let power = length;
    for (let k = 3; k <= order; k++) {
      least -= k * (k - 1) * Math.abs(g[at + k]) * power;
      power *= length;
    }
    this.#least[r] = least;
    this.#lengths[r] = Math.max(this.#lengths[r], size);
    this.#speeds[r] = Math.max(this.#speeds[r], speed);
  }

  /** State at a place into `out`. @returns whether it is finite */
  #evaluate(tau: number, out: Float64Array, count: number): boolean {
    const c = this.#c;
    const order = this.#order;
    let check = 0;
    for (let i = 0; i < count; i++) {
      const first = ROW * i;
      let sum = c[first + order];
      for (let k = first + order - 1; k >= first; k--) sum = c[k] + tau * sum;
      out[i] = sum;
      check += sum;
    }
    return check - check === 0;
  }

  /** Value and rate of a gap at a place, whose table is on the right piece. */
  #measure(r: number, tau: number, table: TimeTable | null): void {
    const g = this.#g;
    const at = ROW * r;
    let value = g[at + this.#order];
    let rate = 0;
    for (let k = at + this.#order - 1; k >= at; k--) {
      rate = value + tau * rate;
      value = g[k] + tau * value;
    }
    if (table !== null) {
      const { coefficients, piece } = table;
      const u = (this.stretch[0] - piece[2] + (tau + this.#rest[1])) * piece[3];
      let own = coefficients[DEGREE];
      let slope = 0;
      for (let k = DEGREE - 1; k >= 0; k--) {
        slope = own + u * slope;
        own = coefficients[k] + u * own;
      }
      value += own;
      rate += slope * piece[3];
    }
    this.#at[0] = value;
    this.#at[1] = rate;
  }

  /**
   * Place of the first root of a gap up to `end`.
   * @returns Infinity where there is none, NaN where that is not plain
   */
  #search(r: number, end: number): number {
    const { table } = this.gaps[r];
    const at = this.#at;
    const t = this.stretch[0];
    const shift = this.#rest[1];
    let isLeaving = this.#leaving === r;
    const zero = AT_ROOT * this.#lengths[r];
    const near = NEAR * this.#lengths[r];
    const touching = TOUCHING * this.#speeds[r];
    let tau = 0;
    let steps = 0;
    for (;;) {
      let last = end;
      let least = this.#least[r];
      if (table !== null) {
        if (!table.seek(t + (tau + shift))) return this.#refuse(tau);
        const { piece } = table;
        last = Math.min(end, piece[1] - t - shift);
        least += piece[4];
        // Rounding of the border: the next piece begins here.
        if (!(last > tau)) last = Math.min(end, tau + 4 * Number.EPSILON * Math.abs(t));
      }
      this.#measure(r, tau, table);
      let value = at[0];
      let rate = at[1];
      if (isLeaving) {
        if (!(rate > touching)) return this.#refuse(tau);
        // At least g = ġ s + a s²/2, which is above zero up to s = −2ġ/a.
        const step = least < 0 ? -rate / least : Infinity;
        isLeaving = false;
        if (step < last) {
          tau = step;
          this.#measure(r, tau, table);
          value = at[0];
          rate = at[1];
          if (!(value > zero)) return this.#refuse(tau);
        } else {
          tau = last;
          if (tau >= end) return Infinity;
          continue;
        }
      }
      for (;;) {
        if (++steps > MOST_STEPS) return this.#refuse(tau);
        if (value <= zero) return rate < -touching ? tau : this.#refuse(tau);
        if (!(value > 0)) return this.#refuse(tau);
        if (value < near && Math.abs(rate) <= touching) return this.#refuse(tau);
        let step = Infinity;
        const square = rate * rate - 2 * least * value;
        if (rate < 0) {
          if (square >= 0) step = (2 * value) / (Math.sqrt(square) - rate);
        } else if (least < 0) step = (rate + Math.sqrt(square)) / -least;
        const next = tau + step;
        if (next >= last) {
          tau = last;
          break;
        }
        if (next === tau) return rate < -touching ? tau : this.#refuse(tau);
        tau = next;
        this.#measure(r, tau, table);
        value = at[0];
        rate = at[1];
      }
      if (tau >= end) return Infinity;
    }
  }

  #refuse(tau: number): number {
    this.refusedAt = tau;
    return NaN;
  }

  /** Whether all other gaps are plainly open where one has its root. */
  #isAlone(found: number, place: number): boolean {
    const { gaps } = this;
    for (let r = 0; r < gaps.length; r++) {
      if (r === found) continue;
      const { table } = gaps[r];
      if (table?.seek(this.stretch[0] + (place + this.#rest[1])) === false) return false;
      this.#measure(r, place, table);
      if (!(this.#at[0] > NEAR * this.#lengths[r])) return false;
    }
    return true;
  }
}
