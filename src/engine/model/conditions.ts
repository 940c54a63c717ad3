/**
 * Conditions of script functions whose outcomes can be held: comparisons, steps and choices, as
 * `script/conditions/` finds them in the source. Each use of a function by an element of a model has a
 * sequence of outcomes, one for each condition that a call comes to, in that order. While they are held,
 * every call comes to the same conditions, and the function is smooth. So Modelica holds its relations:
 * Elmqvist, Cellier and Otter 1993; Otter, Elmqvist and Mattsson 1999.
 *
 * Of each condition there are up to two margins, which are positive while its outcome is right; behind each
 * lies another outcome:
 *
 *     a < b          true    b − a | false            false   a − b | true
 *     floor a = n            a − n | n − 1                    n + 1 − a | n + 1
 *     sign a = 1             a | −1
 */
import type { ScriptPlace } from '../errors';

/** A condition in the source. */
export interface ConditionSite {
  readonly text: string;
  readonly place: ScriptPlace;
  /** the field whose expressions it stands in; absent in scripts */
  readonly field?: string;
}

/** Where a condition stands, in words. */
export const siteWords = ({ place, field }: ConditionSite): string =>
  field === undefined ? `${place.name}, line ${place.line}` : field;

/** Values up to this part of their terms count as zero where a condition asks whether two are equal. */
const EQUAL = 1e-12;

/** How the conditions of a call are decided. */
const BY_VALUES = 0;
const RECORDING = 1;
const HOLDING = 2;

const larger = (a: Float64Array, count: number): Float64Array<ArrayBuffer> => {
  const grown = new Float64Array(count);
  grown.set(a);
  return grown;
};

/** Outcomes and margins of one use of a function. */
export class ConditionSequence {
  /** conditions that a call comes to */
  count = 0;
  /** site of each */
  sites = new Float64Array(8);
  outcomes = new Float64Array(8);
  /** margins by condition: [2k] the lower one, [2k + 1] the upper one; Infinity where there is none */
  margins = new Float64Array(16).fill(Infinity);
  /** outcomes behind them */
  next = new Float64Array(16);
  /** size of what cancels in the margins, by condition */
  scales = new Float64Array(8);
  /** whether outcomes are held */
  isHeld = false;
  /** whether the next call records outcomes; the first `kept` of them are followed all the same */
  isRecording = false;
  kept = 0;
  /** whether the next call writes margins */
  isMeasuring = false;
  /** whether a call has come to other conditions than those that were recorded */
  isBroken = false;

  constructor(
    /** id of the element that uses the function */
    readonly element: string,
    readonly functionName: string,
  ) {}

  /** Lets values decide again. */
  release(): void {
    this.isHeld = false;
    this.isRecording = false;
    this.isMeasuring = false;
    this.count = 0;
    this.kept = 0;
  }

  reserve(count: number): void {
    if (count <= this.outcomes.length) return;
    const size = 2 * this.outcomes.length;
    this.sites = larger(this.sites, size);
    this.outcomes = larger(this.outcomes, size);
    this.scales = larger(this.scales, size);
    this.next = larger(this.next, 2 * size);
    this.margins = larger(this.margins, 2 * size);
  }
}

/** What instrumented scripts call; see `ConditionTrace`. */
export type TraceFunctions = Readonly<Record<string, (...args: number[]) => unknown>>;

/** The conditions of all scripts of a model that has been loaded. */
export class ConditionTrace {
  readonly sites: ConditionSite[] = [];
  /** places of the source that cannot be followed, by function name as far as it is known */
  readonly unfollowed: ConditionSite[] = [];
  readonly functions: TraceFunctions;
  #sequence = new ConditionSequence('', '');
  /** largest terms so far, by site */
  #largest = new Float64Array(0);
  #mode = BY_VALUES;
  #isMeasuring = false;
  /** whether margins are written */
  #isWriting = false;
  #isDerivative = false;
  /** number of the condition that the call comes to next */
  #at = 0;

