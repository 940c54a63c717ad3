/**
 * A simulation whose systems and interactions come and go while it runs: between two steps.
 *
 * What stays goes on with the same bits: state, multipliers, r_k of Euler–Moreau, q_{k−1} of Schatzman–Paoli,
 * the memory of events, counters, certificate and balance of energy (see `SimulationState`). A system that is
 * inserted starts from the initial values of its form at the present time; a new interaction starts with
 * λ = 0. r_k is the input of the interactions that are there now: one that is removed no longer acts in the
 * next step.
 *
 * The graph is changed in place, in time proportional to the links of the element. The flat arrays of the
 * computation (rows, operator, iteration matrices, certificate) are laid out again and the state is carried
 * over into them, because every index in them shifts; only the order of elimination is kept (`delassus.ts`).
 * Several changes made within one `change` cost as much as one.
 *
 * This is a library interface: the state vector has another layout after each change, and nothing is
 * recorded.
 */
import { EngineError } from '../errors';
import type { AssignedIntegrator } from '../integrators/registry';
import type {
  DynamicalSystem,
  Interaction,
  NonSmoothDynamicalSystem,
  NonSmoothLaw,
  Relation,
} from '../model/nsds';
import { advances, integratorDefinitions } from '../model/registry';
import { plural } from '../plural';
import { placeState } from '../model/state-places';
import { InteractionGraph, type InteractionHandle, type SystemHandle } from '../topology/interaction-graph';
import type { TimeSteppingSettings } from './setup';
import { type Origin, type SimulationState, originOf } from './state';
import { TimeStepping } from './time-stepping';

/*
 * Whether an element may be inserted into a running simulation. A document's elements have been checked by
 * its schema.
 */

type Kind = 'dynamical system' | 'interaction';

const duplicateId = (id: string, kind: Kind): EngineError =>
  new EngineError({
    code: 'duplicate-id',
    message: `There already is a ${kind} “${id}”.`,
    where: id,
    remedy: 'Give it another id, or remove the other one first.',
  });

const unknownElement = (id: string, kind: Kind): EngineError =>
  new EngineError({
    code: 'unknown-element',
    message: `There is no ${kind} “${id}”.`,
    where: id,
    remedy: 'Name one that has been inserted and not removed.',
  });

/** @throws {EngineError} when the integrator does not exist or is made for systems of the other order */
function checkSystem({ id, form }: DynamicalSystem, { type }: Omit<AssignedIntegrator, 'systems'>): void {
  const definition = integratorDefinitions.find((candidate) => candidate.type === type);
  if (
    definition !== undefined &&
    advances(definition, form.order) &&
    (type !== 'SchatzmanPaoli' || (form.order === 2 && form.linear !== null))
  )
    return;
  throw new EngineError({
    code: 'integrator-unsuitable',
    message:
      definition === undefined
        ? `There is no integrator ${type} for “${id}”.`
        : `${type} cannot advance “${id}”.`,
    where: id,
    remedy: `Choose one of ${integratorDefinitions.map((other) => other.type).join(', ')} that suits the system.`,
  });
}

/** @throws {EngineError} when the relation does not fit the systems, or the law the relation */
function checkInteraction(
  { id, relation, law }: { readonly id: string; readonly relation: Relation; readonly law: NonSmoothLaw },
  systems: readonly DynamicalSystem[],
): void {
  const refuse = (message: string, remedy: string): EngineError =>
    new EngineError({ code: 'interaction-unsuitable', message: `“${id}” ${message}`, where: id, remedy });
  if (systems.length === 0 || new Set(systems).size !== systems.length)
    throw refuse('must link one or more systems, each once.', 'List each linked system once.');
  const other = systems.find(({ form }) => form.order !== relation.order);
  if (other !== undefined)
    throw refuse(
      `has a relation for systems of order ${relation.order}, which “${other.id}” is not.`,
      'Link systems of one order with a relation of that order.',
    );
  const columns = systems.reduce((sum, { form }) => sum + form.size, 0);
  if (columns !== relation.columns)
    throw refuse(
      `has a relation of ${plural(relation.columns, 'column')}, but its systems have ${plural(columns, 'coordinate')}.`,
      'Give the relation one column for each coordinate.',
    );
  if (relation.size % law.size !== 0)
    throw refuse(
      `has ${plural(relation.size, 'row')}, which its law of size ${law.size} does not divide.`,
      'Make the number of rows a multiple of the size of the law.',
    );
}

