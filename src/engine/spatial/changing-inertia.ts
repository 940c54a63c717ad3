/** Refuses bodies whose inertia is a function of time that begins with what no body has. */
import { EngineError } from '../errors';
import { SPATIAL_STATUS_HELP } from './status';
import type { SpatialSystem } from './system';

/**
 * Takes the inertia of all bodies at the start.
 * @param clock [0] the time, s
 * @throws {EngineError} `inertia-not-positive`
 */
export function requireInertia(system: SpatialSystem, clock: Float64Array): void {
  const unfit = system.takeInertia(clock, clock);
  if (unfit === null) return;
  const { message, remedy } = SPATIAL_STATUS_HELP.inertiaNotPositive;
  throw new EngineError({
    code: 'inertia-not-positive',
    where: unfit.id,
    message: `Of “${unfit.id}” ${message}, at t = ${clock[0]} s.`,
    time: clock[0],
    remedy,
  });
}
