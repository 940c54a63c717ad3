/** The time-stepping simulation of Siconos for the settings of a model. */
import type { Expression, IntegratorDocument, ModelDocument } from '../document/types';
import { GENERALISED_ALPHA } from '../model/settings/flights';
import { type ModelWriter, NoCounterpart } from './writer';

type Problem = 'LCP' | 'MLCP' | 'Relay' | 'AVI' | 'FrictionContact' | 'FrictionContact3D';

const PROBLEMS: Readonly<Record<Problem, string>> = {
  LCP: 'sk.LCP(sn.SICONOS_LCP_LEMKE)',
  MLCP: 'sk.MLCP(sn.SICONOS_MLCP_ENUM)',
  Relay: 'sk.Relay(sn.SICONOS_RELAY_LEMKE)',
  AVI: 'sk.AVI(sn.SICONOS_AVI_CAOFERRIS)',
  FrictionContact: 'sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_LEMKE)',
  FrictionContact3D: 'sk.FrictionContact(3, sn.SICONOS_FRICTION_3D_NSN_AC)',
};

/** The narrowest problem that takes all laws. */
export function problemOf(needed: ReadonlySet<Problem>): string {
  if (needed.has('AVI')) {
    if (needed.size > 1)
      throw new NoCounterpart(
        'Siconos has no one-step problem for normal cones to polytopes beside other laws.',
        'State the other laws as polytopes, too.',
      );
    return PROBLEMS.AVI;
  }
  if (needed.has('FrictionContact3D')) {
    if (needed.size > 1)
      throw new NoCounterpart(
        'Siconos has no one-step problem for friction in a tangent plane beside other laws of coordinates.',
        'Divide the model, or give all contacts three rows.',
      );
    return PROBLEMS.FrictionContact3D;
  }
  if (needed.has('FrictionContact')) {
    if (needed.has('Relay') || needed.has('MLCP'))
      throw new NoCounterpart(
        'Siconos has no one-step problem for friction beside equalities or relays in the plane.',
        'Divide the model, or replace joints by relative coordinates.',
      );
    return PROBLEMS.FrictionContact;
  }
  if (needed.has('Relay')) {
    if (needed.has('MLCP'))
      throw new NoCounterpart(
        'Siconos has no one-step problem for relays beside equalities.',
        'Eliminate the equalities from the model.',
      );
    return PROBLEMS.Relay;
  }
  return PROBLEMS[needed.has('MLCP') ? 'MLCP' : 'LCP'];
}

/**
 * Gap below which a contact counts as closed in the script, in units of the largest coordinate at the start:
 * far more than rounding adds to the gap of bodies at rest in thousands of steps, far less than a step moves
 * bodies that meet. Siconos has 0, for which a column of beads that touch is taken apart in the first step.
 */
const CLOSED_GAP = '1e-12';

const HALF_STEPS = 'MoreauHalfStep';

/** Integrators of a document without their systems: two that say the same are one. */
const saying = ({ systems: _, ...rest }: IntegratorDocument): string => JSON.stringify(rest);

function firstOrder({ theta = 1, thetaR = 1, gamma }: IntegratorDocument, to: ModelWriter): string[] {
  if (gamma !== undefined) {
    to.warnings.push(
      'The script reports y at the end of the step; here it is that of x_{k+γ}, where the relation holds.',
    );
    return [
      `integrator = sk.EulerMoreauOSI(${to.number(theta as number)}, ${to.number(gamma as number)})`,
      'integrator.setUseGammaForRelation(True)',
    ];
  }
  const weights = [theta, thetaR].map((weight) => to.number(weight as number));
  return to.evaluate(thetaR as number) === 1
    ? [`integrator = sk.EulerMoreauOSI(${weights[0]})`]
    : [`integrator = sk.EulerMoreauOSI(${weights.join(', ')})`];
}

type Projection = 'no' | 'Direct' | 'Combined';

/** Of an integrator of coordinates; positions are left alone unless that is asked for. */
const projectionOf = ({ type, projection }: IntegratorDocument): Projection => {
  if (type !== 'MoreauJean' || projection === undefined || projection === 'no') return 'no';
  return projection === 'combined' ? 'Combined' : 'Direct';
};

