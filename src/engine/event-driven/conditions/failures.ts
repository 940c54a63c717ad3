/** What the user is told where conditions in scripts end a simulation from event to event. */
import { EngineError } from '../../errors';
import type { ConditionSite } from '../../model/conditions';

/** A condition whose outcome drives the motion back to where the other one holds, and so do both. */
export const chatteringCondition = (
  { text, place }: ConditionSite,
  element: string,
  time: number,
): EngineError =>
  new EngineError({
    code: 'condition-chatters',
    message: `At t = ${time} s the condition “${text}” in ${place.name}, line ${place.line}, switches to and fro without end: whichever way it is decided, the motion of “${element}” goes back to its limit.`,
    where: element,
    time,
    script: place,
    remedy:
      'Model the switch as an interaction with a relay law, or friction as a law, which can slide along the limit; or simulate by time-stepping.',
  });
