/**
 * Comparing section points of two programs over many values of a parameter. Only periodic motions can be
 * compared: chaotic ones separate from the least rounding, in both programs.
 */
import type { Measurement } from '../benchmark';

/** Last section points that are compared, and the longest period of a motion that is called periodic. */
export const KEPT = 32;
const LONGEST = 8;
/** Section points of a periodic motion repeat to so much. */
const SAME = 1e-9;
/** Section points further apart belong to different motions. */
const OTHER_MOTION = 1e-3;

/** Largest difference of section points from `a` and from `b` on; NaN where a point has failed. */
function apart(
  ours: readonly number[],
  theirs: readonly number[],
  [a, b, count]: readonly [number, number, number],
): number {
  let largest = 0;
  for (let k = 0; k < 2 * count; k++)
    largest = Math.max(largest, Math.abs(ours[2 * a + k] - theirs[2 * b + k]));
  return largest;
}

/** Number of section points after which a motion repeats; null for none up to LONGEST. */
function periodOf(points: readonly number[]): number | null {
  for (let period = 1; period <= LONGEST; period++)
    if (apart(points, points, [0, period, KEPT - period]) < SAME) return period;
  return null;
}

/** Of KEPT section points of two numbers for each value. */
export function comparePeriodic(ours: readonly number[], theirs: readonly number[]): Measurement[] {
  let [failed, periodic, elsewhere, largest] = [0, 0, 0, 0];
  for (let at = 0; at < ours.length; at += 2 * KEPT) {
    const [a, b] = [ours, theirs].map((points) => points.slice(at, at + 2 * KEPT));
    if (a.some(Number.isNaN)) failed++;
    const period = periodOf(a);
    if (period === null || periodOf(b) !== period) continue;
    periodic++;
    // What comes before the motion is periodic may have been chaotic: it may have begun at any of its points.
    const shifts = Array.from({ length: period }, (_, shift) => apart(a, b, [0, shift, period]));
    const least = Math.min(...shifts);
    if (least > OTHER_MOTION) elsewhere++;
    else largest = Math.max(largest, least);
  }
  return [
    { quantity: '  points of the diagram that failed', value: failed, unit: '' },
    { quantity: '  those with periodic motion', value: periodic, unit: '' },
    { quantity: '  of them, settled on another one', value: elsewhere, unit: '' },
    { quantity: '  largest difference of the others', value: largest, unit: '' },
  ];
}
