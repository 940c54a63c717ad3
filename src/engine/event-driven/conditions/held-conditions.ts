/**
 * Conditions in the functions of a model during event-driven simulation: their outcomes are held on a flight, so that forces and
 * relations are smooth there, and change at events only. Which outcomes hold behind an event is decided by where the motion goes, not by
 * what rounding makes of a condition at its limit.
 *
 * Margins that depend on time alone have their zeros found in time (`time-search.ts`), and the integration steps to them and not over
 * them. Others are event functions of the integration (`watched-functions.ts`).
 */
import type { ConditionSequence, ConditionSite, ModelConditions } from '../../model/conditions';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import { KnownMultipliers } from '../known-multipliers';
import type { SmoothFlow } from '../smooth-flow';
import type { ConditionedElement } from './conditioned-elements';
import { chatteringCondition } from './failures';
import { MARGIN_ROUNDING, TimeSearch } from './time-search';

/** Parts of the time to the end at which a margin is compared with its present value. */
const COMPARED = [1e-7, 0.1234567, 0.56789, 1];
/** Relative disturbance of the state that shows whether a margin depends on it. */
const DISTURBANCE = 1e-6;
/** Relative step of central differences: the cube root of rounding. */
const DIFFERENCE = 2 ** -17;
/** Distances, in units of rounding of the time, at which it is seen which way a margin goes. */
const AHEAD = [2 ** 6, 2 ** 12, 2 ** 18, 2 ** 24, 2 ** 30];
/** First along the rate; a motion that is at rest at the limit has none there, and its acceleration, or a higher derivative, decides which way it goes. */
const WAYS = [false, true].flatMap((isBent) => AHEAD.map((steps) => [steps, isBent] as const));
/** A margin has gone one way when it has changed by so many times what counts as zero in it. */
const CLEAR = 8;
/** Part of its terms by which a margin is below zero where an event was missed: more than rounding and the integration leave at one. */
const MISSED = 1e-6;
/** Outcomes that may be changed to settle one event, for each condition. */
const MOST_CHANGES = 4;

/** One of the two margins of a condition. */
export interface WatchedMargin {
  readonly element: ConditionedElement;
  readonly sequence: ConditionSequence;
  /** entry of `margins` */
  readonly entry: number;
  readonly site: ConditionSite;
  /** size of what counts as zero in it */
  readonly zero: number;
  /** value at the start of the flight */
  readonly start: number;
}

export interface ConditionParts {
  readonly model: NonSmoothDynamicalSystem;
  readonly conditions: ModelConditions;
  readonly elements: readonly ConditionedElement[];
  /** sequences that no call reaches */
  readonly unreached: readonly ConditionSequence[];
  readonly flow: SmoothFlow;
  /** rows */
  readonly rowCount: number;
  readonly end: number;
  /** step of the discretisation, s */
  readonly h: number;
  /** declared resolution of what cannot be followed, s */
  readonly fastest: number;
}

/** A margin that counts as zero at present. */
interface Tie extends WatchedMargin {
  isDecided: boolean;
}

export class HeldConditions {
  /** margins that depend on the state, of the present flight */
  readonly watched: WatchedMargin[] = [];
  /** time of the next event in time, s; Infinity as far as none is known */
  nextTime = Infinity;
  /** margins that have ended the flight, of those that depend on the state */
  readonly ended: WatchedMargin[] = [];
  /** whether the flight was ended by a margin of time alone */
  isTimed = false;
  /** whether an outcome was found to be otherwise than it is held, since the start of the motion */
  hasMissed = false;
  /** the condition that has ended a flight last, for messages */
  lastOne = '';
  readonly #timed: { margin: WatchedMargin; search: TimeSearch; isAffine: boolean }[] = [];
  readonly #searches = new Map<string, TimeSearch>();
  readonly #multipliers: KnownMultipliers;
  readonly #rate: Float64Array;
  readonly #x: Float64Array;
  readonly #later: Float64Array;
  readonly #laterRate: Float64Array;
  readonly #clock = new Float64Array(1);
  /** what counts as zero in margins that have ended the flight, by site */
  readonly #flagged = new Map<number, number>();
  readonly #none: Float64Array;
  #isIncomplete: boolean;
  #areModesKnown = false;

