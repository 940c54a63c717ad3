/**
 * The first root of the event functions on the rest of a step.
 *
 * Linear functions are polynomials on the step, and what is said of them is exact to rounding of that polynomial: no zero
 * and no pair of zeros is missed. Others are interpolated on pieces that are halved until the interpolant either is clear
 * of zero by more than its error, or represents the function to rounding; that is as reliable as the estimate of that
 * error (`chebyshev-piece.ts`). Zeros themselves are refined on the functions, not on interpolants.
 */
import { refineRoot } from './bracketing';
import type { DenseOutput } from './dense-output';
import { type EventFunctions, FALLING, RISING, RootReport, UNWATCHED } from './event-functions';
import { EventValues } from './event-values';
import { GeneralWalk } from './general-walk';
import { PieceWalk } from './piece-walk';
import { SignSweep } from './sign-sweep';
import { LENGTH, START, type StepData } from './step-data';

/** Values at a start may exceed those at the root just reported by this factor and still be that root. */
const SAME_ROOT = 4;
/** A function that reaches zero at the end of an integration passes it if it leaves rounding within this part of the piece. */
const END_PART = 1e-6;

export type SearchOutcome = 'none' | 'root' | 'notFinite';

export class EventSearch {
  /** [0] θ of the first root, or of the first value that is not finite */
  readonly found = new Float64Array(1);
  readonly report: RootReport;
  /** function that is not finite */
  bad = -1;
  /** function that has the first root */
  #first = -1;
  readonly #values: EventValues;
  readonly #walk = new PieceWalk();
  readonly #sweep = new SignSweep();
  readonly #general: GeneralWalk;
  /** sign of each function at the last present, just before it where it was zero; 0 when unknown */
  readonly #sides: Int8Array;
  /** the same at the end of the step, for functions without a root on it */
  readonly #ends: Int8Array;
  /** whether a stretch has been searched that the present has not left */
  #isSearched = false;
  /** 1: reported as zero at the present; 2: said to be zero by the caller */
  readonly #held: Uint8Array;
  /** whether the state has jumped since the side was known */
  readonly #isFresh: Uint8Array;
  readonly #heldValues: Float64Array;
  readonly #zeros: Float64Array;
  /** candidates: place and kind, 0 for none */
  readonly #places: Float64Array;
  readonly #kinds: Int8Array;
  readonly #resolution = new Float64Array(1);
  readonly #band = new Float64Array(1);
  /** [0] dg/dθ at the end of the step */
  readonly #slope = new Float64Array(1);

  constructor(
    private readonly events: EventFunctions,
    private readonly data: StepData,
    dense: DenseOutput,
  ) {
    const { count } = events;
    this.#values = new EventValues(events, data, dense);
    this.#general = new GeneralWalk(this.#values, this.#walk, this.#sweep, data.counters);
    this.report = new RootReport(count);
    this.#sides = new Int8Array(count);
    this.#ends = new Int8Array(count);
    this.#held = new Uint8Array(count);
    this.#isFresh = new Uint8Array(count);
    this.#heldValues = new Float64Array(count);
    this.#zeros = new Float64Array(count);
    this.#places = new Float64Array(count);
    this.#kinds = new Int8Array(count);
  }

  /** Nothing is known of the functions. */
  begin(): void {
    this.#isSearched = false;
    this.#sides.fill(0);
    this.#held.fill(0);
    this.#isFresh.fill(1);
  }

