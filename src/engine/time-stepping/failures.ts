/** Errors of a step: messages when the one-step problem, Newton's method or the state fails. */
import { EngineError } from '../errors';
import type { StepContext } from '../integrators/step';
import { type NonSmoothDynamicalSystem, rowName } from '../model/nsds';
import { STATUS_HELP, reached } from '../solvers/solver';
import type { StepDefect } from './certificate/certificate';
import type { HalfSteps } from './half-steps';
import type { OneStepProblem } from './one-step';
import type { PositionProjection } from './position-projection';
import type { StepRelations } from './rows';

/** A scheme over three times needs equal steps. */
export const fixedStep = (id: string): EngineError =>
  new EngineError({
    code: 'step-control-unsuitable',
    message: `“${id}” is advanced by Schatzman–Paoli, which needs equal steps.`,
    where: id,
    remedy: 'Switch step control off, or choose Moreau–Jean for this system.',
  });

/** Half steps and the projection of positions hold joints and contacts by themselves. */
export const heldTogether = (id: string): EngineError =>
  new EngineError({
    code: 'presence-unsuitable',
    message: `“${id}” comes and goes by its condition; half steps, steps with contact forces and the projection of positions hold joints by themselves and do not let them go.`,
    where: id,
    remedy: 'Choose Moreau–Jean without projection, or remove the condition.',
  });

/** Samples between points of the grid divide a step. */
export const dividedStep = (id: string): EngineError =>
  new EngineError({
    code: 'samples-unsuitable',
    message: `“${id}” is advanced by Schatzman–Paoli, which needs equal steps; samples of control blocks divide them.`,
    where: id,
    remedy: 'Give sampling periods that are multiples of the step, or choose Moreau–Jean for this system.',
  });

/** Ids beyond this number are not named. */
const MAX_NAMES = 8;

/** What is said of rows that are equations all: nothing of them is open or closed. */
const EQUATIONS = {
  message:
    'its rows are equations that contradict each other, or differ by less than the digits of a number hold',
  remedy:
    'Look for joints that say the same or cannot hold at once, and for masses that differ by more than some nine orders: leave out a mass that light, or make it heavier.',
};

/** The same where no system has masses: currents and voltages, flows and pressures. */
const SOURCES =
  'Look for sources that contradict each other, as voltages side by side or currents in series, and for currents that a switch leaves without a way; give them a way by a resistance.';

const hasEquationsOnly = ({ size, lower, upper }: OneStepProblem['problem']): boolean => {
  for (let i = 0; i < size; i++)
    if (lower[i] !== Number.NEGATIVE_INFINITY || upper[i] !== Number.POSITIVE_INFINITY) return false;
  return true;
};

/** The one-step problem has no certified solution. */
export function solverFailure(
  { systems, interactions }: NonSmoothDynamicalSystem,
  { clock }: StepContext,
  { offsets }: StepRelations,
  { result, active, activeCount, problem, hasCones, residualAsked }: OneStepProblem,
): EngineError {
  const { status } = result;
  const isOfEquations = !hasCones && hasEquationsOnly(problem) && status !== 'unsuitable';
  const { message, remedy } = isOfEquations ? EQUATIONS : STATUS_HELP[status];
  const hasMasses = systems.some(({ form }) => form.order !== 1);
  const names = new Set(
    interactions.flatMap((one, i) =>
      [...active.subarray(offsets[i], offsets[i + 1]).keys()].flatMap((row) =>
        active[offsets[i] + row] === 1 ? [rowName(one, row)] : [],
      ),
    ),
  );
  const t = clock[0];
  return new EngineError({
    code: `solver-${status}`,
    message:
      `The one-step problem of ${activeCount} rows at t = ${t} s was not solved: ${message} ` +
      `${reached(result, residualAsked)}.`,
    where: [...names].slice(0, MAX_NAMES).join(', '),
    time: t,
    remedy: (isOfEquations || status === 'infeasible') && !hasMasses ? SOURCES : remedy,
  });
}

