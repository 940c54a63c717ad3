/** Errors of a step of contact dynamics, in the words of the model. */
import type { ContactDynamics, ContactDynamicsStatus } from '../../contact-dynamics/contact-dynamics';
import { EngineError } from '../../errors';
import { IMPACT_STATUS_HELP } from '../../impacts/status';
import { type SolverStatus, STATUS_HELP } from '../../solvers/status';
import { SPATIAL_STATUS_HELP } from '../../spatial/status';
import type { CompiledSpace } from './compile';
import { hasNoSolution } from './uniqueness';

/** Ids beyond this number are not named. */
const MAX_NAMES = 8;

const CHOOSE_AUTO = 'Choose the solver auto, loosen the tolerance, or reduce the time step.';
const LOOSEN =
  'Loosen the tolerance to what was reached if that is good enough, or reduce the time step, which changes the problem.';
/** What to do about problems with friction that no pivoting solver takes; other statuses are as everywhere. @param isAuto whether all solvers were tried */
const remedyOf = (status: SolverStatus, isAuto: boolean): string => {
  if (status !== 'maxIterations' && status !== 'stalled' && status !== 'singular')
    return STATUS_HELP[status].remedy;
  return isAuto ? LOOSEN : CHOOSE_AUTO;
};

export function stepFailure(
  status: Exclude<ContactDynamicsStatus, 'ok'>,
  dynamics: ContactDynamics,
  space: CompiledSpace,
  h: number,
): EngineError {
  const t = dynamics.time + h;
  if (status === 'unsolved') return unsolved(dynamics, space, t);
  if (status === 'impactUnsolved') return impactUnsolved(dynamics, space, t);
  if (status === 'notFinite') return notFinite(dynamics, space, t);
  const { message, remedy } = SPATIAL_STATUS_HELP[status];
  if (status === 'inverted') {
    const flat = space.system.pseudoRigid.find(({ body, qAt }) => !(body.volumeRatio(dynamics.q, qAt) > 0));
    return new EngineError({
      code: 'space-inverted',
      message: `The step to t = ${t} s was not computed: “${flat?.body.id ?? ''}” has become flat or inside out.`,
      ...(flat === undefined ? {} : { where: flat.body.id }),
      time: t,
      remedy,
    });
  }
  if (status === 'inertiaNotPositive')
    return new EngineError({
      code: `space-${status}`,
      message: `The step to t = ${t} s was not computed: of “${dynamics.unfit?.id ?? ''}” ${message}.`,
      ...(dynamics.unfit === null ? {} : { where: dynamics.unfit.id }),
      time: t,
      remedy,
    });
  const joints = space.joints.map(({ id }) => id).slice(0, MAX_NAMES);
  return new EngineError({
    code: `space-${status}`,
    message: `The step to t = ${t} s was not computed: ${message}.`,
    ...(joints.length === 0 ? {} : { where: joints.join(', ') }),
    time: t,
    remedy,
  });
}

/** Interactions of closed contacts. @param isMeant which rows of contacts */
function interactionsOf(
  { activeCount, contacts, active }: ContactDynamics,
  space: CompiledSpace,
  isMeant: (row: number) => boolean = () => true,
): string[] {
  const numbers = new Set<number>();
  if (contacts !== null)
    for (let row = 0; row < activeCount; row++)
      if (isMeant(row)) numbers.add(contacts.materials[active[row]]);
  return [...numbers].slice(0, MAX_NAMES).map((k) => space.contacts[k].id);
}

/** An impact that its law does not bring to an end. */
function impactUnsolved(dynamics: ContactDynamics, space: CompiledSpace, t: number): EngineError {
  const { impacts } = dynamics;
  const failure = impacts === null ? null : impacts.failure;
  if (impacts === null || failure === null) throw new Error('an impact that has ended failed');
  const { status, count } = failure.result;
  const { message, remedy } = IMPACT_STATUS_HELP[status];
  return new EngineError({
    code: `impact-${status}`,
    message: `The impact at t = ${t} s was not solved: ${message} (${count}).`,
    where: interactionsOf(dynamics, space, (row) => impacts.isInvolved[row] === 1).join(', '),
    time: t,
    remedy,
  });
}

function unsolved(dynamics: ContactDynamics, space: CompiledSpace, t: number): EngineError {
  const { result, activeCount, choice } = dynamics;
  if (hasNoSolution(dynamics)) return withoutSolution(dynamics, space, t);
  const { status, residual, iterations } = result;
  const names = interactionsOf(dynamics, space);
  return new EngineError({
    code: `solver-${status}`,
    message:
      `The friction problem of ${activeCount} contacts at t = ${t} s was not solved: ${STATUS_HELP[status].message} ` +
      `(residual ${residual.toExponential(2)} after ${iterations} iterations)${choice === null ? '' : `. Tried: ${choice}`}.`,
    ...(names.length === 0 ? {} : { where: names.join(', ') }),
    time: t,
    remedy: remedyOf(status, choice !== null),
  });
}

/** The one contact of a step that allows no motion at all. */
export function withoutSolution(dynamics: ContactDynamics, space: CompiledSpace, t: number): EngineError {
  const names = interactionsOf(dynamics, space);
  return new EngineError({
    code: 'contact-without-solution',
    message: `The step to t = ${t} s has no solution: no impulse at the contact of “${names.join(', ')}” lets the bodies go on as their joints, friction and restitution ask for.`,
    where: names.join(', '),
    time: t,
    remedy:
      'Reduce the friction or set the restitution to zero, let the contact yield (CompliantFriction3D), or give a motor that prescribes a speed a limit of its force.',
  });
}

function notFinite({ q, u }: ContactDynamics, space: CompiledSpace, t: number): EngineError {
  const { bodies, positionsAt, velocitiesAt } = space.system;
  const isBad = (x: Float64Array, at: number, size: number): boolean =>
    x.subarray(at, at + size).some((value) => !Number.isFinite(value));
  const bad = bodies.findIndex(
    ({ positions, velocities }, k) =>
      isBad(q, positionsAt[k], positions) || isBad(u, velocitiesAt[k], velocities),
  );
  const id = bad < 0 ? undefined : space.model.bodies[space.moving[bad]].id;
  return new EngineError({
    code: 'state-not-finite',
    message: `The state ${id === undefined ? '' : `of “${id}” `}is not finite at t = ${t} s.`,
    ...(id === undefined ? {} : { where: id }),
    time: t,
    remedy: 'Reduce the time step, and check loads and initial velocities.',
  });
}

/** Numbers of a model with bonds are to change while it runs. */
export const bondsStay = (t: number): EngineError =>
  new EngineError({
    code: 'state-not-carried',
    message: `The bonds of adhesive contacts at t = ${t} s cannot be carried over to other numbers.`,
    time: t,
    remedy: 'Start a run with the new value.',
  });

/** A change has brought or taken away bodies. */
export const otherBodies = (t: number): EngineError =>
  new EngineError({
    code: 'state-mismatch',
    message: `The model has other bodies with these numbers than it has in the run at t = ${t} s.`,
    time: t,
    remedy: 'Start a run with the new value.',
  });
