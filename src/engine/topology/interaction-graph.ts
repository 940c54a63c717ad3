/**
 * The bipartite graph of dynamical systems and interactions, changed piece by piece while a run goes on.
 *
 * From it follow the linked-interaction map (Siconos developer's notes §2.1.1: for each interaction the
 * others that share a system with it, with the systems they share), hence which blocks of the one-step matrix
 * are non-zero, the connected components, and the index sets I0 ⊇ I1 ⊇ I2 …
 *
 * Systems and interactions are named by handles: small integers that stay valid until the element is removed
 * and then may be given to another one, so that they can index flat arrays. With d the number of interactions
 * at the systems that a change concerns, inserting and removing cost O(d), plus the maintenance of the
 * components (see `Components`). All listings come in an order that depends on the graph alone, not on its
 * history.
 */
import { IndexSet, type ReadonlyIndexSet } from './index-set';

/*
 * Connected components of the interaction graph while systems are linked and separated.
 *
 * Linking two components renames the smaller one. Separating asks whether what was linked still hangs
 * together by other paths: one search starts from each of the separated systems, all advance in turn by one
 * system, and searches that meet become one. As soon as a single search is left unfinished the answer is
 * known: each exhausted search is a component of its own, and the unfinished one, whose rest is never
 * visited, keeps the old name. So both cost about the size of the smaller parts, not of the whole.
 * (Interleaved search: Even and Shiloach 1981.)
 */

/**
 * Gives the neighbours of a system: all systems that share an interaction with it. May name a system several
 * times.
 */
type VisitNeighbours = (system: number, visit: (neighbour: number) => void) => void;

/** One of the interleaved searches: systems seen and not yet expanded, and systems expanded. */
interface Search {
  pending: number[];
  expanded: number[];
}

class Components {
  /** members of each component, in no particular order; empty for names that are free */
  readonly #members: number[][] = [];
  readonly #free: number[] = [];
  /** component of each system, −1 where there is no system */
  readonly #component: number[] = [];
  /** place of each system in the members of its component */
  readonly #place: number[] = [];

  /** A new system is a component of its own. */
  insert(system: number): void {
    this.#adopt(this.#newName(), system);
  }

  /** Forgets a system that has no neighbour any more. */
  remove(system: number): void {
    const name = this.#component[system];
    this.#dismiss(system);
    this.#component[system] = -1;
    this.#free.push(name);
  }

  /** Name of the component: equal for connected systems, and otherwise without meaning. */
  of(system: number): number {
    return this.#component[system];
  }

  /** All systems of a component in increasing order. */
  members(name: number): number[] {
    return [...this.#members[name]].sort((a, b) => a - b);
  }

  /** All components, ordered by their smallest system. */
  list(): number[][] {
    return this.#members
      .filter((members) => members.length > 0)
      .map((members) => [...members].sort((a, b) => a - b))
      .sort((a, b) => a[0] - b[0]);
  }

  /** The systems have been linked by an interaction. */
  link(systems: readonly number[]): void {
    for (let k = 1; k < systems.length; k++) {
      const one = this.#component[systems[0]];
      const other = this.#component[systems[k]];
      if (one === other) continue;
      const [from, into] =
        this.#members[one].length < this.#members[other].length ? [one, other] : [other, one];
      for (const system of this.#members[from]) this.#adopt(into, system);
      this.#members[from] = [];
      this.#free.push(from);
    }
  }

  /** The interaction that linked the systems has been removed; `visitNeighbours` no longer sees it. */
  separate(systems: readonly number[], visitNeighbours: VisitNeighbours): void {
    for (const part of separatedParts(systems, visitNeighbours)) {
      const name = this.#newName();
      for (const system of part) {
        this.#dismiss(system);
        this.#adopt(name, system);
      }
    }
  }

  #newName(): number {
    return this.#free.pop() ?? this.#members.push([]) - 1;
  }

  #adopt(name: number, system: number): void {
    this.#component[system] = name;
    this.#place[system] = this.#members[name].push(system) - 1;
  }

  /** Takes a system out of the members of its component by moving the last one into its place. */
  #dismiss(system: number): void {
    const members = this.#members[this.#component[system]];
    const last = members.pop();
    if (last === undefined || last === system) return;
    members[this.#place[system]] = last;
    this.#place[last] = this.#place[system];
  }
}

