/** Settings of an event-driven simulation. */
import type { ImpactChoice } from '../impacts/registry';
import type { Samples } from '../model/control/samples';
import { EVENTS_PER_STEP, SMALLEST_BOUNCE } from '../model/settings/common';
import type { PresenceRule } from '../model/settings/presences';
import type { ResetRule } from '../model/resets/reset';
import type { SmoothSettings } from '../smooth/smooth-integrator';
import type { EventsManager } from './events-manager';
import type { ConstraintSettings } from './joints/formulation';

/*
 * Times at which functions of time jump, as the settings of a model name them: their source need not show
 * them.
 */

/** Jumps at from + k every, k = 0, 1, …, not beyond `until`; s. */
interface PeriodicJumps {
  readonly from: number;
  readonly every: number;
  readonly until: number;
}

export interface KnownJumps {
  /** s */
  readonly times: readonly number[];
  readonly periodic: readonly PeriodicJumps[];
}

const NO_JUMPS: KnownJumps = { times: [], periodic: [] };

/** Schedules an event. @returns whether its time lies ahead */
export type Schedule = (time: number, action: () => void) => boolean;

/** Being an event is enough: the integration restarts there. */
const doNothing = (): void => undefined;

/**
 * Schedules the jumps between the present and the end of the simulation. Each one of a period schedules the
 * next.
 */
export function scheduleJumps(
  { times, periodic }: KnownJumps,
  { startingTime: present, finalTime: end }: EventsManager,
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

export interface EventDrivenSettings {
  readonly t0: number;
  readonly tEnd: number;
  /** distance of the points of the time discretisation, at which there are rows without an event, s */
  readonly h: number;
  /** solver of the problems at events */
  readonly solver?: string;
  /** largest relative residual of a solution */
  readonly solverTolerance?: number;
  /** law of impacts at several contacts at once; Newton's when absent */
  readonly impacts?: ImpactChoice;
  /** of the integration between events */
  readonly relativeTolerance?: number;
  /** in the units of each state */
  readonly absoluteTolerance?: number;
  readonly method?: SmoothSettings['method'];
  /** of generalised-α with steps from one point of the discretisation to the next; null for other methods */
  readonly spectralRadius?: number | null;
  /**
   * how the motion between events is computed: exactly where the model allows it, exactly or not at all,
   * integrated
   */
  readonly flights?: 'automatic' | 'exact' | 'integrated';
  /** how joints are kept between events; projection when absent */
  readonly constraints?: ConstraintSettings;
  /** δ of the differences that replace derivatives which no form gives, s; h/40 when absent */
  readonly difference?: number;
  /**
   * height of a bounce, relative to the largest lengths in the gap so far, below which the contact stays
   * closed
   */
  readonly smallestBounce?: number;
  /** events within one step of the discretisation before they count as infinitely many */
  readonly maxEventsPerStep?: number;
  /** resolution at which conditions that cannot be followed are sampled, s; h when absent */
  readonly fastest?: number;
  /** times at which functions of time may jump though their source does not show it; none when absent */
  readonly jumps?: KnownJumps;
  /** whether the certificate judges the motion between events */
  readonly certify?: boolean;
  /** of control blocks; nothing is sampled where it is absent */
  readonly samples?: Samples | null;
  /** conditions of interactions that come and go; all are always there when absent */
  readonly presence?: readonly PresenceRule[];
  /** jumps of states; none when absent */
  readonly resets?: readonly ResetRule[];
  /** state x = q | v to start from (`state-places.ts`); that of the forms when absent */
  readonly start?: Float64Array;
}

export type CompleteSettings = Required<Omit<EventDrivenSettings, 'start'>> &
  Pick<EventDrivenSettings, 'start'>;

export const completeSettings = (settings: EventDrivenSettings): CompleteSettings => ({
  solver: 'auto',
  solverTolerance: 1e-10,
  impacts: { type: 'Newton' },
  relativeTolerance: 1e-11,
  absoluteTolerance: 1e-12,
  method: 'automatic',
  spectralRadius: null,
  flights: 'automatic',
  constraints: { type: 'Projection' },
  difference: settings.h / 40,
  smallestBounce: SMALLEST_BOUNCE,
  maxEventsPerStep: EVENTS_PER_STEP,
  fastest: settings.h,
  jumps: NO_JUMPS,
  certify: true,
  samples: null,
  resets: [],
  presence: [],
  ...settings,
});

/**
 * Schedules the next sample of control blocks, and at that the one after it: the integration goes up to its
 * time, and modes are decided with what it holds.
 * @param row of the present
 */
export function scheduleSamples(samples: Samples | null, manager: EventsManager, row: Float64Array): void {
  if (samples === null) return;
  const time = samples.nextTime;
  // One that rounding puts behind the end is at the end.
  if (time > manager.finalTime && !samples.isDue(manager.finalTime)) return;
  manager.schedule(time, () => {
    samples.sample(row, manager.startingTime);
    scheduleSamples(samples, manager, row);
  });
}
