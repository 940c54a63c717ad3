/**
 * Which settings of a simulation go with a model: with 3D bodies and without them, and with laws of contact.
 */
import { DEFAULTS as IN_RESERVE } from '../document/integrator-assignment';
import type { SimulationSettings } from '../document/settings';
import type { DocumentIssue, SimulationDocument } from '../document/types';
import { EngineError } from '../errors';
import type { ElementDefinition } from '../model/definition';
import {
  advances,
  flightDefinitions,
  formulationDefinitions,
  frictionSolverDefinitions,
  integratorDefinitions,
  problemDefinitions,
} from '../model/registry';
import { SYMMETRIC_ONLY } from '../model/settings/friction-solvers';
import type { SpaceModel } from '../model/space/space';
import { requireStableStep } from '../spatial/bodies/critical-step';
import type { CompiledSpace } from './spatial/compile';
import type { ElementSettings } from '../document/element-settings';
import type { ImpactChoice } from '../impacts/registry';
import { createContactLaw } from '../model/contact-laws/registry';
import { determination, graphOf } from '../model/laws/determined-graphs';
import { isMonotone } from '../model/laws/piecewise-linear';
import { newtonImpacts } from '../model/settings/impacts';
import { forceDefect } from '../model/settings/force-rules';
import { gammaOf, moreauJean } from '../model/settings/integrators';
import { isProjected, projectionBySystem, projectionDefect } from '../model/settings/projection-rules';
import type { NonSmoothDynamicalSystem, NonSmoothLaw, Relation } from '../model/nsds';

/** Suits every model. */
const AUTOMATIC = 'auto';

const ofSpace = (definitions: readonly ElementDefinition[], type: string): boolean =>
  definitions.some((definition) => definition.type === type && definition.order === 'body');

/**
 * Reports settings that the model cannot be simulated with.
 * @param space null where it has no 3D bodies
 * @param hasCones whether contacts of coordinates have friction in a tangent plane
 */
export function checkSpaceSettings(
  document: SimulationDocument,
  settings: SimulationSettings,
  space: SpaceModel | null,
  hasCones: boolean,
  issues: DocumentIssue[],
): void {
  const report = (key: string, code: string, message: string, remedy: string): void => {
    issues.push({ severity: 'error', code, pointer: `/simulation/${key}`, message, remedy });
  };
  const hasSpace = space !== null;
  const kinds = [
    ['problem', 'one-step problem', settings.problem.type, problemDefinitions],
    ['solver', 'solver', settings.solver.type, frictionSolverDefinitions],
  ] as const;
  for (const [key, what, type, definitions] of kinds) {
    if (type === AUTOMATIC || ofSpace(definitions, type) === (hasSpace || hasCones)) continue;
    const known = definitions.filter(({ order }) => order === 'body').map((definition) => definition.type);
    if (hasSpace || hasCones)
      report(
        `${key}/type`,
        `${key}-without-space`,
        `The ${what} ${type} is not for ${hasSpace ? '3D bodies' : 'friction in a tangent plane or plasticity'}.`,
        `Choose ${AUTOMATIC}, or one of ${known.join(', ')}.`,
      );
    else
      report(
        `${key}/type`,
        `${key}-of-space`,
        `The ${what} ${type} is for 3D bodies, friction in a tangent plane and plasticity, and the model has none of these.`,
        `Choose ${AUTOMATIC}.`,
      );
  }
  if (!hasSpace) return;
  const rolls = space.interactions.find(
    ({ law }) => law?.rolling !== undefined || law?.spinning !== undefined,
  );
  if (rolls !== undefined && SYMMETRIC_ONLY.has(settings.solver.type)) {
    const others = frictionSolverDefinitions
      .map(({ type }) => type)
      .filter((type) => !SYMMETRIC_ONLY.has(type));
    report(
      'solver/type',
      'solver-of-moments',
      `The solver ${settings.solver.type} needs a symmetric W, which contacts with rolling or spinning friction, as of “${rolls.id}”, do not have.`,
      `Choose ${AUTOMATIC}, or one of ${others.join(', ')}.`,
    );
  }
  const [{ type, choices }] = settings.integrators;
  if (choices.projection === 'combined' && (choices.relationPoint ?? 'predicted') !== 'predicted')
    report(
      `integrators/${document.integrators.findIndex((integrator) => integrator.type === type)}/relationPoint`,
      'rows-of-combined-projection',
      'Combined projection corrects velocities by rows of joints at the predicted position.',
      'Choose the predicted position, or projection of the positions alone.',
    );
  const several = document.integrators.filter(({ type }) =>
    integratorDefinitions.some((definition) => definition.type === type && advances(definition, 'body')),
  );
  const types = new Set(settings.integrators.map(({ type }) => type));
  if (several.length > 1 || (several.length === 1 && types.size > 1))
    report(
      `integrators/${document.integrators.indexOf(several[several.length - 1])}`,
      'integrators-of-space',
      'All 3D bodies are advanced together, by one integrator.',
      'Let one integrator take them all: name no systems, and remove the others.',
    );
}

