/** An event where functions have conditions: outcomes decide forces and so modes, and impacts may change outcomes. */
import { EngineError } from '../../errors';
import type { EventHandling } from '../event-handling';
import type { HeldConditions } from './held-conditions';

/** Decisions in turn before they count as without end. */
const MOST_ROUNDS = 16;

const undecided = (time: number): EngineError =>
  new EngineError({
    code: 'condition-undecided',
    message: `At t = ${time} s conditions in script functions and the modes of interactions change each other without end.`,
    time,
    remedy: 'Model the switch as an interaction with a law of its own, or simulate by time-stepping.',
  });

/**
 * Processes the event at the state x, with outcomes that hold behind it; see `EventHandling.process`.
 * @throws {EngineError}
 */
export function decideHeld(
  handling: EventHandling,
  conditions: HeldConditions,
  clock: Float64Array,
  x: Float64Array,
  isStart: boolean,
): void {
  if (conditions.settle(clock, x, !isStart)) handling.read(clock, x);
  handling.process(clock, x, isStart);
  // Outcomes are settled already where nothing that they depend on has changed.
  if (!isStart && !handling.hasChanged) return;
  for (let round = 0; conditions.settle(clock, x, true); round++) {
    if (round === MOST_ROUNDS) throw undecided(clock[0]);
    handling.decideAgain(clock, x, isStart);
  }
}
