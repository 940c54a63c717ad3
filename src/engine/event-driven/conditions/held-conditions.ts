/**
 * Conditions in the functions of a model during event-driven simulation: their outcomes are held on a flight,
 * so that forces and relations are smooth there, and change at events only. Which outcomes hold behind an
 * event is decided by where the motion goes, not by what rounding makes of a condition at its limit.
 *
 * Margins that depend on time alone have their zeros found in time (`time-search.ts`), and the integration
 * steps to them and not over them. Others are event functions of the integration (`watched-functions.ts`).
 */
import { EngineError } from '../../errors';
import {
  type ConditionSequence,
  type ConditionSite,
  type ModelConditions,
  siteWords,
} from '../../model/conditions';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { EventHandling } from '../impact/event-handling';
import { KnownMultipliers } from '../rows/row-events';
import type { RowLaws } from '../rows/row-laws';
import { type ConditionedElement, conditionedElements } from './conditioned-elements';
import { HeldOutcomes, MarginsAhead, type WatchedMargin, firstZero } from './margins-ahead';
import { MARGIN_ROUNDING } from './time-search';

/* Messages where conditions in scripts end a simulation from event to event. */

/** A condition whose outcome drives the motion back to where the other one holds, and so do both. */
const chatteringCondition = (site: ConditionSite, element: string, time: number): EngineError =>
  new EngineError({
    code: 'condition-chatters',
    message: `At t = ${time} s the condition “${site.text}” in ${siteWords(site)}, switches to and fro without end: whichever way it is decided, the motion of “${element}” goes back to its limit.`,
    where: element,
    time,
    ...(site.field === undefined ? { script: site.place } : {}),
    remedy:
      'Model the switch as an interaction with a relay law, or friction as a law, which can slide along the limit; or simulate by time-stepping.',
  });

/** Relative step of central differences: the cube root of rounding. */
const DIFFERENCE = 2 ** -17;
/** Distances, in units of rounding of the time, at which it is seen which way a margin goes. */
const AHEAD = [2 ** 6, 2 ** 12, 2 ** 18, 2 ** 24, 2 ** 30];
/**
 * First along the rate; a motion that is at rest at the limit has none there, and its acceleration, or a
 * higher derivative, decides which way it goes.
 */
const WAYS = [false, true].flatMap((isBent) => AHEAD.map((steps) => [steps, isBent] as const));
/** A margin has gone one way when it has changed by this many times what counts as zero in it. */
const CLEAR = 8;
/**
 * Part of its terms by which a margin is below zero where an event was missed: more than rounding and the
 * integration leave at one.
 */
