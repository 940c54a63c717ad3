/**
 * Exact flight of linear time-invariant systems ż = A z + b from event to event, in the role of the general
 * integrator: `advance` goes to the time asked for or to the first root of the event functions before it.
 * There is no tolerance; states and roots are exact to rounding (docs/theory/exact-arcs.md). Forcing by
 * polynomials, exponentials, sines and cosines of time comes in as further components of z
 * (`analytic-forcing.ts`).
 */
import { NO_EVENTS, type RootReport } from '../smooth/event-functions';
import { FailurePlace, SmoothCounters, type SmoothStatus } from '../smooth/ode-system';
import { SAME_TIME } from '../smooth/smooth-integrator';
import { END, firstNotFinite, LENGTH, START, StepData } from '../smooth/step-method';
import { Arc } from './arc';
import { ArcSearch } from './arc-search';
import { type FlightIntegrator, LinearFlight } from './linear-flight';
import { type LinearSystem, ROW } from './linear-system';
import type { ArcEvents } from './moving-target';

export interface ArcSettings {
  /** arcs of one call of `advance` */
  readonly maxSteps: number;
  /**
   * longest arc; no limit but that of the series when absent. Polynomial motion with general functions needs
   * one.
   */
  readonly longestStep?: number;
}

/** Arcs shorter than this many units of rounding of the time do not advance it reliably. */
const SHORTEST = 8 * Number.EPSILON;

/** Faster than `set` for the few components of most systems. */
function copy(from: Float64Array, to: Float64Array): void {
  for (let i = 0; i < from.length; i++) to[i] = from[i];
}

export class ExactArcs implements FlightIntegrator {
  readonly clock = new Float64Array(1);
  readonly x: Float64Array;
  readonly failure = new FailurePlace();
  roots: RootReport;
  readonly stretch = new Float64Array(2);
  whenDone: (() => void) | null = null;
  readonly #data: StepData;
  #flight: LinearFlight;
  readonly #arc: Arc;
  #search: ArcSearch;
  /** [0] tOut, [1] tStop of this call */
  readonly #target = new Float64Array(2);
  /** [0] τ on the arc */
  readonly #place = new Float64Array(1);
  /**
   * What the clock is too coarse to show: the state is that of time clock + [0], and the arc starts at
   * START + [1]. The times of a thousand roots would otherwise carry the rounding of a thousand clocks.
   */
  readonly #rest = new Float64Array(2);
  /** whether the present lies on an arc */
  #hasArc = false;
  /** whether the arc's series has been formed; an unwatched arc needs none */
  #hasSeries = false;
  #outcome: 'unknown' | 'none' | 'root' | 'notFinite' = 'unknown';

  constructor(
    system: LinearSystem,
    private readonly settings: ArcSettings,
    private readonly events: ArcEvents = NO_EVENTS,
    readonly counters = new SmoothCounters(),
    /** [0] longest part of the present stretch on which a few values resolve the motion, s */
    private readonly resolution = new Float64Array(1),
  ) {
    const n = system.size;
    this.x = new Float64Array(n);
    this.#flight = new LinearFlight(system, [], settings.longestStep);
    const tolerances = { relative: 0, absolute: new Float64Array(n) };
    this.#data = new StepData({ size: n, rate: () => undefined }, tolerances, this.counters);
    this.#arc = new Arc(this.#flight.flow, this.#data.span);
    this.#search = new ArcSearch(events, this.#data, this.#arc);
    this.roots = this.#search.memory.report;
    this.start(0);
  }

  /** Begins at time t with the state that stands in `x`. Nothing is remembered of the event functions. */
  start(t: number): void {
    this.clock[0] = t;
    this.#rest[0] = 0;
    this.#search.memory.begin();
    this.#leave();
  }

