/** What is read out of a comparison of runs, by every door the same. */
import type { CompareResult } from './runs';

/** A shared beginning shorter than this share of the whole is no motion to be compared by itself. */
const LEAST_TOGETHER = 0.02;
/** Signals so much smaller than the largest of their kind are zero but for rounding. */
const NEGLIGIBLE = 1e-9;

/**
 * Time until which all runs agree, s, where even the last one, which has the shortest step, leaves the
 * reference; else null. From there on their differences are as large as the motion, and no order shows in
 * them.
 */
export function separation({ from, to, signals, others }: CompareResult): number | null {
  const largest = (kind: string): number =>
    Math.max(...signals.map((signal) => (signal.kind === kind ? signal.scale : 0)));
  const counts = signals.map(
    ({ kind, scale }) => kind !== 'observable' && scale > NEGLIGIBLE * largest(kind),
  );
  const agreed = others.map((other) =>
    Math.min(to, ...other.signals.map(({ agreesUntil }, k) => (counts[k] ? agreesUntil : to))),
  );
  const finest = agreed.at(-1) ?? to;
  const common = Math.min(...agreed);
  return finest < to && common - from >= LEAST_TOGETHER * (to - from) ? common : null;
}
