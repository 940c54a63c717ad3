/** What the user is told when a model cannot be simulated from event to event, or a simulation has to end. */
import { EngineError } from '../errors';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { SmoothStatus } from '../smooth/status';
import { STATUS_HELP, type SolverResult } from '../solvers/status';

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

/** Bodies that overlap, constraints that do not hold or outputs on the wrong side, at the start. */
export const inconsistentStart = (where: string, what: string, size: number, time: number): EngineError =>
  new EngineError({
    code: 'inconsistent-start',
    message: `At the start, t = ${time} s, ${what} of “${where}” is violated by ${size.toExponential(3)}.`,
    where,
    time,
    remedy: 'Correct the initial state so that it satisfies the constraint.',
  });

/** Events do not end. */
export const infiniteEvents = (where: string, count: number, time: number): EngineError =>
  new EngineError({
    code: 'infinite-events',
    message: `“${where}” had ${count} events without the simulation getting past t = ${time} s.`,
    where,
    time,
    remedy:
      'Simulate the model by time-stepping, which needs no events; or check the law, whose switching may have no limit.',
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
  { status, residual, iterations }: SolverResult,
  time: number,
): EngineError {
  const { message, remedy } = STATUS_HELP[status];
  return new EngineError({
    code: `solver-${status}`,
    message:
      `The ${problem} at t = ${time} s was not solved: ${message} ` +
      `(residual ${residual.toExponential(2)} after ${iterations} iterations).`,
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
  rateNotFinite: ['meets a rate that is not finite', 'Check the forces and the functions of the relations.'],
  jacobianNotFinite: ['meets a derivative that is not finite', 'Check the forces and their Jacobians.'],
  eventNotFinite: [
    'meets an event function that is not finite',
    'Check the functions of the relation, which must be defined on both sides of the event.',
  ],
  stateNotFinite: ['starts from a state that is not finite', 'Check the initial state and the impact.'],
  invalidTarget: ['is asked for a time that it has passed', 'Schedule events after the present time.'],
};

/** Integration between events has failed. @param place of what failed, in words of the model; empty when nothing is to blame */
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
  offsets: Int32Array,
  velocity: Int32Array,
  index: number,
): string {
  for (let s = 0; s < systems.length; s++) {
    for (let dof = offsets[s]; dof < offsets[s + 1]; dof++) {
      const name = systems[s].form.order === 1 ? 'x' : 'q';
      if (index === dof) return `${systems[s].id}.${name}[${dof - offsets[s]}]`;
      if (index === velocity[dof]) return `${systems[s].id}.v[${dof - offsets[s]}]`;
    }
  }
  return '';
}
