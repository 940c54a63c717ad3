/**
 * What the margins of an element depend on under the outcomes that are held, and when those of time alone
 * come to zero. What is found out about the latter holds as long as the outcomes do: an impact changes no
 * margin of time.
 */
import type { ConditionSequence, ConditionSite } from '../../model/conditions';
import type { ConditionedElement } from './conditioned-elements';
import { MARGIN_ROUNDING, PROBED, type TimeLimits, TimeSearch } from './time-search';

/* The outcomes of a sequence at some time, to tell whether they are still held. */

export class HeldOutcomes {
  #count = -1;
  #sites = new Float64Array(0);
  #outcomes = new Float64Array(0);

  constructor(private readonly sequence: ConditionSequence) {}

  forget(): void {
    this.#count = -1;
  }

  read(): void {
    const { count, sites, outcomes } = this.sequence;
    this.#count = count;
    if (this.#sites.length < count) {
      this.#sites = new Float64Array(sites.length);
      this.#outcomes = new Float64Array(sites.length);
    }
    for (let k = 0; k < count; k++) {
      this.#sites[k] = sites[k];
      this.#outcomes[k] = outcomes[k];
    }
  }

  get areHeld(): boolean {
    const { count, sites, outcomes } = this.sequence;
    if (count !== this.#count) return false;
    for (let k = 0; k < count; k++)
      if (sites[k] !== this.#sites[k] || outcomes[k] !== this.#outcomes[k]) return false;
    return true;
  }
}

/** Relative disturbance of the state that shows whether a margin depends on it. */
const DISTURBANCE = 1e-6;
/**
 * Part of the time to the end at which a margin is compared with its present value, besides those where it is
 * probed.
 */
const SOON = 1e-7;

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

export interface AheadParts extends TimeLimits {
  /**
   * Brings the margins of an element to a time and state.
   * @param isDisturbed whether the state is another one, to see what depends on it
   */
  measure(element: ConditionedElement, clock: Float64Array, x: Float64Array, isDisturbed: boolean): void;
  siteOf(sequence: ConditionSequence, k: number): ConditionSite;
}

/** A margin, and its search if it depends on time alone. One object serves all studies of its place. */
class Ahead implements WatchedMargin {
  site: ConditionSite;
  zero = 0;
  start = 0;
  isAffine = false;
  #search: TimeSearch | null = null;

  constructor(
    private readonly parts: AheadParts,
    readonly element: ConditionedElement,
    readonly sequence: ConditionSequence,
    readonly entry: number,
    private readonly x: Float64Array,
  ) {
    this.site = parts.siteOf(sequence, entry >> 1);
  }

  begin(start: number): void {
    const { sequence, entry } = this;
    const site = this.parts.siteOf(sequence, entry >> 1);
    if (site !== this.site) this.#search?.forget();
    this.site = site;
    this.start = start;
    this.zero = MARGIN_ROUNDING * sequence.scales[entry >> 1];
  }

  /** Of a margin of time alone. */
  get search(): TimeSearch {
    this.#search ??= new TimeSearch((at) => {
      this.parts.measure(this.element, at, this.x, false);
      return this.sequence.margins[this.entry];
    }, this.parts);
    return this.#search;
  }

  forget(): void {
    this.#search?.forget();
  }
}

/** The margins of one sequence at the last start, and under which outcomes. */
class Known {
  readonly outcomes: HeldOutcomes;
  readonly margins: Ahead[] = [];
  starts = new Float64Array(0);
  byState = new Uint8Array(0);
  byStateNow = new Uint8Array(0);
  byTime = new Uint8Array(0);
  /** values at the times where margins are probed, by margin */
  probed = new Float64Array(0);

  constructor(
    readonly sequence: ConditionSequence,
    private readonly create: (sequence: ConditionSequence, entry: number) => Ahead,
  ) {
    this.outcomes = new HeldOutcomes(sequence);
  }

  /** Takes the present margins. */
  read(): void {
    const { count, margins } = this.sequence;
    if (this.starts.length < 2 * count) this.#grow(margins.length);
    for (let entry = 0; entry < 2 * count; entry++) this.starts[entry] = margins[entry];
    this.byStateNow.fill(0);
  }

  #grow(size: number): void {
    this.starts = new Float64Array(size);
    this.byState = new Uint8Array(size);
    this.byStateNow = new Uint8Array(size);
    this.byTime = new Uint8Array(size);
    this.probed = new Float64Array(size * PROBED.length);
    while (this.margins.length < size) this.margins.push(this.create(this.sequence, this.margins.length));
    this.outcomes.forget();
  }

  /** Notes which margins are not those of the start. */
  compare(out: Uint8Array): void {
    const { count, margins } = this.sequence;
    for (let entry = 0; entry < 2 * count; entry++) if (margins[entry] !== this.starts[entry]) out[entry] = 1;
  }

  /** Whether outcomes are those of the last study, and margins depend on the state as they did then. */
  get isAsBefore(): boolean {
    if (!this.outcomes.areHeld) return false;
    const { count } = this.sequence;
    for (let entry = 0; entry < 2 * count; entry++)
      if (this.byStateNow[entry] !== this.byState[entry]) return false;
    return true;
  }

  beginStudy(): void {
    this.outcomes.read();
    this.byState.set(this.byStateNow);
    this.byTime.fill(0);
  }

  probe(p: number): void {
    const { count, margins } = this.sequence;
    for (let entry = 0; entry < 2 * count; entry++)
      this.probed[p * this.starts.length + entry] = margins[entry];
  }
}

