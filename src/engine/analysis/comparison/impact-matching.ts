/**
 * Impacts of one contact in two runs, put in pairs.
 *
 * Two impacts are a pair when each is the nearest of the other. Time-stepping cannot tell impacts apart that
 * follow each other within a few steps, as bounces do before they die out: those of the reference are not
 * counted as missed, and those of the other run near them not as extra.
 */
import type { ContactDifference } from './comparison';

/** Steps between two impacts from which on each of them must show in a run. */
const ISOLATION_STEPS = 4;
/** Pairs that are listed one by one. */
const MAX_PAIRS = 10_000;

/**
 * Place of the time nearest to t in an ascending array; −1 in an empty one. Of two equally near, the earlier.
 */
export function nearest(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (times[middle] < t) low = middle + 1;
    else high = middle;
  }
  if (low === times.length || (low > 0 && t - times[low - 1] <= times[low] - t)) return low - 1;
  return low;
}

/** Whether the neighbours of an impact are at least a distance away. */
const isIsolated = (times: Float64Array, i: number, distance: number): boolean =>
  (i === 0 || times[i] - times[i - 1] >= distance) &&
  (i === times.length - 1 || times[i + 1] - times[i] >= distance);

export interface ImpactPairs {
  readonly reference: Float64Array;
  readonly other: Float64Array;
}

export interface ImpactMatch {
  readonly pairs: ImpactPairs;
  readonly isolated: number;
  readonly extra: number;
}

/**
 * @param reference, other ascending times, s
 * @param step what the coarser of the two runs resolves, s
 */
export function matchImpacts(reference: Float64Array, other: Float64Array, step: number): ImpactMatch {
  const distance = ISOLATION_STEPS * step;
  const pairs = { reference: new Float64Array(reference.length), other: new Float64Array(reference.length) };
  const isMatched = new Uint8Array(other.length);
  let isolated = 0;
  let matched = 0;
  for (let i = 0; i < reference.length; i++) {
    if (!isIsolated(reference, i, distance)) continue;
    isolated++;
    const j = nearest(other, reference[i]);
    if (j < 0 || nearest(reference, other[j]) !== i) continue;
    isMatched[j] = 1;
    pairs.reference[matched] = reference[i];
    pairs.other[matched++] = other[j];
  }
  let extra = 0;
  for (let j = 0; j < other.length; j++) {
    if (isMatched[j] === 1 || !isIsolated(other, j, distance)) continue;
    const i = nearest(reference, other[j]);
    if (i < 0 || Math.abs(reference[i] - other[j]) >= distance) extra++;
  }
  return {
    pairs: { reference: pairs.reference.slice(0, matched), other: pairs.other.slice(0, matched) },
    isolated,
    extra,
  };
}

/** What a match says of the times. */
export function timeDifferences({
  reference,
  other,
}: ImpactPairs): Pick<ContactDifference, 'matched' | 'largest' | 'largestTime' | 'mean' | 'pairs'> {
  const matched = reference.length;
  let sum = 0;
  let worst = -1;
  let largest = -1;
  for (let i = 0; i < matched; i++) {
    const difference = Math.abs(other[i] - reference[i]);
    sum += difference;
    if (difference <= largest) continue;
    largest = difference;
    worst = i;
  }
  const pairs = { reference: reference.slice(0, MAX_PAIRS), other: other.slice(0, MAX_PAIRS) };
  if (worst < 0) return { matched, largest: null, largestTime: null, mean: null, pairs };
  return { matched, largest, largestTime: reference[worst], mean: sum / matched, pairs };
}

/*
 * Times at which two runs stand on different sides of a jump, so that their difference is as large as the
 * jump.
 */

/**
 * Steps around each impact: time-stepping jumps at the end of the step after the one in which the gap closes.
 */
const ZONE_STEPS = 2;

/**
 * The union of intervals. A time lies in it when more of them have begun than have ended; so beginnings and
 * ends are sorted each for itself, and intervals need not be merged.
 */
export class JumpZones {
  readonly #begins: Float64Array;
  readonly #ends: Float64Array;
  #begun = 0;
  #ended = 0;

  /**
   * @param impacts of the reference by contact, s
   * @param pairs impacts of both runs that belong together, by contact, s
   * @param step what the coarser of the two runs resolves, s
   */
  constructor(impacts: readonly Float64Array[], pairs: readonly ImpactPairs[], step: number) {
    const margin = ZONE_STEPS * step;
    const count = [...impacts, ...pairs.map(({ reference }) => reference)].reduce(
      (n, { length }) => n + length,
      0,
    );
    this.#begins = new Float64Array(count);
    this.#ends = new Float64Array(count);
    let at = 0;
    const add = (a: number, b: number): void => {
      this.#begins[at] = Math.min(a, b) - margin;
      this.#ends[at++] = Math.max(a, b) + margin;
    };
    for (const times of impacts) for (let i = 0; i < times.length; i++) add(times[i], times[i]);
    for (const { reference, other } of pairs)
      for (let i = 0; i < reference.length; i++) add(reference[i], other[i]);
    this.#begins.sort();
    this.#ends.sort();
  }

  /** Whether a time lies in a zone. Times must be asked for in ascending order. */
  contains(time: number): boolean {
    while (this.#begun < this.#begins.length && this.#begins[this.#begun] <= time) this.#begun++;
    while (this.#ended < this.#ends.length && this.#ends[this.#ended] < time) this.#ended++;
    return this.#begun > this.#ended;
  }
}
