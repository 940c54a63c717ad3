/**
 * Jumps of signals in a recording by steps of one length.
 *
 * Steps of a smooth signal change it by about as much as their neighbours; one with a jump in it changes it by much more. Of two steps that
 * share a jump, neither stands out, and the jump is not seen: nor would it be one for a comparison, which leaves two steps around it out.
 */
import type { ComparedRecording, Span } from './compared-recording';
import { RecordedRows } from './recorded-rows';
import { Times } from './times';

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
  /** changes over the last step and the one before; before the first step nothing moves, so that a jump in it shows */
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