function osiLines(projection: Projection, theta: string, gamma: string): string[] {
  if (projection === 'Combined') return [`integrator = sk.MoreauJeanCombinedProjectionOSI(${theta})`];
  if (projection === 'Direct') return [`integrator = sk.MoreauJeanDirectProjectionOSI(${theta}, ${gamma})`];
  return [`integrator = sk.MoreauJeanOSI(${theta})`, `integrator.setGamma(${gamma})`];
}

/** What counts as closed: of direct projection it is 1e-7 m otherwise, by which small bounces end. */
function closedGapLines(projection: Projection): string[] {
  if (projection === 'Combined') return [];
  const setters =
    projection === 'Direct'
      ? ['setActivateYPosThreshold', 'setDeactivateYPosThreshold']
      : ['setConstraintActivationThreshold'];
  return [
    '# The gap of bodies that touch is zero to rounding only: its sign must not decide whether they push each other.',
    'lengths = [abs(float(read())) for name, read in signals if ".q" in name]',
    ...setters.map((setter) => `integrator.${setter}(${CLOSED_GAP} * max(lengths, default=0.0))`),
  ];
}

/** Lines that make the simulation of an integrator and a problem. */
export function simulationLines(
  { interactions, simulation: { integrators } }: ModelDocument,
  to: ModelWriter,
): string[] {
  const grid = 'sk.TimeDiscretisation(t0, h)';
  const given = integrators.at(0);
  const projection = given === undefined ? 'no' : projectionOf(given);
  if (given === undefined || projection === 'no')
    return [`simulation = sk.TimeStepping(model, ${grid}, integrator, problem)`];
  const { projectionTolerance = 1e-10, projectionIterations = 30 } = given;
  const springing = interactions.filter(
    ({ law: { e } }) => e !== undefined && to.evaluate(e as Expression) !== 0,
  );
  if (projection === 'Combined' && springing.length > 0)
    throw new NoCounterpart(
      'The combined projection of Siconos brings contacts that spring back down to zero, which it does not here.',
      'Choose the direct projection (projection: yes), or set restitutions to 0.',
    );
  if (projection === 'Direct' && springing.length > 1)
    to.warnings.push(
      'Siconos takes the gaps of contacts that take no part in a step from before the projection: of several that spring back, others may take part in a step than here.',
    );
  to.warnings.push(
    'Siconos solves its projection in the metric of the masses and moves coordinates in that of the coordinates: with masses other than 1 it takes more iterations, or does not converge.',
  );
  return [
    'positions = sk.MLCPProjectOnConstraints(sn.SICONOS_MLCP_ENUM, 1.0)',
    `simulation = sk.TimeStepping${projection}Projection(model, ${grid}, integrator, problem, positions)`,
    `simulation.setConstraintTol(${to.number(projectionTolerance as number)})`,
    `simulation.setConstraintTolUnilateral(${to.number(projectionTolerance as number)})`,
    `simulation.setProjectionMaxIteration(${to.number(projectionIterations as number)})`,
  ];
}

/** Which parts of a model are linear with constant matrices. */
export interface Linearity {
  readonly systems: boolean;
  readonly relations: boolean;
}

/** Whether relations of mechanisms are linearised at the end of a step. */
export const areRowsAtEnd = ({ simulation: { integrators } }: ModelDocument): boolean =>
  integrators.at(0)?.relationPoint === 'end';

/** Where Siconos takes masses and relations that it does not take here; null where it is the same. */
function otherPoint({ massPoint, relationPoint }: IntegratorDocument, linear: Linearity): string | null {
  if (!linear.systems && (massPoint !== 'end' || (!linear.relations && relationPoint !== 'end')))
    return 'Siconos takes mass matrices and relations at the end of the step; set “Mass matrix at” and “Jacobians of relations at” to the end of the step for the same scheme.';
  if (linear.systems && !linear.relations && relationPoint === 'start')
    return 'Siconos takes relations at the predicted position or at the end of the step; set “Jacobians of relations at” to one of them for the same scheme.';
  return null;
}

