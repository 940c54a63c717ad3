/**
 * Walk along the distance to a moving target by steps that cannot pass a zero. With K ≥ |g̈| on the arc,
 *
 *     |g(τ + s)| ≥ |g| + r s − K s²/2,   r = ġ sign g,
 *
 * so that there is no zero before the positive root s of the right side. Far from zero the steps are long; towards a zero that
 * is passed with a slope they converge as Newton's method does, from before it. From a zero on, g has the sign of
 * ±ġ as long as |ġ| s > K s²/2, and the next place is half-way there. So the sweep sees g on both sides of each zero, and no
 * zero lies unseen between two places.
 */
import type { SignSweep } from '../smooth/sign-sweep';
import type { MovingDistance } from './moving-target';

export type MovingOutcome = 'none' | 'root' | 'notFinite' | 'unresolved';

/** Steps along one arc; a bound K that needs more is of no use. */
const MOST_STEPS = 100_000;
/** Shortest step, relative to the place: what a zero could hide in is not resolved. */
const SHORTEST = Number.EPSILON;

/**
 * @param distance evaluated at the start of the arc, which the sweep has taken
 * @param band [0] values up to this count as zero
 */
export function walkMoving(distance: MovingDistance, band: Float64Array, sweep: SignSweep): MovingOutcome {
  const { place, result, curvature, length } = distance;
  const end = length[0];
  const bound = Math.max(curvature[0], Number.MIN_VALUE);
  for (let step = 0; step < MOST_STEPS; step++) {
    if (place[0] >= end) return 'none';
    const size = Math.abs(result[0]);
    const zero = Math.max(result[2], band[0]);
    const rate = result[0] > 0 ? result[1] : -result[1];
    let reach = 0;
    if (size > zero) {
      const root = Math.sqrt(rate * rate + 2 * bound * size);
      reach = rate > 0 ? (rate + root) / bound : (2 * size) / (root - rate);
    } else {
      reach = Math.max(Math.abs(rate) / bound, Math.sqrt((2 * zero) / bound));
    }
    place[0] = Math.min(end, place[0] + Math.max(reach, SHORTEST * place[0]));
    distance.evaluate();
    if (!Number.isFinite(result[0])) return 'notFinite';
    sweep.point[0] = place[0];
    sweep.point[1] = result[0];
    sweep.zero[0] = Math.max(result[2], band[0]);
    if (sweep.take()) return 'root';
  }
  return 'unresolved';
}
