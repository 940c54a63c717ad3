/** Failures that an integrator reports: they name the system, the time and the step. */
import { EngineError } from '../errors';
import type { StepContext } from './step';

/** Error for an iteration matrix that is singular to rounding. @param matrix its formula, for the message */
export function singularIteration(context: StepContext, system: number, matrix: string): EngineError {
  const id = context.ids[system];
  const h = context.h[0];
  const time = context.clock[0];
  return new EngineError({
    code: 'iteration-matrix-singular',
    message: `The iteration matrix ${matrix} of “${id}” is singular at h = ${h} s, t = ${time} s.`,
    where: id,
    time,
    remedy: 'Check the signs of the matrices of the system, or change the time step.',
  });
}
