/**
 * A simulation whose systems and interactions come and go while it runs: between two steps.
 *
 * What stays goes on with the same bits: state, multipliers, r_k of Euler–Moreau, q_{k−1} of Schatzman–Paoli, the memory
 * of events, counters, certificate and balance of energy (see `SimulationState`). A system that is inserted starts from
 * the initial values of its form at the present time; a new interaction starts with λ = 0. r_k is the input of the
 * interactions that are there now: one that is removed no longer acts in the next step.
 *
 * The graph is changed in place, in time proportional to the links of the element. The flat arrays of the computation
 * (rows, operator, iteration matrices, certificate) are laid out anew and the state is carried over into them, because
 * every index in them shifts; only the order of elimination is kept (`elimination-order.ts`). Several changes made
 * within one `change` cost as much as one.
 *
 * This is a library interface: the state vector has another layout after each change, and nothing is recorded.
 */
import type { DynamicalSystem, NonSmoothDynamicalSystem } from '../model/nsds';
import type { InteractionGraph } from '../topology/interaction-graph';
import { type Origin, originOf } from './carry-over';
import { placeState } from './layout';
import { checkInteraction, checkSystem, duplicateId, unknownElement } from './live-checks';
import { type ElementList, type IntegratorChoice, LiveElements, type LiveInteraction } from './live-elements';
import type { SimulationState } from './state';
import type { TimeSteppingSettings } from './setup';
import { TimeStepping } from './time-stepping';

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
   * Makes several changes as one: the computation is laid out once, at the end. When it cannot be, or a change throws,
   * all of them are taken back.
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