  /** The state may have jumped. @param isZero nonzero for functions to be taken for zero now, whatever their value */
  restart(isZero?: Uint8Array): void {
    if (this.#isSearched) this.#withdraw();
    this.#isFresh.fill(1);
    if (isZero) for (let j = 0; j < isZero.length; j++) if (isZero[j] !== 0) this.#held[j] = 2;
  }

  /** The present has come to the end of the step without a root. */
  pass(): void {
    if (this.#isSearched) this.#sides.set(this.#ends);
    this.#isSearched = false;
  }

  /** The present has left the step on the way to a root. Of functions that are zero already the side is that before their root. */
  #withdraw(): void {
    this.#isSearched = false;
    this.#held.fill(0);
    for (let j = 0; j < this.events.count; j++) {
      const kind = this.#kinds[j];
      this.#sides[j] = kind === RISING || kind === FALLING ? -kind : Math.sign(kind);
    }
  }

  /**
   * The first root in (θ, 1]. It becomes one only when the present comes there, by `deliver`: until then the integration may be
   * restarted from before it.
   * @param from [0] θ of the present
   * @param isLast whether the integration ends with this step, so that nobody will see what comes after a zero at its end
   */
  search(from: Float64Array, isLast: boolean): SearchOutcome {
    const { events, data } = this;
    const { span } = data;
    const kinds = this.#kinds;
    const places = this.#places;
    this.#resolution[0] = 0.5 * Number.EPSILON * (1 + Math.abs(span[START]) / span[LENGTH]);
    this.#isSearched = true;
    let first = -1;
    let bad = -1;
    for (let j = 0; j < events.count; j++) {
      kinds[j] = 0;
      if (events.watch[j] === UNWATCHED) {
        this.#isFresh[j] = 1;
        this.#held[j] = 0;
        this.#ends[j] = 0;
        continue;
      }
      const outcome = this.#searchOne(j, from, isLast);
      if (outcome === 'root') {
        kinds[j] = this.#sweep.kind;
        if (first < 0 || places[j] < places[first]) first = j;
      } else if (outcome === 'notFinite' && (bad < 0 || places[j] < places[bad])) {
        bad = j;
      }
    }
    if (first >= 0 && (bad < 0 || places[first] <= places[bad])) {
      this.found[0] = places[first];
      this.#first = first;
      return 'root';
    }
    if (bad < 0) return 'none';
    this.found[0] = places[bad];
    this.bad = bad;
    return 'notFinite';
  }

  /**
   * The present is at the root: all functions that vanish there go into the report, and a search from there goes on
   * after them.
   */
  deliver(): void {
    const { report } = this;
    const first = this.#first;
    this.#isSearched = false;
    const values = this.#values;
    const place = this.#places[first];
    report.count = 0;
    this.data.counters.roots++;
    for (let j = 0; j < this.events.count; j++) {
      if (this.events.watch[j] === UNWATCHED) {
        this.#sides[j] = 0;
        continue;
      }
      values.place[0] = place;
      values.evaluateAt(j);
      const value = values.result[0];
      const isZero = Math.abs(value) <= this.#zeros[j];
      const isHere = j === first || isZero || this.#places[j] - place <= this.#resolution[0];
      const isRoot = this.#kinds[j] !== 0 && isHere;
      if (isRoot) {
        report.add(j, this.#kinds[j]);
        this.#held[j] = 1;
        this.#heldValues[j] = Math.abs(value);
      }
      // The sign of a kind is that of the function behind the root.
      if (isRoot) this.#sides[j] = Math.sign(this.#kinds[j]);
      else this.#sides[j] = isZero ? 0 : Math.sign(value);
    }
  }

  #searchOne(j: number, from: Float64Array, isLast: boolean): SearchOutcome {
    const values = this.#values;
    const sweep = this.#sweep;
    values.select(j);
    let outcome = values.forms[j] ? this.#searchLinear(j, from) : this.#searchGeneral(j, from);
    if (outcome === 'none' && isLast && this.#passesEnd()) outcome = 'root';
    if (outcome === 'none') this.#ends[j] = sweep.side;
    if (outcome !== 'root') return outcome;
    if (sweep.bracket[0] < sweep.bracket[1]) refineRoot(values, sweep.bracket, this.#resolution);
    this.#places[j] = sweep.bracket[0];
    return outcome;
  }

  /** What counts as zero: rounding, or the band of the function. */
  #setZero(j: number, noise: Float64Array): void {
    const { band } = this.events;
    this.#band[0] = band ? band[j] : 0;
    this.#sweep.zero[0] = Math.max(noise[0], this.#band[0]);
    this.#zeros[j] = this.#sweep.zero[0];
  }

  /** First point of a stretch. @returns whether it is a root already, as after a jump of the function */
  #start(j: number): boolean {
    const sweep = this.#sweep;
    const size = Math.abs(sweep.point[1]);
    const zero = sweep.zero[0];
    const held = this.#held[j];
    const isZero = held === 2 || (held === 1 && size <= SAME_ROOT * Math.max(zero, this.#heldValues[j]));
    // After a jump of the state a side from before counts only where the function is at zero and nobody knows of it.
    const side = this.#isFresh[j] === 1 && (isZero || size > zero) ? 0 : this.#sides[j];
    this.#held[j] = 0;
    this.#isFresh[j] = 0;
    const touches = this.events.touches ? this.events.touches[j] !== 0 : true;
    return sweep.begin(side, isZero, this.events.watch[j], touches);
  }

  #searchLinear(j: number, from: Float64Array): SearchOutcome {
    const values = this.#values;
    const walk = this.#walk;
    const sweep = this.#sweep;
    const b = walk.coefficients;
    const { degree } = values;
    values.toBernstein(b);
    if (from[0] > 0) walk.cut(degree, from);
    this.#slope[0] = (degree * (b[degree] - b[degree - 1])) / (1 - from[0]);
    walk.ends[0] = from[0];
    walk.ends[1] = 1;
    walk.noise[0] = values.noise[0];
    this.#setZero(j, values.noise);
    sweep.point[0] = from[0];
    sweep.point[1] = b[0];
    return this.#start(j) || walk.walk(degree, sweep) ? 'root' : 'none';
  }

  #searchGeneral(j: number, from: Float64Array): SearchOutcome {
    const general = this.#general;
    if (!general.prepare(from)) {
      this.#places[j] = general.marks[0];
      return 'notFinite';
    }
    general.startNoise(this.#slope);
    const values = this.#values;
    values.place[0] = from[0];
    values.estimateNoise();
    values.noise[0] = Math.max(values.noise[0], this.#slope[0]);
    this.#setZero(j, values.noise);
    if (this.#start(j)) return 'root';
    // From here on rounding of the argument is one more band; that of the interpolant is known piece by piece.
    this.#band[0] = Math.max(this.#band[0], values.noise[0]);
    const outcome = general.run(this.#band);
    this.#places[j] = general.marks[0];
    this.#slope[0] = general.marks[1];
    return outcome;
  }

  /** Whether a zero at the very end of the integration is passed through there, as its slope says. */
  #passesEnd(): boolean {
    const sweep = this.#sweep;
    const slope = this.#slope[0];
    if (!sweep.endsInZero || !(slope * sweep.side < 0)) return false;
    return END_PART * Math.abs(slope) > sweep.zero[0] && sweep.passEnd();
  }
}
