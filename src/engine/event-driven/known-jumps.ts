/** Times at which functions of time jump, as the settings of a model name them: their source need not show them. */

/** Jumps at from + k every, k = 0, 1, …, not beyond `until`; s. */
export interface PeriodicJumps {
  readonly from: number;
  readonly every: number;
  readonly until: number;
}

export interface KnownJumps {
  /** s */
  readonly times: readonly number[];
  readonly periodic: readonly PeriodicJumps[];
}

export const NO_JUMPS: KnownJumps = { times: [], periodic: [] };

/** Schedules an event. @returns whether its time lies ahead */
export type Schedule = (time: number, action: () => void) => boolean;

/** Being an event is enough: the integration restarts there. */
const doNothing = (): void => undefined;

/**
 * Schedules the jumps between the present and the end. Each one of a period schedules the next.
 * @param present s
 * @param end s
 */
export function scheduleJumps(
  { times, periodic }: KnownJumps,
  present: number,
  end: number,
  schedule: Schedule,
): void {
  for (const time of times) if (time > present && time < end) schedule(time, doNothing);
  for (const jumps of periodic) schedulePeriodic(jumps, present, end, schedule);
}

function schedulePeriodic(
  { from, every, until }: PeriodicJumps,
  present: number,
  end: number,
  schedule: Schedule,
): void {
  const scheduleFrom = (k: number): void => {
    const time = from + k * every;
    if (time > until || time >= end) return;
    const isAhead = schedule(time, () => {
      scheduleFrom(k + 1);
    });
    // Rounding may have put the first one behind the present.
    if (!isAhead && time <= present) scheduleFrom(k + 1);
  };
  scheduleFrom(Math.max(0, Math.floor((present - from) / every)));
}