  constructor(private readonly parts: ConditionParts) {
    const { flow, rowCount, conditions, unreached } = parts;
    this.#multipliers = new KnownMultipliers(flow, rowCount);
    this.#rate = new Float64Array(flow.size);
    this.#x = new Float64Array(flow.size);
    this.#later = new Float64Array(flow.size);
    this.#laterRate = new Float64Array(flow.size);
    this.#none = new Float64Array(rowCount);
    this.#isIncomplete = conditions.trace.unfollowed.length > 0 || unreached.length > 0;
  }

  /** Whether every condition is followed, and none was found to be otherwise than it is held; the resolution at which the motion is sampled, s. */
  get complete(): boolean | { readonly resolution: number } {
    if (this.hasMissed) return false;
    return this.#isIncomplete || this.#broken().length > 0 ? { resolution: this.parts.fastest } : true;
  }

  /** What cannot be followed, in words. */
  get sampled(): string[] {
    if (this.complete === true || this.hasMissed) return [];
    const { conditions, fastest } = this.parts;
    const rest = `Events there may be missed, or located only by the steps of the integration, which are ${fastest} s long at most (eventDriven.fastest).`;
    const places = conditions.trace.unfollowed.map(
      ({ text, place }) => `“${text}” in ${place.name}, line ${place.line}, cannot be followed. ${rest}`,
    );
    const uses = [...this.#broken(), ...this.parts.unreached].map(
      ({ functionName, element }) =>
        `Conditions in the function “${functionName}” of “${element}” cannot be followed, because what it does does not follow from its arguments alone. ${rest}`,
    );
    return [...new Set([...places, ...uses])];
  }

