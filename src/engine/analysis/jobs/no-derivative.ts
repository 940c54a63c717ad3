/** Events that disturbances cannot be carried across, in words. */
import { EngineError } from '../../errors';
import type { TangentBreak } from '../../event-driven/tangent/tangent-motion';

const WHY: Readonly<Record<TangentBreak['status'], string>> = {
  grazing: 'a contact is grazed',
  simultaneous: 'several events happen at once and depend on each other',
  redundant: 'the impulses are not determined by the rows that push',
  law: 'the law of impacts has no derivative there',
};

/** @param what has the event */
export const noDerivative = (
  what: 'orbit' | 'motion',
  { status, time, element }: TangentBreak,
  remedy: string,
): EngineError =>
  new EngineError({
    code: 'not-differentiable',
    message: `The ${what} has an event that cannot be differentiated, at t = ${time} s: ${WHY[status]}.`,
    where: element,
    remedy,
  });
