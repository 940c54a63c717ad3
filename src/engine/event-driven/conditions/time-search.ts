/**
 * Zeros of margins that depend on time alone. Most are affine in time, as those of t > 20, t % T and of
 * tables: their zeros are known at once, however far they lie. Others, such as sin(ωt) > 0.99, are searched
 * in windows that are so short that polynomials represent the margin there; a window is at most twice as long
 * as the one before, so that a function whose wiggles are shorter than the first windows is not passed over.
 */
import { refineCrossing } from '../../smooth/bracketing';
import { FALLING } from '../../smooth/event-functions';
import { GeneralWalk } from '../../smooth/general-walk';
import { PieceWalk } from '../../smooth/piece-walk';
import { SignSweep } from '../../smooth/sign-sweep';
import { SmoothCounters } from '../../smooth/ode-system';

/** Value of a margin at the time clock[0]. */
export type Margin = (clock: Float64Array) => number;

/** Rounding of a margin, in units of what cancels in it. */
export const MARGIN_ROUNDING = 16 * Number.EPSILON;
/**
 * How far the zero of an affine margin may be off that follows from far values, in units of rounding of the
 * largest time.
 */
const ESTIMATED = 256 * Number.EPSILON;
const MOST_REFINEMENTS = 3;
/** Rounding of the time in a margin, which may come from several products with it. */
const TIME_ROUNDING = 64 * Number.EPSILON;
/** Part of the span that the first window has. */
const FIRST_WINDOW = 2 ** -20;
/** Values of one piece; more than a few pieces say that the window is too long. */
const LONG_WINDOW_VALUES = 80;
const SHORT_WINDOW_VALUES = 14;
/** Windows in one call. */
const MOST_WINDOWS = 4096;
/** Parts of the time to the end at which a margin is probed, for whether it is affine. */
export const PROBED = [0.137, 0.5123, 0.8279, 1] as const;

/** How far margins are looked at; the end may move between two beginnings. */
export interface TimeLimits {
  /** s */
  readonly end: number;
  /** longest window of a search, s */
  readonly fastest: number;
}

export class TimeSearch {
  /** time up to which there is no zero, s */
  readonly searched = new Float64Array(1);
  /** [0] time of the zero; Infinity as long as there is none */
  readonly zero = Float64Array.of(Infinity);
  readonly place = new Float64Array(1);
  readonly result = new Float64Array(1);
  readonly #clock = new Float64Array(1);
  readonly #counters = new SmoothCounters();
  readonly #sweep = new SignSweep();
  readonly #walk: GeneralWalk;
  /** [0] start and [1] length of the window, s */
  readonly #window = new Float64Array(2);
  readonly #noise = new Float64Array(1);
  readonly #resolution = new Float64Array(1);
  #scale = 1;
  #isAtZero = false;
  /** slope of an affine margin whose zero is not refined yet; 0 for others */
  #slope = 0;
  /** time at which the search began, s */
  #start = 0;
  #values = 0;

  constructor(
    private readonly margin: Margin,
    private readonly limits: TimeLimits,
  ) {
    this.#walk = new GeneralWalk(this, new PieceWalk(), this.#sweep, this.#counters);
  }

  /** As for a new motion. */
  forget(): void {
    this.#window[1] = 0;
  }

  /** For the walk along a window: the margin at `place`. */
  evaluate(): void {
    this.#values++;
    this.#clock[0] = this.#window[0] + this.place[0] * this.#window[1];
    this.result[0] = this.margin(this.#clock);
  }

  #at(time: number): number {
    this.#clock[0] = time;
    return this.margin(this.#clock);
  }

  /**
   * Begins at a time.
   * @param start the margin at this time
   * @param probed the margin at the parts `PROBED` of the time to the end
   * @param scale size of what cancels in the margin
   * @param isAtZero whether the margin leaves zero at this time
   * @returns whether the margin is affine, so that all is known
   */
  begin(time: number, start: number, probed: ArrayLike<number>, scale: number, isAtZero: boolean): boolean {
    this.#scale = scale;
    this.#isAtZero = isAtZero;
    this.#slope = 0;
    this.#start = time;
    this.zero[0] = Infinity;
    this.searched[0] = time;
    const span = this.limits.end - time;
    if (!(span > 0)) {
      this.searched[0] = Infinity;
      return true;
    }
    const last = probed[PROBED.length - 1];
    const slope = (last - start) / span;
    // Late in a run what rounding of the time makes of a steep margin is more than that of its terms.
    const ofTime = TIME_ROUNDING * Math.abs(slope) * Math.max(Math.abs(time), Math.abs(this.limits.end));
    const loose = 8 * MARGIN_ROUNDING * (scale + Math.abs(start) + Math.abs(last)) + ofTime;
    let isAffine = true;
    for (let p = 0; p < PROBED.length; p++) {
      const expected = start + PROBED[p] * (last - start);
      if (!(Math.abs(probed[p] - expected) <= loose)) isAffine = false;
    }
    if (!isAffine) {
      this.#window[1] = Math.min(
        this.limits.fastest,
        this.#window[1] > 0 ? this.#window[1] / 4 : FIRST_WINDOW * span,
      );
      return false;
    }
    this.searched[0] = Infinity;
    if (!(slope < 0)) return true;
    this.#slope = slope;
    this.zero[0] = Math.max(time - start / slope, time);
    return true;
  }

