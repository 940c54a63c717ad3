import type { MotionModel } from '../stability/motion-model';

/** The model at a value of the parameter; forced with a period. */
export interface ForcedMotion {
  readonly motion: MotionModel;
  /** s; of an orbit of several periods of the forcing, all of them */
  readonly period: number;
  /** start of the orbit, s: the same phase of the forcing at all values */
  readonly t0: number;
}