/** The components that have come off: all but one of those the systems now lie in. */
function separatedParts(systems: readonly number[], visitNeighbours: VisitNeighbours): number[][] {
  const owner = new Map<number, Search>();
  const mergedInto = new Map<Search, Search>();
  const resolve = (search: Search): Search => {
    let s = search;
    for (let next = mergedInto.get(s); next !== undefined; next = mergedInto.get(s)) s = next;
    return s;
  };
  let active = systems.map((system): Search => {
    const search = { pending: [system], expanded: [] };
    owner.set(system, search);
    return search;
  });
  const separated: number[][] = [];
  while (active.length > 1) {
    for (const search of active) {
      if (mergedInto.has(search)) continue;
      const system = search.pending.pop();
      if (system === undefined) continue;
      search.expanded.push(system);
      visitNeighbours(system, (neighbour) => {
        const mine = resolve(search);
        const found = owner.get(neighbour);
        if (found === undefined) {
          owner.set(neighbour, mine);
          mine.pending.push(neighbour);
          return;
        }
        const theirs = resolve(found);
        if (theirs === mine) return;
        const [small, large] =
          theirs.pending.length + theirs.expanded.length < mine.pending.length + mine.expanded.length
            ? [theirs, mine]
            : [mine, theirs];
        for (const s of small.pending) large.pending.push(s);
        for (const s of small.expanded) large.expanded.push(s);
        mergedInto.set(small, large);
      });
    }
    active = active.filter((search) => !mergedInto.has(search));
    // The last one alive need not be finished: what it has not seen yet belongs to it.
    for (let k = active.length - 1; k >= 0 && active.length > 1; k--) {
      if (active[k].pending.length > 0) continue;
      separated.push(active[k].expanded);
      active.splice(k, 1);
    }
  }
  return separated;
}

export type SystemHandle = number;
export type InteractionHandle = number;

/** An interaction that shares systems with another one. */
export interface LinkedInteraction {
  readonly interaction: InteractionHandle;
  /** the systems they share, in increasing order; at least one */
  readonly common: readonly SystemHandle[];
}

/** Whether a system was removed, and the interactions that went with it or stand in the way. */
export interface SystemRemoval {
  readonly removed: boolean;
  readonly interactions: readonly InteractionHandle[];
}

interface SystemNode {
  readonly id: string;
  /** in increasing order */
  readonly interactions: InteractionHandle[];
}

interface InteractionNode {
  readonly id: string;
  /** in the order of the relation's columns */
  readonly systems: readonly SystemHandle[];
  /**
   * by handle of the other interaction: the common systems in increasing order; the list is shared with the
   * other
   */
  readonly linked: Map<InteractionHandle, SystemHandle[]>;
  /** highest index set it belongs to */
  level: number;
}

/** Nodes of one kind in slots that are reused, with their identifiers. */
class Slots<Node extends { readonly id: string }> {
  readonly nodes: (Node | undefined)[] = [];
  readonly #byId = new Map<string, number>();
  readonly #free: number[] = [];

  constructor(private readonly kind: string) {}

  insert(node: Node): number {
    if (this.#byId.has(node.id)) throw new Error(`There is already ${this.kind} '${node.id}'.`);
    const handle = this.#free.pop() ?? this.nodes.length;
    this.nodes[handle] = node;
    this.#byId.set(node.id, handle);
    return handle;
  }

  remove(handle: number): void {
    this.#byId.delete(this.get(handle).id);
    this.nodes[handle] = undefined;
    this.#free.push(handle);
  }

  get(handle: number): Node {
    const node = this.nodes[handle];
    if (node === undefined) throw new RangeError(`There is no ${this.kind} with handle ${handle}.`);
    return node;
  }

  find(id: string): number | undefined {
    return this.#byId.get(id);
  }

  get size(): number {
    return this.#byId.size;
  }

  handles(): number[] {
    return this.nodes.flatMap((node, handle) => (node === undefined ? [] : [handle]));
  }
}

export class InteractionGraph {
  readonly #systems = new Slots<SystemNode>('system');
  readonly #interactions = new Slots<InteractionNode>('interaction');
  readonly #components = new Components();
  /** I0, I1, … as far as they have been asked for */
  readonly #indexSets: IndexSet[] = [new IndexSet()];
  #revision = 0;

  /**
   * Changes whenever a system or an interaction is inserted or removed. Index sets have revisions of their
   * own.
   */
  get revision(): number {
    return this.#revision;
  }

  get systemCount(): number {
    return this.#systems.size;
  }

  get interactionCount(): number {
    return this.#interactions.size;
  }

  /** Handles of all systems, increasing. */
  systems(): SystemHandle[] {
    return this.#systems.handles();
  }

  /** Handles of all interactions, increasing. */
  interactions(): InteractionHandle[] {
    return this.#interactions.handles();
  }

  findSystem(id: string): SystemHandle | undefined {
    return this.#systems.find(id);
  }

  findInteraction(id: string): InteractionHandle | undefined {
    return this.#interactions.find(id);
  }

  systemId(system: SystemHandle): string {
    return this.#systems.get(system).id;
  }

  interactionId(interaction: InteractionHandle): string {
    return this.#interactions.get(interaction).id;
  }

  /** @throws when the identifier is taken */
  insertSystem(id: string): SystemHandle {
    const system = this.#systems.insert({ id, interactions: [] });
    this.#components.insert(system);
    this.#revision++;
    return system;
  }