/* Whether a projection of positions has something to project, and what cannot stand beside it. */

/** Settings of a projection, which say nothing without one. */
const OF_PROJECTION = ['metric', 'projectionTolerance', 'projectionIterations'] as const;

/** @param space null where the model has no 3D bodies */
export function checkProjection(
  document: SimulationDocument,
  { integrators, scheme }: SimulationSettings,
  model: NonSmoothDynamicalSystem,
  space: CompiledSpace | null,
  issues: DocumentIssue[],
): void {
  // Between events positions are kept by the formulation of constraints.
  if (scheme !== 'time-stepping') return;
  const settings = space === null ? projectionBySystem(model, integrators) : [];
  const defect = projectionDefect(model, settings);
  const named = new Set(document.integrators.flatMap(({ systems = [] }) => systems));
  const isTaken = ({ systems }: (typeof document.integrators)[number], id: string): boolean =>
    systems === undefined ? !named.has(id) : systems.includes(id);
  document.integrators.forEach((own, i) => {
    const given = own as unknown as Readonly<Record<string, unknown>>;
    const report: ReportSetting = (severity, key, code, message, remedy) => {
      issues.push({ severity, code, pointer: `/simulation/integrators/${i}/${key}`, message, remedy });
    };
    const isOff = given.projection === undefined || given.projection === 'no';
    if (space !== null) {
      const { equations, limits } = space.system;
      const takesContacts = given.projectContacts === 'yes';
      if (!isOff && equations.count + limits.count === 0 && !(takesContacts && space.contacts.length > 0))
        report('warning', 'projection', 'projection-without-effect', NOTHING_TO_PROJECT, NO_PROJECTION);
      if (takesContacts) checkContacts(given, space, report);
      if (given.projection === 'no') checkIdleProjection(given, report);
      return;
    }
    if (own.type !== moreauJean.type) return;
    if (isOff) {
      checkIdleProjection(given, report);
      return;
    }
    if (given.metric === 'velocity')
      report(
        'error',
        'metric',
        'metric-of-bodies',
        'The metric of displacements and turns (velocity) is for 3D bodies, and this model has coordinates.',
        'Choose mass or euclidean.',
      );
    if (defect !== null) {
      const { code, message, where, remedy = '' } = defect.details;
      issues.push({
        severity: 'error',
        code,
        pointer: `/simulation/integrators/${i}/projection`,
        message,
        remedy,
        ...(where === undefined ? {} : { element: where }),
      });
      return;
    }
    const has = model.interactions.some(
      (one) => isProjected(one) && one.systems.some((s) => isTaken(own, model.systems[s].id)),
    );
    if (!has) report('warning', 'projection', 'projection-without-effect', NOTHING_TO_PROJECT, NO_PROJECTION);
  });
}

type ReportSetting = (
  severity: 'error' | 'warning',
  key: string,
  code: string,
  message: string,
  remedy: string,
) => void;

/** Warns of what is set of a projection that is off. */
function checkIdleProjection(given: Readonly<Record<string, unknown>>, report: ReportSetting): void {
  for (const key of OF_PROJECTION)
    if (given[key] !== undefined)
      report(
        'warning',
        key,
        'setting-without-effect',
        `“${key}” is a setting of the projection of positions, which is off here.`,
        'Leave it out, or set “projection” to yes or combined.',
      );
}

/** What contacts of 3D bodies in the projection cannot be beside. */
function checkContacts(
  given: Readonly<Record<string, unknown>>,
  { contacts }: CompiledSpace,
  report: ReportSetting,
): void {
  if (given.projection === 'no')
    report(
      'error',
      'projectContacts',
      'contacts-without-projection',
      'Contacts are to be projected, and the projection of positions is off.',
      'Set “projection” to yes, or leave the contacts out of it.',
    );
  else if (given.overlap !== undefined)
    report(
      'error',
      'overlap',
      'overlap-beside-projection',
      'Overlaps are to be removed after each step, and the projection of positions takes contacts in: both would move the bodies.',
      'Leave out the removal of overlaps, or the contacts of the projection.',
    );
  else if (contacts.length === 0)
    report('warning', 'projectContacts', 'projection-without-effect', NO_CONTACTS, NO_PROJECTION);
}

const NO_CONTACTS = 'Contacts are to be projected, and the model has none: it has no effect.';

/* Steps with contact forces. */