export class MarginsAhead {
  /** those that depend on the state */
  readonly watched: Ahead[] = [];
  /** those of time alone */
  readonly timed: Ahead[] = [];
  readonly #known: readonly Known[];
  readonly #clock = new Float64Array(1);
  /** disturbed */
  readonly #x: Float64Array;
  /** of the last study */
  readonly #studied: Float64Array;
  readonly #values = new Float64Array(PROBED.length);

  constructor(
    private readonly element: ConditionedElement,
    private readonly parts: AheadParts,
    /** length of x */
    size: number,
  ) {
    this.#x = new Float64Array(size);
    const studied = new Float64Array(size);
    this.#studied = studied;
    const create = (sequence: ConditionSequence, entry: number): Ahead =>
      new Ahead(parts, element, sequence, entry, studied);
    this.#known = element.sequences.map((sequence) => new Known(sequence, create));
  }

  /** As for a new motion. */
  forget(): void {
    for (const { outcomes, margins } of this.#known) {
      outcomes.forget();
      for (const margin of margins) margin.forget();
    }
  }

  /** Margins are studied again at the next beginning, because they are to be known further ahead. */
  lookFurther(): void {
    for (const { outcomes } of this.#known) outcomes.forget();
  }

  /** To be called when outcomes are settled at the present, which is a time and state. */
  begin(clock: Float64Array, x: Float64Array): void {
    const { element, parts } = this;
    parts.measure(element, clock, x, false);
    for (const known of this.#known) known.read();
    for (let look = 0; look < 2; look++) {
      for (let i = 0; i < x.length; i++) {
        const size = DISTURBANCE * (1 + Math.abs(x[i]));
        this.#x[i] = x[i] + (look === 0 ? size : i % 2 === 0 ? 0.7 * size : -size);
      }
      parts.measure(element, clock, this.#x, true);
      for (const known of this.#known) known.compare(known.byStateNow);
    }
    if (this.#holds(clock[0])) for (const margin of this.watched) margin.begin(this.#startOf(margin));
    else this.#study(clock, x);
  }

  #startOf({ sequence, entry }: Ahead): number {
    for (const known of this.#known) if (known.sequence === sequence) return known.starts[entry];
    return Number.NaN;
  }

  /** Whether what was found out last is still right: multipliers may do anything behind an event. */
  #holds(time: number): boolean {
    if (this.element.readsMultipliers) return false;
    for (const known of this.#known) if (!known.isAsBefore) return false;
    for (const { search } of this.timed) if (!(search.zero[0] > time)) return false;
    return true;
  }

  #study(clock: Float64Array, x: Float64Array): void {
    this.watched.length = 0;
    this.timed.length = 0;
    for (let i = 0; i < x.length; i++) this.#studied[i] = x[i];
    for (const known of this.#known) known.beginStudy();
    this.#probe(clock, x);
    for (const { sequence, margins, starts, byState, byTime, probed } of this.#known)
      for (let entry = 0; entry < 2 * sequence.count; entry++) {
        const start = starts[entry];
        if (start === Infinity || (byState[entry] === 0 && byTime[entry] === 0)) continue;
        const margin = margins[entry];
        margin.begin(start);
        if (byState[entry] === 1) {
          this.watched.push(margin);
          continue;
        }
        for (let p = 0; p < PROBED.length; p++) this.#values[p] = probed[p * starts.length + entry];
        const scale = margin.zero / MARGIN_ROUNDING;
        margin.isAffine = margin.search.begin(clock[0], start, this.#values, scale, start <= margin.zero);
        this.timed.push(margin);
      }
  }

  /** Margins at times ahead, all of them by one call for each. */
  #probe(clock: Float64Array, x: Float64Array): void {
    const [time] = clock;
    const span = this.parts.end - time;
    if (!(span > 0)) return;
    this.#clock[0] = time + SOON * span;
    this.parts.measure(this.element, this.#clock, x, false);
    for (const known of this.#known) known.compare(known.byTime);
    for (let p = 0; p < PROBED.length; p++) {
      this.#clock[0] = PROBED[p] === 1 ? this.parts.end : time + PROBED[p] * span;
      this.parts.measure(this.element, this.#clock, x, false);
      for (const known of this.#known) {
        known.compare(known.byTime);
        known.probe(p);
      }
    }
  }
}

/**
 * The first zero in time that is known, s; those of affine margins are refined which may be it. Infinity
 * where there is none.
 */
export function firstZero(margins: readonly MarginsAhead[]): number {
  for (;;) {
    let first = Infinity;
    for (const { timed } of margins) for (const { search } of timed) first = Math.min(first, search.zero[0]);
    let hasRefined = false;
    for (const { timed } of margins)
      for (const { search } of timed)
        if (first < Infinity && search.zero[0] - search.uncertainty <= first && search.refine())
          hasRefined = true;
    if (!hasRefined) return first;
  }
}