const MISSED = 1e-6;
/** Outcomes that may be changed to settle one event, for each condition. */
const MOST_CHANGES = 4;

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
  /** how often outcomes may have become others */
  changes = 0;
  /** whether an outcome was found to be otherwise than it is held, since the start of the motion */
  hasMissed = false;
  readonly #ahead: readonly MarginsAhead[];
  readonly #before: HeldOutcomes[];
  #lastSite: ConditionSite | null = null;
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
    const ahead = {
      end: parts.end,
      fastest: parts.fastest,
      measure: this.measure.bind(this),
      siteOf: this.#siteOf.bind(this),
    };
    this.#before = parts.elements.flatMap(({ sequences }) => sequences.map((one) => new HeldOutcomes(one)));
    this.#ahead = parts.elements.map((element) => new MarginsAhead(element, ahead, flow.size));
    this.#isIncomplete = conditions.trace.unfollowed.length > 0 || unreached.length > 0;
  }

  /** The condition that has ended a flight last, for messages. */
  get lastOne(): string {
    const site = this.#lastSite;
    return site === null ? '' : `${site.text} (${siteWords(site)})`;
  }

  /**
   * Whether every condition is followed, and none was found to be otherwise than it is held; the resolution
   * at which the motion is sampled, s.
   */
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
      (site) => `“${site.text}” in ${siteWords(site)}, cannot be followed. ${rest}`,
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

  /** Whether none of the margins ahead depends on the state. */
  get isOfTime(): boolean {
    return (
      this.watched.length === 0 && this.parts.elements.every(({ readsMultipliers }) => !readsMultipliers)
    );
  }

  /** Lets values decide, as before a start. */
  release(): void {
    this.parts.conditions.trace.forget();
    this.letGo();
  }

  /** Lets values decide in the midst of a motion, of which it stays known how large terms have been. */
  letGo(): void {
    this.changes++;
    this.#areModesKnown = false;
    this.#flagged.clear();
    for (const ahead of this.#ahead) ahead.forget();
    for (const { sequences } of this.parts.elements) for (const sequence of sequences) sequence.release();
  }

  /** ids of the elements whose functions come to conditions */
  get conditioned(): ReadonlySet<string> {
    return new Set(this.parts.elements.flatMap(({ sequences }) => sequences.map(({ element }) => element)));
  }

  /**
   * Takes note of what values decide at a time and state.
   * @param asNoted whether to compare with what has been noted in place of that
   * @returns whether it is the same
   */
  decideByValues(clock: Float64Array, x: Float64Array, asNoted: boolean): boolean {
    const { elements } = this.parts;
    for (const element of elements) this.#record(element, clock, x);
    const isSame = !asNoted || this.#before.every((outcomes) => outcomes.areHeld);
    if (!asNoted) for (const outcomes of this.#before) outcomes.read();
    for (const { sequences } of elements) for (const sequence of sequences) sequence.release();
    return isSame;
  }

  /**
   * Calls the functions of an element; where it fails, margins are not numbers.
   * @returns whether it did not
   */
  #call(element: ConditionedElement, clock: Float64Array, x: Float64Array): void {
    let lambda = this.#none;
    if (element.readsMultipliers && this.#areModesKnown) {
      this.#multipliers.read(clock, x);
      ({ lambda } = this.#multipliers);
    }
    element.call(clock, x, lambda);
  }

  /** Margins of an element at a time and state. */
  measure(element: ConditionedElement, clock: Float64Array, x: Float64Array): void {
    const { sequences } = element;
    if (element.readsMultipliers && this.#areModesKnown) this.#multipliers.read(clock, x);
    for (let s = 0; s < sequences.length; s++) sequences[s].isMeasuring = true;
    try {
      this.#call(element, clock, x);
    } catch {
      for (let s = 0; s < sequences.length; s++) sequences[s].margins.fill(Number.NaN);
    }
  }

  #record(element: ConditionedElement, clock: Float64Array, x: Float64Array): void {
    // First, because multipliers follow from calls of the same functions, perhaps at other times.
    if (element.readsMultipliers && this.#areModesKnown) this.#multipliers.read(clock, x);
    for (const sequence of element.sequences) sequence.isRecording = true;
    this.#call(element, clock, x);
    for (const sequence of element.sequences) sequence.kept = 0;
  }

  /** A margin that is watched has come to zero at present. */
  flag(margin: WatchedMargin, clock: Float64Array, x: Float64Array): void {
    const { element, sequence, entry, site } = margin;
    if (this.watched.includes(margin)) this.ended.push(margin);
    else this.isTimed = true;
    this.#lastSite = site;
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
    for (const outcomes of this.#before) outcomes.read();
    this.#multipliers.forget();
    for (const element of elements) this.#record(element, clock, x);
    if (!areModesKnown) {
      this.changes++;
      return true;
    }
    const changes = new Map<string, number>();
    while (this.#changeFirst(clock, x, changes)) this.#multipliers.forget();
    this.#multipliers.forget();
    const isOther = !this.#before.every((outcomes) => outcomes.areHeld);
    if (isOther) this.changes++;
    return isOther;
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
    // Margins are those of the present again, for their next reader.
    for (const element of this.parts.elements) this.measure(element, clock, x);
    if (wrong === undefined) return false;
    this.#change(wrong, clock, x, changes);
    return true;
  }

  /**
   * The state after `elapsed`, into `#later`: along the rate, or by a step of the classical method of order
   * 4.
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

  /**
   * Finds out what the margins depend on, and when those of time alone come to zero. To be called when the
   * outcomes are settled.
   */
  begin(clock: Float64Array, x: Float64Array): void {
    this.#flagged.clear();
    this.ended.length = 0;
    this.isTimed = false;
    this.watched.length = 0;
    this.#multipliers.forget();
    for (const ahead of this.#ahead) {
      ahead.begin(clock, x);
      for (const margin of ahead.watched) this.watched.push(margin);
    }
    this.nextTime = firstZero(this.#ahead);
  }

  /**
   * Searches margins of time up to a time, or somewhat beyond.
   * @returns time up to which the integration may go: that of the next event, or the end of what has been
   *   searched
   */
  lookAhead(time: number): number {
    let searched = Infinity;
    for (let e = 0; e < this.#ahead.length; e++) {
      const { timed } = this.#ahead[e];
      for (let k = 0; k < timed.length; k++) {
        if (timed[k].isAffine) continue;
        const { search } = timed[k];
        if (search.searched[0] < time && search.zero[0] === Infinity)
          search.extend(Math.min(time + 8 * this.parts.h, this.nextTime));
        if (search.zero[0] < this.nextTime) this.nextTime = search.zero[0];
        if (search.zero[0] === Infinity) searched = Math.min(searched, search.searched[0]);
      }
    }
    return Math.min(this.nextTime, searched);
  }

  /** Flags the margins of time that end the flight at present. @returns whether there are some */
  takeTimes(clock: Float64Array, x: Float64Array): boolean {
    const near = 4 * Number.EPSILON * Math.abs(clock[0]);
    if (!(this.nextTime <= clock[0] + near)) return false;
    let isDue = false;
    for (const { timed } of this.#ahead)
      for (const margin of timed) {
        if (!(margin.search.zero[0] <= clock[0] + near)) continue;
        this.flag(margin, clock, x);
        isDue = true;
      }
    return isDue;
  }
}

/* The conditions of a model at the start of an event-driven simulation. */

/**
 * @param x state at the start
 * @returns null for a model whose functions come to no condition that could change
 */
export function createConditions(
  model: NonSmoothDynamicalSystem,
  laws: RowLaws,
  flow: SmoothFlow,
  x: Float64Array,
  settings: { readonly t0: number; readonly tEnd: number; readonly h: number; readonly fastest: number },
): HeldConditions | null {
  const { conditions } = model;
  if (conditions === undefined) return null;
  const { t0, tEnd, h, fastest } = settings;
  for (const sequence of conditions.sequences) {
    sequence.release();
    sequence.isBroken = false;
  }
  const unreached: ConditionSequence[] = [];
  const clock = Float64Array.of(t0);
  const { places } = flow;
  const elements = conditionedElements(model, conditions, places, laws.offsets, clock, x, unreached);
  const isPlain = elements.length === 0 && unreached.length === 0 && conditions.trace.unfollowed.length === 0;
  if (isPlain) return null;
  return new HeldConditions({
    model,
    conditions,
    elements,
    unreached,
    flow,
    rowCount: laws.count,
    end: tEnd,
    h,
    fastest,
  });
}

/*
 * An event where functions have conditions: outcomes decide forces and so modes, and impacts may change
 * outcomes.
 */

/** Decisions in turn before they count as without end. */
const MOST_ROUNDS = 16;

const undecided = (time: number): EngineError =>
  new EngineError({
    code: 'condition-undecided',
    message: `At t = ${time} s conditions in script functions and the modes of interactions change each other without end.`,
    time,
    remedy: 'Model the switch as an interaction with a law of its own, or simulate by time-stepping.',
  });

/**
 * Processes the event at the state x, with outcomes that hold behind it; see `EventHandling.process`.
 * @param isAgain whether the event is decided once more, behind what it has done
 * @throws {EngineError}
 */
export function decideHeld(
  handling: EventHandling,
  conditions: HeldConditions,
  clock: Float64Array,
  x: Float64Array,
  isAgain = false,
): void {
  const { event } = handling;
  // The model's functions are others than when outputs were read.
  if (conditions.settle(clock, x, !event.isStart)) event.outputs.read(clock, x);
  if (isAgain) handling.decideAgain(clock, x);
  else handling.process(clock, x);
  // Outcomes are settled already where nothing that they depend on has changed.
  if (!event.isStart && !handling.hasChanged) return;
  for (let round = 0; conditions.settle(clock, x, true); round++) {
    if (round === MOST_ROUNDS) throw undecided(clock[0]);
    handling.decideAgain(clock, x);
  }
}
