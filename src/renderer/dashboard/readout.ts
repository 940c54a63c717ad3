import type { SignalWindow } from '@contract/methods';

/** The drawn value nearest to time `t`; null where nothing is drawn near it. */
export function valueAt(signal: Pick<SignalWindow, 't' | 'y'>, t: number): number | null {
  const { t: times, y } = signal;
  const count = times.length;
  if (count === 0) return null;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < t) low = middle + 1;
    else high = middle;
  }
  const last = times[count - 1] ?? 0;
  const first = times[0] ?? 0;
  // Beyond the drawn part by more than a point or two there is nothing to read.
  const spacing = count > 1 ? (last - first) / (count - 1) : 0;
  if (t > last + 2 * spacing || t < first - 2 * spacing) return null;
  const before = Math.max(0, low - 1);
  const nearer = Math.abs((times[before] ?? 0) - t) < Math.abs((times[low] ?? 0) - t) ? before : low;
  return y[nearer] ?? null;
}