export function checkForces(
  { integrators, scheme }: SimulationSettings,
  model: NonSmoothDynamicalSystem,
  issues: DocumentIssue[],
): void {
  const defect = scheme === 'time-stepping' ? forceDefect(model, integrators) : null;
  if (defect === null) return;
  const { code, message, where, remedy = '' } = defect.details;
  const i = model.interactions.findIndex(({ id }) => id === where);
  issues.push({
    severity: 'error',
    code,
    pointer: i < 0 ? '/simulation/integrators' : `/interactions/${i}/law`,
    message,
    remedy,
    ...(where === undefined ? {} : { element: where }),
  });
}

const NOTHING_TO_PROJECT =
  'Positions are to be projected, but there are no contacts or joints that projection keeps: it has no effect.';
const NO_PROJECTION = 'Leave it out, or give the systems contacts, or joints on velocities.';

/*
 * Settings of the scheme that is not chosen. Integrators that are taken anyhow stand in reserve, as their
 * numbers do; what has been chosen besides says something that is not so.
 */

const OF_EVENT_DRIVEN = {
  flight: 'The method for the motion between events',
  constraints: 'The formulation of constraints',
  smallestBounce: 'The smallest bounce',
  maxEventsPerStep: 'The largest number of events in a step',
  fastest: 'The resolution of conditions',
} as const;

interface IdleSetting {
  readonly key: string;
  readonly message: string;
  readonly remedy: string;
}

function idleSettings({ scheme, integrators, stepControl, eventDriven }: SimulationSettings): IdleSetting[] {
  const of = (other: string): string => `is for ${other}: under this scheme it has no effect.`;
  const remedy = 'Leave it out, or choose the scheme it is for.';
  if (scheme === 'time-stepping') {
    const { flight, constraints } = eventDriven;
    const isGiven = (key: keyof typeof OF_EVENT_DRIVEN): boolean => {
      if (key === 'flight') return flight.type !== flightDefinitions[0].type;
      if (key === 'constraints') return constraints.type !== formulationDefinitions[0].type;
      return eventDriven[key] !== undefined;
    };
    return (Object.keys(OF_EVENT_DRIVEN) as (keyof typeof OF_EVENT_DRIVEN)[]).filter(isGiven).map((key) => ({
      key: `eventDriven/${key}`,
      message: `${OF_EVENT_DRIVEN[key]} ${of('the event-driven scheme')}`,
      remedy,
    }));
  }
  const idle = integrators.filter(({ type }) => !IN_RESERVE.some((definition) => definition.type === type));
  // Between events positions are kept by the formulation of constraints.
  const projecting = integrators.filter(
    ({ choices, given }) => given.has('projection') && choices.projection !== 'no',
  );
  return [
    ...idle.map(({ type }) => ({
      key: `integrators/${type}`,
      message: `${type} ${of('time-stepping')}`,
      remedy,
    })),
    ...projecting
      .filter((one) => !idle.includes(one))
      .map(({ type }) => ({
        key: `integrators/${type}`,
        message: `The projection of positions by ${type} ${of('time-stepping')}`,
        remedy,
      })),
    ...(stepControl === null
      ? []
      : [{ key: 'stepControl', message: `The control of the step ${of('time-stepping')}`, remedy }]),
  ];
}

/** Warns of settings that say nothing under the scheme that is chosen. */
export function checkScheme(
  document: SimulationDocument,
  settings: SimulationSettings,
  issues: DocumentIssue[],
): void {
  for (const { key, message, remedy } of idleSettings(settings)) {
    const [section, type] = key.split('/');
    const place = document.integrators.findIndex((integrator) => integrator.type === type);
    const pointer = `/simulation/${section === 'integrators' ? `integrators/${place}` : key}`;
    issues.push({ severity: 'warning', code: 'setting-of-other-scheme', pointer, message, remedy });
  }
}

/* Whether the step is short enough for the vibrations of pseudo-rigid bodies, said before a run. */

export function checkCriticalStep(
  { system }: CompiledSpace,
  { h, stepControl }: SimulationSettings,
  issues: DocumentIssue[],
): void {
  const longest = Math.max(h, stepControl?.hMax ?? h);
  try {
    requireStableStep(system, longest);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { where, code, message, remedy = '' } = error.details;
    issues.push({
      severity: 'error',
      code,
      pointer: longest > h ? '/simulation/stepControl/hMax' : '/simulation/h',
      message,
      remedy,
      ...(where === undefined ? {} : { element: where }),
    });
  }
}

/* Laws of impacts at several contacts at once. */