/* The elements of a live simulation and the graph of their links, with changes that can be taken back. */

/** An integrator and its settings. Systems with the same choice are advanced together. */
export type IntegratorChoice = Omit<AssignedIntegrator, 'systems'>;

/** An interaction that names the systems it links, in the order of its relation's columns. */
export interface LiveInteraction {
  readonly id: string;
  readonly systems: readonly string[];
  readonly relation: Relation;
  readonly law: NonSmoothLaw;
}

interface LiveSystem {
  readonly system: DynamicalSystem;
  readonly integrator: IntegratorChoice;
}

/** The elements at one moment, in the order in which they were inserted, and the model they make. */
export interface ElementList {
  readonly systems: readonly LiveSystem[];
  readonly interactions: readonly LiveInteraction[];
  readonly model: NonSmoothDynamicalSystem;
  readonly integrators: readonly AssignedIntegrator[];
}

/** For what the graph and the lists hold together. */
function held<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the graph and the elements differ');
  return value;
}

class LiveElements {
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
function assignments(members: readonly LiveSystem[]): AssignedIntegrator[] {
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

/** A graph to look at. */
export type InteractionGraphView = Omit<
  InteractionGraph,
  'insertSystem' | 'removeSystem' | 'insertInteraction' | 'removeInteraction' | 'setLevel'
>;

/** Whether a system was removed, and the interactions that went with it or stand in the way. */
export interface RemovedSystem {
  readonly removed: boolean;
  readonly interactions: readonly string[];
}

export class LiveSimulation {
  readonly #settings: TimeSteppingSettings;
  readonly #elements = new LiveElements();
  /** what the present computation was made from */
  #compiled: ElementList;
  #simulation: TimeStepping;
  #isChanging = false;

  /**
   * @param model the systems and interactions to start with; may be empty
   * @throws {EngineError} what `TimeStepping` throws of a model it cannot run
   */
  constructor({ systems, interactions }: NonSmoothDynamicalSystem, settings: TimeSteppingSettings) {
    this.#settings = settings;
    const choices = new Map<number, IntegratorChoice>();
    for (const { systems: advanced, ...choice } of settings.integrators)
      for (const s of advanced) choices.set(s, choice);
    systems.forEach((system, i) => {
      const integrator = choices.get(i);
      if (integrator === undefined) throw new Error(`system ${system.id} has no integrator`);
      this.#elements.putSystem({ system, integrator });
    });
    for (const { id, systems: linked, relation, law } of interactions)
      this.#elements.putInteraction({ id, systems: linked.map((s) => systems[s].id), relation, law });
    this.#compiled = this.#elements.list();
    this.#simulation = this.#compile(this.#compiled, null);
  }

  /** The computation of the present model; another one after each change. */
  get simulation(): TimeStepping {
    return this.#simulation;
  }

  get model(): NonSmoothDynamicalSystem {
    return this.#compiled.model;
  }

  /** Who is linked with whom. Handles stay valid as long as their element is there. */
  get graph(): InteractionGraphView {
    return this.#elements.graph;
  }

  /** end of the last step, s */
  get time(): number {
    return this.#simulation.time;
  }

  /** Performs one step. @throws {EngineError} see `TimeStepping.advance` */
  advance(): void {
    this.#simulation.advance();
  }

  /** @throws {EngineError} when the id is taken, or the integrator does not suit the system */
  insertSystem(system: DynamicalSystem, integrator: IntegratorChoice): void {
    this.change(() => {
      if (this.#elements.system(system.id) !== undefined) throw duplicateId(system.id, 'dynamical system');
      checkSystem(system, integrator);
      this.#elements.putSystem({ system, integrator });
    });
  }

  /**
   * @param linked what happens when interactions hold the system: it stays, or they go with it
   * @throws {EngineError} when there is no such system
   */
  removeSystem(id: string, linked: 'refuse' | 'cascade' = 'refuse'): RemovedSystem {
    const { graph } = this.#elements;
    const handle = graph.findSystem(id);
    if (handle === undefined) throw unknownElement(id, 'dynamical system');
    const handles = [...graph.interactionsOf(handle)];
    const interactions = handles.map((alpha) => graph.interactionId(alpha));
    if (interactions.length > 0 && linked === 'refuse') return { removed: false, interactions };
    this.change(() => {
      for (const alpha of handles) this.#elements.dropInteraction(alpha);
      this.#elements.dropSystem(handle);
    });
    return { removed: true, interactions };
  }

  /** @throws {EngineError} when the id is taken, a system does not exist, or sizes or orders do not fit */
  insertInteraction(interaction: LiveInteraction): void {
    this.change(() => {
      const { id, systems } = interaction;
      if (this.#elements.hasInteraction(id)) throw duplicateId(id, 'interaction');
      const linked = systems.map((name) => {
        const member = this.#elements.system(name);
        if (member === undefined) throw unknownElement(name, 'dynamical system');
        return member.system;
      });
      checkInteraction(interaction, linked);
      this.#elements.putInteraction(interaction);
    });
  }

  /** @throws {EngineError} when there is no such interaction */
  removeInteraction(id: string): void {
    const handle = this.#elements.graph.findInteraction(id);
    if (handle === undefined) throw unknownElement(id, 'interaction');
    this.change(() => {
      this.#elements.dropInteraction(handle);
    });
  }

  /**
   * Makes several changes as one: the computation is laid out once, at the end. When it cannot be, or a
   * change throws, all of them are taken back.
   * @throws {EngineError} after a step that failed; see `restore`
   */
  change(edit: () => void): void {
    if (this.#isChanging) {
      edit();
      return;
    }
    // Taken first: in the middle of a failed step there is nothing to carry over, and nothing is changed.
    const state = this.#simulation.exportState();
    const { graph } = this.#elements;
    const { revision } = graph;
    this.#elements.begin();
    this.#isChanging = true;
    try {
      edit();
      if (graph.revision !== revision) this.#follow(state);
    } catch (error) {
      this.#elements.takeBack();
      throw error;
    } finally {
      this.#isChanging = false;
    }
  }

  /** Lays the computation out for the elements that are there now, and carries the state over. */
  #follow(state: SimulationState): void {
    const before = this.#compiled;
    const now = this.#elements.list();
    // By identity, not by name: an element that was replaced by one of the same name is new.
    const origin = {
      state,
      systems: positions(now.systems, before.systems),
      interactions: positions(now.interactions, before.interactions),
    };
    this.#simulation = this.#compile(now, origin);
    this.#compiled = now;
  }

  /** See `TimeStepping.exportState`. */
  exportState(): SimulationState {
    return this.#simulation.exportState();
  }

  /**
   * Goes back to a state of this simulation. Elements that it does not hold start as new ones do.
   * @throws {EngineError} when an element has another size than in the state
   */
  restore(state: SimulationState): void {
    this.#simulation = this.#compile(this.#compiled, originOf(this.#compiled.model, state));
  }

  #compile({ model, integrators }: ElementList, origin: Origin | null): TimeStepping {
    const settings = { ...this.#settings, integrators };
    return new TimeStepping(model, placeState(model), settings, origin);
  }
}

/** Position of each element before, −1 for those that were not there. */
function positions<T>(elements: readonly T[], before: readonly T[]): Int32Array {
  const at = new Map(before.map((element, i) => [element, i]));
  return Int32Array.from(elements, (element) => at.get(element) ?? -1);
}
