/**
 * Integration of ẋ = f(t, x) between events. Steps are as long as the tolerances allow; states at the times
 * asked for, and zeros of the event functions, are found on the continuous extension of each step.
 */
import { type EventFunctions, NO_EVENTS, type RootReport, timeAt } from './event-functions';
import { EventSearch } from './event-search';
import { ExplicitMethod } from './explicit-method';
import { ImplicitMethod } from './implicit-method';
import {
  type Attempt,
  FailurePlace,
  type OdeSystem,
  SmoothCounters,
  type SmoothStatus,
  type Tolerances,
} from './ode-system';
import {
  DenseOutput,
  END,
  LENGTH,
  NEXT,
  START,
  StepData,
  type StepMethod,
  firstNotFinite,
} from './step-method';

/*
 * Length of a first step (Hairer, Nørsett and Wanner 1993 §II.4): one that changes x by a hundredth of
 * itself; then, with the second derivative estimated by an Euler step of that length, one whose error term
 * h^p max(|ẋ|, |ẍ|) is a hundredth of the tolerance.
 */

/** Where x or its rate vanishes nothing is known: a start that is surely short. */
const BLIND = 1e-6;
const VANISHING = 1e-10;
/** The second guess may be this much longer than the first. */
const TRUST = 100;

export class InitialStep {
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  readonly #clock = new Float64Array(1);

  constructor(private readonly data: StepData) {
    this.#x = new Float64Array(data.system.size);
    this.#rate = new Float64Array(data.system.size);
  }

