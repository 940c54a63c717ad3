/** Errors of a step of contact dynamics, in the words of the model. */
import type { StateArchive } from '../../state-archive';
import type { ContactDynamics, ContactDynamicsStatus } from '../../contact-dynamics/contact-dynamics';
import { EngineError } from '../../errors';
import { IMPACT_STATUS_HELP } from '../../impacts/status';
import type { CompiledSpace } from '../../preparation/spatial/compile';
import { ContactSolutions } from '../../solvers/one-contact/contact-solutions';
import { STATUS_HELP, type SolverStatus, reached } from '../../solvers/solver';
import { SPATIAL_STATUS_HELP } from '../../spatial/status';

/*
 * Whether a step has one solution. Where a single contact is closed all solutions of its problem are known in
 * closed form (`solvers/one-contact`): there may be several, or a continuum, where friction couples normal
 * and tangent strongly. That is Painlevé's paradox, and a run that goes on with one of the solutions should
 * say so. There may be none where joints leave the contact less than three directions to move in, and a step
 * that was not solved should say that instead of how its solver ended.
 */

/**
 * Part of |q| that rounding of W r may have: a solution has 10⁻¹⁵ of it, what only rounding of W makes one
 * has percents.
 */
const ROUNDED = 1e-6;

/** Whether a step that was not solved has a single contact, and its problem no solution. */
function hasNoSolution({ problem, activeCount }: ContactDynamics): boolean {
  if (problem.count !== 1 || activeCount !== 1) return false;
  const solutions = new ContactSolutions();
  solutions.find(problem.W.values, 0, problem.q, problem.mu[0], problem.r);
  return solutions.count === 0;
}

export class UniquenessWatch {
  readonly #solutions = new ContactSolutions();
  /**
   * [0] steps with several solutions, [1] time of the first, s, [2] how many it had, [3] 1 where they were a
   * continuum
   */
  readonly #first = new Float64Array(4);
  /** interaction of the first */
  #contact = -1;

  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly space: CompiledSpace,
  ) {}

  exchange(archive: StateArchive): void {
    archive.fixed(this.#first);
    this.#contact = archive.value(this.#contact);
  }

  /**
   * Looks at the step that has just been computed.
   * @returns false when its solution is one of the rounding of W only: there is none then, and impulses and
   *   velocities are no numbers to go on with
   */
  look(): boolean {
    const { problem, activeCount, contacts, active } = this.dynamics;
    if (problem.count !== 1 || activeCount !== 1 || contacts === null) return true;
    const found = this.#solutions;
    found.find(problem.W.values, 0, problem.q, problem.mu[0], problem.r);
    // None may also be what rounding makes of a solution that the solver has certified.
    if (found.count === 0) return Number.EPSILON * pushOf(problem) <= ROUNDED * largest(problem.q, 3);
    const isContinuum = found.continua[0] === 1;
    if (found.count < 2 && !isContinuum) return true;
    this.#note(contacts.materials[active[0]], isContinuum);
    return true;
  }

  #note(contact: number, isContinuum: boolean): void {
    const first = this.#first;
    first[0]++;
    if (first[0] > 1) return;
    first[1] = this.dynamics.time;
    first[2] = this.#solutions.count;
    first[3] = isContinuum ? 1 : 0;
    this.#contact = contact;
  }

  /** What was found, in words; null where every step has had one solution. */
  get finding(): string | null {
    const [steps, time, count, isContinuum] = this.#first;
    if (steps === 0) return null;
    const { id } = this.space.contacts[this.#contact];
    const what = isContinuum === 1 ? 'a continuum of solutions' : `${count} solutions`;
    const more = steps > 1 ? `, and so it was in ${steps} steps` : '';
    return `At t = ${Number(time.toPrecision(6))} s the contact of “${id}” has ${what} (Painlevé’s paradox)${more}: the run goes on with one of them.`;
  }
}

/*
 * Which steps the automatic choice of a friction solver could not do by sweeps: they cost more, and a user
 * who wonders why a run is slow should learn which solver took over, and after what.
 */

export class ChoiceWatch {
  #steps = 0;
  #fallbacks = 0;
  /** steps by solver that took over */
  #bySolver: ReadonlyMap<string, number> = new Map();
  /** [0] time of the first, s */
  readonly #first = new Float64Array(1);
  #reason = '';

  constructor(private readonly dynamics: ContactDynamics) {}

  /** Looks at the step that has just been computed. */
  look(): void {
    const { activeCount, result, choice, time } = this.dynamics;
    if (activeCount === 0) return;
    this.#steps++;
    if (choice === null) return;
    if (this.#fallbacks++ === 0) {
      this.#first[0] = time;
      this.#reason = choice;
    }
    const before = this.#bySolver.get(result.solver) ?? 0;
    this.#bySolver = new Map([...this.#bySolver, [result.solver, before + 1]]);
  }

  exchange(archive: StateArchive): void {
    this.#steps = archive.value(this.#steps);
    this.#fallbacks = archive.value(this.#fallbacks);
    this.#bySolver = archive.value(this.#bySolver);
    archive.fixed(this.#first);
    this.#reason = archive.value(this.#reason);
  }

  /** What was found, in words; null where the first choice has done. */
  get finding(): string | null {
    if (this.#fallbacks === 0) return null;
    const solvers = [...this.#bySolver].map(([name, steps]) => `${name} (${steps})`).join(', ');
    const time = Number(this.#first[0].toPrecision(6));
    return `In ${this.#fallbacks} of ${this.#steps} steps with contacts sweeps did not do, and the automatic choice took ${solvers}. At t = ${time} s it tried ${this.#reason}.`;
  }
}

function largest(numbers: Float64Array, count: number): number {
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(numbers[i]));
  return most;
}

/** |W| |r| of the one contact, m/s. */
const pushOf = ({ W, r }: ContactDynamics['problem']): number => largest(W.values, 9) * largest(r, 3);

/** Ids beyond this number are not named. */
const MAX_NAMES = 8;

const CHOOSE_AUTO = 'Choose the solver auto, loosen the tolerance, or reduce the time step.';
const LOOSEN =
  'Loosen the tolerance to what was reached if that is good enough, or reduce the time step, which changes the problem.';
/**
 * What to do about problems with friction that no pivoting solver takes; other statuses are as everywhere.
 * @param isAuto whether all solvers were tried
 */
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
  const { status } = result;
  const names = interactionsOf(dynamics, space);
  return new EngineError({
    code: `solver-${status}`,
    message:
      `The friction problem of ${activeCount} contacts at t = ${t} s was not solved: ${STATUS_HELP[status].message} ` +
      `${reached(result, dynamics.settings.tolerance)}${choice === null ? '' : `. Tried: ${choice}`}.`,
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