  /**
   * Brings the zero of an affine margin to rounding, which costs values of it: only a zero that is due first
   * is worth them. It is a time at which values say that the outcome has changed, as far as steps of rounding
   * lead to one: of a steep margin that late, one of them may be more than counts as zero in it.
   * @returns whether it was not yet so
   */
  refine(): boolean {
    const { zero } = this;
    if (this.#slope === 0) return false;
    let value = this.#at(zero[0]);
    for (let k = 0; k < MOST_REFINEMENTS; k++) {
      const step = value / this.#slope;
      const refined = Math.max(zero[0] - step, this.#start);
      if (!Number.isFinite(step) || refined === zero[0]) break;
      zero[0] = refined;
      value = this.#at(refined);
    }
    for (let k = 0; value > 0 && k < MOST_REFINEMENTS; k++) {
      zero[0] += Number.EPSILON * Math.abs(zero[0]);
      value = this.#at(zero[0]);
    }
    this.#slope = 0;
    return true;
  }

  /** How far the zero may be off before it is refined, s. */
  get uncertainty(): number {
    return this.#slope === 0 ? 0 : ESTIMATED * Math.max(Math.abs(this.#start), Math.abs(this.limits.end));
  }

  /** Searches a margin that is not affine, until a time or the first zero. */
  extend(until: number): void {
    const target = Math.min(until, this.limits.end);
    const { searched, zero } = this;
    for (let k = 0; k < MOST_WINDOWS && searched[0] < target && zero[0] === Infinity; k++)
      this.#searchWindow();
    if (searched[0] >= this.limits.end && zero[0] === Infinity) searched[0] = Infinity;
  }

  #searchWindow(): void {
    const window = this.#window;
    window[0] = this.searched[0];
    window[1] = Math.min(window[1], this.limits.fastest, this.limits.end - window[0]);
    const sweep = this.#sweep;
    const shortest = 64 * Number.EPSILON * Math.max(Math.abs(window[0]), Number.MIN_VALUE);
    for (;;) {
      this.#values = 0;
      const unresolved = this.#counters.unresolvedPieces;
      this.place[0] = 0;
      this.#noise[0] = 0;
      this.#walk.prepare(this.#noise);
      sweep.zero[0] = MARGIN_ROUNDING * this.#scale;
      this.#noise[0] = MARGIN_ROUNDING * this.#scale;
      const isRoot = sweep.begin(this.#isAtZero ? 0 : 1, this.#isAtZero, FALLING, false);
      const outcome = isRoot ? 'root' : this.#walk.run(this.#noise);
      const isUnresolved = this.#counters.unresolvedPieces > unresolved || outcome === 'notFinite';
      if ((isUnresolved || this.#values > LONG_WINDOW_VALUES) && window[1] > shortest) {
        window[1] /= 8;
        continue;
      }
      if (outcome === 'root') this.#take();
      else {
        this.#isAtZero = this.#isAtZero && sweep.side === 0;
        this.searched[0] = window[0] + window[1];
        // The end of the span is reached, whatever rounding makes of the sum.
        if (this.limits.end - this.searched[0] <= shortest) this.searched[0] = this.limits.end;
        if (this.#values <= SHORT_WINDOW_VALUES) window[1] *= 2;
      }
      return;
    }
  }

  #take(): void {
    const { bracket, zero } = this.#sweep;
    const [start, length] = this.#window;
    this.#resolution[0] = 0.5 * Number.EPSILON * (1 + Math.abs(start) / length);
    if (bracket[0] < bracket[1]) refineCrossing(this, bracket, this.#resolution, zero, 1);
    this.zero[0] = Math.max(start + bracket[0] * length, start);
  }
}
