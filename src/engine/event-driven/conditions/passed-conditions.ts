/**
 * Conditions of time that a run in steps may pass over. Such a run evaluates functions at the times of its
 * steps only: of two changes that are less than a step apart, what is between them, such as a narrow pulse or
 * the tip of a table, is not seen at all, or counts as long as a step. So the zeros of margins that depend on
 * time alone are followed beside the run. What depends on the state is sampled by the steps, as the scheme
 * has it.
 */
import { type ConditionSequence, type ConditionSite, siteWords } from '../../model/conditions';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import { placeIntegrated } from '../flow/free-motion';
import { type ConditionedElement, conditionedElements } from './conditioned-elements';
import { firstZero, MarginsAhead } from './margins-ahead';

/** Part of a step by which changes that are one step apart may be nearer. */
const NEARER = 1e-6;
/** How far behind a change the outcomes are read that hold there, in units of rounding of the time. */
const BEHIND = 2 ** 14;
/**
 * Steps up to which margins are looked at ahead: a function may not be meant for later times, and other
 * branches may be taken until then. An endless loop that begins at some time is met that much earlier than by
 * the run.
 */
const WINDOW = 128;
/**
 * Steps before the end of what is known at which it is looked further: a step may be some times as long as
 * the one before.
 */
const MARGIN = 8;
/** Changes in one step at the same time, to rounding. */
const MOST_TOGETHER = 64;
/** Steps by which a margin that is not affine is searched ahead, and which its longest window has. */
const AHEAD = 16;

/** A change that may have been passed over. */
export interface Passed {
  readonly element: string;
  readonly site: ConditionSite;
  /** of two changes, s */
  readonly first: number;
  readonly second: number;
  /** s */
  readonly h: number;
}

interface Followed {
  readonly element: ConditionedElement;
  readonly ahead: MarginsAhead;
  /** time of the last change, s, by id of the element: several may be called together */
  readonly last: Map<string, number>;
  /** time of the next change that is known, s */
  next: number;
}

export interface PassedSettings {
  readonly t0: number;
  readonly tEnd: number;
  /** s */
  readonly h: number;
}

/** Writes the present state, q | v as `IntegratedPlaces` has it. */
type ReadState = (x: Float64Array) => void;

export class PassedConditions {
  /** what was passed over first; null where nothing was */
  passed: Passed | null = null;
  readonly #followed: readonly Followed[];
  readonly #x: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #multipliers: Float64Array;
  readonly #isSampled: boolean;
  readonly #limits: { end: number };
  #time: number;

