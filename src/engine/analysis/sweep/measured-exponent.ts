/** The largest Lyapunov exponent of a run of a sweep. */
import type { PreparedModel } from '../../preparation/prepare';
import { lyapunovSpectrum } from '../stability/lyapunov';
import { preparedMotion } from '../stability/prepared-motion';
import { startFrom } from './start-state';

/** Times at which the disturbance is made of length one again, at most: the growth between two of them is far from what overflows. */
const INTERVALS = 2000;

/** Where the measured part of a run begins. */
export interface MeasuredStart {
  /** s */
  readonly time: number;
  /** as `stateIn` gives it */
  readonly state: Float64Array;
}

/**
 * λ₁ of the measured part of a run, which is computed once more, with a disturbance. The run itself must be over: the model starts from
 * elsewhere afterwards.
 * @param end of that part, s
 * @returns 1/s; NaN where an event has no derivative, or nothing was measured
 */
export function measuredExponent(
  prepared: PreparedModel,
  { time, state }: MeasuredStart,
  end: number,
): number {
  const duration = end - time;
  if (!(duration > 0)) return NaN;
  startFrom(prepared.model, state);
  const motion = preparedMotion(prepared);
  const interval = Math.max(prepared.settings.h, duration / INTERVALS);
  const found = lyapunovSpectrum(motion, motion.initialState, {
    t0: time,
    transient: 0,
    duration,
    interval,
    count: 1,
  });
  return found.status === 'done' ? found.exponents[0] : NaN;
}
