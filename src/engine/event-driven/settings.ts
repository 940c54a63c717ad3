/** Settings of an event-driven simulation. */
import type { ImpactChoice } from '../impacts/registry';
import { EVENTS_PER_STEP, SMALLEST_BOUNCE } from '../model/simulation-defaults';
import type { SmoothSettings } from '../smooth/smooth-integrator';
import type { ConstraintSettings } from './joints/formulation';
import { type KnownJumps, NO_JUMPS } from './known-jumps';

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
  /** how the motion between events is computed: exactly where the model allows it, exactly or not at all, integrated */
  readonly flights?: 'automatic' | 'exact' | 'integrated';
  /** how joints are kept between events; projection when absent */
  readonly constraints?: ConstraintSettings;
  /** δ of the differences that replace derivatives which no form gives, s; h/40 when absent */
  readonly difference?: number;
  /** height of a bounce, relative to the largest lengths in the gap so far, below which the contact stays closed */
  readonly smallestBounce?: number;
  /** events within one step of the discretisation before they count as infinitely many */
  readonly maxEventsPerStep?: number;
  /** resolution at which conditions that cannot be followed are sampled, s; h when absent */
  readonly fastest?: number;
  /** times at which functions of time may jump though their source does not show it; none when absent */
  readonly jumps?: KnownJumps;
  /** whether the certificate judges the motion between events */
  readonly certify?: boolean;
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
  flights: 'automatic',
  constraints: { type: 'Projection' },
  difference: settings.h / 40,
  smallestBounce: SMALLEST_BOUNCE,
  maxEventsPerStep: EVENTS_PER_STEP,
  fastest: settings.h,
  jumps: NO_JUMPS,
  certify: true,
  ...settings,
});