  #broken(): ConditionSequence[] {
    return this.parts.elements.flatMap(({ sequences }) => sequences.filter((one) => one.isBroken));
  }

  /** Lets values decide, as before a start. */
  release(): void {
    this.#areModesKnown = false;
    this.#flagged.clear();
    this.parts.conditions.trace.forget();
    for (const { sequences } of this.parts.elements) for (const sequence of sequences) sequence.release();
  }

  /** Calls the functions of an element; where it fails, margins are not numbers. @returns whether it did not */
  #call(element: ConditionedElement, clock: Float64Array, x: Float64Array): void {
    let lambda = this.#none;
    if (element.isInteraction && this.#areModesKnown) {
      this.#multipliers.read(clock, x);
      ({ lambda } = this.#multipliers);
    }
    element.call(clock, x, lambda);
  }

  /** Margins of an element at a time and state. */
  measure(element: ConditionedElement, clock: Float64Array, x: Float64Array): void {
    const { sequences } = element;
    if (element.isInteraction && this.#areModesKnown) this.#multipliers.read(clock, x);
    for (let s = 0; s < sequences.length; s++) sequences[s].isMeasuring = true;
    try {
      this.#call(element, clock, x);
    } catch {
      for (let s = 0; s < sequences.length; s++) sequences[s].margins.fill(Number.NaN);
    }
  }

  #record(element: ConditionedElement, clock: Float64Array, x: Float64Array): void {
    for (const sequence of element.sequences) sequence.isRecording = true;
    this.#call(element, clock, x);
    for (const sequence of element.sequences) sequence.kept = 0;
  }

  /** A margin that is watched has come to zero at present. */
  flag(margin: WatchedMargin, clock: Float64Array, x: Float64Array): void {
    const { element, sequence, entry, site } = margin;
    if (this.watched.includes(margin)) this.ended.push(margin);
    else this.isTimed = true;
    this.lastOne = `${site.text} (${site.place.name}, line ${site.place.line})`;
    this.measure(element, clock, x);
    const number = sequence.sites[entry >> 1];
    const size = 4 * Math.abs(sequence.margins[entry]);
    this.#flagged.set(number, Math.max(size, this.#flagged.get(number) ?? 0));
  }

  /** Notes whether an outcome that is held is wrong at present: its event was missed. */
  review(clock: Float64Array, x: Float64Array): void {
    for (const element of this.parts.elements) {
      this.measure(element, clock, x);
      for (const { margins, scales, count, isBroken } of element.sequences)
        for (let entry = 0; entry < 2 * count && !isBroken; entry++)
          if (margins[entry] < -MISSED * scales[entry >> 1]) this.hasMissed = true;
    }
  }

  /**
   * Decides the outcomes at present, and behind it.
   * @param areModesKnown whether rates can be evaluated
   * @returns whether one has changed
   * @throws {EngineError} where conditions switch to and fro without end
   */
  settle(clock: Float64Array, x: Float64Array, areModesKnown: boolean): boolean {
    this.#areModesKnown = areModesKnown;
    const { elements } = this.parts;
    const before = this.#outcomes();
    this.#multipliers.forget();
    for (const element of elements) this.#record(element, clock, x);
    if (!areModesKnown) return true;
    const changes = new Map<string, number>();
    while (this.#changeFirst(clock, x, changes)) this.#multipliers.forget();
    this.#multipliers.forget();
    return before !== this.#outcomes();
  }

  /** All outcomes as text. */
  #outcomes(): string {
    const parts: string[] = [];
    for (const { sequences } of this.parts.elements)
      for (const { count, sites, outcomes } of sequences)
        parts.push(`${sites.subarray(0, count).join()};${outcomes.subarray(0, count).join()}`);
    return parts.join('|');
  }

  #ties(): Tie[] {
    const ties: Tie[] = [];
    for (const element of this.parts.elements)
      for (const sequence of element.sequences)
        for (let k = 0; k < sequence.count; k++) {
          const zero = Math.max(
            MARGIN_ROUNDING * sequence.scales[k],
            this.#flagged.get(sequence.sites[k]) ?? 0,
          );
          for (let entry = 2 * k; entry < 2 * k + 2; entry++) {
            const start = sequence.margins[entry];
            if (!(Math.abs(start) <= zero)) continue;
            const site = this.#siteOf(sequence, k);
            ties.push({ element, sequence, entry, site, zero, start, isDecided: false });
          }
        }
    return ties;
  }

  #siteOf(sequence: ConditionSequence, k: number): ConditionSite {
    return this.parts.conditions.trace.sites[sequence.sites[k]];
  }

  /** Changes the first outcome that is wrong as soon as the motion goes on. @returns whether there is one */
  #changeFirst(clock: Float64Array, x: Float64Array, changes: Map<string, number>): boolean {
    const ties = this.#ties();
    if (ties.length === 0) return false;
    const { flow, h } = this.parts;
    flow.rate(clock, x, this.#rate);
    const unit = Number.EPSILON * Math.max(Math.abs(clock[0]), h);
    const falling: Tie[] = [];
    for (const [steps, isBent] of WAYS) {
      const rest = ties.filter(({ isDecided }) => !isDecided);
      if (rest.length === 0) break;
      this.#clock[0] = clock[0] + steps * unit;
      this.#goOn(clock, x, this.#clock[0] - clock[0], isBent);
      let measured: ConditionedElement | null = null;
      for (const tie of rest) {
        if (tie.element !== measured) this.measure(tie.element, this.#clock, this.#later);
        measured = tie.element;
        const change = tie.sequence.margins[tie.entry] - tie.start;
        if (!(Math.abs(change) > CLEAR * tie.zero)) continue;
        tie.isDecided = true;
        if (change < 0) falling.push(tie);
      }
    }
    const wrong = ties.find((tie) => falling.includes(tie));
    // Margins are those of the present again, for whoever reads them next.
    for (const element of this.parts.elements) this.measure(element, clock, x);
    if (wrong === undefined) return false;
    this.#change(wrong, clock, x, changes);
    return true;
  }

  /**
   * The state after `elapsed`, into `#later`: along the rate, or by a step of the classical method of order 4.
   * @param clock of the present; `#clock` is that of the end
   */
  #goOn(clock: Float64Array, x: Float64Array, elapsed: number, isBent: boolean): void {
    const later = this.#later;
    const rate = this.#laterRate;
    const sum = this.#x;
    for (let i = 0; i < x.length; i++) later[i] = x[i] + elapsed * this.#rate[i];
    if (!isBent) return;
    const { flow } = this.parts;
    const [end] = this.#clock;
    this.#clock[0] = clock[0] + 0.5 * elapsed;
    for (let i = 0; i < x.length; i++) later[i] = x[i] + 0.5 * elapsed * this.#rate[i];
    flow.rate(this.#clock, later, rate);
    for (let i = 0; i < x.length; i++) {
      sum[i] = this.#rate[i] + 2 * rate[i];
      later[i] = x[i] + 0.5 * elapsed * rate[i];
    }
    flow.rate(this.#clock, later, rate);
    for (let i = 0; i < x.length; i++) {
      sum[i] += 2 * rate[i];
      later[i] = x[i] + elapsed * rate[i];
    }
    this.#clock[0] = end;
    flow.rate(this.#clock, later, rate);
    for (let i = 0; i < x.length; i++) later[i] = x[i] + (elapsed / 6) * (sum[i] + rate[i]);
  }

  #change(
    { element, sequence, entry, site }: Tie,
    clock: Float64Array,
    x: Float64Array,
    changes: Map<string, number>,
  ): void {
    const k = entry >> 1;
    const key = `${sequence.element}/${sequence.functionName}/${k}/${sequence.sites[k]}`;
    const count = (changes.get(key) ?? 0) + 1;
    changes.set(key, count);
    if (count > MOST_CHANGES) throw chatteringCondition(site, sequence.element, clock[0]);
    sequence.outcomes[k] = sequence.next[entry];
    sequence.kept = k + 1;
    for (const other of element.sequences) if (other !== sequence) other.kept = other.count;
    this.#record(element, clock, x);
  }

  /**
   * ∇g of a margin under the present outcomes, by differences.
   * @returns ∂g/∂t
   */
  gradient(
    { element, sequence, entry }: WatchedMargin,
    clock: Float64Array,
    x: Float64Array,
    out: Float64Array,
  ): number {
    const at = this.#clock;
    const moved = this.#x;
    const value = (): number => {
      this.measure(element, at, moved);
      return sequence.margins[entry];
    };
    at[0] = clock[0];
    moved.set(x);
    for (let i = 0; i < x.length; i++) {
      const size = DIFFERENCE * (1 + Math.abs(x[i]));
      moved[i] = x[i] + size;
      const [above, upper] = [value(), moved[i]];
      moved[i] = x[i] - size;
      const [below, lower] = [value(), moved[i]];
      moved[i] = x[i];
      out[i] = (above - below) / (upper - lower);
    }
    const size = DIFFERENCE * Math.max(this.parts.h, Math.abs(clock[0]) * DIFFERENCE);
    at[0] = clock[0] + size;
    const [later, end] = [value(), at[0]];
    at[0] = clock[0] - size;
    const [earlier, begin] = [value(), at[0]];
    return (later - earlier) / (end - begin);
  }

  /** Finds out what the margins depend on, and when those of time alone come to zero. To be called when the outcomes are settled. */
  begin(clock: Float64Array, x: Float64Array): void {
    this.#flagged.clear();
    this.ended.length = 0;
    this.isTimed = false;
    this.watched.length = 0;
    this.#timed.length = 0;
    this.nextTime = Infinity;
    this.#multipliers.forget();
    for (const element of this.parts.elements) {
      this.measure(element, clock, x);
      const present = element.sequences.map(({ margins, count }) => margins.slice(0, 2 * count));
      const byState = this.#differing(element, present, (look) => {
        for (const [alternating, sign] of [
          [false, 1],
          [true, -1],
        ] as const) {
          for (let i = 0; i < x.length; i++) {
            const size = sign * DISTURBANCE * (1 + Math.abs(x[i]));
            this.#x[i] = x[i] + (alternating && i % 2 === 0 ? -0.7 : 1) * size;
          }
          look(clock, this.#x);
        }
      });
      const byTime = this.#differing(element, present, (look) => {
        const span = this.parts.end - clock[0];
        if (!(span > 0)) return;
        for (const part of COMPARED) {
          this.#clock[0] = clock[0] + part * span;
          look(this.#clock, x);
        }
      });
      element.sequences.forEach((sequence, s) => {
        for (let entry = 0; entry < 2 * sequence.count; entry++) {
          if (present[s][entry] === Infinity) continue;
          const margin = this.#marginOf(element, sequence, entry, present[s][entry]);
          if (byState[s][entry] === 1) this.watched.push(margin);
          else if (byTime[s][entry] === 1) this.#time(margin, clock, x);
        }
      });
      this.measure(element, clock, x);
    }
    this.#gatherTimes();
  }

  /** Which margins of an element differ from the present ones where it is looked at. */
  #differing(
    element: ConditionedElement,
    present: readonly Float64Array[],
    visit: (look: (clock: Float64Array, x: Float64Array) => void) => void,
  ): Uint8Array[] {
    const differing = present.map(({ length }) => new Uint8Array(length));
    visit((clock, x) => {
      this.measure(element, clock, x);
      element.sequences.forEach(({ margins }, s) => {
        for (let entry = 0; entry < present[s].length; entry++)
          if (margins[entry] !== present[s][entry]) differing[s][entry] = 1;
      });
    });
    return differing;
  }

  #marginOf(
    element: ConditionedElement,
    sequence: ConditionSequence,
    entry: number,
    start: number,
  ): WatchedMargin {
    const k = entry >> 1;
    const zero = MARGIN_ROUNDING * sequence.scales[k];
    return { element, sequence, entry, site: this.#siteOf(sequence, k), zero, start };
  }

  #time(margin: WatchedMargin, clock: Float64Array, x: Float64Array): void {
    const { element, sequence, entry, zero, start } = margin;
    const key = `${sequence.element}/${sequence.functionName}/${entry}/${sequence.sites[entry >> 1]}`;
    const search = this.#searches.get(key) ?? new TimeSearch(this.parts.end, this.parts.fastest);
    this.#searches.set(key, search);
    const state = x.slice();
    const value = (at: Float64Array): number => {
      this.measure(element, at, state);
      return sequence.margins[entry];
    };
    const isAtZero = start <= zero;
    const isAffine = search.begin(value, clock[0], zero / MARGIN_ROUNDING, isAtZero);
    this.#timed.push({ margin, search, isAffine });
  }

  #gatherTimes(): void {
    this.nextTime = Infinity;
    for (const { search } of this.#timed) this.nextTime = Math.min(this.nextTime, search.zero[0]);
  }

  /**
   * Searches margins of time up to a time, or somewhat beyond.
   * @returns time up to which the integration may go: that of the next event, or the end of what has been searched
   */
  lookAhead(time: number): number {
    let searched = Infinity;
    for (let k = 0; k < this.#timed.length; k++) {
      const { search, isAffine } = this.#timed[k];
      if (isAffine) continue;
      if (search.searched[0] < time && search.zero[0] === Infinity)
        search.extend(Math.min(time + 8 * this.parts.h, this.nextTime));
      if (search.zero[0] < this.nextTime) this.nextTime = search.zero[0];
      if (search.zero[0] === Infinity) searched = Math.min(searched, search.searched[0]);
    }
    return Math.min(this.nextTime, searched);
  }

  /** Flags the margins of time that end the flight at present. @returns whether there are some */
  takeTimes(clock: Float64Array, x: Float64Array): boolean {
    const near = 4 * Number.EPSILON * Math.abs(clock[0]);
    let isDue = false;
    for (const { margin, search } of this.#timed) {
      if (!(search.zero[0] <= clock[0] + near)) continue;
      this.flag(margin, clock, x);
      isDue = true;
    }
    return isDue;
  }
}
