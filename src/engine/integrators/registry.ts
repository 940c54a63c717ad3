/** Integrators by the name a document gives them. */
import { EngineError } from '../errors';
import type { FirstOrderForm, LagrangianForm } from '../model/forms';
import { gammaOf } from '../model/settings/integrators';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { D1MinusLinear } from './d1-minus-linear';
import { EulerMoreau } from './euler-moreau';
import { MoreauHalfSteps } from './half-steps';
import { MoreauJean } from './moreau-jean';
import { MoreauJeanLinear } from './moreau-jean-linear';
import { SchatzmanPaoli } from './schatzman-paoli';
import type { OneStepIntegrator, StepContext } from './step';
import { ZeroOrderHold } from './zero-order-hold';

/** An integrator with its weights and the systems it advances. */
export interface AssignedIntegrator {
  readonly type: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly choices: Readonly<Record<string, string>>;
  readonly systems: readonly number[];
}

/** The assignment of each system. */
export function assignmentBySystem(
  assignments: readonly AssignedIntegrator[],
): ReadonlyMap<number, AssignedIntegrator> {
  return new Map(
    assignments.flatMap((assignment) => assignment.systems.map((s) => [s, assignment] as const)),
  );
}

interface Request {
  readonly context: StepContext;
  readonly model: NonSmoothDynamicalSystem;
  readonly assignment: AssignedIntegrator;
  /** systems that relations with ∇ₓg ≠ 0 couple */
  readonly groups: readonly (readonly number[])[];
}

const firstOrder = ({ model, assignment }: Request): FirstOrderForm[] =>
  assignment.systems.map((s) => model.systems[s].form as FirstOrderForm);

const lagrangian = (model: NonSmoothDynamicalSystem, systems: readonly number[]): LagrangianForm[] =>
  systems.map((s) => model.systems[s].form as LagrangianForm);

/**
 * Systems with linear forces and constant mass are advanced together in flat arrays, the others one by one.
 */
function moreauJean({ context, model, assignment }: Request): OneStepIntegrator[] {
  const { systems, numbers, choices } = assignment;
  const isLinear = (s: number): boolean => (model.systems[s].form as LagrangianForm).linear !== null;
  const linear = systems.filter(isLinear);
  const others = systems.filter((s) => !isLinear(s));
  const integrators: OneStepIntegrator[] = [];
  if (linear.length > 0)
    integrators.push(new MoreauJeanLinear(context, linear, lagrangian(model, linear), numbers.theta));
  if (others.length > 0) {
    const massPoint = choices.massPoint === 'end' ? 'end' : 'midpoint';
    integrators.push(new MoreauJean(context, others, lagrangian(model, others), numbers.theta, massPoint));
  }
  return integrators;
}

const factories: Readonly<Record<string, (request: Request) => OneStepIntegrator[]>> = {
  MoreauJean: moreauJean,
  MoreauHalfStep: ({ context, model, assignment: { systems } }) => [
    new MoreauHalfSteps(context, systems, lagrangian(model, systems)),
  ],
  D1MinusLinear: ({ context, model, assignment: { systems } }) => [
    new D1MinusLinear(context, systems, lagrangian(model, systems)),
  ],
  EulerMoreau: (request) => {
    const { context, assignment, groups } = request;
    const { systems, numbers } = assignment;
    const own = groups.filter((group) => group.some((s) => systems.includes(s)));
    for (const group of own) {
      const outside = group.find((s) => !systems.includes(s));
      if (outside !== undefined) throw apart(request, group[0], outside);
    }
    const { theta, thetaR } = numbers;
    return [new EulerMoreau(context, systems, firstOrder(request), theta, thetaR, own, gammaOf(numbers))];
  },
  ZeroOrderHold: (request) => {
    const { context, assignment, groups } = request;
    const coupled = groups.flat().find((s) => assignment.systems.includes(s));
    if (coupled !== undefined) throw heldStateInput(request, coupled);
    return [new ZeroOrderHold(context, assignment.systems, firstOrder(request))];
  },
  SchatzmanPaoli: ({ context, model, assignment }) => {
    const { systems, numbers } = assignment;
    const forms = lagrangian(model, systems);
    forms.forEach(({ linear }, i) => {
      const id = context.ids[systems[i]];
      if (linear === null) throw unsuitable(id, 'is not linear, which Schatzman–Paoli needs');
      if (linear.base !== null)
        throw unsuitable(id, 'has a base motion, which Schatzman–Paoli does not know');
    });
    return [new SchatzmanPaoli(context, systems, forms, numbers.theta)];
  },
};

function unsuitable(id: string, what: string): EngineError {
  return new EngineError({
    code: 'integrator-unsuitable',
    message: `“${id}” ${what}.`,
    where: id,
    remedy: 'Choose Moreau–Jean for this system.',
  });
}

function apart({ context }: Request, a: number, b: number): EngineError {
  return new EngineError({
    code: 'integrators-apart',
    message: `“${context.ids[a]}” and “${context.ids[b]}” are coupled by a relation r = g(t, x, λ), but have different integrators.`,
    where: context.ids[b],
    remedy: 'Give both to the same Euler–Moreau integrator.',
  });
}

function heldStateInput({ context }: Request, system: number): EngineError {
  return new EngineError({
    code: 'integrator-unsuitable',
    message: `“${context.ids[system]}” has an input r = g(t, x, λ) that depends on its state, which a zero-order hold cannot hold.`,
    where: context.ids[system],
    remedy: 'Choose Euler–Moreau for this system.',
  });
}

/**
 * @throws {EngineError} when an iteration matrix is singular at this step length, or an integrator does not
 *   suit the relations of its systems
 */
export function createIntegrators(
  context: StepContext,
  model: NonSmoothDynamicalSystem,
  assignments: readonly AssignedIntegrator[],
  groups: readonly (readonly number[])[],
): OneStepIntegrator[] {
  return assignments.flatMap((assignment) => {
    if (!Object.hasOwn(factories, assignment.type))
      throw new Error(`no integrator is called ${assignment.type}`);
    return factories[assignment.type]({ context, model, assignment, groups });
  });
}
