/** Messages when a model cannot be simulated from event to event, or a simulation has to end. */
import { EngineError } from '../errors';
import { IMPACT_STATUS_HELP, type ImpactStatus } from '../impacts/status';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { MOTION_STATUS_HELP, type MotionStatus } from '../multibody/constrained-system';
import type { SmoothStatus } from '../smooth/ode-system';
import type { IntegratedPlaces } from './flow/free-motion';
import { STATUS_HELP, type SolverResult, reached } from '../solvers/solver';

/** Rows of a problem, for messages. */
const MAX_NAMES = 8;

/** A law or relation that the event-driven scheme has no modes for. */
export const unsupported = (where: string, what: string): EngineError =>
  new EngineError({
    code: 'event-driven-unsupported',
    message: `The event-driven scheme cannot simulate “${where}”: ${what}.`,
    where,
    remedy: 'Simulate the model by time-stepping, or choose another law or relation.',
  });

/** Exact flight was asked for, and the motion between events is not linear with constant coefficients. */
export const notExact = (where: string, what: string): EngineError =>
  new EngineError({
    code: 'event-driven-not-exact',
    message: `The motion between events cannot be computed exactly because of “${where}”: ${what}.`,
    where,
    remedy: 'Integrate the motion between events, or leave the choice to the simulation.',
  });

/** Bodies that overlap, constraints that do not hold or outputs on the wrong side, at the start. */
export const inconsistentStart = (where: string, what: string, size: number, time: number): EngineError =>
  new EngineError({
    code: 'inconsistent-start',
    message: `At the start, t = ${time} s, ${what} of “${where}” is violated by ${size.toExponential(3)}.`,
    where,
    time,
    remedy:
      'Correct the initial state so that it satisfies the constraint; joints can have it projected onto them.',
  });

const ENDLESS =
  'Check what happens there: the switching of a law may have no limit, and a reset may leave the state where its guard fires again. Or simulate the model by time-stepping, which needs no events.';

/** Of events at which no element is known to have changed. */
const subject = (where: string): string => (where === '' ? 'The model' : `“${where}”`);

/** Events do not end. */
export const infiniteEvents = (where: string, count: number, time: number): EngineError =>
  new EngineError({
    code: 'infinite-events',
    message: `${subject(where)} had ${count} events without the simulation getting past t = ${time} s.`,
    ...(where === '' ? {} : { where }),
    time,
    remedy: ENDLESS,
  });

/** More events within a step of the discretisation than the settings allow. */
export const manyEvents = (where: string, count: number, time: number): EngineError =>
  new EngineError({
    code: 'infinite-events',
    message: `${subject(where)} had ${count} events within one step of the discretisation, up to t = ${time} s.`,
    ...(where === '' ? {} : { where }),
    time,
    remedy: `Raise eventDriven.maxEventsPerStep, or shorten h, where the events are real. ${ENDLESS}`,
  });

/** λ of a row has no say in its output at any level that the scheme treats. */
export const undefinedDegree = (where: string, time: number): EngineError =>
  new EngineError({
    code: 'event-driven-degree',
    message: `At t = ${time} s the multiplier of “${where}” acts neither on its output nor on the derivative that it must control.`,
    where,
    time,
    remedy: 'Check the relation: C M⁻¹ B or D of this row must not vanish. Otherwise use time-stepping.',
  });

/**
 * Switches of a relay have become infinitely many, and what follows, sliding on an output and its derivative,
 * is not treated.
 */
export const accumulatedSwitches = (
  where: string,
  accumulation: { readonly time: number; readonly error: number },
  time: number,
): EngineError =>
  new EngineError({
    code: 'accumulated-switches',
    message:
      `The switches of “${where}” accumulate at t = ${accumulation.time} s ± ${accumulation.error.toExponential(1)} s, where its output and ` +
      `the derivative of that become zero together; the last switch that could be computed is at t = ${time} s. ` +
      'A sliding mode of second order follows, which the event-driven scheme does not have.',
    where,
    time,
    remedy:
      'Simulate the model by time-stepping, which goes on in the sliding mode; or end the run before that time.',
  });

/**
 * No finite multipliers satisfy laws on outputs that contain them. By Farkas' lemma there is u ≥ 0 with ᵗu
 * D ≤ 0 and ᵗu y(λ = 0) < 0: only an impulse p, x⁺ = x⁻ + B p, or a multiplier that acts on the derivative of
 * ᵗu y could help.
 */
export const stateJump = (names: readonly string[], time: number): EngineError =>
  new EngineError({
    code: 'state-jump',
    message:
      `At t = ${time} s a combination of the outputs of ${named(names)} that none of its multipliers can raise is below zero: the state would ` +
      'have to jump, or be held back, as voltages of capacitors are that diodes connect with one another or with a source.',
    where: [...new Set(names)].slice(0, MAX_NAMES).join(', '),
    time,
    remedy:
      'Simulate the model by time-stepping, which needs no such distinction; start from a state that satisfies the laws; ' +
      'or give the connection a resistance.',
  });