  constructor() {
    this.functions = Object.freeze({
      less: (site: number, a: number, b: number) => this.#compare(site, a < b, b - a, a, b),
      atMost: (site: number, a: number, b: number) => this.#compare(site, a <= b, b - a, a, b),
      greater: (site: number, a: number, b: number) => this.#compare(site, a > b, a - b, a, b),
      atLeast: (site: number, a: number, b: number) => this.#compare(site, a >= b, a - b, a, b),
      // A choice passes on what is not a number.
      above: (site: number, a: number, b: number) => this.#compare(site, b > a || b !== b, b - a, a, b),
      below: (site: number, a: number, b: number) => this.#compare(site, b < a || b !== b, a - b, a, b),
      equal: (site: number, a: number, b: number) => this.#equal(site, a, b, a === b),
      unequal: (site: number, a: number, b: number) => !this.#equal(site, a, b, a === b),
      truth: (site: number, a: number) =>
        typeof a === 'number' ? !this.#equal(site, a, 0, a === 0 || a !== a) : Boolean(a),
      floor: (site: number, a: number) => this.#floor(site, a, Math.floor(a), 0),
      ceil: (site: number, a: number) => this.#floor(site, a, Math.ceil(a), -1),
      round: (site: number, a: number) => this.#floor(site, a, Math.round(a), -0.5),
      trunc: (site: number, a: number) => this.#trunc(site, a),
      sign: (site: number, a: number) => this.#sign(site, a, Math.sign(a)),
      side: (site: number, a: number) => this.#sign(site, a, a < 0 ? -1 : 1),
      quotient: (site: number, a: number, b: number) => this.#quotient(site, a, b),
      min: (site: number, ...values: number[]) => this.#extreme(site, values, -1),
      max: (site: number, ...values: number[]) => this.#extreme(site, values, 1),
    });
  }

  /** Forgets how large terms have been, so that a motion does not depend on those before. */
  forget(): void {
    this.#largest.fill(0);
  }

  /** A call begins. */
  enter(sequence: ConditionSequence, isDerivative: boolean): void {
    this.#sequence = sequence;
    this.#isDerivative = isDerivative;
    this.#at = 0;
    this.#isMeasuring = !isDerivative && sequence.isMeasuring;
    if (sequence.isRecording && !isDerivative) this.#mode = RECORDING;
    else this.#mode = sequence.isHeld ? HOLDING : BY_VALUES;
    this.#isWriting = this.#isMeasuring || this.#mode === RECORDING;
  }

