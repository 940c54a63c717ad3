/**
 * What a search for roots has to know of each function from before its stretch, a step or an arc: on which
 * side of zero it was, whether the state has jumped since, and whether its present zero is a root that has
 * been reported (docs/theory/smooth.md, "At the start"). And what the search has found on the stretch, until
 * the present is there.
 */
import { type EventFunctions, RootReport, TOUCH_FROM_ABOVE, TOUCH_FROM_BELOW } from './event-functions';
import type { SignSweep } from './sign-sweep';

/** Values at a start may exceed those at the root just reported by this factor and still be that root. */
const SAME_ROOT = 4;

/** What a stretch holds, or one function on it. */
export type SearchOutcome = 'none' | 'root' | 'notFinite';

export class RootMemory {
  readonly report: RootReport;
  /** function that has the first root; −1 for none */
  first = -1;
  /** function that has the first value that is not finite; −1 for none */
  bad = -1;
  /** place of the first root of each function on the stretch, or of its first value that is not finite */
  readonly places: Float64Array;
  /** kind of that root, 0 for none */
  readonly kinds: Int8Array;
  /** 1 where that root is a jump across zero */
  readonly jumps: Uint8Array;
  /** sign of each function at the end of the stretch, for functions without a root on it */
  readonly ends: Int8Array;
  /** sign at the last present, just before it where the function was zero; 0 when unknown */
  readonly #sides: Int8Array;
  /** 1: reported as zero at the present; 2: said to be zero by the caller */
  readonly #held: Uint8Array;
  /** whether the state has jumped since the side was known */
  readonly #isFresh: Uint8Array;
  readonly #heldValues: Float64Array;
  /** whether a stretch has been searched that the present has not left */
  #isSearched = false;

  constructor(readonly count: number) {
    this.report = new RootReport(count);
    this.places = new Float64Array(count);
    this.kinds = new Int8Array(count);
    this.jumps = new Uint8Array(count);
    this.ends = new Int8Array(count);
    this.#sides = new Int8Array(count);
    this.#held = new Uint8Array(count);
    this.#isFresh = new Uint8Array(count);
    this.#heldValues = new Float64Array(count);
  }

  /** Takes over what another one knows of the first functions; of those behind them nothing is known. */
  adopt(other: RootMemory): void {
    this.#isSearched = other.#isSearched;
    this.#isFresh.fill(1);
    this.kinds.set(other.kinds);
    this.#sides.set(other.#sides);
    this.#held.set(other.#held);
    this.#isFresh.set(other.#isFresh);
    this.#heldValues.set(other.#heldValues);
  }

  /** Nothing is known of the functions. */
  begin(): void {
    this.#isSearched = false;
    this.#sides.fill(0);
    this.#held.fill(0);
    this.#isFresh.fill(1);
  }

  /**
   * The state may have jumped.
   * @param isZero nonzero for functions to be taken for zero now, whatever their value
   * @param changing functions from this one on are others than before
   */
  restart(isZero?: Uint8Array, changing = this.count): void {
    if (this.#isSearched) this.#withdraw();
    for (let j = 0; j < this.count; j++) this.#isFresh[j] = 1;
    for (let j = changing; j < this.count; j++) {
      this.#sides[j] = 0;
      this.#held[j] = 0;
    }
    if (!isZero) return;
    for (let j = 0; j < this.count; j++) if (isZero[j] !== 0) this.#held[j] = 2;
  }

  /**
   * The present has left the stretch on the way to a root; of functions that are zero already the side is
   * that before it.
   */
  #withdraw(): void {
    this.#isSearched = false;
    for (let j = 0; j < this.count; j++) {
      this.#held[j] = 0;
      const kind = this.kinds[j];
      const isTouch = kind === TOUCH_FROM_ABOVE || kind === TOUCH_FROM_BELOW;
      this.#sides[j] = isTouch ? Math.sign(kind) : -kind;
    }
  }

  /** A search begins. */
  search(): void {
    this.#isSearched = true;
    this.first = -1;
    this.bad = -1;
    for (let j = 0; j < this.count; j++) this.kinds[j] = 0;
  }

  /**
   * Function j has been searched; where there is something, its place stands in `places`.
   * @param kind of a root
   */
  take(j: number, outcome: SearchOutcome, kind: number): void {
    const { places, first, bad } = this;
    if (outcome === 'root') {
      this.kinds[j] = kind;
      if (first < 0 || places[j] < places[first]) this.first = j;
    } else if (outcome === 'notFinite' && (bad < 0 || places[j] < places[bad])) {
      this.bad = j;
    }
  }