/** A mode of a network that would have to keep a combination of outputs by its second derivative. */
export const networkDepth = (names: readonly string[], time: number): EngineError =>
  new EngineError({
    code: 'network-depth',
    message:
      `At t = ${time} s the outputs of ${named(names)} cannot be kept at zero by their first derivatives, as passive networks need it: ` +
      'neither D nor C M⁻¹ B of some combination of them lets a multiplier act on it.',
    where: [...new Set(names)].slice(0, MAX_NAMES).join(', '),
    time,
    remedy:
      'Check the signs of C, B and D: an element may create energy. Or simulate the model by time-stepping.',
  });

const SOURCES =
  'Look for sources that contradict each other, as voltages side by side or currents in series, and for currents that a switch leaves without a way; give them a way by a resistance.';

/** Laws that what sources alone give contradicts, whatever the state and the multipliers are. */
export const contradiction = (names: readonly string[], time: number): EngineError =>
  new EngineError({
    code: 'sources-contradict',
    message:
      `At t = ${time} s the ${new Set(names).size === 1 ? 'law' : 'laws'} of ${named(names)} cannot hold: sources alone give what ` +
      'must be zero there, as the voltage over a closed switch or a conducting diode beside a source, and nothing gives way.',
    where: [...new Set(names)].slice(0, MAX_NAMES).join(', '),
    time,
    remedy: SOURCES,
  });

/** No modes of a network let it go on. */
export const networkNoMode = (names: readonly string[], time: number): EngineError =>
  new EngineError({
    code: 'network-no-mode',
    message: `At t = ${time} s the laws of ${named(names)} cannot all hold behind the event in any modes that were tried.`,
    where: [...new Set(names)].slice(0, MAX_NAMES).join(', '),
    time,
    remedy: SOURCES,
  });

const named = (names: readonly string[]): string =>
  [...new Set(names)]
    .slice(0, MAX_NAMES)
    .map((name) => `“${name}”`)
    .join(', ');

/** Contacts with their coefficients, for messages. */
const withFriction = (names: readonly string[], mu: readonly number[]): string => {
  const parts = names.map((name, k) => `“${name}” (μ = ${mu[k]})`);
  return [...new Set(parts)].slice(0, MAX_NAMES).join(', ');
};

/** No acceleration satisfies the laws of contact and friction together: Painlevé's paradox. */
export const frictionNoSolution = (
  names: readonly string[],
  mu: readonly number[],
  time: number,
): EngineError =>
  new EngineError({
    code: 'friction-no-solution',
    message:
      `At t = ${time} s no acceleration satisfies the laws of contact and of Coulomb friction at ${withFriction(names, mu)}: ` +
      'the friction of a sliding contact presses the bodies together faster than its normal force can part them (Painlevé’s paradox).',
    where: [...new Set(names)].slice(0, MAX_NAMES).join(', '),
    time,
    remedy:
      'Simulate the model by time-stepping, where such a state is an impact without collision; or lower the coefficient of friction.',
  });

/** Bodies that jam can satisfy a law that asks each of their contacts for a bounce of its own. */
export const frictionImpact = (names: readonly string[], time: number): EngineError =>
  new EngineError({
    code: 'impact-no-solution',
    message:
      `At t = ${time} s no impulses satisfy Newton’s law of impact and Coulomb friction together: the contacts ` +
      'jam, and their coefficients ask for velocities after the impact that friction does not let the bodies have.',
    where: [...new Set(names)].slice(0, MAX_NAMES).join(', '),
    time,
    remedy:
      'Choose Poisson’s restitution, which always has a solution, or equal coefficients e and e_t for all contacts that jam.',
  });

/** A law of impacts at several contacts at once that has no friction. @param law its type */
export const impactsWithFriction = (where: string, law: string): EngineError =>
  new EngineError({
    code: 'impacts-with-friction',
    message: `“${where}” has friction, and the law of impacts “${law}” is one of contacts without friction.`,
    where,
    remedy: 'Choose Newton’s or Poisson’s law of impacts, or a law of contact without friction.',
  });

/** An impact at several contacts at once that its law does not bring to an end. */
export function impactFailure(
  names: readonly string[],
  status: Exclude<ImpactStatus, 'separated'>,
  count: number,
  time: number,
): EngineError {
  const { message, remedy } = IMPACT_STATUS_HELP[status];
  return new EngineError({
    code: `impact-${status}`,
    message: `The impact at t = ${time} s was not solved: ${message} (${count}).`,
    where: [...new Set(names)].slice(0, MAX_NAMES).join(', '),
    time,
    remedy,
  });
}

