/**
 * Discrete equations of motion as the certificate sees them: each scheme's equation, written down once more
 * from its definition and evaluated with the model's own functions at the recorded states.
 */
import type { EnergyBalance } from '../../certificate/energy-balance';
import type { AssignedIntegrator } from '../../integrators/registry';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { DynamicsCheck } from './dynamics-check';
import { EulerMoreauCheck, ZeroOrderHoldCheck } from './first-order';
import { HalfStepsCheck, type HalfStepRelations } from './half-steps';
import { MoreauJeanCheck } from './lagrangian';
import { LinearMoreauJeanCheck } from './lagrangian-linear';
import type { CheckContext } from './relations';
import { SchatzmanPaoliCheck } from './schatzman-paoli';

type Maker = (
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  assignment: AssignedIntegrator,
  energy: EnergyBalance,
  halfSteps: HalfStepRelations | null,
) => DynamicsCheck[];

const makers: Readonly<Record<string, Maker>> = {
  EulerMoreau: (context, model, a) => [new EulerMoreauCheck(context, model, a)],
  ZeroOrderHold: (context, model, a) => [new ZeroOrderHoldCheck(context, model, a)],
  SchatzmanPaoli: (context, model, a, energy) => [new SchatzmanPaoliCheck(context, model, a, energy)],
  MoreauHalfStep: (context, model, a, energy, relations) =>
    relations === null ? [] : [new HalfStepsCheck(context, model, a, energy, relations)],
  MoreauJean: (context, model, a, energy) => {
    const isLinear = (s: number): boolean => {
      const { form } = model.systems[s];
      return form.order === 2 && form.linear !== null;
    };
    const linear = a.systems.filter(isLinear);
    const others = a.systems.filter((s) => !isLinear(s));
    return [
      ...(linear.length > 0
        ? [new LinearMoreauJeanCheck(context, model, { ...a, systems: linear }, energy)]
        : []),
      ...(others.length > 0 ? [new MoreauJeanCheck(context, model, { ...a, systems: others }, energy)] : []),
    ];
  },
};

export function createDynamicsChecks(
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  assignments: readonly AssignedIntegrator[],
  energy: EnergyBalance,
  halfSteps: HalfStepRelations | null,
): DynamicsCheck[] {
  return assignments.flatMap((assignment) =>
    makers[assignment.type](context, model, assignment, energy, halfSteps),
  );
}
