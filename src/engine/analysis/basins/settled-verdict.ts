/**
 * Whether the equations hold on what motions come to: one turn of it is simulated once more, with its certificate. The many periods before that, which
 * only lead there, are followed without one.
 */
import { motionVerdict, type PointVerdict } from '../point-verdict';
import type { MotionModel } from '../stability/motion-model';
import { type Attractor, type Attractors, type BasinSettings, FAILED, UNSETTLED } from './attractors';

/** Of the motion on an attractor while it repeats once; undefined where it cannot be simulated. */
export function attractorVerdict(
  motion: MotionModel,
  { t0, period }: BasinSettings,
  { points, cycle, ownPeriod }: Attractor,
): PointVerdict | undefined {
  const duration = ownPeriod > 0 ? ownPeriod : cycle * period;
  return motionVerdict(motion, t0, duration, points.slice(0, motion.size));
}

/** Of the last motion that was followed; one that has come to no attractor is judged where it is, for a period. */
export function settledVerdict(
  motion: MotionModel,
  settings: BasinSettings,
  attractors: Attractors,
  attractor: number,
): PointVerdict | undefined {
  if (attractor === FAILED) return undefined;
  return attractor === UNSETTLED
    ? motionVerdict(motion, settings.t0, settings.period, attractors.lastPoint)
    : attractorVerdict(motion, settings, attractors.list[attractor]);
}
