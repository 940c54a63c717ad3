/**
 * Whether a motion grazes: where a function g(t, x) that ends flights turns round at zero, some of the
 * motions nearby have its event and others have not. What they do is not differentiable there, on either
 * side of the turn: a motion that touches is as near to the border as one that just misses (Nordmark 1991).
 *
 * Functions are sampled along each flight. A turn between samples is refined; at the end of a flight that g
 * itself ends, its turn would be at a depth of ġ²/2|g̈| beyond where the motion goes on without the event.
 * Both count by their distance from zero, as a part of the largest |g| of the run: below what is left open
 * of an orbit by its own tolerance, a derivative says nothing of motions that can be told apart from it.
 *
 * Between events of such a motion derivatives are as well defined as anywhere, and Newton's method and
 * branches may use them. What they cannot be is an answer about the motion.
 *
 * Which functions: outputs (gaps, slips), guards, gates; of networks also multipliers. Elsewhere a
 * multiplier that comes to its bound leaves ẋ continuous, so that a touch has the derivative 1. Functions
 * of time alone are passed by all motions together.
 */
import { UNWATCHED } from '../../smooth/event-functions';
import type { ObservedParts } from '../flow/flight-observer';
import { FUNCTIONS } from '../rows/row-events';
import { DISPLACEMENT, type StateSizes } from './flow-jacobian';

/**
 * Places of a span between which a function has one turn at most, the last two close together: what turns
 * behind them does so on the next stretch, from where this one is not known any more.
 */
const PLACES = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1 - 1e-5, 1];
/** Distance from zero, relative to the largest |g|, that counts as none. */
const NEAR = 1e-9;
/** What |g| has to have been in a flight, likewise, before it can come back to zero. */
const DEPARTED = 1e-6;
/** A turn that is nearer than this by three samples is looked for. */
const PROMISING = 0.1;
/** Parts of a stretch over which ġ and g̈ are differences. */
const BACK = 64;
/** One-sided differences of order 4 and 3 at 0, −s, … −4 s, times 12. */
const FIRST = [25, -48, 36, -16, 3];
const SECOND = [35, -104, 114, -56, 11];
/** What rounding makes of a value, relative to the largest. */
const ROUNDING = 1e-14;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const MOST_SECTIONS = 80;

export interface Graze {
  readonly status: 'grazing';
  /** s */
  readonly time: number;
  /** whose function it is */
  readonly element: string;
}

export class GrazeWatch {
  /** the first one; null where there is none */
  first: Graze | null = null;
  count = 0;
  /** largest |g| of the run, by function */
  readonly largest: Float64Array;
  /** largest |g| of the flight */
  readonly departed: Float64Array;
  /** the last two samples of it with their times */
  readonly #last: Float64Array;
  readonly #older: Float64Array;
  #lastTime = NaN;
  #olderTime = NaN;
  readonly #x: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #place = new Float64Array(1);
  readonly #out = new Float64Array(1);

  constructor(
    private readonly parts: ObservedParts,
    private readonly sizes: StateSizes,
  ) {
    this.#x = new Float64Array(parts.flow.size);
    const { count } = parts.functions;
    this.largest = new Float64Array(count);
    this.departed = new Float64Array(count);
    this.#last = new Float64Array(count);
    this.#older = new Float64Array(count);
  }

