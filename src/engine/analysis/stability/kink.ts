/**
 * Whether a border that a motion only touches is one at which the motions nearby have different derivatives
 * on either side. Where the flow beyond it begins as the one before, as of a diode through which a resistor
 * lets no current jump, they have the same: what they differ by goes with a power of the distance above the
 * first.
 */
import type { Graze } from '../../event-driven/tangent/graze-watch';
import { flowEnd } from './flow-map';
import type { MotionModel } from './motion-model';

/** Distance of motions, relative to the sizes of states: far more than that from the border to be found. */
const DELTA = 1e-6;
/** Difference of slopes on either side, relative to the largest of the state, that is one. */
const KINK = 1e-2;
/** Slopes below this, relative to sizes, are rounding. */
const NOTHING = 1e-5;
/** Part of the time up to the touch by which motions go on behind it. */
const BEYOND = 0.05;

/** @param start state at t0 @param sizes of the components of the state */
export function isKinked(
  model: MotionModel,
  t0: number,
  start: Float64Array,
  sizes: Float64Array,
  { time }: Graze,
): boolean {
  const duration = (1 + BEYOND) * (time - t0);
  const endOf = (x: Float64Array): Float64Array | undefined => flowEnd(model, t0, duration, x)?.x;
  const here = endOf(start);
  const unit = (i: number): number => (sizes[i] > 0 ? sizes[i] : 1);
  if (here === undefined) return true;
  for (let j = 0; j < start.length; j++) {
    const slopes = [DELTA, -DELTA].map((part) => {
      const moved = start.slice();
      moved[j] += part * unit(j);
      return endOf(moved)?.map((value, i) => (value - here[i]) / (part * unit(i)));
    });
    const [above, below] = slopes;
    if (above === undefined || below === undefined) return true;
    const largest = Math.max(...above.map(Math.abs), ...below.map(Math.abs));
    const difference = Math.max(...above.map((value, i) => Math.abs(value - below[i])));
    if (largest > NOTHING && difference > KINK * largest) return true;
  }
  return false;
}
