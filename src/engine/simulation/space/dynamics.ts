/** Contact dynamics of a compiled model with the settings of a document. */
import { ContactDynamics, type ContactDynamicsSettings } from '../../contact-dynamics/contact-dynamics';
import { DetectedContacts } from '../../contact-dynamics/detected-contacts';
import type { ElementSettings } from '../../document/element-settings';
import type { SimulationSettings } from '../../document/settings';
import { FRICTION_TOLERANCE } from '../../model/settings-friction-solvers';
import { moreauHalfStep } from '../../model/settings-integrators';
import { NaturalUnits } from '../../solvers/friction/natural-units';
import { createFrictionSolver } from '../../solvers/friction/registry';
import type { RigidBodyMotionSettings } from '../../spatial/rigid-body-motion';
import type { ContactDetection } from '../../collision/contact-detection';
import type { CompiledSpace } from './compile';

/** The fields of the integrator's definition. */
function motionSettings(
  settings: SimulationSettings,
): Pick<ContactDynamicsSettings, 'motion' | 'projects' | 'overlap'> {
  const integrator = settings.integrators.find(({ type }) => type === moreauHalfStep.type);
  const overlap = integrator?.given.has('overlap') === true ? { overlap: integrator.numbers.overlap } : {};
  const gyroscopic = (integrator?.choices.gyroscopic ??
    'conserving') as RigidBodyMotionSettings['gyroscopic'];
  return { motion: { gyroscopic }, projects: integrator?.choices.projection !== 'no', ...overlap };
}

/** The iteration limit and the like, by the names that the solver knows them by. */
const solverNumbers = ({ numbers }: ElementSettings): Record<string, number> =>
  Object.fromEntries(Object.entries(numbers).filter(([key]) => key !== 'tolerance'));

/** The automatic solver has another default where there is no friction in space. */
const toleranceOf = ({ type, numbers, given }: ElementSettings): number =>
  type === 'auto' && !given.has('tolerance') ? FRICTION_TOLERANCE : numbers.tolerance;

/** @param detection of the model's shapes @param t0 time of the state it starts from, s */
export function createDynamics(
  { system, pairs, materials }: CompiledSpace,
  detection: ContactDetection,
  settings: SimulationSettings,
  t0: number,
): ContactDynamics {
  const { solver, h } = settings;
  return new ContactDynamics(
    system,
    new DetectedContacts(detection, pairs),
    materials,
    new NaturalUnits(createFrictionSolver(solver.type, solverNumbers(solver))),
    { t0, h, tolerance: toleranceOf(solver), ...motionSettings(settings) },
  );
}
