/** The elements of a live simulation and the graph of their links, with changes that can be taken back. */
import type { IntegratorAssignment } from '../integrators/registry';
import type {
  DynamicalSystem,
  Interaction,
  NonSmoothDynamicalSystem,
  NonSmoothLaw,
  Relation,
} from '../model/nsds';
import { InteractionGraph, type InteractionHandle, type SystemHandle } from '../topology/interaction-graph';

/** An integrator and its settings. Systems with the same choice are advanced together. */
export type IntegratorChoice = Omit<IntegratorAssignment, 'systems'>;

/** An interaction that names the systems it links, in the order of its relation's columns. */
export interface LiveInteraction {
  readonly id: string;
  readonly systems: readonly string[];
  readonly relation: Relation;
  readonly law: NonSmoothLaw;
}

export interface LiveSystem {
  readonly system: DynamicalSystem;
  readonly integrator: IntegratorChoice;
}

/** The elements at one moment, in the order in which they were inserted, and the model they make. */
export interface ElementList {
  readonly systems: readonly LiveSystem[];
  readonly interactions: readonly LiveInteraction[];
  readonly model: NonSmoothDynamicalSystem;
  readonly integrators: readonly IntegratorAssignment[];
}

/** For what the graph and the lists hold together. */
function held<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the graph and the elements differ');
  return value;
}

export class LiveElements {
  readonly graph = new InteractionGraph();
  #systems = new Map<string, LiveSystem>();
  #interactions = new Map<string, LiveInteraction>();
  /** what undoes each change of the graph since the last `begin` */
  #undo: (() => void)[] = [];
  #before = { systems: this.#systems, interactions: this.#interactions };

  system(id: string): LiveSystem | undefined {
    return this.#systems.get(id);
  }

  hasInteraction(id: string): boolean {
    return this.#interactions.has(id);
  }

  putSystem(member: LiveSystem): void {
    const { id } = member.system;
    const handle = this.graph.insertSystem(id);
    this.#systems.set(id, member);
    this.#undo.push(() => this.graph.removeSystem(handle));
  }

  /** Its systems must be there. */
  putInteraction(interaction: LiveInteraction): void {
    const { id, systems } = interaction;
    const handles = systems.map((name) => held(this.graph.findSystem(name)));
    const handle = this.graph.insertInteraction(id, handles);
    this.#interactions.set(id, interaction);
    this.#undo.push(() => {
      this.graph.removeInteraction(handle);
    });
  }

  /** Its interactions must be gone. */
  dropSystem(handle: SystemHandle): void {
    const id = this.graph.systemId(handle);
    this.graph.removeSystem(handle);
    this.#systems.delete(id);
    // The graph gives the handle that was freed last.
    this.#undo.push(() => this.graph.insertSystem(id));
  }

  dropInteraction(handle: InteractionHandle): void {
    const id = this.graph.interactionId(handle);
    const systems = this.graph.systemsOf(handle);
    this.graph.removeInteraction(handle);
    this.#interactions.delete(id);
    this.#undo.push(() => this.graph.insertInteraction(id, systems));
  }

  /** From here on changes can be taken back. */
  begin(): void {
    this.#undo = [];
    this.#before = { systems: new Map(this.#systems), interactions: new Map(this.#interactions) };
  }

  /** Elements, their order and the handles of the graph become what they were at `begin`. */
  takeBack(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
    this.#systems = this.#before.systems;
    this.#interactions = this.#before.interactions;
  }

  list(): ElementList {
    const systems = [...this.#systems.values()];
    const interactions = [...this.#interactions.values()];
    const at = new Map(systems.map(({ system }, i) => [system.id, i]));
    const model = {
      systems: systems.map(({ system }) => system),
      interactions: interactions.map(({ id, systems: linked, relation, law }): Interaction => ({
        id,
        systems: linked.map((name) => held(at.get(name))),
        relation,
        law,
      })),
    };
    return { systems, interactions, model, integrators: assignments(systems) };
  }
}

/** Systems with the same choice of integrator, in the order of their first one. */
function assignments(members: readonly LiveSystem[]): IntegratorAssignment[] {
  const groups = new Map<string, IntegratorChoice & { readonly systems: number[] }>();
  const keys = new Map<IntegratorChoice, string>();
  members.forEach(({ integrator }, i) => {
    const { type, numbers, choices } = integrator;
    const key = keys.get(integrator) ?? JSON.stringify([type, sorted(numbers), sorted(choices)]);
    keys.set(integrator, key);
    const group = groups.get(key) ?? { type, numbers, choices, systems: [] };
    group.systems.push(i);
    groups.set(key, group);
  });
  return [...groups.values()];
}

const sorted = (record: Readonly<Record<string, number | string>>): [string, number | string][] =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
