/** Contact dynamics of a compiled model with the settings of a document. */
import { ContactDynamics, type ContactDynamicsSettings } from '../../contact-dynamics/contact-dynamics';
import type { JointPoint } from '../../contact-dynamics/settings';
import { DetectedContacts, NoContacts } from '../../contact-dynamics/contacts/detected-contacts';
import type { GalerkinSettings } from '../../contact-dynamics/schemes/galerkin-steps';
import { ScriptedContacts } from '../../contact-dynamics/contacts/scripted-contacts';
import type { ContactSource } from '../../contact-dynamics/contacts/contact-list';
import type { SchemeSettings } from '../../contact-dynamics/schemes/registry';
import type { ElementSettings } from '../../document/element-settings';
import type { SimulationSettings } from '../../document/settings';
import { FRICTION_TOLERANCE, WRITTEN_OUT } from '../../model/settings/friction-solvers';
import { d1MinusLinear, moreauJean } from '../../model/settings/integrators';
import { NaturalUnits } from '../../solvers/friction/equilibrated';
import { createFrictionSolver } from '../../solvers/friction/registry';
import { SameAgain } from '../../solvers/friction/same-again';
import type { ProjectionMetric } from '../../spatial/projection';
import type { ContactDetection } from '../../collision/contact-detection';
import { impactChoice } from '../../preparation/settings';
import type { CompiledSpace } from '../../preparation/spatial/compile';

/** The fields of the definition of the integrator that all bodies have. */
function motionSettings({
  integrators,
}: SimulationSettings): Pick<
  ContactDynamicsSettings,
  'motion' | 'jointPoint' | 'projects' | 'combined' | 'metric' | 'projection' | 'overlap'
> {
  const [{ type, numbers, choices, given }] = integrators;
  if (type === d1MinusLinear.type) return { motion: galerkinSettings(numbers, choices), projects: false };
  const overlap = given.has('overlap') ? { overlap: numbers.overlap } : {};
  const { gyroscopic, loads } = choices;
  const { theta, forecast } = numbers;
  const motion = type === moreauJean.type ? { theta, forecast, gyroscopic } : { gyroscopic, loads };
  return {
    motion: motion as SchemeSettings,
    ...(type === moreauJean.type ? { jointPoint: choices.relationPoint as JointPoint } : {}),
    projects: choices.projection !== 'no',
    combined: choices.projection === 'combined',
    metric: choices.metric as ProjectionMetric,
    projection: {
      maxIterations: numbers.projectionIterations,
      ...(given.has('projectionTolerance') ? { tolerance: numbers.projectionTolerance } : {}),
    },
    ...overlap,
  };
}

const galerkinSettings = (
  { closedGap, restingRate, kept }: Readonly<Record<string, number>>,
  { level, direction, besideImpacts }: Readonly<Record<string, string>>,
): GalerkinSettings => ({
  level: level === 'acceleration' ? 'acceleration' : 'velocity',
  closedGap,
  restingRate,
  kept,
  direction: direction === 'predicted' ? 'predicted' : 'start',
  besideImpacts: besideImpacts === 'dropped' ? 'dropped' : 'kept',
});

/** The name of the solver of one contact, where sweeps are to have another than their own. */
const localOf = ({ choices }: ElementSettings): string | undefined =>
  'local' in choices && choices.local !== WRITTEN_OUT ? choices.local : undefined;

/** The iteration limit and the like, by the names that the solver knows them by. */
const solverNumbers = ({ numbers }: ElementSettings): Record<string, number> =>
  Object.fromEntries(Object.entries(numbers).filter(([key]) => key !== 'tolerance'));

/** The automatic solver has another default where there is no friction in space. */
const toleranceOf = ({ type, numbers, given }: ElementSettings): number =>
  type === 'auto' && !given.has('tolerance') ? FRICTION_TOLERANCE : numbers.tolerance;

/** Contacts of shapes, with those that scripts give. */
const contactSource = ({ scripted, materials }: CompiledSpace, detected: ContactSource): ContactSource =>
  scripted.length === 0
    ? detected
    : new ScriptedContacts(scripted, detected, scripted.length < materials.length);

/**
 * @param detection of the model's shapes @param t0 time of the state it starts from, s
 * @param isDivided whether steps may be shorter than h
 */
export function createDynamics(
  space: CompiledSpace,
  detection: ContactDetection,
  settings: SimulationSettings,
  t0: number,
  isDivided = false,
): ContactDynamics {
  const { solver, h, stepControl } = settings;
  const { system, pairs, materials, motions } = space;
  const found = (own: ContactDetection): ContactSource =>
    contactSource(space, materials.length === 0 ? new NoContacts() : new DetectedContacts(own, pairs));
  const contacts = (): ContactSource => found(space.detection());
  const projectsContacts = materials.length > 0 && settings.integrators[0].choices.projectContacts === 'yes';
  return new ContactDynamics(
    system,
    found(detection),
    materials,
    new SameAgain(
      new NaturalUnits(createFrictionSolver(solver.type, solverNumbers(solver), localOf(solver))),
    ),
    {
      t0,
      h,
      ...(stepControl !== null || isDivided ? { hMax: stepControl?.hMax ?? h } : {}),
      tolerance: toleranceOf(solver),
      kinematicBodies: motions,
      ...(projectsContacts ? { projectedContacts: { source: contacts(), check: contacts() } } : {}),
      impacts: impactChoice(settings.impacts),
      ...motionSettings(settings),
    },
  );
}