  /** Writes [NEXT]. rate0 must be known. @param limit [0] longest step allowed */
  guess(order: number, limit: Float64Array): void {
    const { system, counters, span, x0, rate0, tolerances } = this.data;
    const n = system.size;
    let states = 0;
    let rates = 0;
    for (let i = 0; i < n; i++) {
      const scale = tolerances.absolute[i] + tolerances.relative * Math.abs(x0[i]);
      states += (x0[i] / scale) ** 2;
      rates += (rate0[i] / scale) ** 2;
    }
    let h = states <= VANISHING || rates <= VANISHING ? BLIND : 0.01 * Math.sqrt(states / rates);
    h = Math.min(h, limit[0]);
    for (let i = 0; i < n; i++) this.#x[i] = x0[i] + h * rate0[i];
    this.#clock[0] = span[START] + h;
    system.rate(this.#clock, this.#x, this.#rate);
    counters.rates++;
    let second = 0;
    for (let i = 0; i < n; i++) {
      const scale = tolerances.absolute[i] + tolerances.relative * Math.abs(x0[i]);
      second += ((this.#rate[i] - rate0[i]) / scale) ** 2;
    }
    const largest = Math.max(Math.sqrt(second) / h, Math.sqrt(rates));
    const next = largest <= 1e-15 ? Math.max(BLIND, 1e-3 * h) : (0.01 / largest) ** (1 / order);
    // Where the trial point is outside the domain of the rate, the first guess has to do.
    span[NEXT] = Number.isFinite(next) ? Math.min(TRUST * h, next, limit[0]) : h;
    span[LENGTH] = span[NEXT];
  }
}

export interface SmoothSettings {
  readonly tolerances: Tolerances;
  /** `automatic` starts explicit and changes where the system turns out to be stiff, and back */
  readonly method: 'automatic' | 'explicit' | 'implicit';
  /**
   * Makes a method whose steps end where the integration is to arrive, each in one, in place of those that
   * choose their length.
   */
  readonly stepped?: (data: StepData) => StepMethod;
  /** longest step; no limit when absent */
  readonly longestStep?: number;
  /** steps of one call of `advance` */
  readonly maxSteps: number;
}

/** A step is stretched by this part to end at the time that must not be passed. */
const STRETCH = 0.01;
/** Steps shorter than this many units of rounding of the time do not advance it reliably. */
const SHORTEST = 8 * Number.EPSILON;
/**
 * A step after a restart is at most this many times as long as the stretch before it. Rounding on a step is
 * relative to the largest value on it, and steps that grew without limit where nothing happened would hide a
 * short flight in it.
 */
const RESTART_GROWTH = 2;
/**
 * Steps in a row that may be made across a jump of the rate, and the length, in shortest steps, that says
 * that it lies behind. The time of the jump is known to rounding then, and the state to what that comes to.
 * Where a motion runs to infinity, steps stay short.
 */
const MOST_CROSSINGS = 6;
const BEHIND_JUMP = 64;
/**
 * A jump across zero that close behind the time asked for is there: rounding of the time would show functions
 * behind the jump already.
 */
export const SAME_TIME = 4 * Number.EPSILON;
/** At t = 0 rounding of the time sets no limit. */
const SHORTEST_AT_ZERO = 1e-100;

export class SmoothIntegrator {
  /** [0] present time */
  readonly clock = new Float64Array(1);
  /** present state. To change it, write and call `restart` */
  readonly x: Float64Array;
  /** where the last call failed */
  readonly failure = new FailurePlace();
  /** which functions vanish, after status `root` */
  roots: RootReport;
  /**
   * [0] start of the step that the present lies on or ends, s, [1] what of it lies behind the present, s; 0
   * after a restart
   */
  readonly stretch = new Float64Array(2);
  /** called when a step has been passed and the next one is about to begin */
  whenDone: (() => void) | null = null;
  readonly #data: StepData;
  readonly #dense: DenseOutput;
  #search: EventSearch;
  readonly #initial: InitialStep;
  readonly #explicit: StepMethod;
  readonly #implicit: StepMethod;
  #method: StepMethod;
  /** whether steps are as long as they are asked to be */
  readonly #isStepped: boolean;
  /** [0] θ of the present within the last step */
  readonly #place = new Float64Array(1);
  /** [0] θ of a sample */
  readonly #part = new Float64Array(1);
  readonly #limit: Float64Array;
  /** [0] tOut, [1] tStop of this call */
  readonly #target = new Float64Array(2);
  /** [0] time of the root ahead */
  readonly #time = new Float64Array(1);
  /** [0] time of the last start or restart */
  readonly #begun = new Float64Array(1);
  /** whether there is a last step of which the present is part */
  #hasStep = false;
  #hasDense = false;
  #outcome: 'unknown' | 'none' | 'root' | 'notFinite' = 'unknown';
  #needsGuess = true;
  #needsRate = true;
  /** shortest steps in a row that were taken whatever their error */
  #crossings = 0;

  constructor(
    private readonly system: OdeSystem,
    private readonly settings: SmoothSettings,
    private readonly events: EventFunctions = NO_EVENTS,
    readonly counters = new SmoothCounters(),
  ) {
    this.x = new Float64Array(system.size);
    this.#data = new StepData(system, settings.tolerances, this.counters);
    this.#dense = new DenseOutput(system.size);
    this.#search = new EventSearch(events, this.#data, this.#dense);
    this.roots = this.#search.memory.report;
    this.#initial = new InitialStep(this.#data);
    const stepped = settings.stepped?.(this.#data);
    this.#isStepped = stepped !== undefined;
    this.#explicit = stepped ?? new ExplicitMethod(this.#data);
    this.#implicit = stepped ?? new ImplicitMethod(this.#data, settings.method === 'automatic');
    this.#method = settings.method === 'implicit' ? this.#implicit : this.#explicit;
    this.#limit = Float64Array.of(settings.longestStep ?? Infinity);
    this.start(0);
  }

  /**
   * Begins at time t with the state that stands in `x`. Nothing is remembered, not of the event functions
   * either.
   */
  start(t: number): void {
    this.clock[0] = t;
    this.#begun[0] = t;
    this.#method = this.settings.method === 'implicit' ? this.#implicit : this.#explicit;
    this.#explicit.reset();
    this.#implicit.reset();
    this.#needsGuess = !this.#isStepped;
    this.#search.memory.begin();
    this.#leave();
  }

  /**
   * Goes on from the present time with the state that now stands in `x`, or with a rate or event functions
   * that have changed. The step length is kept; functions that were reported as roots at this time, and still
   * have the value they had, are not found again.
   * @param isZero nonzero for functions to be taken for zero now, whatever rounding says, as those of
   *   contacts that take part in an impact; absent where there was no event, and the state was only corrected
   */
  restart(isZero?: Uint8Array): void {
    const { span } = this.#data;
    const stretch = this.clock[0] - this.#begun[0];
    if (stretch > 0) span[NEXT] = Math.min(span[NEXT], RESTART_GROWTH * stretch);
    this.#begun[0] = this.clock[0];
    const { count, changing } = this.events;
    if (count !== this.#search.memory.count) this.#renewSearch();
    this.#search.memory.restart(isZero, changing);
    this.#leave(isZero === undefined);
  }

  /** There are more event functions than before. */
  #renewSearch(): void {
    const search = new EventSearch(this.events, this.#data, this.#dense);
    search.memory.adopt(this.#search.memory);
    this.#search = search;
    this.roots = search.memory.report;
  }

  /** No step is longer than this from here on, s. */
  limitSteps(longest: number): void {
    this.#limit[0] = Math.min(this.#limit[0], longest);
  }

  /** @param isCorrected whether the state goes on without an event */
  #leave(isCorrected = false): void {
    const method = this.#method;
    if (isCorrected && method.correct !== undefined) method.correct();
    else method.begin();
    this.#hasStep = false;
    this.#needsRate = true;
    this.#place[0] = 0;
    this.#outcome = 'unknown';
    this.stretch[1] = 0;
  }

  /** What the method remembers beside the state, to be read and written; null where that is nothing. */
  get memory(): Float64Array | null {
    return this.#method.memory ?? null;
  }

  /** Length of the step that the present lies on or ends, s; 0 where there is none. */
  get stepLength(): number {
    return this.#hasStep ? this.#data.span[LENGTH] : 0;
  }

  /** State at `place[0]` s behind the start of the present step, into `out`. */
  sample(place: Float64Array, out: Float64Array): void {
    this.#ensureDense();
    this.#part[0] = place[0] / this.#data.span[LENGTH];
    this.#dense.evaluate(this.#part, out);
  }

  /**
   * Advances to tOut, or to the first root before. Steps go beyond tOut where that suits them, but rate and
   * event functions are never evaluated beyond tStop.
   * @returns status; with `reached` and `root`, clock and x are there, otherwise as far as the integration
   *   came
   */
  advance(tOut: number, tStop = Infinity): SmoothStatus {
    if (!(tOut >= this.clock[0] && tOut <= tStop && tOut < Infinity)) return 'invalidTarget';
    this.#target[0] = tOut;
    this.#target[1] = tStop;
    for (let steps = 0; ; steps++) {
      if (this.#hasStep) {
        const status = this.#useStep();
        if (status !== 'atEnd') return status;
      } else if (this.#target[0] === this.clock[0]) {
        return 'reached';
      }
      if (steps >= this.settings.maxSteps) return 'tooManySteps';
      const status = this.#step();
      if (status !== 'stepped') return status;
    }
  }

  /** What the last step still holds: a root, the time asked for, or its end. */
  #useStep(): SmoothStatus | 'atEnd' {
    const tOut = this.#target[0];
    const { span, x1 } = this.#data;
    const end = span[END];
    const isSearched = this.#outcome !== 'unknown' || this.events.count === 0 || this.#place[0] >= 1;
    if (!this.#hasDense && (!isSearched || tOut < end)) {
      this.#ensureDense();
      if (!this.#method.isExtended(this.#dense) && this.#shorten()) return 'atEnd';
    }
    if (!isSearched) this.#outcome = this.#search.search(this.#place, end === this.#target[1]);
    else if (this.#outcome === 'unknown') this.#outcome = 'none';
    if (this.#outcome !== 'none') {
      const { found } = this.#search;
      const time = this.#time;
      timeAt(span, found, time);
      const { jumps, first } = this.#search.memory;
      const isJump = this.#outcome === 'root' && jumps[first] === 1;
      if (time[0] <= (isJump ? tOut + SAME_TIME * Math.abs(tOut) : tOut)) {
        this.#place[0] = found[0];
        this.#move();
        if (this.#outcome === 'root') {
          this.#search.deliver();
          this.#outcome = 'unknown';
          return 'root';
        }
        this.failure.index = this.#search.memory.bad;
        this.failure.clock[0] = time[0];
        return 'eventNotFinite';
      }
    }
    if (tOut < end) {
      this.#ensureDense();
      this.#place[0] = (tOut - span[START]) / span[LENGTH];
      this.#move();
      this.clock[0] = tOut;
      return 'reached';
    }
    this.#search.memory.pass();
    this.#place[0] = 1;
    this.stretch[1] = span[LENGTH];
    this.clock[0] = end;
    this.x.set(x1);
    return tOut === end ? 'reached' : 'atEnd';
  }

  #ensureDense(): void {
    if (this.#hasDense) return;
    this.#method.interpolate(this.#dense);
    this.#hasDense = true;
  }

  /**
   * The step is made again, half as long. The present is still at its start, and nothing has been searched.
   * @returns whether half of it is long enough
   */
  #shorten(): boolean {
    const { span } = this.#data;
    if (span[LENGTH] <= BEHIND_JUMP * SHORTEST * Math.abs(span[START])) return false;
    span[NEXT] = 0.5 * span[LENGTH];
    this.counters.steps--;
    this.counters.rejected++;
    this.#hasStep = false;
    this.#hasDense = false;
    return true;
  }

  /** The present to the place. */
  #move(): void {
    timeAt(this.#data.span, this.#place, this.clock);
    this.stretch[1] = this.#place[0] * this.#data.span[LENGTH];
    if (this.#place[0] === 1) this.x.set(this.#data.x1);
    else this.#dense.evaluate(this.#place, this.x);
  }

  /** One accepted step from the present, which is the end of the last one. */
  #step(): SmoothStatus | 'stepped' {
    const tStop = this.#target[1];
    const data = this.#data;
    const { span } = data;
    if (this.stretch[1] > 0) this.whenDone?.();
    this.stretch[1] = 0;
    const status = this.#prepare();
    if (status !== 'stepped') return status;
    for (;;) {
      const t = span[START];
      const ahead = this.#target[0] - t;
      const wanted = Math.min(this.#isStepped ? ahead : span[NEXT], this.#limit[0]);
      const isClipped = t + (1 + STRETCH) * wanted >= tStop;
      if (this.#isStepped) span[END] = wanted === ahead ? this.#target[0] : t + wanted;
      else span[END] = isClipped ? tStop : t + wanted;
      // What of it is rounded away belongs to the next step: lengths that were lost would be lost again and
      // again.
      span[LENGTH] = span[END] - t;
      const attempt = this.#method.attempt();
      if (attempt === 'accepted') {
        // A step cut short for tStop says nothing against the length that was wanted.
        if (isClipped && span[LENGTH] < wanted) span[NEXT] = Math.max(span[NEXT], wanted);
        if (span[LENGTH] > BEHIND_JUMP * SHORTEST * Math.abs(t)) this.#crossings = 0;
        break;
      }
      this.counters.rejected++;
      if (this.#isStepped) return this.#fail(attempt);
      const shortest = Math.max(SHORTEST * Math.abs(t), SHORTEST_AT_ZERO);
      if (attempt !== 'jacobianNotFinite' && span[NEXT] > shortest) continue;
      if (attempt !== 'rejected' || !this.#crosses(shortest)) return this.#fail(attempt);
      break;
    }
    this.counters.steps++;
    if (this.#method === this.#implicit) this.counters.implicitSteps++;
    this.#hasStep = true;
    this.#hasDense = false;
    this.stretch[0] = span[START];
    this.#place[0] = 0;
    this.#outcome = 'unknown';
    return 'stepped';
  }

  /**
   * No step is short enough for the tolerances, as where the rate jumps: one of the shortest length is made,
   * whatever its error.
   * @returns whether that is a step, and not one too many
   */
  #crosses(shortest: number): boolean {
    if (this.#crossings === MOST_CROSSINGS) return false;
    this.#crossings++;
    const { span, x1, rate1 } = this.#data;
    const t = span[START];
    span[END] = Math.min(this.#target[1], t + 2 * shortest);
    span[LENGTH] = span[END] - t;
    if (!(span[LENGTH] > 0)) return false;
    this.#method.attempt();
    if (firstNotFinite(x1) >= 0 || firstNotFinite(rate1) >= 0) return false;
    this.#method.begin();
    span[NEXT] = 2 * span[LENGTH];
    this.counters.crossings++;
    return true;
  }

  /** State, rate and a step length to start with. */
  #prepare(): SmoothStatus | 'stepped' {
    const { system, counters } = this;
    const { span, x0, x1, rate0, rate1 } = this.#data;
    if (this.#hasStep) {
      if (this.settings.method === 'automatic' && this.#method.isMisplaced()) this.#switch();
      span[START] = span[END];
      x0.set(x1);
      rate0.set(rate1);
      return 'stepped';
    }
    span[START] = this.clock[0];
    x0.set(this.x);
    const bad = firstNotFinite(x0);
    if (bad >= 0) return this.#failAt('stateNotFinite', bad);
    if (this.#needsRate) {
      system.rate(this.clock, x0, rate0);
      counters.rates++;
      const badRate = firstNotFinite(rate0);
      if (badRate >= 0) return this.#failAt('rateNotFinite', badRate);
      this.#needsRate = false;
    }
    if (this.#needsGuess) {
      span[END] = Math.min(this.#limit[0], this.#target[1] - span[START]);
      this.#initial.guess(this.#method.estimateOrder, span.subarray(END));
      this.#needsGuess = false;
    }
    return 'stepped';
  }

  #switch(): void {
    const isExplicit = this.#method === this.#explicit;
    this.#method = isExplicit ? this.#implicit : this.#explicit;
    this.#method.begin();
    if (isExplicit) this.counters.switchesToImplicit++;
    else this.counters.switchesToExplicit++;
  }

  #failAt(status: SmoothStatus, index: number): SmoothStatus {
    this.failure.index = index;
    this.failure.clock[0] = this.clock[0];
    return status;
  }

  /** No step can be made from the present. */
  #fail(attempt: Attempt): SmoothStatus {
    const { failure } = this;
    failure.index = -1;
    failure.clock[0] = this.clock[0];
    this.#hasStep = false;
    if (attempt === 'rejected' || attempt === 'accepted') return 'stepTooSmall';
    failure.index = this.#method.blame(failure.clock);
    // Where only what is made of rates overflows, the largest of them is to blame.
    if (failure.index < 0 && attempt === 'rateNotFinite') failure.index = largest(this.#data.rate0);
    return attempt;
  }
}

function largest(values: Float64Array): number {
  let index = -1;
  for (let i = 0; i < values.length; i++)
    if (index < 0 || Math.abs(values[i]) > Math.abs(values[index])) index = i;
  return index;
}
