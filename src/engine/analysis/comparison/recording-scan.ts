/** First look at a recording: the scale of its signals and the times of its impacts. */
import { type ComparedRecording, RecordedRows, type Span, Times } from './recorded-rows';

/** Impacts of a run that are kept, eight mebibytes of times. */
const MAX_IMPACTS = 2 ** 20;

export interface RecordingScan {
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
export function scanRecording(
  recording: ComparedRecording,
  { from, to }: Span,
  tolerance: number,
): RecordingScan {
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
export function scanJumps(
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
