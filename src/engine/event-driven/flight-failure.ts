/** Why an integration between events came to its end, as an error that names the place. */
import type { EngineError } from '../errors';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { SmoothStatus } from '../smooth/status';
import { componentName, jointFailure, singularMass, smoothFailure } from './failures';
import type { Flights } from './flights';
import type { FreeMotion } from './free-motion';
import type { JointFormulation } from './joints/formulation';
import type { RowEvents } from './row-events';
import type { SmoothFlow } from './smooth-flow';

export interface FailedParts {
  readonly model: NonSmoothDynamicalSystem;
  readonly integrator: Flights;
  readonly motion: FreeMotion;
  readonly joints: JointFormulation;
  readonly flow: SmoothFlow;
  readonly functions: RowEvents;
}

/** The cause comes before what the integrator has seen of it: a mass that is singular, joints whose block is. */
export function flightFailure(
  status: Exclude<SmoothStatus, 'reached' | 'root'>,
  { model, integrator, motion, joints, flow, functions }: FailedParts,
): EngineError {
  const { clock: present, x } = integrator;
  if (motion.singular >= 0) return singularMass(model.systems[motion.singular].id, present[0]);
  if (joints.isSingular(present, x)) return jointFailure('singularDependentBlock', present[0]);
  const { index, clock } = integrator.failure;
  const { offsets, velocity } = flow.places;
  if (index < 0) return smoothFailure(status, '', clock[0]);
  const place =
    status === 'eventNotFinite' ? functions.describe(index) : componentName(model, offsets, velocity, index);
  return smoothFailure(status, place, clock[0]);
}