  /**
   * Goes on from the present time with the state that now stands in `x`, or with event functions that have
   * changed. Functions that were reported as roots at this time, and still have the value they had, are not
   * found again.
   * @param isZero nonzero for functions to be taken for zero now, whatever rounding says, as those of
   *   contacts that take part in an impact
   */
  restart(isZero?: Uint8Array): void {
    const { count, changing } = this.events;
    if (count !== this.#search.memory.count) this.#renewSearch();
    this.#search.memory.restart(isZero, changing);
    this.#leave();
  }

  /** There are more event functions than before. */
  #renewSearch(): void {
    const search = new ArcSearch(this.events, this.#data, this.#arc);
    search.memory.adopt(this.#search.memory);
    search.change(this.#flight.forms);
    this.#search = search;
    this.roots = search.memory.report;
  }

  /** Another system of the same size from here on; to be followed by `restart` or `start`. */
  change(flight: LinearFlight): void {
    this.#flight = flight;
    this.#arc.flow = flight.flow;
    this.#search.change(flight.forms);
  }

  #leave(): void {
    this.#hasArc = false;
    this.#outcome = 'unknown';
    this.stretch[1] = 0;
  }

  sample(place: Float64Array, out: Float64Array): void {
    if (this.#hasSeries) this.#arc.evaluate(place, out);
    else this.#flight.propagator.carry(this.#data.x0, place, out);
  }

  /**
   * The motion from the present on as if nothing happened on it.
   * @param duration [0] time from the present, not negative
   * @param out state, n entries
   */
  foresee(duration: Float64Array, out: Float64Array): void {
    this.#flight.propagator.carry(this.x, duration, out);
  }

  /**
   * Advances to tOut, or to the first root before. Event functions are never evaluated beyond tStop.
   * @returns status; with `reached` and `root`, clock and x are there, otherwise as far as the motion was
   *   followed
   */
  advance(tOut: number, tStop = Infinity): SmoothStatus {
    if (!(tOut >= this.clock[0] && tOut <= tStop && tOut < Infinity)) return 'invalidTarget';
    this.#target[0] = tOut;
    this.#target[1] = tStop;
    for (let steps = 0; ; steps++) {
      if (this.#hasArc) {
        const status = this.#useArc();
        if (status !== 'atEnd') return status;
      } else if (this.#target[0] === this.clock[0]) {
        return 'reached';
      }
      if (steps >= this.settings.maxSteps) return 'tooManySteps';
      const status = this.#begin();
      if (status !== 'begun') return status;
    }
  }

  /** A new arc from the present. */
  #begin(): SmoothStatus | 'begun' {
    if (this.stretch[1] > 0) this.whenDone?.();
    this.stretch[1] = 0;
    const { span, x0 } = this.#data;
    const t = this.clock[0];
    copy(this.x, x0);
    const bad = firstNotFinite(x0);
    if (bad >= 0) return this.#fail('stateNotFinite', bad);
    const { settled } = this.#flight;
    const isWatched = this.#search.isWatching();
    const isSettled = isWatched && settled !== null && settled.settles(x0);
    const flow = isSettled ? settled.flow : this.#flight.flow;
    const longest = isSettled ? this.#flight.longestSettled : this.#flight.longest;
    this.#arc.flow = flow;
    this.resolution[0] = flow.limits[1];
    if (flow.bad >= 0) return this.#fail('rateNotFinite', flow.bad);
    const tOut = this.#target[0];
    const tStop = this.#target[1];
    // Without events one arc leads to tOut, whatever the series admits; with them a polynomial has no end of
    // its own.
    const wanted = isWatched ? longest[0] : Infinity;
    span[START] = t;
    span[END] = Math.min(tStop, isWatched ? t + wanted : tOut);
    if (span[END] === Infinity) span[END] = tOut;
    this.#rest[1] = this.#rest[0];
    span[LENGTH] = span[END] - t - this.#rest[1];
    const isClipped = span[END] === tStop || span[END] === tOut;
    if (!isClipped && !(span[LENGTH] > SHORTEST * Math.abs(t))) return this.#fail('stepTooSmall', -1);
    this.#hasSeries = isWatched;
    if (isWatched) {
      this.#arc.expand(x0);
      const badRate = this.#firstBadRate();
      if (badRate >= 0) return this.#fail('rateNotFinite', badRate);
    }
    this.#outcome = isWatched ? 'unknown' : 'none';
    this.stretch[0] = t;
    this.#hasArc = true;
    this.counters.steps++;
    return 'begun';
  }

  #firstBadRate(): number {
    const { coefficients } = this.#arc;
    for (let i = 0; i < this.x.length; i++) if (!Number.isFinite(coefficients[ROW * i + 1])) return i;
    return -1;
  }

  /** What the arc holds: a root, the time asked for, or its end. */
  #useArc(): SmoothStatus | 'atEnd' {
    const { span } = this.#data;
    const place = this.#place;
    const rest = this.#rest;
    const tOut = this.#target[0];
    if (this.#outcome === 'unknown') this.#outcome = this.#search.search(span[END] === this.#target[1]);
    if (this.#outcome !== 'none') {
      const { found } = this.#search;
      const behind = found[0] + rest[1];
      const time = found[0] === span[LENGTH] ? span[END] : span[START] + behind;
      const { jumps, first } = this.#search.memory;
      const isJump = this.#outcome === 'root' && jumps[first] === 1;
      if (time <= (isJump ? tOut + SAME_TIME * Math.abs(tOut) : tOut)) {
        place[0] = found[0];
        if (!this.#move()) return this.#failAtState();
        this.clock[0] = time;
        // What a sum has lost is the difference of its smaller term to what it has added to the larger one.
        const isLate = Math.abs(span[START]) >= Math.abs(behind);
        rest[0] = isLate ? behind - (time - span[START]) : span[START] - (time - behind);
        if (this.#outcome === 'root') {
          this.#search.deliver();
          this.#hasArc = false;
          this.#outcome = 'unknown';
          return 'root';
        }
        return this.#fail('eventNotFinite', this.#search.memory.bad);
      }
    }
    const isInside = tOut < span[END];
    place[0] = isInside ? tOut - span[START] - rest[1] : span[LENGTH];
    if (!this.#move()) return this.#failAtState();
    rest[0] = 0;
    this.clock[0] = isInside ? tOut : span[END];
    if (isInside) return 'reached';
    this.#search.memory.pass();
    this.#hasArc = false;
    return tOut === span[END] ? 'reached' : 'atEnd';
  }

  /** The state to the place. @returns whether it is finite */
  #move(): boolean {
    const { x0, x1 } = this.#data;
    if (this.#hasSeries) this.#arc.evaluate(this.#place, x1);
    else this.#flight.propagator.carry(x0, this.#place, x1);
    const isFinite = firstNotFinite(x1) < 0;
    if (isFinite) {
      copy(x1, this.x);
      this.stretch[1] = this.#place[0];
    }
    return isFinite;
  }

  /** The motion has grown beyond what a number can hold; the present stays where it was. */
  #failAtState(): SmoothStatus {
    return this.#fail('stateNotFinite', firstNotFinite(this.#data.x1));
  }

  #fail(status: SmoothStatus, index: number): SmoothStatus {
    this.failure.index = index;
    this.failure.clock[0] = this.clock[0];
    return status;
  }
}