  /**
   * Removes a system, if need be with its interactions.
   * @param linked what to do when interactions hold the system: refuse, or remove them first
   * @returns whether it was removed, and the interactions concerned in increasing order
   */
  removeSystem(system: SystemHandle, linked: 'refuse' | 'cascade' = 'refuse'): SystemRemoval {
    const interactions = [...this.#systems.get(system).interactions];
    if (interactions.length > 0 && linked === 'refuse') return { removed: false, interactions };
    for (const interaction of interactions) this.removeInteraction(interaction);
    this.#components.remove(system);
    this.#systems.remove(system);
    this.#revision++;
    return { removed: true, interactions };
  }

  /**
   * @param systems at least one, each once, in the order of the relation's columns
   * @throws when the identifier is taken, a system does not exist or is named twice
   */
  insertInteraction(id: string, systems: readonly SystemHandle[]): InteractionHandle {
    if (systems.length === 0 || new Set(systems).size !== systems.length)
      throw new Error(`Interaction '${id}' must link one or more systems, each once.`);
    const nodes = systems.map((system) => this.#systems.get(system));
    const node: InteractionNode = { id, systems: [...systems], linked: new Map(), level: 0 };
    const interaction = this.#interactions.insert(node);
    nodes.forEach(({ interactions }, k) => {
      for (const other of interactions) this.#shareSystem(node, interaction, other, systems[k]);
      insertSorted(interactions, interaction);
    });
    this.#components.link(systems);
    this.#indexSets[0].insert(interaction);
    this.#revision++;
    return interaction;
  }

  removeInteraction(interaction: InteractionHandle): void {
    const { systems, linked, level } = this.#interactions.get(interaction);
    for (const other of linked.keys()) this.#interactions.get(other).linked.delete(interaction);
    for (const system of systems) removeSorted(this.#systems.get(system).interactions, interaction);
    for (let k = 0; k <= level; k++) this.#indexSets[k].remove(interaction);
    this.#interactions.remove(interaction);
    this.#components.separate(systems, (system, visit) => {
      for (const held of this.#systems.get(system).interactions)
        for (const neighbour of this.#interactions.get(held).systems) visit(neighbour);
    });
    this.#revision++;
  }

  /** DS_α, in the order of the relation's columns. */
  systemsOf(interaction: InteractionHandle): readonly SystemHandle[] {
    return this.#interactions.get(interaction).systems;
  }

  /** I_i, in increasing order. */
  interactionsOf(system: SystemHandle): readonly InteractionHandle[] {
    return this.#systems.get(system).interactions;
  }

  /** The row of the linked-interaction map, in increasing order of the other interaction. */
  linked(interaction: InteractionHandle): LinkedInteraction[] {
    return [...this.#interactions.get(interaction).linked]
      .map(([other, common]) => ({ interaction: other, common }))
      .sort((a, b) => a.interaction - b.interaction);
  }

  /** DS_α ∩ DS_β in increasing order; empty when block (α, β) of the one-step matrix is zero. */
  commonSystems(alpha: InteractionHandle, beta: InteractionHandle): readonly SystemHandle[] {
    const { systems, linked } = this.#interactions.get(alpha);
    if (alpha === beta) return [...systems].sort((a, b) => a - b);
    return linked.get(beta) ?? [];
  }

  /** Equal for systems that interactions connect, however indirectly. Without meaning of its own. */
  componentOf(system: SystemHandle): number {
    this.#systems.get(system);
    return this.#components.of(system);
  }

  /** Systems of each connected component in increasing order; components by their smallest system. */
  components(): SystemHandle[][] {
    return this.#components.list();
  }

  /** I_k: I0 holds all interactions, I_k those whose level is k or more. */
  indexSet(k: number): ReadonlyIndexSet {
    while (this.#indexSets.length <= k) this.#indexSets.push(new IndexSet());
    return this.#indexSets[k];
  }

  /** The highest k for which the interaction is in I_k. */
  level(interaction: InteractionHandle): number {
    return this.#interactions.get(interaction).level;
  }

  /**
   * Puts an interaction into I0 … I_level and takes it out of all higher ones, so that the sets stay nested.
   */
  setLevel(interaction: InteractionHandle, level: number): void {
    const node = this.#interactions.get(interaction);
    while (this.#indexSets.length <= level) this.#indexSets.push(new IndexSet());
    for (let k = node.level + 1; k <= level; k++) this.#indexSets[k].insert(interaction);
    for (let k = node.level; k > level; k--) this.#indexSets[k].remove(interaction);
    node.level = level;
  }

  #shareSystem(
    node: InteractionNode,
    interaction: InteractionHandle,
    other: InteractionHandle,
    system: SystemHandle,
  ): void {
    const common = node.linked.get(other);
    if (common !== undefined) {
      insertSorted(common, system);
      return;
    }
    const shared = [system];
    node.linked.set(other, shared);
    this.#interactions.get(other).linked.set(interaction, shared);
  }
}

/** Place of the first entry ≥ value. */
function lowerBound(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insertSorted(list: number[], value: number): void {
  list.splice(lowerBound(list, value), 0, value);
}

function removeSorted(list: number[], value: number): void {
  list.splice(lowerBound(list, value), 1);
}