/** The fields of a law's definition in the terms of `impacts/`. */
export function impactChoice({ type, numbers }: ElementSettings): ImpactChoice {
  const { exponent, tolerance, maxIterations } = numbers;
  switch (type as ImpactChoice['type']) {
    case 'Newton':
      return { type: 'Newton' };
    case 'Poisson':
      return { type: 'Poisson' };
    case 'Sequential':
      return { type: 'Sequential', maxImpacts: maxIterations };
    case 'Energetic':
      return { type: 'Energetic', exponent, tolerance, maxSteps: maxIterations };
  }
}

/**
 * Warns of graphs that rise where a step is one problem of λ and y at its end, unless D says λ: what the
 * motion adds to D in a step vanishes with h. From event to event λ follows from y, and a graph for which it
 * does not is refused.
 */
export function checkGraphs(
  { scheme }: SimulationSettings,
  { interactions }: NonSmoothDynamicalSystem,
  places: ReadonlyMap<string, string>,
  issues: DocumentIssue[],
): void {
  if (scheme === 'event-driven') return;
  for (const { id, law, relation } of interactions) {
    const rising = law.rows.findIndex((row) => row.kind === 'graph' && !isMonotone(row.graph));
    if (rising < 0 || isDetermined(relation, law)) continue;
    const part = law.parts?.findIndex(({ first, size }) => rising >= first && rising < first + size);
    const place = part === undefined ? 'law/points' : `law/laws/${part}/points`;
    const hasD = relation.hasFeedthrough;
    issues.push({
      severity: 'warning',
      code: 'graph-not-monotone',
      pointer: `${places.get(id) ?? '/interactions'}/${place}`,
      element: id,
      message: `The graph rises somewhere, λ with y${hasD ? ', and D does not make up for it' : ''}: a step may have several solutions, or none.`,
      remedy:
        'Check the order of the breakpoints and the directions. Where this is meant, the event-driven scheme takes graphs with one λ for each y.',
    });
  }
}

/** Whether y = q + D λ has one point on the graphs of all rows. */
function isDetermined({ D, hasFeedthrough, size }: Relation, law: NonSmoothLaw): boolean {
  if (!hasFeedthrough || D === null) return false;
  const graphs = Array.from({ length: size }, (_, r) => graphOf(law.rows[r % law.size])).filter(
    (graph) => graph !== null,
  );
  if (graphs.length < size) return false;
  // A row without D is left to what the motion adds, and has to fall.
  const isLeft = graphs.some(
    (graph, r) => !isMonotone(graph) && D.subarray(r * size, (r + 1) * size).every((entry) => entry === 0),
  );
  return !isLeft && determination(D, size, graphs) === 'yes';
}

/**
 * Reports what the law of impacts does not go with: steps of the θ-methods know Newton's only, tangential
 * restitution is Newton's, and Frémond's percussions are a law for all contacts.
 */
export function checkImpactSettings(
  { scheme, impacts }: SimulationSettings,
  space: SpaceModel | null,
  places: ReadonlyMap<string, string>,
  issues: DocumentIssue[],
): void {
  if (impacts.type === newtonImpacts.type) return;
  if (space === null) {
    if (scheme === 'event-driven') return;
    issues.push({
      severity: 'error',
      code: 'impacts-of-stepping',
      pointer: '/simulation/impacts/type',
      message: `Time-stepping of these systems treats all impacts of a step by Newton’s law; “${impacts.type}” is for the event-driven scheme and for 3D bodies.`,
      remedy: 'Choose Newton’s law of impacts, or the event-driven scheme.',
    });
    return;
  }
  for (const { id, law } of space.interactions) {
    if (law !== null && createContactLaw(law).percussion !== undefined)
      issues.push({
        severity: 'error',
        code: 'impacts-with-percussion',
        pointer: `${places.get(id) ?? '/interactions'}/law/type`,
        element: id,
        message: `“${id}” has Frémond’s law of impact, which says itself what happens at several contacts at once; “${impacts.type}” would say it again.`,
        remedy: 'Choose Newton’s law of impacts in the simulation, or another law of contact.',
      });
    if (law?.kind !== 'impact' || law.tangentialRestitution === 0) continue;
    issues.push({
      severity: 'error',
      code: 'tangential-restitution',
      pointer: `${places.get(id) ?? '/interactions'}/law/et`,
      element: id,
      message: `“${id}” has tangential restitution, which is defined for Newton’s law of impacts only.`,
      remedy: 'Set it to zero, or choose Newton’s law of impacts.',
    });
  }
}

/** γ at which relations of first order hold, by system; null where that is the end of the step. */
export function gammaBySystem({ integrators }: SimulationSettings): (system: number) => number | null {
  const gammas = new Map(
    integrators.flatMap(({ numbers, systems }) => systems.map((s) => [s, gammaOf(numbers)] as const)),
  );
  return (system) => gammas.get(system) ?? null;
}
