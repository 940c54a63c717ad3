/**
 * The difference of two recorded runs of one model, in bounded memory: a chunk of each recording, and the
 * times of their impacts.
 *
 * Runs are compared at the times of the one with fewer rows. The rows of the other at these times are found
 * by value; steps that are halved give every time of the longer step again, to the last bit. Only where there
 * is no such row, the other run is interpolated linearly between its neighbours, on the side of a jump on
 * which the time lies, and the number of these times is reported. Rows of an event, which have a time of
 * their own, are compared only with rows of that time. Where a recording has rows before and after a jump,
 * the value after it counts.
 */
import type { SignalInfo } from '../../document/types';
import type { ContactDifference, RunDifference, SignalDifference } from './comparison';
import { type ImpactMatch, JumpZones, matchImpacts, timeDifferences } from './impact-matching';
import { type ComparedRecording, RecordedTimes, type Span, resolution, timeTolerance } from './recorded-rows';
import { type RecordingScan, scanJumps, scanRecording } from './recording-scan';

/* Differences of several signals, gathered time by time without allocating. */

/** Fraction of its scale by which a signal may be off and still agree. */
const AGREEMENT = 0.01;

/** @param scale of a signal @returns difference up to which two runs agree in it */
const agreement = (scale: number): number => AGREEMENT * scale;

class SignalSums {
  readonly #names: readonly string[];
  readonly #limits: Float64Array;
  readonly #maximum: Float64Array;
  readonly #maximumTime: Float64Array;
  readonly #awayMaximum: Float64Array;
  readonly #awayTime: Float64Array;
  /** ∫ |difference| dt, and the time over which it was taken */
  readonly #integral: Float64Array;
  readonly #duration: Float64Array;
  /** |difference| at the time before; not a number where there is none */
  readonly #last: Float64Array;
  readonly #agreesUntil: Float64Array;
  readonly #disagrees: Uint8Array;
  readonly #notFinite: Float64Array;
  readonly #lastTime = new Float64Array(1);

  /**
   * @param names of the signals;
   * @param limits differences up to which they agree;
   * @param from begin of the comparison, s
   */
  constructor(names: readonly string[], limits: Float64Array, from: number) {
    const { length } = names;
    const none = (): Float64Array => new Float64Array(length).fill(Number.NaN);
    this.#names = names;
    this.#limits = limits;
    this.#maximum = new Float64Array(length);
    this.#maximumTime = none();
    this.#awayMaximum = new Float64Array(length);
    this.#awayTime = none();
    this.#integral = new Float64Array(length);
    this.#duration = new Float64Array(length);
    this.#last = none();
    this.#agreesUntil = new Float64Array(length).fill(from);
    this.#disagrees = new Uint8Array(length);
    this.#notFinite = new Float64Array(length);
    this.#lastTime[0] = from;
  }