  constructor(
    elements: readonly ConditionedElement[],
    sites: readonly ConditionSite[],
    isSampled: boolean,
    size: number,
    rows: number,
    private readonly settings: PassedSettings,
    private readonly read: ReadState,
  ) {
    this.#x = new Float64Array(size);
    this.#multipliers = new Float64Array(rows);
    this.#isSampled = isSampled;
    this.#time = settings.t0;
    const parts = {
      end: settings.t0,
      fastest: AHEAD * settings.h,
      measure: this.#measure.bind(this),
      siteOf: (sequence: ConditionSequence, k: number): ConditionSite => sites[sequence.sites[k]],
    };
    this.#limits = parts;
    this.#followed = elements.map((element) => ({
      element,
      ahead: new MarginsAhead(element, parts, size),
      last: new Map(),
      next: Infinity,
    }));
    this.#lookFurther(settings.h);
  }

  /** @param h length of the steps to come, s */
  #lookFurther(h: number): void {
    this.#limits.end = Math.min(this.settings.tEnd, this.#time + WINDOW * h);
    for (const followed of this.#followed) {
      followed.ahead.lookFurther();
      this.#study(followed, this.#time);
    }
  }

  /**
   * Whether no condition of time was passed over; the step, s, at which conditions are sampled that cannot be
   * followed.
   */
  get complete(): boolean | { readonly resolution: number } {
    if (this.passed !== null) return false;
    const isBroken = this.#followed.some(({ element }) => element.sequences.some((one) => one.isBroken));
    return this.#isSampled || isBroken ? { resolution: this.settings.h } : true;
  }

  /** What was passed over, in words. */
  get findings(): readonly string[] {
    if (this.passed === null) return [];
    const { element, site, first, second, h } = this.passed;
    return [
      `Conditions of “${element}” change at t = ${first} s and again at t = ${second} s, within less than a step of ${h} s: what is between them may be passed over, or count as a whole step (“${site.text}” in ${siteWords(site)}). Take steps that are shorter than it, or the event-driven scheme, which meets both.`,
    ];
  }

  /** After a step to a time. */
  follow(time: number): void {
    if (this.passed !== null) return;
    const h = time - this.#time;
    this.#time = time;
    for (const followed of this.#followed) {
      this.#search(followed, time, h);
      if (followed.next <= time) this.#pass(followed, time, h);
    }
    const isNear = time + MARGIN * h >= this.#limits.end && this.#limits.end < this.settings.tEnd;
    if (isNear && this.passed === null) this.#lookFurther(h);
  }

  /** Changes up to a time. */
  #pass(followed: Followed, time: number, h: number): void {
    for (let count = 0; followed.next <= time && count < MOST_TOGETHER; count++) {
      const { next, ahead, last } = followed;
      const behind = BEHIND * Number.EPSILON * Math.max(Math.abs(next), h);
      for (const { search, sequence, site } of ahead.timed) {
        if (search.zero[0] > next + behind) continue;
        const { element } = sequence;
        const first = last.get(element) ?? -Infinity;
        if (next - first > behind && next - first < (1 - NEARER) * h) {
          this.passed = { element, site, first, second: next, h: Number(h.toPrecision(6)) };
          return;
        }
        last.set(element, next);
      }
      this.#study(followed, next + behind);
    }
    if (followed.next <= time) followed.next = Infinity;
  }

  /** Looks for changes behind a time. */
  #study(followed: Followed, time: number): void {
    const { element, ahead } = followed;
    this.read(this.#x);
    this.#clock[0] = time;
    try {
      for (const sequence of element.sequences) {
        sequence.isRecording = true;
        sequence.kept = 0;
      }
      element.call(this.#clock, this.#x, this.#multipliers);
      ahead.begin(this.#clock, this.#x);
    } catch {
      // What a function cannot be called with is reported where the run comes to it.
      ahead.timed.length = 0;
    }
    followed.next = firstZero([ahead]);
    this.#letGo(element);
  }

  #search(followed: Followed, time: number, h: number): void {
    const { timed } = followed.ahead;
    let hasSearched = false;
    for (let k = 0; k < timed.length; k++) {
      if (timed[k].isAffine) continue;
      const { search } = timed[k];
      if (search.searched[0] >= time || search.zero[0] < Infinity) continue;
      for (const sequence of followed.element.sequences) sequence.isHeld = true;
      search.extend(time + AHEAD * h);
      hasSearched = true;
    }
    if (!hasSearched) return;
    followed.next = firstZero([followed.ahead]);
    this.#letGo(followed.element);
  }

  /** Values decide in the run itself. */
  #letGo({ sequences }: ConditionedElement): void {
    for (const sequence of sequences) {
      sequence.isHeld = false;
      sequence.isRecording = false;
      sequence.isMeasuring = false;
    }
  }

  /** Margins at a time and state; what depends on multipliers does not depend on time alone. */
  #measure(element: ConditionedElement, clock: Float64Array, x: Float64Array, isDisturbed: boolean): void {
    for (const sequence of element.sequences) sequence.isMeasuring = true;
    this.#multipliers.fill(isDisturbed ? 1 : 0);
    try {
      element.call(clock, x, this.#multipliers);
    } catch {
      for (const sequence of element.sequences) sequence.margins.fill(Number.NaN);
    }
    this.#multipliers.fill(0);
  }
}

/**
 * Conditions of a model that is simulated in steps.
 * @param model with functions whose conditions can be held; not the one that is simulated
 * @param q, v positions and velocities of all systems, as the simulation has them
 * @returns null for a model whose functions come to no condition that could change
 */
export function passedConditions(
  model: NonSmoothDynamicalSystem,
  q: Float64Array,
  v: Float64Array,
  settings: PassedSettings,
): PassedConditions | null {
  const { conditions } = model;
  if (conditions === undefined) return null;
  const places = placeIntegrated(model);
  const read = (x: Float64Array): void => {
    for (let i = 0; i < places.positions; i++) x[i] = q[i];
    for (let i = 0; i < places.coordinates; i++)
      if (places.velocity[i] >= places.positions) x[places.velocity[i]] = v[i];
  };
  const offsets = [0];
  for (const { relation } of model.interactions) offsets.push(offsets[offsets.length - 1] + relation.size);
  const x = new Float64Array(places.size);
  read(x);
  const unreached: ConditionSequence[] = [];
  const clock = Float64Array.of(settings.t0);
  const elements = conditionedElements(model, conditions, places, offsets, clock, x, unreached);
  const isSampled = unreached.length > 0 || conditions.trace.unfollowed.length > 0;
  if (elements.length === 0 && !isSampled) return null;
  const rows = offsets[offsets.length - 1];
  return new PassedConditions(elements, conditions.trace.sites, isSampled, places.size, rows, settings, read);
}