/** Several accelerations satisfy them, and none is what went before. */
export const frictionSeveralSolutions = (
  names: readonly string[],
  mu: readonly number[],
  time: number,
): EngineError =>
  new EngineError({
    code: 'friction-several-solutions',
    message:
      `At t = ${time} s more than one acceleration satisfies the laws of contact and of Coulomb friction at ${withFriction(names, mu)}, ` +
      'and none of them continues the motion before: rigid bodies do not say whether the contact parts, slides or jams.',
    where: [...new Set(names)].slice(0, MAX_NAMES).join(', '),
    time,
    remedy:
      'Simulate the model by time-stepping, which takes one of them; lower the coefficient of friction; or give the contact compliance.',
  });

/** Forces of redundant contacts are not determined by the motion, and those that were chosen do not do. */
export const redundantFriction = (where: string, what: string, time: number): EngineError =>
  new EngineError({
    code: 'friction-redundant',
    message:
      `At t = ${time} s more contacts are closed than determine the forces, which are therefore a matter of choice; ` +
      `those of “${where}” ${what}.`,
    where,
    time,
    remedy: 'Simulate the model by time-stepping, or leave out contacts that hold what others hold already.',
  });

/** A mass matrix that is singular. */
export const singularMass = (where: string, time: number): EngineError =>
  new EngineError({
    code: 'singular-mass',
    message: `The mass matrix of “${where}” is singular at t = ${time} s.`,
    where,
    time,
    remedy: 'Give every degree of freedom a mass.',
  });

/** A problem of impacts, accelerations or their derivatives without certified solution. */
export function problemFailure(
  problem: string,
  names: readonly string[],
  result: SolverResult,
  tolerance: number,
  time: number,
): EngineError {
  const { status } = result;
  const { message, remedy } = STATUS_HELP[status];
  return new EngineError({
    code: `solver-${status}`,
    message: `The ${problem} at t = ${time} s was not solved: ${message} ` + `${reached(result, tolerance)}.`,
    where: [...new Set(names)].slice(0, MAX_NAMES).join(', '),
    time,
    remedy,
  });
}

const SMOOTH_HELP: Readonly<Record<Exclude<SmoothStatus, 'reached' | 'root'>, readonly [string, string]>> = {
  tooManySteps: ['needs more steps than the limit', 'Raise the limit of steps, or loosen the tolerances.'],
  stepTooSmall: [
    'finds no step that is short enough for the tolerances',
    'Loosen the tolerances, or check the forces for values that jump.',
  ],
  rateNotFinite: [
    'meets a rate that is not finite',
    'Check the forces and the functions of the relations, and values that are far too small or too large.',
  ],
  jacobianNotFinite: ['meets a derivative that is not finite', 'Check the forces and their Jacobians.'],
  notSolved: [
    'finds no solution of the equations of a step',
    'Shorten the step, or choose a method for the motion between events that chooses its steps itself.',
  ],
  eventNotFinite: [
    'meets an event function that is not finite',
    'Check the functions of the relation, which must be defined on both sides of the event.',
  ],
  stateNotFinite: ['starts from a state that is not finite', 'Check the initial state and the impact.'],
  invalidTarget: ['is asked for a time that it has passed', 'Schedule events after the present time.'],
};

/**
 * Integration between events has failed.
 * @param place of what failed, in words of the model; empty when nothing is to blame
 */
export function smoothFailure(
  status: Exclude<SmoothStatus, 'reached' | 'root'>,
  place: string,
  time: number,
): EngineError {
  const [what, remedy] = SMOOTH_HELP[status];
  return new EngineError({
    code: `smooth-${status}`,
    message: `At t = ${time} s the integration between events ${what}${place === '' ? '' : `: ${place}`}.`,
    ...(place === '' ? {} : { where: place }),
    time,
    remedy,
  });
}

/** Element and component of an integrated state, for messages. */
export function componentName(
  { systems }: NonSmoothDynamicalSystem,
  { offsets, positionOffsets, velocity }: Pick<IntegratedPlaces, 'offsets' | 'positionOffsets' | 'velocity'>,
  index: number,
): string {
  for (let s = 0; s < systems.length; s++) {
    const { id, form } = systems[s];
    const position = index - positionOffsets[s];
    if (position >= 0 && index < positionOffsets[s + 1])
      return `${id}.${form.order === 1 ? 'x' : 'q'}[${position}]`;
    for (let dof = offsets[s]; dof < offsets[s + 1]; dof++)
      if (index === velocity[dof]) return `${id}.v[${dof - offsets[s]}]`;
  }
  return '';
}

/** What follows from the joints cannot be found at a state that the integration has reached. */
export function jointFailure(status: Exclude<MotionStatus, 'ok'>, time: number): EngineError {
  const { message, remedy } = MOTION_STATUS_HELP[status];
  return new EngineError({
    code: `joints-${status}`,
    message: `At t = ${time} s ${message}.`,
    time,
    remedy,
  });
}
