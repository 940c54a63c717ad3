/** What the cursor reads: recorded samples, never a point between them and never one of another instant. */
import type { ReadResult } from '@contract/methods';

/** One recorded instant. */
export interface Sample {
  runId: string;
  /** time of the values, s */
  t: number;
  values: ReadonlyMap<string, number>;
}

/** Index of the element of an ascending array that is nearest to `t`; −1 when it is empty. */
function nearestIndex(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < t) low = middle + 1;
    else high = middle;
  }
  const before = Math.max(0, low - 1);
  return Math.abs((times[before] ?? 0) - t) < Math.abs((times[low] ?? 0) - t) ? before : high;
}

/**
 * The recorded sample nearest to time `t`; null where none is near, and for a decimated reading, whose points
 * are the extremes of columns of pixels and belong to different instants.
 */
export function sampleNear(result: ReadResult, t: number): Sample | null {
  if (result.rowsPerBucket > 1) return null;
  const [first] = result.signals;
  if (first === undefined) return null;
  const index = nearestIndex(first.t, t);
  const time = first.t[index];
  if (time === undefined) return null;
  const count = first.t.length;
  const begin = first.t[0] ?? time;
  const end = first.t[count - 1] ?? time;
  // Beyond the recorded part by more than a sample or two there is nothing to read.
  const spacing = count > 1 ? (end - begin) / (count - 1) : 0;
  if (t > end + 2 * spacing || t < begin - 2 * spacing) return null;
  const values = new Map<string, number>();
  for (const signal of result.signals) {
    const value = signal.y[index];
    if (value !== undefined && signal.t[index] === time) values.set(signal.name, value);
  }
  return { runId: result.runId, t: time, values };
}

/**
 * Significant digits that tell a time from its neighbour at a distance `spacing`, at least 6 and at most 15.
 */
export function timeDigits(t: number, spacing: number): number {
  if (!(spacing > 0) || t === 0) return 6;
  const digits = Math.floor(Math.log10(Math.abs(t))) - Math.floor(Math.log10(spacing)) + 1;
  return Math.min(15, Math.max(6, digits));
}