/**
 * Newton's method. Its test looks at the motion alone, which is linear after one pass where systems are: rows
 * at the end of the step need more.
 */
export const newtonLines = (document: ModelDocument, linear: Linearity): string[] =>
  linear.systems && !linear.relations && areRowsAtEnd(document)
    ? [
        'simulation.setNewtonTolerance(0.0)',
        'simulation.setNewtonMaxIteration(8)',
        'simulation.setWarnOnNonConvergence(False)',
      ]
    : ['simulation.setNewtonTolerance(1e-12)', 'simulation.setNewtonMaxIteration(100)'];

function secondOrder(integrator: IntegratorDocument, linear: Linearity, to: ModelWriter): string[] {
  const { type, theta = 0.5, forecast = 0.5, activation } = integrator;
  const isByHalfSteps = type === HALF_STEPS;
  if (isByHalfSteps)
    to.warnings.push(
      'Siconos has no half steps: the script steps by MoreauJeanOSI with θ = ½, which is of order 1 over joints and contacts.',
    );
  if (activation === 'always')
    to.warnings.push(
      'Contacts take part in a step by forecast, not always: Siconos has no such choice here.',
    );
  if (!linear.relations && integrator.relationPoint === 'end' && projectionOf(integrator) === 'Combined')
    throw new NoCounterpart(
      'The combined projection of Siconos has rows of the position before it, here those of the projected one.',
      'Set “Jacobians of relations at” to the predicted position, or choose the direct projection.',
    );
  const other = isByHalfSteps ? null : otherPoint(integrator, linear);
  if (other !== null) to.warnings.push(other);
  const projection = projectionOf(integrator);
  return [
    ...osiLines(projection, to.number(theta as number), to.number(forecast as number)),
    ...closedGapLines(projection),
  ];
}

/** Lines that make the integrator of a model all of whose systems are of one order. */
export function integratorLines(
  { simulation }: ModelDocument,
  order: 1 | 2,
  linear: Linearity,
  to: ModelWriter,
): string[] {
  const { integrators } = simulation;
  if (new Set(integrators.map(saying)).size > 1)
    throw new NoCounterpart(
      'The model has several integrators, whose systems Siconos would have to be told one by one.',
      'Leave one integrator for all systems.',
    );
  const given = integrators.at(0) ?? { type: order === 1 ? 'EulerMoreau' : 'MoreauJean' };
  if (given.type === 'EulerMoreau' && order === 1) return firstOrder(given, to);
  if ((given.type === 'MoreauJean' || given.type === HALF_STEPS) && order === 2)
    return secondOrder(given, linear, to);
  throw new NoCounterpart(
    `The Python binding of Siconos has no integrator ${given.type} for these systems.`,
    `Choose ${order === 1 ? 'EulerMoreau' : 'MoreauJean'}.`,
  );
}

/** Settings that Siconos does not know, in words. */
export function warnOfSettings(document: ModelDocument, to: ModelWriter): void {
  const { simulation } = document;
  if (simulation.scheme === 'event-driven')
    to.warnings.push(
      'The model is simulated from event to event here; the script steps in time, with the step h of the model.',
    );
  if (simulation.scheme === 'event-driven' && simulation.eventDriven?.flight?.type === GENERALISED_ALPHA)
    to.warnings.push(
      'Generalised-α is not written: NewMarkAlphaOSI of Siconos has no Python binding, and begins each step with the acceleration in place of the algorithmic one, which is of order 1 where the spectral radius is below 1.',
    );
  if (simulation.stepControl !== undefined)
    to.warnings.push(
      'The step is constant in the script: Siconos does not choose it by an estimate of the error.',
    );
  if (simulation.impacts !== undefined && simulation.impacts.type !== 'Newton')
    to.warnings.push(
      `Impacts at several contacts are by Newton’s law in the script, not by ${simulation.impacts.type}.`,
    );
  warnOfObservables(document, to);
}

export function warnOfObservables({ observables }: ModelDocument, to: ModelWriter): void {
  if (observables.length > 0)
    to.warnings.push(`Observables are not written: ${observables.map(({ name }) => name).join(', ')}.`);
}
