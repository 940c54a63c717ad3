/**
 * Connected components of the interaction graph while systems are linked and separated.
 *
 * Linking two components renames the smaller one. Separating asks whether what was linked still hangs together by other
 * paths: one search starts from each of the separated systems, all advance in turn by one system, and searches that meet
 * become one. As soon as a single search is left unfinished the answer is known: each exhausted search is a component of
 * its own, and the unfinished one, whose rest is never visited, keeps the old name. So both cost about the size of the
 * smaller parts, not of the whole. (Interleaved search: S. Even and Y. Shiloach, 1981, doi:10.1145/322234.322235.)
 */

/** Gives the neighbours of a system: all systems that share an interaction with it. May name a system several times. */
export type VisitNeighbours = (system: number, visit: (neighbour: number) => void) => void;

/** One of the interleaved searches: systems seen and not yet expanded, and systems expanded. */
interface Search {
  pending: number[];
  expanded: number[];
}

export class Components {
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
