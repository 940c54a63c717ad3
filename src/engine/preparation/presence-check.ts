/** Where interactions cannot come and go by a condition. */
import type { SimulationSettings } from '../document/settings';
import type { DocumentIssue, ModelDocument } from '../document/types';
import { d1MinusLinear, positionProjectionOf } from '../model/settings/integrators';

/** Integrators that look at relations within the step, or solve for joints by themselves. */
const HALF_STEPS = 'MoreauHalfStep';

/**
 * @param document with what a script has built
 * @param systems as integrators number them
 */
export function checkPresence(
  { interactions }: Pick<ModelDocument, 'interactions'>,
  systems: readonly { readonly id: string; readonly order: unknown }[],
  { scheme, integrators }: SimulationSettings,
  issues: DocumentIssue[],
): void {
  const ids = systems.map(({ id }) => id);
  const orders = new Map(systems.map(({ id, order }) => [id, order]));
  const advanced = (by: (one: SimulationSettings['integrators'][number]) => boolean): ReadonlySet<string> =>
    new Set(integrators.filter(by).flatMap((one) => one.systems.map((system) => ids[system])));
  const byHalves = advanced(({ type }) => type === HALF_STEPS);
  const withForces = advanced(({ type }) => type === d1MinusLinear.type);
  const projected = advanced((one) => positionProjectionOf(one) !== null);
  interactions.forEach(({ id, systems: linked, while: condition }, i) => {
    if (condition === undefined) return;
    const report = (message: string, remedy: string): void => {
      const pointer = `/interactions/${i}/while`;
      issues.push({ severity: 'error', code: 'presence-unsuitable', pointer, element: id, message, remedy });
    };
    const isFirst = linked.every((system) => orders.get(system) === 1);
    if (scheme === 'event-driven' && !isFirst)
      report(
        `The event-driven scheme lets interactions of first-order systems come and go, and not those of velocities, as “${id}” does by its condition.`,
        'Simulate the model by time-stepping, or remove the condition.',
      );
    else if (scheme === 'event-driven') return;
    else if (linked.some((system) => byHalves.has(system)))
      report(
        `“${id}” comes and goes by its condition; half steps keep joints closed in the middle of a step and do not let them go.`,
        'Give its systems to Moreau–Jean, or remove the condition.',
      );
    else if (linked.some((system) => withForces.has(system)))
      report(
        `“${id}” comes and goes by its condition; half-explicit Galerkin steps find its force at both ends of a step.`,
        'Give its systems to Moreau–Jean, or remove the condition.',
      );
    else if (linked.some((system) => projected.has(system)))
      report(
        `“${id}” comes and goes by its condition; the projection of positions does not let what it holds go.`,
        'Switch the projection of its integrator off, or remove the condition.',
      );
  });
}