  /**
   * The call has come to its end, or failed.
   * @returns whether outcomes were held, so that values may say otherwise
   */
  leave(): boolean {
    const sequence = this.#sequence;
    const mode = this.#mode;
    this.#mode = BY_VALUES;
    if (mode === RECORDING) {
      sequence.count = this.#at;
      sequence.isRecording = false;
      sequence.isHeld = true;
      sequence.isMeasuring = false;
      return false;
    }
    if (this.#isMeasuring) sequence.isMeasuring = false;
    if (mode === HOLDING && !this.#isDerivative && this.#at !== sequence.count) sequence.isBroken = true;
    return mode === HOLDING;
  }

  /**
   * The next condition of the call.
   * @param outcome what the values say
   * @returns its number, whose outcome is to be followed; −1 where values decide
   */
  #take(site: number, outcome: number): number {
    if (this.#mode === BY_VALUES) return -1;
    const sequence = this.#sequence;
    // A derivative may run the function once for each direction.
    if (this.#isDerivative && this.#at === sequence.count) this.#at = 0;
    const k = this.#at;
    if (this.#mode === RECORDING) {
      sequence.reserve(k + 1);
      if (k >= sequence.kept) sequence.outcomes[k] = outcome;
      sequence.sites[k] = site;
    } else if (k >= sequence.count || sequence.sites[k] !== site) {
      if (!this.#isDerivative) sequence.isBroken = true;
      this.#mode = BY_VALUES;
      return -1;
    }
    this.#at = k + 1;
    return k;
  }

  #measure(k: number, low: number, lowNext: number, high: number, highNext: number, scale: number): void {
    if (!this.#isWriting) return;
    const { margins, next, scales } = this.#sequence;
    margins[2 * k] = low;
    margins[2 * k + 1] = high;
    next[2 * k] = lowNext;
    next[2 * k + 1] = highNext;
    // What cancels inside a term shows in its largest values: the rest of an iteration is rounding of its
    // first steps.
    const site = this.#sequence.sites[k];
    if (site >= this.#largest.length) this.#largest = larger(this.#largest, this.sites.length);
    const largest = this.#largest[site];
    if (scale > largest && Number.isFinite(scale)) this.#largest[site] = scale;
    scales[k] = Math.max(scale, largest);
  }

  #compare(site: number, value: boolean, margin: number, a: number, b: number): boolean {
    if (typeof a !== 'number' || typeof b !== 'number') return value;
    const k = this.#take(site, value ? 1 : 0);
    if (k < 0) return value;
    const isTrue = this.#sequence.outcomes[k] === 1;
    if (!this.#isWriting) return isTrue;
    this.#measure(k, isTrue ? margin : -margin, isTrue ? 0 : 1, Infinity, 0, Math.abs(a) + Math.abs(b));
    return isTrue;
  }

  /** Values that pass each other are equal for no time at all. */
  #equal(site: number, a: number, b: number, value: boolean): boolean {
    if (typeof a !== 'number' || typeof b !== 'number') return value;
    const k = this.#take(site, value ? 1 : 0);
    if (k < 0) return value;
    const scale = Math.abs(a) + Math.abs(b);
    const isTrue = this.#sequence.outcomes[k] === 1;
    const band = isTrue ? EQUAL * (scale > 0 ? scale : 1) : Infinity;
    this.#measure(k, a - b + band, 0, band - (a - b), 0, scale);
    return isTrue;
  }

  /** n with n + from ≤ a < n + from + 1, or with the other of the two limits within. */
  #floor(site: number, a: number, value: number, from: number): number {
    const k = this.#take(site, value);
    if (k < 0) return value;
    const n = this.#sequence.outcomes[k];
    if (!this.#isWriting) return n;
    this.#measure(k, a - (n + from), n - 1, n + from + 1 - a, n + 1, Math.abs(a) + Math.abs(n));
    return n;
  }

  #trunc(site: number, a: number): number {
    const value = Math.trunc(a);
    const k = this.#take(site, value);
    if (k < 0) return value;
    const n = this.#sequence.outcomes[k];
    const low = n > 0 ? n : n - 1;
    const high = n < 0 ? n : n + 1;
    this.#measure(k, a - low, n - 1, high - a, n + 1, Math.abs(a) + Math.abs(n));
    return n;
  }

  #sign(site: number, a: number, value: number): number {
    const k = this.#take(site, value);
    if (k < 0) return value;
    const s = this.#sequence.outcomes[k];
    if (s > 0) this.#measure(k, a, -1, Infinity, 0, Math.abs(a));
    else if (s < 0) this.#measure(k, Infinity, 0, -a, 1, Math.abs(a));
    else this.#measure(k, a + EQUAL, -1, EQUAL - a, 1, Math.abs(a));
    return s;
  }

  /** n with a − n b = a % b. */
  #quotient(site: number, a: number, b: number): number {
    const value = Math.round((a - (a % b)) / b);
    const k = this.#take(site, value);
    if (k < 0) return value;
    const n = this.#sequence.outcomes[k];
    const rest = (a - n * b) * Math.sign(b);
    const size = Math.abs(b);
    const low = n > 0 ? rest : rest + size;
    const high = n < 0 ? -rest : size - rest;
    this.#measure(k, low, n - 1, high, n + 1, Math.abs(a) + size);
    return n;
  }

  #extreme(site: number, values: number[], sign: number): number {
    let best = values.length > 0 ? values[0] : -sign * Infinity;
    for (let i = 1; i < values.length; i++) {
      const other = values[i];
      const isOther = sign * other > sign * best || other !== other;
      if (this.#compare(site, isOther, sign * (other - best), best, other)) best = other;
    }
    return best;
  }
}

/** Traces of the functions that have one. */
const traces = new WeakMap<object, ConditionTrace>();

/** Says that a script function, or a derivative of one, comes to conditions of a trace. */
export function traceBy(call: object, trace: ConditionTrace): void {
  traces.set(call, trace);
}

/** A function that stands for another one has its conditions. */
export function traceLike(call: object, original: object): void {
  const trace = traces.get(original);
  if (trace !== undefined) traces.set(call, trace);
}

/** The conditions of one model: those of all uses of functions that have some. */
export interface ModelConditions {
  readonly trace: ConditionTrace;
  readonly sequences: readonly ConditionSequence[];
}

interface Bound {
  readonly trace: ConditionTrace;
  readonly sequences: ConditionSequence[];
}

/** By the object with the values of the parameters, which each model has for itself. */
const models = new WeakMap<object, Bound>();

/**
 * Conditions of the model that was built with these values of the parameters; undefined where no function has
 * some.
 */
export const conditionsOf = (p: object): ModelConditions | undefined => models.get(p);

/** How a use of a function decides its conditions; null for a function without a trace. */
export interface BoundConditions {
  readonly trace: ConditionTrace;
  readonly sequence: ConditionSequence;
}

/** A function and its derivatives share their outcomes where the same element uses them. */
export function bindConditions(
  call: object,
  p: object,
  element: string,
  functionName: string,
): BoundConditions | null {
  const trace = traces.get(call);
  if (trace === undefined) return null;
  const bound = models.get(p) ?? { trace, sequences: [] };
  models.set(p, bound);
  let sequence = bound.sequences.find(
    (known) => known.element === element && known.functionName === functionName,
  );
  if (sequence === undefined) {
    sequence = new ConditionSequence(element, functionName);
    bound.sequences.push(sequence);
  }
  return { trace, sequence };
}