/** Newton's method did not reach its tolerance. */
export function newtonFailure(
  { systems, interactions }: NonSmoothDynamicalSystem,
  { clock, residual, h }: StepContext,
  { tolerance, maxIterations }: { tolerance: number; maxIterations: number },
): EngineError {
  const t = clock[0];
  const names = [
    ...systems.filter(({ form }) =>
      form.order === 1 ? form.rateKind === 'nonlinear' : form.linear === null,
    ),
    ...interactions.filter(({ relation }) => !relation.isAffine),
  ].map(({ id }) => id);
  return new EngineError({
    code: 'newton-not-converged',
    message:
      `Newton's method for the step to t = ${t} s stopped after ${maxIterations} iterations with a residual of ` +
      `${residual[0].toExponential(2)}; ${tolerance.toExponential(0)} is asked for.`,
    ...(names.length === 0 ? {} : { where: names.slice(0, MAX_NAMES).join(', ') }),
    time: t,
    remedy: `Reduce the time step (it is ${h[0]} s), check the Jacobians, or loosen the tolerance.`,
  });
}

/** No positions were found in which the joints are together. */
export function openJoints({ ids, offset, isRedundant }: HalfSteps, { clock, h }: StepContext): EngineError {
  const t = clock[0];
  const names = ids.slice(0, MAX_NAMES).join(', ');
  return new EngineError({
    code: 'joints-open',
    message:
      `The joints could not be closed in the step to t = ${t} s: they stay open by ${offset.toExponential(2)} of their coordinates` +
      (isRedundant ? ', and depend on one another there.' : '.'),
    where: names,
    time: t,
    remedy: isRedundant
      ? 'The mechanism passes a dead point, or joints say the same. Start elsewhere, remove the redundant joint, or choose other dimensions.'
      : `Reduce the time step (it is ${h[0]} s). If that does not help, the mechanism cannot be assembled there: look at lengths and drives.`,
  });
}

/** No positions were found that contacts and joints allow. */
export function projectionFailure(
  { interactions }: NonSmoothDynamicalSystem,
  { clock, h }: StepContext,
  { offsets }: StepRelations,
  { status, worst, violation, iterations, maxIterations, tolerance, isCombined }: PositionProjection,
): EngineError {
  const t = clock[0];
  const interaction = interactions.find((_, i) => worst >= offsets[i] && worst < offsets[i + 1]);
  const what =
    status === 'unsolved'
      ? 'its linear problem has no solution'
      : isCombined && violation[0] <= tolerance
        ? `after ${maxIterations} repetitions of the step rows at its end still change`
        : `after ${iterations} iterations it is violated by ${violation[0].toExponential(2)}; ${tolerance.toExponential(0)} is asked for`;
  return new EngineError({
    code: status === 'unsolved' ? 'projection-unsolved' : 'projection-not-converged',
    message: `The projection of positions found none for the step to t = ${t} s: ${what}.`,
    ...(interaction === undefined ? {} : { where: interaction.id }),
    time: t,
    remedy: `Reduce the time step (it is ${h[0]} s), allow more iterations of the projection, or look for contacts and joints that cannot hold at once.`,
  });
}

/** Whether a shorter step may not fail in this way. */
export const dependsOnStep = ({ details: { code } }: EngineError): boolean =>
  code === 'iteration-matrix-singular' || code === 'script-not-finite' || code.startsWith('solver-');

/** A state is asked for in the middle of a step that failed. */
export const incompleteStep = (t: number): EngineError =>
  new EngineError({
    code: 'step-incomplete',
    message: `The step to t = ${t} s has failed, so that there is no state to take.`,
    time: t,
    remedy: 'Go back to a state that was taken before it.',
  });

const REMEDIES: Readonly<Record<StepDefect['what'], string>> = {
  state: 'Reduce the time step, raise θ towards 1, or check the forces.',
  multiplier: 'Reduce the time step, or check the relation: its multiplier hardly acts on its systems.',
  energy: 'Reduce the time step, raise θ towards 1, or check the forces and the masses.',
  residual: 'Reduce the time step, or bring the model to units in which its numbers are not so large.',
};

/** Something of a step is no longer finite: what it is, of which element, and when. */
export function stateFailure(
  { what, element, residual }: StepDefect,
  { clock }: Pick<StepContext, 'clock'>,
): EngineError {
  const t = clock[0];
  const of = element === null ? '' : ` of “${element}”`;
  const subjects: Readonly<Record<StepDefect['what'], string>> = {
    state: `The state${of}`,
    multiplier: `The multiplier${of}`,
    energy: `The energy${of}`,
    residual: `The residual ${residual === null ? '' : `of the ${residual} `}that the certificate computes${of}`,
  };
  return new EngineError({
    code: 'not-finite',
    message: `${subjects[what]} is no longer finite at t = ${t} s.`,
    ...(element === null ? {} : { where: element }),
    time: t,
    remedy: REMEDIES[what],
  });
}
