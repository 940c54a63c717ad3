/**
 * The first root of the event functions on the rest of a step.
 *
 * Linear functions are polynomials on the step, and what is said of them is exact to rounding of that
 * polynomial: no zero and no pair of zeros is missed. Others are interpolated on pieces that are halved until
 * the interpolant either is clear of zero by more than its error, or represents the function to rounding;
 * that is as reliable as the estimate of that error (`piece-walk.ts`). Zeros themselves are refined on the
 * functions, not on interpolants.
 */
import { refineCrossing } from './bracketing';
import type { TimedSign } from '../model/timed-sign';
import { type DenseOutput, END, LENGTH, START, type StepData } from './step-method';
import { type EventFunctions, EventValues, UNWATCHED } from './event-functions';
import { GeneralWalk } from './general-walk';
import { PieceWalk } from './piece-walk';
import { RootMemory, type SearchOutcome } from './root-memory';
import { SignSweep } from './sign-sweep';

export class EventSearch {
  /** [0] θ of the first root, or of the first value that is not finite */
  readonly found = new Float64Array(1);
  readonly memory: RootMemory;
  readonly #values: EventValues;
  readonly #walk = new PieceWalk();
  readonly #sweep = new SignSweep();
  readonly #general: GeneralWalk;
  /** functions of the time alone, null for others */
  readonly #timed: readonly (TimedSign | null)[];
  /** of one of them: [0] when its sign changes, [1] whether by a jump */
  readonly #change = new Float64Array(2);
  /** of the rest of the step, as `StepData.span` */
  readonly #rest = new Float64Array(4);
  /** largest magnitude that counts as zero on the step */
  readonly #zeros: Float64Array;
  /** [0] value of a function at the root; [1] 0: its form or interpolant is that of the whole step */
  readonly #residual = new Float64Array(2);
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
    this.memory = new RootMemory(count);
    this.#zeros = new Float64Array(count);
    this.#timed = this.#values.forms.map((form, j) => (form ? null : (events.timed?.(j) ?? null)));
  }

  /**
   * The first root in (θ, 1]. It becomes one only when the present comes there, by `deliver`: until then the
   * integration may be restarted from before it.
   * @param from [0] θ of the present
   * @param isLast whether the integration ends with this step, so that nothing will show what comes after a
   *   zero at its end
   */
  search(from: Float64Array, isLast: boolean): SearchOutcome {
    const { events, memory } = this;
    const { span } = this.data;
    this.#resolution[0] = 0.5 * Number.EPSILON * (1 + Math.abs(span[START]) / span[LENGTH]);
    memory.search();
    for (let j = 0; j < events.count; j++) {
      if (events.watch[j] === UNWATCHED) memory.ignore(j);
      else memory.take(j, this.#searchOne(j, from, isLast), this.#sweep.kind);
    }
    return memory.conclude(this.found);
  }

  /**
   * The present is at the root: all functions that vanish there go into the report, and a search from there
   * goes on after them.
   */
  deliver(): void {
    const { memory } = this;
    const { first, places, kinds } = memory;
    const values = this.#values;
    const residual = this.#residual;
    const place = places[first];
    memory.openReport();
    this.data.counters.roots++;
    for (let j = 0; j < this.events.count; j++) {
      if (this.events.watch[j] === UNWATCHED) {
        memory.setSide(j, 0);
        continue;
      }
      const isTimed = this.#timed[j] !== null;
      values.place[0] = place;
      if (!isTimed) values.evaluateAt(j);
      residual[0] = isTimed ? (this.events.expected?.[j] ?? 0) : values.result[0];
      const isZero = !isTimed && Math.abs(residual[0]) <= this.#zeros[j];
      const isHere =
        j === first ||
        places[j] - place <= this.#resolution[0] ||
        (isZero && kinds[j] !== 0 && this.#staysZero(j, place));
      if (kinds[j] !== 0 && isHere) memory.addToReport(j, residual);
      else memory.setSide(j, isZero ? 0 : Math.sign(residual[0]));
    }
  }

  #searchTimed(j: number, timed: TimedSign, from: Float64Array): SearchOutcome {
    const { memory, events, data } = this;
    const { span } = data;
    const change = this.#change;
    const side = events.expected?.[j] ?? 0;
    this.#rest[START] = span[START] + from[0] * span[LENGTH];
    this.#rest[END] = span[END];
    timed.change(side, this.#rest, change);
    memory.ends[j] = side;
    if (change[0] === Infinity) return 'none';
    this.#sweep.kind = -side;
    memory.jumps[j] = change[1];
    memory.places[j] = Math.min(1, Math.max(from[0], (change[0] - span[START]) / span[LENGTH]));
    return 'root';
  }

  /** Whether a function that is zero here is so up to its root: one that leaves zero here has that later. */
  #staysZero(j: number, place: number): boolean {
    const values = this.#values;
    values.place[0] = (place + this.memory.places[j]) / 2;
    values.evaluateAt(j);
    return Math.abs(values.result[0]) <= this.#zeros[j];
  }

  #searchOne(j: number, from: Float64Array, isLast: boolean): SearchOutcome {
    const timed = this.#timed[j];
    if (timed !== null) return this.#searchTimed(j, timed, from);
    const values = this.#values;
    const sweep = this.#sweep;
    values.select(j);
    let outcome = values.forms[j] ? this.#searchLinear(j, from) : this.#searchGeneral(j, from);
    if (outcome === 'none' && isLast && sweep.passesEnd(this.#slope)) outcome = 'root';
    if (outcome === 'none') this.memory.ends[j] = sweep.side;
    if (outcome !== 'root') return outcome;
    const isOpen = sweep.bracket[0] < sweep.bracket[1];
    this.memory.jumps[j] =
      isOpen && refineCrossing(values, sweep.bracket, this.#resolution, sweep.zero, 1) ? 1 : 0;
    this.memory.places[j] = sweep.bracket[0];
    return outcome;
  }

  /** What counts as zero: rounding, or the band of the function. */
  #setZero(j: number, noise: Float64Array): void {
    const { band } = this.events;
    this.#band[0] = band ? band[j] : 0;
    this.#sweep.zero[0] = Math.max(noise[0], this.#band[0]);
    this.#zeros[j] = this.#sweep.zero[0];
  }

  /** First point of a function's sweep. @returns whether it is a root already */
  #start(j: number): boolean {
    return this.memory.startSweep(j, this.#sweep, this.events);
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
      this.memory.places[j] = general.marks[0];
      return 'notFinite';
    }
    general.startNoise(this.#slope);
    const values = this.#values;
    values.place[0] = from[0];
    values.estimateNoise();
    values.noise[0] = Math.max(values.noise[0], this.#slope[0]);
    this.#setZero(j, values.noise);
    if (this.#start(j)) return 'root';
    // From here on rounding of the argument is one more band; that of the interpolant is known piece by
    // piece.
    this.#band[0] = Math.max(this.#band[0], values.noise[0]);
    const outcome = general.run(this.#band);
    this.memory.places[j] = general.marks[0];
    this.#slope[0] = general.marks[1];
    return outcome;
  }
}
