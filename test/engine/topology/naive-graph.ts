/** The interaction graph by its definitions, rebuilt from scratch: the oracle of the incremental one. */

interface NaiveInteraction {
  readonly id: string;
  readonly systems: readonly string[];
  level: number;
}

export interface NaiveGraph {
  readonly systems: Set<string>;
  readonly interactions: Map<string, NaiveInteraction>;
}

/** Everything the graph knows, by identifiers and sorted. */
export interface Snapshot {
  interactionsOf: Record<string, string[]>;
  systemsOf: Record<string, string[]>;
  linked: Record<string, Record<string, string[]>>;
  components: string[][];
  indexSets: string[][];
  pattern: string[];
}

const common = (a: NaiveInteraction, b: NaiveInteraction): string[] =>
  a.systems.filter((system) => b.systems.includes(system)).sort();

/** Spreads labels along interactions until nothing changes. */
function components({ systems, interactions }: NaiveGraph): string[][] {
  const label = new Map([...systems].map((system) => [system, system]));
  for (let changed = true; changed;) {
    changed = false;
    for (const { systems: linked } of interactions.values()) {
      const smallest = linked.map((system) => label.get(system)!).sort()[0];
      for (const system of linked) {
        changed ||= label.get(system) !== smallest;
        label.set(system, smallest);
      }
    }
  }
  const groups = new Map<string, string[]>();
  for (const system of [...systems].sort()) {
    const name = label.get(system)!;
    groups.set(name, [...(groups.get(name) ?? []), system]);
  }
  return [...groups.values()].sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

export function naiveSnapshot(graph: NaiveGraph, levels: number): Snapshot {
  const all = [...graph.interactions.values()];
  const pairs = all.map((a) => ({ a, others: all.filter((b) => a !== b && common(a, b).length > 0) }));
  return {
    interactionsOf: Object.fromEntries(
      [...graph.systems].map((system) => [
        system,
        all
          .filter((a) => a.systems.includes(system))
          .map((a) => a.id)
          .sort(),
      ]),
    ),
    systemsOf: Object.fromEntries(all.map((a) => [a.id, [...a.systems]])),
    linked: Object.fromEntries(
      pairs.map(({ a, others }) => [a.id, Object.fromEntries(others.map((b) => [b.id, common(a, b)]))]),
    ),
    components: components(graph),
    indexSets: Array.from({ length: levels }, (_, k) =>
      all
        .filter((a) => a.level >= k)
        .map((a) => a.id)
        .sort(),
    ),
    pattern: pairs.flatMap(({ a, others }) => [a, ...others].map((b) => `${a.id}·${b.id}`)).sort(),
  };
}
