/** Which integrator advances which system, as the engine will assign them. */
import type { IntegratorDocument, SystemDocument } from '@engine/document/types';
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

const DEFAULTS: Readonly<Record<Order, string>> = {
  1: 'EulerMoreau',
  2: 'MoreauJean',
  body: 'MoreauHalfStep',
};

/** Named systems first, then every system of an integrator's order, then the default of the order. */
export function assignIntegrators(
  integrators: readonly IntegratorDocument[],
  systems: readonly SystemDocument[],
  catalogue: Catalogue | null,
): SystemIntegrator[] {
  return systems.map((element) => {
    const { id: system } = element;
    const order = systemOrder(catalogue, element);
    const named = integrators.findIndex(({ systems: names }) => names?.includes(system) === true);
    const open = integrators.findIndex(
      ({ type, systems: names }) =>
        names === undefined && order !== undefined && integratorOrders(catalogue, type).includes(order),
    );
    const entry = named >= 0 ? named : open;
    if (entry >= 0) return { system, type: integrators[entry]?.type ?? '', entry };
    return { system, type: order === undefined ? '' : DEFAULTS[order], entry: null };
  });
}