  /** @param difference by signal; @param isAway whether no jump is near */
  add(time: number, difference: Float64Array, isAway: boolean): void {
    const dt = time - this.#lastTime[0];
    this.#lastTime[0] = time;
    for (let k = 0; k < difference.length; k++) {
      const magnitude = Math.abs(difference[k]);
      if (!(magnitude < Infinity)) {
        this.#notFinite[k]++;
        this.#last[k] = Number.NaN;
        continue;
      }
      if (magnitude > this.#maximum[k] || Number.isNaN(this.#maximumTime[k])) {
        this.#maximum[k] = magnitude;
        this.#maximumTime[k] = time;
      }
      if (isAway) this.#addAway(k, time, magnitude);
      if (!Number.isNaN(this.#last[k])) {
        this.#integral[k] += 0.5 * (this.#last[k] + magnitude) * dt;
        this.#duration[k] += dt;
      }
      this.#last[k] = magnitude;
    }
  }

  #addAway(k: number, time: number, magnitude: number): void {
    if (magnitude > this.#awayMaximum[k] || Number.isNaN(this.#awayTime[k])) {
      this.#awayMaximum[k] = magnitude;
      this.#awayTime[k] = time;
    }
    if (magnitude > this.#limits[k]) this.#disagrees[k] = 1;
    if (this.#disagrees[k] === 0) this.#agreesUntil[k] = time;
  }

  /** @param to end of the comparison, s */
  result(to: number): SignalDifference[] {
    const timeOr = (time: number): number | null => (Number.isNaN(time) ? null : time);
    return this.#names.map((name, k) => ({
      name,
      maximum: this.#maximum[k],
      maximumTime: timeOr(this.#maximumTime[k]),
      awayMaximum: this.#awayMaximum[k],
      awayMaximumTime: timeOr(this.#awayTime[k]),
      // A single time has no duration, and the mean over it is its value.
      mean: this.#duration[k] > 0 ? this.#integral[k] / this.#duration[k] : this.#maximum[k],
      agreesUntil: this.#disagrees[k] === 0 ? to : this.#agreesUntil[k],
      notFinite: this.#notFinite[k],
    }));
  }
}

export interface ContactName {
  /** of the impulse */
  readonly signal: string;
  readonly element: string;
}

export interface RecordingComparison {
  /** largest magnitude of each signal in the reference */
  readonly scales: Float64Array;
  /** largest less smallest value of each signal in the reference */
  readonly ranges: Float64Array;
  readonly difference: RunDifference;
}

/**
 * Compares a run with a reference.
 * @param names of the signals, @param contacts of which both recordings have the impulse; both in the order
 *   of the columns
 * @param limits difference up to which each signal agrees; 1 % of its largest magnitude where absent
 * @param jumps change in a step from which on each signal may have a jump, which is left out; where absent,
 *   impacts are the only ones
 */
export function compareRecordings(
  reference: ComparedRecording,
  other: ComparedRecording,
  names: readonly string[],
  contacts: readonly ContactName[],
  span: Span,
  limits?: Float64Array,
  jumps?: Float64Array,
): RecordingComparison {
  const tolerance = timeTolerance(reference, other, span);
  const step = Math.max(resolution(reference), resolution(other));
  const ofReference = scanRecording(reference, span, tolerance);
  const ofOther = scanRecording(other, span, tolerance);
  const lookedUntil = Math.min(ofReference.lookedUntil, ofOther.lookedUntil);
  const matches = contacts.map((_, c) =>
    matchImpacts(until(ofReference.impacts[c], lookedUntil), until(ofOther.impacts[c], lookedUntil), step),
  );
  // The impacts of contacts that are pressed, and jumps of other laws, show in the signals only.
  const jumpTimes = jumps === undefined || step === 0 ? [] : scanJumps(reference, span, jumps);
  const ofOthers = jumps === undefined || step === 0 ? [] : scanJumps(other, span, jumps);
  const pairs = [
    ...matches.map((match) => match.pairs),
    ...jumpTimes.map((times, k) => matchImpacts(times, ofOthers[k], step).pairs),
  ];
  const zones = new JumpZones([...ofReference.impacts, ...jumpTimes], pairs, step);
  const sums = new SignalSums(names, limits ?? ofReference.scales.map(agreement), span.from);
  const isReferenceCoarser = ofReference.rows < ofOther.rows;
  const [coarse, fine] = isReferenceCoarser ? [reference, other] : [other, reference];
  const counts = merge(coarse, fine, span, tolerance, zones, sums);
  return {
    scales: ofReference.scales,
    ranges: ofReference.ranges,
    difference: {
      ...counts,
      signals: sums.result(span.to),
      contacts: contacts.map((contact, c) =>
        contactDifference(contact, ofReference, ofOther, c, matches[c], lookedUntil),
      ),
    },
  };
}

/** Times up to a time, without copying. */
function until(times: Float64Array, end: number): Float64Array {
  let count = times.length;
  while (count > 0 && times[count - 1] > end) count--;
  return times.subarray(0, count);
}

function contactDifference(
  { signal, element }: ContactName,
  reference: RecordingScan,
  other: RecordingScan,
  c: number,
  { pairs, isolated, extra }: ImpactMatch,
  lookedUntil: number,
): ContactDifference {
  const differences = timeDifferences(pairs);
  return {
    signal,
    element,
    referenceImpacts: until(reference.impacts[c], lookedUntil).length,
    impacts: until(other.impacts[c], lookedUntil).length,
    isolated,
    missed: isolated - differences.matched,
    extra,
    ...differences,
    lookedUntil,
  };
}

/** Takes the differences at the times of the coarser recording. */
function merge(
  coarse: ComparedRecording,
  fine: ComparedRecording,
  { from, to }: Span,
  tolerance: number,
  zones: JumpZones,
  sums: SignalSums,
): Pick<RunDifference, 'rows' | 'interpolated'> {
  const base = new RecordedTimes(coarse.source, coarse.signals, from - tolerance);
  const partner = new RecordedTimes(fine.source, fine.signals, from - tolerance);
  const difference = new Float64Array(coarse.signals.length);
  let rows = 0;
  let interpolated = 0;
  partner.advance();
  for (base.advance(); base.rows > 0 && base.time <= to + tolerance; base.advance()) {
    const { time } = base;
    if (time < from - tolerance) continue;
    while (partner.rows > 0 && partner.time < time - tolerance) partner.advance();
    if (partner.rows === 0) break;
    if (partner.time <= time + tolerance) {
      for (let k = 0; k < difference.length; k++) difference[k] = base.last[k] - partner.last[k];
    } else {
      const before = partner.previousTime;
      if (base.rows > 1 || Number.isNaN(before)) continue;
      const weight = (time - before) / (partner.time - before);
      for (let k = 0; k < difference.length; k++) {
        const value = partner.previous[k] + weight * (partner.first[k] - partner.previous[k]);
        difference[k] = base.last[k] - value;
      }
      interpolated++;
    }
    rows++;
    sums.add(time, difference, !zones.contains(time));
  }
  return { rows, interpolated };
}

/* Contacts whose impacts a recording shows. */

/** The gap that belongs to an impulse: `cam.impulse` → `cam.gap`, `foot.normalImpulse[1]` → `foot.gap[1]`. */
const gapOf = (impulse: string): string =>
  impulse.replace(/\.(?:impulse|normalImpulse)(?=(?:\[\d+\])?$)/, '.gap');

/** Contacts with gap and impulse among the signals; joints have impulses too, but no gap. */
export function impactContacts(signals: readonly SignalInfo[]): ContactName[] {
  const gaps = new Set(signals.flatMap(({ name, kind }) => (kind === 'gap' ? [name] : [])));
  return signals.flatMap(({ name, kind, element = '' }) =>
    kind === 'impulse' && gaps.has(gapOf(name)) ? [{ signal: name, element }] : [],
  );
}
