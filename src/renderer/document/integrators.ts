/** Which integrator advances which system, as the engine will assign them. */
import type {
  DocumentReport,
  IntegratorDocument,
  InteractionDocument,
  SystemDocument,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition, Order } from '@engine/model/definition';
import { systemOrder } from './sizes';

/** How a system of a drawing is spoken of. */
interface DrawnSystem {
  /** by what integrators can name it, besides its id */
  readonly names: readonly string[];
  /** what it is called */
  readonly shown: string;
}

/** Components that a drawn system is called by, at most. */
const MOST_SHOWN = 3;

/** The systems that a drawing has become, by their ids. */
export function drawnSystems(drawn: DocumentReport['drawn']): ReadonlyMap<string, DrawnSystem> {
  const systems = (drawn?.systems ?? []).map(({ id }) => {
    const { rows = [], names = [] } = drawn?.labels[id] ?? {};
    const owners = new Set(rows.map((row) => row.replace(/\.\w+$/, '')));
    const shown = owners.size > 0 ? [...owners] : [names.at(0) ?? id];
    const more = shown.length > MOST_SHOWN ? ', …' : '';
    return [id, { names, shown: shown.slice(0, MOST_SHOWN).join(', ') + more }] as const;
  });
  return new Map(systems);
}

/** By what integrators name a system: as they do already, else by its first component or its id. */
export function nameOf(
  id: string,
  names: readonly string[],
  integrators: readonly IntegratorDocument[],
): string {
  const named = integrators.flatMap(({ systems = [] }) => systems);
  return named.find((name) => name === id || names.includes(name)) ?? names.at(0) ?? id;
}

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
  drawn: ReadonlyMap<string, DrawnSystem> = new Map(),
): SystemIntegrator[] {
  const jointed = jointedSystems(interactions, catalogue);
  const integrated = systems.filter((element) => systemOrder(catalogue, element) !== 'signal');
  return integrated.map((element) => {
    const { id } = element;
    const { names, shown: system } = drawn.get(id) ?? { names: [], shown: id };
    const order = systemOrder(catalogue, element);
    const named = integrators.findIndex(
      ({ systems: given }) => given?.some((name) => name === id || names.includes(name)) === true,
    );
    const open = integrators.findIndex(
      ({ type, systems: names }) =>
        names === undefined && order !== undefined && integratorOrders(catalogue, type).includes(order),
    );
    const entry = named >= 0 ? named : open;
    if (entry >= 0) return { system, type: integrators[entry]?.type ?? '', entry };
    const byDefault = order === 2 && jointed.has(id) ? 'body' : order;
    return { system, type: byDefault === undefined ? '' : DEFAULTS[byDefault], entry: null };
  });
}