  /**
   * Whether function j starts as the mirror image of another one, so that a search of it would find the same.
   * @param sign 1 where both have the same values, −1 where these are opposite
   */
  mirrors(j: number, other: number, sign: number, events: EventFunctions): boolean {
    const { watch, expected, touches, band, slack, departure } = events;
    const same = (values: ArrayLike<number> | undefined): boolean => values?.[j] === values?.[other];
    return (
      this.#held[j] === this.#held[other] &&
      this.#heldValues[j] === this.#heldValues[other] &&
      this.#isFresh[j] === this.#isFresh[other] &&
      this.#sides[j] === sign * this.#sides[other] &&
      watch[j] === sign * watch[other] &&
      (expected?.[j] ?? 0) === sign * (expected?.[other] ?? 0) &&
      [touches, band, slack, departure].every(same)
    );
  }

  /** Takes for function j what has been found of its mirror image. */
  takeMirrored(j: number, other: number, sign: number): void {
    const outcome = this.kinds[other] !== 0 ? 'root' : this.bad === other ? 'notFinite' : 'none';
    this.leave(j, sign * this.ends[other]);
    this.places[j] = this.places[other];
    this.jumps[j] = this.jumps[other];
    this.take(j, outcome, sign * this.kinds[other]);
  }

  /** Function j is not searched: what it is found to be comes behind something else, or not at all. */
  leave(j: number, side: number): void {
    this.#isFresh[j] = 0;
    this.#held[j] = 0;
    this.ends[j] = side;
  }

  /** All functions have been searched: what comes first on the stretch, its place into `found`. */
  conclude(found: Float64Array): SearchOutcome {
    const { places, first, bad } = this;
    if (first >= 0 && (bad < 0 || places[first] <= places[bad])) {
      found[0] = places[first];
      return 'root';
    }
    if (bad < 0) return 'none';
    found[0] = places[bad];
    return 'notFinite';
  }

  /** The present has come to the end of the stretch without a root. */
  pass(): void {
    if (this.#isSearched) for (let j = 0; j < this.count; j++) this.#sides[j] = this.ends[j];
    this.#isSearched = false;
  }

  /** Function j is not watched on this stretch. */
  ignore(j: number): void {
    this.#isFresh[j] = 1;
    this.#held[j] = 0;
    this.ends[j] = 0;
  }

  /**
   * The sweep's point is the start of function j.
   * @returns whether it is a root already, as after a jump of the function
   */
  startSweep(j: number, sweep: SignSweep, events: EventFunctions): boolean {
    const size = Math.abs(sweep.point[1]);
    const zero = sweep.zero[0];
    const held = this.#held[j];
    let isZero = held === 2;
    const { hold } = sweep;
    hold.fill(0);
    const expected = events.expected ? events.expected[j] : 0;
    let side = this.#sides[j];
    // A touch is passed without a restart, and must not be found again either.
    if (expected === 0 || this.#isFresh[j] === 0)
      isZero ||= held === 1 && size <= SAME_ROOT * Math.max(zero, this.#heldValues[j]);
    if (expected === 0) {
      // After a jump of the state a side from before counts only where the function is at zero and that is
      // not known.
      if (this.#isFresh[j] === 1 && (isZero || size > zero)) side = 0;
    } else if (this.#isFresh[j] === 1) {
      side = expected;
      hold[0] = Math.max(zero, events.slack ? events.slack[j] : 0);
      hold[1] = events.departure ? events.departure[j] : 0;
      isZero ||= sweep.point[1] * side > 0 ? size <= Math.max(zero, hold[1]) : size <= hold[0];
    }
    this.#held[j] = 0;
    this.#isFresh[j] = 0;
    return sweep.begin(side, isZero, events.watch[j], events.touches ? events.touches[j] !== 0 : true);
  }

  /** The present is at the first root: the report begins afresh. */
  openReport(): void {
    this.#isSearched = false;
    this.report.count = 0;
  }

  /**
   * Function j vanishes in this root.
   * @param value [0] what rounding has left of it, [1] what it may have left besides: the next stretch starts
   *   from a rounded state, and may know nothing of the terms that cancelled on this one
   */
  addToReport(j: number, value: Float64Array): void {
    this.report.add(j, this.kinds[j], this.jumps[j]);
    this.#held[j] = 1;
    this.#heldValues[j] = Math.max(Math.abs(value[0]), value[1]);
    // The sign of a kind is that of the function behind the root.
    this.#sides[j] = Math.sign(this.kinds[j]);
  }

  /** Function j is no part of this root. @param sign of its value there, 0 where it is zero or not watched */
  setSide(j: number, sign: number): void {
    this.#sides[j] = sign;
  }
}
