/** Which integrator advances which system, as the engine will assign them. */
import type { IntegratorDocument, InteractionDocument, SystemDocument } from '@engine/document/types';
import type { Catalogue, ElementDefinition, Order } from '@engine/model/definition';
import { systemOrder } from './sizes';

export interface SystemIntegrator {
  system: string;
  /** type of the integrator; empty when none is known for the order of the system */
  type: string;
  /** its position in the list; null for the default of the order */
  entry: number | null;
}

/** Orders of the systems an integrator advances. */
export const ordersOf = ({ order, advances }: ElementDefinition): readonly Order[] =>
  advances ?? (order === undefined ? [] : [order]);

/** The same by its type. */
export function integratorOrders(catalogue: Catalogue | null, type: string): readonly Order[] {
  const found = catalogue?.integrators.find((definition) => definition.type === type);
  return found === undefined ? [] : ordersOf(found);
}

/** Keys of the fields of an integrator that are about systems the model does not have. */
export const foreignFields = (definition: ElementDefinition | undefined, isSpatial: boolean): string[] =>
  (definition?.fields ?? [])
    .filter(({ systems }) => systems !== undefined && (systems === 'body') !== isSpatial)
    .map(({ key }) => key);

/** Nothing integrates a control block. */
const DEFAULTS: Readonly<Record<Order, string>> = {
  1: 'EulerMoreau',
  2: 'MoreauJean',
  body: 'MoreauHalfStep',
  signal: '',
};

/** The law of joints, which relations between bodies that are joints or springs name as theirs. */
const EQUALITY = 'Equality';

/** Systems that hang together with a joint or a spring between bodies, through whatever interactions. */
function jointedSystems(
  interactions: readonly InteractionDocument[],
  catalogue: Catalogue | null,
): ReadonlySet<string> {
  const isJoint = ({ relation: { type }, law }: InteractionDocument): boolean => {
    const relation = catalogue?.relations.find((definition) => definition.type === type);
    return relation?.law === EQUALITY && law.type === EQUALITY && law.level !== 'position';
  };
  const jointed = new Set(interactions.filter(isJoint).flatMap(({ systems }) => systems));
  for (let known = -1; known < jointed.size;) {
    known = jointed.size;
    for (const { systems } of interactions)
      if (systems.some((id) => jointed.has(id))) for (const id of systems) jointed.add(id);
  }
  return jointed;
}

/**
 * Named systems first, then every system of an integrator's order, then the default of the order, which with
 * joints is that of 3D bodies.
 */
export function assignIntegrators(
  integrators: readonly IntegratorDocument[],
  systems: readonly SystemDocument[],
  catalogue: Catalogue | null,
  interactions: readonly InteractionDocument[] = [],
): SystemIntegrator[] {
  const jointed = jointedSystems(interactions, catalogue);
  const integrated = systems.filter((element) => systemOrder(catalogue, element) !== 'signal');
  return integrated.map((element) => {
    const { id: system } = element;
    const order = systemOrder(catalogue, element);
    const named = integrators.findIndex(({ systems: names }) => names?.includes(system) === true);
    const open = integrators.findIndex(
      ({ type, systems: names }) =>
        names === undefined && order !== undefined && integratorOrders(catalogue, type).includes(order),
    );
    const entry = named >= 0 ? named : open;
    if (entry >= 0) return { system, type: integrators[entry]?.type ?? '', entry };
    const byDefault = order === 2 && jointed.has(system) ? 'body' : order;
    return { system, type: byDefault === undefined ? '' : DEFAULTS[byDefault], entry: null };
  });
}
