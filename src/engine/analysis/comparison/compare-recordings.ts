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
import {
  type ComparedRecording,
  RecordedTimes,
  type Span,
  resolution,
  timeTolerance,
  RecordedRows,
  Times,
} from './recorded-rows';

/* First look at a recording: the scale of its signals and the times of its impacts. */

/** Impacts of a run that are kept, eight mebibytes of times. */
const MAX_IMPACTS = 2 ** 20;

interface RecordingScan {
  /** rows within the span */
  readonly rows: number;
  /** largest finite magnitude of each signal */
  readonly scales: Float64Array;
  /** largest less smallest finite value of each signal; 0 where there is none */
  readonly ranges: Float64Array;
  /** times of the impacts of each contact in ascending order, s */
  readonly impacts: readonly Float64Array[];
  /** up to where impacts are known, s: the end of the span unless there are too many */
  readonly lookedUntil: number;
}

/**
 * Reads the signals and the impulses once.
 *
 * The event-driven scheme gives the impulse of an event, zero elsewhere: each one is an impact. Time-stepping
 * gives the impulse over each step, in which a contact at rest pushes too: an impact is where it begins to
 * push, and its time is the end of that step, the first row after the jump. An impact of a contact that
 * pushes already leaves no such trace.
 */
function scanRecording(recording: ComparedRecording, { from, to }: Span, tolerance: number): RecordingScan {
  const { source, signals, impulses, scheme } = recording;
  const rows = new RecordedRows(source, [...signals, ...impulses], from - tolerance);
  const { values } = rows;
  const scales = new Float64Array(signals.length);
  const least = new Float64Array(signals.length).fill(Infinity);
  const most = new Float64Array(signals.length).fill(-Infinity);
  const impacts = impulses.map(() => new Times());
  // Before the first row nothing is known: a contact that pushes there may have done so for long.
  const pushed = new Uint8Array(impulses.length).fill(1);
  let count = 0;
  let kept = 0;
  let lookedUntil = to;
  for (let time = rows.nextTime; time <= to + tolerance; time = rows.nextTime) {
    rows.read();
    const isInside = time >= from - tolerance;
    for (let c = 0; c < impulses.length; c++) {
      const pushes = values[signals.length + c] > 0;
      const isImpact = pushes && (scheme === 'event-driven' || pushed[c] === 0);
      pushed[c] = pushes ? 1 : 0;
      if (isImpact && isInside && kept < MAX_IMPACTS && impacts[c].add(time)) kept++;
    }
    if (kept >= MAX_IMPACTS && lookedUntil === to) lookedUntil = time;
    if (!isInside) continue;
    count++;
    for (let k = 0; k < signals.length; k++) {
      const magnitude = Math.abs(values[k]);
      if (!(magnitude < Infinity)) continue;
      if (magnitude > scales[k]) scales[k] = magnitude;
      if (values[k] < least[k]) least[k] = values[k];
      if (values[k] > most[k]) most[k] = values[k];
    }
  }
  const ranges = most.map((value, k) => Math.max(0, value - least[k]));
  return {
    rows: count,
    scales,
    ranges,
    impacts: impacts.map((times) => times.taken()),
    lookedUntil,
  };
}

/*
 * Jumps of signals in a recording by steps of one length.
 *
 * Steps of a smooth signal change it by about as much as their neighbours; one with a jump in it changes it
 * by much more. Of two steps that share a jump, neither stands out, and the jump is not seen: nor would it be
 * one for a comparison, which leaves two steps around it out.
 */

/** Times the change of either neighbour by which a step stands out. */
const STANDS_OUT = 3;

/**
 * @param limits changes that are no jump, by signal
 * @returns times of the ends of steps in which each signal jumps, ascending, s
 */
function scanJumps(
  { source, signals }: ComparedRecording,
  { from, to }: Span,
  limits: Float64Array,
): Float64Array[] {
  const rows = new RecordedRows(source, signals, from);
  const { values } = rows;
  const found = signals.map(() => new Times());
  const last = new Float64Array(signals.length).fill(Number.NaN);
  /**
   * changes over the last step and the one before; before the first step nothing moves, so that a jump in it
   * shows
   */
  const change = new Float64Array(signals.length);
  const former = new Float64Array(signals.length);
  let ended = Number.NaN;
  for (let time = rows.nextTime; time <= to; time = rows.nextTime) {
    rows.read();
    for (let k = 0; k < values.length; k++) {
      const now = Number.isNaN(last[k]) ? 0 : Math.abs(values[k] - last[k]);
      const stands = change[k] > STANDS_OUT * Math.max(former[k], now);
      if (stands && change[k] > limits[k]) found[k].add(ended);
      former[k] = change[k];
      change[k] = now;
      last[k] = values[k];
    }
    ended = time;
  }
  return found.map((times) => times.taken());
}

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
  /** smallest and largest value away from jumps */
  readonly #least: Float64Array;
  readonly #most: Float64Array;

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
    this.#least = new Float64Array(length).fill(Infinity);
    this.#most = new Float64Array(length).fill(-Infinity);
  }

  /** Largest less smallest value of each signal away from jumps; 0 where there is none. */
  awayRanges(): Float64Array {
    return this.#most.map((value, k) => Math.max(0, value - this.#least[k]));
  }

  /** @param difference and values by signal; @param isAway whether no jump is near */
  add(time: number, difference: Float64Array, values: Float64Array, isAway: boolean): void {
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
      if (isAway) {
        this.#addAway(k, time, magnitude);
        this.#least[k] = Math.min(this.#least[k], values[k]);
        this.#most[k] = Math.max(this.#most[k], values[k]);
      }
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

/** Of a reference. */
export interface RecordingScales {
  /** largest magnitude of each signal */
  readonly scales: Float64Array;
  /** largest less smallest value of each signal */
  readonly ranges: Float64Array;
}

/** The scales of a reference as a comparison with another recording has them, without comparing. */
export function scaleRecording(
  reference: ComparedRecording,
  other: ComparedRecording,
  span: Span,
): RecordingScales {
  return scanRecording(reference, span, timeTolerance(reference, other, span));
}

export interface RecordingComparison extends RecordingScales {
  /** the ranges of what was compared away from jumps */
  readonly awayRanges: Float64Array;
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
    awayRanges: sums.awayRanges(),
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
    sums.add(time, difference, base.last, !zones.contains(time));
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
