/**
 * The difference of two recorded runs of one model, in bounded memory: a chunk of each recording, and the times of
 * their impacts.
 *
 * Runs are compared at the times of the one with fewer rows. The rows of the other at these times are found by value;
 * steps that are halved give every time of the longer step again, to the last bit. Only where there is no such row, the
 * other run is interpolated linearly between its neighbours, on the side of a jump on which the time lies, and the
 * number of these times is told. Rows of an event, which have a time of their own, are compared only with rows of that
 * time. Where a recording has rows before and after a jump, the value after it counts.
 */
import type { ContactDifference, RunDifference } from './comparison';
import { type ComparedRecording, resolution, type Span, timeTolerance } from './compared-recording';
import { type ImpactMatch, matchImpacts, timeDifferences } from './impact-matching';
import { scanJumps } from './jump-scan';
import { JumpZones } from './jump-zones';
import { RecordedTimes } from './recorded-rows';
import { type RecordingScan, scanRecording } from './recording-scan';
import { agreement, SignalSums } from './signal-sums';

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
 * @param names of the signals, @param contacts of which both recordings have the impulse; both in the order of the columns
 * @param limits difference up to which each signal agrees; 1 % of its largest magnitude where absent
 * @param jumps change in a step from which on each signal may have a jump, which is left out; where absent, impacts are the only ones
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