  #isOf(index: number): boolean {
    const { functions, laws, flow } = this.parts;
    if (functions.watch[index] === UNWATCHED) return false;
    if (index >= functions.ofRows) return functions.timed(index) === null;
    if (flow.network?.isEngaged === true) return true;
    return index % FUNCTIONS === 0 && laws.degree[index / FUNCTIONS] !== 0;
  }

  #read(index: number, place: number): number {
    const { flight, joints, functions } = this.parts;
    this.#place[0] = place;
    flight.sample(this.#place, this.#x);
    this.#clock[0] = flight.stretch[0] + place;
    joints.complete(this.#clock, this.#x);
    functions.value(index, this.#clock, this.#x, this.#out);
    return this.#out[0];
  }

  /** A part of a stretch is known. */
  passed([from, to]: Float64Array): void {
    const { functions, flight } = this.parts;
    if (functions.count === 0) return;
    for (let k = Number.isNaN(this.#lastTime) ? 0 : 1; k < PLACES.length; k++) {
      const place = PLACES[k] === 1 ? to : from + (to - from) * PLACES[k];
      const time = flight.stretch[0] + place;
      for (let index = 0; index < functions.count; index++)
        if (this.#isOf(index)) this.#sample(index, place, time);
      this.#olderTime = this.#lastTime;
      this.#lastTime = time;
    }
  }

  #sample(index: number, place: number, time: number): void {
    const value = this.#read(index, place);
    const [last, older] = [this.#last[index], this.#older[index]];
    const size = Math.abs(value);
    this.largest[index] = Math.max(this.largest[index], size);
    const hasGone = this.departed[index] > DEPARTED * this.largest[index];
    const turns = Math.abs(last) < Math.abs(older) && Math.abs(last) <= size && older * value > 0;
    if (hasGone && turns && this.#olderTime < this.#lastTime)
      if (Math.abs(last) <= NEAR * this.largest[index]) this.#note(index, this.#lastTime);
      else if (last * value > 0 && Math.abs(last) <= PROMISING * this.largest[index]) this.#turn(index, time);
    this.departed[index] = Math.max(this.departed[index], size);
    this.#older[index] = last;
    this.#last[index] = value;
  }

  /** The least |g| between the last but one sample and now, as far as the stretch has it. */
  #turn(index: number, time: number): void {
    const start = this.parts.flight.stretch[0];
    let [a, b] = [Math.max(0, this.#olderTime - start), time - start];
    const at = (place: number): number => Math.abs(this.#read(index, place));
    let [c, d] = [b - GOLDEN * (b - a), a + GOLDEN * (b - a)];
    let [atC, atD] = [at(c), at(d)];
    const near = NEAR * this.largest[index];
    for (let k = 0; k < MOST_SECTIONS && Math.min(atC, atD) > near && d > c; k++)
      if (atC < atD) {
        [b, d, atD] = [d, c, atC];
        c = b - GOLDEN * (b - a);
        atC = at(c);
      } else {
        [a, c, atC] = [c, d, atD];
        d = a + GOLDEN * (b - a);
        atD = at(d);
      }
    if (Math.min(atC, atD) <= near) this.#note(index, start + c);
  }

  /** An event ends the flight, which has been seen. */
  eventBegins(): void {
    const { flight } = this.parts;
    const [, length] = flight.stretch;
    for (let index = 0; index < this.largest.length; index++) {
      const largest = this.largest[index];
      if (!(length > 0) || !(this.departed[index] > DEPARTED * largest)) continue;
      if (!this.#isOf(index) || Math.abs(this.#last[index]) > NEAR * largest) continue;
      const step = length / BACK;
      let [first, second] = [0, 0];
      for (let k = 0; k < FIRST.length; k++) {
        const value = this.#read(index, length - k * step);
        first += (FIRST[k] * value) / (12 * step);
        second += (SECOND[k] * value) / (12 * step * step);
      }
      const returns = first * second < 0 && first * first <= 2 * NEAR * largest * Math.abs(second);
      const isResolved = Math.abs(second) * step * step > ROUNDING * largest;
      if (returns && isResolved) this.#note(index, flight.clock[0]);
    }
    this.departed.fill(0);
    this.interrupt();
  }

  /** What was sampled last is not followed any more; how far functions have been from zero is known. */
  interrupt(): void {
    this.#last.fill(0);
    this.#older.fill(0);
    this.#lastTime = NaN;
    this.#olderTime = NaN;
  }

  /** Distance from zero that counts as none; 0 while |g| has not been in this flight what can come back. */
  near(index: number): number {
    const largest = this.largest[index];
    return this.departed[index] > DEPARTED * largest ? NEAR * largest : 0;
  }

  /** A function turns round at zero, at a place of the flight. */
  found(index: number, place: number): void {
    this.#read(index, place);
    this.#note(index, this.#clock[0]);
  }

  /** A function that is followed by its derivatives ends the flight. @param first ġ @param second g̈ there */
  impact(index: number, first: number, second: number): void {
    const near = this.near(index);
    if (first * second < 0 && first * first <= 2 * near * Math.abs(second))
      this.found(index, this.parts.flight.stretch[1]);
    this.departed.fill(0);
  }

  #note(index: number, time: number): void {
    if (!this.#dependsOnState(index)) return;
    const { functions, laws } = this.parts;
    const [, guard = ''] = /“(.+)”/.exec(functions.describe(index)) ?? [];
    const element = index < functions.ofRows ? laws.names[Math.floor(index / FUNCTIONS)] : guard;
    this.first ??= { status: 'grazing', time, element };
    this.count++;
  }

  /** Whether a function is another one for motions nearby, at the place that was read last. */
  #dependsOnState(index: number): boolean {
    const { functions, flow } = this.parts;
    const form = functions.linear(index);
    if (form !== null) return form.values.some((value) => value !== 0);
    const x = this.#x;
    const value = (): number => {
      functions.value(index, this.#clock, x, this.#out);
      return this.#out[0];
    };
    const here = value();
    for (let i = 0; i < flow.size; i++) {
      const own = x[i];
      x[i] = own + Math.max(this.sizes.displacement(i), DISPLACEMENT * Math.abs(own));
      const isOther = value() !== here;
      x[i] = own;
      if (isOther) return true;
    }
    return false;
  }
}
